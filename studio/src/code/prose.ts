// Sentences of diagnostics, in which words of the model stand between backticks.

/** The pieces of a sentence: plain text and, between backticks, code. */
export function pieces(text: string): { text: string; code: boolean }[] {
  const parts = text.split('`');
  // A backtick without a partner is one of the text.
  const paired = parts.length % 2 === 1;
  const split = paired ? parts : [...parts.slice(0, -2), `${parts.at(-2)}\`${parts.at(-1)}`];
  return split.map((part, at) => ({ text: part, code: at % 2 === 1 })).filter((part) => part.text !== '');
}
