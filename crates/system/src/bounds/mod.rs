//! Clock bounds by static analysis.
//!
//! An abstraction may forget how large a clock is once it is larger than anything it will be compared with
//! before it is set again `[BehrmannBouyerFleuryLarsen2003]`, and lower limits `L` (of `x > c`) and upper
//! limits `U` (of `x < c`) can be distinguished `[BehrmannBouyerLarsenPelanek2004]`. Here both are computed for
//! each location of each process, as the least fixpoint of what is asked there and what may be asked later.
//! A clock without limits is inactive: nothing is asked of it before it is set again.
//!
//! ```text
//! guards, invariants, queries ──asked──▶ limits at locations, diagonals
//! updates ──update──▶ effects: where each clock's value comes from
//!           both ──diagonal──▶ diagonals closed under effects ──solve──▶ Analysis
//! ```
//!
//! # Why it is sound
//!
//! The limits of a state are the join of those of its locations. Valuations `v` and `w` are related if `w`
//! differs from `v` only in clocks that are above `L` in `w` and below their value in `v`, or above `U` in `v`
//! and below their value in `w`. That this is a simulation needs two things of each step of the network:
//!
//! 1. every comparison that it makes is within the limits of the state before it. It is: those of guards at
//!    the source of their edge, those of invariants at their location, and those that keep clocks from getting negative
//!    (`y >= 3` for `x := y - 3`) at the source of the edge that assigns;
//! 2. if the step gives clock `x` the value of `y + c`, the limits of `y` before are at least those of `x`
//!    after, less `c`.
//!
//! A step is a sequence of edges, one of each process that takes part; the others stay where they are. Say a
//! limit of `x` after the step stems from location `m` of process `p`, and undo the edges from the last to
//! the first. Undoing edge `e` of process `r`, from `l`, that gives `x` the value `y + c`: if `r = p`, then
//! `m` is the target of `e` and the limit less `c` is among those of `y` at `l`, a constraint of `solve.rs`;
//! so it is if `r` is another process, by the constraint for clocks that are shared, whatever `m` is. If `e`
//! leaves `x` alone, a limit of another process stays where it is, at `m`, and one of `r` itself is passed
//! from the target to the source. If `e` sets `x` to a constant there is nothing to show. When all edges are
//! undone, the limit has come to a location of the state before the step. The reset of a shared clock by
//! another process therefore only helps, and is not counted on. A comparison that the assignments of edge `e` make is
//! asked in the middle of the step, of clocks as the edges before `e` left them: it is a limit at the source of `e`,
//! where the process of `e` still is, and the same argument undoes the edges before.
//!
//! Such a comparison has two outcomes, and both count: where it holds there is a step, and where it does not the model
//! fails or, in another language, the step is not there, which others may depend on. So it is a limit on both sides.
//!
//! What is evaluated before and after the updates of every step, and what is asked of every state, belongs to
//! one more process with one location, always there, whose limits are joined into all results; the argument
//! is the same. What an update does only perhaps is an effect with several origins, and each of them counts
//! (`effect.rs`).
//!
//! Limits one way round do not preserve that a comparison fails. Where the failing of a guard lets something
//! else happen (nobody receives a broadcast, nothing urgent stops time, no step of higher priority is there,
//! a weak participant stays behind), both its outcomes are counted. For `deadlock`, which asks that of all
//! guards, use `M`, the larger of the two.
//!
//! # Guarded bounds
//!
//! A second solution of the same constraints takes into account that edges bound clocks from above (`guarded.rs`). It is never
//! larger, and sound for LU-abstractions only.
//!
//! # Limits without end
//!
//! Some models have no finite limits: a clock may be set to a smaller value of its own again and again, or
//! compared with a variable beyond what zones can hold. The limit is then [`Constant::MAX`], which no finite
//! bound of a zone exceeds, so that nothing of that clock is ever abstracted; and the clock is listed in
//! [`Analysis::unbounded`], since the search may not end.
//!
//! # Cost
//!
//! Linear in the size of the model times the number of clocks, but for copies of clocks, loops in functions
//! and diagonals; see the files.

mod comparisons;
mod diagonal;
mod effect;
mod error;
mod guarded;
mod range;
mod solve;
mod update;

use std::collections::{BTreeSet, HashSet};

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_base::{Id, IdVec};
use tourbillon_dbm::{ClockBounds, Constant, Constraint, Dimension};
use tourbillon_model::{
    Action, ChannelKind, ClockId, ClockPlace, Edge, EventId, ExprId, LocationId, Model, Process, ProcessId,
    Select,
};

use comparisons::{ClockComparisons, Diagonal};
use diagonal::{Diagonals, zone_clock};
use effect::Effect;
use guarded::UpperBounds;
use range::Context;
use solve::{ClockEdge, Constraints, LocationIndex, Propagation};
use update::Updates;

