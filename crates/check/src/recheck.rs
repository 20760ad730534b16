//! Checking again after an edit of the model: the states of an earlier search are a candidate for an invariant.
//!
//! The stored states of a complete search are closed under the steps of the model that was searched. A step from a state depends on the
//! locations of the state alone, as far as the model can be edited: on their edges, the functions and constants that these use, and the
//! invariants of their targets. So the states none of whose locations has changed are closed under the new model as well, whatever else
//! has. A location that allows less than before, by a tighter guard or without an edge, has no new steps. An edge that was changed otherwise
//! matters where its guard holds.
//!
//! All candidates are stored; those with new steps are expanded again, and so is what is new. Then the stored states
//! are closed under the new model. If none of them is a goal, there is none. If no candidate can have new steps, there is nothing to do at all.
//!
//! Where a step that is taken away makes others possible, which is so with priorities, urgent channels, receivers of a broadcast and vectors,
//! every change of a location counts.
//!
//! If one is a goal, it may be a state of the old model that the new one does not reach. So that decides nothing: the property is
//! searched from scratch. A run that is shown is one of the new model, as always.
//!
//! **Soundness.** The candidates are compared by inclusion: zones that were extrapolated with the bounds of the old model are sets of
//! valuations all the same. An a_LU-closed set is no candidate, since bounds may have changed, nor is one without its transient states,
//! which may be at changed locations. Representatives are candidates if the symmetry is the same. What is no candidate, or has another layout
//! of states, is searched from scratch. That the file is what an earlier search has written is believed here: `--certify` checks the
//! result.
//!
//! Cost: an offer for each candidate, and a visit without expansion, in which the guards of changed edges are tested.

use std::collections::HashMap;
use std::sync::Arc;

use tourbillon_base::{Id, IdVec};
use tourbillon_certify::format::{Claim, Cover as CertifiedCover, Header};
use tourbillon_certify::read_first;
use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dbm, Dimension, OpenDbm};
use tourbillon_model::{
    Action, BinaryOp, CellKind, ChannelKind, Edge, Expr, ExprKind, LocationId, Model, PartFingerprint,
    Process, ProcessId, QueryKind, StepsFingerprint, expr_hash, frame_hash, model_hash, steps_fingerprints,
};
use tourbillon_search::{Budget, Ended, Observer, Search, Stats, Visit};
use tourbillon_store::{Cover, CoverParameters, NodeId, Offer, Offered, StateRef};
use tourbillon_system::{Predicate, StateFormula, System, compile_measuring, mentions_deadlock};
use tourbillon_zonegraph::{PredicateEvaluator, Satisfaction, SymbolicState};

use crate::certificate::{Certificate, Invariant, generators};
use crate::prepare::Prepared;

/// The states of an earlier search of another version of the model.
#[derive(Debug)]
pub struct Candidates {
    zones: Vec<Dbm>,
    /// The fields of all discrete states, one after the other.
    vectors: Vec<i32>,
    fields: usize,
    /// The discrete state and the zone of each symbolic state.
    entries: Vec<(u32, u32)>,
    changes: IdVec<ProcessId, IdVec<LocationId, Change>>,
    header: Header,
    blocks: Vec<u8>,
}

/// The steps from a location that there were not before.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Change {
    None,
    /// Those of these edges.
    Edges(Vec<usize>),
    Any,
}

/// What a search that began with candidates has done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rechecked {
    /// The candidates.
    pub candidates: u64,
    /// Those that were not expanded again.
    pub reused: u64,
    /// Those that were.
    pub expanded: u64,
    /// States that are stored and were no candidates.
    pub added: u64,
}

