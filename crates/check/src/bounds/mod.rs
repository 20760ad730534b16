//! The checker for `sup`, `inf` and `bounds`: the greatest and least values of something, over all states that can be
//! reached and meet a condition.
//!
//! **Data** is read off each discrete state whose zone meets the condition. **Clocks** are read off the zones, which
//! must not have been abstracted from what is measured. The simulation behind Extra_LU+ and a_LU lets a clock grow
//! once it is above `U`, and shrink once it is above `L` `[BehrmannBouyerLarsenPelanek2004]`. With `L = ∞` for a
//! clock it never shrinks: every point of an abstracted zone stands for a reachable one that meets the same
//! conditions and in which the clock is as large or larger. So the supremum of the clock over the zones is that over
//! the states, and is attained there if and only if it is here. For the infimum, `U = ∞` does the same the other way
//! round. A clock that hands its value on to a measured one is measured as well. Where M-bounds are asked for (by the
//! user, or by `deadlock`), all other clocks have `L = U = M`, for which Extra_LU is Extra_M.
//!
//! The two limits cannot be raised together: then nothing is abstracted, and a clock that is never reset has a new
//! zone at each moment. So `bounds` of clocks takes two searches, of which that for the least values mostly ends at
//! once, since no clock is below 0. All measures of a query share these.
//!
//! With `U = ∞` there are finitely many zones up to inclusion, as in the search for the fastest run. With `L = ∞` there
//! are if the supremum is finite. A clock can grow without end in two ways: by one delay, and then its zone has no
//! upper bound and says so; or round and round a loop, and then `pump.rs` finds the loop and goes on from its limit.
//!
//! | file | holds |
//! |---|---|
//! | `mod.rs` | from a query to its answer |
//! | `record.rs` | the best values so far, and the look at each state |
//! | `pump.rs` | loops round which a clock grows without end |
//! | `realise.rs` | from a value to a run that shows it |
//!
//! Cost: one or two explorations, with the constants of the model and those of the measured clocks raised; for each
//! stored state a comparison for each measure, and the condition only where that could improve something.

mod pump;
mod realise;
mod record;

use std::borrow::Cow;
use std::time::Instant;

use tourbillon_base::Id as _;
use tourbillon_dbm::{Clock, ClockBounds, Constant};
use tourbillon_model::{ClockPlace, Expr, ExprId, ExprKind, Measure, Model, Query};
use tourbillon_search::{Budget, Ended, Search, Stats};
use tourbillon_system::{
    Polarity, Predicate, Side, StateFormula, System, analyse_measuring, mentions_deadlock,
};
use tourbillon_zonegraph::{Abstraction, Options, ZoneGraph};

use crate::answer::{Answer, Measured, Verdict, Why};
use crate::plan::{Plan, PropertyClass};
use crate::prepare::{PrepareError, Prepared};
use crate::property::Requirements;
use crate::several::{Others, Several};
use crate::{Progress, conclude, setup};
use pump::Pump;
use realise::ValueRealiser;
use record::{Mark, Record};

/// Which end of the values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum End {
    Low,
    High,
}

/// What is measured, and where.
#[derive(Clone, Debug)]
pub struct Bounds {
    measures: Vec<Measure>,
    /// Which states count.
    condition: StateFormula,
    /// What is asked for of each measure.
    ends: Vec<End>,
}

impl Bounds {
    /// What a query asks for. Without a condition, all states count.
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
            about_all: true,
            ..PropertyClass::default()
        };
        Requirements {
            formulas: vec![self.condition],
            conditions: self.conditions().to_vec(),
            measures: self.measures.clone(),
            class,
        }
    }

    /// One search for each end if there are clocks to measure; the one for least values first, which is short.
    fn searches(&self) -> Vec<Option<End>> {
        if self.clocks().is_empty() { vec![None] } else { self.ends.iter().copied().map(Some).collect() }
    }

    fn clocks(&self) -> Vec<&ClockPlace> {
        let clock = |measure| match measure {
            &Measure::Clock(ref place, _) => Some(place),
            Measure::Data(_) => None,
        };
        self.measures.iter().filter_map(clock).collect()
    }

    const fn conditions(&self) -> [(ExprId, Polarity); 1] {
        [(self.condition.expr, Polarity::Holds)]
    }
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
        // The runs are with their values.
        answer.several = Some(Several { witnesses: Vec::new(), others: Others::OnlyOne });
    }
    Ok(answer)
}

