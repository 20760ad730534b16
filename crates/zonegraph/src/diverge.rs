//! Whether time can pass for ever in a discrete state, and what stops it if not.
//!
//! Delays keep differences of clocks, so of an invariant only upper bounds of single clocks can end a delay, and
//! any such bound ends every delay at last. Where time can pass at all, it can therefore pass for ever if no
//! location bounds a clock from above: a matter of data alone. That is so while all clocks run: with clocks that stand
//! still, a bound may never be met, and nothing is said then.

use tourbillon_base::Id;
use tourbillon_dbm::{Clock, Constraint};
use tourbillon_system::{GlobalLocationId, LocationSummary, RuntimeError};

use crate::entry::each_constraint;
use crate::predicate::PredicateEvaluator;

/// What stops time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TimeStop {
    /// This location: it is urgent or committed, or its invariant has an upper bound.
    At(GlobalLocationId),
    /// A synchronisation over an urgent channel, which guards allow.
    Urgency,
}

impl PredicateEvaluator<'_> {
    /// What keeps time from passing for ever as long as no step is taken; nothing if nothing does.
    ///
    /// # Errors
    /// If the model fails.
    pub fn time_stop(&mut self, memory: &[i32]) -> Result<Option<TimeStop>, RuntimeError> {
        self.situation.gather(self.system, memory);
        let Self { system, machine, locals, situation, detector, .. } = self;
        let mut open = |constraint: Constraint| {
            constraint.right != Clock::REFERENCE
                || constraint.left == Clock::REFERENCE
                || constraint.bound.is_infinite()
        };
        for &place in &situation.places {
            let stands = system.faces[place.index()].traits & LocationSummary::NO_DELAY != 0;
            if stands || !each_constraint(system, machine, place, memory, locals, &mut open)? {
                return Ok(Some(TimeStop::At(place)));
            }
        }
        let waits = detector.may_wait(system, machine, situation, memory)?;
        Ok(if waits { None } else { Some(TimeStop::Urgency) })
    }
}
