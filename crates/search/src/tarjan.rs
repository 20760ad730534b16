//! Strongly connected components of a graph whose nodes are numbers `[Tarjan1972]`.
//!
//! With a stack of its own instead of recursion, since the graphs are as deep as state spaces. Linear in nodes and
//! edges.

/// A node that was not met yet.
const UNMET: u32 = u32::MAX;

/// Components under construction.
struct Tarjan<'g, F> {
    successor: &'g F,
    /// When each node was met.
    met: Vec<u32>,
    /// The earliest met node that is known to be reachable and not in a component yet.
    low: Vec<u32>,
    in_component: Vec<bool>,
    /// Met, and not in a component.
    open: Vec<u32>,
    /// The path, with the number of the next successor of each.
    path: Vec<(u32, usize)>,
    count: u32,
}

/// The components of what can be reached from some nodes of a graph with `len` nodes, each before those that lead to
/// it. `successor(node, n)` is the `n`th successor of a node: none if there are no more, and an inner none
/// if that one does not count.
pub(crate) fn components<F>(len: usize, starts: &[u32], successor: &F) -> Vec<Vec<u32>>
where
    F: Fn(u32, usize) -> Option<Option<u32>>,
{
    let mut tarjan = Tarjan {
        successor,
        met: vec![UNMET; len],
        low: vec![UNMET; len],
        in_component: vec![false; len],
        open: Vec::new(),
        path: Vec::new(),
        count: 0,
    };
    let mut found = Vec::new();
    for &start in starts {
        if tarjan.met[start as usize] == UNMET {
            tarjan.search(start, &mut found);
        }
    }
    found
}

impl<F: Fn(u32, usize) -> Option<Option<u32>>> Tarjan<'_, F> {
    fn search(&mut self, start: u32, found: &mut Vec<Vec<u32>>) {
        self.meet(start);
        while let Some(&(node, next)) = self.path.last() {
            match (self.successor)(node, next) {
                Some(to) => {
                    let top = self.path.len() - 1;
                    self.path[top].1 += 1;
                    if let Some(to) = to {
                        self.step(node, to);
                    }
                }
                None => self.leave(node, found),
            }
        }
    }

    fn meet(&mut self, node: u32) {
        self.met[node as usize] = self.count;
        self.low[node as usize] = self.count;
        self.count += 1;
        self.open.push(node);
        self.path.push((node, 0));
    }

    fn step(&mut self, node: u32, to: u32) {
        if self.met[to as usize] == UNMET {
            self.meet(to);
        } else if !self.in_component[to as usize] {
            self.low[node as usize] = self.low[node as usize].min(self.met[to as usize]);
        }
    }

    fn leave(&mut self, node: u32, found: &mut Vec<Vec<u32>>) {
        self.path.pop();
        let low = self.low[node as usize];
        if let Some(&(parent, _)) = self.path.last() {
            self.low[parent as usize] = self.low[parent as usize].min(low);
        }
        if low == self.met[node as usize] {
            let first = self.open.iter().rposition(|&open| open == node).expect("it is open");
            let component = self.open.split_off(first);
            for &member in &component {
                self.in_component[member as usize] = true;
            }
            found.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_base::Random;

    /// Which nodes can be reached from which, by closing the relation.
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
    fn components_are_what_reaches_each_other() {
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
