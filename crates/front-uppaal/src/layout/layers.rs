//! Layers of nodes, and the order in each of them.
//!
//! The layer of a node is its distance from the initial location, so a drawing reads from the top in the order in
//! which a run meets the locations, and stays compact for the cycles that automata consist of; layers by longest
//! paths, which are made for graphs without cycles, would draw a ring as a tower. Nodes that cannot be reached start
//! anew at the top.
//!
//! In each layer, nodes are ordered by the barycentre of their neighbours in the layer before and the layer after,
//! in a few sweeps down and up. This is the ordering step of Sugiyama, Tagawa and Toda, and as simple as that.
//!
//! Cost: linear in nodes and edges, times the number of sweeps and a logarithm.

/// How often the order is improved, down and up.
const SWEEPS: usize = 4;

/// The layers from top to bottom, the nodes of each from left to right. Edges are pairs of nodes below `nodes`. Nothing
/// if it is told not to continue, which is asked now and then.
pub(super) fn layers(
    nodes: usize,
    edges: &[(usize, usize)],
    root: usize,
    go_on: &mut dyn FnMut() -> Option<()>,
) -> Option<Vec<Vec<usize>>> {
    let neighbours = Neighbours::new(nodes, edges);
    let depth = distances(nodes, &neighbours, root);
    let mut layers = vec![Vec::new(); depth.iter().max().map_or(0, |deepest| deepest + 1)];
    let mut place = vec![0.0; nodes];
    for node in 0..nodes {
        place[node] = layers[depth[node]].len() as f64;
        layers[depth[node]].push(node);
    }
    for _ in 0..SWEEPS {
        go_on()?;
        for (index, layer) in layers.iter_mut().enumerate() {
            sort_layer(layer, &mut place, &neighbours, |other| depth[other] + 1 == index);
        }
        for (index, layer) in layers.iter_mut().enumerate().rev() {
            sort_layer(layer, &mut place, &neighbours, |other| depth[other] == index + 1);
        }
    }
    Some(layers)
}

/// Sorts a layer by the mean place of neighbours in another one. A node without any stays where it is.
fn sort_layer(
    layer: &mut [usize],
    place: &mut [f64],
    neighbours: &Neighbours,
    counts: impl Fn(usize) -> bool,
) {
    let mut keyed: Vec<(f64, usize)> = Vec::with_capacity(layer.len());
    for &node in layer.iter() {
        let others = neighbours.of(node).filter(|&other| counts(other));
        let (sum, count) = others.fold((0.0, 0.0), |(sum, count), other| (sum + place[other], count + 1.0));
        keyed.push((if count > 0.0 { sum / count } else { place[node] }, node));
    }
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let centre = (layer.len() as f64 - 1.0) / 2.0;
    for (index, (slot, (_, node))) in layer.iter_mut().zip(keyed).enumerate() {
        *slot = node;
        // Layers are centred, so places of different layers compare by their distance from the middle.
        place[node] = index as f64 - centre;
    }
}

/// The distance of each node from the root along edges; what is left starts anew, edges in both directions counted.
fn distances(nodes: usize, neighbours: &Neighbours, root: usize) -> Vec<usize> {
    let mut depth = vec![usize::MAX; nodes];
    for start in std::iter::once(root).chain(0..nodes).filter(|&start| start < nodes) {
        if depth[start] != usize::MAX {
            continue;
        }
        depth[start] = 0;
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for next in neighbours.after(node) {
                if depth[next] == usize::MAX {
                    depth[next] = depth[node] + 1;
                    queue.push_back(next);
                }
            }
        }
    }
    depth
}

/// Who is connected with whom.
struct Neighbours {
    after: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
}

impl Neighbours {
    fn new(nodes: usize, edges: &[(usize, usize)]) -> Self {
        let (mut after, mut before) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for &(source, target) in edges.iter().filter(|(source, target)| source != target) {
            after[source].push(target);
            before[target].push(source);
        }
        Self { after, before }
    }

    fn after(&self, node: usize) -> impl Iterator<Item = usize> {
        self.after[node].iter().copied()
    }

    fn of(&self, node: usize) -> impl Iterator<Item = usize> {
        self.after[node].iter().chain(&self.before[node]).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(nodes: usize, edges: &[(usize, usize)], root: usize) -> Vec<Vec<usize>> {
        layers(nodes, edges, root, &mut || Some(())).expect("nothing stops it")
    }

    #[test]
    fn layers_follow_the_distance_from_the_root() {
        type Case<'a> = (usize, &'a [(usize, usize)], usize, &'a [&'a [usize]]);
        let cases: &[Case<'_>] = &[
            (0, &[], 0, &[]),
            (1, &[(0, 0)], 0, &[&[0]]),
            (3, &[(0, 1), (1, 2), (2, 0)], 0, &[&[0], &[1], &[2]]),
            (3, &[(0, 1), (1, 2), (2, 0)], 2, &[&[2], &[0], &[1]]),
            (3, &[(0, 1)], 0, &[&[0, 2], &[1]]),
            (4, &[(0, 1), (0, 2), (1, 3), (2, 3)], 0, &[&[0], &[1, 2], &[3]]),
        ];
        for (nodes, edges, root, expected) in cases {
            assert_eq!(all(*nodes, edges, *root), *expected, "{edges:?}");
        }
    }

    #[test]
    fn the_order_avoids_crossings() {
        // 1 and 2 hang under 0; 3 hangs under 2, 4 under 1: the third layer is turned round.
        let edges = [(0, 1), (0, 2), (2, 3), (1, 4)];
        assert_eq!(all(5, &edges, 0), [vec![0], vec![1, 2], vec![4, 3]]);
    }
}
