//! The reachability checker: `E<> p`, `A[] p`, and full exploration.
//!
//! `E<> p` searches for a state that satisfies `p`, `A[] p` for one that does not. Properties with equal clock bounds share one
//! search: each tests the stored states first and then continues the search `[DavidBehrmannLarsenYi2003]`. A property with other
//! bounds has a search of its own, since zones that were extrapolated without its constants may be too large for it.
//!
//! With mixed orders two searches alternate (`search/src/mixed.rs`): the properties of a group share both, and a property without
//! mixed orders continues the search in the wide order.
//!
//! The states of a probabilistic passed list cannot be read back, so each property has a search of its own then; if several passes
//! are requested, they are repeated, each with another hash function, until one finds a state.

pub(crate) mod distance;
mod mixed;

use std::sync::Arc;
use std::time::Instant;

use tourbillon_dbm::{Bound, Clock, Constant, Constraint};
use tourbillon_model::{ExprId, Model};
use tourbillon_search::{Budget, Committed, CostFunction, Ended, Least, Mixed, Search, Stats};
use tourbillon_system::{Polarity, StateFormula, mentions_deadlock};

use crate::answer::{Answer, Verdict, Why};
use crate::certificate::{Certificate, Invariant};
use crate::conclude::Evidence;
use crate::order::Order;
use crate::path::Goal;
use crate::plan::{Plan, PlanRequest, PropertyClass, Refusal, RoundUse, TraceKind};
use crate::prepare::Prepared;
use crate::property::{Property, Requirements};
use crate::recheck::{self, Rechecked};
use crate::tables;
use crate::{Progress, setup};

pub use mixed::{FoundBy, Mixture};

/// A reachability property.
#[derive(Clone, Copy, Debug)]
pub struct Reachability {
    pub goal: StateFormula,
    /// The verdict if a state satisfies the goal.
    pub found: Verdict,
}

impl Reachability {
    /// `E<> p`.
    pub(crate) const fn witness(expr: ExprId, frame: u32) -> Self {
        Self { goal: StateFormula { expr, frame, negated: false }, found: Verdict::Satisfied }
    }

    /// `A[] p`.
    pub(crate) const fn counterexample(expr: ExprId, frame: u32) -> Self {
        Self { goal: StateFormula { expr, frame, negated: true }, found: Verdict::Violated }
    }

    pub(crate) fn property(self, model: &Model) -> Property {
        if mentions_deadlock(model, self.goal.expr) {
            Property::Deadlock(self)
        } else {
            Property::Reachability(self)
        }
    }

    pub(crate) fn requirements(
        &self,
        model: &Model,
        plan_request: &PlanRequest,
        deadlock: bool,
    ) -> Requirements {
        let witness = self.found == Verdict::Satisfied;
        // The distance to the goal matters for the orders `best` and `mixed`, or if no order is requested and a witness is
        // expected.
        let matters = match plan_request.order {
            Some(order) => matches!(order, Order::Best | Order::Mixed),
            None => witness,
        };
        let placed = matters && distance::to(model, self.goal).is_some();
        let polarity = if self.goal.negated { Polarity::Fails } else { Polarity::Holds };
        Requirements {
            formulas: vec![self.goal],
            conditions: vec![(self.goal.expr, polarity)],
            class: PropertyClass { deadlock, placed, goal: true, witness, ..PropertyClass::default() },
            ..Requirements::default()
        }
    }
}

