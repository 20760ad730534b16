//! Why an encoding or a search ends early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tourbillon_check::Exhausted;
use tourbillon_dd::BddError;

/// Why a computation ends early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Interruption {
    /// The diagram store is full.
    Full,
    /// There is no time left, or a stop was requested.
    Over,
    /// The model has a construct that the symbolic engine does not support.
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

/// The result of a computation that may end early.
pub(crate) type Interruptible<T = ()> = Result<T, Interruption>;

/// The deadline, for long computations between two budget checks.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Deadline<'a> {
    /// The time; `None` without a limit.
    pub(crate) moment: Option<Instant>,
    /// Set to request a stop.
    pub(crate) stop: Option<&'a Arc<AtomicBool>>,
}

impl Deadline<'_> {
    pub(crate) fn is_over(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.moment.is_some_and(|moment| Instant::now() >= moment)
    }

    /// The exhausted limit, after the deadline.
    pub(crate) fn what(self) -> Exhausted {
        let interrupted = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if interrupted { Exhausted::Interrupted } else { Exhausted::Time }
    }
}

pub(crate) fn refuse<T>(why: impl Into<String>) -> Interruptible<T> {
    Err(Interruption::Refused(why.into()))
}
