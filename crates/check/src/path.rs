//! From a node to a run: the path that led to it, followed exactly, timed, and replayed.
//!
//! The list keeps for each node its parent and the ordinal of a transition. That names a path of transitions from
//! the initial state, since the transitions of a discrete state and their order depend on data alone. The path is
//! followed again with exact zones; where a step leaves several pieces of a zone (priorities, receivers with clock
//! guards), pieces are tried until one reaches the end. Then moments are found for its steps (`timing.rs`),
//! and the run is handed to the evaluator that shares nothing with any of this.

use tourbillon_base::cancellation;
use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_model::{LocationId, Model, ProcessId};
use tourbillon_replay::{ConcreteState, Finish, Run, Semantics, Since, Violation, replay_to_end};
use tourbillon_store::{NodeId, PassedWaiting};
use tourbillon_system::{Predicate, RuntimeError, StateFormula, System};
use tourbillon_zonegraph::{Options, PredicateEvaluator, Satisfaction, SymbolicState, ZoneGraph};

use crate::route::{AvoidOptions, PathFollower, PathStep};

/// A run, and the state it ends in. The states that it passes are not kept: they are computed again where they are
/// shown ([`tourbillon_replay::walk`]), one at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// What happens.
    pub run: Run,
    /// Where it ends, after its last delay.
    pub last: ConcreteState,
    /// How it goes on for ever, or ends, if that is what it shows.
    pub finish: Option<Finish>,
    /// Since when what is asked for does not happen, if that is not from the start.
    pub since: Option<Since>,
}

/// Why a path was not turned into a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RealiseError {
    /// No zone is left when it is followed exactly, or no moments were found: it was found by an
    /// over-approximation.
    Infeasible,
    /// There was no time to find moments.
    Interrupted,
    /// The evaluator does not accept the run.
    Rejected(String),
    /// The model goes wrong where the evaluator looks at more than the engine did, such as steps that others come
    /// before.
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

/// What a path must lead to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal<'a> {
    /// As it was compiled.
    pub(crate) predicate: &'a Predicate,
    /// As it stands in the model.
    pub(crate) formula: StateFormula,
    /// By when it must be met, if the earliest run is wanted.
    pub(crate) deadline: Option<Constraint>,
}

/// Where an invariant keeps a model from having any state: a process, and its initial location.
#[must_use]
pub fn broken_at_start(model: &Model) -> Option<(ProcessId, LocationId)> {
    match Semantics::new(model).initial() {
        Err(Violation::Invariant(process, location)) => Some((process, location)),
        _ => None,
    }
}

/// The ordinals of the transitions that led to a node.
pub(crate) fn ordinals(list: &dyn PassedWaiting, node: NodeId) -> Option<Vec<u32>> {
    let mut path = Vec::new();
    let (mut parent, mut step) = list.origin(node)?;
    while let Some(node) = parent {
        path.push(step);
        (parent, step) = list.origin(node)?;
    }
    path.reverse();
    Some(path)
}

/// Follows a path, times it and replays it. Without a goal the path alone counts.
pub(crate) fn realise(
    model: &Model,
    system: &System,
    path: &[u32],
    goal: Option<Goal<'_>>,
) -> Result<Witness, RealiseError> {
    let run = finished(follow(system, path, &mut |state| match system.has_stopwatches {
        true => parts(system, goal, state),
        false => Ok(ends(system, goal, state)?.into_iter().collect()),
    }))?;
    replayed(model, run, goal)
}

/// Replays a run and looks at its last state.
pub(crate) fn replayed(model: &Model, run: Run, goal: Option<Goal<'_>>) -> Result<Witness, RealiseError> {
    let last = replay_to_end(model, &run)
        .map_err(|error| RealiseError::of(&error.violation, error.explain(model)))?;
    if let Some(Goal { formula: StateFormula { expr, frame, negated }, .. }) = goal {
        let holds = Semantics::new(model)
            .holds_for_ever(expr, frame, &last)
            .map_err(|violation| RealiseError::of(&violation, violation.explain(model)))?;
        if holds == negated {
            return Err(RealiseError::Rejected("the last state is not what it should be".to_owned()));
        }
    }
    Ok(Witness { run, last, finish: None, since: None })
}

/// The same for a path to where the model fails: its run ends with a delay after which some step does, if that is known.
pub(crate) fn realise_failure(model: &Model, system: &System, path: &[u32]) -> Result<Witness, RealiseError> {
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let run = follow(system, path, &mut |state| {
        let part = graph.failing_part(state);
        Ok(vec![part.map_or_else(Vec::new, |part| part.minimal_constraints())])
    });
    replayed(model, finished(run)?, None)
}

/// The run that following a path came to, or why there is none.
fn finished(run: Result<Option<Run>, RuntimeError>) -> Result<Run, RealiseError> {
    match run {
        Ok(Some(run)) => Ok(run),
        Err(error) if error.is_cancelled() => Err(RealiseError::Interrupted),
        _ if cancellation::reason().is_some() => Err(RealiseError::Interrupted),
        _ => Err(RealiseError::Infeasible),
    }
}

/// What must hold of clocks at the end of a run that leads to this state, for each part of it in which one may end.
type Ends<'a> = dyn FnMut(&SymbolicState) -> Result<Vec<Vec<Constraint>>, RuntimeError> + 'a;

/// The run along a path that ends where `ends` asks for.
fn follow(system: &System, path: &[u32], ends: &mut Ends<'_>) -> Result<Option<Run>, RuntimeError> {
    let mut follower = PathFollower::new(system, AvoidOptions::default());
    if system.has_stopwatches {
        follower = follower.with_alternatives(ALTERNATIVES_MAX);
    }
    let path: Vec<PathStep<'_>> = path.iter().map(|&ordinal| PathStep::Take(ordinal)).collect();
    let mut run = None;
    follower.follow(&path, &mut |path_so_far, state| {
        let ends = ends(state)?;
        run = ends.iter().find_map(|end| path_so_far.run(end)).map(|(run, _)| run);
        // Where clocks stand still zones over-approximate: other parts on the way may have a run.
        Ok(run.is_some() || (!system.has_stopwatches && !ends.is_empty()))
    })?;
    Ok(run)
}

/// How many ways through parts of zones are tried where clocks can stand still, beyond what the length of a path asks for.
const ALTERNATIVES_MAX: usize = 100;

/// What must hold of clocks at the end, for each part of the state in which the goal is met.
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

/// What must hold of clocks at the end; nothing if the goal is not met there.
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
        // A place for a clock may ask for a delay, which the invariants bound.
        Satisfaction::Everywhere => Some(goal.deadline.map_or_else(Vec::new, |_| zone.minimal_constraints())),
        Satisfaction::Within(part) => Some(part.minimal_constraints()),
        Satisfaction::Beyond(asked) => Some([zone.minimal_constraints(), asked].concat()),
    })
}
