// What charts are made of: lines, boxes and texts, each with a look. The page draws them, and so does the file that a
// chart is exported to: one layout, two pens. Colours are names of the page's variables until they are drawn.

/** What a mark is, which decides how it looks. */
export type Look =
  | 'lifeline' | 'box' | 'box-text' | 'message' | 'message-text' | 'dot' | 'delay' | 'delay-text' | 'time-text' | 'repeat'
  | 'repeat-text' | 'head' | 'head-text' | 'axis' | 'axis-text' | 'grid' | 'row' | 'bar' | 'bar-text' | 'instant' | 'dense';

interface Common {
  /** Tells it from the others. */
  key: string;
  look: Look;
}

export interface LineMark extends Common {
  kind: 'line';
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  /** Whether it ends in an arrow. */
  arrow: boolean;
}

export interface BoxMark extends Common {
  kind: 'box';
  x: number;
  y: number;
  width: number;
  height: number;
  /** The hue it is filled with; none if its look says that. */
  hue: number | null;
}

export interface TextMark extends Common {
  kind: 'text';
  x: number;
  y: number;
  text: string;
  anchor: 'start' | 'middle' | 'end';
}

export type Mark = LineMark | BoxMark | TextMark;

export function line(key: string, look: Look, [x1, y1]: [number, number], [x2, y2]: [number, number], arrow = false): LineMark {
  return { kind: 'line', key, look, x1, y1, x2, y2, arrow };
}

export function box(key: string, look: Look, [x, y]: [number, number], [width, height]: [number, number], hue: number | null = null): BoxMark {
  return { kind: 'box', key, look, x, y, width, height, hue };
}

export function text(key: string, look: Look, [x, y]: [number, number], said: string, anchor: TextMark['anchor'] = 'start'): TextMark {
  return { kind: 'text', key, look, x, y, text: said, anchor };
}

/** How marks of a look are drawn. Colours are names of variables of the page. */
export interface Style {
  fill?: string;
  stroke?: string;
  width?: number;
  dash?: string;
  round?: number;
  size?: number;
  mono?: boolean;
  bold?: boolean;
  /** Drawn with stripes over its fill. */
  hatched?: boolean;
}

export const STYLES: Record<Look, Style> = {
  lifeline: { stroke: 'line', width: 1.5 },
  box: { stroke: 'location-line', width: 1, round: 6 },
  'box-text': { fill: 'text', size: 11.5 },
  message: { stroke: 'sync', width: 1.6 },
  'message-text': { fill: 'sync', size: 11.5, mono: true },
  dot: { fill: 'sync' },
  delay: { stroke: 'soft', width: 1, dash: '2 3' },
  'delay-text': { fill: 'soft', size: 11.5, mono: true },
  'time-text': { fill: 'soft', size: 10.5, mono: true },
  repeat: { stroke: 'invariant', width: 1.6, dash: '6 3' },
  'repeat-text': { fill: 'invariant', size: 11.5 },
  head: { fill: 'raised', stroke: 'line', width: 1, round: 4 },
  'head-text': { fill: 'text', size: 12, bold: true },
  axis: { stroke: 'soft', width: 1 },
  'axis-text': { fill: 'soft', size: 11 },
  grid: { stroke: 'line', width: 1 },
  row: { stroke: 'line', width: 1 },
  bar: { stroke: 'location-line', width: 0.75, round: 3 },
  'bar-text': { fill: 'text', size: 11.5 },
  instant: { stroke: 'location-line', width: 0.75, hatched: true },
  dense: { fill: 'soft' },
};

/** How wide a letter is, about, for a size of type. */
export const LETTER = 0.62;

/** How many letters fit into a width. */
export function fitting(width: number, size: number): number {
  return Math.floor(width / (size * LETTER));
}
