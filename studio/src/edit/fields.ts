// The texts of locations and edges, in the order in which they are asked for.

import type { Part, SheetLabel } from '../api/types';
import type { Language } from '../code/words';

export interface Field {
  /** The kind of the label, in the word of the file. */
  kind: string;
  title: string;
  /** An example, shown while it is empty. */
  hint: string;
  language: Language;
  /** Whether it is shown while it is empty. */
  usual: boolean;
}

const field = (kind: string, title: string, hint: string, usual = true, language: Language = 'uppaal'): Field => ({
  kind, title, hint, usual, language,
});

export const LOCATION_FIELDS: readonly Field[] = [
  field('invariant', 'Invariant', 'x <= 5'),
  field('exponentialrate', 'Rate of exponential', '1'),
  field('testcodeEnter', 'Test code on entry', '', false, 'plain'),
  field('testcodeExit', 'Test code on exit', '', false, 'plain'),
  field('comments', 'Comments', 'why it is so', true, 'plain'),
];

export const EDGE_FIELDS: readonly Field[] = [
  field('select', 'Select', 'i : int[0, 3]'),
  field('guard', 'Guard', 'x >= 2 && n > 0'),
  field('synchronisation', 'Sync', 'go!'),
  field('assignment', 'Update', 'x = 0, n++'),
  field('probability', 'Weight', '1', false),
  field('testcode', 'Test code', '', false, 'plain'),
  field('comments', 'Comments', 'why it is so', true, 'plain'),
];

/** The fields to be shown: the usual ones, and others that there is something in or that are needed here. */
export function fieldsFor(all: readonly Field[], labels: readonly SheetLabel[], needed: readonly string[] = []): Field[] {
  return all.filter(({ kind, usual }) => usual || needed.includes(kind) || labels.some((label) => label.kind === kind));
}

/** What is only asked for in place if there is something in it, or if it was pointed at. */
export const SELDOM: ReadonlySet<string> = new Set(['exponentialrate', 'comments']);

/** The text of a field, and the part of the sheet that it is; no part if there is no such label yet. */
export function textOf(
  labels: readonly SheetLabel[], kind: string, part: (label: number) => Part,
): { text: string; part: Part | null } {
  const at = labels.findIndex((label) => label.kind === kind);
  return { text: labels[at]?.text ?? '', part: at < 0 ? null : part(at) };
}
