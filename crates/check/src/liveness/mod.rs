//! The liveness checker: `E[] p`, `A<> p`, `p --> q`, and acceptance by labels.
//!
//! All of these search for one run: a maximal run that avoids a predicate (`not p`, for `E[] p`; `p`, for `A<> p`; `q`, from a state
//! with `p` on, for `p --> q`), or one that visits accepting states infinitely often. A run is maximal if it has infinitely many
//! transitions, even in finite time (Zeno), if it diverges in its last state, or if it ends in a deadlock; see
//! `zonegraph/src/maximal_runs.rs`. With `non_zeno` only runs along which time diverges count: ticks are at least one time unit
//! apart, and a run must have infinitely many of them `[TripakisYovineBouajjani2005]`.
//!
//! | file | holds |
//! |---|---|
//! | `search.rs` | the search for such a run |
//! | `lasso.rs` | from a lasso to a replayed run |
//! | `zeno.rs` | whether there are Zeno runs |

mod lasso;
mod search;
pub(crate) mod zeno;

use std::time::Instant;

use tourbillon_model::{ExprId, Model};
use tourbillon_search::{Acceptance, Budget, RunCondition};
use tourbillon_system::{Polarity, StateFormula, mentions_deadlock};

use crate::Progress;
use crate::answer::{Answer, Verdict, Why};
use crate::path::RealiseError;
use crate::plan::{PlanRequest, PropertyClass};
use crate::prepare::Prepared;
use crate::property::Requirements;
use crate::several::Several;
use search::{LivenessEnd, LivenessSearch};

pub(crate) use lasso::{Lasso, LassoStep};
pub(crate) use search::{ticks, with_ticks};

/// A liveness property: the run that decides it.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Holds in its first state, which is the initial state if there is no premise.
    premise: Option<StateFormula>,
    /// Never holds along it.
    avoid: Option<StateFormula>,
    /// Each holds infinitely often along it.
    accept: Vec<StateFormula>,
    /// The verdict if there is such a run.
    found: Verdict,
}

impl Liveness {
    /// `E[] p`.
    pub(crate) fn always(expr: ExprId, frame: u32) -> Self {
        let avoid = Some(StateFormula { expr, frame, negated: true });
        Self { premise: None, avoid, accept: Vec::new(), found: Verdict::Satisfied }
    }

    /// `A<> p`.
    pub(crate) fn never(expr: ExprId, frame: u32) -> Self {
        let avoid = Some(StateFormula { expr, frame, negated: false });
        Self { premise: None, avoid, accept: Vec::new(), found: Verdict::Violated }
    }

    /// `p --> q`.
    pub(crate) fn never_after(premise: ExprId, avoid: ExprId, frame: u32) -> Self {
        let premise = Some(StateFormula { expr: premise, frame, negated: false });
        Self { premise, ..Self::never(avoid, frame) }
    }

    /// Acceptance by each of these, which compare no clocks.
    pub(crate) fn accepting(all: &[ExprId], frame: u32) -> Self {
        let accept = all.iter().map(|&expr| StateFormula { expr, frame, negated: false }).collect();
        Self { premise: None, avoid: None, accept, found: Verdict::Satisfied }
    }

    pub(crate) fn requirements(&self, model: &Model, plan_request: &PlanRequest) -> Requirements {
        let compared = || [self.premise, self.avoid].into_iter().flatten();
        let formulas: Vec<StateFormula> = compared().chain(self.accept.iter().copied()).collect();
        let (recurrently, non_zeno) = (self.avoid.is_none(), plan_request.non_zeno);
        let class = PropertyClass {
            accepting: recurrently || non_zeno,
            in_turn: recurrently && formulas.len() + usize::from(non_zeno) > 1,
            deadlock: formulas.iter().any(|formula| mentions_deadlock(model, formula.expr)),
            endless: true,
            stuck: !non_zeno && !recurrently,
            ..PropertyClass::default()
        };
        let conditions = compared().map(|formula| (formula.expr, Polarity::Both)).collect();
        Requirements { formulas, conditions, class, ..Requirements::default() }
    }
}

/// Checks one property.
pub(crate) fn check(
    prepared: &Prepared<'_>,
    liveness: &Liveness,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Answer {
    let started = Instant::now();
    let (query, plan) = (prepared.query(), prepared.plan());
    let mut predicates = prepared.predicates().iter();
    let premise = liveness.premise.and_then(|_| predicates.next());
    let avoid = liveness.avoid.and_then(|_| predicates.next());
    let ticked = prepared.ticks().map(|ticks| ticks.field);
    let acceptance = Acceptance { sets: predicates.cloned().collect(), ticked };
    let deadlocked = prepared.facts().property_class.stuck;
    let condition = RunCondition { diverging: acceptance.sets.is_empty(), deadlocked, acceptance };
    let search = LivenessSearch { prepared, premise, avoid, condition };
    let (end, stats, certificate) =
        search.run(budget, &mut |stats| observe(&Progress { query, stats: *stats }));
    let (verdict, why, witness) = match end {
        LivenessEnd::NotFound => (liveness.found.opposite(), Why::Complete, None),
        LivenessEnd::Exhausted(what) => (Verdict::Unknown, Why::Exhausted(what), None),
        LivenessEnd::Overflowed => (Verdict::Unknown, Why::Overflowed, None),
        LivenessEnd::Failed(path, error) => {
            let (why, witness) = prepared.failure(error, path.as_deref());
            (Verdict::Unknown, why, witness)
        }
        LivenessEnd::Found(_) if !plan.keeps_paths() => (liveness.found, Why::Found, None),
        LivenessEnd::Found(lasso) => match search.realise(&lasso, liveness.avoid, budget) {
            Ok(witness) => (liveness.found, Why::Found, Some(witness)),
            // The verdict is known; only the computation of a run was interrupted.
            Err(RealiseError::Interrupted) if !plan.must_replay() => (liveness.found, Why::Found, None),
            Err(error) => (Verdict::Unknown, Why::NotReplayed(error.to_string()), None),
        },
    };
    let witness = witness.filter(|_| plan.shows_runs());
    let several =
        prepared.traces_wanted().filter(|_| why == Why::Found).and_then(|_| Several::only(witness.as_ref()));
    let answer = prepared.concluded((verdict, why, witness));
    Answer { stats, time: started.elapsed(), several, certificate, ..answer }
}
