// What can be trusted of options that a browser kept.

import type { About } from '../api/types';

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
