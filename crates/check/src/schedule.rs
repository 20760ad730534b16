//! From steps without delays to a run: when can they be taken, one after the other?
//!
//! A path of another tool, or of a symbolic simulation, says which edges are taken together and leaves the delays open.
//! It is followed with exact zones, as a path that a search has found is (`path.rs`), but for one thing: its transitions
//! are known by their edges and looked up among those of each state, which may be several. What comes out is replayed before it is
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
    let failed = |error| Unscheduled::Failed(0, error);
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let initial_timing = graph.initial_timing().map_err(failed)?;
    let mut arrived = initial(&mut graph).map_err(failed)?;
    let mut walk = Walk::new(graph, actions);
    loop {
        if let Some(state) = arrived {
            if walk.legs.len() < actions.len() {
                walk.arrive(state)?;
            } else if let Some(run) = schedule(system, &initial_timing, &walk.legs, &[]) {
                return Ok(run);
            } else {
                walk.furthest = Unscheduled::NotReplayed("no moments were found for its steps".to_owned());
            }
        }
        arrived = walk.go_on()?;
    }
}

/// A state on the way, and the transitions from there that take the edges of the next step and were not tried yet.
struct Fork {
    state: SymbolicState,
    untried: Vec<u32>,
}

/// A way through the zone graph that takes some edges after each other, and what remains to be tried.
struct Walk<'s, 'a> {
    graph: ZoneGraph<'s>,
    actions: &'a [Vec<Fired>],
    forks: Vec<Fork>,
    /// The transitions that are being tried: one for each fork but perhaps the last.
    legs: Vec<Leg>,
    /// Their ordinals.
    path: Vec<u32>,
    /// What keeps it from going on, where it came furthest.
    furthest: Unscheduled,
    /// How much may still be tried.
    patience: usize,
}

/// How much is tried beyond what the length of a walk asks for: parts of zones multiply from step to step.
const DETOURS_MAX: usize = 100_000;

impl<'s, 'a> Walk<'s, 'a> {
    fn new(graph: ZoneGraph<'s>, actions: &'a [Vec<Fired>]) -> Self {
        let (forks, legs, path, furthest) = (Vec::new(), Vec::new(), Vec::new(), Unscheduled::NoStart);
        let patience = actions.len().saturating_mul(100).saturating_add(DETOURS_MAX);
        Self { graph, actions, forks, legs, path, furthest, patience }
    }

    /// Looks for the transitions of the next step.
    fn arrive(&mut self, mut state: SymbolicState) -> Result<(), Unscheduled> {
        let step = self.legs.len();
        self.graph.prepare(&mut state).map_err(|error| Unscheduled::Failed(step, error))?;
        let untried = candidates(&self.graph, &self.actions[step]);
        if step >= reached(&self.furthest) {
            let none = untried.is_empty();
            self.furthest = if none { Unscheduled::NoTransition(step) } else { Unscheduled::NoTime(step) };
        }
        self.forks.push(Fork { state, untried });
        Ok(())
    }

    /// Tries what is to be tried next: another part of the zone, another transition, or an earlier step again. The
    /// state that it leads to, if any.
    fn go_on(&mut self) -> Result<Option<SymbolicState>, Unscheduled> {
        self.patience = self.patience.checked_sub(1).ok_or_else(|| {
            Unscheduled::NotReplayed("there are too many ways to take its steps to try them all".to_owned())
        })?;
        let Self { graph, forks, legs, path, .. } = self;
        if legs.len() == forks.len() && !legs.is_empty() {
            let step = legs.len() - 1;
            return advance(graph, legs, path).map_err(|error| Unscheduled::Failed(step, error));
        }
        let step = legs.len();
        let Some(fork) = forks.last_mut() else { return Err(self.furthest.clone()) };
        let Some(ordinal) = fork.untried.pop() else {
            forks.pop();
            return Ok(None);
        };
        path.truncate(step);
        path.push(ordinal);
        let leg = leave(graph, fork.state.clone(), ordinal as usize);
        legs.push(leg.map_err(|error| Unscheduled::Failed(step, error))?);
        Ok(None)
    }
}

/// How far a failure is from the start.
fn reached(failure: &Unscheduled) -> usize {
    match failure {
        Unscheduled::NoTime(step) | Unscheduled::NoTransition(step) => *step,
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

/// The transitions of the state prepared last that take these edges, the first one last: those that take them in this
/// order, or if there is none, in any. Several can take the same edges, and leave out others.
fn candidates(graph: &ZoneGraph<'_>, action: &[Fired]) -> Vec<u32> {
    let (system, list) = (graph.system(), graph.transitions());
    let takes = |ordinal: usize, in_order: bool| {
        let transition = list.get(ordinal);
        let is = |own: tourbillon_zonegraph::Fired, fired: &Fired| {
            let edge = &system.edges[own.edge];
            (fired.process, fired.edge) == (edge.process, edge.index as usize)
                && fired.selects == transition.selected(own, system)
        };
        let mut own = transition.fired.iter().zip(action);
        transition.fired.len() == action.len()
            && if in_order {
                own.all(|(&own, fired)| is(own, fired))
            } else {
                own.all(|(&own, _)| action.iter().any(|fired| is(own, fired)))
            }
    };
    let all = |in_order| (0..list.len()).rev().filter(move |&ordinal| takes(ordinal, in_order));
    let exact: Vec<u32> = all(true).map(|ordinal| ordinal as u32).collect();
    if exact.is_empty() { all(false).map(|ordinal| ordinal as u32).collect() } else { exact }
}
