// Edits of the list of queries.

import type { Sheet, SheetQuery } from '../api/types';
import { without } from '../model/change';

/** The answers that can be expected, with what they are called here. */
export const EXPECTATIONS: readonly (readonly [value: string, text: string])[] = [
  ['', 'anything'],
  ['success', 'satisfied'],
  ['failure', 'violated'],
  ['maybe_true', 'maybe satisfied'],
  ['maybe_false', 'maybe violated'],
  ['error', 'an error'],
];

export const EMPTY_QUERY: SheetQuery = { formula: '', comment: '', expected: '', kept: [] };

/** Another query after one; in front of all if there is no such one. */
export function inserted(sheet: Sheet, after: number, query: SheetQuery): Sheet {
  return { ...sheet, queries: sheet.queries.toSpliced(after + 1, 0, query) };
}

export function removed(sheet: Sheet, at: number): Sheet {
  const queries = without(sheet.queries, at);
  return queries === sheet.queries ? sheet : { ...sheet, queries };
}

/** The query moved up or down; the sheet itself if it cannot be. */
export function moved(sheet: Sheet, at: number, by: number): Sheet {
  const query = sheet.queries[at];
  const to = at + by;
  if (!query || to < 0 || to >= sheet.queries.length) return sheet;
  return { ...sheet, queries: without(sheet.queries, at).toSpliced(to, 0, query) };
}
