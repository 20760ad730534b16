//! From steps without delays to a run: when can they be taken, one after the other?
//!
//! A path of another tool, or of a symbolic simulation, says which edges are taken together and leaves the delays open.
//! It is followed with exact zones, as a path that a search has found is, but for one thing: its transitions are known by
//! their edges and looked up among those of each state. Several transitions can take the same edges and leave out others
//! (receivers with clock guards); they ask the same of clocks, but in other parts of the zone. All parts are tried, one
//! after the other, until one reaches the end. Then moments are found (`timing.rs`) and the run is replayed before it
//! is handed on, so that nothing depends on who made the path.

use std::fmt;

use tourbillon_base::Rational;
use tourbillon_dbm::Dbm;
use tourbillon_model::Model;
use tourbillon_replay::{Fired, Run, RunStep, replay};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{Options, SymbolicState, Timing, ZoneGraph};

use crate::path::Witness;
use crate::timing;

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

/// Where a step can lead, and the part of the zone that it leaves in which it is taken then.
struct Arrival {
    state: SymbolicState,
    piece: Dbm,
}

/// A step that was followed.
struct Leg {
    timing: Timing,
    action: Vec<Fired>,
    arrival: Arrival,
    /// Where else it can lead.
    untried: Vec<Arrival>,
}

/// How much is tried beyond what the length of a path asks for: parts of zones multiply from step to step.
const DETOURS_MAX: usize = 100_000;

fn follow(system: &System, actions: &[Vec<Fired>]) -> Result<Run, Unscheduled> {
    let failed = |error| Unscheduled::Failed(0, error);
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let initial = graph.initial_timing().map_err(failed)?;
    let start = start(&mut graph).map_err(failed)?.ok_or(Unscheduled::NoStart)?;
    let mut legs: Vec<Leg> = Vec::new();
    let (mut furthest, mut why) = (0, Unscheduled::NoStart);
    for _ in 0..actions.len().saturating_mul(100).saturating_add(DETOURS_MAX) {
        let (step, state) = (legs.len(), legs.last().map_or(&start, |leg| &leg.arrival.state));
        let left = match actions.get(step) {
            None => match timed(system, &initial, &legs) {
                Some(run) => return Ok(run),
                None => Err(Unscheduled::NotReplayed("no moments were found for its steps".to_owned())),
            },
            Some(action) => leave(&mut graph, state.clone(), action, step),
        };
        match left {
            Ok(leg) => legs.push(leg),
            Err(failure @ Unscheduled::Failed(..)) => return Err(failure),
            Err(failure) => {
                if step >= furthest {
                    (furthest, why) = (step, failure);
                }
                if !retry(&mut legs) {
                    return Err(why);
                }
            }
        }
    }
    Err(Unscheduled::NotReplayed("there are too many ways to take its steps to try them all".to_owned()))
}

fn start(graph: &mut ZoneGraph<'_>) -> Result<Option<SymbolicState>, RuntimeError> {
    let mut state = None;
    graph.initial(&mut |successor| {
        state = Some(SymbolicState { memory: successor.memory.to_vec(), zone: successor.zone.clone() });
    })?;
    Ok(state)
}

/// Takes a step from a state, to the first of the places where it can lead.
fn leave(
    graph: &mut ZoneGraph<'_>,
    mut state: SymbolicState,
    action: &[Fired],
    step: usize,
) -> Result<Leg, Unscheduled> {
    let failed = |error| Unscheduled::Failed(step, error);
    graph.prepare(&mut state).map_err(failed)?;
    let (ordinals, action) = candidates(graph, action).ok_or(Unscheduled::NoTransition(step))?;
    let timing = graph.timing(&state, ordinals[0]).map_err(failed)?;
    let mut untried = arrivals(graph, &state, &ordinals).map_err(failed)?;
    untried.reverse();
    let arrival = untried.pop().ok_or(Unscheduled::NoTime(step))?;
    Ok(Leg { timing, action, arrival, untried })
}

/// Where transitions of a prepared state lead.
fn arrivals(
    graph: &mut ZoneGraph<'_>,
    state: &SymbolicState,
    ordinals: &[usize],
) -> Result<Vec<Arrival>, RuntimeError> {
    let mut arrivals = Vec::new();
    for &ordinal in ordinals {
        for piece in graph.pieces(state, ordinal)? {
            graph.follow_from(state, ordinal, &piece, &mut |successor| {
                let state = SymbolicState { memory: successor.memory.to_vec(), zone: successor.zone.clone() };
                arrivals.push(Arrival { state, piece: piece.clone() });
            })?;
        }
    }
    Ok(arrivals)
}

/// Lets the last step that can lead elsewhere do so. Returns false if there is none.
fn retry(legs: &mut Vec<Leg>) -> bool {
    while let Some(leg) = legs.last_mut() {
        if let Some(arrival) = leg.untried.pop() {
            leg.arrival = arrival;
            return true;
        }
        legs.pop();
    }
    false
}

/// The transitions of the state prepared last that take these edges, all in the same order: this one if there are such,
/// else that of the first. With the edges in that order.
fn candidates(graph: &ZoneGraph<'_>, action: &[Fired]) -> Option<(Vec<usize>, Vec<Fired>)> {
    let (system, list) = (graph.system(), graph.transitions());
    let edges = |ordinal: usize| -> Vec<Fired> {
        let transition = list.get(ordinal);
        let fired = transition.fired.iter().map(|&fired| Fired {
            process: system.edges[fired.edge].process,
            edge: system.edges[fired.edge].index as usize,
            selects: transition.selected(fired, system).to_vec(),
        });
        fired.collect()
    };
    let same = |own: &[Fired]| own.len() == action.len() && own.iter().all(|fired| action.contains(fired));
    let mut found: Vec<(usize, Vec<Fired>)> =
        (0..list.len()).map(|ordinal| (ordinal, edges(ordinal))).filter(|(_, own)| same(own)).collect();
    let as_given = found.iter().find(|(_, own)| own == action);
    let order = as_given.or_else(|| found.first())?.1.clone();
    found.retain(|(_, own)| *own == order);
    Some((found.into_iter().map(|(ordinal, _)| ordinal).collect(), order))
}

/// A run along the steps that were followed; nothing if no moments are found.
fn timed(system: &System, initial: &Timing, legs: &[Leg]) -> Option<Run> {
    let mut timings: Vec<Timing> = legs.iter().map(|leg| leg.timing.clone()).collect();
    if system.has_priorities || system.has_timed_receivers {
        timings.iter_mut().zip(legs).for_each(|(timing, leg)| timing.leave_within(&leg.arrival.piece));
    }
    let moments = timing::moments(system.dimension, initial, &timings, &[])?;
    let delays = moments.windows(2).map(|pair| pair[1].checked_sub(pair[0]));
    let mut delays = delays.collect::<Option<Vec<Rational>>>()?;
    let last_delay = delays.pop()?;
    let steps = legs.iter().zip(delays).map(|(leg, delay)| RunStep { delay, action: leg.action.clone() });
    Some(Run { steps: steps.collect(), last_delay })
}