impl Candidates {
    /// The states of a certificate of an older model, if they can be candidates for a newer one.
    #[must_use]
    pub fn read(file: &[u8], older: &Model, newer: &Model) -> Option<Self> {
        let (header, blocks) = Header::read(file).ok()?;
        let invariant = header.invariants.first()?;
        let only =
            header.invariants.len() == 1 && matches!(header.queries.first()?.claim, Claim::Never { .. });
        let is_closed = invariant.cover == CertifiedCover::Inclusion && !invariant.transient;
        let is_of_older = header.model.sha256 == model_hash(older);
        if !(only && is_closed && is_of_older) || frame_hash(older) != frame_hash(newer) {
            return None;
        }
        let dimension = Dimension::of_clocks(newer.clocks.len()).ok()?;
        let cells = newer.cells.iter().filter(|cell| cell.kind == CellKind::State).count();
        let fields = newer.processes.len() + cells;
        let (mut zones, mut vectors, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        let mut any_empty = false;
        read_first(
            invariant,
            blocks,
            (dimension.size(), fields),
            |constraints| {
                let zone = zone(dimension, constraints);
                any_empty |= zone.is_none();
                zones.extend(zone);
            },
            |vector, own| {
                let state = (vectors.len() / fields) as u32;
                vectors.extend_from_slice(vector);
                entries.extend(own.iter().map(|&(zone, _)| (state, zone)));
            },
        )
        .ok()?;
        let changes = changes(older, newer);
        let blocks = blocks.to_vec();
        (!any_empty).then_some(Self { zones, vectors, fields, entries, changes, header, blocks })
    }

    /// The certificate for the newer model, if no state can have new steps and a predicate without `deadlock` means the same in both.
    #[must_use]
    pub fn unaffected(
        &self,
        (older, one): (&Model, &QueryKind),
        (newer, other): (&Model, &QueryKind),
    ) -> Option<(Certificate, Rechecked)> {
        let predicate = |model: &Model, kind: &QueryKind| match *kind {
            QueryKind::Possibly(expr) => Some((false, expr_hash(model, expr))),
            QueryKind::Invariantly(expr) => Some((true, expr_hash(model, expr))),
            _ => None,
        };
        let asks_for_deadlocks = other.exprs().into_iter().any(|expr| mentions_deadlock(newer, expr));
        let same = predicate(newer, other).is_some() && predicate(newer, other) == predicate(older, one);
        let is_unaffected = self.changes.iter().flatten().all(|change| *change == Change::None);
        if !(same && is_unaffected && starts_alike(older, newer)) || asks_for_deadlocks {
            return None;
        }
        let count = self.entries.len() as u64;
        let rechecked = Rechecked { candidates: count, reused: count, expanded: 0, added: 0 };
        Some((Certificate::never(Arc::new(self.invariant())), rechecked))
    }

    fn invariant(&self) -> Invariant {
        Invariant { header: self.header.invariants[0].clone(), blocks: self.blocks.clone() }
    }

    fn discrete(&self, state: u32) -> &[i32] {
        &self.vectors[state as usize * self.fields..][..self.fields]
    }

    /// Whether the states are closed up to the symmetry of a property.
    fn fits(&self, prepared: &Prepared<'_>) -> bool {
        let is_in_range = |discrete: &[i32]| {
            let ranges = prepared.system().ranges.iter();
            ranges.zip(discrete).all(|(range, &value)| range.min <= value && value <= range.max)
        };
        self.header.invariants[0].generators == generators(prepared)
            && prepared.system().layout.fields() == self.fields
            && prepared.time().is_none()
            && self.vectors.chunks_exact(self.fields).all(is_in_range)
    }
}

/// The zone of some constraints; nothing if it is empty, or a bound is too large.
fn zone(dimension: Dimension, constraints: &[tourbillon_certify::format::Constraint]) -> Option<Dbm> {
    let mut open = OpenDbm::universal(dimension);
    for constraint in constraints {
        let constant = Constant::new(constraint.bound >> 1).ok()?;
        let bound = if constraint.bound & 1 == 1 { Bound::weak(constant) } else { Bound::strict(constant) };
        let [left, right] = [constraint.left, constraint.right].map(Clock::from_index);
        open.tighten(Constraint::new(left, right, bound));
    }
    open.close()
}

/// Whether two models have the same initial state.
fn starts_alike(older: &Model, newer: &Model) -> bool {
    older.cells.iter().map(|cell| cell.initial).eq(newer.cells.iter().map(|cell| cell.initial))
        && older.clocks.iter().map(|clock| clock.initial).eq(newer.clocks.iter().map(|clock| clock.initial))
        && older.processes.iter().map(|it| it.initial).eq(newer.processes.iter().map(|it| it.initial))
}

/// The new steps from each location, in models of the same frame.
fn changes(older: &Model, newer: &Model) -> IdVec<ProcessId, IdVec<LocationId, Change>> {
    let (before, after) = (steps_fingerprints(older), steps_fingerprints(newer));
    let removing_is_harmless = !has_priorities(newer) && newer.channels.iter().all(|channel| !channel.urgent);
    let of_process = |id: ProcessId| {
        let (one, other) = (&before[id], &after[id]);
        let (old, new) = (&older.processes[id], &newer.processes[id]);
        let of_location = |(one, other): (&StepsFingerprint, &StepsFingerprint)| {
            let all = one.edges.iter().map(|&(edge, _)| (older, &old.edges[edge]));
            let mut all = all.chain(other.edges.iter().map(|&(edge, _)| (newer, &new.edges[edge])));
            if one == other {
                Change::None
            } else if removing_is_harmless && all.all(|(model, edge)| is_taken_alone(model, edge)) {
                change(one, other, new)
            } else {
                Change::Any
            }
        };
        one.iter().zip(other.iter()).map(of_location).collect()
    };
    newer.processes.ids().map(of_process).collect()
}

/// Whether no other step becomes possible where an edge is not enabled.
fn is_taken_alone(model: &Model, edge: &Edge) -> bool {
    match &edge.action {
        Action::Internal | Action::Send(_) => true,
        // All channels of an array are of one kind.
        Action::Receive(place) => model.channels[place.first].kind == ChannelKind::Binary,
        Action::Event(_) => false,
    }
}

fn has_priorities(model: &Model) -> bool {
    let channels = model.channels.iter().any(|channel| channel.priority != model.internal_priority);
    let mut processes = model.processes.iter().map(|process| process.priority);
    let first = processes.next();
    channels || processes.any(|priority| Some(priority) != first)
}

/// The new steps from a location, if removed ones make no others possible.
fn change(one: &StepsFingerprint, other: &StepsFingerprint, process: &Process) -> Change {
    if !other.location.is_within(&one.location) {
        return Change::Any;
    }
    let is_new = |edge: &PartFingerprint| !one.edges.iter().any(|(_, known)| edge.is_within(known));
    let edges: Vec<usize> = other.edges.iter().filter(|(_, it)| is_new(it)).map(|&(edge, _)| edge).collect();
    match edges {
        edges if edges.is_empty() => Change::None,
        edges if edges.iter().all(|&edge| process.edges[edge].selects.is_empty()) => Change::Edges(edges),
        _ => Change::Any,
    }
}

/// The guards of the edges that were changed, compiled beside the model.
struct ChangedGuards {
    system: System,
    /// For each process and location, the guards of its changed edges.
    guards: HashMap<(usize, i32), Vec<Predicate>>,
}

impl ChangedGuards {
    fn of(model: &Model, changes: &IdVec<ProcessId, IdVec<LocationId, Change>>) -> Option<Self> {
        let mut model = model.clone();
        let (mut places, mut formulas) = (Vec::new(), Vec::new());
        for (process, locations) in changes.enumerate() {
            for (location, change) in locations.enumerate() {
                let Change::Edges(edges) = change else { continue };
                for &edge in edges {
                    formulas.push(guard_formula(&mut model, process, edge));
                    places.push((process.index(), location.index() as i32));
                }
            }
        }
        let (system, predicates, _) = compile_measuring(&model, &formulas, &[]).ok()?;
        let mut guards: HashMap<_, Vec<Predicate>> = HashMap::new();
        for (place, predicate) in places.into_iter().zip(predicates) {
            guards.entry(place).or_default().push(predicate);
        }
        Some(Self { system, guards })
    }
}

/// The guard of an edge as a formula; comparisons of clocks that depend on a condition are left out, so that it may hold more often.
fn guard_formula(model: &mut Model, process: ProcessId, edge: usize) -> StateFormula {
    let Edge { guard, frame, span, .. } = model.processes[process].edges[edge].clone();
    let mut parts = guard.conditions;
    for condition in guard.clocks.into_iter().filter(|condition| condition.when.is_none()) {
        parts.push(model.exprs.push(Expr { kind: ExprKind::Clock(condition.atom), span }));
    }
    let truth = model.exprs.push(Expr { kind: ExprKind::Int(1), span });
    let and = |model: &mut Model, left, right| {
        model.exprs.push(Expr { kind: ExprKind::Binary(BinaryOp::And, left, right), span })
    };
    let expr = parts.into_iter().fold(truth, |all, part| and(model, all, part));
    StateFormula { expr, frame, negated: false }
}

/// Skips the candidates without new steps.
struct RecheckObserver<'c> {
    candidates: &'c Candidates,
    guards: &'c ChangedGuards,
    evaluator: PredicateEvaluator<'c>,
    /// The memory in which guards are evaluated.
    memory: Vec<i32>,
    /// The nodes below this one are candidates.
    end: NodeId,
    rechecked: Rechecked,
}

