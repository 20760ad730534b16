//! Is there a run with infinitely many steps in finite time?
//!
//! Along such a run the time that is left gets as small as one likes: from some state on, infinitely many steps fit into
//! less than one unit. So that is looked for, from every state that can be reached: a clock of its own is set to 0 there,
//! and a cycle is sought along which it stays below 1. The other way round, a cycle of zones along which it does has a run
//! that does. Nothing here asks what cannot happen, so that bounds by L and U do.

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_model::{ClockAtom, ClockId, ClockPlace, Compare, Expr, ExprKind, Root};
use tourbillon_search::{Acceptance, Budget, Cycles};
use tourbillon_system::{Asked, analyse, compile};

use super::search::{self, LivenessSearch, Outcome, with_ticks};
use crate::answer::Why;
use crate::path::Witness;
use crate::plan::{Facts, PlanRequest, PropertyClass, TraceKind, plan};
use crate::reachability::{Job, PrepareError, Progress};

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
    let (mut model, cell) = with_ticks(job.model);
    let span = Span::new(SourceId::from_index(0), 0, 0);
    let clock = ClockId::from_index(model.clocks.len() - 1);
    let one = model.exprs.push(Expr { kind: ExprKind::Int(1), span });
    let left = ClockPlace { root: Root::Global(clock), offset: 0, indices: Vec::new() };
    let atom = ClockAtom { left, right: None, compare: Compare::GreaterOrEqual, bound: one };
    let over = model.exprs.push(Expr { kind: ExprKind::Clock(atom), span });
    let asked = [one, over].map(|expr| Asked { expr, frame: 0, negated: false });
    let (system, predicates) = compile(&model, &asked)?;
    // The liveness search adds what the clock of its own needs, where it needs it.
    let analysis = analyse(&model, &[])?;
    let property_class = PropertyClass { endless: true, ..PropertyClass::default() };
    // The run is needed to tell along which loop it goes, be it shown or not.
    let plan_request = PlanRequest { trace: TraceKind::Some, ..job.plan_request.clone() };
    let plan = plan(&Facts::of(&system, &analysis, property_class), &plan_request)?;
    let liveness_search = LivenessSearch {
        system: &system,
        analysis: &analysis,
        plan: &plan,
        premise: Some(&predicates[0]),
        avoid: Some(&predicates[1]),
        cycles: Cycles { accepting: Acceptance::default(), waiting: false, stuck: false },
        ticks: Some(search::ticks(&system, cell)),
    };
    let (outcome, _) =
        liveness_search.run(budget, &mut |stats| observe(&Progress { query: None, stats: *stats }));
    Ok(match outcome {
        Outcome::Nothing => ZenoRuns::None,
        Outcome::Exhausted(what) => ZenoRuns::Unknown(Why::Exhausted(what)),
        Outcome::Overflowed => ZenoRuns::Unknown(Why::Overflowed),
        Outcome::Failed(_, error) => ZenoRuns::Unknown(Why::of_error(error, false)),
        Outcome::Found(lasso) => match liveness_search.realise(job.model, &lasso, None, budget) {
            // Since when it is so fast says nothing about the run.
            Ok(witness) => ZenoRuns::Found(Box::new(Witness { since: None, ..witness })),
            Err(unrealised) => ZenoRuns::Unknown(Why::NotReplayed(unrealised.to_string())),
        },
    })
}
