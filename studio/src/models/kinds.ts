// What a file is, by its name. What is in it, only the server can say.

/** A model, queries to add, a run for the simulator, or nothing that is known here. */
export type FileKind = 'model' | 'queries' | 'run' | null;

const KINDS: readonly [RegExp, FileKind][] = [
  [/\.(xml|xta|ta|tck)$/i, 'model'],
  [/\.q$/i, 'queries'],
  [/\.(json|xtr)$/i, 'run'],
];

export function kindOf(name: string): FileKind {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** The languages that a model can be written in, by the name of the file it is in. */
export function languageOf(name: string): 'xml' | 'xta' | 'tck' {
  if (/\.tck$/i.test(name)) return 'tck';
  return /\.x?ta$/i.test(name) ? 'xta' : 'xml';
}

/** Files that go together: models first, since queries are added to the model that is shown then, and runs are of it. */
export function inOrder<T extends { name: string }>(files: readonly T[]): T[] {
  const place = (file: T): number => ['model', 'queries', 'run'].indexOf(kindOf(file.name) ?? 'run');
  return [...files].sort((one, other) => place(one) - place(other));
}
