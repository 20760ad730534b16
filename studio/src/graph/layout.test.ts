// Tests of trees, folding and layout.

import { describe, expect, test } from 'vitest';

import { foldedAt, rankThatFits, revealing, shown } from './fold';
import { crossings, layout, spreadOut } from './layout';
import { pathTo, treeOf, type Ends } from './tree';

const SPACING = { across: 200, down: 50 };

/** Numbers below 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A graph whose nodes are all reached from the first. */
function randomGraph(seed: number, nodes: number, edges: number): Ends[] {
  const next = numbers(seed);
  const tree = Array.from({ length: nodes - 1 }, (_, at) => ({ from: Math.floor(next() * Math.min(at + 1, at / 2 + 4)), to: at + 1 }));
  const others = Array.from({ length: edges - tree.length }, () => ({ from: Math.floor(next() * nodes), to: Math.floor(next() * nodes) }));
  return [...tree.map(({ from, to }) => ({ from: Math.min(from, to - 1), to })), ...others];
}

const line: Ends[] = [{ from: 0, to: 1 }, { from: 1, to: 2 }, { from: 0, to: 3 }, { from: 2, to: 0 }];

describe('the tree', () => {
  test('has shortest paths', () => {
    const tree = treeOf(4, line);
    expect([...tree.rank]).toEqual([0, 1, 2, 1]);
    expect([...tree.parent]).toEqual([-1, 0, 1, 0]);
    expect([...tree.below]).toEqual([3, 1, 0, 0]);
    expect(pathTo(tree, 2)).toEqual([0, 1]);
    expect(pathTo(tree, 0)).toEqual([]);
  });

  test('holds nodes that nothing leads to', () => expect([...treeOf(3, []).rank]).toEqual([0, 0, 0]));
  test('of nothing is empty', () => expect(treeOf(0, []).ranks).toBe(0));
});

describe('folding', () => {
  const tree = treeOf(4, line);

  test('hides what lies below', () => {
    const some = shown(tree, new Set([1]));
    expect(some.ranks).toEqual([[0], [1, 3]]);
    expect([...some.standIn]).toEqual([0, 1, 1, 3]);
    expect(some.count).toBe(3);
  });

  test('within what is folded hides nothing more, and shows again what was folded', () => {
    expect([...shown(tree, new Set([0, 1])).standIn]).toEqual([0, 0, 0, 0]);
    expect([...revealing(tree, new Set([0, 1]), 2)]).toEqual([]);
    expect([...revealing(tree, new Set([0, 1]), 1)]).toEqual([1]);
  });

  test('below a rank leaves nothing below it', () => {
    expect(shown(tree, foldedAt(tree, 1)).ranks).toHaveLength(2);
    expect(rankThatFits(tree, 3)).toBe(1);
    expect(rankThatFits(tree, 100)).toBe(tree.ranks);
  });

  test('of a path of 100,000 nodes works', () => {
    const path = treeOf(100_000, Array.from({ length: 99_999 }, (_, at) => ({ from: at, to: at + 1 })));
    expect(shown(path, new Set()).count).toBe(100_000);
  });
});

describe('heights', () => {
  test('that fit stay', () => expect(spreadOut([0, 10, 30], 10)).toEqual([0, 10, 30]));
  test('that collide are spread around their middle', () => expect(spreadOut([5, 5, 5], 10)).toEqual([-5, 5, 15]));
  test('keep their order', () => expect(spreadOut([10, 0], 10)).toEqual([0, 10]));
  test('of no node are none', () => expect(spreadOut([], 10)).toEqual([]));
});

describe('crossings', () => {
  const place = Float64Array.from([0, 1, 0, 1]);
  test('are counted', () => {
    expect(crossings([0, 1], [[2], [3], [], []], place, 2)).toBe(0);
    expect(crossings([0, 1], [[3], [2], [], []], place, 2)).toBe(1);
    expect(crossings([0, 1], [[2, 3], [2, 3], [], []], place, 2)).toBe(1);
  });
});

describe('the layout', () => {
  test('untangles what can be untangled', () => {
    const edges = [{ from: 0, to: 1 }, { from: 0, to: 2 }, { from: 1, to: 4 }, { from: 2, to: 3 }];
    const { y } = layout(5, shown(treeOf(5, edges), new Set()), edges, SPACING);
    expect(Math.sign((y[1] ?? 0) - (y[2] ?? 0))).toBe(Math.sign((y[4] ?? 0) - (y[3] ?? 0)));
    expect(y[0]).toBeCloseTo(((y[1] ?? 0) + (y[2] ?? 0)) / 2);
  });

  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`of random graphs overlaps nowhere (seed ${seed})`, () => {
      const edges = randomGraph(seed, 300, 600);
      const tree = treeOf(300, edges);
      const what = shown(tree, seed % 2 ? new Set() : foldedAt(tree, 3));
      const { x, y } = layout(300, what, edges, SPACING);
      what.ranks.forEach((rank, at) => {
        const heights = rank.map((node) => y[node] ?? NaN).sort((one, other) => one - other);
        expect(rank.every((node) => x[node] === at * SPACING.across)).toBe(true);
        expect(heights.every(Number.isFinite)).toBe(true);
        for (let one = 1; one < heights.length; one += 1) expect((heights[one] ?? 0) - (heights[one - 1] ?? 0)).toBeGreaterThan(SPACING.down - 1e-6);
      });
    });
  }

  test('is the same every time', () => {
    const edges = randomGraph(99, 200, 400);
    const what = shown(treeOf(200, edges), new Set());
    expect(layout(200, what, edges, SPACING)).toEqual(layout(200, what, edges, SPACING));
  });

  test('of 2,000 nodes and 5,000 edges has a place for each', () => {
    const edges = randomGraph(7, 2000, 5000);
    const { x, y } = layout(2000, shown(treeOf(2000, edges), new Set()), edges, SPACING);
    expect(new Set(Array.from(x, (across, node) => `${across} ${y[node]?.toFixed(3)}`)).size).toBe(2000);
  });
});
