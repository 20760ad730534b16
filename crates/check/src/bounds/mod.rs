//! The checker for `sup`, `inf` and `bounds`: suprema and infima of measures over all reachable states that satisfy a condition.
//!
//! **Data** is evaluated in each discrete state whose zone satisfies the condition. **Clocks** are bounded by the zones, whose
//! abstraction must preserve the measured clocks. The simulation of Extra_LU+ and a_LU lets a clock grow once it is above `U`, and
//! shrink once it is above `L` `[BehrmannBouyerLarsenPelanek2004]`. With `L = ∞` a clock never shrinks: every valuation of an
//! abstracted zone is simulated by a reachable one that satisfies the same conditions and in which the clock is at least as large.
//! So the supremum of the clock over the zones is its supremum over the states, and is attained in both or in none. For the
//! infimum, `U = ∞` does the same. A clock that is assigned to a measured one is measured as well. Where M-bounds are required (by
//! request, or by `deadlock`), all other clocks have `L = U = M`, for which Extra_LU is Extra_M.
//!
//! `L` and `U` cannot both be infinite: then zones are not abstracted, and a clock that is never reset has infinitely many zones. So
//! `bounds` of clocks takes two explorations, of which that for infima mostly ends at once, since no clock is below 0. All measures of
//! a query share them.
//!
//! With `U = ∞` there are finitely many zones up to inclusion, as in the search for the fastest run. With `L = ∞` there are if the
//! supremum is finite. A clock can grow without bound in two ways: by one delay, and then its zone has no upper bound; or along a
//! cycle, which `acceleration.rs` detects and accelerates.
//!
//! | file | holds |
//! |---|---|
//! | `mod.rs` | from a query to its answer |
//! | `observer.rs` | the observer that measures each stored state, and the best values |
//! | `alternation.rs` | suprema of clocks: one search with symmetry and in rounds, and one with acceleration |
//! | `acceleration.rs` | acceleration of cycles along which a clock grows without bound |
//! | `realise.rs` | from a value to a run that shows it |
//!
//! Cost: one or two explorations, with raised constants of the measured clocks; a large one for suprema of clocks may take twice the
//! visits of a single search (`alternation.rs`). For each stored state one comparison per measure, and the condition only if the state
//! could improve a value.

mod acceleration;
mod alternation;
mod observer;
mod realise;

use std::borrow::Cow;
use std::time::Instant;

use tourbillon_base::Id as _;
use tourbillon_dbm::{Clock, ClockBounds, Constant};
use tourbillon_model::{ClockPlace, Expr, ExprId, ExprKind, Measure, Model, Query};
use tourbillon_search::{Budget, Ended, Search, Stats};
use tourbillon_system::{
    Analysis, BoundsError, Polarity, Predicate, Side, StateFormula, System, analyse_measuring,
    mentions_deadlock,
};
use tourbillon_zonegraph::{Abstraction, Options, ZoneGraph};

use crate::answer::{Answer, Extreme, Measured, Verdict, Why};
use crate::certificate::{Certificate, Invariant};
use crate::path::Witness;
use crate::plan::{Plan, PropertyClass};
use crate::prepare::{PrepareError, Prepared};
use crate::property::Requirements;
use crate::several::{Others, Several};
use crate::{Progress, conclude, setup};
use acceleration::Acceleration;
use observer::{BoundsObserver, EncodedValue, MeasuredEnd};
use realise::ValueRealiser;

/// The infimum or the supremum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum End {
    Low,
    High,
}

/// The measures of a query and their condition.
#[derive(Clone, Debug)]
pub struct Bounds {
    measures: Vec<Measure>,
    /// The states that are measured satisfy this.
    condition: StateFormula,
    /// The requested ends of each measure.
    ends: Vec<End>,
}

impl Bounds {
    /// The property of a query. Without a condition, all states are measured.
    pub(crate) fn of(
        model: &mut Cow<'_, Model>,
        query: usize,
        condition: Option<ExprId>,
        measures: Vec<Measure>,
        (lower, upper): (bool, bool),
    ) -> Self {
        let Query { frame, span, .. } = model.queries[query];
        let expr =
            condition.unwrap_or_else(|| model.to_mut().exprs.push(Expr { kind: ExprKind::Int(1), span }));
        let ends = [lower.then_some(End::Low), upper.then_some(End::High)].into_iter().flatten().collect();
        Self { measures, condition: StateFormula { expr, frame, negated: false }, ends }
    }

    pub(crate) fn requirements(&self, model: &Model) -> Requirements {
        let class = PropertyClass {
            deadlock: mentions_deadlock(model, self.condition.expr),
            measures_clocks: !self.clocks().is_empty(),
            accelerates: !self.clocks().is_empty() && self.ends.contains(&End::High),
            about_all: true,
            ..PropertyClass::default()
        };
        Requirements {
            formulas: vec![self.condition],
            conditions: self.conditions().to_vec(),
            measures: self.measures.clone(),
            class,
            ..Requirements::default()
        }
    }

