// The simulation that is going on. It lives on the server; this is its number, what was seen of it last, and the way to
// begin again where it was if the server has forgotten it.
//
// Commands go one after another: what a key does while another command is on its way is done when that has been
// answered, in the state it leads to. The trace is fetched after moves, but not more often than the server takes to give
// it three times, so that a long one does not slow the steps down.

import * as api from '../api/client';
import type { Network, Sheet, SheetTemplate, SimulationCommand, SimulationStart, SimulationView, TakenEdge, Trace } from '../api/types';
import { studio, type Known as KnownModel } from '../model/studio.svelte';
import { isMode, type Mode, type Shared } from './address';

/** The model that is simulated, as it was when that began. */
export interface Subject {
  hash: string;
  /** Which of the models that were opened it is. */
  opened: number;
  sheet: Sheet;
  network: Network;
  templates: readonly SheetTemplate[];
}

/** Where a simulation was, to begin again there. */
interface Known {
  /** The model it was of, the name of its file, and which of the models that were opened in which life of the page. */
  hash: string;
  name: string;
  opened: number;
  page: number;
  title: string;
  /** What leads along all of its moves. */
  start: SimulationStart;
  /** How it was gone through last, and how many moves lay behind. */
  mode: Mode;
  position: number;
}

const KEPT = 'tourbillon.simulation';
const QUEUE_MAX = 4;
/** Another number after a reload. */
const PAGE = performance.timeOrigin;

