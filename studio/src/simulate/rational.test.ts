// Tests of rational.ts.

import { describe, expect, test } from 'vitest';

import type { Delays } from '../api/types';
import { compare, contains, exactly, interval, intervals, nearest, possible, rational, read, valueOf, written } from './rational';

/** An interval from its notation: `[2, 5)`, `(0, ∞)`. */
function delays(text: string): Delays {
  const [from = '', to = ''] = text.slice(1, -1).split(', ');
  const number = (exact: string) => ({ exact, value: valueOf(exactly(exact)) });
  return {
    from: number(from),
    from_included: text.startsWith('['),
    to: to === '∞' ? null : number(to),
    to_included: text.endsWith(']'),
  };
}

describe('what is typed', () => {
  test.each([
    ['3', '3'],
    [' 5/2 ', '5/2'],
    ['10 / 4', '5/2'],
    ['2.5', '5/2'],
    ['2,5', '5/2'],
    ['0.125', '1/8'],
    ['0/7', '0'],
    ['007', '7'],
  ])('%j is read as %s', (text, expected) => expect(written(read(text)!)).toBe(expected));

  test.each(['', '-1', '1/0', '1/', '/2', '1e3', 'x', '1.2.3', '1/2/3', '9'.repeat(19), '∞'])('%j is no number', (text) =>
    expect(read(text)).toBeNull(),
  );
});

test('comparison is exact where floating point is not', () => {
  expect(compare(read('0.1')!, rational(1n, 10n))).toBe(0);
  expect(compare(read('100000000000000001/100000000000000000')!, rational(1n))).toBe(1);
  expect(compare(exactly('-1/2'), rational(0n))).toBe(-1);
});

describe('intervals', () => {
  test('contain what lies inside, and their ends if these are included', () => {
    expect(contains(delays('[2, 5)'), rational(2n))).toBe(true);
    expect(contains(delays('[2, 5)'), rational(5n))).toBe(false);
    expect(contains(delays('(2, 5]'), rational(2n))).toBe(false);
    expect(contains(delays('(2, 5]'), rational(5n))).toBe(true);
    expect(contains(delays('(2, ∞)'), rational(10n ** 17n))).toBe(true);
    expect(possible([delays('[0, 1)'), delays('(1, 2]')], rational(1n))).toBe(false);
    expect(possible([delays('[0, 1)'), delays('(1, 2]')], rational(3n, 2n))).toBe(true);
  });

  test('are written as in mathematics', () => {
    expect(interval(delays('[2, 5)'))).toBe('[2, 5)');
    expect(interval(delays('(0, ∞)'))).toBe('(0, ∞)');
    expect(interval(delays('[3, 3]'))).toBe('3');
    expect(intervals([delays('[0, 1)'), delays('(1, 2]')])).toBe('[0, 1) ∪ (1, 2]');
  });

  test.each([
    ['[2, 5]', 3.13, 4n, '13/4'],
    ['[2, 5]', 9, 4n, '5'],
    ['[2, 5]', 0, 4n, '2'],
    ['(2, 5)', 0, 4n, '9/4'],
    ['(2, 5)', 9, 4n, '19/4'],
    ['(0, 1/8)', 1, 4n, '1/16'],
    ['[1/3, 1/3]', 0, 4n, '1/3'],
    ['(2, ∞)', 0, 1n, '3'],
    ['(0, ∞)', 7.2, 1n, '7'],
  ])('the nearest in %s to %d by 1/%s is %s', (text, value, under, expected) => {
    const found = nearest(delays(text), value, under);
    expect(written(found)).toBe(expected);
    expect(contains(delays(text), found)).toBe(true);
  });
});
