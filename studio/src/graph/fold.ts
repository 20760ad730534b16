// Folding: what lies below a folded node in the tree is not shown, and the node stands for all of it.

import type { Tree } from './tree';

/** What is shown of a tree. */
export interface Shown {
  /** The nodes that are shown, by rank, from left to right as the tree has them. */
  ranks: number[][];
  /** For each node itself, or the folded node that stands for it. */
  standIn: Int32Array;
  count: number;
}

export function shown(tree: Tree, folded: ReadonlySet<number>): Shown {
  const nodes = tree.rank.length;
  const standIn = new Int32Array(nodes).fill(-1);
  const ranks: number[][] = [];
  let count = 0;
  // Depth first, so that what belongs together stands together; with a stack of its own, since paths are long.
  const stack: number[] = [];
  for (let node = nodes - 1; node >= 0; node -= 1) if (tree.parent[node] === -1) stack.push(node);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const above = tree.parent[node] ?? -1;
    const hidden = above >= 0 && (folded.has(above) || standIn[above] !== above);
    standIn[node] = hidden ? (standIn[above] ?? -1) : node;
    if (!hidden) {
      (ranks[tree.rank[node] ?? 0] ??= []).push(node);
      count += 1;
    }
    stack.push(...(tree.children[node] ?? []).toReversed());
  }
  return { ranks, standIn, count };
}

/** What to fold so that nothing below a rank is shown. */
export function foldedAt(tree: Tree, rank: number): Set<number> {
  const folded = new Set<number>();
  tree.rank.forEach((one, node) => {
    if (one === rank && (tree.below[node] ?? 0) > 0) folded.add(node);
  });
  return folded;
}

/** The greatest rank down to which at most so many nodes are shown; at least 1. */
export function rankThatFits(tree: Tree, nodesMax: number): number {
  const widths = new Int32Array(tree.ranks);
  for (const rank of tree.rank) widths[rank] = (widths[rank] ?? 0) + 1;
  let sum = 0;
  for (let rank = 0; rank < tree.ranks; rank += 1) {
    sum += widths[rank] ?? 0;
    if (sum > nodesMax) return Math.max(1, rank - 1);
  }
  return tree.ranks;
}

/** The folds without those that hide a node. */
export function revealing(tree: Tree, folded: ReadonlySet<number>, node: number): Set<number> {
  const left = new Set(folded);
  for (let at = tree.parent[node] ?? -1; at >= 0; at = tree.parent[at] ?? -1) left.delete(at);
  return left;
}
