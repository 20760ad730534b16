// What a picture of a template says beyond the template: where processes are, what is about to happen, what was reached,
// what is wrong.

/** Some locations and edges, by their places in the template's lists. */
export interface Reached {
  locations: ReadonlySet<number>;
  edges: ReadonlySet<number>;
}

/** That something is wrong with a location or edge. */
export interface DiagnosticMark {
  severity: 'error' | 'warning' | 'note';
  /** What, for those who cannot see the picture. */
  message: string;
}

/** Marks on a template. Whatever is left out is not marked. */
export interface AutomatonMarks {
  /** The processes that are in a location, by location. An empty name draws a token without a name. */
  tokens?: ReadonlyMap<number, readonly string[]>;
  /** Edges that would be taken by what is pointed at. */
  lit?: ReadonlySet<number>;
  /** Edges of the last step. */
  taken?: ReadonlySet<number>;
  covered?: Reached;
  uncovered?: Reached;
  diagnostics?: {
    locations: ReadonlyMap<number, DiagnosticMark>;
    edges: ReadonlyMap<number, DiagnosticMark>;
  };
  /** The codes of pieces that are selected: see `piece.ts`. */
  selected?: ReadonlySet<string>;
}

function reached(marks: AutomatonMarks, list: 'locations' | 'edges', at: number): string {
  if (marks.covered?.[list].has(at)) return 'covered';
  return marks.uncovered?.[list].has(at) ? 'uncovered' : '';
}

/** The classes of a location. */
export function locationClass(marks: AutomatonMarks, at: number): string {
  const token = marks.tokens?.has(at) ? 'token' : '';
  const selected = marks.selected?.has(`location:${at}`) ? 'selected' : '';
  return [token, selected, reached(marks, 'locations', at)].filter(Boolean).join(' ');
}

/** The classes of an edge. */
export function edgeClass(marks: AutomatonMarks, at: number): string {
  const lit = marks.lit?.has(at) ? 'lit' : '';
  const taken = marks.taken?.has(at) ? 'taken' : '';
  const selected = marks.selected?.has(`edge:${at}`) ? 'selected' : '';
  return [lit, taken, selected, reached(marks, 'edges', at)].filter(Boolean).join(' ');
}

/** What the picture says of the processes in a location: few names, and how many more there are. */
export function tokenText(names: readonly string[]): string {
  const named = names.filter((name) => name !== '').map((name) => (name.length > 24 ? `${name.slice(0, 23)}…` : name));
  if (named.length === 0) return names.length > 1 ? `×${names.length}` : '';
  return named.length <= 2 ? named.join(', ') : `${named[0]}, +${named.length - 1}`;
}
