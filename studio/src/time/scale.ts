// Where things are along an axis, and which values are written beside it.

/** The least of 1, 2, 5, 10, 20, 50, … times a power of ten with at most `most` steps in a range; never below `least`. */
export function niceStep(range: number, most: number, least = 0): number {
  const wanted = Math.max(range / Math.max(1, most), least, 1e-12);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= wanted * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** The multiples of a step from `from` to `to`, both included. */
export function ticks(from: number, to: number, step: number): number[] {
  const list: number[] = [];
  // Multiplying does not add up errors as adding does.
  for (let at = Math.ceil(from / step - 1e-9); at * step <= to + step * 1e-9; at += 1) list.push(tidy(at * step));
  return list;
}

/** Without the last digits, which are errors of rounding. */
export function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** A number as it is written beside an axis. */
export function label(value: number): string {
  return tidy(value).toLocaleString('en', { maximumFractionDigits: 6, useGrouping: Math.abs(value) >= 10_000 });
}

/**
 * The first index of a list that does not descend whose value is greater than `value`; its length if none is. The values
 * are read by a function, so that nothing needs to be copied.
 */
export function firstAbove(length: number, valueAt: (index: number) => number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The size of type, in pixels, that charts and pictures are laid out for. They are drawn larger or smaller with it. */
export const USUAL_SIZE = 14;
