// The Gantt chart of a run: a row for each process, a bar for each stay in a location, along real time.
//
// Many steps take no time at all. So that they can be seen, and pointed at, an instant can be opened up: every step then
// takes a little width besides what its delay takes. Without that, the axis is exactly proportional. A stay without
// length is hatched either way.
//
// What is drawn of a part of the chart is found by bisection. Bars that are too narrow to be told apart are drawn as
// one, so that a row costs its width in pixels at most, however long the run is.

import { shown } from '../simulate/text';
import { locationName, type Course, type Visit } from './course';
import { box, fitting, line, text, type Mark } from './marks';
import { firstAbove, label, niceStep, ticks } from './scale';

export const ROW = 30;
export const AXIS = 24;
const BAR = 22;
const INSTANT_MIN = 4;
const STUB = 26;
const TICK = 84;
/** What is drawn beyond the view, so that scrolling shows it at once. */
const SPARE = 200;
const WIDTH_MAX = 8_000_000;

export interface Gantt {
  course: Course;
  times: Float64Array;
  hues: Map<string, number>;
  /** Pixels for a unit of time. */
  scale: number;
  /** Pixels for an instant. */
  instant: number;
  width: number;
  height: number;
}

export function layOut(course: Course, times: Float64Array, hues: Map<string, number>, scale: number, instant: number): Gantt {
  const end = times.at(-1) ?? 0;
  const room = Math.max(1, WIDTH_MAX - course.length * instant);
  const fits = Math.min(scale, room / Math.max(end, 1e-9));
  const width = end * fits + course.length * instant + STUB;
  return { course, times, hues, scale: fits, instant, width, height: course.network.processes.length * ROW };
}

/** A scale at which a typical delay is easy to see. */
export function usualScale(times: Float64Array): number {
  const delays: number[] = [];
  for (let at = 1; at < times.length; at += 1) if (times[at]! > times[at - 1]!) delays.push(times[at]! - times[at - 1]!);
  delays.sort((a, b) => a - b);
  return 70 / (delays[delays.length >> 1] ?? 1);
}

/** The scale at which all of it fits into a width. */
export function fittingScale(times: Float64Array, instant: number, width: number): number {
  const end = times.at(-1) ?? 0;
  return Math.max(1e-9, (width - STUB - (times.length - 1) * instant) / Math.max(end, 1e-9));
}

/** Where a position is: after its instant. */
export function xOf(chart: Gantt, position: number): number {
  return (chart.times[position] ?? 0) * chart.scale + position * chart.instant;
}

/** The position that is reached at a place. */
export function positionAt(chart: Gantt, x: number): number {
  return Math.max(0, Math.min(chart.course.length, firstAbove(chart.times.length, (at) => xOf(chart, at) - chart.instant, x) - 1));
}

/** Where a moment is: before everything that happens in it. */
export function xAtTime(chart: Gantt, time: number): number {
  const before = firstAbove(chart.times.length, (at) => chart.times[at]!, time - 1e-12) - 1;
  const position = Math.max(0, before);
  return xOf(chart, position) + Math.max(0, time - chart.times[position]!) * chart.scale;
}

/** What is to be seen from `left` to `right`, of some of the rows. */
export function ganttMarks(chart: Gantt, left: number, right: number, first: number, last: number): Mark[] {
  const marks: Mark[] = [];
  for (let process = first; process <= Math.min(last, chart.course.visits.length - 1); process += 1) {
    const y = (process + 1) * ROW;
    marks.push(line(`row ${process}`, 'row', [0, y], [Math.min(chart.width, right + SPARE), y]), ...barMarks(chart, process, left, right));
  }
  const { repeats_from } = chart.course.trace;
  if (repeats_from !== null) {
    const x = xOf(chart, repeats_from);
    marks.push(line('repeat from', 'repeat', [x, 0], [x, chart.height]));
    const end = xOf(chart, chart.course.length);
    marks.push(line('repeat end', 'repeat', [end, 0], [end, chart.height]));
  }
  return marks;
}

/** The axis: moments at even distances, and where the run repeats. */
export function axisMarks(chart: Gantt, left: number, right: number): Mark[] {
  const end = chart.times.at(-1) ?? 0;
  const from = chart.times[positionAt(chart, left - SPARE)] ?? 0;
  const to = Math.min(end, chart.times[Math.min(chart.course.length, positionAt(chart, right + SPARE) + 1)] ?? end);
  const marks: Mark[] = [];
  // Opened instants make the axis longer than time does, here more and there less.
  const pixels = Math.max(chart.scale, xOf(chart, chart.course.length) / Math.max(end, 1e-9));
  let before = -Infinity;
  for (const time of ticks(from, to, niceStep(TICK / pixels, 1))) {
    const x = xAtTime(chart, time);
    if (x < left - SPARE || x > right + SPARE || x - before < TICK / 2) continue;
    before = x;
    marks.push(line(`tick ${time}`, 'axis', [x, AXIS - 6], [x, AXIS]), text(`tick text ${time}`, 'axis-text', [x, AXIS / 2 - 2], label(time), 'middle'));
  }
  const { repeats_from } = chart.course.trace;
  if (repeats_from !== null) {
    marks.push(text('loop', 'repeat-text', [xOf(chart, repeats_from) + 4, AXIS - 4], '↺ from here'));
    marks.push(text('loop end', 'repeat-text', [xOf(chart, chart.course.length) + 3, AXIS - 4], '↺'));
  }
  return marks;
}

function barMarks(chart: Gantt, process: number, left: number, right: number): Mark[] {
  const list = chart.course.visits[process] ?? [];
  const marks: Mark[] = [];
  // The end of what was drawn last: a bar that would not reach beyond the next pixel is left to the dense strip.
  let reached = -Infinity;
  const first = Math.max(0, firstAbove(list.length, (at) => xOf(chart, list[at]!.from), left - SPARE) - 1);
  for (let at = first; at < list.length; at += 1) {
    const visit = list[at]!;
    const from = xOf(chart, visit.from);
    if (from > right + SPARE) break;
    const to = visit.to === chart.course.length && at === list.length - 1 ? chart.width : xOf(chart, visit.to);
    if (to - from < 1 && from < reached) continue;
    const narrow = to - from < 1.5 && chart.times[visit.to]! > chart.times[visit.from]!;
    const key = `${process} ${visit.from}`;
    if (narrow) marks.push(box(`dense ${key}`, 'dense', [from, process * ROW + (ROW - BAR) / 2], [1.5, BAR]));
    else marks.push(...visitMarks(chart, key, process, visit, from, to, left));
    reached = Math.max(to, from + 1.5);
  }
  return marks;
}

function visitMarks(chart: Gantt, key: string, process: number, visit: Visit, from: number, to: number, left: number): Mark[] {
  const name = locationName(chart.course.network, process, visit.location);
  const hue = chart.hues.get(name) ?? null;
  const y = process * ROW + (ROW - BAR) / 2;
  const lasts = chart.times[visit.to]! > chart.times[visit.from]! || (to === chart.width && visit.to === chart.course.length);
  if (!lasts) return [box(`instant ${key}`, 'instant', [from, y], [Math.max(INSTANT_MIN, to - from), BAR], hue)];
  const marks: Mark[] = [box(`bar ${key}`, 'bar', [from, y], [to - from, BAR], hue)];
  // The name stays in view while its bar is scrolled.
  const start = Math.max(from, left) + 5;
  const letters = fitting(to - start - 4, 11.5);
  if (letters >= 2) marks.push(text(`name ${key}`, 'bar-text', [start, y + BAR / 2], shown(name, letters)));
  return marks;
}