/// Checks properties that share a search.
pub(crate) fn check(
    group: &[Prepared<'_>],
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), Refusal> {
    failures_last(answered, |answered| {
        let mut shared = None;
        for prepared in group {
            let (answer, search) = check_one(prepared, shared, budget, observe)?;
            shared = Some(search);
            answered(answer);
        }
        Ok(())
    })
}

/// Passes on the answers that are unknown because the model fails after all others, which may have a verdict
/// nevertheless.
pub(crate) fn failures_last<T>(
    answered: &mut dyn FnMut(Answer),
    work: impl FnOnce(&mut dyn FnMut(Answer)) -> T,
) -> T {
    let mut failed = Vec::new();
    let done = work(&mut |answer| match answer.why {
        Why::Failed(_) | Why::MayFail(_) => failed.push(answer),
        _ => answered(answer),
    });
    failed.into_iter().for_each(answered);
    done
}

/// Checks one property, and returns the search for the next.
fn check_one<'p>(
    prepared: &'p Prepared<'_>,
    shared: Option<Shared<'p>>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<(Answer, Shared<'p>), Refusal> {
    let plan = prepared.plan();
    let (mut search, mut invariant, mut rechecked) = match shared {
        Some(Shared { search, invariant, rechecked }) if can_continue(plan, &search) => {
            (search, invariant, rechecked)
        }
        // Frees its memory.
        other => {
            drop(other);
            (begin(prepared, 0)?, None, None)
        }
    };
    let started = Instant::now();
    let reused = if search.has_begun() { search.stats().stored } else { 0 };
    let query = prepared.query();
    let mut observe = |stats: &Stats| observe(&Progress { query, stats: *stats });
    if !search.has_begun() && prepared.candidates().is_some() {
        let wide = new_search(prepared, &plan.alone(plan.wide_order()), 0, prepared.cost_function())?;
        if let Some((wide, done, same)) = recheck::search(prepared, wide, budget, &mut observe) {
            (search, invariant, rechecked) = (Mixed::new(wide), same.map(Arc::new), Some(done));
        }
    }
    let mixes = plan.order == Order::Mixed;
    if mixes && search.wants_deep() {
        search.add_deep(deep_search(prepared, 0)?, plan.seed);
    }
    let mut ended = search.run(prepared.goal_predicate(), mixes, budget, &mut observe);
    if rechecked.is_some() && ended != Ended::Complete {
        // A state of the older model satisfies the goal, which decides nothing.
        drop(search);
        (search, invariant, rechecked) = (begin(prepared, 0)?, None, None);
        if mixes {
            search.add_deep(deep_search(prepared, 0)?, plan.seed);
        }
        ended = search.run(prepared.goal_predicate(), mixes, budget, &mut observe);
    }
    let mut stats = search.stats();
    for pass in 1..plan.passes {
        if !tables::is_complete(&ended, &stats) {
            break;
        }
        // Frees its table.
        drop(search);
        search = begin(prepared, pass)?;
        if mixes {
            search.add_deep(deep_search(prepared, pass)?, plan.seed);
        }
        ended = search.run(prepared.goal_predicate(), mixes, budget, &mut observe);
        stats = tables::of_passes(&stats, &search.stats(), &ended);
    }
    let mixture = Mixture::of(plan, &search, matches!(ended, Ended::Found { .. }));
    let answer = conclude(prepared, &search, ended, stats, budget);
    let rounds = search.round_times();
    let time = started.elapsed();
    if plan.certifies && answer.why == Why::Complete && invariant.is_none() {
        invariant = prepared.invariant(search.list()).map(Arc::new);
    }
    let certificate = invariant.clone().filter(|_| answer.why == Why::Complete).map(Certificate::never);
    let rechecked_answer = rechecked.filter(|_| answer.why == Why::Complete);
    let answer =
        Answer { stats, time, mixture, rounds, reused, certificate, rechecked: rechecked_answer, ..answer };
    Ok((answer, Shared { search, invariant, rechecked }))
}

/// A search, with the invariant of its stored states once it is complete.
struct Shared<'p> {
    search: Mixed<'p>,
    invariant: Option<Arc<Invariant>>,
    /// What it reused, if it began with the states of an earlier search.
    rechecked: Option<Rechecked>,
}

