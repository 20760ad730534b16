// The delay that somebody has chosen for the next step; none means the earliest moment that is possible.

import type { Delays, SimulationChoice } from '../api/types';
import { contains, intervals, nearest, possible, read, valueOf, written, type Rational } from './rational';
import { session } from './session.svelte';

class Delay {
  /** As it was typed. */
  text = $state('');

  get value(): Rational | null {
    return read(this.text);
  }

  /** Why what was typed is no delay. */
  get complaint(): string {
    if (this.text.trim() === '') return '';
    const { value } = this;
    if (!value) return 'Not a number: 3, 5/2 or 2.5.';
    const patience = session.view?.patience;
    if (patience && !contains(patience, value)) return `Time can pass for ${intervals([patience])} only.`;
    return '';
  }

  /** Whether a choice can be taken then. */
  allows(choice: SimulationChoice): boolean {
    const { value } = this;
    if (value === null) return this.text.trim() === '';
    return choice.delays.length === 0 || possible(choice.delays, value);
  }

  /** The place of a slider. */
  slide(to: number, within: Delays, under: bigint): void {
    this.text = written(nearest(within, to, under));
  }

  get slid(): number {
    const { value } = this;
    return value ? valueOf(value) : 0;
  }

  clear(): void {
    this.text = '';
  }
}

export const delay = new Delay();

/** Takes a choice, after the delay that was chosen. */
export async function take(index: number): Promise<void> {
  const choice = session.view?.choices[index];
  if (!choice) return;
  if (!delay.allows(choice)) {
    session.refused = delay.value === null ? delay.complaint : `That step cannot be taken after ${delay.text}, but after ${intervals(choice.delays)}.`;
    return;
  }
  const { value } = delay;
  delay.clear();
  await session.do({ kind: 'step', choice: index, delay: session.mode === 'concrete' && value ? written(value) : null });
}

/** Lets the chosen delay pass without a step. */
export async function wait(): Promise<void> {
  const { value } = delay;
  if (!value) return;
  delay.clear();
  await session.do({ kind: 'wait', delay: written(value) });
}
