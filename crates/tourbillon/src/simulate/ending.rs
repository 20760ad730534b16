//! The end of a maximal run, checked independently of the search.
//!
//! `replay` follows a lasso lap by lap. Whether time can diverge at the end of a run, or no transition is possible
//! there, follows from the enabled steps of the last state.

use tourbillon_base::{Id, Rational};
use tourbillon_check::{Finish, Run, Since};
use tourbillon_dbm::{Clock, Constant};
use tourbillon_model::Model;
use tourbillon_replay::{EnabledSteps, check_infinite};
use tourbillon_system::analyse;

use super::SimulationError;

/// The end of a maximal run: a cycle, a diverging delay, or a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    pub finish: Finish,
    /// The time from which on the property is violated, if it is not the start. It is kept and not checked.
    pub since: Option<Rational>,
}

impl Ending {
    /// The time from which on the property is violated, as a position in a run.
    pub(super) fn since_in(&self, run: &Run) -> Option<Since> {
        let mut left = self.since?;
        for (steps, step) in run.steps.iter().enumerate() {
            if left <= step.delay {
                return Some(Since { steps, delay: left });
            }
            left = left.checked_sub(step.delay)?;
        }
        Some(Since { steps: run.steps.len(), delay: left })
    }

    /// Checks the end of a legal run; `enabled_steps` are those of its last state.
    pub(super) fn check(
        &self,
        model: &Model,
        run: &Run,
        enabled_steps: &EnabledSteps,
    ) -> Result<(), SimulationError> {
        match self.finish {
            Finish::Waits if enabled_steps.patience.to.is_some() => Err(SimulationError::new(format!(
                "at the end: time cannot diverge; possible delays are {}",
                enabled_steps.patience
            ))),
            Finish::Stuck if !enabled_steps.steps.is_empty() => Err(SimulationError::new(
                "at the end: a step is possible, although the run ends in a deadlock",
            )),
            Finish::Waits | Finish::Stuck => Ok(()),
            Finish::Repeats { .. } | Finish::Varies { .. } => {
                check_infinite(model, run, self.finish, None, horizon(model)?)
                    .map(|_| ())
                    .map_err(|error| SimulationError::new(format!("in the cycle: {}", error.explain(model))))
            }
        }
    }
}

/// The largest constant that a clock is compared with.
fn horizon(model: &Model) -> Result<i32, SimulationError> {
    let analysis = analyse(model, &[]).map_err(|error| SimulationError::new(error.to_string()))?;
    let clocks = (0..model.clocks.len()).map(|index| Clock::from_index(index + 1));
    Ok(clocks.filter_map(|clock| analysis.global.maximum(clock)).map(Constant::get).max().unwrap_or(0))
}
