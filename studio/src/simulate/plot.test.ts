// Tests of plot.ts.

import { describe, expect, test } from 'vitest';

import type { Delays } from '../api/types';
import { number } from '../time/samples';
import { asideOf, grid, plotOf, polygon, stretch, timeInside, xOf, yOf } from './plot';

const FRAME = { x0: 0, y0: 0, x1: 10, y1: 10 };

describe('plots', () => {
  test('draw a square frame as a square', () => {
    const plot = plotOf(FRAME, 500, 300);
    expect(plot.width).toBe(plot.height);
    expect(xOf(plot, 1) - xOf(plot, 0)).toBeCloseTo(yOf(plot, 0) - yOf(plot, 1));
  });

  test('stretch others', () => {
    const plot = plotOf({ ...FRAME, x1: 100 }, 500, 300);
    expect(plot.width).toBeGreaterThan(plot.height);
  });

  test('point upwards', () => {
    const plot = plotOf(FRAME, 300, 300);
    expect(yOf(plot, 10)).toBe(plot.top);
    expect(xOf(plot, 0)).toBe(plot.left);
    expect(polygon(plot, [[0, 10]])).toBe(`${plot.left.toFixed(2)},${plot.top.toFixed(2)}`);
  });

  test('have a size even where there is no room', () => expect(plotOf(FRAME, 0, 0).width).toBeGreaterThan(0));

  test('have whole numbers beside them', () => {
    const lines = grid(plotOf({ ...FRAME, x1: 1000 }, 400, 300));
    expect(lines.x.every(Number.isInteger)).toBe(true);
    expect(lines.x.length).toBeLessThan(15);
    expect(lines.fineX).toEqual([]);
    expect(lines.fineY).toHaveLength(11);
  });
});

describe('time', () => {
  const delays = (from: number, to: number | null, included = true): Delays => ({
    from: number(from), from_included: included, to: to === null ? null : number(to), to_included: included,
  });
  const both = [true, true] as const;

  test('moves a point along the diagonal', () => {
    expect(stretch(FRAME, [1, 3], delays(2, 5), both)).toEqual({ from: [3, 5], to: [6, 8], ends: ['closed', 'closed'] });
    expect(stretch(FRAME, [1, 3], delays(2, 5, false), both)?.ends).toEqual(['open', 'open']);
  });

  test('goes on beyond the frame', () => {
    expect(stretch(FRAME, [1, 3], delays(2, null), both)).toEqual({ from: [3, 5], to: [8, 10], ends: ['closed', 'endless'] });
    expect(stretch(FRAME, [1, 3], delays(8, 9), both)).toBeNull();
  });

  test('leaves clocks alone that stand still', () => {
    expect(stretch(FRAME, [1, 3], delays(2, 5), [false, true])).toMatchObject({ from: [1, 5], to: [1, 8] });
    expect(stretch(FRAME, [1, 3], delays(2, null), [false, false])).toMatchObject({ from: [1, 3], to: [1, 3] });
    expect(timeInside(FRAME, [1, 3], [false, false])).toBe(Infinity);
  });
});

test('intervals of several choices lie beside each other, and of many only one is seen', () => {
  const places = Array.from({ length: 8 }, (_, at) => asideOf(at, false));
  expect(new Set(places).size).toBe(8);
  expect(places).not.toContain(0);
  expect(asideOf(8, false)).toBeNull();
  expect(asideOf(8, true)).toBe(0);
});
