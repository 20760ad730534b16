//! Symbolic states with colours, for searches that look for cycles.
//!
//! Such a search must know more of a stored state than that it was seen: whether it is on the path at hand, whether
//! everything after it was seen, whether nothing that is looked for comes after it. That is its colour. Nothing is
//! refused here and nothing deleted: the search asks what there is about a state and decides, since what may be
//! left out depends on colours and on what is looked for.
//!
//! One list of nodes for each discrete state, as in `list.rs`, which one question walks once. The mark of a node is its
//! colour.

use std::fmt;

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

use crate::buckets::{Buckets, Place, position};
use crate::discrete::{Discrete, Merging};
use crate::interface::{Memory, NodeId};
use crate::node::{Link, Node, Nodes};
use crate::settings::{Cover, OfForms, Settings, in_forms};
use crate::zones::Zones;

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
    const fn mark(self) -> u8 {
        match self {
            Self::White => 0,
            Self::Cyan => 1,
            Self::Blue => 2,
            Self::Red => 3,
        }
    }

    const fn of_mark(mark: u8) -> Self {
        match mark {
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
    in_forms(settings, Merging::Never, Painting(settings))
}

/// What is to be made, as these settings say.
struct Painting<'a>(&'a Settings);

impl OfForms for Painting<'_> {
    type Made = Box<dyn Coloured>;

    fn of_forms<D: Discrete + 'static, Z: Zones + 'static>(self, discrete: D, zones: Z) -> Self::Made {
        let buckets = Buckets::new(discrete, self.0.fill());
        let inclusion = self.0.cover == Cover::Inclusion;
        Box::new(ColouredList { buckets, zones, inclusion, at_hand: None })
    }
}

#[derive(Debug)]
struct ColouredList<D, Z> {
    buckets: Buckets<D>,
    zones: Z,
    inclusion: bool,
    /// The list of the state at hand, which is the one that is held, as is its zone.
    at_hand: Option<Place>,
}

/// The nodes of a list, each with its position.
fn nodes_at(nodes: &Nodes, place: Option<Place>) -> impl Iterator<Item = (u32, Node)> {
    let mut link = place.and_then(|place| place.first);
    std::iter::from_fn(move || {
        let Some(Link::Node(position)) = link else { return None };
        let node = nodes.get(position);
        link = Some(node.link);
        Some((position, node))
    })
}

fn colour(node: Node) -> Colour {
    Colour::of_mark(node.mark())
}

fn id(position: u32) -> NodeId {
    NodeId::from_index(position as usize)
}

impl<D: Discrete, Z: Zones> Coloured for ColouredList<D, Z> {
    fn sight(&mut self, discrete: &[i32], zone: &Dbm, cyan: &mut Vec<NodeId>) -> Sighting {
        self.at_hand = Some(self.buckets.find(discrete));
        self.zones.hold(zone);
        let mut sighting = Sighting::New;
        let Self { buckets, zones, inclusion, at_hand } = self;
        let inclusion = *inclusion;
        for (position, node) in nodes_at(&buckets.nodes, *at_hand) {
            let key = node.zone();
            match colour(node) {
                Colour::Red if inclusion && zones.includes(key) => sighting = Sighting::Red,
                Colour::Red if !inclusion && zones.is_equal(key) => sighting = Sighting::Red,
                Colour::Red => {}
                Colour::Cyan if inclusion && zones.is_included(key) => cyan.push(id(position)),
                _ => {}
            }
            if sighting == Sighting::New && colour(node) != Colour::Red && zones.is_equal(key) {
                sighting = Sighting::Known(id(position));
                if colour(node) == Colour::Cyan && !inclusion {
                    cyan.push(id(position));
                }
            }
        }
        sighting
    }

    fn covering(&mut self) -> Option<NodeId> {
        let Self { buckets, zones, inclusion, at_hand } = self;
        nodes_at(&buckets.nodes, *at_hand)
            .find(|(_, node)| *inclusion && zones.includes(node.zone()))
            .map(|(position, _)| id(position))
    }

    fn insert(&mut self, colour: Colour) -> NodeId {
        let place = self.at_hand.take().expect("a state is at hand, and is inserted once");
        let zone = self.zones.save();
        id(self.buckets.push_front(&place, zone, colour.mark(), None))
    }

    fn colour(&self, node: NodeId) -> Colour {
        Colour::of_mark(self.buckets.nodes.mark(position(node)))
    }

    fn paint(&mut self, node: NodeId, colour: Colour) {
        self.buckets.nodes.set_mark(position(node), colour.mark());
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        let nodes = &self.buckets.nodes;
        self.buckets.discrete.load(nodes.code(position(node)), discrete);
        self.zones.load(nodes.get(position(node)).zone(), zone);
    }

    fn len(&self) -> usize {
        self.buckets.nodes.len()
    }

    fn discrete_states(&self) -> usize {
        self.buckets.len()
    }

    fn distinct_zones(&self) -> usize {
        self.zones.len()
    }

    fn memory(&self) -> Memory {
        let [discrete, table, nodes] = self.buckets.bytes();
        Memory { discrete, zones: self.zones.bytes(), table, nodes, waiting: 0, parents: 0 }
    }
}
