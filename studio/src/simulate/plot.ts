// From clock values to pixels: the plane of two clocks on the page, and what time does in it.

import type { Delays } from '../api/types';
import { niceStep, ticks } from '../time/scale';
import type { Frame, Point } from './shape';

/** The part of the page that a frame is drawn on. */
export interface Plot {
  frame: Frame;
  left: number;
  top: number;
  width: number;
  height: number;
}

const LEFT = 46;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 38;
const TICK = 34;

/**
 * The plot for a part of the page, with room around it for type of a size. A square frame is drawn as a square: time
 * then runs at 45 degrees.
 */
export function plotOf(frame: Frame, width: number, height: number, size = 1): Plot {
  const [l, t] = [LEFT * size, TOP * size];
  const [w, h] = [Math.max(40, width - l - RIGHT * size), Math.max(40, height - t - BOTTOM * size)];
  const square = frame.x1 - frame.x0 === frame.y1 - frame.y0;
  const side = Math.min(w, h);
  return square
    ? { frame, left: l + (w - side) / 2, top: t + (h - side) / 2, width: side, height: side }
    : { frame, left: l, top: t, width: w, height: h };
}

export function xOf({ frame, left, width }: Plot, x: number): number {
  return left + ((x - frame.x0) / (frame.x1 - frame.x0)) * width;
}

export function yOf({ frame, top, height }: Plot, y: number): number {
  return top + height - ((y - frame.y0) / (frame.y1 - frame.y0)) * height;
}

/** A polygon for an SVG. */
export function polygon(plot: Plot, corners: readonly Point[]): string {
  return corners.map(([x, y]) => `${xOf(plot, x).toFixed(2)},${yOf(plot, y).toFixed(2)}`).join(' ');
}

/** The whole numbers beside the axes, and the lines between them where there is room. */
export function grid(plot: Plot): { x: number[]; y: number[]; fineX: number[]; fineY: number[] } {
  const { frame, width, height } = plot;
  const axis = (from: number, to: number, pixels: number) => ({
    coarse: ticks(from, to, niceStep(to - from, pixels / TICK, 1)),
    fine: pixels / (to - from) >= 9 ? ticks(from, to, 1) : [],
  });
  const [x, y] = [axis(frame.x0, frame.x1, width), axis(frame.y0, frame.y1, height)];
  return { x: x.coarse, y: y.coarse, fineX: x.fine, fineY: y.fine };
}

/** Where a point is after a delay, if these clocks run. */
export function after([x, y]: Point, delay: number, running: readonly [boolean, boolean]): Point {
  return [running[0] ? x + delay : x, running[1] ? y + delay : y];
}

/** How long it takes a point to leave the frame; infinite if it never does. */
export function timeInside(frame: Frame, [x, y]: Point, running: readonly [boolean, boolean]): number {
  const times = [running[0] ? frame.x1 - x : Infinity, running[1] ? frame.y1 - y : Infinity];
  return Math.max(0, Math.min(...times));
}

/** A part of the line of time. */
export interface Stretch {
  from: Point;
  to: Point;
  /** What is at its ends: part of it, not part of it, or nothing since it goes on beyond the frame. */
  ends: ['closed' | 'open', 'closed' | 'open' | 'endless'];
}

/** The part of the line of time that delays take; nothing if it lies beyond the frame. */
export function stretch(frame: Frame, point: Point, delays: Delays, running: readonly [boolean, boolean]): Stretch | null {
  const most = timeInside(frame, point, running);
  const [from, to] = [delays.from.value, delays.to?.value ?? Infinity];
  if (from > most) return null;
  const goesOn = to > most;
  return {
    from: after(point, from, running),
    to: after(point, Math.min(to, Number.isFinite(most) ? most : from), running),
    ends: [delays.from_included ? 'closed' : 'open', goesOn ? 'endless' : delays.to_included ? 'closed' : 'open'],
  };
}

const SIDE_BY_SIDE = 8;
const ASIDE = 3.5;

/**
 * How far the intervals of a choice are drawn beside the line of time, so that those of several can be seen: on both
 * sides in turn. Where there are many, the others are seen only while they are pointed at.
 */
export function asideOf(choice: number, pointed: boolean): number | null {
  if (choice >= SIDE_BY_SIDE) return pointed ? 0 : null;
  return (choice % 2 === 0 ? 1 : -1) * (Math.floor(choice / 2) + 1) * ASIDE;
}
