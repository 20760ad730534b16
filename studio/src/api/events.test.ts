// Tests of events.ts and of the token.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { takeToken } from './client';
import { Events } from './events';

describe('a stream of events', () => {
  const STREAM = 'event: a\ndata: {"n":\ndata: 1}\n\n: still there\n\ndata:{"n":2}\n\ndata: unfinished';

  test('is the same however it is cut', () => {
    for (let size = 1; size <= STREAM.length; size += 1) {
      const events = new Events();
      const found: string[] = [];
      for (let at = 0; at < STREAM.length; at += size) found.push(...events.take(STREAM.slice(at, at + size)));
      expect(found, `in pieces of ${size}`).toEqual(['{"n":\n1}', '{"n":2}']);
    }
  });

  test('hands out an event as soon as it has ended', () => {
    const events = new Events();
    expect(events.take('data: 1\n')).toEqual([]);
    expect(events.take('\n')).toEqual(['1']);
  });
});

describe('the token in the address', () => {
  const kept = new Map<string, string>();
  const replaced = vi.fn();
  let good = 'old';

  beforeEach(() => {
    kept.clear();
    good = 'old';
    vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) });
    vi.stubGlobal('history', { replaceState: replaced });
    vi.stubGlobal('fetch', async (_: string, init: { headers: Record<string, string> }) => {
      const isGood = init.headers['Authorization'] === `Bearer ${good}`;
      return new Response('{}', { status: isGood ? 200 : 401 });
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  const come = (hash: string): Promise<boolean> => {
    vi.stubGlobal('location', { hash, pathname: '/' });
    return takeToken();
  };

  test('is taken if the server knows it, and taken out of the address', async () => {
    expect(await come('#token=old')).toBe(true);
    expect([...kept.values()]).toEqual(['old']);
    good = 'new';
    expect(await come('#token=new')).toBe(true);
    expect([...kept.values()]).toEqual(['new']);
    expect(replaced).toHaveBeenCalledWith(null, '', '/');
  });

  test('does not replace one that is good', async () => {
    await come('#token=old');
    expect(await come('#token=evil')).toBe(false);
    expect([...kept.values()]).toEqual(['old']);
  });

  test('is not looked for in other addresses', async () => {
    expect(await come('#/verify')).toBe(false);
    expect(kept.size).toBe(0);
  });
});
