// Tests of what is kept of a run's progress.

import { describe, expect, test } from 'vitest';

import type { RunProgress } from '../api/types';
import { lineOf, withSample, type Sample } from './samples';

function progress(seconds: number, visited: number): RunProgress {
  const counts = { visited, stored: visited + 1, waiting: 5, transitions: 2 * visited, passed_bytes: 0, waiting_bytes: 0 };
  return { query: 0, seconds, counts, rss_bytes: 1000 };
}

describe('samples', () => {
  test('have the rate since the one before', () => {
    let samples: Sample[] = [];
    for (const [seconds, visited] of [[1, 100], [2, 400], [2, 400]] as const) samples = withSample(samples, progress(seconds, visited));
    expect(samples.map((sample) => sample.rate)).toEqual([100, 300, 300]);
  });

  test('of a long run stay few and cover all of it', () => {
    let samples: Sample[] = [];
    for (let at = 1; at <= 36_000; at += 1) samples = withSample(samples, progress(at / 10, at));
    expect(samples.length).toBeLessThanOrEqual(401);
    expect(samples[0]?.seconds).toBe(0.1);
    expect(samples.at(-1)?.seconds).toBe(3600);
  });

  test('make a line from left to right whose highest point touches the top', () => {
    const samples = withSample(withSample([], progress(1, 50)), progress(2, 100));
    expect(lineOf(samples, 'visited', 100, 20)).toBe('M50.0,10.0L100.0,0.0');
    expect(lineOf([], 'visited', 100, 20)).toBe('');
  });
});
