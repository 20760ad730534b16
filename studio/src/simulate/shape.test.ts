// Tests of shape.ts.

import { describe, expect, test } from 'vitest';

import type { ShapeBound, Shape } from '../api/types';
import { frameOf, outline, type Frame } from './shape';

const FRAME: Frame = { x0: 0, y0: 0, x1: 10, y1: 10 };
const at = (value: number, strict = false): ShapeBound => ({ at: value, strict });

function shape(bounds: Partial<Shape> = {}): Shape {
  return {
    x_low: at(0), x_high: null, y_low: at(0), y_high: null, difference_low: null, difference_high: null, ...bounds,
  };
}

/** The sides as `bound from → to`, strict ones with `<`. */
function told(bounds: Partial<Shape>, frame: Frame = FRAME): string[] {
  return outline(shape(bounds), frame).sides.map(
    (side) => `${side.bound}${side.strict ? '<' : ''} ${side.from.join(',')} → ${side.to.join(',')}`,
  ).sort();
}

describe('areas', () => {
  test('a box', () => {
    expect(told({ x_low: at(2), x_high: at(5, true), y_low: at(1, true), y_high: at(3) })).toEqual([
      'x-high< 5,1 → 5,3', 'y-high 5,3 → 2,3', 'x-low 2,3 → 2,1', 'y-low< 2,1 → 5,1',
    ].sort());
  });

  test('everything: only the axes are bounds', () => {
    expect(told({})).toEqual(['y-low 0,0 → 10,0', 'frame 10,0 → 10,10', 'frame 10,10 → 0,10', 'x-low 0,10 → 0,0'].sort());
  });

  test('all six bounds', () => {
    const bounds = {
      x_low: at(1), x_high: at(6), y_low: at(2), y_high: at(7), difference_low: at(-4), difference_high: at(3, true),
    };
    expect(told(bounds)).toEqual([
      'difference-high< 5,2 → 6,3', 'x-high 6,3 → 6,7', 'y-high 6,7 → 3,7', 'difference-low 3,7 → 1,5', 'x-low 1,5 → 1,2',
      'y-low 1,2 → 5,2',
    ].sort());
  });

  test('a band along the diagonal has no end', () => {
    expect(told({ difference_low: at(-2), difference_high: at(3, true) })).toEqual([
      'y-low 0,0 → 3,0', 'difference-high< 3,0 → 10,7', 'frame 10,7 → 10,10', 'frame 10,10 → 8,10',
      'difference-low 8,10 → 0,2', 'x-low 0,2 → 0,0',
    ].sort());
  });

  test('one diagonal only', () => {
    expect(told({ difference_low: at(1) })).toEqual(
      ['y-low 1,0 → 10,0', 'frame 10,0 → 10,9', 'difference-low 10,9 → 1,0'].sort(),
    );
  });

  test('a bound that touches a corner makes no side', () => {
    const box = { x_high: at(4), y_high: at(4) };
    expect(told({ ...box, difference_high: at(4) })).toHaveLength(4);
    expect(outline(shape({ ...box, difference_high: at(4), difference_low: at(-4) }), FRAME).kind).toBe('area');
  });

  test('an open unit square has an area although no whole numbers lie in it', () => {
    const found = outline(shape({ x_low: at(2, true), x_high: at(3, true), y_low: at(0, true), y_high: at(1, true) }), FRAME);
    expect(found.kind).toBe('area');
    expect(found.sides.every((side) => side.strict)).toBe(true);
    expect(found.corners).toHaveLength(4);
  });

  test('an open triangle', () => {
    const sides = told({ x_high: at(1, true), y_low: at(0, true), difference_low: at(0, true), x_low: at(0, true) });
    expect(sides).toEqual(['y-low< 0,0 → 1,0', 'x-high< 1,0 → 1,1', 'difference-low< 1,1 → 0,0'].sort());
  });
});

