// Things that can fail.

/** Does something that can fail, and tells why if it does; then there is nothing to give back. */
export async function trying<T>(what: () => Promise<T>, tell: (why: string) => void): Promise<T | null> {
  try {
    return await what();
  } catch (error) {
    tell((error as Error).message);
    return null;
  }
}
