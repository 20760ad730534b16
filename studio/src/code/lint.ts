// Diagnostics as the code editor underlines them, with their help and codes.

import type { Diagnostic } from '@codemirror/lint';

import type { Told } from '../api/types';
import { pieces } from './prose';

/** What an underlined place says: elements made by hand, because messages hold words of the model. */
export function card(told: Told): HTMLElement {
  const root = document.createElement('div');
  root.className = `told ${told.severity}`;
  const line = (kind: string, text: string): HTMLElement => {
    const element = document.createElement('div');
    element.className = kind;
    for (const piece of pieces(text.length > 2000 ? `${text.slice(0, 1999)}…` : text)) {
      const part = document.createElement(piece.code ? 'code' : 'span');
      part.textContent = piece.text;
      element.append(part);
    }
    return element;
  };
  const head = line('message', told.message);
  const code = document.createElement('b');
  code.textContent = told.code;
  code.title = told.explanation.slice(0, 2000);
  head.prepend(code, ' ');
  root.append(head, ...told.help.map((help) => line('help', help)));
  return root;
}

/** The underlined places of a text of some length. A diagnostic of an empty place underlines a character, to be seen. */
export function underlines(told: readonly Told[], length: number): Diagnostic[] {
  return told.map((one) => {
    const from = Math.min(one.place.from, length);
    const to = Math.min(Math.max(one.place.to, from), length);
    const severity = one.severity === 'error' || one.severity === 'warning' ? one.severity : 'info';
    const widened = from < to ? { from, to } : to < length ? { from, to: to + 1 } : { from: Math.max(0, from - 1), to };
    return { ...widened, severity, message: one.message, source: one.code, renderMessage: () => card(one) };
  });
}
