// Places for labels that overlap nothing. A new label tries a few places beside what it belongs to and takes the first
// that is free, or the one that overlaps least. The server does the same for all labels at once when it is asked to.

import type { SheetTemplate, Spot } from '../api/types';
import { around, boundsOf } from './bounds';
import { endsOf, lanesOf, LINE, RADIUS, routeOf, type Box } from './geometry';
import { boxOf, sizeOf } from './text';

const GAP = 6;

/** How much of two boxes lies in both. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** The first of some places that is free for a box of a size, or the least occupied one. */
export function freePlace(places: Iterable<Spot>, size: { width: number; height: number }, taken: readonly Box[]): Spot {
  let best: Spot = { x: 0, y: 0 };
  let least = Infinity;
  for (const place of places) {
    const box = { left: place.x - 3, top: place.y, right: place.x + size.width + 3, bottom: place.y + size.height };
    const over = taken.reduce((sum, other) => sum + overlap(box, other), 0);
    if (over === 0) return rounded(place);
    if (over < least) [least, best] = [over, place];
  }
  return rounded(best);
}

const rounded = ({ x, y }: Spot): Spot => ({ x: Math.round(x), y: Math.round(y) });

/** What a new label must not lie upon: locations, labels, and edges by some points of theirs. */
export function takenBoxes(template: SheetTemplate): Box[] {
  const boxes: Box[] = template.branchpoints.map(({ at }) => around(at, RADIUS));
  for (const location of template.locations) {
    boxes.push(around(location.at, RADIUS + 2));
    if (location.name) boxes.push(boxOf(location.name, location.name_at));
    for (const label of location.labels) if (label.text.trim()) boxes.push(boxOf(label.text, label.at));
  }
  const ends = endsOf(template);
  for (const edge of template.edges) {
    for (const label of edge.labels) if (label.text.trim()) boxes.push(boxOf(label.text, label.at));
    const [from, to] = [ends.get(edge.source), ends.get(edge.target)];
    if (!from || !to) continue;
    const points = [from, ...edge.nails, to];
    for (let at = 0; at + 1 < points.length; at++) boxes.push(...beads(points[at]!, points[at + 1]!));
  }
  return boxes;
}

/** Small boxes along a line. */
function* beads(a: Spot, b: Spot): Generator<Box> {
  const steps = Math.min(40, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / 8));
  for (let step = 1; step < steps; step++) {
    yield around({ x: a.x + ((b.x - a.x) * step) / steps, y: a.y + ((b.y - a.y) * step) / steps }, 2);
  }
}

/** A place for a label of an edge: beside its middle, below the labels it has already if that is free. */
export function edgeLabelPlace(template: SheetTemplate, at: number, text: string): Spot {
  const edge = template.edges[at];
  const ends = endsOf(template);
  const [from, to] = [ends.get(edge?.source ?? ''), ends.get(edge?.target ?? '')];
  if (!edge || !from || !to) return { x: 0, y: 0 };
  const lane = lanesOf(template.edges)[at] ?? 0;
  const { middle, angle } = routeOf(
    edge.nails, { ...from, radius: RADIUS }, { ...to, radius: RADIUS }, lane, edge.source === edge.target,
  );
  const size = sizeOf(text);
  const last = edge.labels.filter((label) => label.text.trim()).at(-1);
  const across = { x: Math.abs(Math.sin(angle)), y: Math.abs(Math.cos(angle)) };
  function* places(): Generator<Spot> {
    if (last) yield { x: last.at.x, y: boxOf(last.text, last.at).bottom };
    for (let ring = 0; ring < 6; ring++) {
      const far = GAP + ring * LINE;
      for (const shift of [0, -LINE, LINE]) {
        yield { x: middle.x + across.x * far, y: middle.y + shift - size.height / 2 - across.y * (far + size.height / 2) };
        yield { x: middle.x - across.x * (far + size.width), y: middle.y + shift - size.height / 2 - across.y * far };
        yield { x: middle.x - size.width / 2, y: middle.y + shift + far };
      }
    }
  }
  return freePlace(places(), size, takenBoxes(template));
}

/** A place for the name or a label of a location: above, below or beside it. */
export function locationLabelPlace(template: SheetTemplate, at: number, text: string): Spot {
  const location = template.locations[at];
  return location ? placeBeside(location.at, text, takenBoxes(template)) : { x: 0, y: 0 };
}

/** Places for what is said of the processes in some locations; they keep clear of each other, too. */
export function tokenPlaces(template: SheetTemplate, said: ReadonlyMap<number, string>): Map<number, Spot> {
  const places = new Map<number, Spot>();
  const frame = said.size > 0 ? boundsOf(template) : null;
  const taken = frame ? [...takenBoxes(template), ...outside(frame)] : [];
  for (const [at, text] of said) {
    const location = template.locations[at];
    if (!location) continue;
    const place = placeBeside(location.at, text, taken);
    places.set(at, place);
    taken.push(boxOf(text, place));
  }
  return places;
}

/** What lies outside a picture and its margin, as boxes: fitted into its frame, nothing of it is seen. */
function outside({ left, top, right, bottom }: Box): Box[] {
  const far = 1e7;
  return [
    { left: -far, top: -far, right: left - GAP, bottom: far },
    { left: right + GAP, top: -far, right: far, bottom: far },
    { left: -far, top: -far, right: far, bottom: top - LINE },
    { left: -far, top: bottom + LINE, right: far, bottom: far },
  ];
}

/** A place for a text above, below or beside a location. */
function placeBeside({ x, y }: Spot, text: string, taken: readonly Box[]): Spot {
  const size = sizeOf(text);
  function* places(): Generator<Spot> {
    for (let ring = 0; ring < 6; ring++) {
      const far = RADIUS + GAP + ring * LINE;
      yield { x: x - size.width / 2, y: y - far - size.height };
      yield { x: x - size.width / 2, y: y + far };
      yield { x: x + far, y: y - size.height / 2 };
      yield { x: x - far - size.width, y: y - size.height / 2 };
      yield { x: x + far, y: y - far - size.height / 2 };
      yield { x: x + far, y: y + far - size.height / 2 };
      yield { x: x - far - size.width, y: y - far - size.height / 2 };
      yield { x: x - far - size.width, y: y + far - size.height / 2 };
    }
  }
  return freePlace(places(), size, taken);
}
