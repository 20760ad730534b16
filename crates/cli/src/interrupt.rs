//! Ctrl-C: once stops the search in good order, twice ends the program at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;

/// The status of a program that was ended by Ctrl-C.
pub(crate) const ENDED: u8 = 130;

/// A flag that Ctrl-C sets. Where signals cannot be handled, Ctrl-C does what it always does.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    // In this order: the first handler ends the program if the second one has set the flag before.
    let _ = flag::register_conditional_shutdown(SIGINT, ENDED.into(), Arc::clone(&stop))
        .and_then(|_| flag::register(SIGINT, Arc::clone(&stop)));
    stop
}

/// Other signals set the flag too: mpirun passes SIGUSR1 on to its processes, and SIGTERM is what they get from it when it
/// is ended itself.
pub(crate) fn heed_mpirun(stop: &Arc<AtomicBool>) {
    let _ = flag::register(SIGUSR1, Arc::clone(stop)).and_then(|_| flag::register(SIGTERM, Arc::clone(stop)));
}

/// Being ended by others sets the flag too.
pub(crate) fn heed_end(stop: &Arc<AtomicBool>) {
    let _ = flag::register(SIGTERM, Arc::clone(stop));
}

/// From now on Ctrl-C ends the program at once: nothing is under way that would have to be finished.
pub(crate) fn end_at_once() {
    let _ = flag::register_conditional_shutdown(SIGINT, ENDED.into(), Arc::new(AtomicBool::new(true)));
}
