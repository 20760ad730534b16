// Files of queries (`.q`): taken apart into formulas with their comments and expected answers, and written. Formulas are
// not looked into: a line is one, and goes on after a backslash at its end.

import type { SheetQuery } from '../api/types';

const EXPECTED: Readonly<Record<string, string>> = {
  T: 'success', F: 'failure', MT: 'maybe_true', MF: 'maybe_false', E: 'error',
};
const EXPECT = /\/?\bEXPECT:\s*([A-Z]+)?[^\s*/]*/;

/** The comment without its `EXPECT:`, and what that says. */
function apart(comment: string): { comment: string; expected: string } {
  const found = EXPECT.exec(comment);
  if (!found) return { comment: comment.trim(), expected: '' };
  const rest = comment.slice(0, found.index) + comment.slice(found.index + found[0].length);
  return { comment: rest.trim(), expected: EXPECTED[found[1] ?? ''] ?? '' };
}

/** The queries of a file. */
export function readQueries(text: string): SheetQuery[] {
  const queries: SheetQuery[] = [];
  let comments: string[] = [];
  const pieces = /\/\*([\s\S]*?)(?:\*\/|$)|\/\/([^\n]*)|((?:\\\n|[^\n])+)/g;
  for (const [, block, line, formula] of text.replace(/\r\n?/g, '\n').matchAll(pieces)) {
    if (formula === undefined) {
      comments.push((block ?? line ?? '').trim());
    } else if (formula.trim() !== '') {
      const { comment, expected } = apart(comments.join('\n'));
      queries.push({ formula: formula.replaceAll('\\\n', '\n').trim(), comment, expected, kept: [] });
      comments = [];
    }
  }
  return queries;
}

/** The file that holds queries. Those without a formula are headings, for which such a file has no place but comments. */
export function writeQueries(queries: readonly SheetQuery[]): string {
  const letters = new Map(Object.entries(EXPECTED).map(([letter, word]) => [word, letter]));
  const entries = queries.map(({ formula, comment, expected }) => {
    // The marks of a comment, and the word that makes it an expectation, mean something only outside it.
    const inside = comment.trim().replaceAll('*/', '* /').replaceAll('EXPECT:', 'EXPECT :');
    const letter = letters.get(expected);
    return [
      ...(inside ? [`/*\n${inside}\n*/`] : []),
      ...(letter ? [`/* EXPECT:${letter} */`] : []),
      ...(formula.trim() ? [formula.trim().replaceAll('\n', '\\\n')] : []),
    ].join('\n');
  });
  return `${entries.join('\n\n')}\n`;
}
