//! Symbolic states with colours, for cycle detection.
//!
//! A nested depth-first search needs to know more about a stored state than its existence: whether it is on the current
//! path, whether its successors were all visited, and whether no accepting cycle is reachable from it. This is its
//! colour. The list refuses and deletes nothing: the search queries it and decides, since pruning depends on the
//! colours and the property.
//!
//! There is one list of nodes for each discrete state, as in `list.rs`; a query walks it once. The mark of a node is
//! its colour.

use std::fmt;

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

use crate::buckets::{Bucket, Buckets, position};
use crate::cover::Cover;
use crate::discrete::{Merging, new_discrete_store};
use crate::interface::{Memory, NodeId};
use crate::node::{Link, Node, Nodes};
use crate::probe::Probe;
use crate::settings::Settings;
use crate::zones::{ZoneStore, new_zone_store};

/// The colour of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// Found, and not visited.
    White,
    /// On the current path.
    Cyan,
    /// Visited, with all its successors.
    Blue,
    /// Visited, and no accepting cycle is reachable from it.
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

/// The stored match of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColouredMatch {
    /// A red node covers or equals it.
    Red,
    /// This node, which is not red, equals it.
    Stored(NodeId),
    /// No red node covers it and no node equals it.
    New,
}

/// Stored states with colours.
pub trait Coloured: fmt::Debug + Send + Sync {
    /// Searches for a state. Appends the cyan nodes that it covers or equals to `cyan`.
    fn find(
        &mut self,
        discrete: &[i32],
        zone: &Dbm,
        probe: &mut Probe,
        cyan: &mut Vec<NodeId>,
    ) -> ColouredMatch;

    /// As [`find`](Self::find) without the cyan nodes, while several threads read: a zone that cannot be encoded yet is new.
    fn find_stored(&self, discrete: &[i32], zone: &Dbm, probe: &mut Probe) -> ColouredMatch;

    /// A node of any colour whose zone includes that of the state that the probe was used to find; `None` if the cover
    /// relation is equality.
    fn covering(&self, zone: &Dbm, probe: &mut Probe) -> Option<NodeId>;

    /// Stores the state that the probe was used to find.
    ///
    /// # Panics
    /// If it was stored in the meantime.
    fn insert(&mut self, zone: &Dbm, probe: &mut Probe, colour: Colour) -> NodeId;

    fn colour(&self, node: NodeId) -> Colour;

    fn paint(&mut self, node: NodeId, colour: Colour);

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm);

    /// The number of nodes.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of discrete states.
    fn discrete_states(&self) -> usize;

    /// The number of zones in memory.
    fn distinct_zones(&self) -> usize;

    /// The memory in use, by purpose.
    fn memory(&self) -> Memory;
}

/// An empty list. The settings of order, traces and waiting are ignored; the cover relation is equality or inclusion.
///
/// # Panics
/// As [`build`](crate::build); and if the cover tests a_LU.
#[must_use]
pub fn build_coloured(settings: &Settings) -> Box<dyn Coloured> {
    assert!(!settings.cover.has_parameters(), "a cover that colours are not proven for");
    Box::new(ColouredList {
        buckets: Buckets::new(new_discrete_store(settings, Merging::Never), settings.fill()),
        zones: new_zone_store(settings.zones, settings.dimension),
        inclusion: settings.cover == Cover::Inclusion,
    })
}

#[derive(Debug)]
struct ColouredList {
    buckets: Buckets,
    zones: Box<dyn ZoneStore>,
    inclusion: bool,
}

/// The nodes of a bucket, each with its position.
fn nodes_at(nodes: &Nodes, bucket: Option<Bucket>) -> impl Iterator<Item = (u32, Node)> {
    let mut link = bucket.and_then(|bucket| bucket.first);
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

impl ColouredList {
    fn find_encoded(
        &self,
        discrete: &[i32],
        zone: &Dbm,
        probe: &mut Probe,
        cyan: &mut Vec<NodeId>,
    ) -> ColouredMatch {
        let Self { buckets, zones, inclusion } = self;
        let inclusion = *inclusion;
        probe.bucket = Some(buckets.find(discrete, &mut probe.discrete));
        let mut found = ColouredMatch::New;
        for (position, node) in nodes_at(&buckets.nodes, probe.bucket) {
            let (key, probe) = (node.zone(), &mut probe.zone);
            match colour(node) {
                Colour::Red if inclusion && zones.includes(key, zone, probe) => found = ColouredMatch::Red,
                Colour::Red if !inclusion && zones.is_equal(key, zone, probe) => found = ColouredMatch::Red,
                Colour::Red => {}
                Colour::Cyan if inclusion && zones.is_included(key, zone, probe) => cyan.push(id(position)),
                _ => {}
            }
            if found == ColouredMatch::New && colour(node) != Colour::Red && zones.is_equal(key, zone, probe)
            {
                found = ColouredMatch::Stored(id(position));
                if colour(node) == Colour::Cyan && !inclusion {
                    cyan.push(id(position));
                }
            }
        }
        found
    }
}

impl Coloured for ColouredList {
    fn find(
        &mut self,
        discrete: &[i32],
        zone: &Dbm,
        probe: &mut Probe,
        cyan: &mut Vec<NodeId>,
    ) -> ColouredMatch {
        self.zones.encode_extending(zone, &mut probe.zone);
        self.find_encoded(discrete, zone, probe, cyan)
    }

    fn find_stored(&self, discrete: &[i32], zone: &Dbm, probe: &mut Probe) -> ColouredMatch {
        probe.bucket = None;
        if self.zones.encode(zone, &mut probe.zone) {
            self.find_encoded(discrete, zone, probe, &mut Vec::new())
        } else {
            ColouredMatch::New
        }
    }

    fn covering(&self, zone: &Dbm, probe: &mut Probe) -> Option<NodeId> {
        let Self { buckets, zones, inclusion } = self;
        nodes_at(&buckets.nodes, probe.bucket)
            .find(|(_, node)| *inclusion && zones.includes(node.zone(), zone, &mut probe.zone))
            .map(|(position, _)| id(position))
    }

    fn insert(&mut self, zone: &Dbm, probe: &mut Probe, colour: Colour) -> NodeId {
        let bucket = probe.bucket.take().expect("a state is looked for, and then inserted once");
        let key = self.zones.save(zone, &probe.zone);
        id(self.buckets.push_front(&bucket, &mut probe.discrete, key, colour.mark(), None))
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
