//! From steps without delays to a run: when can they be taken, one after the other?
//!
//! A path of another tool, or of a symbolic simulation, says which edges are taken together and leaves the delays open.
//! It is followed with exact zones, as a path that a search has found is (`path.rs`), but for one thing: its transitions
//! are known by their edges and looked up among those of each state. What comes out is replayed before it is
//! handed on, so that nothing depends on who made the path.

use std::fmt;

use tourbillon_model::Model;
use tourbillon_replay::{Fired, Run, replay};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{Options, SymbolicState, ZoneGraph};

use crate::path::{Leg, Witness, advance, leave, schedule};

/// Why steps cannot be taken one after the other, whatever the delays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unscheduled {
    /// The initial state breaks an invariant.
    NoStart,
    /// The edges of this step, counted from 0, make no transition of the state that the steps before it lead to.
    NoTransition(usize),
    /// This step cannot be taken after those before it, at any time.
    NoTime(usize),
    /// The model goes wrong at this step.
    Failed(usize, RuntimeError),
    /// No delays were found that the second evaluator accepts: clocks that stand still are over-approximated.
    NotReplayed(String),
}

impl fmt::Display for Unscheduled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStart => f.write_str("the model has no initial state: an invariant does not hold there"),
            Self::NoTransition(step) => {
                write!(f, "step {}: these edges cannot be taken together there", step + 1)
            }
            Self::NoTime(step) => {
                write!(
                    f,
                    "step {}: it cannot be taken after the steps before it, whatever the delays",
                    step + 1
                )
            }
            Self::Failed(step, error) => write!(f, "step {}: the model goes wrong: {}", step + 1, error.kind),
            Self::NotReplayed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unscheduled {}

/// Delays for steps, each a list of edges that are taken together in whatever order, and the states that they pass:
/// each step as early as those before it allow.
///
/// # Errors
/// If there are none, with the first step that cannot be taken.
pub fn schedule_actions(
    model: &Model,
    system: &System,
    actions: &[Vec<Fired>],
) -> Result<Witness, Unscheduled> {
    let run = follow(system, actions)?;
    let states = replay(model, &run).map_err(|error| Unscheduled::NotReplayed(error.explain(model)))?;
    Ok(Witness { run, states })
}

fn follow(system: &System, actions: &[Vec<Fired>]) -> Result<Run, Unscheduled> {
    let failed = |step: usize| move |error| Unscheduled::Failed(step, error);
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let initial_timing = graph.initial_timing().map_err(failed(0))?;
    let mut arrived = initial(&mut graph).map_err(failed(0))?;
    let mut legs: Vec<Leg> = Vec::new();
    let mut path: Vec<u32> = Vec::new();
    let mut furthest = Unscheduled::NoStart;
    loop {
        match arrived.take() {
            Some(_) if legs.len() == actions.len() => {
                if let Some(run) = schedule(system, &initial_timing, &legs, &[]) {
                    return Ok(run);
                }
                furthest = Unscheduled::NotReplayed("no moments were found for its steps".to_owned());
            }
            Some(mut state) => {
                let step = legs.len();
                graph.prepare(&mut state).map_err(failed(step))?;
                // Transitions depend on data alone: if there is none here, there is none in any other piece either.
                let ordinal = find(&graph, &actions[step]).ok_or(Unscheduled::NoTransition(step))?;
                if step >= reached(&furthest) {
                    furthest = Unscheduled::NoTime(step);
                }
                path.truncate(step);
                path.push(ordinal);
                legs.push(leave(&mut graph, state, ordinal as usize).map_err(failed(step))?);
            }
            None => {}
        }
        let step = legs.len().saturating_sub(1);
        arrived = advance(&mut graph, &mut legs, &path).map_err(failed(step))?;
        if arrived.is_none() && legs.is_empty() {
            return Err(furthest);
        }
    }
}

/// How far a failure is from the start.
fn reached(failure: &Unscheduled) -> usize {
    match failure {
        Unscheduled::NoTime(step) => *step,
        Unscheduled::NotReplayed(_) => usize::MAX,
        _ => 0,
    }
}

fn initial(graph: &mut ZoneGraph<'_>) -> Result<Option<SymbolicState>, RuntimeError> {
    let mut state = None;
    graph.initial(&mut |successor| {
        state = Some(SymbolicState { memory: successor.memory.to_vec(), zone: successor.zone.clone() });
    })?;
    Ok(state)
}

/// The transition of the state prepared last that takes these edges.
fn find(graph: &ZoneGraph<'_>, action: &[Fired]) -> Option<u32> {
    let (system, list) = (graph.system(), graph.transitions());
    let takes = |ordinal: &usize| {
        let transition = list.get(*ordinal);
        transition.fired.len() == action.len()
            && transition.fired.iter().all(|&own| {
                let edge = &system.edges[own.edge];
                let selected = transition.selected(own, system);
                action.iter().any(|fired| {
                    fired.process == edge.process
                        && fired.edge == edge.index as usize
                        && fired.selects == selected
                })
            })
    };
    (0..list.len()).find(takes).map(|ordinal| ordinal as u32)
}
