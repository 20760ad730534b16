//! Multi-terminal diagrams: a map from vectors of integers to numbers.
//!
//! The discrete part of a state is a vector of integers, and the passed list wants to know the handle of its zones: a map
//! that can be a diagram of its own, with a level for each integer and handles for leaves, called a multi-terminal
//! interval decision diagram in `[ThomsenKristensen2002]`, section 10.3. Vectors that begin alike share their way down;
//! those that end alike, and have the same number, share what is below. Nodes are those of clock difference diagrams, in
//! their third form: values between two cuts, equal nodes once. A cut `c` is "at most `c`" here. The edges of the last
//! level lead to numbers, plus one, so that 0 is still where nothing is.
//!
//! Looking a vector up is one node a level. Setting one writes the nodes of its way down anew, and leaves the old ones to
//! be collected when they are a fifth of all: most of what is made is soon replaced, so waiting longer saves little time and
//! takes memory that was to be saved.

use crate::forms::{Compact, NodeForm as _};
use crate::node::{END, Edge, Handle, LEVELS_MAX, push_edge};
use crate::nodes::Nodes;
use crate::settings::Error;
use crate::statistics::Statistics;

/// A map from vectors of integers, all of one length, to numbers.
///
/// ```
/// use tourbillon_dd::Mtidd;
///
/// let mut handles = Mtidd::new(3)?;
/// handles.set(&[1, 1, 45], 7);
/// handles.set(&[1, 2, 45], 8);
/// assert_eq!(handles.get(&[1, 2, 45]), Some(8));
/// assert_eq!(handles.get(&[1, 2, 46]), None);
/// # Ok::<(), tourbillon_dd::Error>(())
/// ```
#[derive(Debug)]
pub struct Mtidd {
    nodes: Nodes<Compact>,
    root: Handle,
    levels: usize,
    len: usize,
    /// The way down to the vector that is being set.
    path: Vec<Handle>,
    /// The edges of the node that is being made.
    edges: Vec<Edge>,
}

impl Mtidd {
    /// The largest number that can be kept.
    pub const VALUE_MAX: u32 = u32::MAX - 2;

    pub const LENGTH_MAX: usize = LEVELS_MAX - 1;

    /// Nodes may take so many bytes; one more is a panic.
    pub const NODE_BYTES_MAX: u64 = Compact::ADDRESS_MAX as u64 * Compact::UNIT as u64;

    /// An empty map for vectors of this length.
    ///
    /// # Errors
    /// If vectors are longer than [`Self::LENGTH_MAX`].
    pub fn new(levels: usize) -> Result<Self, Error> {
        if levels > Self::LENGTH_MAX {
            return Err(Error::vector_too_long(levels));
        }
        let nodes = Nodes::with_values_below(levels.wrapping_sub(1) as u16);
        Ok(Self { nodes, root: Handle::FALSE, levels, len: 0, path: Vec::new(), edges: Vec::new() })
    }

    /// How many vectors have a number.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of a vector, if it has one.
    ///
    /// # Panics
    /// If the vector has another length.
    #[must_use]
    pub fn get(&self, vector: &[i32]) -> Option<u32> {
        assert_eq!(vector.len(), self.levels, "a vector of another length");
        let leaf = vector
            .iter()
            .try_fold(self.root, |node, &value| (node != Handle::FALSE).then(|| self.child(node, value)))?;
        leaf.to_u32().checked_sub(1)
    }

    /// Gives a vector a number, in place of the one it may have.
    ///
    /// # Panics
    /// If the vector has another length, or the number exceeds [`Mtidd::VALUE_MAX`].
    pub fn set(&mut self, vector: &[i32], number: u32) {
        assert_eq!(vector.len(), self.levels, "a vector of another length");
        assert!(number <= Self::VALUE_MAX, "a number that is too large");
        self.path.clear();
        let mut node = self.root;
        for &value in vector {
            self.path.push(node);
            node = if node == Handle::FALSE { node } else { self.child(node, value) };
        }
        self.len += usize::from(node == Handle::FALSE);
        let mut child = Handle::from_u32(number + 1);
        for (level, &value) in vector.iter().enumerate().rev() {
            child = self.replace(level as u16, value, child);
        }
        self.root = child;
        if self.nodes.has_grown(4, 1 << 12) {
            self.collect();
        }
    }

    /// Where a value leads from a node.
    #[inline]
    fn child(&self, node: Handle, value: i32) -> Handle {
        let edge = match value.checked_sub(1) {
            Some(below) => self.nodes.edges_above(node, below).next(),
            None => self.nodes.edges(node).next(),
        };
        edge.map_or(Handle::FALSE, |edge| edge.child)
    }

    /// The node of the way down at a level, with another child for one value.
    fn replace(&mut self, level: u16, value: i32, child: Handle) -> Handle {
        let Self { nodes, edges, path, .. } = self;
        let node = path[usize::from(level)];
        edges.clear();
        if node == Handle::FALSE {
            put_value(edges, i32::MIN, Edge { up_to: END, child: node }, value, child);
            return nodes.make(level, edges);
        }
        let mut begins = i32::MIN;
        for edge in nodes.edges(node) {
            put_value(edges, begins, edge, value, child);
            begins = edge.up_to.wrapping_add(1);
        }
        nodes.make(level, edges)
    }

