//! The node table of a family of diagrams: nodes are unique, shared, and garbage-collected.
//!
//! A diagram is *reduced* if no two of its nodes are alike, neighbouring edges lead to different places and no node has
//! a single edge. [`Nodes::make`] is the only way to a node and keeps all three: the first by looking in the table of all
//! nodes, the others before it writes anything. So two diagrams that say the same of every combination of values, be it
//! one that no point has, are the same handle `[BehrmannLarsenPearsonWeiseYi1999]`. It is the scheme of `[Bryant1986]`
//! with intervals for bits, which is that of `[StrehlThiele1998]`.
//!
//! Nodes have no count of their parents. Whoever has handles says which ones are in use, and all that they do not lead to
//! is freed: marked by a walk from the handles, swept in the order of addresses (`[ThomsenKristensen2002]`, section 7.4).

use std::marker::PhantomData;

use tourbillon_base::Id;

use crate::arena::Arena;
use crate::forms::NodeForm;
use crate::node::{Edge, Handle, LEVELS_MAX, TERMINAL_LEVEL};
use crate::order::ValueInterval;
use crate::statistics::{LevelStatistics, Statistics};
use crate::unique::{Unique, hash_bytes};

/// Nodes in a form, each of them once.
#[derive(Debug)]
pub(crate) struct Nodes<F> {
    arena: Arena,
    unique: Unique,
    /// The node that is being written.
    buffer: Vec<u8>,
    /// The nodes that were left by the last collection take so many bytes.
    kept_bytes: u64,
    /// The edges of nodes of this level lead to numbers of the caller's, not to nodes.
    values_below: u16,
    form: PhantomData<F>,
}

impl<F: NodeForm> Nodes<F> {
    /// No nodes, none of which will lead to anything but nodes and constants.
    pub(crate) fn new() -> Self {
        Self::with_values_below(TERMINAL_LEVEL)
    }

    /// No nodes; those of one level will lead to numbers of the caller's.
    pub(crate) fn with_values_below(values_below: u16) -> Self {
        Self {
            arena: Arena::new::<F>(),
            unique: Unique::new(),
            buffer: Vec::new(),
            kept_bytes: 0,
            values_below,
            form: PhantomData,
        }
    }

    /// The level of a node; that of the constants is below all others.
    #[inline]
    pub(crate) fn level(&self, node: Handle) -> u16 {
        if node.is_terminal() { TERMINAL_LEVEL } else { F::level(self.arena.at(node.to_u32())) }
    }

