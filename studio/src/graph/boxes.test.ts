// Tests of what stands in boxes, and of searching them.

import { describe, expect, test } from 'vitest';

import type { ZoneGraph, Network } from '../api/types';
import { inWords, LINE_CHARS, linesOf, search, wrapped } from './boxes';
import { treeOf } from './tree';

const process = (name: string) => ({
  name, template: 0, edges: [], locations: [{ name: 'Safe', drawn: 0 }, { name: 'Cross', drawn: 1 }],
});
const network: Network = { processes: [process('Train(0)'), process('Train(1)')], clocks: ['x'], variables: ['len', 'id'], variables_left_out: 0 };
const graph: ZoneGraph = {
  nodes: [
    { locations: [0, 0], variables: [0, 3], zone: ['x ≥ 0'], covered_by: null, expanded: true },
    { locations: [0, 1], variables: [1, 3], zone: ['x ≤ 5', 'x ≥ 1'], covered_by: 0, expanded: false },
  ],
  edges: [{ from: 0, to: 1, taken: [[1, 0]], label: 'go' }],
  complete: true,
  why: '',
};
const tree = treeOf(2, graph.edges);
const words = (text: string) => text.split(' ').map((one) => ({ text: one, changed: false }));
const plain = (lines: ReturnType<typeof linesOf>) => lines.map((line) => line.words.map((word) => word.text + (word.changed ? '*' : '')).join(' '));

describe('boxes', () => {
  test('say where processes are, and what changed', () => {
    expect(plain(linesOf(graph, network, tree, 0, { variables: true, zones: false }))).toEqual(['Safe Safe', 'id=3']);
    expect(plain(linesOf(graph, network, tree, 1, { variables: true, zones: true }))).toEqual(['Safe Cross*', 'len=1* id=3', 'x ≤ 5 x ≥ 1']);
    expect(inWords(graph, network, 1)).toBe('Node 1: Safe, Cross, covered by node 0');
  });

  test('have lines that are not too long, and not too many', () => {
    const lines = wrapped(words('abcdefghijkl mnopqrstuvwx yz0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh q'), 'locations', 2);
    expect(plain(lines)).toEqual(['abcdefghijkl mnopqrstuvwx', 'yz0123456789 …']);
    expect(plain(wrapped([{ text: 'x'.repeat(100_000), changed: false }], 'locations', 2))[0]).toHaveLength(LINE_CHARS);
  });
});

describe('searching', () => {
  test('finds locations with and without their processes, and numbers', () => {
    expect(search(graph, network, 'safe')).toEqual([0, 1]);
    expect(search(graph, network, 'Train(1).Cross')).toEqual([1]);
    expect(search(graph, network, '#1')).toEqual([1]);
    expect(search(graph, network, '#7')).toEqual([]);
    expect(search(graph, network, ' ')).toEqual([]);
  });
});
