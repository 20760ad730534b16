// The rectangle round the picture of a template.

import type { SheetTemplate, Spot } from '../api/types';
import { endsOf, lanesOf, RADIUS, routeOf, type Box } from './geometry';
import { boxOf } from './text';

/** A box round nothing, to be extended. */
export const nowhere = (): Box => ({ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });

/** Extends a box so that another lies in it. */
export function include(box: Box, other: Box): void {
  box.left = Math.min(box.left, other.left);
  box.top = Math.min(box.top, other.top);
  box.right = Math.max(box.right, other.right);
  box.bottom = Math.max(box.bottom, other.bottom);
}

/** The box of a circle. */
export const around = ({ x, y }: Spot, radius: number): Box => ({
  left: x - radius, top: y - radius, right: x + radius, bottom: y + radius,
});

/** The rectangle round a template; nothing if there is nothing in it. */
export function boundsOf(template: SheetTemplate): Box | null {
  const box = nowhere();
  for (const location of template.locations) {
    include(box, around(location.at, RADIUS));
    if (location.name) include(box, boxOf(location.name, location.name_at));
    for (const label of location.labels) if (label.text.trim()) include(box, boxOf(label.text, label.at));
  }
  for (const branch of template.branchpoints) include(box, around(branch.at, RADIUS));
  const ends = endsOf(template);
  const lanes = lanesOf(template.edges);
  template.edges.forEach((edge, at) => {
    for (const nail of edge.nails) include(box, around(nail, 2));
    for (const label of edge.labels) if (label.text.trim()) include(box, boxOf(label.text, label.at));
    const [from, to] = [ends.get(edge.source), ends.get(edge.target)];
    if (!from || !to) return;
    const loop = edge.source === edge.target;
    const route = routeOf(edge.nails, { ...from, radius: RADIUS }, { ...to, radius: RADIUS }, lanes[at] ?? 0, loop);
    include(box, around(route.middle, 4));
  });
  return box.left === Infinity ? null : box;
}
