//! A passed/waiting list whose passed states are in a table that may take new states for known ones.
//!
//! It answers the same calls as the exact list and, while the table makes no mistake, in the same way: with signatures
//! and zones as an exact list of the same cover, with bits or signatures alone as one with equality. Only what was
//! visited cannot be read back.
//!
//! ```text
//!   offer ──▶ table: known? ──▶ pending: covered by one that waits? ──▶ pending, order
//!   pop   ──▶ order ──▶ pending ──▶ table: entered          without inclusion on waiting: known? here instead
//! ```
//!
//! A waiting state that is popped leaves its slot at once; its copy here is what is loaded.

use tourbillon_base::Id;
use tourbillon_dbm::{ClockBounds, Dbm};

use super::certainty::{Certainty, Estimate};
use super::origins::Origins;
use super::pending::{Arrival, Pending};
use super::{Entry, Passed, Sight, State, WhenFull, covers, is_covered};
use crate::interface::{Abandoned, Counts, Memory, NodeId, Offer, Offered, PassedWaiting};
use crate::settings::{Cover, Settings};
use crate::waiting::{Priority, Waiting};
use crate::zones::{ZoneKey, Zones};

/// The list, over a table and a form of zones.
#[derive(Debug)]
pub(super) struct HashedList<P, Z> {
    cover: Cover,
    waiting_inclusion: bool,
    spare_waiting: bool,
    when_full: WhenFull,
    passed: P,
    zones: Z,
    pending: Pending,
    waiting: Waiting,
    origins: Option<Origins>,
    /// The discrete part of an offer, packed.
    offered: Box<[u32]>,
    popped: Popped,
    estimate: Estimate,
    /// States in the table.
    entered: usize,
    unentered: u64,
    collisions: u64,
    stopped: bool,
    /// But for those that are stored.
    counts: Counts,
}

/// The state that was popped last.
#[derive(Debug)]
struct Popped {
    node: Option<NodeId>,
    discrete: Box<[i32]>,
    words: Box<[u32]>,
    zone: Dbm,
    /// For covers that do not look at bounds.
    no_bounds: ClockBounds,
}

impl<P: Passed<Z>, Z: Zones> HashedList<P, Z> {
    pub(super) fn new(settings: &Settings, when_full: WhenFull, passed: P, zones: Z) -> Self {
        assert!(settings.ranges.iter().all(|(low, high)| low <= high), "a field without values");
        let compares_popped = !settings.waiting_inclusion && P::KEEPS_ZONES;
        let with_bounds = compares_popped && settings.cover == Cover::Alu;
        let pending =
            Pending::new(&settings.ranges, settings.waiting_inclusion, with_bounds, settings.traces);
        Self {
            cover: settings.cover,
            waiting_inclusion: settings.waiting_inclusion,
            spare_waiting: settings.spare_waiting,
            when_full,
            passed,
            zones,
            waiting: Waiting::new(settings.order, settings.seed),
            origins: settings.traces.then(Origins::new),
            offered: pending.scratch(),
            popped: Popped {
                node: None,
                discrete: vec![0; settings.ranges.len()].into(),
                words: pending.scratch(),
                zone: Dbm::zero(settings.dimension),
                no_bounds: ClockBounds::none(settings.dimension),
            },
            pending,
            estimate: Estimate::default(),
            entered: 0,
            unentered: 0,
            collisions: 0,
            stopped: false,
            counts: Counts::default(),
        }
    }

    /// Whether a waiting state with the offered discrete part covers the held zone.
    fn is_covered_by_waiting(&mut self, offered: &Offered<'_>) -> bool {
        let mut slot = self.pending.first(&self.offered);
        if slot.is_some() && self.cover == Cover::Alu {
            self.zones.hold_floor(offered.zone, offered.bounds);
        }
        while let Some(at) = slot {
            if self.pending.zone(at).is_some_and(|key| covers(&mut self.zones, self.cover, key)) {
                return true;
            }
            slot = self.pending.next(at);
        }
        false
    }

