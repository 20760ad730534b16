// The breadth-first tree of a graph: for each node its rank, which is the length of a shortest path to it, and the node
// before it on the first such path.

/** The ends of an edge. */
export interface Ends {
  from: number;
  to: number;
}

export interface Tree {
  /** How many steps a node is from the first one. */
  rank: Int32Array;
  /** The node before it; -1 for the first one and for nodes that it does not lead to. */
  parent: Int32Array;
  /** The edge that leads there from the parent; -1 likewise. */
  via: Int32Array;
  children: number[][];
  /** How many nodes lie below. */
  below: Int32Array;
  ranks: number;
}

/** The edges that leave each node, by number. */
export function leaving(nodes: number, edges: readonly Ends[]): number[][] {
  const out = Array.from({ length: nodes }, (): number[] => []);
  edges.forEach((edge, at) => out[edge.from]?.push(at));
  return out;
}

/** The tree of a graph whose first node is the root. */
export function treeOf(nodes: number, edges: readonly Ends[]): Tree {
  const rank = new Int32Array(nodes).fill(-1);
  const parent = new Int32Array(nodes).fill(-1);
  const via = new Int32Array(nodes).fill(-1);
  const out = leaving(nodes, edges);
  const queue: number[] = [];
  // Every node is reachable in a zone graph; if the server thinks otherwise, the rest still gets drawn.
  for (let root = 0; root < nodes; root += 1) {
    if (rank[root] !== -1) continue;
    rank[root] = 0;
    queue.push(root);
    for (let head = queue.length - 1; head < queue.length; head += 1) {
      const node = queue[head] ?? 0;
      for (const at of out[node] ?? []) {
        const to = edges[at]?.to ?? -1;
        if (rank[to] !== -1) continue;
        rank[to] = (rank[node] ?? 0) + 1;
        parent[to] = node;
        via[to] = at;
        queue.push(to);
      }
    }
  }
  return { rank, parent, via, ...gathered(parent, queue), ranks: rank.reduce((most, one) => Math.max(most, one + 1), 0) };
}

/** Children, and counts of what lies below, from the parents and the order of the search. */
function gathered(parent: Int32Array, order: readonly number[]): { children: number[][]; below: Int32Array } {
  const children = Array.from(parent, (): number[] => []);
  const below = new Int32Array(parent.length);
  for (const node of order) children[parent[node] ?? -1]?.push(node);
  for (const node of order.toReversed()) {
    const above = parent[node] ?? -1;
    if (above >= 0) below[above] = (below[above] ?? 0) + (below[node] ?? 0) + 1;
  }
  return { children, below };
}

/** The edges from the first node to one, along the tree. */
export function pathTo(tree: Tree, node: number): number[] {
  const path: number[] = [];
  for (let at = node; (tree.parent[at] ?? -1) >= 0; at = tree.parent[at] ?? -1) path.push(tree.via[at] ?? -1);
  return path.toReversed();
}
