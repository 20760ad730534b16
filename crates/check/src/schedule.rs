//! From steps without delays to a run: when can they be taken, one after the other?
//!
//! A path of another tool, or of a symbolic simulation, says which edges are taken together and leaves the delays open.
//! It is followed with exact zones, as a path that a search has found is (`route.rs`), but for one thing: its transitions
//! are known by their edges and looked up among those of each state. The run is replayed before it is handed on, so that
//! nothing depends on who made the path.

use std::fmt;

use tourbillon_model::Model;
use tourbillon_replay::{Fired, Run, replay_to_end};
use tourbillon_system::{RuntimeError, System};

use crate::path::Witness;
use crate::route::{AvoidOptions, Blocked, PathFollower, PathStep};

/// Why steps cannot be taken one after the other, whatever the delays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScheduleError {
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

impl fmt::Display for ScheduleError {
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

impl std::error::Error for ScheduleError {}

/// Delays for steps, each a list of edges that are taken together in whatever order, and the states that they pass:
/// each step as early as those before it allow.
///
/// # Errors
/// If there are none, with the first step that cannot be taken.
pub fn schedule_actions(
    model: &Model,
    system: &System,
    actions: &[Vec<Fired>],
) -> Result<Witness, ScheduleError> {
    let run = follow(system, actions)?;
    let last =
        replay_to_end(model, &run).map_err(|error| ScheduleError::NotReplayed(error.explain(model)))?;
    Ok(Witness { run, last, finish: None, since: None })
}

fn follow(system: &System, actions: &[Vec<Fired>]) -> Result<Run, ScheduleError> {
    let mut follower = PathFollower::new(system, AvoidOptions::default());
    let path: Vec<PathStep<'_>> = actions.iter().map(|action| PathStep::Edges(action)).collect();
    let mut run = None;
    let followed = follower.follow(&path, &mut |path_so_far, _| {
        run = path_so_far.run(&[]).map(|(run, _)| run);
        Ok(run.is_some())
    });
    followed.map_err(|error| ScheduleError::Failed(follower.done(), error))?;
    let not_timed = |why: &str| ScheduleError::NotReplayed(why.to_owned());
    run.ok_or(match follower.furthest {
        (_, Blocked::NoStart) => ScheduleError::NoStart,
        (step, Blocked::NoTransition) => ScheduleError::NoTransition(step),
        (step, Blocked::NoTime) => ScheduleError::NoTime(step),
        (_, Blocked::NotAccepted) => not_timed("no moments were found for its steps"),
        (_, Blocked::TooManyAlternatives) => {
            not_timed("there are too many ways to take its steps to try them all")
        }
    })
}