    /// One exploration for each end if clocks are measured, that for infima first, which is short; else one for both.
    fn searches(&self) -> Vec<Option<End>> {
        if self.clocks().is_empty() { vec![None] } else { self.ends.iter().copied().map(Some).collect() }
    }

    fn clocks(&self) -> Vec<&ClockPlace> {
        clocks_of(&self.measures)
    }

    const fn conditions(&self) -> [(ExprId, Polarity); 1] {
        [(self.condition.expr, Polarity::Holds)]
    }
}

fn clocks_of(measures: &[Measure]) -> Vec<&ClockPlace> {
    let clocks = measures.iter().filter_map(|measure| match measure {
        Measure::Clock(place, _) => Some(place),
        Measure::Data(_) => None,
    });
    clocks.collect()
}

/// The clocks with an infinite bound on this side where these measures are: those measured, and those that are assigned to
/// them.
pub(crate) fn tracked_clocks(
    model: &Model,
    conditions: &[(ExprId, Polarity)],
    measures: &[Measure],
    side: Side,
) -> Result<Vec<Clock>, BoundsError> {
    let clocks = clocks_of(measures);
    if clocks.is_empty() {
        return Ok(Vec::new());
    }
    let measuring = analyse_measuring(model, conditions, side, &clocks)?;
    // Not those with the largest constant at one location only, which a model may have.
    let is_unbounded = |clock: &Clock| match side {
        Side::Lower => measuring.global.lower(*clock) == Some(Constant::MAX),
        Side::Upper => measuring.global.upper(*clock) == Some(Constant::MAX),
    };
    let unbounded = measuring.unbounded.iter().map(|clock| Clock::from_index(clock.index() + 1));
    Ok(unbounded.filter(is_unbounded).collect())
}

/// Checks one property.
///
/// # Errors
/// If the bounds of what is measured cannot be analysed.
pub(crate) fn check(
    prepared: &Prepared<'_>,
    bounds: &Bounds,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Answer, PrepareError> {
    let started = Instant::now();
    let query = prepared.query();
    let mut answer = prepared.concluded((Verdict::Satisfied, Why::Complete, None));
    answer.values = vec![Measured::default(); bounds.measures.len()];
    let checker = BoundsChecker { prepared, bounds };
    for end in bounds.searches() {
        let before = answer.stats;
        let mut progress = |stats: &Stats| observe(&Progress { query, stats: before.and(stats) });
        checker.search(end, budget, &mut progress, &mut answer)?;
    }
    answer.time = started.elapsed();
    let mut extremes = answer.values.iter().flat_map(|it| it.low.iter().chain(&it.high));
    if prepared.traces_wanted().is_some() && extremes.any(|extreme| extreme.witness.is_some()) {
        // Each value has its run.
        answer.several = Some(Several { witnesses: Vec::new(), others: Others::OnlyOne });
    }
    Ok(answer)
}

/// What the explorations of a property share.
#[derive(Clone, Copy)]
struct BoundsChecker<'q> {
    prepared: &'q Prepared<'q>,
    bounds: &'q Bounds,
}