/** Whether the server does not know a simulation, or a model, any more. */
export function forgotten(error: unknown): boolean {
  return error instanceof api.Refusal && error.status === 404;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

class Session {
  subject = $state.raw<Subject | null>(null);
  view = $state.raw<SimulationView | null>(null);
  trace = $state.raw<Trace | null>(null);
  /** What the run is that is gone through, if it was handed over: "Counterexample to …". */
  title = $state('');
  /** Why there is no simulation. */
  errorMessage = $state('');
  /** What was not done as asked; until the next move. */
  refused = $state('');
  busy = $state(false);
  /** The choice that is pointed at, in the list or in the picture. */
  pointed = $state<number | null>(null);
  /** The move that is pointed at, in the trace or in a chart. */
  glanced = $state<number | null>(null);
  /** The clocks of the picture. */
  pair = $state.raw<[number, number] | null>(null);

  #known: Known | null = null;
  #chain: Promise<void> = Promise.resolve();
  #queued = 0;
  #tracing = false;
  #stale = false;
  #recovering = false;
  /** Counts how often the view was left: what was begun before that is not wanted any more. */
  #left = 0;

  /** Whether the model has been edited since. */
  get older(): boolean {
    return this.subject !== null && studio.current && studio.examined !== null && studio.examined.hash !== this.subject.hash;
  }

  /** The mode to begin in. */
  get mode(): Mode {
    const now = this.view?.mode;
    return isMode(now) ? now : 'symbolic';
  }

  /** Where it is, for an address. */
  async here(): Promise<Shared | null> {
    if (!this.view || !this.subject) return null;
    const { mode, path } = await api.path(this.view.id);
    return isMode(mode) ? { hash: this.subject.hash, mode, path } : null;
  }

  /** Begins a simulation of the model as it is now, and goes on to where another was if that is given. */
  begin(start: SimulationStart, title = '', then: Pick<Known, 'mode' | 'position'> | null = null): Promise<void> {
    const left = this.#left;
    return this.#enqueue(async () => {
      this.errorMessage = '';
      const begun = await studio.withKnown(async (model) => {
        const subject = this.#left === left ? this.#subject(model) : null;
        return subject && { subject, view: await api.simulate(subject.hash, start) };
      });
      if (this.#left !== left) return begun ? void api.forget(begun.view.id).catch(() => undefined) : undefined;
      if (!begun) return this.#cannotBegin();
      const { subject, view } = begun;
      this.#forget();
      this.subject = subject;
      this.title = title;
      this.trace = null;
      this.pair = pairFor(subject.network, this.pair);
      this.#see(view);
      const { hash, opened, sheet } = subject;
      this.#known = { hash, name: sheet.name, opened, page: PAGE, title, start, mode: this.mode, position: view.position };
      await this.#return(then);
      await this.#look();
      this.#followSoon();
    });
  }

  /** The model that is to be simulated; nothing if it cannot be. */
  #subject({ sheet, examined, opened }: KnownModel): Subject | null {
    if (examined.network) return { hash: examined.hash, opened, sheet, network: examined.network, templates: studio.templates };
    this.errorMessage = 'The model has errors, which the editor lists. Correct them to simulate the model.';
    return null;
  }

  /** Goes to where another simulation was, as far as this one goes. */
  async #return(then: Pick<Known, 'mode' | 'position'> | null): Promise<void> {
    if (!then || !this.view) return;
    // What was said at the beginning, such as that the path ends early, must not be lost.
    const { refused } = this;
    if (this.view.mode !== then.mode) await this.#send({ kind: 'mode', mode: then.mode });
    const position = Math.min(then.position, this.view.length);
    if (this.view.position !== position) await this.#send({ kind: 'goto', position });
    this.refused ||= refused;
  }

  /** Does something, after what was asked for before. */
  do(command: SimulationCommand): Promise<void> {
    return this.#enqueue(() => this.#send(command));
  }

  /** Goes some moves along the run, from where it is when this comes to be done. */
  move(by: number): Promise<void> {
    if (this.#queued > QUEUE_MAX) return Promise.resolve();
    return this.#enqueue(async () => {
      if (!this.view) return;
      const position = Math.max(0, Math.min(this.view.length, this.view.position + by));
      if (position !== this.view.position) await this.#send({ kind: 'goto', position });
    });
  }

  goto(position: number): Promise<void> {
    return this.view?.position === position ? Promise.resolve() : this.do({ kind: 'goto', position });
  }

  /** Looks at other clocks. */
  lookAt(pair: [number, number] | null): Promise<void> {
    this.pair = pair;
    return this.#enqueue(() => this.#look());
  }

  async #look(): Promise<void> {
    if (!this.pair) return;
    // Looking is no move: what was said of the move before still stands.
    const refused = this.refused;
    await this.#send({ kind: 'look' });
    this.refused ||= refused;
  }

  async #send(command: SimulationCommand): Promise<void> {
    if (!this.view) return;
    const request = { command, picture: this.pair };
    const before = this.view;
    const left = this.#left;
    let view: SimulationView;
    try {
      view = await api.command(this.view.id, request);
    } catch (error) {
      if (this.#left !== left) return;
      if (!forgotten(error)) throw error;
      await this.#again();
      view = await api.command(this.view.id, request);
    }
    if (this.#left !== left) return;
    this.#see(view);
    if (command.kind === 'restart') this.title = '';
    const moves = command.kind !== 'look' && command.kind !== 'goto';
    if (moves || view.length !== before.length || view.mode !== before.mode) this.#followSoon();
    else this.#keep();
  }

  #see(view: SimulationView): void {
    this.view = view;
    this.refused = view.refused ?? '';
    // The pointer, or the focus, stays on the same place of the list.
    if (this.pointed !== null && this.pointed >= view.choices.length) this.pointed = null;
  }

  /** Begins again along the known moves, after the server has forgotten. */
  async #again(): Promise<void> {
    const known = this.#known;
    if (!this.subject || !known || this.#recovering) throw new Error('The server has dropped the simulation. Restart it.');
    this.#recovering = true;
    try {
      const { hash } = await api.examine(this.subject.sheet);
      this.view = await api.simulate(hash, known.start);
      await this.#return(known);
    } finally {
      this.#recovering = false;
    }
  }

  async #enqueue(work: () => Promise<void>): Promise<void> {
    this.#queued += 1;
    const before = this.#chain;
    const mine = (async () => {
      await before;
      this.busy = true;
      try {
        await work();
      } catch (error) {
        if (this.view) this.refused = messageOf(error);
        else this.errorMessage = messageOf(error);
      } finally {
        this.#queued -= 1;
        this.busy = this.#queued > 0;
      }
    })();
    this.#chain = mine;
    await mine;
  }

  #followSoon(): void {
    this.#stale = true;
    if (!this.#tracing) void this.#follow();
  }

  async #follow(): Promise<void> {
    this.#tracing = true;
    while (this.#stale && this.view) {
      this.#stale = false;
      const began = performance.now();
      const { id, position, length } = this.view;
      try {
        const [trace, path] = await Promise.all([api.trace(id), api.path(id)]);
        if (this.view?.id === id && this.view.length === length) {
          this.trace = trace;
          // A path tells the moves behind. With others ahead, what was known of them before still leads along all.
          if (this.#known && position === length) this.#known = { ...this.#known, start: { kind: 'path', ...path } };
          this.#keep();
        }
      } catch (error) {
        // A simulation that is gone is begun again by the next command.
        if (!forgotten(error)) this.refused = messageOf(error);
      }
      if (this.#stale) await new Promise((done) => setTimeout(done, Math.min(2000, 2 * (performance.now() - began))));
    }
    this.#tracing = false;
  }

  /** Keeps where it is, so that a reload, or another view in between, leads back here. */
  #keep(): void {
    if (!this.#known || !this.view) return;
    this.#known = { ...this.#known, mode: this.mode, position: this.view.position };
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(this.#known));
    } catch {
      // Without that, the simulation begins at the start when the view is shown again.
    }
  }

  /** Where the simulation of the model that is shown, as it is now or was before, was when the view was left. */
  kept(): Known | null {
    try {
      const known = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Known | null;
      return known && isShown(known) && isMode(known.mode) && typeof known.start?.kind === 'string' ? known : null;
    } catch {
      return null;
    }
  }

  /** Where this simulation is known to have been last; to go the same way in another version of the model. */
  get known(): Known | null {
    return this.#known;
  }

  #forget(): void {
    const id = this.view?.id;
    if (id !== undefined) void api.forget(id).catch(() => undefined);
  }

  /** Says why, and ends the simulation if it is of another model than is shown: it has nothing to do with that one. */
  #cannotBegin(): void {
    this.errorMessage ||= studio.errorMessage || 'The model could not be checked.';
    if (this.subject && this.subject.opened !== studio.opened) this.#drop();
  }

  /** Ends the simulation: the view is left. */
  leave(): void {
    this.#left += 1;
    this.#drop();
  }

  #drop(): void {
    this.#forget();
    this.view = null;
    this.trace = null;
    this.subject = null;
    this.pointed = null;
    this.glanced = null;
  }

  /** The edges of what is pointed at: of a step that can be taken, or of one that was. */
  get lit(): readonly TakenEdge[] {
    if (this.pointed !== null) return this.view?.choices[this.pointed]?.edges ?? [];
    return this.glanced === null ? [] : (this.trace?.steps[this.glanced - 1]?.edges ?? []);
  }
}

/** Whether a simulation is of the model that is shown. A reload brings back the model that was there; it counts anew. */
function isShown(known: Known): boolean {
  if (known.page === PAGE) return known.opened === studio.opened;
  return studio.opened === 1 && known.name === studio.sheet?.name;
}

/** The clocks that are looked at: those from before if there are such, else the first two. */
function pairFor(network: Network, before: [number, number] | null): [number, number] | null {
  const count = network.clocks.length;
  if (before && before[0] < count && before[1] < count) return before;
  return count === 0 ? null : [0, Math.min(1, count - 1)];
}

export const session = new Session();
