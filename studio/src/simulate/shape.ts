// The geometry of zones of two clocks: the polygon that up to six bounds cut out of a frame.
//
// All lines are upright, level or at 45 degrees, and all constants are whole numbers. Two such lines meet in a point
// with whole coordinates, so that corners are computed as meeting points of lines, exactly, and never by going a
// fraction of the way along a side. That keeps zones that are a point or a segment what they are.

import type { ShapeBound, Shape } from '../api/types';

/** A point in the plane of the two clocks. */
export type Point = readonly [x: number, y: number];

/** Which bound a side lies on; `frame` where the shape goes on beyond what is drawn. */
export type Bound = 'x-low' | 'x-high' | 'y-low' | 'y-high' | 'difference-low' | 'difference-high' | 'frame';

/** What is drawn: from (x0, y0) to (x1, y1), whole numbers. */
export interface Frame {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A side of a drawn shape, from its corner to the next. */
export interface Side {
  from: Point;
  to: Point;
  bound: Bound;
  /** Whether it is not part of the shape. */
  strict: boolean;
}

/** A shape, cut to a frame. */
export interface Outline {
  /** `empty` if nothing of it lies in the frame. */
  kind: 'empty' | 'point' | 'segment' | 'area';
  /** The corners, counterclockwise when y points upwards. */
  corners: Point[];
  /** The sides, in the same order. A segment has one, a point none. */
  sides: Side[];
  /** For a segment, whether each of its ends is missing from it. */
  open: [boolean, boolean];
}

/** Where `a x + b y <= c`. */
interface Half {
  a: number;
  b: number;
  c: number;
  bound: Bound;
  strict: boolean;
}

/** A corner, and the line that leads from it to the next. */
interface Corner {
  at: Point;
  along: Half;
}

function half(a: number, b: number, bound: Bound, edge: ShapeBound | null): Half[] {
  if (!edge) return [];
  // A lower bound is given as the least value of a form whose upper bound is wanted: its sign turns.
  const low = bound.endsWith('low');
  return [{ a, b, c: low ? 0 - edge.at : edge.at, bound, strict: edge.strict }];
}

function halves(shape: Shape): Half[] {
  return [
    ...half(-1, 0, 'x-low', shape.x_low),
    ...half(1, 0, 'x-high', shape.x_high),
    ...half(0, -1, 'y-low', shape.y_low),
    ...half(0, 1, 'y-high', shape.y_high),
    ...half(-1, 1, 'difference-low', shape.difference_low),
    ...half(1, -1, 'difference-high', shape.difference_high),
  ];
}

function framed({ x0, y0, x1, y1 }: Frame): Corner[] {
  const side = (a: number, b: number, c: number): Half => ({ a, b, c, bound: 'frame', strict: false });
  return [
    { at: [x0, y0], along: side(0, -1, -y0) },
    { at: [x1, y0], along: side(1, 0, x1) },
    { at: [x1, y1], along: side(0, 1, y1) },
    { at: [x0, y1], along: side(-1, 0, -x0) },
  ];
}

function beyond({ a, b, c }: Half, [x, y]: Point): number {
  return a * x + b * y - c;
}

/** Where two lines meet that are not parallel. Their determinant is 1 or -1. */
function meeting(p: Half, q: Half): Point {
  const determinant = p.a * q.b - q.a * p.b;
  // Adding zero turns -0 into 0, which looks better where coordinates are shown.
  return [(p.c * q.b - q.c * p.b) / determinant + 0, (p.a * q.c - q.a * p.c) / determinant + 0];
}

/** What is left of a convex polygon where a bound holds; sides that come to lie on the bound are named after it. */
function cut(polygon: readonly Corner[], by: Half): Corner[] {
  const left: Corner[] = [];
  polygon.forEach((corner, index) => {
    const next = polygon[(index + 1) % polygon.length]!;
    const here = beyond(by, corner.at);
    const there = beyond(by, next.at);
    if (here <= 0) left.push({ at: corner.at, along: here === 0 && there >= 0 ? by : corner.along });
    if (here < 0 && there > 0) left.push({ at: meeting(corner.along, by), along: by });
    if (here > 0 && there < 0) left.push({ at: meeting(corner.along, by), along: corner.along });
  });
  return left;
}

function same(p: Point, q: Point): boolean {
  return p[0] === q[0] && p[1] === q[1];
}

/** The shape as it is drawn in a frame. */
export function outline(shape: Shape, frame: Frame): Outline {
  const bounds = halves(shape);
  const polygon = bounds.reduce<Corner[]>(cut, framed(frame));
  const corners = polygon.filter((corner, index) => !same(corner.at, polygon[(index + 1) % polygon.length]!.at));
  const first = polygon[0];
  if (!first) return { kind: 'empty', corners: [], sides: [], open: [false, false] };
  if (corners.length === 0) return { kind: 'point', corners: [first.at], sides: [], open: [false, false] };
  if (corners.length === 2) return segment(corners[0]!, corners[1]!, bounds);
  const sides = corners.map((corner, index) => {
    const { bound, strict } = corner.along;
    return { from: corner.at, to: corners[(index + 1) % corners.length]!.at, bound, strict };
  });
  return { kind: 'area', corners: corners.map((corner) => corner.at), sides, open: [false, false] };
}

/** A shape without width. It lies on two bounds that face each other, neither of them strict. */
function segment(from: Corner, to: Corner, bounds: readonly Half[]): Outline {
  const ends = [from.at, to.at] as const;
  const missing = (end: Point) => bounds.some((one) => one.strict && beyond(one, end) === 0);
  const through = bounds.find((one) => ends.every((end) => beyond(one, end) === 0));
  const side = { from: from.at, to: to.at, bound: through?.bound ?? 'frame', strict: false };
  return { kind: 'segment', corners: [...ends], sides: [side], open: [missing(from.at), missing(to.at)] };
}

/** The greatest constants that bounds of the shapes have, to the right and upwards. */
function reach(shapes: readonly Shape[]): Point {
  let x = 0;
  let y = 0;
  for (const shape of shapes) {
    x = Math.max(x, shape.x_low.at, shape.x_high?.at ?? 0, shape.difference_low?.at ?? 0);
    y = Math.max(y, shape.y_low.at, shape.y_high?.at ?? 0, -(shape.difference_high?.at ?? 0));
    // Corners that only differences make: as far to the right as the least y, and the other way round.
    if (shape.difference_high) x = Math.max(x, shape.y_low.at + shape.difference_high.at);
    if (shape.difference_low) y = Math.max(y, shape.x_low.at - shape.difference_low.at);
  }
  return [x, y];
}

const ROOM = 0.3;
const LEAST = 4;
const STRETCH_MAX = 4;

/**
 * A frame that shows every corner of the shapes and some room beyond, where unbounded ones fade away. Both axes have
 * the same length unless that would hide one of them: time then runs at 45 degrees.
 */
export function frameOf(shapes: readonly Shape[], points: readonly Point[] = []): Frame {
  const [x, y] = reach(shapes);
  const right = Math.max(LEAST, x, ...points.map((point) => point[0]));
  const top = Math.max(LEAST, y, ...points.map((point) => point[1]));
  const roomy = (most: number) => Math.ceil(most * (1 + ROOM));
  const most = Math.max(right, top);
  if (most <= Math.min(right, top) * STRETCH_MAX) return { x0: 0, y0: 0, x1: roomy(most), y1: roomy(most) };
  return { x0: 0, y0: 0, x1: roomy(right), y1: roomy(top) };
}

/** The smallest frame around both. */
export function around(a: Frame, b: Frame): Frame {
  return { x0: Math.min(a.x0, b.x0), y0: Math.min(a.y0, b.y0), x1: Math.max(a.x1, b.x1), y1: Math.max(a.y1, b.y1) };
}
