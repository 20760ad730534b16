// What is drawn of texts and templates, however long they are.

import { describe, expect, it } from 'vitest';

import type { SheetTemplate } from '../api/types';
import { all, left } from './only';
import { brief, colourStyle, linesOf, sizeOf } from './text';

describe('labels', () => {
  it('are drawn line by line', () => {
    expect(linesOf(' a &&\n b \n')).toEqual(['a &&', ' b']);
    expect(sizeOf('ab\nabcd')).toEqual({ width: 28, height: 34 });
  });

  it('of any length are drawn with an end', () => {
    const lines = linesOf(`${'x'.repeat(100_000)}`);
    expect(lines).toHaveLength(1);
    expect(lines[0]!.length).toBeLessThan(200);
    expect(linesOf('y\n'.repeat(100_000)).length).toBeLessThan(50);
    expect(brief('x'.repeat(100_000)).length).toBeLessThan(100);
  });

  it('have colours only if they are written as such', () => {
    expect(colourStyle('#A0b1c2')).toBe('--given: #A0b1c2');
    expect(colourStyle('red; background: url(//elsewhere)')).toBeUndefined();
  });
});

it('templates of any size are drawn with an end, and it is said', () => {
  const location = { id: '', name: '', at: { x: 0, y: 0 }, name_at: { x: 0, y: 0 }, urgent: false, committed: false, colour: '', labels: [] };
  const template = (count: number): SheetTemplate => ({
    name: '', parameters: '', declarations: '', name_at: null, parameters_at: null, initial: '',
    locations: Array.from({ length: count }, () => location), branchpoints: [], edges: [],
  });
  expect(all(template(3)).locations).toEqual([0, 1, 2]);
  expect(left(template(3))).toBe('');
  expect(all(template(100_000)).locations).toHaveLength(2000);
  expect(left(template(100_000))).toContain('2000 of 100000 locations');
});
