// Some of the pieces of a template.

import type { SheetTemplate } from '../api/types';

/** Places in the lists of a template, in the order in which they are drawn. */
export interface Only {
  locations: number[];
  branchpoints: number[];
  edges: number[];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** How many of each are drawn at most: a browser would stand still for larger templates, and nobody could read them. */
const NODES_MAX = 2000;
const EDGES_MAX = 5000;

/** All of a template, as far as it can be drawn. */
export function all(template: SheetTemplate): Only {
  return {
    locations: upTo(Math.min(NODES_MAX, template.locations.length)),
    branchpoints: upTo(Math.min(NODES_MAX, template.branchpoints.length)),
    edges: upTo(Math.min(EDGES_MAX, template.edges.length)),
  };
}

/** That not all of a template is drawn, in a sentence; nothing if it is. */
export function left(template: SheetTemplate): string {
  const [locations, edges] = [template.locations.length, template.edges.length];
  if (locations <= NODES_MAX && edges <= EDGES_MAX && template.branchpoints.length <= NODES_MAX) return '';
  const shown = `${Math.min(locations, NODES_MAX)} of ${locations} locations and ${Math.min(edges, EDGES_MAX)} of ${edges} edges`;
  return `Too large to draw completely: ${shown} are shown.`;
}
