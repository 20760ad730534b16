// Tests of strip.ts.

import { expect, test } from 'vitest';

import type { Delays } from '../api/types';
import { number } from '../time/samples';
import { view } from './samples';
import { fractionOf, horizonOf, spanOf } from './strip';

function delays(from: string | number, to: string | number | null): Delays {
  return { from: number(from), from_included: true, to: to === null ? null : number(to), to_included: true };
}

test('the horizon shows all ends, and room where there is none', () => {
  const choice = (one: Delays) => ({ label: '', edges: [], delays: [one], zone: [] });
  expect(horizonOf(view(1, { choices: [choice(delays(2, 5))], patience: delays(0, 7) }))).toBe(7);
  expect(horizonOf(view(1, { choices: [choice(delays(10, null))] }))).toBe(14);
  expect(horizonOf(view(1))).toBeGreaterThan(0);
});

test('spans are parts of the horizon', () => {
  expect(spanOf(delays(2, 5), 10)).toEqual({ from: 0.2, to: 0.5 });
  expect(spanOf(delays(2, null), 10)).toEqual({ from: 0.2, to: 1 });
  expect(spanOf(delays(20, 30), 10)).toEqual({ from: 1, to: 1 });
});

test('sliders go by numbers that somebody would type', () => {
  expect([400, 40, 20, 8, 4, 1].map(fractionOf)).toEqual([1n, 1n, 2n, 5n, 10n, 20n]);
});
