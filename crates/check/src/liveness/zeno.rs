//! Zeno runs: infinitely many transitions in finite time.
//!
//! Along a Zeno run the remaining time converges to 0: from some state on, infinitely many transitions take less than one time unit.
//! So from every reachable state a clock is reset, and cycle detection searches for a cycle along which it stays below 1. Conversely,
//! a cycle of zones along which it does has such a run. The search is about enabled transitions only, so LU-bounds are exact.

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_model::{ClockAtom, ClockId, ClockPlace, Compare, Expr, ExprKind, Model, Root};
use tourbillon_search::{Acceptance, Budget, RunCondition};
use tourbillon_system::StateFormula;

use super::search::{LivenessEnd, LivenessSearch};
use crate::Progress;
use crate::answer::Why;
use crate::path::Witness;
use crate::plan::{PlanRequest, PropertyClass, TraceKind};
use crate::prepare::{Extension, Job, Preparation, PrepareError};
use crate::property::Requirements;

/// The result of the search for a Zeno run.
#[derive(Clone, Debug)]
pub(crate) enum ZenoRuns {
    None,
    Found(Box<Witness>),
    Unknown(Why),
}

/// Searches for a Zeno run.
///
/// # Errors
/// If the model cannot be compiled, or the request cannot be combined.
pub(crate) fn zeno_runs(
    job: &Job<'_>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<ZenoRuns, PrepareError> {
    // The run identifies the cycle, whether or not traces are requested.
    let plan_request = PlanRequest { trace: TraceKind::Some, ..job.plan_request.clone() };
    let job = Job { plan_request: &plan_request, ..*job };
    let mut preparation = Preparation::new(&job);
    let formulas = formulas(preparation.model.to_mut());
    let class = PropertyClass { endless: true, ..PropertyClass::default() };
    // The liveness search adds the bounds of the tick clock.
    let requirements = Requirements { formulas: formulas.to_vec(), class, ..Requirements::default() };
    let prepared = preparation.exploration(Extension::Ticks, requirements)?;
    let (premise, avoid) = (prepared.predicates().first(), prepared.predicates().get(1));
    let condition = RunCondition { acceptance: Acceptance::default(), diverging: false, deadlocked: false };
    let search = LivenessSearch { prepared: &prepared, premise, avoid, condition };
    let (end, ..) = search.run(budget, &mut |stats| observe(&Progress { query: None, stats: *stats }));
    Ok(match end {
        LivenessEnd::NotFound => ZenoRuns::None,
        LivenessEnd::Exhausted(what) => ZenoRuns::Unknown(Why::Exhausted(what)),
        LivenessEnd::Overflowed => ZenoRuns::Unknown(Why::Overflowed),
        LivenessEnd::Failed(_, error) => ZenoRuns::Unknown(Why::of_error(error, false)),
        LivenessEnd::Found(lasso) => match search.realise(&lasso, None, budget) {
            // The time of the premise is irrelevant here.
            Ok(witness) => ZenoRuns::Found(Box::new(Witness { since: None, ..witness })),
            Err(error) => ZenoRuns::Unknown(Why::NotReplayed(error.to_string())),
        },
    })
}

/// The premise, which is true, and the avoided formula: the tick clock, the next clock of the model, is at least 1.
fn formulas(model: &mut Model) -> [StateFormula; 2] {
    let span = Span::new(SourceId::from_index(0), 0, 0);
    let clock = ClockId::from_index(model.clocks.len());
    let one = model.exprs.push(Expr { kind: ExprKind::Int(1), span });
    let left = ClockPlace { root: Root::Global(clock), offset: 0, indices: Vec::new() };
    let atom = ClockAtom { left, right: None, compare: Compare::GreaterOrEqual, bound: one };
    let over = model.exprs.push(Expr { kind: ExprKind::Clock(atom), span });
    [one, over].map(|expr| StateFormula { expr, frame: 0, negated: false })
}
