// The text of labels as it is drawn. Files may hold labels of any length: what is drawn has an end, and the whole of it is
// in the panel of properties.

import type { Spot } from '../api/types';
import { CHARACTER, LINE, type Box } from './geometry';

const LINES_MAX = 40;
const COLUMNS_MAX = 160;

/** The lines of a label as they are drawn. */
export function linesOf(text: string): string[] {
  const lines = text.slice(0, (LINES_MAX + 1) * (COLUMNS_MAX + 1)).trim().split('\n');
  const shown = lines.slice(0, LINES_MAX).map((line) => {
    const trimmed = line.trimEnd();
    return trimmed.length > COLUMNS_MAX ? `${trimmed.slice(0, COLUMNS_MAX - 1)}…` : trimmed;
  });
  if (lines.length > LINES_MAX) shown.push('…');
  return shown;
}

/** A text that names something, short enough for a tooltip or an accessible name. */
export function brief(text: string, most = 80): string {
  const flat = text.slice(0, 4 * most).replace(/\s+/g, ' ').trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
}

/** How large a label is. */
export function sizeOf(text: string): { width: number; height: number } {
  const lines = linesOf(text);
  return { width: Math.max(...lines.map((line) => line.length)) * CHARACTER, height: lines.length * LINE };
}

/** The box of a label. */
export function boxOf(text: string, at: Spot): Box {
  const { width, height } = sizeOf(text);
  return { left: at.x, top: at.y, right: at.x + width, bottom: at.y + height };
}

const COLOUR = /^#[0-9a-f]{6}$/i;

/** A colour of a file as a style; nothing if it is not written as one. */
export function colourStyle(colour: string): string | undefined {
  return COLOUR.test(colour) ? `--given: ${colour}` : undefined;
}
