// The coverage and the zone graph that were made last, with the model that they are of. They outlive their views.

import type { Body, Coverage, ZoneGraph, Network, SheetTemplate } from '../api/types';
import { studio } from '../model/studio.svelte';
import { Running } from './running.svelte';

/** Something made of a model. */
interface Made<T> {
  what: T;
  body: Body;
  /** Which of the models that were opened it is of. */
  opened: number;
  network: Network;
  /** The templates that the network's processes are of, drawn or pictured. */
  templates: readonly SheetTemplate[];
  hash: string;
}

class Exploration<K extends 'coverage' | 'graph', T extends { coverage: Coverage; graph: ZoneGraph }[K]> {
  readonly running = new Running();
  #made = $state.raw<Made<T> | null>(null);

  constructor(private readonly kind: K) {}

  /** What was made of the model that is shown, if it was. */
  get made(): Made<T> | null {
    return this.#made && this.#made.opened === studio.opened ? this.#made : null;
  }

  /** Whether that is of the model as it is now. */
  get isCurrent(): boolean {
    return this.#made?.body === studio.sheet?.body;
  }

  /** Makes it of the model as it is now. */
  async make(question: Parameters<Running['start']>[0]): Promise<void> {
    await this.running.start(question, (event, { sheet, examined, opened }) => {
      const { network, hash } = examined;
      if (event.kind !== this.kind || !network) return;
      const { body } = sheet;
      const templates = body.kind === 'drawn' ? body.templates : examined.picture;
      this.#made = { what: event as unknown as T, body, opened, network, templates, hash };
    });
  }
}

export const coverageRun = new Exploration<'coverage', Coverage>('coverage');
export const graphRun = new Exploration<'graph', ZoneGraph>('graph');
