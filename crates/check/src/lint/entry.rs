//! Edges that the invariant of where they lead can forbid, although their guards hold.
//!
//! An invariant that does not hold on entry silently disables an edge. That is the semantics, and seldom meant: the
//! guard should say it. For each transition of each node, the clock values with which its guards hold are taken through
//! its updates, and every invariant of the state it leads to is asked whether it holds for all of them.
//!
//! Blamed is the edge by which the process comes to the location; where a process stays and others break its
//! invariant, by writing what it reads, the first edge of the step.

use std::collections::BTreeSet;

use tourbillon_base::Id;
use tourbillon_model::{LocationId, Model, ProcessId};
use tourbillon_system::{EdgeId, GlobalLocationId, RuntimeError, System};
use tourbillon_zonegraph::{SymbolicState, ZoneGraph};

use super::{Instances, by_template};

/// An edge that an invariant can forbid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenOnEntry {
    /// In which processes.
    pub instances: Instances,
    /// The edge, by its place among those of the process.
    pub edge: usize,
    /// Whose invariant it is; nothing if it is that of the location to which the edge leads.
    pub other: Option<(ProcessId, LocationId)>,
}

/// Looks on.
pub(super) struct Observer {
    /// Whether there is any invariant that could be broken.
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

    /// Looks at a transition that data allows.
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
            let comes = fired.iter().find(|fired| system.edges[fired.edge].process == process);
            if let Some(blamed) = comes.or(fired.first()) {
                self.known.insert((blamed.edge, place));
            }
        }
        Ok(())
    }

    /// What was found, by template.
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

/// An edge of a process, and whose invariant it breaks if not that of its target.
type EntryViolation = (ProcessId, usize, Option<(ProcessId, LocationId)>);

/// One for each edge of a template and each invariant.
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

/// The process that a place belongs to.
pub(super) fn process_of(system: &System, place: GlobalLocationId) -> ProcessId {
    let after = system.first_place.iter().take_while(|&&first| first as usize <= place.index()).count();
    ProcessId::from_index(after - 1)
}
