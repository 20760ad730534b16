//! Strongly connected components of a graph whose nodes are numbers `[Tarjan1972]`.
//!
//! It uses an explicit stack instead of recursion, since paths can be as long as the state space. Linear in nodes and edges.

/// The index of a node that is not visited yet.
const UNVISITED: u32 = u32::MAX;

/// The state of the algorithm.
struct Tarjan<'g, F> {
    successor: &'g F,
    /// The index of each node, in the order of visits.
    index: Vec<u32>,
    /// The lowlink: the least index that is known to be reachable among the nodes that are in no component yet.
    low: Vec<u32>,
    in_component: Vec<bool>,
    /// Visited nodes that are in no component yet.
    stack: Vec<u32>,
    /// The depth-first path, with the number of the next successor of each node.
    path: Vec<(u32, usize)>,
    count: u32,
}

/// The components that are reachable from the start nodes in a graph of `len` nodes, each before its predecessors.
/// `successor(node, n)` is the `n`th successor of a node: `None` if there are no more, and `Some(None)` if that edge is
/// not selected.
pub(crate) fn components<F>(len: usize, starts: &[u32], successor: &F) -> Vec<Vec<u32>>
where
    F: Fn(u32, usize) -> Option<Option<u32>>,
{
    let mut tarjan = Tarjan {
        successor,
        index: vec![UNVISITED; len],
        low: vec![UNVISITED; len],
        in_component: vec![false; len],
        stack: Vec::new(),
        path: Vec::new(),
        count: 0,
    };
    let mut found = Vec::new();
    for &start in starts {
        if tarjan.index[start as usize] == UNVISITED {
            tarjan.search(start, &mut found);
        }
    }
    found
}

impl<F: Fn(u32, usize) -> Option<Option<u32>>> Tarjan<'_, F> {
    fn search(&mut self, start: u32, found: &mut Vec<Vec<u32>>) {
        self.visit(start);
        while let Some(&(node, next)) = self.path.last() {
            match (self.successor)(node, next) {
                Some(to) => {
                    let top = self.path.len() - 1;
                    self.path[top].1 += 1;
                    if let Some(to) = to {
                        self.follow(node, to);
                    }
                }
                None => self.backtrack(node, found),
            }
        }
    }

    fn visit(&mut self, node: u32) {
        self.index[node as usize] = self.count;
        self.low[node as usize] = self.count;
        self.count += 1;
        self.stack.push(node);
        self.path.push((node, 0));
    }

    fn follow(&mut self, node: u32, to: u32) {
        if self.index[to as usize] == UNVISITED {
            self.visit(to);
        } else if !self.in_component[to as usize] {
            self.low[node as usize] = self.low[node as usize].min(self.index[to as usize]);
        }
    }

    fn backtrack(&mut self, node: u32, found: &mut Vec<Vec<u32>>) {
        self.path.pop();
        let low = self.low[node as usize];
        if let Some(&(parent, _)) = self.path.last() {
            self.low[parent as usize] = self.low[parent as usize].min(low);
        }
        if low == self.index[node as usize] {
            let first = self.stack.iter().rposition(|&open| open == node).expect("it is on the stack");
            let component = self.stack.split_off(first);
            for &node in &component {
                self.in_component[node as usize] = true;
            }
            found.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_base::Random;

    /// The reachability relation, as the transitive closure of the edges.
    fn reached(edges: &[Vec<u32>]) -> Vec<Vec<bool>> {
        let len = edges.len();
        let mut reached = vec![vec![false; len]; len];
        for (from, to) in edges.iter().enumerate() {
            to.iter().for_each(|&to| reached[from][to as usize] = true);
        }
        for via in 0..len {
            for from in 0..len {
                for to in 0..len {
                    reached[from][to] |= reached[from][via] && reached[via][to];
                }
            }
        }
        reached
    }

    #[test]
    fn components_are_the_sets_of_nodes_that_reach_each_other() {
        for seed in 0..300 {
            let random = &mut Random::from_seed(seed);
            let len = 1 + random.below(9);
            let edges: Vec<Vec<u32>> =
                (0..len).map(|_| (0..random.below(4)).map(|_| random.below(len) as u32).collect()).collect();
            let successor = |node: u32, n: usize| edges[node as usize].get(n).map(|&to| Some(to));
            let all: Vec<u32> = (0..len as u32).collect();
            let components = components(len, &all, &successor);
            let mut of = vec![usize::MAX; len];
            for (index, component) in components.iter().enumerate() {
                component.iter().for_each(|&node| of[node as usize] = index);
            }
            let reached = reached(&edges);
            for one in 0..len {
                for other in 0..len {
                    let together = one == other || (reached[one][other] && reached[other][one]);
                    assert_eq!(of[one] == of[other], together, "seed {seed}");
                    assert!(!reached[one][other] || of[other] <= of[one], "seed {seed}: order");
                }
            }
        }
    }
}
