//! A passed/waiting list whose passed states are in a probabilistic table.
//!
//! It implements the interface of the exact list and behaves like it while the table makes no mistake: with signatures
//! and zones like an exact list with the same cover relation, with bits or signatures alone like one with equality.
//! Only visited states cannot be read back.
//!
//! ```text
//!   offer ──▶ table: known? ──▶ covered by one that waits? ──▶ waiting states, order
//!   pop   ──▶ order ──▶ waiting states ──▶ table: inserted         without inclusion on waiting: known? here instead
//! ```
//!
//! A popped state leaves its slot at once; its copy here is loaded.

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

use super::certainty::{Certainty, PassedCounts};
use super::origins::OriginTable;
use super::waiting_states::{WaitingState, WaitingStates};
use super::{Insertion, Membership, PackedState, VisitedSet, WhenFull};
use crate::cover::{Cover, CoverParameters};
use crate::interface::{
    Counts, Divided, Interrupted, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef,
};
use crate::probe::Probe;
use crate::repack::Packing;
use crate::settings::{Settings, ZoneForm};
use crate::waiting::{Priority, Waiting};
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore, new_zone_store};

/// The list, over a set of visited states and a storage form of zones.
#[derive(Debug)]
pub(super) struct HashedList<V> {
    pub(super) cover: Cover,
    pub(super) waiting_inclusion: bool,
    spare_waiting: bool,
    pub(super) when_full: WhenFull,
    pub(super) visited: V,
    pub(super) zones: Box<dyn ZoneStore>,
    pub(super) states: WaitingStates,
    pub(super) waiting: Waiting,
    pub(super) origins: Option<OriginTable>,
    popped: Popped,
    /// The keys of deleted waiting states.
    freed: Vec<ZoneKey>,
    pub(super) passed: PassedCounts,
    /// All counts except the stored nodes.
    pub(super) counts: Counts,
}

/// The state popped last.
#[derive(Debug)]
struct Popped {
    node: Option<NodeId>,
    discrete: Box<[i32]>,
    zone: Dbm,
    probe: Probe,
}

impl<V: VisitedSet> HashedList<V> {
    pub(super) fn new(settings: &Settings, when_full: WhenFull, visited: V, zones: ZoneForm) -> Self {
        assert!(settings.ranges.iter().all(|(low, high)| low <= high), "a field without values");
        let compares_popped = !settings.waiting_inclusion && V::KEEPS_ZONES;
        let with_parameters = compares_popped && settings.cover.has_parameters();
        Self {
            cover: settings.cover,
            waiting_inclusion: settings.waiting_inclusion,
            spare_waiting: settings.spare_waiting,
            when_full,
            visited,
            zones: new_zone_store(zones, settings.dimension),
            waiting: Waiting::new(settings.order, settings.seed),
            origins: settings.traces.then(OriginTable::new),
            popped: Popped {
                node: None,
                discrete: vec![0; settings.ranges.len()].into(),
                zone: Dbm::zero(settings.dimension),
                probe: Probe::new(),
            },
            states: WaitingStates::new(
                &settings.ranges,
                settings.waiting_inclusion,
                with_parameters,
                settings.traces,
            ),
            freed: Vec::new(),
            passed: PassedCounts::default(),
            counts: Counts::default(),
        }
    }

    /// Whether a visited state covers this one, according to the table.
    fn find_visited(&self, state: &StateRef<'_>, probe: &mut Probe) -> Membership {
        let Probe { discrete, packed, zone, .. } = probe;
        self.visited.find(&PackedState { state: *state, words: packed }, &*self.zones, (discrete, zone))
    }

    /// Whether a waiting state with the same discrete state covers the encoded zone.
    fn is_covered_by_waiting(&self, state: &StateRef<'_>, words: &[u32], probe: &mut ZoneProbe) -> bool {
        self.states.covers((self.cover, &*self.zones), state, words, probe)
    }

    /// Deletes the waiting states with the same discrete state that the encoded zone covers.
    fn delete_covered_waiting(&mut self, state: &StateRef<'_>, words: &[u32], probe: &mut ZoneProbe) {
        let Self { cover, states, zones, freed, counts, .. } = self;
        states.withdraw_covered((*cover, &**zones), state, words, probe, freed);
        counts.deleted += freed.len();
        counts.waiting -= freed.len();
        freed.drain(..).for_each(|key| zones.free(key));
    }

