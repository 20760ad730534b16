// What is chosen for runs: of the engine's axes, and how much time and memory they may take. Kept in the browser.

import type { RunRequest } from '../api/types';
import { studio } from '../model/studio.svelte';
import { known, positive } from './known';

interface Chosen {
  options: Readonly<Record<string, string>>;
  seconds: number | null;
  mebibytes: number | null;
}

const KEY = 'tourbillon.options';
const NOTHING: Chosen = { options: {}, seconds: null, mebibytes: null };

function read(): Chosen {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Chosen>;
    const options = typeof kept.options === 'object' && kept.options !== null ? kept.options : {};
    return { options, seconds: positive(kept.seconds), mebibytes: positive(kept.mebibytes) };
  } catch {
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

  /** The choice of an axis; empty if the program chooses. */
  choice(axis: string): string {
    return this.options[axis] ?? '';
  }

  get options(): Readonly<Record<string, string>> {
    return known(this.#chosen.options, studio.about?.axes ?? []);
  }

  /** How many things are not left to the program. */
  get count(): number {
    return Object.keys(this.options).length + (this.seconds === null ? 0 : 1) + (this.mebibytes === null ? 0 : 1);
  }

  choose(axis: string, choice: string): void {
    const { [axis]: _, ...others } = this.#chosen.options;
    this.#set({ ...this.#chosen, options: choice === '' ? others : { ...others, [axis]: choice } });
  }

  limit(what: 'seconds' | 'mebibytes', value: number | null): void {
    this.#set({ ...this.#chosen, [what]: positive(value) });
  }

  reset(): void {
    this.#set(NOTHING);
  }

  /** A request under these options. */
  request(question: RunRequest['question']): RunRequest {
    const bytes = this.mebibytes === null ? null : Math.round(this.mebibytes * 2 ** 20);
    return { question, options: this.options, seconds: this.seconds === null ? null : Math.ceil(this.seconds), bytes };
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