pub use comparisons::Polarity;
pub use error::{BoundsError, BoundsErrorKind};
pub use range::{may_pass_32_bits, value_range};

/// The clock bounds of a model. Clock `x` of the model is clock `x + 1` of zones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The bounds at each location.
    pub local: LocalBounds,
    /// The same, reduced by the upper bounds of the edges that they pass: sound for LU-abstractions only.
    pub guarded: LocalBounds,
    /// The join of all local bounds.
    pub global: ClockBounds,
    /// Every comparison of a difference that a guard, invariant or query can make, or that one depends on
    /// before an update: `x - y <= c` or `x - y < c`, an equality being two of them and `x - y > c` being
    /// `y - x < -c`. In order, each once. The clocks in them have limits of at least 0 everywhere.
    pub diagonals: Vec<Constraint>,
    /// Whether differences are compared.
    pub uses_diagonals: bool,
    /// Whether all diagonals are listed. If not, there are infinitely or very many, and no abstraction by
    /// these bounds is sound.
    pub diagonals_complete: bool,
    /// Whether clocks can be stopped.
    pub has_stopwatches: bool,
    /// The clocks without a finite bound somewhere, in order.
    pub unbounded: Vec<ClockId>,
}

/// The clock bounds at each location of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalBounds {
    /// Those of each process, including the common ones. The bounds of a state are the join over its processes.
    pub places: IdVec<ProcessId, IdVec<LocationId, ClockBounds>>,
    /// Those common to all locations.
    pub everywhere: ClockBounds,
}

impl LocalBounds {
    /// The join of all.
    fn join(&self) -> ClockBounds {
        let mut join = self.everywhere.clone();
        self.places.iter().flatten().for_each(|bounds| join.join(bounds));
        join
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut ClockBounds> {
        let places = self.places.iter_mut().flat_map(|process| process.iter_mut());
        places.chain([&mut self.everywhere])
    }
}

impl Analysis {
    /// All bounds, so that something can be added to each.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut ClockBounds> {
        self.local.all_mut().chain(self.guarded.all_mut()).chain([&mut self.global])
    }
}

/// The bounds of a model's clocks, with those of state formulas, each with its polarity.
///
/// # Errors
/// If clocks are compared with a number that is too large for zones in every state, if there are too many
/// clocks, or if an update compares clocks.
pub fn analyse(model: &Model, predicates: &[(ExprId, Polarity)]) -> Result<Analysis, BoundsError> {
    analyse_measuring(model, predicates, Side::Lower, &[])
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// `L`: lower bounds.
    Lower,
    /// `U`: upper bounds.
    Upper,
}

/// As [`analyse`], with exact values of some clocks: their bounds, and those of the clocks that they get their values
/// from, are [`Constant::MAX`]. Such clocks are among the unbounded ones.
///
/// # Errors
/// As [`analyse`].
pub fn analyse_measuring(
    model: &Model,
    predicates: &[(ExprId, Polarity)],
    side: Side,
    measured: &[&ClockPlace],
) -> Result<Analysis, BoundsError> {
    let dimension = dimension(model)?;
    let mut survey = BoundsCollector::new(model);
    survey.everywhere(predicates)?;
    survey.measure(side, measured);
    for (id, process) in model.processes.enumerate() {
        survey.process(id, process)?;
    }
    Ok(survey.analysis(dimension))
}

fn dimension(model: &Model) -> Result<Dimension, BoundsError> {
    let clocks = model.clocks.len();
    Dimension::of_clocks(clocks).map_err(|_| {
        let first_too_many = ClockId::from_index(Dimension::CLOCKS_MAX);
        BoundsError::new(BoundsErrorKind::TooManyClocks(clocks), model.clocks[first_too_many].span)
    })
}

/// The collected comparisons and updates before solving. Locations of all processes are numbered consecutively; the
/// permanent pseudo-location comes last.
struct BoundsCollector<'m> {
    model: &'m Model,
    updates: Updates<'m>,
    /// The first location of each process.
    first: Vec<LocationIndex>,
    /// The process of each location.
    owner: Vec<usize>,
    steps: Vec<ClockEdge>,
    lower: Vec<(LocationIndex, ClockId, i64)>,
    upper: Vec<(LocationIndex, ClockId, i64)>,
    diagonals: BTreeSet<Diagonal>,
    incomplete: bool,
    has_priorities: bool,
    /// The events in which processes take part in some vector only if they can.
    weak: HashSet<(ProcessId, EventId)>,
}

