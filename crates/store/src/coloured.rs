//! Symbolic states with colours, for searches that look for cycles.
//!
//! Such a search must know more of a stored state than that it was seen: whether it is on the path at hand, whether
//! everything after it was seen, whether nothing that is looked for comes after it. That is its colour. Nothing is
//! refused here and nothing deleted: the search asks what there is about a state and decides, since what may be
//! left out depends on colours and on what is looked for.
//!
//! One list of nodes for each discrete state, as in `list.rs`, which one question walks once. A node takes twelve
//! bytes:
//!
//! ```text
//!    31     30  29                    0
//!  ┌──────────┬────────────────────────┐   next node of the list, or none;   the entry
//!  │  colour  │ key of the zone        │
//!  └──────────┴────────────────────────┘
//! ```

use std::fmt;

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

use crate::column::Column;
use crate::discrete::{Bits, Discrete, EntryId, Head, Plain, Shared};
use crate::interface::{Memory, NodeId};
use crate::settings::{Cover, DiscreteForm, Settings};
use crate::zones::{self, OfZones, ZoneKey, Zones};

/// What a search knows of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// It was met, and not visited.
    White,
    /// It is on the path at hand.
    Cyan,
    /// It was visited, and all that comes after it.
    Blue,
    /// The same, and nothing that is looked for comes after it.
    Red,
}

impl Colour {
    const fn bits(self) -> u32 {
        match self {
            Self::White => 0,
            Self::Cyan => 1,
            Self::Blue => 2,
            Self::Red => 3,
        }
    }

    const fn of_bits(bits: u32) -> Self {
        match bits {
            0 => Self::White,
            1 => Self::Cyan,
            2 => Self::Blue,
            _ => Self::Red,
        }
    }
}

/// What there is about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sighting {
    /// A red node covers it, be it the same.
    Red,
    /// This node, which is not red, is the same.
    Known(NodeId),
    /// Neither.
    New,
}

/// Stored states with colours.
pub trait Coloured: fmt::Debug {
    /// Looks at what there is about a state, which is then the one *at hand*. The cyan nodes that it covers, be they
    /// the same, are appended to `cyan`.
    fn sight(&mut self, discrete: &[i32], zone: &Dbm, cyan: &mut Vec<NodeId>) -> Sighting;

    /// Some node of any colour whose zone includes that of the state at hand; none if the cover is equality.
    fn covering(&mut self) -> Option<NodeId>;

    /// Stores the state at hand.
    fn insert(&mut self, colour: Colour) -> NodeId;

    /// The colour of a node.
    fn colour(&self, node: NodeId) -> Colour;

    /// Changes the colour of a node.
    fn paint(&mut self, node: NodeId, colour: Colour);

    /// Reads the state of a node.
    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm);

    /// How many nodes there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many discrete states there are.
    fn discrete_states(&self) -> usize;

    /// How many zones are in memory.
    fn distinct_zones(&self) -> usize;

    /// Where the memory is.
    fn memory(&self) -> Memory;
}

/// No nodes yet. Of the settings, orders, traces and waiting do not matter, and the cover is equality or inclusion.
///
/// # Panics
/// As [`build`](crate::build); and if the cover is a_LU.
#[must_use]
pub fn build_coloured(settings: &Settings) -> Box<dyn Coloured> {
    assert!(settings.cover != Cover::Alu, "a cover that colours are not proven for");
    match settings.discrete {
        DiscreteForm::Plain => boxed(settings, Plain::new(&settings.ranges)),
        DiscreteForm::Bits => boxed(settings, Bits::new(&settings.ranges)),
        DiscreteForm::Shared => boxed(settings, Shared::new(&settings.ranges, settings.split)),
    }
}

fn boxed<D: Discrete + 'static>(settings: &Settings, discrete: D) -> Box<dyn Coloured> {
    let inclusion = settings.cover == Cover::Inclusion;
    zones::in_form(settings.zones, settings.dimension, NodesOf { discrete, inclusion })
}

/// Nodes with these discrete states.
struct NodesOf<D> {
    discrete: D,
    inclusion: bool,
}

impl<D: Discrete + 'static> OfZones for NodesOf<D> {
    type Made = Box<dyn Coloured>;

    fn of_zones<Z: Zones + 'static>(self, zones: Z) -> Self::Made {
        let Self { discrete, inclusion } = self;
        let at_hand = EntryId::from_index(0);
        Box::new(Nodes { discrete, zones, nodes: Column::new(), inclusion, at_hand })
    }
}