    /// Deletes the waiting states with the offered discrete part that the held zone covers.
    fn delete_covered_waiting(&mut self, offered: &Offered<'_>) {
        let mut slot = self.pending.first(&self.offered);
        if slot.is_some() && self.cover == Cover::Alu {
            self.zones.hold_ceiling(offered.zone, offered.bounds);
        }
        while let Some(at) = slot {
            slot = self.pending.next(at);
            let zone = self.pending.zone(at);
            if let Some(key) = zone.filter(|&key| is_covered(&mut self.zones, self.cover, key)) {
                self.pending.withdraw(&self.offered, at);
                self.zones.free(key);
                self.counts.deleted += 1;
                self.counts.waiting -= 1;
            }
        }
    }

    /// Saves the held zone and lets the offered state wait.
    fn insert(&mut self, offered: &Offered<'_>) -> NodeId {
        let id = self.origins.as_mut().map(|origins| origins.add(offered.parent, offered.step));
        let arrival = Arrival { zone: self.zones.save(), bounds: offered.bounds, id };
        let slot = self.pending.add(&self.offered, &arrival);
        self.waiting.push(NodeId::from_index(slot as usize), Priority(0, offered.cost));
        self.counts.waiting += 1;
        self.note_stored();
        NodeId::from_index(id.unwrap_or(slot) as usize)
    }

    fn stored(&self) -> usize {
        self.entered + self.counts.waiting
    }

    fn note_stored(&mut self) {
        self.counts.stored_max = self.counts.stored_max.max(self.stored());
    }

    /// Takes out of its slot the state that is to be visited next, unless it is stale.
    fn take(&mut self, slot: u32) -> Option<ZoneKey> {
        let key = self.pending.zone(slot)?;
        self.pending.words(slot, &mut self.popped.words);
        self.pending.unpack(&self.popped.words, &mut self.popped.discrete);
        self.zones.load(key, &mut self.popped.zone);
        self.pending.withdraw(&self.popped.words, slot);
        self.counts.waiting -= 1;
        Some(key)
    }

    /// Compares the popped state with what was visited, if that was not done when it was offered, or if more may cover it
    /// now. Returns whether it is known.
    fn is_known(&mut self, slot: u32) -> bool {
        if self.waiting_inclusion && !P::IS_EXACT {
            return false;
        }
        let Self { popped, pending, passed, zones, .. } = self;
        let bounds = pending.bounds(slot).unwrap_or(&popped.no_bounds);
        let state = State { discrete: &popped.discrete, words: &popped.words, zone: &popped.zone, bounds };
        if P::KEEPS_ZONES {
            zones.hold(&popped.zone);
        }
        match passed.look(&state, zones) {
            Sight::Known => {
                self.counts.refused += 1;
                true
            }
            Sight::New { chance } => {
                self.estimate.add(chance);
                let forgotten = passed.forget_covered(&state, zones);
                self.note_forgotten(forgotten);
                false
            }
        }
    }

    fn note_forgotten(&mut self, forgotten: usize) {
        self.entered -= forgotten;
        self.counts.deleted += forgotten;
        self.counts.mistakes += forgotten;
    }

    /// Enters the popped state in the table. Returns whether it is to be visited.
    fn enter(&mut self, key: ZoneKey, is_over: &dyn Fn() -> bool) -> Result<bool, Abandoned> {
        let Popped { discrete, words, zone, no_bounds: bounds, .. } = &self.popped;
        let state = State { discrete, words, zone, bounds };
        let entry = self.passed.enter_unless(&state, key, is_over);
        if entry == Entry::Abandoned {
            return Err(Abandoned);
        }
        if !P::KEEPS_ZONES || entry != Entry::Entered {
            self.zones.free(key);
        }
        match entry {
            Entry::Entered => self.entered += 1,
            Entry::Collided => {
                self.entered += 1;
                self.collisions += 1;
            }
            Entry::Full => {
                let enough = self.unentered >= self.passed.fill().places;
                self.stopped = self.when_full == WhenFull::Stop || enough;
                self.unentered += u64::from(!self.stopped);
            }
            Entry::Abandoned => {}
        }
        Ok(!self.stopped)
    }

