// Layout of a layered graph, from left to right: ranks are columns.
//
// Within a rank, nodes are put in the order of the mean place of their neighbours in the rank beside it, forth and back
// a few times, and the order with the fewest crossings stays [SugiyamaTagawaToda1981]. Edges that skip ranks lead back
// in a breadth-first tree; they have no say. Then every node is drawn towards the mean height of its neighbours. The
// heights of a rank that are nearest to what its nodes want, under its order and with the least distance kept, are found
// exactly: less the distance, they are an isotonic regression, which pooling neighbours that want to overtake each other
// solves in linear time. All of it costs a small number of passes over the edges, each with a logarithm for sorting.

import type { Shown } from './fold';
import type { Ends } from './tree';

const ORDER_PASSES = 4;
const HEIGHT_PASSES = 6;

/** The distances between the middles of nodes. */
export interface Spacing {
  /** Between ranks. */
  across: number;
  /** Between nodes of a rank. */
  down: number;
}

/** Where the middles of nodes are. Of a node that is not shown, nothing is said. */
export interface Placed {
  x: Float64Array;
  y: Float64Array;
}

/** Neighbours of each node in the rank before and in the rank after. */
interface Neighbours {
  before: number[][];
  after: number[][];
}

function neighboursOf(nodes: number, { ranks, standIn }: Shown, edges: readonly Ends[]): Neighbours {
  const rankOf = new Int32Array(nodes).fill(-9);
  ranks.forEach((rank, at) => rank.forEach((node) => (rankOf[node] = at)));
  const before = Array.from({ length: nodes }, (): number[] => []);
  const after = Array.from({ length: nodes }, (): number[] => []);
  for (const edge of edges) {
    const from = standIn[edge.from] ?? -1;
    const to = standIn[edge.to] ?? -1;
    const apart = (rankOf[to] ?? 0) - (rankOf[from] ?? 0);
    const [left, right] = apart === 1 ? [from, to] : [to, from];
    if (Math.abs(apart) !== 1) continue;
    after[left]?.push(right);
    before[right]?.push(left);
  }
  return { before, after };
}

function mean(list: readonly number[], of: Float64Array): number {
  let sum = 0;
  for (const one of list) sum += of[one] ?? 0;
  return sum / list.length;
}

/** Sorts a rank by the mean place of its neighbours; nodes without any stay where they are. */
function sortByMean(rank: number[], neighbours: readonly number[][], place: Float64Array): void {
  const wish = new Map(rank.map((node, at) => [node, neighbours[node]?.length ? mean(neighbours[node] ?? [], place) : at]));
  rank.sort((one, other) => (wish.get(one) ?? 0) - (wish.get(other) ?? 0));
  rank.forEach((node, at) => (place[node] = at));
}

/** How often edges between two neighbouring ranks cross, counted with a tree of sums. */
export function crossings(left: readonly number[], after: readonly number[][], place: Float64Array, width: number): number {
  const sums = new Int32Array(width + 1);
  let seen = 0;
  let found = 0;
  for (const node of left) {
    const places = (after[node] ?? []).map((to) => place[to] ?? 0).sort((one, other) => one - other);
    for (const at of places) {
      let notAbove = 0;
      for (let one = at + 1; one > 0; one -= one & -one) notAbove += sums[one] ?? 0;
      found += seen - notAbove;
    }
    for (const at of places) {
      for (let one = at + 1; one <= width; one += one & -one) sums[one] = (sums[one] ?? 0) + 1;
      seen += 1;
    }
  }
  return found;
}

function allCrossings(ranks: readonly number[][], neighbours: Neighbours, place: Float64Array): number {
  let found = 0;
  for (let at = 0; at + 1 < ranks.length; at += 1) found += crossings(ranks[at] ?? [], neighbours.after, place, ranks[at + 1]?.length ?? 0);
  return found;
}

/** The ranks in an order with few crossings. */
function ordered(given: readonly number[][], neighbours: Neighbours, nodes: number): number[][] {
  const place = new Float64Array(nodes);
  const ranks = given.map((rank) => [...rank]);
  for (const rank of ranks) rank.forEach((node, at) => (place[node] = at));
  let best = ranks.map((rank) => [...rank]);
  let fewest = allCrossings(ranks, neighbours, place);
  for (let pass = 0; pass < ORDER_PASSES && fewest > 0; pass += 1) {
    for (const rank of ranks.slice(1)) sortByMean(rank, neighbours.before, place);
    for (const rank of ranks.toReversed().slice(1)) sortByMean(rank, neighbours.after, place);
    const now = allCrossings(ranks, neighbours, place);
    if (now < fewest) [fewest, best] = [now, ranks.map((rank) => [...rank])];
  }
  return best;
}

/** The places nearest to those that are wished for, in order and at least so far apart: least squares. */
export function spreadOut(wishes: readonly number[], apart: number): number[] {
  const blocks: { sum: number; size: number }[] = [];
  wishes.forEach((wish, at) => {
    let block = { sum: wish - at * apart, size: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.size >= block.sum / block.size; last = blocks.at(-1)) {
      block = { sum: last.sum + block.sum, size: last.size + block.size };
      blocks.pop();
    }
    blocks.push(block);
  });
  return blocks.flatMap(({ sum, size }) => Array<number>(size).fill(sum / size)).map((place, at) => place + at * apart);
}

function settle(rank: readonly number[], wish: (node: number) => number, y: Float64Array, apart: number): void {
  spreadOut(rank.map(wish), apart).forEach((place, at) => (y[rank[at] ?? 0] = place));
}

/** Places what is shown of a graph with so many nodes. */
export function layout(nodes: number, what: Shown, edges: readonly Ends[], { across, down }: Spacing): Placed {
  const neighbours = neighboursOf(nodes, what, edges);
  const ranks = ordered(what.ranks, neighbours, nodes);
  const x = new Float64Array(nodes);
  const y = new Float64Array(nodes);
  ranks.forEach((rank, at) => rank.forEach((node, place) => {
    x[node] = at * across;
    y[node] = (place - (rank.length - 1) / 2) * down;
  }));
  const near = (lists: readonly number[][]) => (node: number): number => (lists[node]?.length ? mean(lists[node] ?? [], y) : (y[node] ?? 0));
  for (let pass = 0; pass < HEIGHT_PASSES; pass += 1) {
    for (const rank of ranks.toReversed()) settle(rank, near(neighbours.after), y, down);
    for (const rank of ranks) settle(rank, near(neighbours.before), y, down);
  }
  // The last word is of the ranks after, so that a node stands in the middle of what it leads to.
  for (const rank of ranks.toReversed()) settle(rank, near(neighbours.after), y, down);
  return { x, y };
}
