// Which automata are shown, and what is marked on them: a card for each process, or one for each template with the
// tokens of all its processes.

import type { Network, SheetTemplate, SimulationView, TakenEdge } from '../api/types';
import type { AutomatonMarks } from '../automaton/marks';
import { shown } from './text';

/** A picture of a template, with the processes that are shown on it. */
export interface Card {
  key: string;
  title: string;
  template: SheetTemplate;
  processes: number[];
}

export type Arrangement = 'processes' | 'templates';

const CARDS_USUAL = 3;

/** What to show first: each process for itself if these are few, or have nothing in common. */
export function usualArrangement(network: Network): Arrangement {
  const templates = new Set(network.processes.map((process) => process.template));
  const count = network.processes.length;
  return count <= CARDS_USUAL || templates.size === count ? 'processes' : 'templates';
}

/** The cards of the processes that are not hidden. */
export function cards(
  network: Network,
  templates: readonly SheetTemplate[],
  arrangement: Arrangement,
  hidden: ReadonlySet<number>,
): Card[] {
  const list: Card[] = [];
  const byTemplate = new Map<number, Card>();
  network.processes.forEach((process, at) => {
    const template = process.template === null ? undefined : templates[process.template];
    if (!template || process.template === null || hidden.has(at)) return;
    const known = byTemplate.get(process.template);
    if (arrangement === 'templates' && known) {
      known.processes.push(at);
      known.title = `${shown(template.name, 40)} × ${known.processes.length}`;
      return;
    }
    const card = { key: `${arrangement} ${at}`, title: shown(process.name, 60), template, processes: [at] };
    byTemplate.set(process.template, card);
    list.push(card);
  });
  return list;
}

/** The marks of a card. `pointed` are the edges that would be taken by what is pointed at. */
export function marksOf(card: Card, network: Network, view: SimulationView, pointed: readonly TakenEdge[]): AutomatonMarks {
  const tokens = new Map<number, string[]>();
  for (const at of card.processes) {
    const process = network.processes[at];
    const drawn = process?.locations[view.locations[at] ?? -1]?.drawn;
    if (process === undefined || drawn === undefined || drawn === null) continue;
    // The title of a card of a single process says whose the token is.
    const name = card.processes.length === 1 ? '' : shown(process.name, 24);
    tokens.set(drawn, [...(tokens.get(drawn) ?? []), name]);
  }
  const edges = (taken: readonly (readonly [number, number])[]): Set<number> =>
    new Set(
      taken
        .filter(([process]) => card.processes.includes(process))
        .flatMap(([process, edge]) => network.processes[process]?.edges[edge]?.drawn ?? []),
    );
  return { tokens, lit: edges(pointed.map((edge) => [edge.process, edge.edge])), taken: edges(view.changed.edges) };
}
