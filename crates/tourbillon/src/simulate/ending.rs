//! How an infinite run continues, checked independently of the search.
//!
//! A lasso is followed lap by lap by the second evaluator. Whether a run can delay forever at its end, or nothing is
//! possible there any more, is what the enabled steps of its last state say.

use tourbillon_base::{Id, Rational};
use tourbillon_check::{Finish, Run, Since};
use tourbillon_dbm::{Clock, Constant};
use tourbillon_model::Model;
use tourbillon_replay::{EnabledSteps, check_infinite};
use tourbillon_system::analyse;

use super::Impossible;

/// How an infinite run continues, or a maximal run ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    pub finish: Finish,
    /// Since when what was asked for does not happen on it, if that is not from the start; kept, not judged.
    pub since: Option<Rational>,
}

impl Ending {
    /// The moment of a run since when what was asked for does not happen.
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

    /// That a legal run continues so; `enabled_steps` are those of its last state.
    pub(super) fn check(
        &self,
        model: &Model,
        run: &Run,
        enabled_steps: &EnabledSteps,
    ) -> Result<(), Impossible> {
        match self.finish {
            Finish::Waits if enabled_steps.patience.to.is_some() => Err(Impossible::new(format!(
                "at the end: it cannot wait for ever, but for {}",
                enabled_steps.patience
            ))),
            Finish::Stuck if !enabled_steps.steps.is_empty() => {
                Err(Impossible::new("at the end: a step is possible, and should not be"))
            }
            Finish::Waits | Finish::Stuck => Ok(()),
            Finish::Repeats { .. } | Finish::Varies { .. } => {
                check_infinite(model, run, self.finish, None, horizon(model)?)
                    .map(|_| ())
                    .map_err(|stain| Impossible::new(format!("in the loop: {}", stain.explain(model))))
            }
        }
    }
}

/// The largest number that a clock is compared with.
fn horizon(model: &Model) -> Result<i32, Impossible> {
    let analysis = analyse(model, &[]).map_err(|error| Impossible::new(error.to_string()))?;
    let clocks = (0..model.clocks.len()).map(|index| Clock::from_index(index + 1));
    Ok(clocks.filter_map(|clock| analysis.global.maximum(clock)).map(Constant::get).max().unwrap_or(0))
}
