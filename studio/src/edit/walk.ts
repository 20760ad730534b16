// Going over a drawing with the keyboard: from piece to piece in their order, or to the nearest in a direction.

import type { SheetTemplate, Spot } from '../api/types';
import { lanesOf, RADIUS, routeOf } from '../automaton/geometry';
import { pieceOf } from '../automaton/piece';
import { nodeAt } from './shape';

/** The codes of the pieces that the keyboard goes to: each location with the edges that leave it, then the rest. */
export function walkOrder(template: SheetTemplate): string[] {
  const order: string[] = [];
  const leaving = new Map<string, number[]>();
  template.edges.forEach(({ source }, at) => leaving.set(source, [...(leaving.get(source) ?? []), at]));
  const node = (kind: string, at: number, id: string): void => {
    order.push(`${kind}:${at}`, ...(leaving.get(id) ?? []).map((edge) => `edge:${edge}`));
    leaving.delete(id);
  };
  template.locations.forEach(({ id }, at) => node('location', at, id));
  template.branchpoints.forEach(({ id }, at) => node('branchpoint', at, id));
  for (const rest of leaving.values()) order.push(...rest.map((edge) => `edge:${edge}`));
  return order;
}

/** The piece after or before another; nothing at the ends. */
export function neighbour(template: SheetTemplate, code: string | null, by: 1 | -1): string | null {
  const order = walkOrder(template);
  const now = code === null ? -1 : order.indexOf(ownerOf(code));
  if (now < 0) return (by === 1 ? order[0] : order.at(-1)) ?? null;
  return order[now + by] ?? null;
}

/** The location or edge that a label or nail belongs to; other pieces belong to themselves. */
export function ownerOf(code: string): string {
  const piece = pieceOf(code);
  if (piece?.kind === 'nail' || piece?.kind === 'edge-label') return `edge:${piece.at}`;
  return piece?.kind === 'location-label' ? `location:${piece.at}` : code;
}

/** Where a piece is: its centre, or the middle of its line. */
export function centreOf(template: SheetTemplate, code: string): Spot | null {
  const piece = pieceOf(code);
  if (!piece) return null;
  const edge = template.edges[piece.at];
  switch (piece.kind) {
    case 'location':
      return template.locations[piece.at]?.at ?? null;
    case 'branchpoint':
      return template.branchpoints[piece.at]?.at ?? null;
    case 'nail':
      return edge?.nails[piece.nail] ?? null;
    case 'edge-label':
      return edge?.labels[piece.label]?.at ?? null;
    case 'location-label': {
      const location = template.locations[piece.at];
      return (piece.label === null ? location?.name_at : location?.labels[piece.label]?.at) ?? null;
    }
    case 'edge': {
      const [from, to] = [nodeAt(template, edge?.source), nodeAt(template, edge?.target)];
      if (!edge || !from || !to) return null;
      const lane = edge.nails.length > 0 ? 0 : (lanesOf(template.edges)[piece.at] ?? 0);
      return routeOf(edge.nails, { ...from, radius: RADIUS }, { ...to, radius: RADIUS }, lane, edge.source === edge.target).middle;
    }
  }
}

const DIRECTIONS: Record<string, Spot> = {
  ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 },
};

/** What an arrow key points at. */
export function directionOf(key: string): Spot | null {
  return DIRECTIONS[key] ?? null;
}

/** The nearest location or branch point in a direction; sideways counts double. */
export function towards(template: SheetTemplate, from: Spot, direction: Spot): string | null {
  let best: string | null = null;
  let least = Infinity;
  const consider = (code: string, at: Spot): void => {
    const [dx, dy] = [at.x - from.x, at.y - from.y];
    const ahead = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    if (ahead > 1 && ahead + 2 * aside < least) [least, best] = [ahead + 2 * aside, code];
  };
  template.locations.forEach(({ at: spot }, at) => consider(`location:${at}`, spot));
  template.branchpoints.forEach(({ at: spot }, at) => consider(`branchpoint:${at}`, spot));
  return best;
}