impl<'m> BoundsCollector<'m> {
    fn new(model: &'m Model) -> Self {
        let mut owner = Vec::new();
        let mut first = Vec::new();
        for (id, process) in model.processes.enumerate() {
            first.push(owner.len());
            owner.extend(process.locations.iter().map(|_| id.index()));
        }
        owner.push(model.processes.len());
        Self {
            model,
            updates: Updates::new(model),
            first,
            owner,
            steps: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            diagonals: BTreeSet::new(),
            incomplete: false,
            has_priorities: has_priorities(model),
            weak: weak_events(model),
        }
    }

    /// The permanent pseudo-location.
    fn anywhere(&self) -> LocationIndex {
        self.owner.len() - 1
    }

    fn note(&mut self, place: LocationIndex, comparisons: ClockComparisons) {
        self.lower.extend(comparisons.lower.into_iter().map(|(clock, limit)| (place, clock, limit)));
        self.upper.extend(comparisons.upper.into_iter().map(|(clock, limit)| (place, clock, limit)));
        self.diagonals.extend(comparisons.diagonals);
        self.incomplete |= comparisons.overflowing;
    }

    /// What is asked in every state and done in every step.
    fn everywhere(&mut self, predicates: &[(ExprId, Polarity)]) -> Result<(), BoundsError> {
        let (context, place) = (Context::new(self.model), self.anywhere());
        let mut comparisons = ClockComparisons::default();
        for &(predicate, polarity) in predicates {
            comparisons.condition(&context, &mut self.updates, predicate, polarity)?;
        }
        self.note(place, comparisons);
        for updates in [&self.model.before_update, &self.model.after_update] {
            let effect = self.updates.sequence(&context, updates)?;
            let (process, bounded) = (self.owner[place], UpperBounds::default());
            self.step(ClockEdge { process, source: place, target: place, effect, bounded });
        }
        Ok(())
    }

    /// What is measured is asked for in every state, and has no largest constant.
    fn measure(&mut self, side: Side, measured: &[&ClockPlace]) {
        let (context, place) = (Context::new(self.model), self.anywhere());
        let limits = match side {
            Side::Lower => &mut self.lower,
            Side::Upper => &mut self.upper,
        };
        let clocks = measured.iter().flat_map(|clock| context.clocks(clock));
        limits.extend(clocks.map(|clock| (place, clock, effect::UNBOUNDED)));
    }

    fn process(&mut self, id: ProcessId, process: &'m Process) -> Result<(), BoundsError> {
        let first = self.first[id.index()];
        for (location, place) in process.locations.iter().zip(first..) {
            let mut comparisons = ClockComparisons::default();
            let polarity = if self.has_priorities { Polarity::Both } else { Polarity::Holds };
            comparisons.guard(&Context::new(self.model), &location.invariant, polarity)?;
            if mutants::is(Mutant::InvariantBoundsForgotten) {
                continue;
            }
            self.note(place, comparisons);
        }
        process.edges.iter().try_for_each(|edge| self.edge(id, edge))
    }

    fn edge(&mut self, id: ProcessId, edge: &'m Edge) -> Result<(), BoundsError> {
        let (process, first) = (id.index(), self.first[id.index()]);
        let (source, target) = (first + edge.source.index(), first + edge.target.index());
        let polarity = if self.failing_matters(id, edge) { Polarity::Both } else { Polarity::Holds };
        let mut whole: Option<(Effect, UpperBounds)> = None;
        for case in cases(self.model, &edge.selects) {
            if edge.guard.conditions.iter().any(|&condition| case.truth(condition) == Some(false)) {
                continue;
            }
            let mut comparisons = ClockComparisons::default();
            comparisons.guard(&case, &edge.guard, polarity)?;
            let noted = if mutants::is(Mutant::GuardBoundsForgotten) { <_>::default() } else { comparisons };
            self.note(source, noted);
            let effect = self.updates.sequence(&case, &edge.updates)?;
            let bounded = UpperBounds::of(&case, &edge.guard);
            whole = Some(match whole {
                None => (effect, bounded),
                Some((effects, known)) => (effects.or(&effect), known.or(&bounded)),
            });
        }
        if let Some((effect, bounded)) = whole {
            let invariant = &self.model.processes[id].locations[edge.source].invariant;
            let bounded = bounded.and(&UpperBounds::of(&Context::new(self.model), invariant));
            self.step(ClockEdge { process, source, target, effect, bounded });
        }
        Ok(())
    }

    /// Notes a step, and what keeps its assignments from making clocks negative.
    fn step(&mut self, step: ClockEdge) {
        let compared: Vec<_> =
            step.effect.compared().map(|(clock, number)| (step.source, clock, number)).collect();
        self.lower.extend_from_slice(&compared);
        self.upper.extend_from_slice(&compared);
        self.steps.push(step);
    }

