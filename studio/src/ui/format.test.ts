// Tests of numbers and texts as people read them.

import { describe, expect, test } from 'vitest';

import { bytes, count, counted, duration, percent, rate, sentence, shortened } from './format';

describe('numbers', () => {
  test('are grouped', () => expect(count(1234567)).toBe('1,234,567'));
  test('agree with their noun', () => {
    expect(counted(1, 'step')).toBe('1 step');
    expect(counted(0, 'query', 'queries')).toBe('0 queries');
  });
  test('of bytes take the unit that leaves few digits', () => {
    expect([0, 1023, 1024, 1536, 12_900_000, 3 * 2 ** 30].map(bytes)).toEqual([
      '0 B', '1023 B', '1 KiB', '1.50 KiB', '12.3 MiB', '3 GiB',
    ]);
  });
  test('of seconds likewise', () => {
    expect([0, 0.00000012, 0.00085, 0.012, 0.25, 1.337, 59.94, 125, 600, 3780, 7200].map(duration)).toEqual([
      '0 s', '1 µs', '850 µs', '12 ms', '0.25 s', '1.34 s', '59.9 s', '2 min 5 s', '10 min', '1 h 3 min', '2 h',
    ]);
  });
  test('of events in a second likewise', () => expect([12, 9999, 12345, 2.5e6].map(rate)).toEqual(['12/s', '9,999/s', '12.3 k/s', '2.50 M/s']));
  test('of shares never claim none or all wrongly', () => {
    expect([percent(0, 7), percent(1, 1000), percent(1, 2), percent(999, 1000), percent(7, 7), percent(0, 0)]).toEqual([
      '0 %', '<1 %', '50 %', '>99 %', '100 %', '–',
    ]);
  });
});

test('sentences begin and end as such', () => {
  expect(['it holds', 'It holds.', '', 'why?', 'as in [Tarjan1972]'].map(sentence)).toEqual(['It holds.', 'It holds.', '', 'Why?', 'As in [Tarjan1972]']);
});

describe('a long text', () => {
  test('keeps both ends', () => expect(shortened('abcdefghijklmnop', 10)).toBe('abcdef…nop'));
  test('that is short stays', () => expect(shortened('abc', 10)).toBe('abc'));
  test('of a hundred thousand signs is cut at once', () => expect(shortened('x'.repeat(100_000), 20)).toHaveLength(20));
  test('is not cut within a sign', () => expect(shortened('😀'.repeat(30), 10)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/));
});