    /// Saves the encoded zone and adds the offered state to the waiting list.
    fn insert(&mut self, offered: &Offered<'_>, probe: &Probe) -> NodeId {
        let id = self.origins.as_mut().map(|origins| origins.add(offered.parent, offered.step));
        let StateRef { zone, parameters, .. } = offered.state;
        let state = WaitingState { zone: self.zones.save(zone, &probe.zone), parameters, id };
        let slot = self.states.add(&probe.packed, &state);
        self.waiting.push(NodeId::from_index(slot as usize), Priority(0, offered.cost));
        self.counts.waiting += 1;
        self.note_stored();
        NodeId::from_index(id.unwrap_or(slot) as usize)
    }

    fn stored(&self) -> usize {
        self.passed.inserted + self.counts.waiting
    }

    fn note_stored(&mut self) {
        self.counts.stored_max = self.counts.stored_max.max(self.stored());
    }

    /// Takes the next state out of its slot, unless it is stale.
    fn take(&mut self, slot: u32) -> Option<ZoneKey> {
        let key = self.states.zone(slot)?;
        let Popped { discrete, zone, probe, .. } = &mut self.popped;
        self.states.words(slot, &mut probe.packed);
        self.states.unpack(&probe.packed, discrete);
        self.zones.load(key, zone);
        self.states.withdraw(&probe.packed, slot);
        self.counts.waiting -= 1;
        Some(key)
    }

    /// Compares the popped state with visited ones, if that was not done when it was offered, or if more states may
    /// cover it now. Returns whether it is known.
    fn is_known(&mut self, slot: u32) -> bool {
        if self.waiting_inclusion && !V::IS_EXACT {
            return false;
        }
        let Self { popped, states, visited, zones, .. } = self;
        let Popped {
            discrete, zone, probe: Probe { discrete: discrete_probe, packed, zone: probe, .. }, ..
        } = popped;
        if V::KEEPS_ZONES {
            zones.encode_extending(zone, probe);
        }
        let state = StateRef { discrete, zone, parameters: states.parameters(slot) };
        let packed = PackedState { state, words: packed };
        match visited.find(&packed, &**zones, (discrete_probe, probe)) {
            Membership::Known => {
                self.counts.refused += 1;
                true
            }
            Membership::New { chance } => {
                self.passed.estimate.add(chance);
                let removed = visited.remove_covered(&packed, &mut **zones, probe);
                self.note_removed(removed);
                false
            }
        }
    }

    fn note_removed(&mut self, removed: usize) {
        self.passed.inserted -= removed;
        self.counts.deleted += removed;
        self.counts.mistakes += removed;
    }

    /// Inserts the popped state in the table. Returns whether it must be visited.
    fn insert_popped(&mut self, key: ZoneKey, is_over: &dyn Fn() -> bool) -> Result<bool, Interrupted> {
        let Popped { discrete, zone, probe, .. } = &mut self.popped;
        let state = StateRef { discrete, zone, parameters: CoverParameters::None };
        let packed = PackedState { state, words: &probe.packed };
        let insertion = self.visited.insert(&packed, key, &mut probe.discrete, is_over);
        if insertion == Insertion::Interrupted {
            return Err(Interrupted);
        }
        if !V::KEEPS_ZONES || insertion != Insertion::Inserted {
            self.zones.free(key);
        }
        self.passed.count(insertion, self.when_full, self.visited.occupancy().places);
        self.passed.not_inserted += u64::from(insertion == Insertion::Full && !self.passed.stopped);
        Ok(!self.passed.stopped)
    }

    /// Returns the popped state to the end of the waiting list.
    fn wait_again(&mut self, slot: u32, zone: ZoneKey) {
        self.states.restore(&self.popped.probe.packed, slot, zone);
        self.waiting.push(NodeId::from_index(slot as usize), Priority(0, self.waiting.popped_cost()));
        self.counts.waiting += 1;
    }

    /// Frees a slot, and the id of a state that will not be visited. Ids of exact lists are not reused: a search may
    /// continue after a witness, to find a better one.
    fn drop_slot(&mut self, slot: u32, visited: bool) {
        let released = !visited && !V::IS_EXACT;
        if let Some((origins, id)) = self.origins.as_mut().zip(self.states.id(slot)).filter(|_| released) {
            origins.release(id);
        }
        self.states.release(slot);
    }
}