const COLOUR_SHIFT: u32 = 30;
const KEY_MASK: u32 = (1 << COLOUR_SHIFT) - 1;
/// The end of a list.
const END: u32 = Head::NONE.node;

#[derive(Clone, Copy, Debug)]
struct Node {
    zone: u32,
    next: u32,
    entry: EntryId,
}

impl Node {
    fn key(self) -> ZoneKey {
        ZoneKey::from_index((self.zone & KEY_MASK) as usize)
    }

    fn colour(self) -> Colour {
        Colour::of_bits(self.zone >> COLOUR_SHIFT)
    }
}

#[derive(Debug)]
struct Nodes<D, Z> {
    discrete: D,
    zones: Z,
    nodes: Column<Node>,
    inclusion: bool,
    /// The entry of the state at hand; its zone is the one that the zones hold.
    at_hand: EntryId,
}

/// The nodes of an entry, each with its position.
fn of_entry<D: Discrete>(
    discrete: &D,
    nodes: &Column<Node>,
    entry: EntryId,
) -> impl Iterator<Item = (u32, Node)> {
    let mut next = discrete.head(entry).node;
    std::iter::from_fn(move || {
        let position = (next != END).then_some(next)?;
        let node = nodes[position];
        next = node.next;
        Some((position, node))
    })
}

impl<D: Discrete, Z: Zones> Coloured for Nodes<D, Z> {
    fn sight(&mut self, discrete: &[i32], zone: &Dbm, cyan: &mut Vec<NodeId>) -> Sighting {
        self.at_hand = self.discrete.intern(discrete);
        self.zones.hold(zone);
        let mut sighting = Sighting::New;
        let Self { discrete, zones, nodes, at_hand, .. } = self;
        let inclusion = self.inclusion;
        for (position, node) in of_entry(discrete, nodes, *at_hand) {
            let id = NodeId::from_index(position as usize);
            let key = node.key();
            match node.colour() {
                Colour::Red if inclusion && zones.includes(key) => sighting = Sighting::Red,
                Colour::Red if !inclusion && zones.is_equal(key) => sighting = Sighting::Red,
                Colour::Red => {}
                Colour::Cyan if inclusion && zones.is_included(key) => cyan.push(id),
                _ => {}
            }
            if sighting == Sighting::New && node.colour() != Colour::Red && zones.is_equal(key) {
                sighting = Sighting::Known(id);
                if node.colour() == Colour::Cyan && !inclusion {
                    cyan.push(id);
                }
            }
        }
        sighting
    }

    fn covering(&mut self) -> Option<NodeId> {
        let Self { discrete, zones, nodes, inclusion, at_hand } = self;
        of_entry(discrete, nodes, *at_hand)
            .find(|&(_, node)| *inclusion && zones.includes(node.key()))
            .map(|(position, _)| NodeId::from_index(position as usize))
    }

    fn insert(&mut self, colour: Colour) -> NodeId {
        let key = self.zones.save().index() as u32;
        assert!(key <= KEY_MASK, "zones past the 2^30th place");
        let next = self.discrete.head(self.at_hand).node;
        let zone = key | (colour.bits() << COLOUR_SHIFT);
        let position = self.nodes.push(Node { zone, next, entry: self.at_hand });
        assert!(position != END, "more than 2^32 nodes");
        self.discrete.set_head(self.at_hand, Head { node: position, zone: key });
        NodeId::from_index(position as usize)
    }

    fn colour(&self, node: NodeId) -> Colour {
        self.nodes[node.index() as u32].colour()
    }

    fn paint(&mut self, node: NodeId, colour: Colour) {
        let node = &mut self.nodes[node.index() as u32];
        node.zone = (node.zone & KEY_MASK) | (colour.bits() << COLOUR_SHIFT);
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        let node = self.nodes[node.index() as u32];
        self.discrete.load(node.entry, discrete);
        self.zones.load(node.key(), zone);
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn discrete_states(&self) -> usize {
        self.discrete.len()
    }

    fn distinct_zones(&self) -> usize {
        self.zones.len()
    }

    fn memory(&self) -> Memory {
        Memory {
            discrete: self.discrete.bytes(),
            zones: self.zones.bytes(),
            table: self.discrete.index_bytes(),
            nodes: self.nodes.bytes(),
            waiting: 0,
            parents: 0,
        }
    }
}
