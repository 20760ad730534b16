// The message sequence chart of a run: processes side by side with their lifelines going down, a row for each step. In a
// row time passes first (a gap, the longer the more time), then messages go across, then the new locations are written
// on the lifelines.
//
// The tops of the rows are sums that are computed once. What is drawn of a part of the chart is then found by bisection
// and costs what is visible, however long the run is.

import type { TakenEdge, TraceStep } from '../api/types';
import { shown } from '../simulate/text';
import { locationName, type Course } from './course';
import { box, fitting, line, text, type Mark, type TextMark } from './marks';
import { firstAbove } from './scale';

const MARGIN = 96;
const COLUMN_MIN = 108;
const COLUMN_MAX = 340;
const START = 34;
const ROW = 46;
const WAIT_ROW = 16;
const END = 40;
export const HEAD = 28;

export interface Sequence {
  course: Course;
  hues: Map<string, number>;
  /** The distance of lifelines. */
  column: number;
  width: number;
  height: number;
  /** Where the row that leads to each position begins; the last is where all end. */
  tops: Float64Array;
}

/** How high the gap for a delay is: it grows with the delay, but ever more slowly, so that all fit on a screen. */
export function gapOf(step: TraceStep): number {
  const delay = step.delay?.value ?? 0;
  return delay > 0 ? Math.min(72, 14 + 11 * Math.log2(1 + delay)) : 0;
}

/** Lays the chart out for a width; it becomes wider if the processes need more. */
export function layOut(course: Course, hues: Map<string, number>, width: number): Sequence {
  const processes = Math.max(1, course.network.processes.length);
  const column = Math.max(COLUMN_MIN, Math.min(COLUMN_MAX, (width - MARGIN) / processes));
  const tops = new Float64Array(course.length + 2);
  tops[0] = 0;
  tops[1] = START;
  course.trace.steps.forEach((step, index) => {
    tops[index + 2] = tops[index + 1]! + gapOf(step) + (step.edges.length > 0 ? ROW : WAIT_ROW);
  });
  return { course, hues, column, width: Math.max(width, MARGIN + column * processes), height: tops[course.length + 1]! + END, tops };
}

export function columnX(chart: Sequence, process: number): number {
  return MARGIN + chart.column * (process + 0.5);
}

/** The position whose row is at a height. */
export function positionAt(chart: Sequence, y: number): number {
  return Math.max(0, Math.min(chart.course.length, firstAbove(chart.tops.length, (index) => chart.tops[index]!, y) - 1));
}

/** Where the row of a position begins and ends. */
export function rowOf(chart: Sequence, position: number): { top: number; bottom: number } {
  return { top: chart.tops[position]!, bottom: chart.tops[position + 1]! };
}

/** What is to be seen from `top` to `bottom`. */
export function sequenceMarks(chart: Sequence, top: number, bottom: number): Mark[] {
  const marks: Mark[] = chart.course.network.processes.map((_, process) => {
    const x = columnX(chart, process);
    return line(`life ${process}`, 'lifeline', [x, Math.max(0, top)], [x, Math.min(chart.height, bottom)]);
  });
  for (let position = positionAt(chart, top); position <= positionAt(chart, bottom); position += 1) {
    marks.push(...(position === 0 ? startMarks(chart) : stepMarks(chart, position)));
  }
  const { repeats_from } = chart.course.trace;
  if (repeats_from !== null) marks.push(...repeatMarks(chart, repeats_from));
  return marks;
}

/** The names of the processes, to be written above. */
export function headMarks(chart: Sequence): Mark[] {
  return chart.course.network.processes.flatMap((process, at) => {
    const x = columnX(chart, at);
    const width = chart.column - 10;
    return [
      box(`head ${at}`, 'head', [x - width / 2, 3], [width, HEAD - 6]),
      text(`head text ${at}`, 'head-text', [x, HEAD / 2], shown(process.name, fitting(width, 12)), 'middle'),
    ];
  });
}

function startMarks(chart: Sequence): Mark[] {
  const { network, trace } = chart.course;
  return network.processes.flatMap((_, process) => placeMarks(chart, `0 ${process}`, process, trace.locations[process] ?? 0, 6));
}

