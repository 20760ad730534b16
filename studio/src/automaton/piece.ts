// What can be pointed at in the drawing of a template. Elements of the picture carry the code of their piece in
// `data-piece`, so that one listener on the whole picture is enough.

/** A piece of the drawing of a template. Numbers are places in the lists of the template. */
export type Piece =
  | { kind: 'location'; at: number }
  | { kind: 'branchpoint'; at: number }
  | { kind: 'edge'; at: number }
  | { kind: 'nail'; at: number; nail: number }
  /** A label of a location; its name if there is no number. */
  | { kind: 'location-label'; at: number; label: number | null }
  | { kind: 'edge-label'; at: number; label: number };

/** The code of a piece: equal pieces have equal codes. */
export function codeOf(piece: Piece): string {
  switch (piece.kind) {
    case 'nail':
      return `nail:${piece.at}:${piece.nail}`;
    case 'location-label':
    case 'edge-label':
      return `${piece.kind}:${piece.at}:${piece.label ?? 'name'}`;
    default:
      return `${piece.kind}:${piece.at}`;
  }
}

/** The piece with a code. */
export function pieceOf(code: string): Piece | null {
  const [kind, first = '', second = ''] = code.split(':');
  const at = Number(first);
  switch (kind) {
    case 'location':
    case 'branchpoint':
    case 'edge':
      return { kind, at };
    case 'nail':
      return { kind, at, nail: Number(second) };
    case 'location-label':
      return { kind, at, label: second === 'name' ? null : Number(second) };
    case 'edge-label':
      return { kind, at, label: Number(second) };
    default:
      return null;
  }
}

/** The piece that an event happened on. */
export function pieceAt(target: EventTarget | null): Piece | null {
  const code = target instanceof Element ? target.closest('[data-piece]')?.getAttribute('data-piece') : null;
  return code ? pieceOf(code) : null;
}

/** What the element of a piece is: something to be chosen, or only a picture. */
export function roleOf(live: boolean): { role: 'button' | 'img'; tabindex?: number } {
  return live ? { role: 'button', tabindex: -1 } : { role: 'img' };
}
