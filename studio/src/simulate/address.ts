// The address of a state of the simulator: the hash of the model, and the path that leads there.

/** What an address says. */
export interface Shared {
  hash: string;
  mode: Mode;
  path: string;
}

export type Mode = 'concrete' | 'symbolic';

const PATH_MAX = 200_000;

export function isMode(word: string | undefined): word is Mode {
  return word === 'concrete' || word === 'symbolic';
}

/** The parts of an address after the name of the view; nothing if they are not what was made by `addressOf`. */
export function shared(rest: readonly string[]): Shared | null {
  const [hash = '', mode, path = ''] = rest;
  if (!/^[0-9a-f]{8,128}$/.test(hash) || !isMode(mode) || rest.length > 3) return null;
  // Whether the path means anything is for the server to say; that it is a path and no more can be said here.
  if (path.length > PATH_MAX || !/^[0-9a-z_~.-]*$/i.test(path)) return null;
  return { hash, mode, path };
}

export function addressOf(origin: string, { hash, mode, path }: Shared): string {
  return `${origin}/#/simulate/${[hash, mode, path].map(encodeURIComponent).join('/')}`;
}
