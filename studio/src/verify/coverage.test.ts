// Tests of what of a template counts as reached.

import { describe, expect, test } from 'vitest';

import type { Coverage, Network, NetworkEdge, NetworkProcess, SheetTemplate } from '../api/types';
import { coverageOf, missing, processesOf } from './coverage';

const edge = (...drawn: number[]): NetworkEdge => ({ source: 0, target: 1, drawn });
const process = (template: number | null): NetworkProcess => ({
  name: 'P',
  template,
  locations: [{ name: 'a', drawn: 0 }, { name: 'b', drawn: 1 }, { name: 'c', drawn: null }],
  edges: [edge(0, 1), edge(0, 2)],
});
const network: Network = { processes: [process(0), process(1), process(0)], clocks: [], variables: [], variables_left_out: 0 };
const coverage: Coverage = {
  complete: true,
  why: '',
  locations: [[true, false, true], [true, true, true], [true, true, false]],
  edges: [[true, false], [true, true], [true, false]],
  findings: [],
  counts: { visited: 0, stored: 0, waiting: 0, transitions: 0, passed_bytes: 0, waiting_bytes: 0 },
};
const spot = { x: 0, y: 0 };
const location = (id: string, name: string) => ({ id, name, at: spot, name_at: spot, urgent: false, committed: false, colour: '', labels: [] });
const drawnEdge = (source: string, target: string, sync: string) => ({
  id: '', source, target, nails: [], colour: '', uncontrollable: false, action: '',
  labels: sync ? [{ kind: 'synchronisation', text: sync, at: spot, colour: '' }] : [],
});
const template: SheetTemplate = {
  name: 'T', parameters: '', declarations: '', name_at: null, parameters_at: null, initial: 'i0',
  locations: [location('i0', 'a'), location('i1', '')],
  branchpoints: [],
  edges: [drawnEdge('i0', 'b0', ''), drawnEdge('b0', 'i1', 'go!'), drawnEdge('i0', 'i1', 'stop?')],
};

describe('coverage of a template', () => {
  test('is that of all its processes together', () => {
    expect(processesOf(network, 0)).toEqual([0, 2]);
    const all = coverageOf(network, coverage, [0, 2]);
    expect(all.locations).toEqual({ covered: new Set([0, 1]), uncovered: new Set() });
    expect(all.edges).toEqual({ covered: new Set([0, 1]), uncovered: new Set([2]) });
  });

  test('is that of one process if one is looked at', () => {
    const one = coverageOf(network, coverage, [0]);
    expect(one.locations.uncovered).toEqual(new Set([1]));
  });

  test('says in words what is missing', () => {
    const one = coverageOf(network, coverage, [0]);
    expect(missing(template, one)).toEqual([
      { kind: 'location', at: 1, text: 'location 2' },
      { kind: 'edge', at: 2, text: 'a → location 2, stop?' },
    ]);
    expect(missing(template, { ...one, edges: { covered: new Set(), uncovered: new Set([1]) } }).at(-1)?.text).toBe('(branch point) → location 2, go!');
  });
});
