// The change between two texts: what they have in common at both ends stays.

export interface Replacement {
  from: number;
  to: number;
  insert: string;
}

/** The one replacement that makes the second text of the first; nothing if they are the same. */
export function replacement(before: string, after: string): Replacement | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < most - head && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++;
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}