    /// The bytes that it takes, with the table and all that is asked for and not yet used.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
    }

    /// What it takes by level. Looks at every node.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.nodes.statistics(self.levels)
    }

    /// The numbers that vectors have, in no order that means anything; some of them several times.
    pub fn numbers(&mut self) -> impl Iterator<Item = u32> {
        // Nodes that are no longer used have numbers that nothing has.
        self.collect();
        let Self { nodes, root, levels, .. } = &*self;
        let alone = Some(*root).filter(|_| *levels == 0);
        let last = nodes.of_level(levels.wrapping_sub(1) as u16);
        let leaves = last.flat_map(|node| nodes.edges(node)).map(|edge| edge.child);
        alone.into_iter().chain(leaves).filter_map(|leaf| leaf.to_u32().checked_sub(1))
    }

    /// Frees the nodes that are no longer used.
    pub fn collect(&mut self) {
        // Without levels the root is a number.
        self.nodes.collect(std::iter::once(self.root).filter(|_| self.levels > 0));
    }
}

/// Appends an edge whose values begin at `begins`, with another child for one value if it is among them.
fn put_value(edges: &mut Vec<Edge>, begins: i32, edge: Edge, value: i32, child: Handle) {
    if value < begins || value > edge.up_to {
        push_edge(edges, 0, edge.up_to, edge.child);
        return;
    }
    if value > begins {
        push_edge(edges, 0, value - 1, edge.child);
    }
    push_edge(edges, 0, value, child);
    if value < edge.up_to {
        push_edge(edges, 0, edge.up_to, edge.child);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use tourbillon_base::Random;

    use super::*;

    /// The six vectors of figure 10.2.
    #[test]
    fn the_example_of_the_paper() {
        let vectors = [
            [1, 1, 1, 45, 46],
            [1, 1, 2, 45, 46],
            [1, 1, 1, 45, 47],
            [1, 1, 1, 44, 46],
            [2, 1, 1, 45, 46],
            [1, 1, 1, 45, 48],
        ];
        let mut map = Mtidd::new(5).unwrap();
        for (number, vector) in (0..).zip(&vectors) {
            assert_eq!(map.get(vector), None);
            map.set(vector, number);
        }
        for (number, vector) in (0..).zip(&vectors) {
            assert_eq!(map.get(vector), Some(number));
        }
        assert_eq!((map.len(), map.get(&[1, 1, 2, 44, 46])), (6, None));
        map.collect();
        let by_level: Vec<u64> = map.statistics().by_level.iter().map(|level| level.nodes).collect();
        assert_eq!(by_level, [1, 2, 2, 3, 4], "vectors share how they begin");
    }

    #[test]
    fn it_is_a_map() {
        for seed in 0..12 {
            let mut random = Random::from_seed(seed);
            let length = 1 + random.below(6);
            let reach = [2, 50, i32::MAX][seed as usize % 3];
            let mut map = Mtidd::new(length).unwrap();
            let mut expected: HashMap<Vec<i32>, u32> = HashMap::new();
            for _ in 0..3_000 {
                let mut vector: Vec<i32> = (0..length).map(|_| random.within(-reach..=reach)).collect();
                if random.one_in(30) {
                    vector[random.below(length)] = [i32::MIN, i32::MAX][random.below(2)];
                }
                assert_eq!(map.get(&vector), expected.get(&vector).copied(), "seed {seed}: {vector:?}");
                let number = if random.one_in(50) { Mtidd::VALUE_MAX } else { random.below(40) as u32 };
                map.set(&vector, number);
                expected.insert(vector, number);
                if random.one_in(500) {
                    map.collect();
                }
            }
            for (vector, &number) in &expected {
                assert_eq!(map.get(vector), Some(number), "seed {seed}: {vector:?}");
            }
            assert_eq!(map.len(), expected.len(), "seed {seed}");
            let [numbers, known] =
                [map.numbers().collect(), expected.into_values().collect::<BTreeSet<u32>>()];
            assert_eq!(numbers, known, "seed {seed}");
        }
    }

    /// All vectors of a box with the same number: a node a level.
    #[test]
    fn what_is_alike_is_there_once() {
        let mut map = Mtidd::new(4).unwrap();
        for index in 0..10_000 {
            let digit = |place: i32| index / 10i32.pow(place as u32) % 10;
            map.set(&[digit(3), digit(2), digit(1), digit(0)], 5);
        }
        map.collect();
        assert_eq!(map.statistics().total().nodes, 4);
        assert_eq!(map.get(&[9, 0, 3, 3]), Some(5));
    }

    #[test]
    fn vectors_of_nothing_and_vectors_too_long() {
        let mut map = Mtidd::new(0).unwrap();
        assert_eq!(map.get(&[]), None);
        map.set(&[], 3);
        assert_eq!((map.get(&[]), map.len()), (Some(3), 1));
        assert_eq!((map.numbers().collect(), map.get(&[])), (vec![3], Some(3)));
        let error = Mtidd::new(LEVELS_MAX).unwrap_err();
        assert_eq!(error.to_string(), "vectors of 4096 integers are too long for diagrams (at most 4095)");
    }
}