    /// Whether something else may happen where the guard of an edge fails.
    fn failing_matters(&self, process: ProcessId, edge: &Edge) -> bool {
        let channel = |place: &tourbillon_model::ChannelPlace| &self.model.channels[place.first];
        let observed = match &edge.action {
            Action::Internal => false,
            Action::Send(place) => channel(place).urgent,
            Action::Receive(_) if mutants::is(Mutant::FailingBoundsForgotten) => false,
            Action::Receive(place) => channel(place).urgent || channel(place).kind == ChannelKind::Broadcast,
            Action::Event(event) => self.weak.contains(&(process, *event)),
        };
        observed || self.has_priorities
    }

    fn analysis(mut self, dimension: Dimension) -> Analysis {
        let diagonals = Diagonals::close(&self.diagonals, self.incomplete, &self.steps);
        let anywhere = self.anywhere();
        let clocks_of = |diagonal: &Diagonal| [diagonal.left, diagonal.right];
        let kept = diagonals.found.iter().flat_map(clocks_of).map(|clock| (anywhere, clock, 0));
        let limits: Vec<_> = diagonals.limits.iter().copied().chain(kept).collect();
        self.lower.extend_from_slice(&limits);
        self.upper.extend_from_slice(&limits);
        let constraints = Constraints::new(&self.steps, &self.owner, dimension.clocks());
        let solve =
            |lower, upper| [constraints.solve(&self.lower, lower), constraints.solve(&self.upper, upper)];
        let full = solve(Propagation::Full, Propagation::Full);
        let guarded = solve(Propagation::Guarded(Side::Lower), Propagation::Guarded(Side::Upper));
        let local = self.bounds(dimension, &full);
        let locations = self.model.processes.iter().flat_map(|process| &process.locations);
        Analysis {
            global: local.join(),
            local,
            guarded: self.bounds(dimension, &guarded),
            diagonals: diagonals.constraints(),
            uses_diagonals: !self.diagonals.is_empty() || diagonals.incomplete,
            diagonals_complete: !diagonals.incomplete,
            has_stopwatches: locations.into_iter().any(|location| !location.rates.is_empty()),
            unbounded: unbounded(dimension, &full),
        }
    }

    /// The bounds at each location, from solved limits, lower and upper.
    fn bounds(&self, dimension: Dimension, limits: &[Vec<i64>; 2]) -> LocalBounds {
        let everywhere = bounds_at(self.anywhere(), dimension, limits);
        let at = |place| {
            let mut bounds = bounds_at(place, dimension, limits);
            bounds.join(&everywhere);
            bounds
        };
        let processes = self.model.processes.iter().zip(&self.first);
        let places = processes
            .map(|(process, &first)| (first..first + process.locations.len()).map(at).collect())
            .collect();
        LocalBounds { places, everywhere }
    }
}

fn weak_events(model: &Model) -> HashSet<(ProcessId, EventId)> {
    let parts = model.vectors.iter().flat_map(|vector| &vector.participants);
    parts.filter(|part| part.weak).map(|part| (part.process, part.event)).collect()
}

/// Whether a step can be prevented by one of higher priority.
pub(crate) fn has_priorities(model: &Model) -> bool {
    let channels = model.channels.iter().map(|channel| channel.priority);
    let mut processes = model.processes.iter().map(|process| process.priority);
    let first = processes.next();
    channels.into_iter().any(|priority| priority != model.internal_priority)
        || processes.any(|priority| Some(priority) != first)
}

/// A context for each choice of values, or for all of them together where those are too many.
fn cases<'m>(model: &'m Model, selects: &[Select]) -> Vec<Context<'m>> {
    selects.iter().fold(vec![Context::new(model)], |contexts, select| {
        contexts.iter().flat_map(|context| context.cases(select.local, select.range)).collect()
    })
}

fn bounds_at(place: LocationIndex, dimension: Dimension, [lower, upper]: &[Vec<i64>; 2]) -> ClockBounds {
    let mut bounds = ClockBounds::none(dimension);
    let constant = |limit: i64| Constant::new(limit).unwrap_or(Constant::MAX);
    for index in 0..dimension.clocks() {
        let node = place * dimension.clocks() + index;
        let clock = zone_clock(ClockId::from_index(index));
        bounds.raise_lower(clock, constant(lower[node]));
        bounds.raise_upper(clock, constant(upper[node]));
    }
    bounds
}

fn unbounded(dimension: Dimension, [lower, upper]: &[Vec<i64>; 2]) -> Vec<ClockId> {
    let clocks = dimension.clocks();
    let endless = |index: &usize| {
        let limits =
            |values: &[i64]| values.iter().skip(*index).step_by(clocks).any(|&v| v >= effect::UNBOUNDED);
        limits(lower) || limits(upper)
    };
    (0..clocks).filter(endless).map(ClockId::from_index).collect()
}
