// Tests of the list of queries and of options that were kept.

import { describe, expect, test } from 'vitest';

import type { Sheet } from '../api/types';
import { chosenOf, known, NOTHING, positive } from './known';
import { EMPTY_QUERY, inserted, moved, removed } from './queries';

function sheet(...formulas: string[]): Sheet {
  return { name: 'm.xml', body: { kind: 'text', text: '' }, queries: formulas.map((formula) => ({ ...EMPTY_QUERY, formula })) };
}
const formulas = (sheet: Sheet): string => sheet.queries.map((query) => query.formula).join('');

describe('queries', () => {
  test('are inserted after another, or in front', () => {
    expect(formulas(inserted(sheet('a', 'b'), 0, { ...EMPTY_QUERY, formula: 'x' }))).toBe('axb');
    expect(formulas(inserted(sheet('a', 'b'), -1, { ...EMPTY_QUERY, formula: 'x' }))).toBe('xab');
    expect(formulas(inserted(sheet(), 0, { ...EMPTY_QUERY, formula: 'x' }))).toBe('x');
  });
  test('are removed', () => expect(formulas(removed(sheet('a', 'b', 'c'), 1))).toBe('ac'));
  test('are moved, but not out of the list', () => {
    expect(formulas(moved(sheet('a', 'b', 'c'), 0, 1))).toBe('bac');
    expect(formulas(moved(sheet('a', 'b', 'c'), 2, -1))).toBe('acb');
    const same = sheet('a', 'b');
    expect(moved(same, 1, 1)).toBe(same);
    expect(moved(same, 0, -1)).toBe(same);
  });
});

describe('options that were kept', () => {
  const axes = [{ name: 'order', about: '', choices: [{ name: 'bfs', about: '' }] }];
  test('count only if the server knows them', () => {
    expect(known({ order: 'bfs', cover: 'alu' }, axes)).toEqual({ order: 'bfs' });
    expect(known({ order: 'sideways' }, axes)).toEqual({});
  });
  test('are read back as they were written', () => {
    const chosen = { options: { order: 'bfs' }, seconds: 5, mebibytes: null, certify: true };
    expect(chosenOf(JSON.stringify(chosen))).toEqual(chosen);
  });
  test('certify only if that was chosen', () => {
    expect(['{}', '{"certify": "yes"}', '{"certify": false}'].map((text) => chosenOf(text).certify)).toEqual([false, false, false]);
    expect([null, 'null', '{'].map(chosenOf)).toEqual([NOTHING, NOTHING, NOTHING]);
  });
  test('limit only by positive numbers', () => {
    expect([5, 0, -1, NaN, Infinity, '5', null].map(positive)).toEqual([5, null, null, null, null, null, null]);
  });
});
