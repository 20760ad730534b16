// One run on the server, as it goes on: a verification, a coverage or a zone graph.

import * as api from '../api/client';
import type { RunEvent, RunProgress, RunRequest } from '../api/types';
import { studio, type Known } from '../model/studio.svelte';
import { options } from './options.svelte';
import { withSample, type Sample } from './samples';

/** Asked means that the server has not answered yet, waiting that others go first. */
export type Phase = 'idle' | 'asked' | 'waiting' | 'running' | 'stopping';

export class Running {
  phase = $state<Phase>('idle');
  /** How many runs go before this one. */
  ahead = $state(0);
  /** What it may take at most. */
  allowed = $state.raw<{ seconds: number; bytes: number } | null>(null);
  /** How far it is; after it is over, how far it got. */
  progress = $state.raw<RunProgress | null>(null);
  samples = $state.raw<readonly Sample[]>([]);
  /** Why it was not done, if it was not. */
  refused = $state('');
  /** Whether it was told to stop. */
  stopped = false;

  #number: number | null = null;
  #abort: AbortController | null = null;

  get busy(): boolean {
    return this.phase !== 'idle';
  }

  /** Asks something of the model as it is now, and hands on what is told that is not about the run itself, and of what. */
  async start(question: RunRequest['question'], tell: (event: RunEvent, of: Known) => void): Promise<void> {
    if (this.busy) return;
    this.#reset();
    try {
      const begun = await studio.withKnown(async (known) => {
        const { hash, network } = known.examined;
        if (!network) throw new Error('The model has errors, which the editor lists. Correct them to run queries.');
        await api.run(hash, options.request(question), (event) => this.#hear(event, (one) => tell(one, known)), this.#abort?.signal);
        return true;
      });
      if (!begun) throw new Error(studio.errorMessage || 'The server has not checked the model yet: try again.');
    } catch (error) {
      if (!this.#abort?.signal.aborted) this.refused = (error as Error).message;
    } finally {
      this.phase = 'idle';
      this.#number = null;
    }
  }

  #reset(): void {
    this.phase = 'asked';
    this.stopped = false;
    this.refused = '';
    this.allowed = null;
    this.progress = null;
    this.samples = [];
    this.#abort = new AbortController();
  }

  #hear(event: RunEvent, tell: (event: RunEvent) => void): void {
    if (event.kind === 'waiting') {
      this.phase = 'waiting';
      this.#number = event.run;
      this.ahead = event.ahead;
    } else if (event.kind === 'started') {
      this.phase = 'running';
      this.#number = event.run;
      this.allowed = { seconds: event.seconds, bytes: event.bytes };
    } else if (event.kind === 'progress') {
      // Each query begins a search of its own.
      if (this.progress?.query !== event.query) this.samples = [];
      this.progress = event;
      this.samples = withSample(this.samples, event);
    } else {
      if (event.kind === 'refused' && event.query === null) this.refused = event.message;
      tell(event);
    }
  }

  /** Ends it with what is known so far; asked a second time, or before it has begun, it ends at once. */
  stop(): void {
    if (!this.busy) return;
    this.stopped = true;
    if (this.#number === null || this.phase === 'stopping') {
      this.#abort?.abort();
      return;
    }
    this.phase = 'stopping';
    api.stopRun(this.#number).catch(() => this.#abort?.abort());
  }
}