/// What the searches of a property share.
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

    /// Searches for one end of all measures, or for both of data, and adds what comes out to the answer.
    fn search(
        &self,
        end: Option<End>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
        answer: &mut Answer,
    ) -> Result<(), PrepareError> {
        let tracked = end.map_or(Ok(Vec::new()), |end| self.tracked(end))?;
        let options = self.options(end, &tracked);
        let mut settings = self.prepared.settings();
        // Loops are found along the paths that led to states.
        settings.traces |= end == Some(End::High);
        let list = tourbillon_store::build(&settings);
        let graph = ZoneGraph::new(self.system(), options.clone());
        let mut search = Search::new(graph, list, self.prepared.cost_function());
        let frame = self.bounds.condition.frame;
        let mut record = Record::new(self.system(), self.condition(), frame, self.marks(end));
        if end == Some(End::High) {
            record.pump_with(Pump::new(self.system(), options, self.prepared.analysis(), &tracked));
        }
        let mut ended = search.explore(&mut record, budget, progress);
        answer.stats = answer.stats.and(&search.stats());
        if record.overflowed() && matches!(ended, Ended::Complete) {
            ended = Ended::Overflowed;
        }
        self.conclude(&search, record.into_marks(), ended, budget, answer);
        Ok(())
    }

    /// The clocks whose size counts for ever: those measured, and those that they get their values from.
    fn tracked(&self, end: End) -> Result<Vec<Clock>, PrepareError> {
        let side = if end == End::High { Side::Lower } else { Side::Upper };
        let (model, bounds) = (self.prepared.model(), self.bounds);
        let measuring = analyse_measuring(model, &bounds.conditions(), side, &bounds.clocks())?;
        // Not those whose limits differ: a model may have the largest constant itself, at one of its locations.
        let has_no_limit = |clock: &Clock| match side {
            Side::Lower => measuring.global.lower(*clock) == Some(Constant::MAX),
            Side::Upper => measuring.global.upper(*clock) == Some(Constant::MAX),
        };
        let unbounded = measuring.unbounded.iter().map(|clock| Clock::from_index(clock.index() + 1));
        Ok(unbounded.filter(has_no_limit).collect())
    }

    /// How zones are computed when these clocks are tracked.
    fn options(&self, end: Option<End>, tracked: &[Clock]) -> Options {
        let (abstraction, both) = match self.plan().abstraction {
            Abstraction::ExtraM => (Abstraction::ExtraLu, true),
            Abstraction::ExtraMPlus => (Abstraction::ExtraLuPlus, true),
            other => (other, false),
        };
        let mut analysis = self.prepared.analysis().clone();
        let local = analysis.local.iter_mut().flat_map(|process| process.iter_mut());
        for bounds in local.chain([&mut analysis.everywhere, &mut analysis.global]) {
            if both {
                same_both_ways(bounds);
            }
            for &clock in tracked {
                match end {
                    Some(End::Low) => bounds.raise_upper(clock, Constant::MAX),
                    _ => bounds.raise_lower(clock, Constant::MAX),
                }
            }
        }
        Options { abstraction, wants_bounds: true, ..setup::options(self.system(), &analysis, self.plan()) }
    }

    /// What this search looks for: its end of clocks, and all ends of data if it is the last.
    fn marks(&self, end: Option<End>) -> Vec<Mark> {
        let is_last = end.is_none_or(|end| self.bounds.ends.last() == Some(&end));
        let mut marks = Vec::new();
        for (measure, (_, &gauge)) in self.bounds.measures.iter().zip(self.prepared.gauges()).enumerate() {
            let is_looked_for = |asked: &&End| match gauge.clock {
                Some(_) => end == Some(**asked),
                None => is_last,
            };
            let ends = self.bounds.ends.iter().filter(is_looked_for);
            marks.extend(ends.map(|&end| Mark::new(measure, gauge, end)));
        }
        marks
    }

    fn conclude(
        &self,
        search: &Search<'_>,
        marks: Vec<Mark>,
        ended: Ended,
        budget: &mut Budget<'_>,
        answer: &mut Answer,
    ) {
        let complete = matches!(ended, Ended::Complete | Ended::Enough);
        let realiser = ValueRealiser { checker: *self, search };
        for mark in marks {
            let (extreme, doubt) = realiser.extreme(&mark, complete, budget);
            if let Some(doubt) = doubt {
                answer.doubt(Why::NotReplayed(doubt));
            }
            let measured = &mut answer.values[mark.measure];
            match mark.end {
                End::Low => measured.low = Some(extreme),
                End::High => measured.high = Some(extreme),
            }
        }
        match ended {
            Ended::Complete | Ended::Enough | Ended::Found { .. } => {}
            Ended::Exhausted(what) => answer.doubt(Why::Exhausted(what)),
            Ended::Overflowed => answer.doubt(Why::Overflowed),
            Ended::Failed(failure) => {
                answer.witness = failure.node.and_then(|node| realiser.run_to_failure(node));
                let fails = !self.plan().over_approximates
                    || conclude::fails_after(self.prepared.model(), answer.witness.as_ref());
                answer.doubt(Why::of_error(failure.error, !fails));
            }
        }
    }
}

impl Answer {
    /// Makes it unknown, unless it is already: the first reason stands.
    fn doubt(&mut self, why: Why) {
        if self.verdict != Verdict::Unknown {
            (self.verdict, self.why) = (Verdict::Unknown, why);
        }
    }
}

/// Makes `L` and `U` of each clock the larger of the two.
fn same_both_ways(bounds: &mut ClockBounds) {
    for clock in bounds.dimension().iter() {
        if let Some(maximum) = bounds.maximum(clock) {
            bounds.raise(clock, maximum);
        }
    }
}
