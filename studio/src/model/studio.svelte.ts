// The model that is being worked on, with its history, and what the server says of it.
//
// A sheet is never changed in place: an edit makes a new one that shares whatever stayed the same, so that undoing is
// keeping the old one, and a view redraws only what is another object than before.

import * as api from '../api/client';
import type { About, Examined, Opened, Part, Sheet, SheetTemplate, Told } from '../api/types';
import { keepIn, keptIn, slotOf, thisTab } from './kept';

/** Where a sheet came from. */
interface Origin {
  /** Whether it is the file that the server was started with. */
  isFile: boolean;
  /** What that file was when it was read or written last. */
  stamp: string;
}

/** A state of the history. */
interface Moment {
  sheet: Sheet;
  /** What was done to come here. */
  what: string;
  /** Edits with the same key, one right after another, are undone together: typing, dragging. */
  key: string | null;
}

/** The model as the server knows it. */
export interface Known {
  sheet: Sheet;
  examined: Examined;
  /** Which of the models that were opened it is. */
  opened: number;
}

/** Whether two sheets are the same model with the same queries. */
function same(one: Sheet, other: Sheet): boolean {
  const queries = one.queries === other.queries || one.queries.length + other.queries.length === 0;
  return one === other || (queries && one.body === other.body && one.name === other.name);
}

const HISTORY_MAX = 500;
/** How long a pause has to be for the server to be asked: the first key after a rest is answered at once. */
const EXAMINE_AFTER_MS = 40;
const REST_MS = 150;
const KEEP_AFTER_MS = 250;

class Studio {
  about = $state.raw<About | null>(null);
  /** The model; nothing before the first is opened. */
  sheet = $state.raw<Sheet | null>(null);
  origin = $state.raw<Origin>({ isFile: false, stamp: '' });
  /** What the server said of the sheet last. */
  examined = $state.raw<Examined | null>(null);
  /** Whether that is said of the sheet as it is now. */
  current = $state(false);
  /** What was wrong with the file itself when it was opened. */
  openingDiagnostics = $state.raw<Told[]>([]);
  /** What went wrong last, for the bar at the bottom. */
  errorMessage = $state('');
  /** The template that is shown. */
  template = $state(0);
  /** How many models were opened: another number means another model, not another edit. */
  opened = $state(0);
  /** What the editor is to show: set by whoever wants to lead there, taken by the editor. */
  attention = $state.raw<{ part: Part; from: number; to: number } | null>(null);

  #past = $state.raw<Moment[]>([]);
  #future = $state.raw<Moment[]>([]);
  #now: Moment | null = null;
  #saved = $state.raw<Sheet | null>(null);
  #examining: AbortController | null = null;
  /** What could not be examined, as it was said: only that is taken back when it can be. */
  #unexamined = '';
  #changedAt = -Infinity;
  #examineTimer: ReturnType<typeof setTimeout> | undefined;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;

  /** Whether there is something to save. */
  get dirty(): boolean {
    return this.sheet !== null && !(this.#saved && same(this.sheet, this.#saved));
  }

  /** Whether the queries are all that there is to save. */
  get onlyQueriesDirty(): boolean {
    return this.dirty && this.sheet?.body === this.#saved?.body && this.sheet?.name === this.#saved?.name;
  }

  /** Whether saving writes to the file that the server was started with: not if it has become one of another language. */
  get isFile(): boolean {
    return this.origin.isFile && this.about?.file?.name === this.sheet?.name;
  }

  get undoable(): string | null {
    return this.#past.length > 0 ? (this.#now?.what ?? null) : null;
  }

  get redoable(): string | null {
    return this.#future.at(-1)?.what ?? null;
  }

  /** The templates that can be looked at: those of the drawing, or of the picture of a text. */
  get templates(): readonly SheetTemplate[] {
    if (this.sheet?.body.kind === 'drawn') return this.sheet.body.templates;
    return this.examined?.picture ?? [];
  }

  /** Shows a model, and forgets the one before. */
  show(opened: Opened): void {
    this.#begin(opened.sheet, { isFile: opened.is_file, stamp: opened.stamp }, true);
    this.openingDiagnostics = opened.diagnostics;
  }

  #begin(sheet: Sheet, origin: Origin, saved: boolean): void {
    this.#past = [];
    this.#future = [];
    this.#now = { sheet, what: 'open', key: null };
    this.#saved = saved ? sheet : null;
    this.origin = origin;
    this.examined = null;
    this.openingDiagnostics = [];
    this.template = 0;
    this.opened += 1;
    this.#set(sheet);
  }

