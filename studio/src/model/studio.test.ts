// Tests of studio.svelte.ts, with a server that can forget.

import { beforeEach, describe, expect, test, vi } from 'vitest';

import { Refusal } from '../api/client';
import type { About, Sheet } from '../api/types';

const server = { examinations: 0, fails: '' };

vi.mock('../api/client', async (original) => ({
  ...(await original<typeof import('../api/client')>()),
  examine: async () => {
    server.examinations += 1;
    if (server.fails) throw new Error(server.fails);
    return { hash: 'aa', diagnostics: [], network: null, picture: [], names: { global: [], templates: [], members: [] } };
  },
}));

const { studio } = await import('./studio.svelte');

const query = { formula: 'E<> true', comment: '', expected: '', kept: [] };
const sheet: Sheet = { name: 'p.xta', body: { kind: 'text', text: 'process P()' }, queries: [] };
const forgotten = (): Refusal => new Refusal('unknown-model', 'not known', 404);

beforeEach(() => {
  Object.assign(server, { examinations: 0, fails: '' });
  studio.about = { file: { name: 'p.xta', writable: true } } as About;
  studio.show({ sheet, is_file: true, stamp: '1', diagnostics: [] });
  studio.errorMessage = '';
});

describe('saving', () => {
  test('leaves the queries that a file cannot hold unsaved', () => {
    studio.edit('add', (now) => ({ ...now, queries: [query] }));
    studio.markSaved('2', studio.sheet!, false);
    expect([studio.dirty, studio.onlyQueriesDirty]).toEqual([true, true]);
    studio.edit('remove', (now) => ({ ...now, queries: [] }));
    expect(studio.dirty).toBe(false);
  });

  test('makes clean what the file holds, and undoing makes it dirty', () => {
    studio.edit('type', (now) => ({ ...now, body: { kind: 'text', text: 'other' } }));
    studio.markSaved('2', studio.sheet!, true);
    expect(studio.dirty).toBe(false);
    studio.undo();
    expect([studio.dirty, studio.onlyQueriesDirty]).toEqual([true, false]);
  });

  test('goes to the file only as long as it is of its language', () => {
    expect(studio.isFile).toBe(true);
    studio.edit('draw it', (now) => ({ ...now, name: 'p.xml' }));
    expect(studio.isFile).toBe(false);
    studio.undo();
    expect(studio.isFile).toBe(true);
  });
});

describe('a model that the server has forgotten', () => {
  test('is told again, once', async () => {
    const work = vi.fn().mockRejectedValueOnce(forgotten()).mockResolvedValueOnce('done');
    expect(await studio.withKnown(work)).toBe('done');
    expect(server.examinations).toBe(2);
    const fails = vi.fn().mockRejectedValue(forgotten());
    await expect(studio.withKnown(fails)).rejects.toThrow('not known');
    expect(fails).toHaveBeenCalledTimes(2);
  });

  test('is told apart from other refusals, and from a model that was edited meanwhile', async () => {
    const refuses = vi.fn().mockRejectedValue(new Refusal('busy', 'too much', 429));
    await expect(studio.withKnown(refuses)).rejects.toThrow('too much');
    expect(refuses).toHaveBeenCalledTimes(1);
    const edits = vi.fn(async () => {
      studio.edit('add', (now) => ({ ...now, queries: [query] }));
      throw forgotten();
    });
    await expect(studio.withKnown(edits)).rejects.toThrow('not known');
    expect(edits).toHaveBeenCalledTimes(1);
  });
});

test('an examination takes back what it said itself, and nothing else', async () => {
  server.fails = 'no answer';
  await studio.examineNow();
  expect(studio.errorMessage).toBe('no answer');
  server.fails = '';
  await studio.examineNow();
  expect(studio.errorMessage).toBe('');
  studio.errorMessage = 'of others';
  studio.edit('add', (now) => ({ ...now, queries: [query] }));
  await studio.examineNow();
  expect(studio.errorMessage).toBe('of others');
});
