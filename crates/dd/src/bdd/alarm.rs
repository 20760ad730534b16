//! What ends an operation before it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rings when whatever is under way is to end, from whichever thread. All sets of a store share one, and it rings for good:
/// what was given up left nothing to go on from.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Lets operations end that are under way, and those to come.
    pub fn ring(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[inline]
    #[must_use]
    pub fn is_ringing(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
