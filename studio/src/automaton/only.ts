// Some of the pieces of a template.

import type { SheetTemplate } from '../api/types';

/** Places in the lists of a template, in the order in which they are drawn. */
export interface Only {
  locations: number[];
  branchpoints: number[];
  edges: number[];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** All of a template. */
export function all(template: SheetTemplate): Only {
  return {
    locations: upTo(template.locations.length),
    branchpoints: upTo(template.branchpoints.length),
    edges: upTo(template.edges.length),
  };
}
