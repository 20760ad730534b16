//! Why an encoding or a search ends early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tourbillon_check::Exhausted;
use tourbillon_dd::BddError;

/// Why something is not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Interruption {
    /// There is no room for more nodes.
    Full,
    /// There is no time left, or a stop was requested.
    Over,
    /// The model has something that sets of states cannot be computed for.
    Refused(String),
}

impl From<BddError> for Interruption {
    fn from(unmade: BddError) -> Self {
        match unmade {
            BddError::Full => Self::Full,
            BddError::Over => Self::Over,
        }
    }
}

/// What is done, if it is.
pub(crate) type Interruptible<T = ()> = Result<T, Interruption>;

/// Until when there is time, for what takes long between two looks at the budget.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Deadline<'a> {
    /// The moment; none if there is no limit.
    pub(crate) moment: Option<Instant>,
    /// A wish to end.
    pub(crate) stop: Option<&'a Arc<AtomicBool>>,
}

impl Deadline<'_> {
    pub(crate) fn is_over(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.moment.is_some_and(|moment| Instant::now() >= moment)
    }

    /// What there is no more of, where it is over.
    pub(crate) fn what(self) -> Exhausted {
        let interrupted = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if interrupted { Exhausted::Interrupted } else { Exhausted::Time }
    }
}

pub(crate) fn refuse<T>(why: impl Into<String>) -> Interruptible<T> {
    Err(Interruption::Refused(why.into()))
}
