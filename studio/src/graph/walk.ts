// The way to a node of a zone graph in the simulator.
//
// The graph tells which edges are taken on the way, not which of the simulator's choices that is. So the way is walked
// in a simulation of its own: at every step the choice is taken whose edges are those of the graph, and if several are,
// the one that leads to where the graph says it does.

import * as api from '../api/client';
import type { ZoneGraph, ZoneGraphEdge, ZoneGraphNode, SimulationView } from '../api/types';

const keyOf = (pairs: readonly (readonly [number, number])[]): string => pairs.map(([process, edge]) => `${process}.${edge}`).sort().join(' ');

/** The choices that take the edges of a step. */
export function candidates(view: SimulationView, step: ZoneGraphEdge): number[] {
  const wanted = keyOf(step.taken);
  return view.choices.flatMap((choice, at) => (keyOf(choice.edges.map((one) => [one.process, one.edge] as const)) === wanted ? [at] : []));
}

const same = (one: readonly number[], other: readonly number[]): boolean => one.length === other.length && one.every((value, at) => value === other[at]);

/** Whether a simulation is where a node says. */
export function isAt(view: SimulationView, node: ZoneGraphNode): boolean {
  return same(view.locations, node.locations) && same(view.variables, node.variables);
}

async function stepTo(view: SimulationView, step: ZoneGraphEdge, node: ZoneGraphNode): Promise<SimulationView | null> {
  for (const choice of candidates(view, step)) {
    const next = await api.command(view.id, { command: { kind: 'step', choice, delay: null }, picture: null });
    if (next.refused === null && isAt(next, node)) return next;
    if (next.position > view.position) await api.command(view.id, { command: { kind: 'goto', position: view.position }, picture: null });
  }
  return null;
}

/** The path of choices along some edges of the graph, for an address; nothing if the simulator cannot go there. */
export async function pathOfChoices(hash: string, graph: ZoneGraph, edges: readonly number[]): Promise<string | null> {
  let view = await api.simulate(hash, { kind: 'initial', mode: 'symbolic' });
  const { id } = view;
  try {
    for (const at of edges) {
      const step = graph.edges[at];
      const node = graph.nodes[step?.to ?? -1];
      const next = step && node ? await stepTo(view, step, node) : null;
      if (!next) return null;
      view = next;
    }
    return (await api.path(id)).path;
  } finally {
    await api.forget(id).catch(() => undefined);
  }
}
