//! Ctrl-C and SIGTERM: once stops the search in good order, twice ends the program at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;

/// The status of a program that was ended by Ctrl-C.
pub(crate) const ENDED: u8 = 130;

/// A flag that Ctrl-C and SIGTERM set. Where signals cannot be handled, they do what they always do.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    // In this order: the first handler ends the program if the second one has set the flag before.
    for signal in [SIGINT, SIGTERM] {
        let _ = flag::register_conditional_shutdown(signal, status_of(signal), Arc::clone(&stop))
            .and_then(|_| flag::register(signal, Arc::clone(&stop)));
    }
    stop
}

/// The status that a shell gives a program which a signal has ended.
const fn status_of(signal: i32) -> i32 {
    128 + signal
}

/// Another signal sets the flag too: mpirun passes SIGUSR1 on to its processes.
pub(crate) fn heed_mpirun(stop: &Arc<AtomicBool>) {
    let _ = flag::register(SIGUSR1, Arc::clone(stop));
}

/// From now on Ctrl-C or SIGTERM ends the program at once: nothing is under way that would have to be finished.
pub(crate) fn end_at_once() {
    for signal in [SIGINT, SIGTERM] {
        let _ =
            flag::register_conditional_shutdown(signal, status_of(signal), Arc::new(AtomicBool::new(true)));
    }
}
