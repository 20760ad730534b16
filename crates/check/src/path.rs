//! From a node to a run: its path, followed with exact zones, timed, and replayed.
//!
//! The list stores the parent of each node and the ordinal of a transition. They determine a path from the initial state, since the
//! transitions of a discrete state and their order depend on data alone. (Behind transient states it is a chain of ordinals,
//! `search/src/transient.rs`.) The path is followed again with exact zones; where a
//! transition has several pieces of a zone (priorities, receivers with clock guards), pieces are tried until one reaches the end.
//! Then the times of its steps are computed (`timing.rs`), and the run is replayed by code that shares nothing with the engine.

use tourbillon_base::cancellation;
use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_model::{LocationId, Model, ProcessId};
use tourbillon_replay::{ConcreteState, Finish, Run, Semantics, Since, Violation, replay_to_end};
use tourbillon_system::{Predicate, RuntimeError, StateFormula, System};
use tourbillon_zonegraph::{Options, PredicateEvaluator, Satisfaction, SymbolicState, ZoneGraph};

use crate::route::{AvoidOptions, PathFollower, PathStep};

/// A run with its last state. The states between are not stored: they are recomputed where they are shown
/// ([`tourbillon_replay::walk`]), one at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub run: Run,
    /// The state after its last delay.
    pub last: ConcreteState,
    /// How a maximal run repeats or ends, for liveness properties.
    pub finish: Option<Finish>,
    /// The time of the premise of `p --> q`.
    pub since: Option<Since>,
}

/// Why a path has no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RealiseError {
    /// Its exact zones become empty, or its steps have no times: an over-approximation found it.
    Infeasible,
    /// A limit was reached while the times of its steps were computed.
    Interrupted,
    /// The replay rejects the run.
    Rejected(String),
    /// The model fails in an expression that the replay evaluates and the engine does not, such as a guard of lower
    /// priority.
    Failed(String),
}

impl RealiseError {
    pub(crate) fn of(violation: &Violation, explanation: String) -> Self {
        if matches!(violation, Violation::Error(error) if error.is_cancelled()) {
            Self::Interrupted
        } else if matches!(violation, Violation::Error(_)) {
            Self::Failed(explanation)
        } else {
            Self::Rejected(explanation)
        }
    }
}

/// The states at the end of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal<'a> {
    /// The compiled formula.
    pub(crate) predicate: &'a Predicate,
    pub(crate) formula: StateFormula,
    /// An upper bound on the time of the earliest run, or a constraint on a measured clock.
    pub(crate) deadline: Option<Constraint>,
}

/// The process and location whose invariant the initial state violates, if it does.
#[must_use]
pub fn broken_at_start(model: &Model) -> Option<(ProcessId, LocationId)> {
    match Semantics::new(model).initial() {
        Err(Violation::Invariant(process, location)) => Some((process, location)),
        _ => None,
    }
}

/// The steps of a path of ordinals.
pub(crate) fn steps(path: &[u32]) -> Vec<PathStep<'_>> {
    path.iter().map(|&ordinal| PathStep::Take(ordinal)).collect()
}

