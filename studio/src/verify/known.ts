// What can be trusted of options that a browser kept.

import type { About } from '../api/types';

/** A positive number, or nothing. */
export function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

/** What of these wishes the server knows: it may be another version than the one they were chosen in. */
export function known(wishes: Readonly<Record<string, string>>, axes: About['axes']): Record<string, string> {
  const isKnown = ([name, choice]: [string, string]): boolean =>
    axes.some((axis) => axis.name === name && axis.choices.some((one) => one.name === choice));
  return Object.fromEntries(Object.entries(wishes).filter(isKnown));
}
