// What a run told on its way, thinned out so that an hour of it still makes a small picture.

import type { RunProgress } from '../api/types';

/** What is drawn of a progress. */
export interface Sample {
  seconds: number;
  visited: number;
  stored: number;
  waiting: number;
  /** Nodes expanded per second, since the sample before. */
  rate: number;
  bytes: number;
}

/** What can be drawn over time. */
export type Series = Exclude<keyof Sample, 'seconds'>;

const SAMPLES_MAX = 400;

export function sampleOf(progress: RunProgress, before: Sample | undefined): Sample {
  const { visited, stored, waiting } = progress.counts;
  const seconds = progress.seconds - (before?.seconds ?? 0);
  const rate = seconds > 0 ? Math.max(0, visited - (before?.visited ?? 0)) / seconds : (before?.rate ?? 0);
  return { seconds: progress.seconds, visited, stored, waiting, rate, bytes: progress.rss_bytes };
}

/** The samples with another one. When they get too many every second one goes, so that all of the time stays covered. */
export function withSample(samples: readonly Sample[], progress: RunProgress): Sample[] {
  const kept = samples.length < SAMPLES_MAX ? samples : samples.filter((_, at) => at % 2 === 0);
  return [...kept, sampleOf(progress, samples.at(-1))];
}

/** The line through a series, for a picture of some size whose lower edge is zero. */
export function lineOf(samples: readonly Sample[], series: Series, width: number, height: number): string {
  const last = samples.at(-1);
  if (!last) return '';
  const top = Math.max(...samples.map((sample) => sample[series]), 1);
  const end = Math.max(last.seconds, 1e-9);
  const points = samples.map((sample) => {
    const x = (width * sample.seconds) / end;
    const y = height - (height * sample[series]) / top;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}
