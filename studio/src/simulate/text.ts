// Names as they can be shown. A name comes from a file that anybody may have written: it can be longer than a screen,
// or hold marks that turn the text around it. Such marks are made visible, and what is too long is cut in the middle.

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const LENGTH_MAX = 80;

/** The text without anything that cannot be seen, at most `length` characters long. */
export function shown(text: string, length: number = LENGTH_MAX): string {
  if (text.length <= length) return text.replace(CONTROL, '\u00b7');
  const head = Math.ceil((length - 1) * 0.6);
  const tail = length - 1 - head;
  return `${text.slice(0, head)}…${tail > 0 ? text.slice(-tail) : ''}`.replace(CONTROL, '\u00b7').replace(HALF, '\u00b7');
}

// Cutting can leave half of a pair of surrogates behind.
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text for the details that come up under the pointer: longer, but not without end. */
export function detailed(text: string): string {
  return shown(text, 600);
}

/** The part of a file's name that its kind does not belong to: `train-gate` of `train-gate.xml`. */
export function stem(name: string): string {
  return shown(name.replace(/\.[^.]*$/, '').replace(/[^\w.-]+/g, '-') || 'model', 60);
}
