// What is chosen for runs: of the engine's axes, how much time and memory they may take, and whether answers are certified. Kept in the browser.

import type { RunRequest } from '../api/types';
import { studio } from '../model/studio.svelte';
import { chosenOf, known, NOTHING, positive, type Chosen } from './known';

const KEY = 'tourbillon.options';

function read(): Chosen {
  try {
    return chosenOf(localStorage.getItem(KEY));
  } catch {
    // The browser denies access to what it keeps.
    return NOTHING;
  }
}

class Options {
  #chosen = $state.raw(read());

  get seconds(): number | null {
    return this.#chosen.seconds;
  }

  get mebibytes(): number | null {
    return this.#chosen.mebibytes;
  }

  /** Whether answers are checked with their certificates. */
  get certify(): boolean {
    return this.#chosen.certify;
  }

  /** The choice of an axis; empty if the program chooses. */
  choice(axis: string): string {
    return this.options[axis] ?? '';
  }

  get options(): Readonly<Record<string, string>> {
    return known(this.#chosen.options, studio.about?.axes ?? []);
  }

  /** How many things are not left to the program. */
  get count(): number {
    const others = [this.seconds !== null, this.mebibytes !== null, this.certify];
    return Object.keys(this.options).length + others.filter(Boolean).length;
  }

  choose(axis: string, choice: string): void {
    const { [axis]: _, ...others } = this.#chosen.options;
    this.#set({ ...this.#chosen, options: choice === '' ? others : { ...others, [axis]: choice } });
  }

  limit(what: 'seconds' | 'mebibytes', value: number | null): void {
    this.#set({ ...this.#chosen, [what]: positive(value) });
  }

  setCertify(certify: boolean): void {
    this.#set({ ...this.#chosen, certify });
  }

  reset(): void {
    this.#set(NOTHING);
  }

  /** A request under these options. */
  request(question: RunRequest['question']): RunRequest {
    const bytes = this.mebibytes === null ? null : Math.round(this.mebibytes * 2 ** 20);
    const seconds = this.seconds === null ? null : Math.ceil(this.seconds);
    return { question, options: this.options, seconds, bytes, certify: this.certify };
  }

  #set(chosen: Chosen): void {
    this.#chosen = chosen;
    try {
      localStorage.setItem(KEY, JSON.stringify(chosen));
    } catch {
      // They hold until the page is closed.
    }
  }
}

export const options = new Options();
