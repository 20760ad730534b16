// Tests of zooming and shifting.

import { describe, expect, test } from 'vitest';

import { fitting, showing, zoomed } from './view';

describe('a view', () => {
  test('fits a box into the middle', () => {
    const view = fitting({ left: -500, top: -100, right: 1500, bottom: 300 }, 1048, 548);
    expect(view.scale).toBeCloseTo(0.5);
    expect(view.x + view.scale * 500).toBeCloseTo(524);
    expect(view.y + view.scale * 100).toBeCloseTo(274);
  });
  test('is not larger than life', () => expect(fitting({ left: 0, top: 0, right: 1, bottom: 1 }, 1000, 500).scale).toBe(1));
  test('zooms around a point', () => {
    const view = zoomed({ x: 10, y: 20, scale: 1 }, 2, 110, 220);
    expect(view).toEqual({ x: -90, y: -180, scale: 2 });
    expect(zoomed(view, 1e9, 0, 0).scale).toBe(3);
  });
  test('moves only as far as needed', () => {
    const view = { x: 0, y: 0, scale: 1 };
    expect(showing(view, { left: 100, top: 100, right: 200, bottom: 200 }, 1000, 500)).toEqual(view);
    expect(showing(view, { left: 1000, top: 100, right: 1100, bottom: 200 }, 1000, 500).x).toBe(-140);
    expect(showing(view, { left: -100, top: 100, right: -50, bottom: 200 }, 1000, 500).x).toBe(140);
  });
});