impl RecheckObserver<'_> {
    fn has_new_steps(&mut self, state: &SymbolicState) -> bool {
        let fields = self.candidates.fields;
        self.memory[..fields].copy_from_slice(&state.memory[..fields]);
        let Self { candidates, guards, evaluator, memory, .. } = self;
        let mut places = candidates.changes.iter().zip(&state.memory[..fields]).enumerate();
        places.any(|(process, (changes, &location))| {
            match changes[LocationId::from_index(location as usize)] {
                Change::None => false,
                Change::Any => true,
                Change::Edges(_) => guards.guards[&(process, location)]
                    .iter()
                    .any(|guard| evaluator.meet(guard, memory, &state.zone) != Ok(Satisfaction::Nowhere)),
            }
        })
    }
}

impl Observer for RecheckObserver<'_> {
    fn visit(&mut self, node: NodeId, state: &SymbolicState) -> Visit {
        if node >= self.end {
            return Visit::Expand;
        }
        if self.has_new_steps(state) {
            self.rechecked.expanded += 1;
            Visit::Expand
        } else {
            self.rechecked.reused += 1;
            Visit::Skip
        }
    }
}

/// A complete search that began with candidates, and their invariant if it is that of the search; nothing if a limit is reached. If a
/// stored state satisfies the goal of a property, that decides nothing.
pub(crate) fn search<'p>(
    prepared: &'p Prepared<'_>,
    mut search: Search<'p>,
    budget: &mut Budget<'_>,
    progress: &mut dyn FnMut(&Stats),
) -> Option<(Search<'p>, Rechecked, Option<Invariant>)> {
    let candidates = prepared.candidates().filter(|candidates| candidates.fits(prepared))?;
    if matches!(prepared.plan().cover, Cover::Alu | Cover::Adaptive) || search.has_begun() {
        return None;
    }
    let guards = ChangedGuards::of(prepared.model(), &candidates.changes)?;
    let mut end = NodeId::from_index(0);
    let (list, probe, _) = search.offer_parts();
    for &(state, zone) in &candidates.entries {
        let discrete = candidates.discrete(state);
        let zone = &candidates.zones[zone as usize];
        let state = StateRef { discrete, zone, parameters: CoverParameters::None };
        if let Offer::Stored(node) = list.offer(&Offered { state, parent: None, step: 0, cost: 0 }, probe) {
            end = end.max(NodeId::from_index(node.index() + 1));
        }
    }
    let rechecked = Rechecked { candidates: candidates.entries.len() as u64, ..Rechecked::default() };
    let (evaluator, memory) =
        (PredicateEvaluator::new(&guards.system), SymbolicState::new(&guards.system).memory);
    let mut observer = RecheckObserver { candidates, guards: &guards, evaluator, memory, end, rechecked };
    if search.explore(&mut observer, budget, progress) != Ended::Complete {
        return None;
    }
    let mut rechecked = observer.rechecked;
    let stored = search.list().counts().stored as u64;
    rechecked.added = stored.saturating_sub(rechecked.reused + rechecked.expanded);
    let is_same = rechecked.added == 0 && stored == rechecked.candidates;
    Some((search, rechecked, is_same.then(|| candidates.invariant())))
}