    /// Lets the popped state wait again, behind those that wait.
    fn wait_again(&mut self, slot: u32, zone: ZoneKey) {
        let bounds = self.pending.bounds(slot).unwrap_or(&self.popped.no_bounds).clone();
        let arrival = Arrival { zone, bounds: &bounds, id: self.pending.id(slot) };
        self.pending.release(slot);
        let slot = self.pending.add(&self.popped.words, &arrival);
        self.waiting.push(NodeId::from_index(slot as usize), Priority(0, self.waiting.popped_cost()));
        self.counts.waiting += 1;
    }

    /// Gives back a slot, and the id of a state that is not going to be visited. Where answers are exact a search may go
    /// on after it found something, to find it sooner: then an id means the same state for good.
    fn drop_slot(&mut self, slot: u32, visited: bool) {
        let released = !visited && !P::IS_EXACT;
        if let Some((origins, id)) = self.origins.as_mut().zip(self.pending.id(slot)).filter(|_| released) {
            origins.release(id);
        }
        self.pending.release(slot);
    }
}

impl<P: Passed<Z>, Z: Zones> PassedWaiting for HashedList<P, Z> {
    fn offer(&mut self, offered: &Offered<'_>) -> Offer {
        self.pending.pack(offered.discrete, &mut self.offered);
        if !self.waiting_inclusion {
            self.zones.hold(offered.zone);
            return Offer::Stored(self.insert(offered));
        }
        let Offered { discrete, zone, bounds, .. } = *offered;
        let state = State { discrete, words: &self.offered, zone, bounds };
        if P::KEEPS_ZONES {
            self.zones.hold(offered.zone);
        }
        let Sight::New { chance } = self.passed.look(&state, &mut self.zones) else {
            self.counts.refused += 1;
            return Offer::Covered;
        };
        if !P::KEEPS_ZONES {
            self.zones.hold(offered.zone);
        }
        if self.is_covered_by_waiting(offered) {
            self.counts.refused += 1;
            return Offer::Covered;
        }
        self.estimate.add(chance);
        let state = State { discrete, words: &self.offered, zone, bounds };
        let forgotten = self.passed.forget_covered(&state, &mut self.zones);
        self.note_forgotten(forgotten);
        if !self.spare_waiting {
            self.delete_covered_waiting(offered);
        }
        Offer::Stored(self.insert(offered))
    }

    fn popped_cost(&self) -> u64 {
        self.waiting.popped_cost()
    }

    fn pop(&mut self) -> Option<NodeId> {
        self.pop_unless(&|| false).unwrap_or_default()
    }

    fn pop_unless(&mut self, is_over: &dyn Fn() -> bool) -> Result<Option<NodeId>, Abandoned> {
        while !self.stopped {
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
            let node = NodeId::from_index(self.pending.id(slot).unwrap_or(slot) as usize);
            match self.enter(key, is_over) {
                Ok(true) => {
                    self.drop_slot(slot, true);
                    self.popped.node = Some(node);
                    return Ok(Some(node));
                }
                // It is left waiting, for ever.
                Ok(false) => self.counts.waiting += 1,
                Err(abandoned) => {
                    self.wait_again(slot, key);
                    return Err(abandoned);
                }
            }
        }
        Ok(None)
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

    fn counts(&self) -> Counts {
        let discrete_states = self.passed.discrete_states();
        Counts { stored: self.stored(), distinct_zones: self.zones.len(), discrete_states, ..self.counts }
    }

    fn memory(&self) -> Memory {
        let zones = self.zones.bytes();
        let (of_passed, of_waiting) = if P::KEEPS_ZONES { (zones, 0) } else { (0, zones) };
        self.passed.memory().and(&Memory {
            zones: of_passed,
            waiting: self.waiting.bytes() + self.pending.bytes() + of_waiting,
            parents: self.origins.as_ref().map_or(0, Origins::bytes),
            ..Memory::default()
        })
    }

    fn certainty(&self) -> Option<Certainty> {
        if P::IS_EXACT && !self.stopped {
            return None;
        }
        let fill = self.passed.fill();
        let sees_collisions = self.waiting_inclusion && !P::KEEPS_ZONES;
        Some(Certainty {
            passes: 1,
            places: fill.places,
            taken: fill.taken,
            states: self.estimate.states(),
            unentered: self.unentered,
            stopped: self.stopped,
            collisions: sees_collisions.then_some(self.collisions),
            share: self.estimate.share(),
            probability: self.estimate.probability(),
        })
    }
}
