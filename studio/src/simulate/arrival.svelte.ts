// Where a simulation begins when the view is shown: at a run that was handed over, at the state of an address, where it
// was before, or at the initial state.

import * as api from '../api/client';
import { studio } from '../model/studio.svelte';
import { mayLeave } from '../models/files';
import { handover } from './handover.svelte';
import { shared, type Mode, type Shared } from './address';
import { forgotten, session } from './session.svelte';

class Arrival {
  /** An address of a model that the server does not know. */
  lost = $state.raw<Shared | null>(null);
  /** An address of another model than is shown, which may not be left. */
  elsewhere = $state.raw<Shared | null>(null);
  /** Whether the simulation that was left is gone through again in a model that has been edited since. */
  edited = $state(false);

  /** How many beginnings are under way. */
  #under = $state(0);

  /** Whether a simulation is about to begin. */
  get underway(): boolean {
    return this.#under > 0;
  }

  async #beginning(work: () => Promise<void>): Promise<void> {
    this.#under += 1;
    try {
      await work();
    } finally {
      this.#under -= 1;
    }
  }

  /** Begins, according to what is wanted. */
  begin(rest: readonly string[]): Promise<void> {
    return this.#beginning(() => this.#begin(rest));
  }

  async #begin(rest: readonly string[]): Promise<void> {
    const run = handover.pendingRun;
    if (run) return this.open(run);
    const address = shared(rest);
    if (address) return this.follow(address);
    await this.#resume();
    if ((rest[0] ?? '') === '') return;
    history.replaceState(null, '', '#/simulate');
    session.refused ||= 'This simulation address is invalid: it may have been truncated.';
  }

  /** Goes on where the simulation of this model was, if it is known; else begins at the initial state. */
  async #resume(): Promise<void> {
    const examined = await studio.examineNow();
    const known = examined?.network ? session.kept() : null;
    if (!examined || !known) return this.initial();
    this.#clear();
    this.edited = known.hash !== examined.hash && known.start.kind !== 'initial';
    return session.begin(known.start, known.title, known);
  }

  async initial(mode: Mode = 'symbolic'): Promise<void> {
    this.#clear();
    await session.begin({ kind: 'initial', mode });
  }

  /** Goes through a run. */
  async open(run: { file: string; title: string }): Promise<void> {
    handover.pendingRun = null;
    this.#clear();
    await session.begin({ kind: 'run', mode: 'concrete', file: run.file }, run.title);
  }

  /** Goes to the state of an address, in its model. */
  follow(address: Shared): Promise<void> {
    return this.#beginning(() => this.#follow(address));
  }

  async #follow(address: Shared): Promise<void> {
    this.#clear();
    // What was followed once is not followed again when the page is reloaded: the work has gone on since.
    history.replaceState(null, '', '#/simulate');
    const examined = await studio.examineNow();
    if (examined?.hash !== address.hash && !(await this.#change(address))) return;
    await session.begin({ kind: 'path', mode: address.mode, path: address.path });
  }

  /** Shows the model of an address; false if that is not possible or not wanted. */
  async #change(address: Shared): Promise<boolean> {
    try {
      const sheet = await api.sheetOf(address.hash);
      if (!(await mayLeave())) {
        this.elsewhere = address;
        return false;
      }
      studio.show({ sheet, is_file: false, stamp: '', diagnostics: [] });
      return true;
    } catch (error) {
      if (forgotten(error)) this.lost = address;
      else session.errorMessage = (error as Error).message;
      return false;
    }
  }

  /** Opens the file that the server was started with, in the hope that it is the model of the address. */
  openFile(address: Shared): Promise<void> {
    return this.#beginning(async () => {
      if (!(await mayLeave())) return;
      studio.show(await api.open({ from: 'file' }));
      await this.anyway(address);
    });
  }

  /** Goes the way of an address in the model that is shown, as far as it goes. */
  async anyway(address: Shared): Promise<void> {
    this.#clear();
    const examined = await studio.examineNow();
    await session.begin({ kind: 'path', mode: address.mode, path: address.path });
    if (examined && examined.hash !== address.hash) {
      session.refused ||= 'The model differs from the version in the address: the path may have another meaning.';
    }
  }

  /** Begins again in the model as it is now, along the same moves as far as they go. */
  async restart(): Promise<void> {
    const known = session.known;
    this.#clear();
    if (known) await session.begin(known.start, known.title, known);
    else await this.initial(session.mode);
  }

  #clear(): void {
    this.lost = null;
    this.elsewhere = null;
    this.edited = false;
  }
}

export const arrival = new Arrival();