/// Follows a path, times it and replays it. Without a goal, any end of the path is accepted.
pub(crate) fn realise(
    model: &Model,
    system: &System,
    path: &[PathStep<'_>],
    goal: Option<Goal<'_>>,
) -> Result<Witness, RealiseError> {
    let run = finished(follow(system, path, &mut |state| match system.has_stopwatches {
        true => parts(system, goal, state),
        false => Ok(ends(system, goal, state)?.into_iter().collect()),
    }))?;
    replayed(model, run, goal)
}

/// Replays a run and tests its last state.
pub(crate) fn replayed(model: &Model, run: Run, goal: Option<Goal<'_>>) -> Result<Witness, RealiseError> {
    let last = replay_to_end(model, &run)
        .map_err(|error| RealiseError::of(&error.violation, error.explain(model)))?;
    if let Some(Goal { formula: StateFormula { expr, frame, negated }, .. }) = goal {
        let holds = Semantics::new(model)
            .holds_for_ever(expr, frame, &last)
            .map_err(|violation| RealiseError::of(&violation, violation.explain(model)))?;
        if holds == negated {
            return Err(RealiseError::Rejected("the last state does not satisfy the goal".to_owned()));
        }
    }
    Ok(Witness { run, last, finish: None, since: None })
}

/// The same for a path to a failure of the model: the run ends with a delay after which some transition fails, if that is known.
pub(crate) fn realise_failure(
    model: &Model,
    system: &System,
    path: &[PathStep<'_>],
) -> Result<Witness, RealiseError> {
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let run = follow(system, path, &mut |state| {
        let part = graph.failing_part(state);
        Ok(vec![part.map_or_else(Vec::new, |part| part.minimal_constraints())])
    });
    replayed(model, finished(run)?, None)
}

/// The run along a path, or why there is none.
fn finished(run: Result<Option<Run>, RuntimeError>) -> Result<Run, RealiseError> {
    match run {
        Ok(Some(run)) => Ok(run),
        Err(error) if error.is_cancelled() => Err(RealiseError::Interrupted),
        _ if cancellation::reason().is_some() => Err(RealiseError::Interrupted),
        _ => Err(RealiseError::Infeasible),
    }
}

/// The constraints on clocks at the end of a run to this state, for each part of it in which a run may end.
type Ends<'a> = dyn FnMut(&SymbolicState) -> Result<Vec<Vec<Constraint>>, RuntimeError> + 'a;

/// The run along a path that satisfies one of `ends`.
fn follow(system: &System, path: &[PathStep<'_>], ends: &mut Ends<'_>) -> Result<Option<Run>, RuntimeError> {
    let mut follower = PathFollower::new(system, AvoidOptions::default());
    if system.has_stopwatches {
        follower = follower.with_alternatives(ALTERNATIVES_MAX);
    }
    let mut run = None;
    follower.follow(path, &mut |path_so_far, state| {
        let ends = ends(state)?;
        run = ends.iter().find_map(|end| path_so_far.run(end)).map(|(run, _)| run);
        // With stopwatches zones over-approximate: other parts along the path may have a run.
        Ok(run.is_some() || (!system.has_stopwatches && !ends.is_empty()))
    })?;
    Ok(run)
}

/// The number of alternatives that are tried with stopwatches, beyond the length of the path.
const ALTERNATIVES_MAX: usize = 100;

/// The constraints on clocks at the end, for each part of the state that satisfies the goal.
fn parts(
    system: &System,
    goal: Option<Goal<'_>>,
    state: &SymbolicState,
) -> Result<Vec<Vec<Constraint>>, RuntimeError> {
    let Some(goal) = goal else { return Ok(vec![Vec::new()]) };
    let mut zone = state.zone.clone();
    if !goal.deadline.is_none_or(|deadline| zone.constrain(deadline)) {
        return Ok(Vec::new());
    }
    let parts = PredicateEvaluator::new(system).parts(goal.predicate, &state.memory, &zone)?;
    Ok(parts.unwrap_or_else(|| vec![zone]).iter().map(Dbm::minimal_constraints).collect())
}

/// The constraints on clocks at the end; `None` if the state does not satisfy the goal.
fn ends(
    system: &System,
    goal: Option<Goal<'_>>,
    state: &SymbolicState,
) -> Result<Option<Vec<Constraint>>, RuntimeError> {
    let Some(goal) = goal else { return Ok(Some(Vec::new())) };
    let mut zone = state.zone.clone();
    if !goal.deadline.is_none_or(|deadline| zone.constrain(deadline)) {
        return Ok(None);
    }
    Ok(match PredicateEvaluator::new(system).meet(goal.predicate, &state.memory, &zone)? {
        Satisfaction::Nowhere => None,
        // A constraint on a clock may require a delay, which the invariants bound.
        Satisfaction::Everywhere => Some(goal.deadline.map_or_else(Vec::new, |_| zone.minimal_constraints())),
        Satisfaction::Within(part) => Some(part.minimal_constraints()),
        Satisfaction::Beyond(constraints) => Some([zone.minimal_constraints(), constraints].concat()),
    })
}
