// Questions to the person, one at a time, and short messages that ask nothing.

import type { Told } from '../api/types';

/** One of the answers. */
export interface Answer {
  /** What `ask` resolves to. */
  value: string;
  /** What the button says. */
  text: string;
  primary?: boolean;
}

export interface Question {
  title: string;
  text: string;
  /** Diagnostics that the question is about. */
  told?: readonly Told[];
  answers: readonly Answer[];
}

interface Asked extends Question {
  done: (value: string | null) => void;
}

let asked = $state.raw<Asked | null>(null);

/** The question that is being asked. */
export function question(): Asked | null {
  return asked;
}

/** Asks; the value of the answer, or nothing if the question was left with Escape. A later question takes its place. */
export function ask(what: Question): Promise<string | null> {
  asked?.done(null);
  return new Promise((resolve) => {
    asked = {
      ...what,
      done: (value) => {
        asked = null;
        resolve(value);
      },
    };
  });
}

/** A message that asks nothing. */
export interface Notice {
  text: string;
  actions: readonly { text: string; run: () => void }[];
}

const PASSES_AFTER_MS = 5000;

let shown = $state.raw<Notice | null>(null);
let passing: ReturnType<typeof setTimeout> | undefined;

export function notice(): Notice | null {
  return shown;
}

/** Says something. What offers nothing to do goes away by itself. */
export function notify(text: string, actions: Notice['actions'] = []): void {
  clearTimeout(passing);
  shown = { text, actions };
  if (actions.length === 0) passing = setTimeout(dismiss, PASSES_AFTER_MS);
}

export function dismiss(): void {
  clearTimeout(passing);
  shown = null;
}