    /// The edges of a node, in order; not for the constants, which have none.
    #[inline]
    pub(crate) fn edges(&self, node: Handle) -> F::Edges<'_> {
        debug_assert!(!node.is_terminal());
        F::edges(self.arena.at(node.to_u32()))
    }

    /// The edges of a node that have values beyond a cut.
    // What it returns has many fields, which are best never put together in memory.
    #[inline(always)]
    pub(crate) fn edges_above(&self, node: Handle, cut: i32) -> F::Edges<'_> {
        debug_assert!(!node.is_terminal());
        F::edges_above(self.arena.at(node.to_u32()), cut)
    }

    /// Whether an edge of a node that has values within a stretch leads to a constant. If not, the nodes that such edges lead
    /// to were named.
    #[inline(always)]
    pub(crate) fn leads_to(
        &self,
        node: Handle,
        stretch: ValueInterval,
        goal: Handle,
        name: impl FnMut(Handle),
    ) -> bool {
        debug_assert!(!node.is_terminal());
        F::leads_to(self.arena.at(node.to_u32()), stretch.above, stretch.up_to, goal, name)
    }

    /// The node with these edges, of which neighbours lead to different places and the last has no end.
    pub(crate) fn make(&mut self, level: u16, edges: &[Edge]) -> Handle {
        if let [only] = edges {
            return only.child;
        }
        let hash = self.write(level, edges);
        if let Some(address) = self.look_up(hash) {
            return Handle::from_u32(address);
        }
        let address = self.arena.insert(&self.buffer);
        if !self.unique.has_room(address) {
            let arena = &self.arena;
            self.unique.grow(arena.end(), |address| hash_at::<F>(arena, address));
        }
        self.unique.insert(hash, address);
        Handle::from_u32(address)
    }

    /// The node with these edges, if there is one already.
    pub(crate) fn find(&mut self, level: u16, edges: &[Edge]) -> Option<Handle> {
        let hash = self.write(level, edges);
        self.look_up(hash).map(Handle::from_u32)
    }

    /// Writes a node into the buffer; its hash.
    fn write(&mut self, level: u16, edges: &[Edge]) -> u64 {
        debug_assert!(usize::from(level) < LEVELS_MAX && edges.len() > 1);
        debug_assert!(
            edges.windows(2).all(|pair| pair[0].up_to < pair[1].up_to && pair[0].child != pair[1].child)
        );
        debug_assert!(level == self.values_below || edges.iter().all(|edge| level < self.level(edge.child)));
        self.buffer.clear();
        F::write(level, edges, &mut self.buffer);
        hash_bytes(&self.buffer)
    }

    fn look_up(&self, hash: u64) -> Option<u32> {
        let (arena, buffer) = (&self.arena, &self.buffer);
        self.unique.find(hash, |address| arena.at(address).get(..buffer.len()) == Some(buffer))
    }

    /// Whether enough was made since the last collection for another to pay: the given part of what was left then, and some
    /// bytes more.
    pub(crate) const fn has_grown(&self, part: u64, bytes: u64) -> bool {
        self.arena.used_bytes() > self.kept_bytes + self.kept_bytes / part + bytes
    }

    /// Frees all nodes that the handles do not lead to.
    pub(crate) fn collect(&mut self, roots: impl Iterator<Item = Handle>) {
        let marks = self.mark(roots);
        let arena = &self.arena;
        self.unique.retain(arena.end(), |address| marks.has(address), |address| hash_at::<F>(arena, address));
        self.arena.keep_only(marks.addresses(), F::length);
        self.kept_bytes = self.arena.used_bytes();
    }

    fn mark(&self, roots: impl Iterator<Item = Handle>) -> Marks {
        let mut marks = Marks::new(self.arena.end());
        let mut waiting = Vec::new();
        for root in roots {
            marks.mark(root, &mut waiting);
            while let Some(node) = waiting.pop() {
                let bytes = self.arena.at(node.to_u32());
                if F::level(bytes) != self.values_below {
                    F::for_each_child(bytes, |child| marks.mark(child, &mut waiting));
                }
            }
        }
        marks
    }

    /// No node has this address or a larger one.
    pub(crate) const fn addresses(&self) -> u32 {
        self.arena.end()
    }

    /// The bytes of nodes alone.
    pub(crate) const fn used_bytes(&self) -> u64 {
        self.arena.used_bytes()
    }

    /// The bytes that nodes and the table take, with all that was asked for and is not yet used.
    pub(crate) fn bytes(&self) -> usize {
        self.arena.bytes() + self.unique.bytes() + self.buffer.capacity()
    }

    /// The number of nodes, collected or not.
    pub(crate) const fn len(&self) -> usize {
        self.unique.len()
    }

    /// All nodes, collected or not, in no order that means anything, but the same in every run.
    pub(crate) fn all(&self) -> impl Iterator<Item = Handle> {
        self.unique.iter().map(Handle::from_u32)
    }

    /// All nodes are in use: growth is counted from here on, as after a collection.
    pub(crate) fn settle(&mut self) {
        self.kept_bytes = self.arena.used_bytes();
    }

    /// The nodes of a level, in no order that means anything, but the same in every run.
    pub(crate) fn of_level(&self, level: u16) -> impl Iterator<Item = Handle> {
        self.all().filter(move |&node| self.level(node) == level)
    }

    /// The number of nodes that a diagram has, the constants not counted.
    pub(crate) fn size(&self, of: Handle) -> usize {
        self.mark(std::iter::once(of)).addresses().count()
    }

    pub(crate) fn statistics(&self, levels: usize) -> Statistics {
        let mut by_level = vec![LevelStatistics::default(); levels];
        for address in self.unique.iter() {
            let node = Handle::from_u32(address);
            let level = &mut by_level[usize::from(self.level(node))];
            level.nodes += 1;
            level.edges += self.edges(node).count() as u64;
            level.bytes += F::length(self.arena.at(address)).next_multiple_of(F::UNIT) as u64;
        }
        Statistics { by_level, table_bytes: self.unique.bytes() as u64, bytes: self.bytes() as u64 }
    }
}

fn hash_at<F: NodeForm>(arena: &Arena, address: u32) -> u64 {
    let bytes = arena.at(address);
    hash_bytes(&bytes[..F::length(bytes)])
}

/// A bit for each address.
struct Marks {
    words: Vec<u64>,
}

impl Marks {
    fn new(end: u32) -> Self {
        Self { words: vec![0; (end as usize).div_ceil(64)] }
    }

    /// Marks a node; one that was not marked is to be examined.
    fn mark(&mut self, node: Handle, waiting: &mut Vec<Handle>) {
        let (word, bit) = (&mut self.words[node.index() / 64], 1 << (node.index() % 64));
        if !node.is_terminal() && *word & bit == 0 {
            *word |= bit;
            waiting.push(node);
        }
    }

    fn has(&self, address: u32) -> bool {
        self.words[address as usize / 64] >> (address % 64) & 1 == 1
    }

    /// The addresses that were marked, in order.
    fn addresses(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.words).flat_map(|(index, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(64 * index + bit)
            })
        })
    }
}
