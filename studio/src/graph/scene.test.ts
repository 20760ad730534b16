// Tests of what is drawn of a graph, and of the way to it in the simulator.

import { describe, expect, test } from 'vitest';

import type { ZoneGraph, ZoneGraphNode, Network, SimulationChoice, SimulationView } from '../api/types';
import { beside, boxOf, nodeAt, sceneOf } from './scene';
import { treeOf } from './tree';
import { candidates, isAt } from './walk';

const process = { name: 'P', template: 0, edges: [], locations: [{ name: 'A', drawn: 0 }, { name: 'B', drawn: 1 }] };
const network: Network = { processes: [process], clocks: [], variables: [], variables_left_out: 0 };
const node = (location: number, covered_by: number | null = null): ZoneGraphNode => ({ locations: [location], variables: [], zone: [], covered_by, expanded: true });
const edge = (from: number, to: number) => ({ from, to, taken: [[0, 1], [2, 3]] as [number, number][], label: '' });
const graph: ZoneGraph = {
  nodes: [node(0), node(1), node(1), node(0, 0), node(1, 2)],
  edges: [edge(0, 1), edge(0, 2), edge(1, 3), edge(1, 4), edge(1, 1)],
  complete: true,
  why: '',
};
const tree = treeOf(graph.nodes.length, graph.edges);
const wanted = { variables: true, zones: true };

describe('a scene', () => {
  test('links what is shown, and covered nodes to what covers them', () => {
    const scene = sceneOf(graph, network, tree, new Set(), wanted);
    expect(scene.links.map(({ from, to }) => `${from}-${to}`)).toEqual(['0-1', '0-2', '1-3', '1-4', '1-1']);
    expect(scene.covers.map(({ from, to }) => `${from}-${to}`)).toEqual(['3-0', '4-2']);
  });

  test('links the node that stands for folded ones', () => {
    const scene = sceneOf(graph, network, tree, new Set([1]), wanted);
    expect(scene.links.map(({ from, to }) => `${from}-${to}`)).toEqual(['0-1', '0-2', '1-1']);
    expect(scene.covers.map(({ from, to }) => `${from}-${to}`)).toEqual(['1-0', '1-2']);
    expect(scene.shown.count).toBe(3);
  });

  test('finds nodes by their places, and those beside them', () => {
    const scene = sceneOf(graph, network, tree, new Set(), wanted);
    for (const at of graph.nodes.keys()) {
      const box = boxOf(scene, at);
      expect(nodeAt(scene, (box.left + box.right) / 2, (box.top + box.bottom) / 2)).toBe(at);
      expect(nodeAt(scene, box.left - 2, box.top)).toBeNull();
    }
    const [above, below] = (scene.placed.y[1] ?? 0) < (scene.placed.y[2] ?? 0) ? [1, 2] : [2, 1];
    expect(beside(scene, above, 1)).toBe(below);
    expect(beside(scene, above, -1)).toBeNull();
  });
});

describe('the way in the simulator', () => {
  const choice = (...edges: [number, number][]): SimulationChoice => ({
    label: '', delays: [], zone: [], edges: edges.map(([process, edge]) => ({ process, edge, channel: '', direction: '', selects: [] })),
  });
  const view = { choices: [choice([0, 1]), choice([2, 3], [0, 1]), choice([0, 1], [2, 3])], locations: [1], variables: [4] } as unknown as SimulationView;

  test('takes the same edges, in whatever order they are told', () => expect(candidates(view, edge(0, 1))).toEqual([1, 2]));
  test('leads where the graph says', () => {
    expect(isAt(view, { ...node(1), variables: [4] })).toBe(true);
    expect(isAt(view, { ...node(1), variables: [5] })).toBe(false);
    expect(isAt(view, { ...node(0), variables: [4] })).toBe(false);
  });
});
