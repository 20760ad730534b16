// What was asked of the model and what came out. It outlives the view, so that a run goes on while somebody looks elsewhere.
//
// An answer belongs to a formula and to the model it was asked of. The body of a sheet is never changed in place, so
// an answer is old exactly if the body is another object; undoing the change makes it valid again.

import type { Body, Finding, RunEvent, Told } from '../api/types';
import { studio, type Known } from '../model/studio.svelte';
import { Running } from './running.svelte';

/** An answer, or why there is none. */
export interface Answer {
  finding: Finding | null;
  /** Why there is no answer. */
  refused: string;
  diagnostics: readonly Told[];
  /** The answer that was expected when it was asked. */
  expected: string;
  body: Body;
  /** Which of the models that were opened it is about. */
  opened: number;
}

/** What is to be asked: a query of the sheet, or labels. */
export interface Asked {
  /** The formula, or the labels. */
  text: string;
  expected: string;
}

/** How a question stands. */
export type Standing = 'none' | 'queued' | 'running' | 'satisfied' | 'violated' | 'unknown' | 'refused';

class Verification {
  readonly running = new Running();
  #answers = $state.raw<ReadonlyMap<string, Answer>>(new Map());
  /** The questions of the run that goes on, by their numbers in the sheet. */
  #asked = $state.raw<ReadonlyMap<number, Asked>>(new Map());
  /** Those of them that are answered. */
  #done = $state.raw<ReadonlySet<string>>(new Set());

  /** What is known about a formula, if it was asked of this model. */
  answer(text: string): Answer | null {
    const found = this.#answers.get(text);
    return found && found.opened === studio.opened ? found : null;
  }

  /** Whether an answer is one about the model as it is now. */
  isCurrent(answer: Answer): boolean {
    return answer.body === studio.sheet?.body;
  }

  standing(text: string): Standing {
    if (this.running.busy) {
      const asked = [...this.#asked].find(([, one]) => one.text === text);
      if (asked && !this.#done.has(text)) return this.running.progress?.query === asked[0] ? 'running' : 'queued';
    }
    const answer = this.answer(text);
    if (!answer) return 'none';
    return answer.finding ? (answer.finding.verdict as Standing) : 'refused';
  }

  /** Asks queries of the sheet. Those without a formula are headings. */
  async queries(numbers: readonly number[]): Promise<void> {
    const sheet = studio.sheet;
    const asked = new Map<number, Asked>();
    for (const number of numbers) {
      const query = sheet?.queries[number];
      if (query && query.formula.trim() !== '') asked.set(number, { text: query.formula, expected: query.expected });
    }
    if (asked.size > 0) await this.#ask(asked, { kind: 'queries', queries: [...asked.keys()] });
  }

  /** Asks whether a state can be reached that carries all of these labels, separated by commas. */
  async labels(text: string): Promise<void> {
    const labels = text.split(',').map((label) => label.trim()).filter((label) => label !== '');
    if (labels.length > 0) await this.#ask(new Map([[0, { text, expected: '' }]]), { kind: 'labels', labels });
  }

  async #ask(asked: ReadonlyMap<number, Asked>, question: Parameters<Running['start']>[0]): Promise<void> {
    if (this.running.busy) return;
    this.#asked = asked;
    this.#done = new Set();
    await this.running.start(question, (event, known) => this.#hear(event, known));
  }

  #hear(event: RunEvent, known: Known): void {
    if (event.kind === 'found') {
      this.#note(event.query ?? 0, known, { finding: event, refused: '', diagnostics: event.diagnostics });
    } else if (event.kind === 'refused') {
      const numbers = event.query === null ? [...this.#asked.keys()] : [event.query];
      for (const number of numbers) this.#note(number, known, { finding: null, refused: event.message, diagnostics: event.diagnostics });
    }
  }

  #note(number: number, { sheet, opened }: Known, answer: Pick<Answer, 'finding' | 'refused' | 'diagnostics'>): void {
    const asked = this.#asked.get(number);
    if (!asked || this.#done.has(asked.text)) return;
    this.#done = new Set([...this.#done, asked.text]);
    this.#answers = new Map(this.#answers).set(asked.text, { ...answer, expected: asked.expected, body: sheet.body, opened });
  }
}

export const verification = new Verification();