impl<V: VisitedSet> PassedList for HashedList<V> {
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.states.pack(state.discrete, &mut probe.packed);
        self.zones.encode(state.zone, &mut probe.zone);
        self.find_visited(state, probe) == Membership::Known
            || self.is_covered_by_waiting(state, &probe.packed, &mut probe.zone)
    }

    fn is_stored(&self, node: NodeId) -> bool {
        self.popped.node == Some(node)
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        assert!(self.popped.node == Some(node), "only the node that was popped last can be read");
        discrete.copy_from_slice(&self.popped.discrete);
        zone.copy_from(&self.popped.zone);
    }

    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        self.origins.as_ref().map(|origins| origins.get(node))
    }

    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        Box::new(std::iter::empty())
    }

    fn for_each_stored(&self, discrete: &mut [i32], _: &mut Dbm, visit: &mut dyn FnMut(&[i32], &Dbm)) {
        self.visited.for_each(discrete, visit);
    }

    fn counts(&self) -> Counts {
        let discrete_states = self.visited.discrete_states();
        Counts { stored: self.stored(), distinct_zones: self.zones.len(), discrete_states, ..self.counts }
    }

    fn memory(&self) -> Memory {
        let zones = self.zones.bytes();
        let (of_passed, of_waiting) = if V::KEEPS_ZONES { (zones, 0) } else { (0, zones) };
        self.visited.memory().and(&Memory {
            zones: of_passed,
            waiting: self.waiting.bytes() + self.states.bytes() + of_waiting,
            parents: self.origins.as_ref().map_or(0, OriginTable::bytes),
            ..Memory::default()
        })
    }

    fn certainty(&self) -> Option<Certainty> {
        if V::IS_EXACT && !self.passed.stopped {
            return None;
        }
        let sees_collisions = self.waiting_inclusion && !V::KEEPS_ZONES;
        Some(self.passed.certainty(self.visited.occupancy(), sees_collisions))
    }
}

impl<V: VisitedSet> PassedWaiting for HashedList<V> {
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        let state = &offered.state;
        self.states.pack(state.discrete, &mut probe.packed);
        if !self.waiting_inclusion {
            self.zones.encode_extending(state.zone, &mut probe.zone);
            return Offer::Stored(self.insert(offered, probe));
        }
        if V::KEEPS_ZONES {
            self.zones.encode_extending(state.zone, &mut probe.zone);
        }
        let Membership::New { chance } = self.find_visited(state, probe) else {
            self.counts.refused += 1;
            return Offer::Covered;
        };
        if !V::KEEPS_ZONES {
            self.zones.encode_extending(state.zone, &mut probe.zone);
        }
        if self.is_covered_by_waiting(state, &probe.packed, &mut probe.zone) {
            self.counts.refused += 1;
            return Offer::Covered;
        }
        self.passed.estimate.add(chance);
        let packed = PackedState { state: *state, words: &probe.packed };
        let removed = self.visited.remove_covered(&packed, &mut *self.zones, &mut probe.zone);
        self.note_removed(removed);
        if !self.spare_waiting {
            self.delete_covered_waiting(state, &probe.packed, &mut probe.zone);
        }
        Offer::Stored(self.insert(offered, probe))
    }

    fn popped_cost(&self) -> u64 {
        self.waiting.popped_cost()
    }

    fn pop(&mut self) -> Option<NodeId> {
        self.pop_unless(&|| false).unwrap_or_default()
    }

    fn in_shards(&mut self, settings: &Settings, _: Packing) -> Option<Divided> {
        if self.waiting_inclusion { V::in_shards(self, settings) } else { None }
    }

    fn pop_unless(&mut self, is_over: &dyn Fn() -> bool) -> Result<Option<NodeId>, Interrupted> {
        while !self.passed.stopped {
            let Some(waiting) = self.waiting.pop() else { break };
            let slot = waiting.index() as u32;
            let Some(key) = self.take(slot) else {
                self.drop_slot(slot, false);
                continue;
            };
            if self.is_known(slot) {
                self.zones.free(key);
                self.drop_slot(slot, false);
                continue;
            }
            let node = NodeId::from_index(self.states.id(slot).unwrap_or(slot) as usize);
            match self.insert_popped(key, is_over) {
                Ok(true) => {
                    self.drop_slot(slot, true);
                    self.popped.node = Some(node);
                    return Ok(Some(node));
                }
                // It stays in the waiting list.
                Ok(false) => self.counts.waiting += 1,
                Err(interrupted) => {
                    self.wait_again(slot, key);
                    return Err(interrupted);
                }
            }
        }
        Ok(None)
    }
}
