// Exact numbers, as they are typed and compared. Whether a delay lies in an interval must not depend on rounding: the
// ends of intervals are where the interesting things happen.

import type { Delays } from '../api/types';

/** A fraction with a positive denominator, in lowest terms. */
export interface Rational {
  over: bigint;
  under: bigint;
}

const DIGITS_MAX = 18;
const TYPED = new RegExp(`^\\s*(\\d{1,${DIGITS_MAX}})(?:\\s*/\\s*(\\d{1,${DIGITS_MAX}})|[.,](\\d{1,${DIGITS_MAX}}))?\\s*$`);

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

export function rational(over: bigint, under: bigint = 1n): Rational {
  const common = gcd(over < 0n ? -over : over, under) || 1n;
  return { over: over / common, under: under / common };
}

/** What was typed: `3`, `5/2` or `2.5`; nothing if it is none of these. */
export function read(text: string): Rational | null {
  const found = TYPED.exec(text);
  if (!found) return null;
  const [, whole = '', under, decimals] = found;
  if (under !== undefined) return BigInt(under) === 0n ? null : rational(BigInt(whole), BigInt(under));
  if (decimals === undefined) return rational(BigInt(whole));
  return rational(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
}

/** A number of the server's, which are always well formed; zero stands for one that is not. */
export function exactly(text: string): Rational {
  if (text.startsWith('-')) {
    const { over, under } = exactly(text.slice(1));
    return { over: -over, under };
  }
  return read(text) ?? rational(0n);
}

/** As it is typed: `5/2`. */
export function written({ over, under }: Rational): string {
  return under === 1n ? `${over}` : `${over}/${under}`;
}

export function valueOf({ over, under }: Rational): number {
  return Number(over) / Number(under);
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Whether a delay lies in an interval. */
export function contains(delays: Delays, delay: Rational): boolean {
  const low = compare(exactly(delays.from.exact), delay);
  if (low > 0 || (low === 0 && !delays.from_included)) return false;
  if (!delays.to) return true;
  const high = compare(exactly(delays.to.exact), delay);
  return high > 0 || (high === 0 && delays.to_included);
}

/** Whether a delay lies in one of the intervals. */
export function possible(intervals: readonly Delays[], delay: Rational): boolean {
  return intervals.some((one) => contains(one, delay));
}

/** An interval in the notation of mathematics: `[2, 5)`; a single value without brackets. */
export function interval(delays: Delays): string {
  const { from, to } = delays;
  if (to && to.exact === from.exact) return from.exact;
  return `${delays.from_included ? '[' : '('}${from.exact}, ${to ? to.exact : '∞'}${to && delays.to_included ? ']' : ')'}`;
}

/** Intervals, in words short enough for a list. */
export function intervals(list: readonly Delays[]): string {
  return list.map(interval).join(' ∪ ');
}

/**
 * The multiple of `1/under` that is nearest to a value but lies in the interval; if none does, the middle of the
 * interval. That is what a slider gives, so that dragging it gives numbers somebody would type.
 */
export function nearest(delays: Delays, value: number, under: bigint): Rational {
  const wanted = rational(BigInt(Math.max(0, Math.round(value * Number(under)))), under);
  if (contains(delays, wanted)) return wanted;
  const from = exactly(delays.from.exact);
  const above = rational((from.over * under) / from.under + (delays.from_included ? 0n : 1n), under);
  const ends = [delays.from_included ? from : above];
  if (delays.to) {
    const to = exactly(delays.to.exact);
    const below = (to.over * under) / to.under;
    ends.push(delays.to_included ? to : rational(below * to.under === to.over * under ? below - 1n : below, under));
  }
  const inside = ends.filter((one) => contains(delays, one));
  inside.sort((a, b) => Math.abs(valueOf(a) - value) - Math.abs(valueOf(b) - value));
  return inside[0] ?? middle(delays);
}

function middle(delays: Delays): Rational {
  const from = exactly(delays.from.exact);
  if (!delays.to) return rational(from.over + from.under, from.under);
  const to = exactly(delays.to.exact);
  return rational(from.over * to.under + to.over * from.under, 2n * from.under * to.under);
}
