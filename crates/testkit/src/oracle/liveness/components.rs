//! The strongly connected components of a part of a graph `[Tarjan1972]`.
//!
//! With an explicit stack, since paths are long. A component is complete when its first node is left without a way back
//! to an earlier one, so that components come after all that they lead to.
//!
//! Cost: linear in nodes and edges.

/// A node on the way, and the edges from it that are still to be followed.
struct Visit<I> {
    node: usize,
    rest: I,
}

/// What is known of the nodes so far.
struct Search {
    /// When each node was met, from 1; 0 if it was not.
    met: Vec<usize>,
    /// Which nodes were met and belong to no component yet.
    open: Vec<usize>,
    /// Which nodes belong to one.
    done: Vec<bool>,
    count: usize,
}

impl Search {
    fn meet(&mut self, node: usize) {
        self.count += 1;
        self.met[node] = self.count;
        self.open.push(node);
    }

    /// All nodes met since this one, which are a component.
    fn complete(&mut self, node: usize) -> Vec<usize> {
        let start = self.open.iter().rposition(|&open| open == node).expect("the node is open");
        let mut component = self.open.split_off(start);
        component.iter().for_each(|&member| self.done[member] = true);
        component.sort_unstable();
        component
    }
}

/// The components of the kept nodes, each sorted, with the edges between kept nodes only; those that others lead to come
/// first.
pub(super) fn components<I: Iterator<Item = usize>>(
    kept: &[bool],
    targets: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    let size = kept.len();
    let mut search = Search { met: vec![0; size], open: Vec::new(), done: vec![false; size], count: 0 };
    // The earliest node that is known to be reached from each.
    let mut low = vec![0; size];
    let mut found = Vec::new();
    for root in (0..size).filter(|&node| kept[node]) {
        if search.met[root] > 0 {
            continue;
        }
        search.meet(root);
        low[root] = search.met[root];
        let mut path = vec![Visit { node: root, rest: targets(root) }];
        while let Some(Visit { node, rest }) = path.last_mut() {
            let node = *node;
            match rest.find(|&target| kept[target] && !search.done[target]) {
                Some(target) if search.met[target] > 0 => low[node] = low[node].min(search.met[target]),
                Some(target) => {
                    search.meet(target);
                    low[target] = search.met[target];
                    path.push(Visit { node: target, rest: targets(target) });
                }
                None => {
                    path.pop();
                    if let Some(Visit { node: before, .. }) = path.last() {
                        low[*before] = low[*before].min(low[node]);
                    }
                    if low[node] == search.met[node] {
                        found.push(search.complete(node));
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;
    use tourbillon_base::Random;

    fn of(edges: &[(usize, usize)], kept: &[bool]) -> Vec<Vec<usize>> {
        let targets = |node| edges.iter().filter(move |edge| edge.0 == node).map(|edge| edge.1);
        components(kept, targets)
    }

    #[test]
    fn what_is_led_to_comes_first() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 3), (4, 0)];
        assert_eq!(of(&edges, &[true; 5]), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn what_is_not_kept_joins_nothing() {
        let edges = [(0, 1), (1, 2), (2, 0)];
        assert_eq!(of(&edges, &[true, false, true]), [vec![0], vec![2]]);
    }

    /// Two nodes are in one component if and only if each leads to the other.
    #[test]
    fn components_are_as_defined() {
        for seed in 0..300 {
            let mut random = Random::from_seed(seed);
            let size = 1 + random.below(7);
            let edges: Vec<(usize, usize)> =
                (0..random.below(12)).map(|_| (random.below(size), random.below(size))).collect();
            let kept: Vec<bool> = (0..size).map(|_| !random.one_in(5)).collect();
            let mut leads = vec![vec![false; size]; size];
            (0..size).for_each(|node| leads[node][node] = kept[node]);
            edges
                .iter()
                .filter(|edge| kept[edge.0] && kept[edge.1])
                .for_each(|edge| leads[edge.0][edge.1] = true);
            for (via, from, to) in triples(size) {
                leads[from][to] |= leads[from][via] && leads[via][to];
            }
            let found = of(&edges, &kept);
            let place = |node: usize| found.iter().position(|component| component.contains(&node));
            for (_, from, to) in triples(size).filter(|&(_, from, to)| kept[from] && kept[to]) {
                let both = leads[from][to] && leads[to][from];
                assert_eq!(place(from) == place(to), both, "seed {seed}: {edges:?} {kept:?}");
                assert!(!leads[from][to] || place(to) <= place(from), "seed {seed}: {edges:?} {kept:?}");
            }
            assert_eq!(
                found.iter().flatten().count(),
                kept.iter().filter(|&&kept| kept).count(),
                "seed {seed}"
            );
        }
    }

    fn triples(size: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        (0..size * size * size).map(move |code| (code / size / size, code / size % size, code % size))
    }
}