/** The box of a location on a lifeline. */
function placeMarks(chart: Sequence, key: string, process: number, location: number, y: number): Mark[] {
  const name = locationName(chart.course.network, process, location);
  const width = Math.min(chart.column - 14, Math.max(44, name.length * 7 + 16));
  const x = columnX(chart, process);
  return [
    box(`at ${key}`, 'box', [x - width / 2, y], [width, 20], chart.hues.get(name) ?? null),
    text(`at text ${key}`, 'box-text', [x, y + 10], shown(name, fitting(width - 8, 11.5)), 'middle'),
  ];
}

function stepMarks(chart: Sequence, position: number): Mark[] {
  const step = chart.course.trace.steps[position - 1];
  if (!step) return [];
  const top = chart.tops[position]!;
  const gap = gapOf(step);
  const marks = gap > 0 ? delayMarks(chart, position, step, top, gap) : [];
  if (step.edges.length === 0) return marks;
  const y = top + gap + 13;
  marks.push(text(`number ${position}`, 'time-text', [8, y], `${position}`), ...messageMarks(chart, position, step.edges, y));
  for (const [process, location] of step.moved) marks.push(...placeMarks(chart, `${position} ${process}`, process, location, y + 8));
  return marks;
}

function delayMarks(chart: Sequence, position: number, step: TraceStep, top: number, gap: number): Mark[] {
  const middle = top + gap / 2;
  const marks: Mark[] = [
    line(`delay ${position}`, 'delay', [MARGIN - 6, middle], [chart.width, middle]),
    text(`delay text ${position}`, 'delay-text', [MARGIN - 12, middle], `+${shown(step.delay?.exact ?? '', 9)}`, 'end'),
  ];
  if (step.time && gap > 30) marks.push(text(`time ${position}`, 'time-text', [MARGIN - 12, middle + 13], `t=${shown(step.time.exact, 9)}`, 'end'));
  return marks;
}

/** What goes from one process to others: arrows from the sender, or a line through all that take part. */
function messageMarks(chart: Sequence, position: number, edges: readonly TakenEdge[], y: number): Mark[] {
  const [first] = edges;
  if (!first) return [];
  const name = [...new Set(edges.map((edge) => edge.channel).filter((channel) => channel !== ''))].join(' ');
  const from = columnX(chart, first.process);
  const dot = (edge: TakenEdge): Mark => box(`dot ${position} ${edge.process}`, 'dot', [columnX(chart, edge.process) - 3, y - 3], [6, 6]);
  if (edges.length === 1) {
    const last = first.process > 0 && first.process === chart.course.network.processes.length - 1;
    return [dot(first), ...nameMarks(chart, position, name + first.direction, from + (last ? -9 : 9), y + 7, last ? 'end' : 'start')];
  }
  const sends = first.direction === '!';
  const others = edges.slice(1).map((edge) => columnX(chart, edge.process));
  const near = others.reduce((a, b) => (Math.abs(b - from) < Math.abs(a - from) ? b : a));
  const marks: Mark[] = sends ? [dot(first)] : edges.map(dot);
  others.forEach((x, index) => {
    const end = sends ? x - Math.sign(x - from) * 2 : x;
    marks.push(line(`message ${position} ${index}`, 'message', [from, y], [end, y], sends));
  });
  // The name is written over the part of the line that belongs to this message alone.
  return [...marks, ...nameMarks(chart, position, name, from + (Math.sign(near - from) * chart.column) / 2, y)];
}

function nameMarks(chart: Sequence, position: number, name: string, x: number, y: number, anchor: TextMark['anchor'] = 'middle'): Mark[] {
  if (name === '') return [];
  return [text(`name ${position}`, 'message-text', [x, y - 7], shown(name, fitting(chart.column - 8, 11.5)), anchor)];
}

function repeatMarks(chart: Sequence, from: number): Mark[] {
  const y = from === 0 ? 2 : chart.tops[from + 1]! - 1;
  const end = chart.height - END / 2;
  return [
    line('repeat from', 'repeat', [MARGIN - 60, y], [chart.width, y]),
    text('repeat from text', 'repeat-text', [MARGIN - 14, y + 9], '↺ from here', 'end'),
    line('repeat end', 'repeat', [MARGIN - 60, end - 12], [chart.width, end - 12]),
    text('repeat end text', 'repeat-text', [MARGIN, end], `↺ repeats from position ${from}`),
  ];
}
