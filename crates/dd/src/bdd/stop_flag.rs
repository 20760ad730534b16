//! The flag that interrupts an operation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Interrupts the running operation, from any thread. All sets of a store share one. It is never cleared: an interrupted operation has
/// no result to continue from.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Lets operations end that are under way, and those to come.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[inline]
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
