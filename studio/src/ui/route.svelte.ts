// Which view is shown: the part of the address after `#`.

export const VIEWS = ['edit', 'verify', 'simulate', 'coverage', 'graph'] as const;
export type View = (typeof VIEWS)[number];

/** A part of an address. One that was cut off in the middle of a character is taken as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function read(): { view: View; rest: string[] } {
  const [view, ...rest] = location.hash.replace(/^#\/?/, '').split('/').map(decoded);
  return { view: VIEWS.find((known) => known === view) ?? 'edit', rest };
}

const now = $state(read());

addEventListener('hashchange', () => Object.assign(now, read()));

/** The view that is shown. */
export const route = now as Readonly<{ view: View; rest: string[] }>;

/** Shows a view; `rest` are the further parts of the address. */
export function go(view: View, ...rest: string[]): void {
  location.hash = `/${[view, ...rest].map(encodeURIComponent).join('/')}`;
}
