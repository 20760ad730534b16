//! States without any step, now or after any delay, and what time does there.
//!
//! The part of each node without a step is computed exactly (`zonegraph/src/deadlock.rs`). Such a state is one of two
//! kinds, which its discrete part decides (`zonegraph/src/diverge.rs`). Where time can pass for ever the network has
//! come to *rest*: that may be its end, as it should be. Where it cannot, the model contradicts itself: time must
//! pass, cannot, and nothing else can happen either. That is a *time-lock*.
//!
//! Not looked for are states from which time can always go on a little, with steps in between, and never as
//! far as one likes: those need more than one state to be seen.

use std::collections::BTreeSet;

use tourbillon_base::Id;
use tourbillon_model::{LocationId, ProcessId};
use tourbillon_store::NodeId;
use tourbillon_system::{Predicate, RuntimeError, System};
use tourbillon_zonegraph::{PredicateEvaluator, Satisfaction, SymbolicState, TimeStop};

use super::entry::process_of;
use crate::path::Witness;

/// States without any step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    /// What time does there.
    pub standstill: Standstill,
    /// Where the processes are in the first that was found.
    pub locations: Vec<LocationId>,
    /// At how many combinations of locations there are such states.
    pub combinations: usize,
    /// Whether that is as far as was counted.
    pub capped: bool,
    /// A run to the first, if runs were asked for.
    pub witness: Option<Witness>,
}

/// What time does where no step is possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standstill {
    /// It passes for ever.
    Rest,
    /// It cannot, for the sake of this process: its location is urgent or committed, or has an invariant with an
    /// upper bound.
    TimeLock(ProcessId),
    /// It cannot, because guards allow an urgent synchronisation, which invariants forbid.
    Urgency,
}

/// How many combinations of locations are told apart.
const COMBINATIONS_MAX: usize = 1000;

/// Looks on.
pub(super) struct Observer<'s> {
    system: &'s System,
    evaluator: PredicateEvaluator<'s>,
    deadlock: &'s Predicate,
    rests: Kind,
    locks: Kind,
}

/// What is known of one kind.
#[derive(Default)]
struct Kind {
    first: Option<(NodeId, Option<TimeStop>, Vec<i32>)>,
    locations: BTreeSet<Vec<i32>>,
}

impl<'s> Observer<'s> {
    pub(super) fn new(system: &'s System, deadlock: &'s Predicate) -> Self {
        let (rests, locks) = (Kind::default(), Kind::default());
        Self { system, evaluator: PredicateEvaluator::new(system), deadlock, rests, locks }
    }

    /// Looks at a node.
    pub(super) fn node(&mut self, node: NodeId, state: &SymbolicState) -> Result<(), RuntimeError> {
        if self.evaluator.meet(self.deadlock, &state.memory, &state.zone)? == Satisfaction::Nowhere {
            return Ok(());
        }
        let stop = self.evaluator.time_stop(&state.memory)?;
        let kind = if stop.is_none() { &mut self.rests } else { &mut self.locks };
        let locations = &state.memory[..self.system.layout.processes()];
        kind.first.get_or_insert_with(|| (node, stop, locations.to_vec()));
        if kind.locations.len() < COMBINATIONS_MAX {
            kind.locations.insert(locations.to_vec());
        }
        Ok(())
    }

    /// What was found: at most one of each kind.
    pub(super) fn findings(
        &self,
        system: &System,
        witness: impl Fn(NodeId) -> Option<Witness>,
    ) -> Vec<Deadlock> {
        let told = |kind: &Kind| {
            let (node, stop, locations) = kind.first.as_ref()?;
            Some(Deadlock {
                standstill: match stop {
                    None => Standstill::Rest,
                    Some(TimeStop::At(place)) => Standstill::TimeLock(process_of(system, *place)),
                    Some(TimeStop::Urgency) => Standstill::Urgency,
                },
                locations: locations.iter().map(|&it| LocationId::from_index(it as usize)).collect(),
                combinations: kind.locations.len(),
                capped: kind.locations.len() == COMBINATIONS_MAX,
                witness: witness(*node),
            })
        };
        [&self.locks, &self.rests].into_iter().filter_map(told).collect()
    }
}
