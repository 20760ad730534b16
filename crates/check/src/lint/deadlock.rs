//! Deadlocks, and whether time can diverge there.
//!
//! The deadlocked part of each node is computed exactly (`zonegraph/src/deadlock.rs`). The discrete state decides between two kinds
//! (`zonegraph/src/diverge.rs`). If time can diverge, the network has terminated, which may be intended. If it cannot, the model
//! contradicts itself: time must pass and cannot, and no transition is enabled. That is a *timelock*.
//!
//! Other timelocks are not detected: states from which time converges although transitions are always enabled. They are a property of
//! paths, not of one state.

use std::collections::BTreeSet;

use tourbillon_base::Id;
use tourbillon_model::{CellId, LocationId, ProcessId};
use tourbillon_replay::ConcreteState;
use tourbillon_store::NodeId;
use tourbillon_system::{Predicate, RuntimeError, System};
use tourbillon_zonegraph::{PredicateEvaluator, Satisfaction, SymbolicState, TimeStop};

use super::closure::Images;
use super::entry::process_of;
use crate::path::Witness;

/// Deadlocked states of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    pub standstill: Standstill,
    /// The locations of the first that was found.
    pub locations: Vec<LocationId>,
    /// The number of location vectors with such states.
    pub combinations: usize,
    /// Whether `combinations` is the maximum that is counted.
    pub capped: bool,
    /// A run to the first, if traces are requested.
    pub witness: Option<Witness>,
}

/// Whether time can diverge in a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standstill {
    /// Time can diverge.
    Rest,
    /// Time cannot diverge because of this process: its location is urgent or committed, or has an invariant with an
    /// upper bound.
    TimeLock(ProcessId),
    /// Time cannot diverge because guards enable an urgent synchronisation, which invariants disable.
    Urgency,
}

/// The maximum number of location vectors that are counted.
const COMBINATIONS_MAX: usize = 1000;

/// Observes deadlocks.
pub(super) struct Observer<'s> {
    system: &'s System,
    evaluator: PredicateEvaluator<'s>,
    deadlock: &'s Predicate,
    rests: Kind,
    locks: Kind,
}

/// The deadlocks of one kind.
#[derive(Default)]
struct Kind {
    first: Option<(NodeId, Option<TimeStop>, Vec<i32>)>,
    locations: BTreeSet<Vec<i32>>,
}

impl Kind {
    /// Counts a location vector, up to the maximum. Returns whether it is new.
    fn count(&mut self, locations: Vec<i32>) -> bool {
        self.locations.len() < COMBINATIONS_MAX && self.locations.insert(locations)
    }
}

impl<'s> Observer<'s> {
    pub(super) fn new(system: &'s System, deadlock: &'s Predicate) -> Self {
        let (rests, locks) = (Kind::default(), Kind::default());
        Self { system, evaluator: PredicateEvaluator::new(system), deadlock, rests, locks }
    }

    pub(super) fn node(&mut self, node: NodeId, state: &SymbolicState) -> Result<(), RuntimeError> {
        if self.evaluator.meet(self.deadlock, &state.memory, &state.zone)? == Satisfaction::Nowhere {
            return Ok(());
        }
        let stop = self.evaluator.time_stop(&state.memory)?;
        let kind = if stop.is_none() { &mut self.rests } else { &mut self.locks };
        let locations = &state.memory[..self.system.layout.processes()];
        kind.first.get_or_insert_with(|| (node, stop, locations.to_vec()));
        kind.count(locations.to_vec());
        Ok(())
    }

    /// An observer for a part of the exploration, which has found nothing.
    pub(super) fn part(&self) -> Self {
        Self::new(self.system, self.deadlock)
    }

    /// Nodes have other ids. Without traces a deleted node has none, and no path that would be asked for.
    pub(super) fn renumber(&mut self, new: &dyn Fn(NodeId) -> Option<NodeId>) {
        for kind in [&mut self.rests, &mut self.locks] {
            if let Some((node, ..)) = &mut kind.first {
                *node = new(*node).unwrap_or(*node);
            }
        }
    }

    /// Takes over what the observer of a part has found.
    pub(super) fn join(&mut self, part: Self) {
        for (kind, part) in [(&mut self.rests, part.rests), (&mut self.locks, part.locks)] {
            kind.first = kind.first.take().or(part.first);
            part.locations.into_iter().for_each(|locations| {
                kind.count(locations);
            });
        }
    }

    /// Adds the images of the location vectors. Returns whether any is new.
    pub(super) fn add_images(&mut self, images: &Images) -> bool {
        let mut changed = false;
        for kind in [&mut self.rests, &mut self.locks] {
            for image in kind.locations.iter().map(|it| images.vector(it)).collect::<Vec<_>>() {
                changed |= kind.count(image);
            }
        }
        changed
    }

    /// At most one finding of each kind.
    pub(super) fn findings(&mut self, witness: impl Fn(NodeId) -> Option<Witness>) -> Vec<Deadlock> {
        let Self { system, evaluator, locks, rests, .. } = self;
        let mut finding = |kind: &Kind| {
            let (node, mut stop, mut locations) = kind.first.clone()?;
            let witness = witness(node);
            if let Some(witness) = &witness {
                // The run may end in another state than the node's, which symmetry maps to it.
                let memory = discrete(system, &witness.last);
                locations = memory[..system.layout.processes()].to_vec();
                stop = evaluator.time_stop(&memory).unwrap_or(stop);
            }
            Some(Deadlock {
                standstill: match stop {
                    None => Standstill::Rest,
                    Some(TimeStop::At(place)) => Standstill::TimeLock(process_of(system, place)),
                    Some(TimeStop::Urgency) => Standstill::Urgency,
                },
                locations: locations.iter().map(|&it| LocationId::from_index(it as usize)).collect(),
                combinations: kind.locations.len(),
                capped: kind.locations.len() == COMBINATIONS_MAX,
                witness,
            })
        };
        [&*locks, &*rests].into_iter().filter_map(&mut finding).collect()
    }
}

/// The discrete state of a concrete one.
fn discrete(system: &System, state: &ConcreteState) -> Vec<i32> {
    let mut memory = system.initial.clone();
    for (field, location) in memory.iter_mut().zip(&state.locations) {
        *field = location.index() as i32;
    }
    for (cell, &value) in state.cells.iter().enumerate() {
        memory[system.layout.slot(CellId::from_index(cell))] = value;
    }
    memory
}
