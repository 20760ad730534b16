// Where the lines and boxes of a template's picture are. Plain functions of coordinates: an edge's route depends on its
// nails, its two ends and its lane only, so that moving a location asks for the routes of its own edges and no others.

import type { SheetEdge, SheetTemplate, Spot } from '../api/types';

/** The radius of a location. */
export const RADIUS = 11;
/** The radius of a branch point. */
export const DOT = 5;
/** The height of a line of text, and the greatest width of a character. The server's layout assumes the same. */
export const LINE = 17;
export const CHARACTER = 7;
/** The distance of the lines of the grid: UPPAAL's. */
export const GRID = 17;

const CORNER = 12;
const LANE = 26;
const ARROW = 9;
const LOOP = 46;

/** An end of an edge. */
export interface End extends Spot {
  radius: number;
}

/** How an edge is drawn. */
export interface Route {
  /** The line, as the `d` of a path. */
  line: string;
  /** The arrowhead, likewise. */
  arrow: string;
  /** The middle of the line, and the direction there, in radians. */
  middle: Spot;
  angle: number;
}

/** A rectangle. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const distance = (a: Spot, b: Spot): number => Math.hypot(b.x - a.x, b.y - a.y);
const short = (value: number): number => Math.round(value * 10) / 10;
const pair = (spot: Spot): string => `${short(spot.x)} ${short(spot.y)}`;

/** A point on the way from one to another. */
export function between(a: Spot, b: Spot, part: number): Spot {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

/** The point of an end's border that faces another point. */
export function border(end: End, towards: Spot): Spot {
  const length = Math.max(distance(end, towards), 1);
  return { x: end.x + ((towards.x - end.x) / length) * end.radius, y: end.y + ((towards.y - end.y) / length) * end.radius };
}

/** The nearest point of the grid. */
export function snapped(spot: Spot, grid = GRID): Spot {
  return { x: Math.round(spot.x / grid) * grid, y: Math.round(spot.y / grid) * grid };
}

/** The locations and branch points of a template, by what edges refer to them by. */
export function endsOf(template: SheetTemplate): Map<string, Spot & { at: number; branch: boolean }> {
  const ends = new Map<string, Spot & { at: number; branch: boolean }>();
  template.branchpoints.forEach(({ id, at: { x, y } }, at) => ends.set(id, { x, y, at, branch: true }));
  template.locations.forEach(({ id, at: { x, y } }, at) => ends.set(id, { x, y, at, branch: false }));
  return ends;
}

/**
 * The lane of each edge. Edges between the same two ends that have no nails lie beside each other: their lanes are how far
 * they are bent, seen from the end whose id is the lesser. For loops it is their number.
 */
export function lanesOf(edges: readonly SheetEdge[]): number[] {
  const lanes = new Array<number>(edges.length).fill(0);
  const groups = new Map<string, number[]>();
  edges.forEach((edge, at) => {
    if (edge.nails.length > 0) return;
    const key = edge.source < edge.target ? `${edge.source} ${edge.target}` : `${edge.target} ${edge.source}`;
    const group = groups.get(key);
    if (group) group.push(at);
    else groups.set(key, [at]);
  });
  for (const group of groups.values()) {
    group.forEach((at, number) => {
      const edge = edges[at];
      if (!edge) return;
      if (edge.source === edge.target) lanes[at] = number;
      else lanes[at] = (number - (group.length - 1) / 2) * LANE * (edge.source < edge.target ? 1 : -1);
    });
  }
  return lanes;
}

/** How an edge is drawn. */
export function routeOf(nails: readonly Spot[], from: End, to: End, lane: number, loop: boolean): Route {
  if (nails.length > 0) return cornered([border(from, nails[0]!), ...nails, border(to, nails[nails.length - 1]!)]);
  if (loop) return looped(from, lane);
  return lane === 0 ? cornered([border(from, to), border(to, from)]) : bent(from, to, lane);
}

/** A line through points, its corners rounded. */
function cornered(points: readonly Spot[]): Route {
  let line = `M${pair(points[0]!)}`;
  for (let at = 1; at + 1 < points.length; at++) {
    const [before, here, after] = [points[at - 1]!, points[at]!, points[at + 1]!];
    const [back, ahead] = [distance(here, before), distance(here, after)];
    const radius = Math.min(CORNER, back / 2, ahead / 2);
    const start = between(here, before, radius / Math.max(back, 1));
    const end = between(here, after, radius / Math.max(ahead, 1));
    line += `L${pair(start)}Q${pair(here)} ${pair(end)}`;
  }
  const last = points[points.length - 1]!;
  return { line: `${line}L${pair(last)}`, arrow: arrow(points[points.length - 2]!, last), ...halfway(points) };
}

/** A bow, `lane` away from the straight line at its middle. */
function bent(from: End, to: End, lane: number): Route {
  const length = Math.max(distance(from, to), 1);
  const middle = between(from, to, 0.5);
  const across = { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
  const control = { x: middle.x + across.x * 2 * lane, y: middle.y + across.y * 2 * lane };
  const [start, end] = [border(from, control), border(to, control)];
  const top = between(between(start, control, 0.5), between(control, end, 0.5), 0.5);
  return {
    line: `M${pair(start)}Q${pair(control)} ${pair(end)}`,
    arrow: arrow(control, end),
    middle: top,
    angle: Math.atan2(to.y - from.y, to.x - from.x),
  };
}

/** A loop; the first leads to the upper right, others turn on. */
function looped(end: End, lane: number): Route {
  const angle = -Math.PI / 4 + (lane % 4) * (Math.PI / 2);
  const reach = LOOP + 14 * Math.floor(lane / 4);
  const at = (turn: number, far: number): Spot => ({
    x: end.x + Math.cos(angle + turn) * far,
    y: end.y + Math.sin(angle + turn) * far,
  });
  const [start, first, second, last] = [at(-0.5, end.radius), at(-0.55, reach), at(0.55, reach), at(0.5, end.radius)];
  return {
    line: `M${pair(start)}C${pair(first)} ${pair(second)} ${pair(last)}`,
    arrow: arrow(second, last),
    middle: at(0, reach * 0.7),
    angle: angle + Math.PI / 2,
  };
}

function arrow(from: Spot, tip: Spot): string {
  const angle = Math.atan2(tip.y - from.y, tip.x - from.x);
  const side = (turn: number): Spot => ({
    x: tip.x - Math.cos(angle + turn) * ARROW,
    y: tip.y - Math.sin(angle + turn) * ARROW,
  });
  return `M${pair(tip)}L${pair(side(0.42))}L${pair(side(-0.42))}Z`;
}

/** The point half the way along a line, and the direction there. */
function halfway(points: readonly Spot[]): { middle: Spot; angle: number } {
  let total = 0;
  for (let at = 1; at < points.length; at++) total += distance(points[at - 1]!, points[at]!);
  let left = total / 2;
  for (let at = 1; at < points.length; at++) {
    const [a, b] = [points[at - 1]!, points[at]!];
    const length = distance(a, b);
    if (left <= length || at === points.length - 1) {
      return { middle: between(a, b, left / Math.max(length, 1)), angle: Math.atan2(b.y - a.y, b.x - a.x) };
    }
    left -= length;
  }
  return { middle: points[0]!, angle: 0 };
}

/** Between which nails a point of an edge lies: the place in the list where a nail there belongs. */
export function nailPlace(from: Spot, nails: readonly Spot[], to: Spot, spot: Spot): number {
  const points = [from, ...nails, to];
  let best = 0;
  let least = Infinity;
  for (let at = 0; at + 1 < points.length; at++) {
    const far = distanceToSegment(spot, points[at]!, points[at + 1]!);
    if (far < least) [least, best] = [far, at];
  }
  return best;
}

/** How far a point is from a line between two others. */
export function distanceToSegment(spot: Spot, a: Spot, b: Spot): number {
  const square = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
  const along = square === 0 ? 0 : ((spot.x - a.x) * (b.x - a.x) + (spot.y - a.y) * (b.y - a.y)) / square;
  return distance(spot, between(a, b, Math.min(1, Math.max(0, along))));
}
