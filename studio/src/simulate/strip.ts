// Delays along one line: how far it reaches, and which part of it an interval takes.

import type { Delays, SimulationView } from '../api/types';
import { niceStep } from '../time/scale';

/** How much time the strips beside choices show: all ends, and some room where there is none. */
export function horizonOf(view: SimulationView): number {
  const all = [...view.choices.flatMap((choice) => choice.delays), ...(view.patience ? [view.patience] : [])];
  const ends = all.flatMap((one) => [one.from.value, ...(one.to ? [one.to.value] : [])]);
  const most = Math.max(0, ...ends);
  const endless = all.some((one) => one.to === null);
  return endless ? most * 1.3 + 1 : Math.max(most, 1e-6);
}

/** From where to where an interval goes, as parts of the horizon. A single moment still can be seen. */
export function spanOf(delays: Delays, horizon: number): { from: number; to: number } {
  const from = Math.min(1, delays.from.value / horizon);
  const to = delays.to ? Math.min(1, delays.to.value / horizon) : 1;
  return { from, to: Math.max(to, from) };
}

/** By which fractions a slider goes that spans a horizon: whole numbers if these are fine enough. */
export function fractionOf(horizon: number): bigint {
  const step = niceStep(horizon, 40);
  if (step >= 1) return 1n;
  return BigInt(Math.min(1000, Math.round(1 / step)));
}
