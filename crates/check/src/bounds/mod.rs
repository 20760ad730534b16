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
//! | `show.rs` | from a value to a run that shows it |
//!
//! Cost: one or two explorations, with the constants of the model and those of the measured clocks raised; for each
//! stored state a comparison for each measure, and the condition only where that could improve something.

mod pump;
mod record;
mod show;

use std::borrow::Cow;
use std::time::Instant;

use tourbillon_base::Id as _;
use tourbillon_dbm::{Clock, ClockBounds, Constant};
use tourbillon_model::{ClockPlace, Expr, ExprId, ExprKind, Measure, Model, Query, QueryKind};
use tourbillon_search::{Budget, Ended, Stats, Watch};
use tourbillon_system::{
    Analysis, Asked, Gauge, Polarity, Predicate, Side, System, analyse, analyse_measuring, compile_measuring,
    mentions_deadlock,
};
use tourbillon_zonegraph::{Abstraction, Options, ZoneGraph};

use crate::answer::{Answer, Extreme, Known, Measured, Value, Verdict, Why};
use crate::path::{self, Goal};
use crate::plan::{Facts, Plan, PlanRequest, PropertyClass, TraceKind, plan};
use crate::reachability::{Job, PrepareError, Progress};
use crate::several::{Others, Several};
use crate::{conclude, order, setup};
use pump::Pump;
use record::{Mark, Record};
use show::Shower;

/// Which end of the values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum End {
    Low,
    High,
}

/// A question about extremes, taken apart.
pub(crate) struct Question<'a> {
    model: Cow<'a, Model>,
    index: usize,
    measures: &'a [Measure],
    condition: Asked,
    /// What is asked for of each measure.
    ends: Vec<End>,
}

impl<'a> Question<'a> {
    /// The question that a query asks, if it asks for extremes. Without a condition, all states count.
    pub(crate) fn of(model: &'a Model, index: usize) -> Option<Self> {
        let Query { kind, frame, span, .. } = &model.queries[index];
        let QueryKind::Bounds { condition, measures, lower, upper } = kind else { return None };
        let mut model = Cow::Borrowed(model);
        let expr = condition
            .unwrap_or_else(|| model.to_mut().exprs.push(Expr { kind: ExprKind::Int(1), span: *span }));
        let ends = [lower.then_some(End::Low), upper.then_some(End::High)].into_iter().flatten().collect();
        let condition = Asked { expr, frame: *frame, negated: false };
        Some(Self { model, index, measures, condition, ends })
    }

    /// How it would be answered.
    pub(crate) fn planned(&self, plan_request: &PlanRequest) -> Result<Plan, PrepareError> {
        Ok(Setting::new(self, plan_request)?.plan)
    }

    /// Answers it.
    pub(crate) fn answer(
        &self,
        job: &Job<'_>,
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Answer, PrepareError> {
        let setting = Setting::new(self, job.plan_request)?;
        let started = Instant::now();
        let mut answer = Answer {
            query: Some(self.index),
            verdict: Verdict::Satisfied,
            why: Why::Complete,
            plan: Some(setting.plan.clone()),
            stats: Stats::default(),
            time: started.elapsed(),
            mixture: None,
            reused: 0,
            least_time: None,
            witness: None,
            several: None,
            values: vec![Measured::default(); self.measures.len()],
        };
        for end in self.searches() {
            let before = answer.stats;
            let mut progress = |stats: &Stats| {
                observe(&Progress { query: Some(self.index), stats: before.and(stats) });
            };
            setting.search(end, budget, &mut progress, &mut answer)?;
        }
        answer.time = started.elapsed();
        let mut extremes = answer.values.iter().flat_map(|it| it.low.iter().chain(&it.high));
        if job.plan_request.traces.is_some() && extremes.any(|extreme| extreme.witness.is_some()) {
            // The runs are with their values.
            answer.several = Some(Several { witnesses: Vec::new(), others: Others::OnlyOne });
        }
        Ok(answer)
    }

    /// One search for each end if there are clocks to measure; the one for least values first, which is short.
    fn searches(&self) -> Vec<Option<End>> {
        if self.clocks().is_empty() { vec![None] } else { self.ends.iter().copied().map(Some).collect() }
    }

    fn clocks(&self) -> Vec<&ClockPlace> {
        let clock = |measure: &'a Measure| match measure {
            Measure::Clock(place, _) => Some(place),
            Measure::Data(_) => None,
        };
        self.measures.iter().filter_map(clock).collect()
    }

    fn conditions(&self) -> [(ExprId, Polarity); 1] {
        [(self.condition.expr, Polarity::Holds)]
    }
}

