//! Whether time can diverge in a discrete state, and what prevents it if not.
//!
//! Delays preserve differences of clocks, so that of an invariant only upper bounds of single clocks can end a delay,
//! and any such bound ends every delay. Where time can pass at all, it can therefore diverge if no location
//! has an upper bound: this depends on data alone. It holds while all clocks run. A stopped clock may never reach its
//! bound: the answer does not apply to models with stopwatches.

use tourbillon_base::Id;
use tourbillon_dbm::{Clock, Constraint};
use tourbillon_system::{GlobalLocationId, LocationSummary, RuntimeError};

use crate::entry::each_constraint;
use crate::predicate::PredicateEvaluator;

/// What prevents time divergence without a transition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TimeStop {
    /// The location is urgent or committed, or its invariant has an upper bound.
    At(GlobalLocationId),
    /// A synchronisation over an urgent channel is enabled.
    Urgency,
}

impl PredicateEvaluator<'_> {
    /// What prevents time divergence in a discrete state as long as no transition is taken; nothing if time can diverge.
    ///
    /// # Errors
    /// If the model fails.
    pub fn time_stop(&mut self, memory: &[i32]) -> Result<Option<TimeStop>, RuntimeError> {
        self.locations.gather(self.system, memory);
        let Self { system, machine, locals, locations, detector, .. } = self;
        let mut is_no_upper_bound = |constraint: Constraint| {
            constraint.right != Clock::REFERENCE
                || constraint.left == Clock::REFERENCE
                || constraint.bound.is_infinite()
        };
        for &location in &locations.ids {
            let no_delay = system.faces[location.index()].traits & LocationSummary::NO_DELAY != 0;
            if no_delay
                || !each_constraint(system, machine, location, memory, locals, &mut is_no_upper_bound)?
            {
                return Ok(Some(TimeStop::At(location)));
            }
        }
        let may_delay = detector.may_delay(system, machine, locations, memory)?;
        Ok(if may_delay { None } else { Some(TimeStop::Urgency) })
    }
}
