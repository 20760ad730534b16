//! Maps from discrete states to unions of zones.
//!
//! | map | what it keeps |
//! |---|---|
//! | [`Buckets`] | for each state a record with its code and the handle, found by a hash table |
//! | [`Mtidd`] | one diagram for all: a level for each field of a state, and handles at its leaves |
//!
//! The second is the proposal of `[ThomsenKristensen2002]`, section 10.3. It has no record for a state, and states with
//! the same union share common suffixes of their fields as well as prefixes. It supports only unions: the state of a
//! node cannot be read back.

use tourbillon_base::Id;
use tourbillon_dd::{Handle, Mtidd};

use super::unions::ROOM_BYTES;
use crate::buckets::Buckets;
use crate::discrete::{DiscreteProbe, Merging, new_discrete_store};
use crate::interface::Memory;
use crate::settings::{DiscreteForm, Settings};
use crate::zones::ZoneKey;

/// A map from discrete states to unions.
#[derive(Debug)]
pub(super) enum UnionMap {
    Buckets(Buckets),
    Diagram(Mtidd),
}

/// The handle in place of the key of a zone.
fn handle(key: ZoneKey) -> Handle {
    Handle::from_index(key.index())
}

impl UnionMap {
    /// An empty map in the form of the settings.
    ///
    /// # Panics
    /// If that is a diagram, and a state has more fields than it can have levels.
    pub(super) fn new(settings: &Settings) -> Self {
        if settings.discrete == DiscreteForm::Mtidd {
            let diagram = Mtidd::new(settings.ranges.len());
            return Self::Diagram(diagram.expect("the number of fields was checked"));
        }
        // A state is saved when it is found to be new.
        Self::Buckets(Buckets::new(new_discrete_store(settings, Merging::Never), settings.fill()))
    }

    /// The union of a state; the empty union if the state is new.
    pub(super) fn get(&self, state: &[i32], probe: &mut DiscreteProbe) -> Handle {
        match self {
            Self::Buckets(buckets) => {
                let first = buckets.find(state, probe).node();
                first.map_or(Handle::FALSE, |node| handle(buckets.nodes.get(node).zone()))
            }
            Self::Diagram(diagram) => diagram.get(state).map_or(Handle::FALSE, Handle::from_u32),
        }
    }

    /// Replaces the union of a state by the result of `update`, if there is one. Returns whether there was.
    pub(super) fn update(
        &mut self,
        state: &[i32],
        probe: &mut DiscreteProbe,
        change: impl FnOnce(Handle) -> Option<Handle>,
    ) -> bool {
        let Self::Buckets(buckets) = self else {
            let Some(union) = change(self.get(state, probe)) else { return false };
            if let Self::Diagram(diagram) = self {
                diagram.set(state, union.to_u32());
            }
            return true;
        };
        let bucket = buckets.find(state, probe);
        let before = bucket.node().map(|node| (node, buckets.nodes.get(node)));
        let union = change(before.map_or(Handle::FALSE, |(_, node)| handle(node.zone())));
        let Some(union) = union else { return false };
        let key = ZoneKey::from_index(union.index());
        match before {
            Some((position, node)) => buckets.nodes.replace(position, key, 0, true, node.link),
            None => _ = buckets.push_front(&bucket, probe, key, 0, None),
        }
        true
    }

    /// The unions of all states; some may occur several times.
    pub(super) fn unions(&mut self) -> Box<dyn Iterator<Item = Handle> + '_> {
        match self {
            Self::Buckets(Buckets { nodes, .. }) => {
                Box::new((0..nodes.len() as u32).map(|position| handle(nodes.get(position).zone())))
            }
            Self::Diagram(diagram) => Box::new(diagram.numbers().map(Handle::from_u32)),
        }
    }

    /// Visits each state with its union; none if the states are one diagram.
    pub(super) fn for_each(&self, discrete: &mut [i32], visit: &mut dyn FnMut(&[i32], Handle)) {
        let Self::Buckets(buckets) = self else { return };
        for position in 0..buckets.nodes.len() as u32 {
            buckets.discrete.load(buckets.nodes.code(position), discrete);
            visit(discrete, handle(buckets.nodes.get(position).zone()));
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Buckets(buckets) => buckets.len(),
            Self::Diagram(diagram) => diagram.len(),
        }
    }

    /// Whether there may be no room for one more state.
    pub(super) fn is_full(&self) -> bool {
        match self {
            Self::Buckets(_) => false,
            Self::Diagram(diagram) => diagram.bytes() as u64 + ROOM_BYTES > Mtidd::NODE_BYTES_MAX,
        }
    }

    pub(super) fn memory(&self) -> Memory {
        match self {
            Self::Buckets(buckets) => {
                let [discrete, table, nodes] = buckets.bytes();
                Memory { discrete, table, nodes, ..Memory::default() }
            }
            Self::Diagram(diagram) => Memory { discrete: diagram.bytes(), ..Memory::default() },
        }
    }
}
