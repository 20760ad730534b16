// Lines, corners and points of pictures.

import { describe, expect, it } from 'vitest';

import type { SheetEdge } from '../api/types';
import { border, distanceToSegment, lanesOf, nailPlace, routeOf, snapped } from './geometry';

const edge = (source: string, target: string, nails: { x: number; y: number }[] = []): SheetEdge => ({
  id: '', source, target, labels: [], nails, colour: '', uncontrollable: false, action: '',
});
const end = (x: number, y: number) => ({ x, y, radius: 10 });

describe('lanes', () => {
  it('keep a single edge straight', () => {
    expect(lanesOf([edge('a', 'b')])).toEqual([0]);
  });

  it('bend edges there and back to different sides', () => {
    const [there, back] = lanesOf([edge('a', 'b'), edge('b', 'a')]);
    // Seen along its own direction each goes to the same side, which is another side of the line.
    expect(there).toBe(back);
    expect(there).not.toBe(0);
  });

  it('leave edges with nails alone', () => {
    expect(lanesOf([edge('a', 'b'), edge('a', 'b', [{ x: 1, y: 1 }])])).toEqual([0, 0]);
  });

  it('count loops', () => {
    expect(lanesOf([edge('a', 'a'), edge('a', 'a')])).toEqual([0, 1]);
  });
});

describe('routes', () => {
  it('end at the borders of their ends', () => {
    const route = routeOf([], end(0, 0), end(100, 0), 0, false);
    expect(route.line).toBe('M10 0L90 0');
    expect(route.middle).toEqual({ x: 50, y: 0 });
    expect(route.arrow.startsWith('M90 0L')).toBe(true);
  });

  it('pass their nails with rounded corners', () => {
    const route = routeOf([{ x: 100, y: 0 }], end(0, 0), end(100, 100), 0, false);
    expect(route.line).toBe('M10 0L88 0Q100 0 100 12L100 90');
    expect(route.middle).toEqual({ x: 100, y: 0 });
  });

  it('bend apart', () => {
    const route = routeOf([], end(0, 0), end(100, 0), 20, false);
    expect(route.middle.y).toBeGreaterThan(15);
    expect(route.line).toContain('Q');
  });

  it('lead away from their location and back when they are loops', () => {
    const first = routeOf([], end(0, 0), end(0, 0), 0, true);
    const second = routeOf([], end(0, 0), end(0, 0), 1, true);
    expect(first.middle.y).toBeLessThan(0);
    expect(second.middle.y).toBeGreaterThan(0);
  });

  it('are numbers even where ends lie upon each other', () => {
    for (const lane of [0, 13]) expect(routeOf([], end(5, 5), end(5, 5), lane, false).line).not.toContain('NaN');
  });
});

describe('points', () => {
  it('on a border face their target', () => {
    expect(border(end(0, 0), { x: 0, y: 50 })).toEqual({ x: 0, y: 10 });
  });

  it('snap to the grid', () => {
    expect(snapped({ x: 20, y: -20 }, 17)).toEqual({ x: 17, y: -17 });
  });

  it('know their segment', () => {
    const nails = [{ x: 100, y: 0 }];
    expect(nailPlace({ x: 0, y: 0 }, nails, { x: 100, y: 100 }, { x: 40, y: 3 })).toBe(0);
    expect(nailPlace({ x: 0, y: 0 }, nails, { x: 100, y: 100 }, { x: 97, y: 60 })).toBe(1);
    expect(distanceToSegment({ x: -3, y: 4 }, { x: 0, y: 0 }, { x: 9, y: 0 })).toBe(5);
  });
});
