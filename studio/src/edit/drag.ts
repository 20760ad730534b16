// What is being dragged on a drawing. The sheet is changed once, when it is let go; until then a preview is drawn that
// shares all but the moved pieces with the template.

import type { SheetTemplate, Spot } from '../api/types';
import { around } from '../automaton/bounds';
import { RADIUS, snapped, type Box } from '../automaton/geometry';
import { overlap } from '../automaton/labels';
import type { Piece } from '../automaton/piece';
import { boxOf } from '../automaton/text';
import { moved, type Selection } from './pieces';
import { addNail } from './shape';

export type Drag =
  /** Selected pieces; `anchor` is what is brought onto the grid. */
  | { kind: 'move'; start: Spot; anchor: Spot | null; by: Spot; pieces: Selection }
  /** A rectangle that selects what lies in it, besides what is kept. */
  | { kind: 'band'; start: Spot; now: Spot; keep: Selection }
  /** An edge that begins at a location or branch point. */
  | { kind: 'connect'; source: string; start: Spot; now: Spot; target: string | null }
  /** An edge that gets a nail. */
  | { kind: 'bend'; edge: number; start: Spot; now: Spot };

/** What a piece is brought onto the grid by; labels go anywhere. */
export function anchorOf(template: SheetTemplate, piece: Piece): Spot | null {
  switch (piece.kind) {
    case 'location':
      return template.locations[piece.at]?.at ?? null;
    case 'branchpoint':
      return template.branchpoints[piece.at]?.at ?? null;
    case 'nail':
      return template.edges[piece.at]?.nails[piece.nail] ?? null;
    default:
      return null;
  }
}

/** The drag after the pointer has come to a place. `loose` goes beside the grid. */
export function dragged(drag: Drag, now: Spot, loose: boolean): Drag {
  if (drag.kind !== 'move') return { ...drag, now: drag.kind === 'bend' && !loose ? snapped(now) : now };
  const by = { x: Math.round(now.x - drag.start.x), y: Math.round(now.y - drag.start.y) };
  if (loose || !drag.anchor) return { ...drag, by };
  const onGrid = snapped({ x: drag.anchor.x + by.x, y: drag.anchor.y + by.y });
  return { ...drag, by: { x: onGrid.x - drag.anchor.x, y: onGrid.y - drag.anchor.y } };
}

/** The template as it is while something is dragged, and as it will be when that is let go. */
export function previewOf(template: SheetTemplate, drag: Drag | null): SheetTemplate {
  if (drag?.kind === 'move') return moved(template, drag.pieces, drag.by);
  if (drag?.kind === 'bend') return addNail(template, drag.edge, drag.now)[0];
  return template;
}

/** The rectangle between two corners. */
export function boxBetween(a: Spot, b: Spot): Box {
  return { left: Math.min(a.x, b.x), top: Math.min(a.y, b.y), right: Math.max(a.x, b.x), bottom: Math.max(a.y, b.y) };
}

/** What lies in a rectangle: locations and branch points that it touches, and edges of which both ends do. */
export function inBox(template: SheetTemplate, box: Box): Set<string> {
  const found = new Set<string>();
  const ids = new Set<string>();
  const node = (kind: string, at: number, id: string, centre: Spot): void => {
    if (overlap(around(centre, RADIUS), box) === 0) return;
    found.add(`${kind}:${at}`);
    ids.add(id);
  };
  template.locations.forEach((location, at) => node('location', at, location.id, location.at));
  template.branchpoints.forEach((branch, at) => node('branchpoint', at, branch.id, branch.at));
  template.edges.forEach((edge, at) => {
    if (ids.has(edge.source) && ids.has(edge.target)) found.add(`edge:${at}`);
  });
  // A rectangle round labels alone selects those: they can be moved together then.
  if (found.size === 0) labelsIn(template, box, found);
  return found;
}

function labelsIn(template: SheetTemplate, box: Box, found: Set<string>): void {
  template.edges.forEach((edge, at) =>
    edge.labels.forEach((label, number) => {
      if (label.text.trim() && overlap(boxOf(label.text, label.at), box) > 0) found.add(`edge-label:${at}:${number}`);
    }),
  );
  template.locations.forEach((location, at) => {
    if (location.name && overlap(boxOf(location.name, location.name_at), box) > 0) found.add(`location-label:${at}:name`);
    location.labels.forEach((label, number) => {
      if (label.text.trim() && overlap(boxOf(label.text, label.at), box) > 0) found.add(`location-label:${at}:${number}`);
    });
  });
}
