// Keys and what they do. Views register theirs while they are shown; the overlay of help lists what is registered.

import { untrack } from 'svelte';

/** A key and what it does. */
export interface Binding {
  /** Such as `Ctrl+Z`, `Shift+ArrowLeft`, `?`. `Ctrl` is the command key on a Mac. */
  keys: string;
  /** What it does, for the overlay. */
  does: string;
  run: (event: KeyboardEvent) => void;
  /** Whether it also works while a text is being edited. */
  inText?: boolean;
}

interface Group {
  title: string;
  bindings: readonly Binding[];
}

let groups = $state.raw<readonly Group[]>([]);

/** The bindings of the views that are shown, by title. */
export function bindings(): readonly Group[] {
  return groups;
}

/** Registers bindings; call in `$effect` and return what it returns. */
export function bind(title: string, list: Binding[]): () => void {
  const group = { title, bindings: list };
  // An effect that binds must not run again because others bind.
  untrack(() => (groups = [...groups, group]));
  return () => untrack(() => (groups = groups.filter((other) => other !== group)));
}

/** A key event in the words of a binding. */
export function wordsOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shifted = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key));
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shifted ? 'Shift+' : ''}${key}`;
}

function isText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(button|checkbox|radio|range|file)$/.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Whether the focused control itself answers to the key, as a button does to Enter. */
function isForControl(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' && event.key !== ' ') return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return event.target instanceof HTMLElement && event.target.closest('button, a, summary, [role=menuitem]') !== null;
}

/** Does what a key is bound to; later groups go first. */
export function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || isForControl(event) || document.querySelector('dialog[open]')) return;
  const words = wordsOf(event);
  const text = isText(event.target);
  for (const group of [...groups].reverse()) {
    const binding = group.bindings.find((one) => one.keys === words && (!text || one.inText));
    if (binding) {
      event.preventDefault();
      binding.run(event);
      return;
    }
  }
}
