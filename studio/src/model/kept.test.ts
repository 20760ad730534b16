// Tests of kept.ts and of edits that change nothing.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Sheet } from '../api/types';
import { withDrawing, without, withQuery, withTemplate } from './change';
import { keepIn, keptIn, slotOf, thisTab, type Kept } from './kept';

function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>();
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value), removeItem: (key) => void values.delete(key) };
}

const text = (content: string): Sheet => ({ name: 'm.xta', body: { kind: 'text', text: content }, queries: [] });
const work = (change: Partial<Kept>): Kept => ({ sheet: text('mine'), saved: false, isFile: true, stamp: '1', tab: 'one', ...change });

describe('work in the browser', () => {
  beforeEach(() => {
    vi.stubGlobal('localStorage', storage());
    vi.stubGlobal('sessionStorage', storage());
  });
  afterEach(() => vi.unstubAllGlobals());

  test('has a place of its own for every file', () => {
    expect(slotOf({ key: 'a1' })).not.toBe(slotOf({ key: 'b2' }));
    expect(slotOf({ key: 'a1' })).toBe('tourbillon.work/a1');
    expect(slotOf(null)).toBe(slotOf(undefined));
  });

  test('is there until the tab that put it there has saved it', () => {
    keepIn('s', work({}));
    expect(keptIn('s')).toEqual(work({}));
    keepIn('s', work({ saved: true }));
    expect(keptIn('s')).toBeNull();
  });

  test('is not touched by another tab that has nothing to lose', () => {
    keepIn('s', work({}));
    keepIn('s', work({ saved: true, tab: 'two' }));
    keepIn('s', work({ saved: true, isFile: false, sheet: text('an example'), tab: 'two' }));
    expect(keptIn('s')).toEqual(work({}));
    keepIn('s', work({ sheet: text('theirs'), tab: 'two' }));
    expect(keptIn('s')?.sheet).toEqual(text('theirs'));
  });

  test('that cannot be read is none', () => {
    localStorage.setItem('s', '{');
    expect(keptIn('s')).toBeNull();
    localStorage.setItem('s', '{"sheet":{}}');
    expect(keptIn('s')).toBeNull();
  });

  test('knows its tab again', () => {
    expect(thisTab()).toBe(thisTab());
    expect(thisTab()).not.toBe('');
  });
});

describe('an edit that changes nothing', () => {
  const drawing = { declarations: '', templates: [], instantiation: '', system: '', kept: { imports: '', charts: [], options: [] } };
  const sheet: Sheet = { name: 'm.xml', body: { kind: 'drawn', ...drawing }, queries: [{ formula: 'E<> true', comment: '', expected: '', kept: [] }] };

  test('gives back the sheet itself', () => {
    expect(withDrawing(sheet, (same) => same)).toBe(sheet);
    expect(withTemplate(sheet, 3, (one) => ({ ...one, name: 'other' }))).toBe(sheet);
    expect(withQuery(sheet, 0, (same) => same)).toBe(sheet);
    expect(without(sheet.queries, 1)).toBe(sheet.queries);
  });

  test('is told from one that does', () => {
    const changed = withQuery(sheet, 0, (query) => ({ ...query, comment: 'new' }));
    expect(changed.queries[0]?.comment).toBe('new');
    expect(changed.body).toBe(sheet.body);
    expect(sheet.queries[0]?.comment).toBe('');
  });
});