impl<'q> BoundsChecker<'q> {
    fn system(&self) -> &'q System {
        self.prepared.system()
    }

    fn plan(&self) -> &'q Plan {
        self.prepared.plan()
    }

    fn condition(&self) -> &'q Predicate {
        &self.prepared.predicates()[0]
    }

    /// Explores for one end of all measures, or for both ends of data, and adds the values to the answer.
    fn search(
        self,
        end: Option<End>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
        answer: &mut Answer,
    ) -> Result<(), PrepareError> {
        let tracked = end.map_or(Ok(Vec::new()), |end| self.tracked(end))?;
        let mut outcome = if end == Some(End::High) {
            alternation::explore(self, &tracked, budget, progress)
        } else {
            let mut exploration = self.exploration(end, &tracked, Use::Reduced);
            let ended = exploration.run(budget, progress);
            exploration.outcome(self, ended, budget)
        };
        answer.stats = answer.stats.and(&outcome.stats);
        let invariant = outcome.invariant.take();
        self.conclude(outcome, answer);
        if let Some(invariant) = invariant {
            self.certify(end, invariant, answer);
        }
        Ok(())
    }

    /// Adds the certificate that no state has values beyond these ends.
    fn certify(self, end: Option<End>, invariant: Invariant, answer: &mut Answer) {
        let measured: Vec<_> = self.ends(end).iter().map(|it| (it.measure, it.end)).collect();
        let own = Certificate::bounds(invariant, &self.claimed(&measured, &answer.values));
        answer.certificate = Some(match answer.certificate.take() {
            Some(other) => other.and(own),
            None => own,
        });
    }

    /// An exploration that has not begun, for one end of all measures, or for both ends of data.
    fn exploration(self, end: Option<End>, tracked: &[Clock], of: Use) -> Exploration<'q> {
        let (system, is_accelerating) = (self.system(), of == Use::Accelerating);
        let symmetry = self.prepared.representatives().filter(|_| !is_accelerating);
        let (analysis, abstraction) = self.abstraction(end, tracked);
        let options = Options { abstraction, symmetry, ..setup::options(&analysis, self.plan()) };
        let mut settings = self.prepared.settings();
        // Cycles are found along the paths to states.
        settings.traces |= is_accelerating;
        let list = tourbillon_store::build(&settings);
        let graph = ZoneGraph::new(system, options.clone());
        let rounds = setup::rounds(self.plan(), settings).filter(|_| !is_accelerating);
        let search = Search::new(graph, list, self.prepared.cost_function()).in_rounds(rounds);
        let frame = self.bounds.condition.frame;
        let mut observer = BoundsObserver::new(system, self.condition(), frame, self.ends(end));
        if is_accelerating {
            let analysis = self.prepared.analysis();
            observer.accelerate_with(Acceleration::new(system, options.clone(), analysis, tracked));
        }
        Exploration { search, options, analysis, observer }
    }

    /// The values of these ends alone.
    fn claimed(&self, measured: &[(usize, End)], values: &[Measured]) -> Vec<Measured> {
        let only = |(measure, value): (usize, &Measured)| Measured {
            low: value.low.clone().filter(|_| measured.contains(&(measure, End::Low))),
            high: value.high.clone().filter(|_| measured.contains(&(measure, End::High))),
        };
        values.iter().enumerate().map(only).collect()
    }

    fn tracked(&self, end: End) -> Result<Vec<Clock>, BoundsError> {
        let side = if end == End::High { Side::Lower } else { Side::Upper };
        let (model, bounds) = (self.prepared.model(), self.bounds);
        tracked_clocks(model, &bounds.conditions(), &bounds.measures, side)
    }

    /// The clock bounds, with these clocks unbounded, and the extrapolation by them.
    fn abstraction(&self, end: Option<End>, tracked: &[Clock]) -> (Analysis, Abstraction) {
        let (abstraction, both) = match self.plan().abstraction {
            Abstraction::ExtraM => (Abstraction::ExtraLu, true),
            Abstraction::ExtraMPlus => (Abstraction::ExtraLuPlus, true),
            other => (other, false),
        };
        let mut analysis = self.prepared.analysis().clone();
        for bounds in analysis.all_mut() {
            if both {
                equate_bounds(bounds);
            }
            for &clock in tracked {
                match end {
                    Some(End::Low) => bounds.raise_upper(clock, Constant::MAX),
                    _ => bounds.raise_lower(clock, Constant::MAX),
                }
            }
        }
        (analysis, abstraction)
    }

    /// The measured ends of this exploration: its end of clocks, and all ends of data if it is the last.
    fn ends(&self, end: Option<End>) -> Vec<MeasuredEnd> {
        let is_last = end.is_none_or(|end| self.bounds.ends.last() == Some(&end));
        let mut measured_ends = Vec::new();
        for (measure, (_, &gauge)) in self.bounds.measures.iter().zip(self.prepared.gauges()).enumerate() {
            let is_measured = |requested: &&End| match gauge.clock {
                Some(_) => end == Some(**requested),
                None => is_last,
            };
            let ends = self.bounds.ends.iter().filter(is_measured);
            measured_ends.extend(ends.map(|&end| MeasuredEnd::new(measure, gauge, end)));
        }
        measured_ends
    }

    /// Adds what an exploration has measured to the answer.
    fn conclude(self, outcome: Outcome, answer: &mut Answer) {
        for MeasuredValue { measured_end, extreme, reason } in outcome.values {
            if let Some(reason) = reason {
                answer.make_unknown(Why::NotReplayed(reason));
            }
            let measured = &mut answer.values[measured_end.measure];
            match measured_end.end {
                End::Low => measured.low = Some(extreme),
                End::High => measured.high = Some(extreme),
            }
        }
        match outcome.ended {
            Ended::Complete | Ended::Enough | Ended::Found { .. } => {}
            Ended::Exhausted(what) => answer.make_unknown(Why::Exhausted(what)),
            Ended::Overflowed => answer.make_unknown(Why::Overflowed),
            Ended::Failed(failure) => {
                answer.witness = outcome.run_to_failure;
                let fails = !self.plan().over_approximates
                    || conclude::fails_after(self.prepared.model(), answer.witness.as_ref());
                answer.make_unknown(Why::of_error(failure.error, !fails));
            }
        }
    }
}

