// What of a template was reached, from what of its processes was.
//
// A template is drawn once and instantiated many times. Something of it counts as reached if it was in any of the
// processes that are looked at, be that all of them or one.

import type { Coverage, Network, SheetTemplate } from '../api/types';

/** What was reached of a drawn template. */
export interface TemplateCoverage {
  /** The numbers of its processes that are looked at. */
  processes: number[];
  locations: { covered: Set<number>; uncovered: Set<number> };
  edges: { covered: Set<number>; uncovered: Set<number> };
}

/** The processes that are made of a template. */
export function processesOf(network: Network, template: number): number[] {
  return network.processes.flatMap((process, at) => (process.template === template ? [at] : []));
}

/** What was reached of a template by some of its processes. What no process has, is in neither set. */
export function coverageOf(network: Network, coverage: Coverage, processes: readonly number[]): TemplateCoverage {
  const locations = { covered: new Set<number>(), uncovered: new Set<number>() };
  const edges = { covered: new Set<number>(), uncovered: new Set<number>() };
  for (const at of processes) {
    const process = network.processes[at];
    process?.locations.forEach(({ drawn }, location) => {
      if (drawn !== null) (coverage.locations[at]?.[location] ? locations.covered : locations.uncovered).add(drawn);
    });
    process?.edges.forEach(({ drawn }, edge) => {
      for (const one of drawn) (coverage.edges[at]?.[edge] ? edges.covered : edges.uncovered).add(one);
    });
  }
  for (const { covered, uncovered } of [locations, edges]) for (const one of covered) uncovered.delete(one);
  return { processes: [...processes], locations, edges };
}

/** Something of a template that was never reached or taken, in words. */
export interface Missing {
  kind: 'location' | 'edge';
  /** Its number in the template. */
  at: number;
  text: string;
}

/** What was never reached of a template, in the order of its lists. */
export function missing(template: SheetTemplate, reached: TemplateCoverage): Missing[] {
  const nameOf = (id: string): string => {
    const at = template.locations.findIndex((location) => location.id === id);
    return at < 0 ? '(branch point)' : template.locations[at]?.name || `location ${at + 1}`;
  };
  const locations = [...reached.locations.uncovered].sort((one, other) => one - other).map((at): Missing => {
    return { kind: 'location', at, text: template.locations[at]?.name || `location ${at + 1}` };
  });
  const edges = [...reached.edges.uncovered].sort((one, other) => one - other).map((at): Missing => {
    const edge = template.edges[at];
    const sync = edge?.labels.find((label) => label.kind === 'synchronisation')?.text.trim() ?? '';
    const ends = `${nameOf(edge?.source ?? '')} → ${nameOf(edge?.target ?? '')}`;
    return { kind: 'edge', at, text: sync ? `${ends}, ${sync}` : ends };
  });
  return [...locations, ...edges];
}
