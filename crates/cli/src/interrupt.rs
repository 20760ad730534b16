//! Ctrl-C and SIGTERM: the first one stops the search in good order, the second one ends the program at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;

/// The status of a program that was ended by Ctrl-C.
pub(crate) const ENDED: u8 = 130;

/// A flag that Ctrl-C and SIGTERM set. If signals cannot be handled, their default action stays.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    // In this order: the first handler ends the program if the second one has already set the flag.
    for signal in [SIGINT, SIGTERM] {
        let _ = flag::register_conditional_shutdown(signal, status_of(signal), Arc::clone(&stop))
            .and_then(|_| flag::register(signal, Arc::clone(&stop)));
    }
    stop
}

/// The exit status that shells use for a program ended by a signal.
const fn status_of(signal: i32) -> i32 {
    128 + signal
}

/// Makes SIGUSR1 set the flag too: mpirun forwards it to its processes.
pub(crate) fn heed_mpirun(stop: &Arc<AtomicBool>) {
    let _ = flag::register(SIGUSR1, Arc::clone(stop));
}

/// Makes Ctrl-C and SIGTERM end the program at once: no work is left to finish.
pub(crate) fn end_at_once() {
    for signal in [SIGINT, SIGTERM] {
        let _ =
            flag::register_conditional_shutdown(signal, status_of(signal), Arc::new(AtomicBool::new(true)));
    }
}
