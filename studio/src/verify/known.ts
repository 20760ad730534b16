// What can be trusted of options that a browser kept.

import type { About } from '../api/types';

/** What is chosen for runs. */
export interface Chosen {
  options: Readonly<Record<string, string>>;
  seconds: number | null;
  mebibytes: number | null;
  /** Whether answers are checked with their certificates. */
  certify: boolean;
}

export const NOTHING: Chosen = { options: {}, seconds: null, mebibytes: null, certify: false };

/** What a browser kept, as far as it can be trusted. */
export function chosenOf(text: string | null): Chosen {
  try {
    const kept = JSON.parse(text ?? '{}') as Partial<Chosen>;
    const options = typeof kept.options === 'object' && kept.options !== null ? kept.options : {};
    return { options, seconds: positive(kept.seconds), mebibytes: positive(kept.mebibytes), certify: kept.certify === true };
  } catch {
    return NOTHING;
  }
}

/** A positive number, or nothing. */
export function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

/** The options that the server knows: they may have been chosen with another version. */
export function known(options: Readonly<Record<string, string>>, axes: About['axes']): Record<string, string> {
  const isKnown = ([name, choice]: [string, string]): boolean =>
    axes.some((axis) => axis.name === name && axis.choices.some((one) => one.name === choice));
  return Object.fromEntries(Object.entries(options).filter(isKnown));
}
