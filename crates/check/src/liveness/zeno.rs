//! Is there a run with infinitely many steps in finite time?
//!
//! Along such a run the time that is left gets as small as one likes: from some state on, infinitely many steps fit into
//! less than one unit. So that is looked for, from every state that can be reached: a clock of its own is set to 0 there,
//! and a cycle is sought along which it stays below 1. The other way round, a cycle of zones along which it does has a run
//! that does. Nothing here asks what cannot happen, so that bounds by L and U do.

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

/// What is known of runs with infinitely many steps in finite time.
#[derive(Clone, Debug)]
pub(crate) enum ZenoRuns {
    /// There is none.
    None,
    /// This is one.
    Found(Box<Witness>),
    /// It is not known whether there is any.
    Unknown(Why),
}

/// Looks for one.
///
/// # Errors
/// If the model cannot be compiled, or what was asked for cannot be combined.
pub(crate) fn zeno_runs(
    job: &Job<'_>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<ZenoRuns, PrepareError> {
    // The run is needed to tell along which loop it goes, be it shown or not.
    let plan_request = PlanRequest { trace: TraceKind::Some, ..job.plan_request.clone() };
    let job = Job { plan_request: &plan_request, ..*job };
    let mut preparation = Preparation::new(&job);
    let formulas = formulas(preparation.model.to_mut());
    let class = PropertyClass { endless: true, ..PropertyClass::default() };
    // The liveness search adds what the clock of its own needs, where it needs it.
    let requirements = Requirements { formulas: formulas.to_vec(), class, ..Requirements::default() };
    let prepared = preparation.exploration(Extension::Ticks, requirements)?;
    let (premise, avoid) = (prepared.predicates().first(), prepared.predicates().get(1));
    let condition = RunCondition { acceptance: Acceptance::default(), diverging: false, deadlocked: false };
    let search = LivenessSearch { prepared: &prepared, premise, avoid, condition };
    let (end, _) = search.run(budget, &mut |stats| observe(&Progress { query: None, stats: *stats }));
    Ok(match end {
        LivenessEnd::NotFound => ZenoRuns::None,
        LivenessEnd::Exhausted(what) => ZenoRuns::Unknown(Why::Exhausted(what)),
        LivenessEnd::Overflowed => ZenoRuns::Unknown(Why::Overflowed),
        LivenessEnd::Failed(_, error) => ZenoRuns::Unknown(Why::of_error(error, false)),
        LivenessEnd::Found(lasso) => match search.realise(&lasso, None, budget) {
            // Since when it is so fast says nothing about the run.
            Ok(witness) => ZenoRuns::Found(Box::new(Witness { since: None, ..witness })),
            Err(error) => ZenoRuns::Unknown(Why::NotReplayed(error.to_string())),
        },
    })
}

/// That the run begins here, which it may everywhere, and that the clock of ticks, the next one of the model, has reached 1.
fn formulas(model: &mut Model) -> [StateFormula; 2] {
    let span = Span::new(SourceId::from_index(0), 0, 0);
    let clock = ClockId::from_index(model.clocks.len());
    let one = model.exprs.push(Expr { kind: ExprKind::Int(1), span });
    let left = ClockPlace { root: Root::Global(clock), offset: 0, indices: Vec::new() };
    let atom = ClockAtom { left, right: None, compare: Compare::GreaterOrEqual, bound: one };
    let over = model.exprs.push(Expr { kind: ExprKind::Clock(atom), span });
    [one, over].map(|expr| StateFormula { expr, frame: 0, negated: false })
}
