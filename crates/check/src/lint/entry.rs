//! Edges that the invariant of their target can disable although their guards hold.
//!
//! An invariant that does not hold on entry silently disables an edge. That is the semantics, and seldom intended: the guard should
//! imply it. For each transition of each node, the valuations that satisfy its guards are updated, and every invariant of the target
//! state must hold for all of them.
//!
//! The finding is about the edge by which a process enters the location; if a process stays in its location and others violate its
//! invariant, by writing variables that it reads, the first edge of the transition.

use std::collections::BTreeSet;

use tourbillon_base::Id;
use tourbillon_model::{LocationId, Model, ProcessId};
use tourbillon_system::{EdgeId, GlobalLocationId, RuntimeError, System};
use tourbillon_zonegraph::{SymbolicState, ZoneGraph};

use super::closure::Images;
use super::{Instances, by_template};

/// An edge that an invariant can disable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenOnEntry {
    pub instances: Instances,
    /// The index of the edge in the process.
    pub edge: usize,
    /// The process and location of the invariant; `None` if it is that of the edge's target.
    pub other: Option<(ProcessId, LocationId)>,
}

/// Observes invariants that are violated on entry.
pub(super) struct Observer {
    /// Whether the model has an invariant.
    has_invariants: bool,
    known: BTreeSet<(EdgeId, GlobalLocationId)>,
    broken: Vec<GlobalLocationId>,
}

impl Observer {
    pub(super) fn new(system: &System) -> Self {
        let has_invariants =
            system.places.iter().any(|place| place.condition.is_some() || !place.invariant.is_true());
        Self { has_invariants, known: BTreeSet::new(), broken: Vec::new() }
    }

    /// Observes a transition that data allows.
    pub(super) fn transition(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        state: &SymbolicState,
        place: usize,
    ) -> Result<(), RuntimeError> {
        if !self.has_invariants {
            return Ok(());
        }
        self.broken.clear();
        graph.broken_on_entry(state, place, &mut self.broken)?;
        let (system, fired) = (graph.system(), graph.transitions().get(place).fired);
        for &place in &self.broken {
            let process = process_of(system, place);
            let entering = fired.iter().find(|fired| system.edges[fired.edge].process == process);
            if let Some(edge) = entering.or(fired.first()) {
                self.known.insert((edge.edge, place));
            }
        }
        Ok(())
    }

    /// An observer for a part of the exploration, which has found nothing.
    pub(super) fn part(&self) -> Self {
        Self { has_invariants: self.has_invariants, known: BTreeSet::new(), broken: Vec::new() }
    }

    /// Takes over what the observer of a part has found.
    pub(super) fn join(&mut self, part: Self) {
        self.known.extend(part.known);
    }

    /// Adds the images of what was found. Returns whether any is new.
    pub(super) fn add_images(&mut self, images: &Images) -> bool {
        let before = self.known.len();
        let image =
            |&(edge, place): &(EdgeId, GlobalLocationId)| (images.edges[edge], images.locations[place]);
        let images: Vec<_> = self.known.iter().map(image).collect();
        self.known.extend(images);
        self.known.len() > before
    }

    /// The findings, by template.
    pub(super) fn findings(&self, model: &Model, system: &System) -> Vec<BrokenOnEntry> {
        let found: BTreeSet<EntryViolation> = self
            .known
            .iter()
            .map(|&(edge, place)| {
                let edge = &system.edges[edge];
                let process = process_of(system, place);
                let location = place.index() - system.first_place[process] as usize;
                let other = (process != edge.process).then(|| (process, LocationId::from_index(location)));
                (edge.process, edge.index as usize, other)
            })
            .collect();
        grouped(model, &found)
    }
}

/// An edge of a process, and the location whose invariant it violates if that is not its target.
type EntryViolation = (ProcessId, usize, Option<(ProcessId, LocationId)>);

/// One finding for each edge of a template and each invariant.
fn grouped(model: &Model, found: &BTreeSet<EntryViolation>) -> Vec<BrokenOnEntry> {
    let mut list = Vec::new();
    for group in by_template(model) {
        let kinds: BTreeSet<_> = found
            .iter()
            .filter(|(process, ..)| group.contains(process))
            .map(|&(_, edge, other)| (edge, other))
            .collect();
        for (edge, other) in kinds {
            let processes: Vec<ProcessId> =
                group.iter().copied().filter(|&process| found.contains(&(process, edge, other))).collect();
            let all = processes.len() == group.len();
            list.push(BrokenOnEntry { instances: Instances { processes, all }, edge, other });
        }
    }
    list
}

/// The process of a location.
pub(super) fn process_of(system: &System, place: GlobalLocationId) -> ProcessId {
    let after = system.first_place.iter().take_while(|&&first| first as usize <= place.index()).count();
    ProcessId::from_index(after - 1)
}
