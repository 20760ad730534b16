// Tests of scale.ts.

import { describe, expect, test } from 'vitest';

import { firstAbove, label, niceStep, ticks } from './scale';

describe('steps', () => {
  test.each([
    [10, 10, 1],
    [10, 5, 2],
    [10, 4, 5],
    [10, 2, 5],
    [1, 4, 0.5],
    [0.003, 10, 0.0005],
    [12345, 6, 5000],
  ])('of a range of %d in at most %d are %d', (range, most, expected) => expect(niceStep(range, most)).toBeCloseTo(expected, 12));

  test('can be kept whole', () => expect(niceStep(3, 10, 1)).toBe(1));
  test('exist for a range of nothing', () => expect(niceStep(0, 5)).toBeGreaterThan(0));
});

test('ticks are exact multiples', () => {
  expect(ticks(0, 1, 0.1)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  expect(ticks(3, 11, 5)).toEqual([5, 10]);
  expect(ticks(3, 4, 5)).toEqual([]);
});

test('labels have no errors of rounding', () => {
  expect(label(0.1 + 0.2)).toBe('0.3');
  expect(label(1_000_000)).toBe('1,000,000');
});

test('searching finds the first greater value', () => {
  const values = [0, 1, 1, 4];
  const find = (value: number) => firstAbove(values.length, (index) => values[index]!, value);
  expect([find(-1), find(0), find(1), find(3), find(4)]).toEqual([0, 1, 3, 3, 4]);
});