/// Whether a search for another property can be continued. Stored states cannot be read back from a table or a union of
/// zones. A shorter or earlier path to them may have been deleted by subsumption. The costs of best first depend on
/// the goal, unless the search is complete. And ranks need the successors of the node popped last, where transient states are
/// tested again out of order.
fn can_continue(plan: &Plan, search: &Mixed<'_>) -> bool {
    let has_readable_states = plan.keeps_states()
        && !matches!(plan.trace, TraceKind::Fastest | TraceKind::Shortest)
        && (plan.wide_order() != Order::Best || search.is_complete());
    let has_transient_ranks = plan.store != Committed::Stored && plan.wide_order().is_ranked();
    (has_readable_states && !has_transient_ranks) || !search.has_begun()
}

/// The answer by the end of a search, without statistics.
fn conclude(
    prepared: &Prepared<'_>,
    search: &Mixed<'_>,
    ended: Ended,
    stats: Stats,
    budget: &mut Budget<'_>,
) -> Answer {
    let least_time = match ended {
        // In an over-approximation no run need attain it.
        Ended::Found { least, .. } if !prepared.plan().over_approximates => least,
        _ => None,
    };
    let deadline = least_time.zip(prepared.time()).and_then(|(least, time)| deadline(time, least));
    let goal = prepared.goal().map(|goal| Goal { deadline, ..goal });
    let evidence = Evidence::of(ended, |node| search.path(node));
    let conclusion = prepared.conclude(goal, evidence, stats.certainty, budget);
    let mut answer = Answer { least_time, ..prepared.concluded(conclusion) };
    if let (Some(wanted), Some(goal), Why::Found) = (prepared.traces_wanted(), goal, &answer.why) {
        let mut several = prepared.several(wanted, goal, budget);
        // A limit may end the search for several runs before it finds the known one.
        if several.witnesses.is_empty() {
            several.witnesses.extend(answer.witness.take());
        }
        answer.witness = several.witnesses.first().cloned();
        answer.several = Some(several);
    }
    answer
}

/// The constraint on the time of the fastest run: the infimum, or less than 1 above it if it is not attained.
fn deadline(time: Clock, Least { value, excluded }: Least) -> Option<Constraint> {
    let limit = |value: u64| Constant::new(i64::try_from(value).ok()?).ok();
    let bound = if excluded { Bound::strict(limit(value + 1)?) } else { Bound::weak(limit(value)?) };
    Some(Constraint::new(time, Clock::REFERENCE, bound))
}

/// A new search, in the order of the plan, or in the wide one of mixed orders.
fn begin<'p>(prepared: &'p Prepared<'_>, pass: u32) -> Result<Mixed<'p>, Refusal> {
    let plan = prepared.plan();
    let wide = plan.alone(plan.wide_order());
    new_search(prepared, &wide, pass, prepared.cost_function()).map(Mixed::new)
}

/// The depth-first search of mixed orders.
fn deep_search<'p>(prepared: &'p Prepared<'_>, pass: u32) -> Result<Search<'p>, Refusal> {
    let deep = Plan { packs: false, rounds: RoundUse::Off, ..prepared.plan().alone(Order::Dfs) };
    new_search(prepared, &deep, pass, CostFunction::None)
}

/// A new search; with a table, each pass has a hash function of its own.
fn new_search<'p>(
    prepared: &'p Prepared<'_>,
    plan: &Plan,
    pass: u32,
    cost_function: CostFunction,
) -> Result<Search<'p>, Refusal> {
    let list = match &plan.table {
        None => prepared.list_for(plan),
        Some(table) => tables::list(&setup::settings(prepared.system(), plan), table, pass)?,
    };
    let shuffle = plan.shuffle_edges.then_some(plan.seed);
    let rounds = setup::rounds(plan, setup::settings(prepared.system(), plan));
    let search = Search::new(prepared.graph(), list, cost_function).with_committed(plan.store);
    Ok(search.shuffling(shuffle).in_rounds(rounds))
}
