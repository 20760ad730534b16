// What stands in the boxes of a zone graph, as lines of few characters. The type has one width, so that a box is as wide
// as its longest line has characters.

import type { ZoneGraph, Network } from '../api/types';
import { shortened } from '../ui/format';
import type { Tree } from './tree';

export const LINE_CHARS = 26;
const LOCATION_LINES = 3;
const ZONE_LINES = 3;

/** A piece of a line; what differs from the node before is marked. */
export interface Word {
  text: string;
  changed: boolean;
}

/** A line of a box. */
export interface Line {
  kind: 'locations' | 'variables' | 'zone';
  words: Word[];
}

/** What is written into boxes beside locations. */
export interface Wanted {
  variables: boolean;
  zones: boolean;
}

/** Puts words into lines, at most so many; what does not fit is an ellipsis. */
export function wrapped(words: readonly Word[], kind: Line['kind'], linesMax: number): Line[] {
  const lines: Line[] = [];
  let length = Infinity;
  for (const word of words) {
    const text = shortened(word.text, LINE_CHARS);
    if (length + 1 + text.length > LINE_CHARS) {
      if (lines.length === linesMax) {
        lines.at(-1)?.words.push({ text: '…', changed: false });
        break;
      }
      lines.push({ kind, words: [] });
      length = -1;
    }
    lines.at(-1)?.words.push({ ...word, text });
    length += 1 + text.length;
  }
  return lines;
}

/** The name of the location of a process in a node. */
export function locationName(network: Network, process: number, location: number): string {
  return network.processes[process]?.locations[location]?.name || `location ${location + 1}`;
}

/** The lines of the box of a node. */
export function linesOf(graph: ZoneGraph, network: Network, tree: Tree, node: number, wanted: Wanted): Line[] {
  const here = graph.nodes[node];
  const before = graph.nodes[tree.parent[node] ?? -1];
  if (!here) return [];
  const locations = here.locations.map((location, process) => ({
    text: locationName(network, process, location),
    changed: before !== undefined && before.locations[process] !== location,
  }));
  const variables = here.variables.map((value, at) => ({
    text: `${network.variables[at] ?? at}=${value}`,
    changed: before !== undefined && before.variables[at] !== value,
    zero: value === 0,
  }));
  // One line is all that variables get: those that changed come first, and zeros say least.
  const important = [...variables.filter((one) => one.changed), ...variables.filter((one) => !one.changed && !one.zero)];
  return [
    ...wrapped(locations, 'locations', LOCATION_LINES),
    ...(wanted.variables ? wrapped(important, 'variables', 1) : []),
    ...(wanted.zones ? wrapped(here.zone.map((text) => ({ text, changed: false })), 'zone', ZONE_LINES) : []),
  ];
}

/** A node in one sentence, for those who cannot see the picture. */
export function inWords(graph: ZoneGraph, network: Network, node: number): string {
  const here = graph.nodes[node];
  if (!here) return '';
  const locations = here.locations.slice(0, 12).map((location, process) => locationName(network, process, location));
  const covered = here.covered_by === null ? '' : `, covered by node ${here.covered_by}`;
  return `Node ${node}: ${locations.map((name) => shortened(name, 40)).join(', ')}${covered}`;
}

/** Nodes in which some process is in a location whose name contains a text, with or without its process; or `#12`. */
export function search(graph: ZoneGraph, network: Network, text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const number = /^#(\d+)$/.exec(wanted);
  if (number) return Number(number[1]) < graph.nodes.length ? [Number(number[1])] : [];
  const hits = network.processes.map((process) =>
    process.locations.map(({ name }) => `${process.name}.${name}`.toLowerCase().includes(wanted)),
  );
  return graph.nodes.flatMap((node, at) => (node.locations.some((location, process) => hits[process]?.[location]) ? [at] : []));
}
