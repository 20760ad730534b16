// The stream of events of a run, taken apart as it comes.

/** Collects pieces of a stream of events. Each piece is looked at once, however long the event is that it is part of. */
export class Events {
  /** What there is of an event that has not ended. */
  #pieces: string[] = [];

  /** The data of the events that end in this piece. */
  take(piece: string): string[] {
    const ended: string[] = [];
    // The empty line that ends an event may itself be cut in two.
    if (piece.startsWith('\n') && this.#pieces.at(-1)?.endsWith('\n')) {
      piece = piece.slice(1);
      ended.push(this.#end());
    }
    const parts = piece.split('\n\n');
    const rest = parts.pop();
    for (const part of parts) {
      this.#pieces.push(part);
      ended.push(this.#end());
    }
    if (rest) this.#pieces.push(rest);
    return ended.filter((data) => data !== '');
  }

  #end(): string {
    const event = this.#pieces.join('');
    this.#pieces = [];
    return event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart()).join('\n');
  }
}
