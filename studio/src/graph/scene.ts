// A zone graph ready to be drawn: what is shown, where, and what stands in the boxes.

import type { ZoneGraph, Network } from '../api/types';
import { LINE_CHARS, linesOf, type Line, type Wanted } from './boxes';
import { shown, type Shown } from './fold';
import { layout, type Placed } from './layout';
import type { Tree } from './tree';
import type { Box } from './view';

/** Sizes in the drawing, in pixels at full size. */
export const CHAR_WIDTH = 7.2;
export const LINE_HEIGHT = 16;
export const TYPE_SIZE = 12;
const PADDING = 8;
const ACROSS_MIN = 90;
const ACROSS_MAX = 700;
const DOWN = 14;

/** An edge between nodes that are shown; several that folding made one are drawn once. */
export interface Link {
  from: number;
  to: number;
  /** Its number in the graph: of the first, if it stands for several. */
  edge: number;
}

export interface Scene {
  graph: ZoneGraph;
  tree: Tree;
  shown: Shown;
  folded: ReadonlySet<number>;
  placed: Placed;
  links: Link[];
  /** From covered nodes to what covers them. */
  covers: Link[];
  lines: Map<number, Line[]>;
  width: number;
  height: number;
  /** Between the middles of ranks. */
  across: number;
  bounds: Box;
}

export function sceneOf(graph: ZoneGraph, network: Network, tree: Tree, folded: ReadonlySet<number>, wanted: Wanted): Scene {
  const what = shown(tree, folded);
  const lines = new Map(what.ranks.flat().map((node) => [node, linesOf(graph, network, tree, node, wanted)]));
  const most = Math.max(1, ...[...lines.values()].map((list) => list.length));
  const chars = Math.max(6, ...[...lines.values()].flat().map((line) => line.words.reduce((sum, word) => sum + word.text.length + 1, -1)));
  const width = Math.min(chars, LINE_CHARS + 2) * CHAR_WIDTH + 2 * PADDING;
  const height = most * LINE_HEIGHT + PADDING;
  const across = width + gap(what, height + DOWN);
  const placed = layout(graph.nodes.length, what, graph.edges, { across, down: height + DOWN });
  return { graph, tree, shown: what, folded, placed, lines, width, height, across, ...linksOf(graph, what), bounds: boundsOf(what, placed, width, height) };
}

/** The gap between ranks: wide if ranks are long, so that edges do not run along them and the whole is no needle. */
function gap({ ranks }: Shown, down: number): number {
  const longest = Math.max(1, ...ranks.map((rank) => rank.length));
  return Math.max(ACROSS_MIN, Math.min(ACROSS_MAX, (longest * down) / (2 * Math.max(ranks.length, 1))));
}

function linksOf(graph: ZoneGraph, { standIn }: Shown): { links: Link[]; covers: Link[] } {
  const seen = new Set<string>();
  const between = (ends: { from: number; to: number }, edge: number, kind: string): Link[] => {
    const [from, to] = [standIn[ends.from] ?? -1, standIn[ends.to] ?? -1];
    const isHidden = from < 0 || to < 0 || (from === to && ends.from !== ends.to);
    const key = `${kind} ${from} ${to}`;
    if (isHidden || seen.has(key)) return [];
    seen.add(key);
    return [{ from, to, edge }];
  };
  const links = graph.edges.flatMap((edge, at) => between(edge, at, 'edge'));
  const covers = graph.nodes.flatMap((node, at) => (node.covered_by === null ? [] : between({ from: at, to: node.covered_by }, -1, 'cover')));
  return { links, covers };
}

function boundsOf({ ranks }: Shown, { x, y }: Placed, width: number, height: number): Box {
  const box = { left: 0, top: 0, right: 0, bottom: 0 };
  for (const node of ranks.flat()) {
    box.left = Math.min(box.left, (x[node] ?? 0) - width / 2);
    box.right = Math.max(box.right, (x[node] ?? 0) + width / 2);
    box.top = Math.min(box.top, (y[node] ?? 0) - height / 2);
    box.bottom = Math.max(box.bottom, (y[node] ?? 0) + height / 2);
  }
  return box;
}

/** The box of a node. */
export function boxOf(scene: Scene, node: number): Box {
  const [x, y] = [scene.placed.x[node] ?? 0, scene.placed.y[node] ?? 0];
  return { left: x - scene.width / 2, right: x + scene.width / 2, top: y - scene.height / 2, bottom: y + scene.height / 2 };
}

/** The node at a place of the drawing. */
export function nodeAt(scene: Scene, x: number, y: number): number | null {
  const rank = scene.shown.ranks[Math.round(x / scene.across)] ?? [];
  const found = rank.find((node) => {
    const box = boxOf(scene, node);
    return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  });
  return found ?? null;
}

/** The node above or below one in its rank. */
export function beside(scene: Scene, node: number, by: number): number | null {
  const rank = [...(scene.shown.ranks[scene.tree.rank[node] ?? 0] ?? [])];
  rank.sort((one, other) => (scene.placed.y[one] ?? 0) - (scene.placed.y[other] ?? 0));
  return rank[rank.indexOf(node) + by] ?? null;
}