describe('segments', () => {
  test('upright', () => {
    const found = outline(shape({ x_low: at(3), x_high: at(3), y_high: at(5, true) }), FRAME);
    expect(found.kind).toBe('segment');
    expect(ends(found.corners, found.open)).toEqual(['3,0', '3,5 open']);
    expect(found.sides).toHaveLength(1);
  });

  test('level, without an end', () => {
    const found = outline(shape({ y_low: at(2), y_high: at(2) }), FRAME);
    expect(found.kind).toBe('segment');
    expect(ends(found.corners, found.open)).toEqual(['0,2', '10,2']);
  });

  test('along the diagonal', () => {
    const found = outline(shape({ x_low: at(2, true), x_high: at(7), y_low: at(0), difference_low: at(2), difference_high: at(2) }), FRAME);
    expect(found.kind).toBe('segment');
    expect(ends(found.corners, found.open)).toEqual(['2,0 open', '7,5']);
  });

  test('along the diagonal, without an end', () => {
    const found = outline(shape({ difference_low: at(0), difference_high: at(0) }), FRAME);
    expect(found.kind).toBe('segment');
    expect(ends(found.corners, found.open)).toEqual(['0,0', '10,10']);
  });

  test('at the edge of the frame', () => {
    const found = outline(shape({ x_low: at(0), x_high: at(0) }), FRAME);
    expect(found.kind).toBe('segment');
    expect(ends(found.corners, found.open)).toEqual(['0,0', '0,10']);
  });
});

describe('points', () => {
  test('the origin', () => {
    const found = outline(shape({ x_high: at(0), y_high: at(0), difference_low: at(0), difference_high: at(0) }), FRAME);
    expect(found).toMatchObject({ kind: 'point', corners: [[0, 0]], sides: [] });
  });

  test('anywhere', () => {
    const found = outline(shape({ x_low: at(4), x_high: at(4), y_low: at(7), y_high: at(7) }), FRAME);
    expect(found).toMatchObject({ kind: 'point', corners: [[4, 7]] });
  });
});

test('nothing is left of a shape outside the frame', () => {
  expect(outline(shape({ x_low: at(11) }), FRAME).kind).toBe('empty');
  expect(outline(shape({ difference_low: at(20) }), FRAME).kind).toBe('empty');
});

test('what is drawn is what the bounds say, at every point of a grid', () => {
  // Shapes from a generator with a fixed seed. No point of the grid lies on a bound.
  let seed = 12345;
  const random = (most: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
  const wrong: string[] = [];
  let areas = 0;
  for (let round = 0; round < 400; round += 1) {
    const maybe = (value: number) => (random(3) === 0 ? null : at(value));
    const low = random(5);
    const down = random(5);
    const apart = random(9) - 4;
    const made = shape({
      x_low: at(low), x_high: maybe(low + random(6)), y_low: at(down), y_high: maybe(down + random(6)),
      difference_low: maybe(apart - random(4)), difference_high: maybe(apart + random(4)),
    });
    const found = outline(made, FRAME);
    if (found.kind === 'area') areas += 1;
    for (let x = 0.25; x < 10; x += 0.5) {
      for (let y = 0.25 + 0.125; y < 10; y += 0.5) {
        if (within(found.corners, x, y) !== holds(made, x, y)) wrong.push(`round ${round} of seed 12345 at ${x}, ${y}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(areas).toBeGreaterThan(50);
});

describe('frames', () => {
  test('show all corners, with room', () => {
    const frame = frameOf([shape({ x_high: at(20), y_high: at(10) })]);
    expect(frame).toEqual({ x0: 0, y0: 0, x1: 26, y1: 26 });
  });
  test('are stretched when one clock goes much further than the other', () => {
    expect(frameOf([shape({ x_high: at(1000), y_high: at(2) })])).toEqual({ x0: 0, y0: 0, x1: 1300, y1: 6 });
  });
  test('have a size when there is nothing to see', () => {
    expect(frameOf([])).toEqual({ x0: 0, y0: 0, x1: 6, y1: 6 });
    expect(frameOf([shape()], [[7, 3]])).toEqual({ x0: 0, y0: 0, x1: 10, y1: 10 });
  });
  test('show corners that only differences make', () => {
    expect(frameOf([shape({ y_low: at(5), difference_high: at(10), difference_low: at(-8) })]).x1).toBeGreaterThan(15);
  });
});

function ends(corners: readonly (readonly [number, number])[], open: readonly boolean[]): string[] {
  return corners.map((corner, index) => `${corner.join(',')}${open[index] ? ' open' : ''}`).sort();
}

/** Whether a point lies inside a polygon: left of every side. */
function within(corners: readonly (readonly [number, number])[], x: number, y: number): boolean {
  if (corners.length < 3) return false;
  return corners.every(([x0, y0], index) => {
    const [x1, y1] = corners[(index + 1) % corners.length]!;
    return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0;
  });
}

function holds(made: Shape, x: number, y: number): boolean {
  const most = (edge: ShapeBound | null, value: number) => edge === null || value < edge.at;
  const least = (edge: ShapeBound | null, value: number) => edge === null || value > edge.at;
  return least(made.x_low, x) && most(made.x_high, x) && least(made.y_low, y) && most(made.y_high, y)
    && least(made.difference_low, x - y) && most(made.difference_high, x - y);
}
