//! Unreachable locations and edges that are never taken, and why.
//!
//! Every node of a full exploration is observed, and every transition that data allows there. An edge passes stages: its source is
//! reached, its guard on data holds, a partner synchronises, clock guards hold, no transition of higher priority is enabled, the
//! invariants of the target hold. The last stage that it reaches in any state is why it is never taken. Edges that were taken are not
//! observed again, so only the others cost time.
//!
//! Processes of one template are grouped: what holds for all of them is reported once.

use std::collections::BTreeSet;

use tourbillon_base::{Id, IdVec};
use tourbillon_model::{LocationId, Model, Process, ProcessId};
use tourbillon_system::{Edge, EdgeId, GlobalLocationId, Machine, RuntimeError, System};
use tourbillon_zonegraph::{Hindrance, SymbolicState, ZoneGraph};

use super::closure::Images;
use super::{Instances, LintFinding, by_template};

/// An unreachable location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeverReached {
    pub instances: Instances,
    pub location: LocationId,
    /// Whether it has an edge from another location.
    pub has_way_in: bool,
    /// Its outgoing edges, which are never taken either.
    pub edges: Vec<usize>,
}

/// An edge that is never taken, although its source is reachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeverTaken {
    pub instances: Instances,
    /// The index of the edge in the process.
    pub edge: usize,
    pub why: Obstacle,
}

/// The last stage that an edge reaches; stages are in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Obstacle {
    /// Its source is unreachable.
    Source,
    /// Its source is reachable, but its guard on data never holds there.
    Data,
    /// `Data` or `Partner`: there are too many selections to distinguish them.
    Unclear,
    /// Whenever that guard holds, no partner synchronises with it, or another process is in a committed location.
    Partner,
    /// Whenever data allows it, its clock guards or those of its partners do not hold.
    Clocks,
    /// Whenever the guards hold, a transition of higher priority is enabled.
    Outranked,
    /// Whenever it has the highest priority, an update would assign a negative value to a clock.
    NegativeClock,
    /// Otherwise an invariant of the target state does not hold.
    Invariant,
}

/// The maximum number of selections for which a guard is evaluated.
const SELECTIONS_MAX: u64 = 1024;

/// Observes locations and edges.
pub(super) struct Observer {
    reached: IdVec<GlobalLocationId, bool>,
    /// For each edge the last stage that it reached; `None` once it was taken.
    stages: IdVec<EdgeId, Option<Obstacle>>,
    machine: Machine,
    locals: Vec<i32>,
    fired: Vec<EdgeId>,
}

/// The locations and edges of the model that were reached and taken.
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

    /// Observes the locations of a state, and their edges that have not passed the stage of data.
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

    /// The stage that an edge reaches in a discrete state by its guard on data. A guard that cannot be evaluated does
    /// not hold: if the engine evaluates it as well, it reports the failure.
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

    /// Observes an edge of a synchronisation that data allows: its stage is at least that of clocks, and the
    /// transitions that are observed next may advance it.
    pub(super) fn offered(&mut self, edge: EdgeId) {
        self.advance(edge, Obstacle::Clocks);
    }

    /// Observes a transition that data allows.
    pub(super) fn transition(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        state: &SymbolicState,
        place: usize,
        enabled: bool,
    ) -> Result<(), RuntimeError> {
        self.fired.clear();
        self.fired.extend(graph.transitions().get(place).fired.iter().map(|fired| fired.edge));
        if enabled {
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

    /// An observer for a part of the exploration, which knows what this one knows.
    pub(super) fn part(&self) -> Self {
        Self {
            reached: self.reached.clone(),
            stages: self.stages.clone(),
            machine: Machine::new(),
            locals: vec![0; self.locals.len()],
            fired: Vec::new(),
        }
    }

    /// Takes over what the observer of a part has observed.
    pub(super) fn join(&mut self, part: &Self) {
        for place in part.reached.ids() {
            self.reached[place] |= part.reached[place];
        }
        for (edge, &stage) in part.stages.enumerate() {
            self.reach_stage(edge, stage);
        }
    }

    /// Adds the images of what was reached. Returns whether any is new.
    pub(super) fn add_images(&mut self, images: &Images) -> bool {
        let mut changed = false;
        for place in self.reached.ids().filter(|&place| self.reached[place]).collect::<Vec<_>>() {
            changed |= !std::mem::replace(&mut self.reached[images.locations[place]], true);
        }
        for edge in self.stages.ids() {
            let (stage, image) = (self.stages[edge], images.edges[edge]);
            let before = self.stages[image];
            self.reach_stage(image, stage);
            changed |= self.stages[image] != before;
        }
        changed
    }

    /// Advances an edge to a stage; `None` if it was taken.
    fn reach_stage(&mut self, edge: EdgeId, stage: Option<Obstacle>) {
        match stage {
            Some(stage) => self.advance(edge, stage),
            None => self.stages[edge] = None,
        }
    }

    fn advance(&mut self, edge: EdgeId, stage: Obstacle) {
        if let Some(before) = &mut self.stages[edge] {
            *before = stage.max(*before);
        }
    }

    /// The locations and edges that were reached and taken so far.
    pub(super) fn places(&self, model: &Model, system: &System) -> Found {
        let mut reached = BTreeSet::new();
        for (id, process) in model.processes.enumerate() {
            let here = |location: &LocationId| self.reached[place(system, id, *location)];
            reached.extend(process.locations.ids().filter(here).map(|location| (id, location)));
        }
        let taken = system.edges.enumerate().filter(|(edge, _)| self.stages[*edge].is_none());
        Found { reached, taken: taken.map(|(_, edge)| (edge.process, edge.index as usize)).collect() }
    }

    /// The unreachable locations and the edges that are never taken, after a full exploration.
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

/// The locations without a path of edges from the initial one, whatever their labels: these are unreachable even if the
/// exploration is incomplete.
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

/// The finding for an edge that is never taken although its source is reached, in some processes of a template.
fn untaken(stages: &[Vec<Option<Obstacle>>], group: &[ProcessId], edge: usize) -> Option<NeverTaken> {
    let stage = |process: &ProcessId| stages[process.index()][edge];
    let never = |process: &ProcessId| stage(process).is_some_and(|stage| stage > Obstacle::Source);
    let mut instances = some_of(group, never)?;
    // Those whose source is unreachable have a finding of their own; together they may be all.
    instances.all = group.iter().all(|process| stage(process).is_some());
    let why = instances.processes.iter().filter_map(stage).max()?;
    Some(NeverTaken { instances, edge, why })
}

/// The processes of a group that satisfy a predicate; `None` if there are none.
fn some_of(group: &[ProcessId], holds: impl Fn(&ProcessId) -> bool) -> Option<Instances> {
    let processes: Vec<ProcessId> = group.iter().copied().filter(holds).collect();
    let all = processes.len() == group.len();
    (!processes.is_empty()).then_some(Instances { processes, all })
}

fn place(system: &System, process: ProcessId, location: LocationId) -> GlobalLocationId {
    GlobalLocationId::from_index(system.first_place[process] as usize + location.index())
}
