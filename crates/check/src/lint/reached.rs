//! Locations that no run reaches and edges that no run takes, and how far those edges got.
//!
//! Every node of a full exploration is looked at, and every transition that data allows there. An edge goes through
//! stages: its source is reached, its guard on data holds, somebody synchronises with it, clocks allow it, nothing of
//! higher priority comes first, the invariants where it leads allow it. The furthest stage that it ever came to is
//! why it is never taken. Edges that were taken are not looked at again, so the price is paid for the others only.
//!
//! Processes of one template are grouped: what holds for all of them is said once.

use std::collections::BTreeSet;

use tourbillon_base::{Id, IdVec};
use tourbillon_model::{LocationId, Model, Process, ProcessId};
use tourbillon_system::{Edge, EdgeId, GlobalLocationId, Machine, RuntimeError, System};
use tourbillon_zonegraph::{Hindrance, SymbolicState, ZoneGraph};

use super::{Instances, LintFinding, by_template};

/// A location that no run reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeverReached {
    /// In which processes.
    pub instances: Instances,
    /// The location.
    pub location: LocationId,
    /// Whether edges lead to it from other locations at all.
    pub has_way_in: bool,
    /// The edges that leave it, which are never taken either.
    pub edges: Vec<usize>,
}

/// An edge that no run takes, although the location it leaves is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeverTaken {
    /// In which processes.
    pub instances: Instances,
    /// The edge, by its place among those of the process.
    pub edge: usize,
    /// What it never gets past.
    pub why: Obstacle,
}

/// What an edge never gets past. Later ones are further on the way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Obstacle {
    /// The location it leaves is never reached.
    Source,
    /// It is reached, but the guard on data never holds there.
    Data,
    /// The same, or nobody to synchronise with: there are too many selections to tell.
    Unclear,
    /// Whenever that guard holds, nobody is ready to synchronise with it, or others leave committed locations.
    Partner,
    /// Whenever data allows it, the clock guards of it and its partners do not hold.
    Clocks,
    /// Whenever clocks allow it too, something of higher priority is taken.
    Outranked,
    /// Whenever nothing of these stands in its way, an update would assign a negative value to a clock.
    NegativeClock,
    /// Whenever nothing else stands in its way, an invariant forbids what it leads to.
    Invariant,
}

/// How many combinations of selections are tried to find out whether a guard can hold.
const SELECTIONS_MAX: u64 = 1024;

/// Looks on.
pub(super) struct Observer {
    reached: IdVec<GlobalLocationId, bool>,
    /// For each edge the furthest obstacle met; nothing once it was taken.
    stages: IdVec<EdgeId, Option<Obstacle>>,
    machine: Machine,
    locals: Vec<i32>,
    fired: Vec<EdgeId>,
}

/// What was reached, by the model's names.
pub(super) struct Found {
    pub(super) reached: BTreeSet<(ProcessId, LocationId)>,
    pub(super) taken: BTreeSet<(ProcessId, usize)>,
}

impl Observer {
    pub(super) fn new(system: &System) -> Self {
        Self {
            reached: system.places.iter().map(|_| false).collect(),
            stages: system.edges.iter().map(|_| Some(Obstacle::Source)).collect(),
            machine: Machine::new(),
            locals: vec![0; system.frame_max()],
            fired: Vec::new(),
        }
    }

    /// Looks at where the processes are, and at the edges that leave from there and were never close to being
    /// taken.
    pub(super) fn node(&mut self, system: &System, state: &SymbolicState) {
        for place in system.current(&state.memory) {
            self.reached[place] = true;
            let face = &system.faces[place.index()];
            let events = &system.places[place].events;
            for (start, end) in [face.internal, face.sends, face.receives, (events.start, events.end)] {
                for edge in (start..end).map(|index| EdgeId::from_index(index as usize)) {
                    if self.stages[edge].is_some_and(|stage| stage < Obstacle::Partner) {
                        let stage = self.data_stage(system, &system.edges[edge], &state.memory);
                        self.advance(edge, stage);
                    }
                }
            }
        }
    }

    /// How far data lets an edge come in a discrete state. A guard that fails to be computed does not hold: if the
    /// engine comes to compute it as well, it will say so.
    fn data_stage(&mut self, system: &System, edge: &Edge, memory: &[i32]) -> Obstacle {
        let Some(code) = edge.guard else { return Obstacle::Partner };
        let combinations = edge.selects.iter().map(|(_, range)| range.len()).fold(1, u64::saturating_mul);
        if combinations > SELECTIONS_MAX {
            return Obstacle::Unclear;
        }
        for number in 0..combinations {
            let mut rest = number;
            for &(local, range) in &edge.selects {
                self.locals[local as usize] = range.min + (rest % range.len()) as i32;
                rest /= range.len();
            }
            if self.machine.test(&system.program, code, memory, &mut self.locals) == Ok(true) {
                return Obstacle::Partner;
            }
        }
        Obstacle::Data
    }

    /// Looks at an edge that data allows to be taken together with others: no more than clocks can stand in its way
    /// then, unless one of the transitions that are looked at next tells otherwise.
    pub(super) fn offered(&mut self, edge: EdgeId) {
        self.advance(edge, Obstacle::Clocks);
    }

