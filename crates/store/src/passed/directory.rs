//! Which union each discrete state has.
//!
//! | directory | what it keeps |
//! |---|---|
//! | [`Buckets`] | for each state a record with its code and the handle, found by a hash table |
//! | [`Mtidd`] | one diagram for all: a level for each field of a state, and handles at its leaves |
//!
//! The second is the proposal of `[ThomsenKristensen2002]`, section 10.3. It has no record for a state, and states with the
//! same union share what their fields have in common at the end as well as at the beginning. It can serve unions and
//! nothing else: what it cannot do is to give back the state of a node.

use std::fmt;

use tourbillon_base::Id;
use tourbillon_dd::{Handle, Mtidd};

use super::unions::ROOM_BYTES;
use crate::buckets::Buckets;
use crate::discrete::Discrete;
use crate::interface::Memory;
use crate::zones::ZoneKey;

/// A map from discrete states to unions.
pub(super) trait Directory: fmt::Debug {
    /// The union of a state; that of nothing if the state is not known.
    fn union_of(&mut self, state: &[i32]) -> Handle;

    /// Gives a state the union that is made of the one it has, if one is. Returns whether one was.
    fn update(&mut self, state: &[i32], change: impl FnOnce(Handle) -> Option<Handle>) -> bool;

    /// The unions of all states, some of them several times.
    fn unions(&mut self) -> impl Iterator<Item = Handle>;

    /// The number of states.
    fn len(&self) -> usize;

    /// Whether there may be no room for one more.
    fn is_full(&self) -> bool;

    fn memory(&self) -> Memory;
}

/// The handle that has the place of a zone's key.
fn handle(key: ZoneKey) -> Handle {
    Handle::from_index(key.index())
}

impl<D: Discrete> Directory for Buckets<D> {
    fn union_of(&mut self, state: &[i32]) -> Handle {
        self.find(state).node().map_or(Handle::FALSE, |node| handle(self.nodes.get(node).zone()))
    }

    fn update(&mut self, state: &[i32], change: impl FnOnce(Handle) -> Option<Handle>) -> bool {
        let place = self.find(state);
        let before = place.node().map(|node| (node, self.nodes.get(node)));
        let union = change(before.map_or(Handle::FALSE, |(_, node)| handle(node.zone())));
        let Some(union) = union else { return false };
        let key = ZoneKey::from_index(union.index());
        match before {
            Some((position, node)) => self.nodes.replace(position, key, 0, true, node.link),
            None => _ = self.push_front(&place, key, 0, None),
        }
        true
    }

    fn unions(&mut self) -> impl Iterator<Item = Handle> {
        (0..self.nodes.len() as u32).map(|position| handle(self.nodes.get(position).zone()))
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn is_full(&self) -> bool {
        false
    }

    fn memory(&self) -> Memory {
        let [discrete, table, nodes] = self.bytes();
        Memory { discrete, table, nodes, ..Memory::default() }
    }
}

impl Directory for Mtidd {
    fn union_of(&mut self, state: &[i32]) -> Handle {
        self.get(state).map_or(Handle::FALSE, Handle::from_u32)
    }

    fn update(&mut self, state: &[i32], change: impl FnOnce(Handle) -> Option<Handle>) -> bool {
        let Some(union) = change(self.union_of(state)) else { return false };
        self.set(state, union.to_u32());
        true
    }

    fn unions(&mut self) -> impl Iterator<Item = Handle> {
        self.numbers().map(Handle::from_u32)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn is_full(&self) -> bool {
        self.bytes() as u64 + ROOM_BYTES > Self::NODE_BYTES_MAX
    }

    fn memory(&self) -> Memory {
        Memory { discrete: self.bytes(), ..Memory::default() }
    }
}