/// Which search an exploration is (`alternation.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// With symmetry and rounds, as the plan has them.
    Reduced,
    /// One by one, without symmetry; cycles are accelerated.
    Accelerating,
}

/// A search, with what it measures.
struct Exploration<'q> {
    search: Search<'q>,
    options: Options,
    /// The clock bounds that zones are extrapolated with.
    analysis: Analysis,
    observer: BoundsObserver<'q>,
}

impl Exploration<'_> {
    /// Explores everything that is left.
    fn run(&mut self, budget: &mut Budget<'_>, progress: &mut dyn FnMut(&Stats)) -> Ended {
        let ended = self.search.explore_in_rounds(&mut self.observer, budget, progress);
        self.checked(ended)
    }

    /// Explores until there were so many visits, state by state.
    fn run_until(
        &mut self,
        visits: u64,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Option<Ended> {
        let ended = self.search.explore_until(visits, &mut self.observer, budget, progress);
        ended.map(|ended| self.checked(ended))
    }

    /// The end of the search: it is not complete if some zone could not be measured.
    fn checked(&self, ended: Ended) -> Ended {
        if self.observer.overflowed() && ended == Ended::Complete { Ended::Overflowed } else { ended }
    }

    fn outcome(&self, checker: BoundsChecker<'_>, ended: Ended, budget: &mut Budget<'_>) -> Outcome {
        let values = self.values(checker, is_complete(&ended), budget);
        let failed = if let Ended::Failed(failure) = &ended { failure.node } else { None };
        let run_to_failure = failed.and_then(|node| self.realiser(checker).run_to_failure(node));
        // A search that ends because no value can be beyond what was found needs no certificate.
        let invariant = (ended == Ended::Complete).then(|| self.invariant(checker)).flatten();
        Outcome { ended, stats: self.search.stats(), values, run_to_failure, invariant }
    }

    /// The stored states of a complete search, if the plan certifies its answers.
    fn invariant(&self, checker: BoundsChecker<'_>) -> Option<Invariant> {
        let with_symmetry = self.options.symmetry.is_some();
        checker.prepared.invariant_with(self.search.list(), &self.analysis, with_symmetry)
    }

    /// The values with their runs.
    fn values(
        &self,
        checker: BoundsChecker<'_>,
        complete: bool,
        budget: &mut Budget<'_>,
    ) -> Vec<MeasuredValue> {
        let realiser = self.realiser(checker);
        let value = |measured_end: &MeasuredEnd| {
            let (extreme, reason) = realiser.extreme(measured_end, complete, budget);
            MeasuredValue { measured_end: measured_end.clone(), extreme, reason }
        };
        self.observer.ends().iter().map(value).collect()
    }

    const fn realiser<'a>(&'a self, checker: BoundsChecker<'a>) -> ValueRealiser<'a> {
        ValueRealiser { checker, search: &self.search, options: &self.options }
    }
}

/// What the exploration for one end of the measures, or several of them, has measured.
struct Outcome {
    ended: Ended,
    stats: Stats,
    values: Vec<MeasuredValue>,
    /// If the model fails.
    run_to_failure: Option<Witness>,
    /// The stored states, if they are all and the plan certifies its answers.
    invariant: Option<Invariant>,
}

/// The value of a measured end, with its run, and why it is not known exactly, if no run shows it.
struct MeasuredValue {
    measured_end: MeasuredEnd,
    extreme: Extreme,
    reason: Option<String>,
}

impl Outcome {
    const fn is_complete(&self) -> bool {
        is_complete(&self.ended)
    }

    /// Replaces values by those of another exploration of the same measures that are better.
    fn improve(&mut self, others: Vec<MeasuredValue>) {
        for (value, other) in self.values.iter_mut().zip(others) {
            if other.rank() > value.rank() {
                *value = other;
            }
        }
    }
}

impl MeasuredValue {
    /// Values that have runs are better than those that do not, and then the greater ones.
    fn rank(&self) -> (bool, Option<EncodedValue>) {
        (self.reason.is_none(), self.measured_end.best.map(|best| best.value))
    }
}

const fn is_complete(ended: &Ended) -> bool {
    matches!(ended, Ended::Complete | Ended::Enough)
}

impl Answer {
    /// Makes the verdict unknown, unless it is already: the first reason counts.
    fn make_unknown(&mut self, why: Why) {
        if self.verdict != Verdict::Unknown {
            (self.verdict, self.why) = (Verdict::Unknown, why);
        }
    }
}

/// Makes `L` and `U` of each clock the larger of the two.
fn equate_bounds(bounds: &mut ClockBounds) {
    for clock in bounds.dimension().iter() {
        if let Some(maximum) = bounds.maximum(clock) {
            bounds.raise(clock, maximum);
        }
    }
}