    /// Looks at a transition that data allows.
    pub(super) fn transition(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        state: &SymbolicState,
        place: usize,
        led: bool,
    ) -> Result<(), RuntimeError> {
        self.fired.clear();
        self.fired.extend(graph.transitions().get(place).fired.iter().map(|fired| fired.edge));
        if led {
            self.fired.iter().for_each(|&edge| self.stages[edge] = None);
            return Ok(());
        }
        let open = |stage: Option<Obstacle>| stage.is_some_and(|stage| stage < Obstacle::Invariant);
        if !self.fired.iter().any(|&edge| open(self.stages[edge])) {
            return Ok(());
        }
        let stage = match graph.hindrance(state, place)? {
            Hindrance::Guard => Obstacle::Clocks,
            Hindrance::Outranked => Obstacle::Outranked,
            Hindrance::NegativeClock => Obstacle::NegativeClock,
            Hindrance::Invariant => Obstacle::Invariant,
        };
        for index in 0..self.fired.len() {
            self.advance(self.fired[index], stage);
        }
        Ok(())
    }

    fn advance(&mut self, edge: EdgeId, stage: Obstacle) {
        if let Some(before) = &mut self.stages[edge] {
            *before = stage.max(*before);
        }
    }

    /// What was reached and taken so far.
    pub(super) fn places(&self, model: &Model, system: &System) -> Found {
        let mut reached = BTreeSet::new();
        for (id, process) in model.processes.enumerate() {
            let here = |location: &LocationId| self.reached[place(system, id, *location)];
            reached.extend(process.locations.ids().filter(here).map(|location| (id, location)));
        }
        let taken = system.edges.enumerate().filter(|(edge, _)| self.stages[*edge].is_none());
        Found { reached, taken: taken.map(|(_, edge)| (edge.process, edge.index as usize)).collect() }
    }

    /// What is never reached and never taken, if everything was explored.
    pub(super) fn findings(&self, model: &Model, system: &System) -> Vec<LintFinding> {
        let mut stages: Vec<Vec<Option<Obstacle>>> =
            model.processes.iter().map(|process| vec![None; process.edges.len()]).collect();
        for (id, edge) in system.edges.enumerate() {
            stages[edge.process.index()][edge.index as usize] = self.stages[id];
        }
        let mut findings = Vec::new();
        for group in by_template(model) {
            self.unreached(model, system, &group, &mut findings);
            let edges = 0..model.processes[group[0]].edges.len();
            let never = edges.filter_map(|edge| untaken(&stages, &group, edge));
            findings.extend(never.map(LintFinding::NeverTaken));
        }
        findings
    }

    fn unreached(
        &self,
        model: &Model,
        system: &System,
        group: &[ProcessId],
        findings: &mut Vec<LintFinding>,
    ) {
        let template = &model.processes[group[0]];
        for location in template.locations.ids() {
            let missed = |process: &ProcessId| !self.reached[place(system, *process, location)];
            let instances = some_of(group, missed);
            findings.extend(instances.map(|instances| never_reached(template, instances, location)));
        }
    }
}

/// Whether every location was reached and every edge taken.
pub(super) fn is_all(
    model: &Model,
    reached: &BTreeSet<(ProcessId, LocationId)>,
    taken: &BTreeSet<(ProcessId, usize)>,
) -> bool {
    let sum = |size: fn(&Process) -> usize| model.processes.iter().map(size).sum::<usize>();
    reached.len() == sum(|process| process.locations.len())
        && taken.len() == sum(|process| process.edges.len())
}

/// The locations to which no edges lead from the initial one, whatever their labels: what can be said without a
/// complete exploration.
pub(super) fn cut_off(model: &Model) -> Vec<LintFinding> {
    let mut findings = Vec::new();
    for group in by_template(model) {
        let template = &model.processes[group[0]];
        let mut connected = BTreeSet::from([template.initial]);
        let mut waiting = vec![template.initial];
        while let Some(location) = waiting.pop() {
            let targets =
                template.edges.iter().filter(|edge| edge.source == location).map(|edge| edge.target);
            waiting.extend(targets.filter(|&target| connected.insert(target)));
        }
        let instances = Instances { processes: group.clone(), all: true };
        let missed = template.locations.ids().filter(|location| !connected.contains(location));
        findings.extend(missed.map(|location| never_reached(template, instances.clone(), location)));
    }
    findings
}

fn never_reached(template: &Process, instances: Instances, location: LocationId) -> LintFinding {
    let has_way_in = template.edges.iter().any(|edge| edge.target == location && edge.source != location);
    let leaving = (0..template.edges.len()).filter(|&edge| template.edges[edge].source == location);
    LintFinding::NeverReached(NeverReached { instances, location, has_way_in, edges: leaving.collect() })
}

/// An edge that is never taken although its source is reached, in some processes of a template.
fn untaken(stages: &[Vec<Option<Obstacle>>], group: &[ProcessId], edge: usize) -> Option<NeverTaken> {
    let stage = |process: &ProcessId| stages[process.index()][edge];
    let never = |process: &ProcessId| stage(process).is_some_and(|stage| stage > Obstacle::Source);
    let mut instances = some_of(group, never)?;
    // Those whose source is never reached are told there; together they may be all.
    instances.all = group.iter().all(|process| stage(process).is_some());
    let why = instances.processes.iter().filter_map(stage).max()?;
    Some(NeverTaken { instances, edge, why })
}

/// Those of a group for which something holds; nothing if it holds for none.
fn some_of(group: &[ProcessId], holds: impl Fn(&ProcessId) -> bool) -> Option<Instances> {
    let processes: Vec<ProcessId> = group.iter().copied().filter(holds).collect();
    let all = processes.len() == group.len();
    (!processes.is_empty()).then_some(Instances { processes, all })
}

fn place(system: &System, process: ProcessId, location: LocationId) -> GlobalLocationId {
    GlobalLocationId::from_index(system.first_place[process] as usize + location.index())
}
