//! From a node to a run: the path that led to it, followed exactly, timed, and replayed.
//!
//! The list keeps for each node its parent and the ordinal of a transition. That names a path of transitions from
//! the initial state, since the transitions of a discrete state and their order depend on data alone. The path is
//! followed again with exact zones; where a step leaves several pieces of a zone (priorities, receivers with clock
//! guards), pieces are tried until one reaches the end. Then moments are found for its steps (`timing.rs`),
//! and the run is handed to the evaluator that shares nothing with any of this.

use tourbillon_base::Rational;
use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_model::{LocationId, Model, ProcessId};
use tourbillon_replay::{ConcreteState, Fired, Run, RunStep, Semantics, Violation, replay};
use tourbillon_store::{NodeId, PassedWaiting};
use tourbillon_system::{Asked, Predicate, RuntimeError, System};
use tourbillon_zonegraph::{Judge, Meeting, Options, SymbolicState, Timing, ZoneGraph};

use crate::timing;

/// A run, and the states it passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// What happens.
    pub run: Run,
    /// The initial state, those after each delay and each action, and that after the last delay.
    pub states: Vec<ConcreteState>,
}

/// Why a path was not turned into a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unrealised {
    /// No zone is left when it is followed exactly, or no moments were found: it was found by an
    /// over-approximation.
    Infeasible,
    /// The evaluator does not accept the run.
    Rejected(String),
    /// The model goes wrong where the evaluator looks at more than the engine did, such as steps that others come
    /// before.
    Failed(String),
}

impl Unrealised {
    fn of(violation: &Violation, explanation: String) -> Self {
        if matches!(violation, Violation::Error(_)) {
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
    pub(crate) asked: Asked,
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

/// A step that is being followed.
struct Leg {
    /// What it leaves, and the parts of it in which it can be taken and that were not tried yet.
    untried: Option<(SymbolicState, Vec<Dbm>)>,
    /// The part in which it is taken, if that is not what its guards say.
    piece: Option<Dbm>,
    timing: Timing,
    action: Vec<Fired>,
}

/// Follows a path, times it and replays it. Without a goal the path alone counts. No clock is compared with a number
/// larger than `horizon`.
pub(crate) fn realise(
    model: &Model,
    system: &System,
    path: &[u32],
    goal: Option<Goal<'_>>,
    horizon: i32,
) -> Result<Witness, Unrealised> {
    let run = follow(system, path, goal).ok().flatten().ok_or(Unrealised::Infeasible)?;
    let states =
        replay(model, &run).map_err(|error| Unrealised::of(&error.violation, error.explain(model)))?;
    if let Some(Goal { asked: Asked { expr, frame, negated }, .. }) = goal {
        let last = states.last().expect("a run has states");
        let holds = Semantics::new(model)
            .holds_for_ever(expr, frame, last, horizon)
            .map_err(|violation| Unrealised::of(&violation, violation.explain(model)))?;
        if holds == negated {
            return Err(Unrealised::Rejected("the last state is not what it should be".to_owned()));
        }
    }
    Ok(Witness { run, states })
}

fn follow(system: &System, path: &[u32], goal: Option<Goal<'_>>) -> Result<Option<Run>, RuntimeError> {
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let initial_timing = graph.initial_timing()?;
    let mut state = SymbolicState::new(system);
    let mut begun = false;
    graph.initial(&mut |successor| {
        state.memory.copy_from_slice(successor.memory);
        state.zone.copy_from(successor.zone);
        begun = true;
    })?;
    let mut legs: Vec<Leg> = Vec::new();
    let mut arrived = begun.then_some(state);
    loop {
        match arrived.take() {
            Some(state) if legs.len() == path.len() => {
                if let Some(end) = ends(system, goal, &state)? {
                    return Ok(schedule(system, &initial_timing, &legs, &end));
                }
            }
            Some(state) => legs.push(leave(&mut graph, state, path[legs.len()] as usize)?),
            None => {}
        }
        arrived = advance(&mut graph, &mut legs, path)?;
        if arrived.is_none() && legs.is_empty() {
            return Ok(None);
        }
    }
}

/// Begins a step.
fn leave(graph: &mut ZoneGraph<'_>, mut state: SymbolicState, ordinal: usize) -> Result<Leg, RuntimeError> {
    graph.prepare(&mut state)?;
    let timing = graph.timing(&state, ordinal)?;
    let (system, transition) = (graph.system(), graph.transitions().get(ordinal));
    let action = transition
        .fired
        .iter()
        .map(|&fired| Fired {
            process: system.edges[fired.edge].process,
            edge: system.edges[fired.edge].index as usize,
            selects: transition.selected(fired, system).to_vec(),
        })
        .collect();
    let pieces = graph.pieces(&state, ordinal)?;
    Ok(Leg { untried: Some((state, pieces)), piece: None, timing, action })
}

/// Takes the last step by its next piece; gives it up if none is left.
fn advance(
    graph: &mut ZoneGraph<'_>,
    legs: &mut Vec<Leg>,
    path: &[u32],
) -> Result<Option<SymbolicState>, RuntimeError> {
    let Some(last) = legs.len().checked_sub(1) else { return Ok(None) };
    let untried = legs[last].untried.take().filter(|(_, pieces)| !pieces.is_empty());
    let Some((mut state, mut pieces)) = untried else {
        legs.pop();
        return Ok(None);
    };
    graph.prepare(&mut state)?;
    let piece = pieces.pop().expect("it is not empty");
    let mut next = None;
    graph.follow_from(&state, path[last] as usize, &piece, &mut |successor| {
        next = Some(SymbolicState { memory: successor.memory.to_vec(), zone: successor.zone.clone() });
    })?;
    let system = graph.system();
    if system.has_priorities || system.has_timed_receivers {
        legs[last].piece = Some(piece);
    }
    if !pieces.is_empty() {
        legs[last].untried = Some((state, pieces));
    }
    Ok(next)
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
    Ok(match Judge::new(system).meet(goal.predicate, &state.memory, &zone)? {
        Meeting::Nowhere => None,
        // A place for a clock may ask for a delay, which the invariants bound.
        Meeting::Everywhere => Some(goal.deadline.map_or_else(Vec::new, |_| zone.minimal_constraints())),
        Meeting::Within(part) => Some(part.minimal_constraints()),
    })
}

/// Finds moments for the steps.
fn schedule(system: &System, initial: &Timing, legs: &[Leg], end: &[Constraint]) -> Option<Run> {
    let timings: Vec<Timing> = legs
        .iter()
        .map(|leg| {
            let mut timing = leg.timing.clone();
            leg.piece.iter().for_each(|piece| timing.leave_within(piece));
            timing
        })
        .collect();
    let moments = timing::moments(system.dimension, initial, &timings, end)?;
    let delays: Vec<Rational> =
        moments.windows(2).map(|pair| pair[1].checked_sub(pair[0])).collect::<Option<_>>()?;
    let (&last_delay, before) = delays.split_last()?;
    let steps = legs.iter().zip(before).map(|(leg, &delay)| RunStep { delay, action: leg.action.clone() });
    Some(Run { steps: steps.collect(), last_delay })
}
