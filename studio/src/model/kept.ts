// Unsaved work in the browser, so that it survives a reload.
//
// All tabs of a server share one place for a file. A tab that has nothing to lose leaves alone what another tab put there
// and has not saved; of two that both have, the one that wrote last is kept.

import type { Sheet } from '../api/types';

/** What is kept. */
export interface Kept {
  sheet: Sheet;
  /** Whether it is what the file holds. */
  saved: boolean;
  /** Whether it is the file that the server was started with. */
  isFile: boolean;
  stamp: string;
  /** The tab that put it there. */
  tab: string;
}

const KEPT = 'tourbillon.work/';
const TAB = 'tourbillon.tab';

/** Where the work on a file is kept: files of the same name in other folders have places of their own. */
export function slotOf(file: { key: string } | null | undefined): string {
  return `${KEPT}${file?.key ?? ''}`;
}

/** What this tab is called, also after a reload. */
export function thisTab(): string {
  const known = sessionStorage.getItem(TAB);
  if (known) return known;
  const tab = crypto.randomUUID();
  sessionStorage.setItem(TAB, tab);
  return tab;
}

/** What is kept in a slot, if it can be read. */
export function keptIn(slot: string): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(slot) ?? 'null') as Kept | null;
    return kept?.sheet?.body ? kept : null;
  } catch {
    return null;
  }
}

/** Keeps work in a slot, or empties it if the file holds the work. Throws if there is no room. */
export function keepIn(slot: string, work: Kept): void {
  if (work.saved) {
    const there = keptIn(slot);
    if (there && !there.saved && there.tab !== work.tab) return;
  }
  if (work.saved && work.isFile) localStorage.removeItem(slot);
  else localStorage.setItem(slot, JSON.stringify(work));
}