  /** Replaces the sheet by another, which can be undone. `what` says what was done: "move a location". */
  edit(what: string, change: (sheet: Sheet) => Sheet, key: string | null = null): void {
    if (!this.sheet || !this.#now) return;
    const sheet = change(this.sheet);
    if (sheet === this.sheet) return;
    const merges = key !== null && key === this.#now.key;
    if (!merges) this.#past = [...this.#past, this.#now].slice(-HISTORY_MAX);
    this.#now = { sheet, what, key };
    this.#future = [];
    this.#set(sheet);
  }

  /** What comes next is no part of the edit before, even if it has the same key. */
  endEdit(): void {
    if (this.#now) this.#now = { ...this.#now, key: null };
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before || !this.#now) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.#now];
    this.#now = { ...before, key: null };
    this.#set(before.sheet);
  }

  redo(): void {
    const after = this.#future.at(-1);
    if (!after || !this.#now) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.#now];
    this.#now = { ...after, key: null };
    this.#set(after.sheet);
  }

  /** That a sheet is now what the file holds; without its queries if the file has no room for them. */
  markSaved(stamp: string, sheet: Sheet, queriesKept: boolean): void {
    this.#saved = queriesKept ? sheet : { ...sheet, queries: [] };
    this.origin = { ...this.origin, stamp };
    this.#keepSoon();
  }

  /** Where work is kept: work that belongs to one file is not offered for another. */
  get #slot(): string {
    return slotOf(this.about?.file);
  }

  /** Shows what was there when the page was closed, if that cannot be read again from the file. Whether it did. */
  restore(): boolean {
    const kept = keptIn(this.#slot);
    if (!kept || (kept.saved && kept.isFile)) return false;
    this.#begin(kept.sheet, { isFile: kept.isFile && this.about?.file !== null, stamp: kept.stamp }, kept.saved);
    // From now on it is this tab's work, to be given up or saved here.
    this.keep();
    return true;
  }

  #set(sheet: Sheet): void {
    this.sheet = sheet;
    this.current = false;
    if (sheet.body.kind === 'drawn') this.template = Math.max(0, Math.min(this.template, sheet.body.templates.length - 1));
    clearTimeout(this.#examineTimer);
    const now = performance.now();
    this.#examineTimer = setTimeout(() => void this.#examine(), now - this.#changedAt > REST_MS ? 0 : EXAMINE_AFTER_MS);
    this.#changedAt = now;
    this.#keepSoon();
  }

  async #examine(): Promise<void> {
    const sheet = this.sheet;
    if (!sheet) return;
    this.#examining?.abort();
    const mine = new AbortController();
    this.#examining = mine;
    try {
      const examined = await api.examine(sheet, mine.signal);
      if (this.sheet !== sheet) return;
      this.examined = examined;
      this.current = true;
      if (this.errorMessage === this.#unexamined) this.errorMessage = '';
    } catch (error) {
      if (!mine.signal.aborted) this.errorMessage = this.#unexamined = (error as Error).message;
    }
  }

  /** What the server says of the sheet as it is now. */
  async examineNow(): Promise<Examined | null> {
    clearTimeout(this.#examineTimer);
    if (!this.current) await this.#examine();
    return this.current ? this.examined : null;
  }

  /**
   * Does something with the model as the server knows it; nothing if it could not be examined. A server that has been
   * started again, or keeps no more models, has forgotten it: then it is told the model again, once.
   */
  async withKnown<T>(work: (known: Known) => Promise<T>): Promise<T | null> {
    const attempt = async (): Promise<T | null> => {
      const examined = await this.examineNow();
      return examined && this.sheet ? work({ sheet: this.sheet, examined, opened: this.opened }) : null;
    };
    const { sheet } = this;
    try {
      return await attempt();
    } catch (error) {
      const isForgotten = error instanceof api.Refusal && error.word === 'unknown-model';
      // Whoever went on editing meanwhile asked about another model.
      if (!isForgotten || this.sheet !== sheet) throw error;
      this.current = false;
      return attempt();
    }
  }

  #keepSoon(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = setTimeout(() => this.keep(), KEEP_AFTER_MS);
  }

  /** Keeps the work in the browser. */
  keep(): void {
    if (!this.sheet) return;
    try {
      keepIn(this.#slot, { sheet: this.sheet, saved: !this.dirty, ...this.origin, tab: thisTab() });
    } catch {
      this.errorMessage = 'The model is too large for the storage of the browser: save it before you close the page.';
    }
  }
}

export const studio = new Studio();