/// Everything that the searches of a question share.
struct Setting<'q> {
    question: &'q Question<'q>,
    system: System,
    condition: Predicate,
    gauges: Vec<Gauge>,
    /// The constants of the model and the condition alone.
    analysis: Analysis,
    plan: Plan,
}

impl<'q> Setting<'q> {
    fn new(question: &'q Question<'q>, plan_request: &PlanRequest) -> Result<Self, PrepareError> {
        let Question { model, measures, condition, .. } = question;
        let analysis = analyse(model, &question.conditions())?;
        let (system, mut predicates, gauges) = compile_measuring(model, &[*condition], measures)?;
        let deadlock = mentions_deadlock(model, condition.expr);
        let measures_clocks = !question.clocks().is_empty();
        let property_class =
            PropertyClass { deadlock, measures_clocks, about_all: true, ..PropertyClass::default() };
        let facts = Facts::of(&system, &analysis, property_class);
        // What is measured decides which run is shown: that it is fast is no concern.
        let trace =
            if plan_request.trace == TraceKind::Fastest { TraceKind::Some } else { plan_request.trace };
        let plan = plan(&facts, &PlanRequest { trace, ..plan_request.clone() })?;
        let condition = predicates.pop().expect("one was asked for");
        Ok(Self { question, system, condition, gauges, analysis, plan })
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
        let mut settings = setup::settings(&self.system, &self.plan);
        // Loops are found along the paths that led to states.
        settings.traces |= end == Some(End::High);
        let list = tourbillon_store::build(&settings);
        let cost_function = order::cost_function(&self.system, &self.plan, None);
        let mut watch = Watch::new(ZoneGraph::new(&self.system, options.clone()), list, cost_function);
        let mut record =
            Record::new(&self.system, &self.condition, self.question.condition.frame, self.marks(end));
        if end == Some(End::High) {
            record.pump_with(Pump::new(&self.system, options, &self.analysis, &tracked));
        }
        let mut ended = watch.run(&mut record, budget, progress);
        answer.stats = answer.stats.and(&watch.stats());
        if record.overflowed() && matches!(ended, Ended::Complete) {
            ended = Ended::Overflowed;
        }
        self.conclude(&watch, record.into_marks(), ended, budget, answer);
        Ok(())
    }

    /// The clocks whose size counts for ever: those measured, and those that they get their values from.
    fn tracked(&self, end: End) -> Result<Vec<Clock>, PrepareError> {
        let side = if end == End::High { Side::Lower } else { Side::Upper };
        let Question { model, .. } = self.question;
        let measuring = analyse_measuring(model, &self.question.conditions(), side, &self.question.clocks())?;
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
        let (abstraction, both) = match self.plan.abstraction {
            Abstraction::ExtraM => (Abstraction::ExtraLu, true),
            Abstraction::ExtraMPlus => (Abstraction::ExtraLuPlus, true),
            other => (other, false),
        };
        let mut analysis = self.analysis.clone();
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
        Options { abstraction, wants_bounds: true, ..setup::options(&self.system, &analysis, &self.plan) }
    }

    /// What this search looks for: its end of clocks, and all ends of data if it is the last.
    fn marks(&self, end: Option<End>) -> Vec<Mark> {
        let is_last = end.is_none_or(|end| self.question.ends.last() == Some(&end));
        let mut marks = Vec::new();
        for (measure, &gauge) in self.gauges.iter().enumerate() {
            let is_looked_for = |asked: &&End| match gauge.clock {
                Some(_) => end == Some(**asked),
                None => is_last,
            };
            let ends = self.question.ends.iter().filter(is_looked_for);
            marks.extend(ends.map(|&end| Mark::new(measure, gauge, end)));
        }
        marks
    }

    fn conclude(
        &self,
        watch: &Watch<'_>,
        marks: Vec<Mark>,
        ended: Ended,
        budget: &mut Budget<'_>,
        answer: &mut Answer,
    ) {
        let complete = matches!(ended, Ended::Complete | Ended::Found { .. });
        let shower = Shower { setting: self, watch };
        for mark in marks {
            let (extreme, doubt) = shower.extreme(&mark, complete, budget);
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
            Ended::Complete | Ended::Found { .. } => {}
            Ended::Exhausted(what) => answer.doubt(Why::Exhausted(what)),
            Ended::Overflowed => answer.doubt(Why::Overflowed),
            Ended::Failed(failure) => {
                answer.witness = failure.node.and_then(|node| shower.run_to_failure(node));
                let fails = !self.plan.over_approximates
                    || conclude::fails_after(&self.question.model, answer.witness.as_ref());
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
