// Going on by itself: along the run as far as it is known, then at random, until nothing can happen any more.

import { session } from './session.svelte';

export const SPEEDS = [1, 2, 5, 10, 20] as const;

class Player {
  playing = $state(false);
  /** Steps in a second. */
  speed = $state<number>(2);
  /** What random steps are drawn from, and how many a walk has. */
  seed = $state(1);
  steps = $state(100);
  #turn = 0;

  toggle(): void {
    if (this.playing) this.stop();
    else void this.#play();
  }

  stop(): void {
    this.playing = false;
    this.#turn += 1;
  }

  async #play(): Promise<void> {
    this.#turn += 1;
    const mine = this.#turn;
    this.playing = true;
    while (this.#turn === mine && (await this.#next())) await new Promise((done) => setTimeout(done, 1000 / this.speed));
    if (this.#turn === mine) this.playing = false;
  }

  /** Goes on by one; false if that led nowhere. */
  async #next(): Promise<boolean> {
    const before = session.view;
    if (!before) return false;
    if (before.position < before.length) await session.move(1);
    // Every step has a seed of its own: the same one would draw the same number each time.
    else if (before.choices.length > 0) await session.do({ kind: 'random', steps: 1, seed: this.seed + before.position });
    return session.view !== null && session.view.position !== before.position;
  }

  async walk(): Promise<void> {
    this.stop();
    const steps = whole(this.steps, 1, 100_000);
    await session.do({ kind: 'random', steps, seed: whole(this.seed, 0, Number.MAX_SAFE_INTEGER) });
  }
}

/** The whole number between two that is nearest to what somebody typed. */
export function whole(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.max(least, Math.min(most, Math.round(value))) : least;
}

export const player = new Player();
