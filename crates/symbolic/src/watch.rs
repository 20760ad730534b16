//! The watchdog that interrupts BDD operations at the time limit.
//!
//! A search checks the deadline between two steps, and the encoding between two labels: then it ends in good order,
//! with the reached states and statistics. But a single operation can take as long as all others together. So a thread
//! checks the deadline as well and sets a flag some time after it, which interrupts operations. Until then there is
//! time to count the reached states.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tourbillon_dd::StopFlag;

use crate::interruption::Deadline;

/// How long after the deadline the flag is set.
const GRACE: Duration = Duration::from_millis(250);
/// The interval at which a stop request is checked.
const INTERVAL: Duration = Duration::from_millis(20);

/// Runs a function, and sets the flag if it exceeds the time.
pub(crate) fn watched<T>(deadline: Deadline<'_>, stop_flag: &StopFlag, work: impl FnOnce() -> T) -> T {
    if deadline.moment.is_none() && deadline.stop.is_none() {
        return work();
    }
    thread::scope(|scope| {
        // Nothing is ever sent: the channel is closed when the work ends, however it ends.
        let (_working, hears) = channel::<()>();
        let is_done = move |after| hears.recv_timeout(after) != Err(RecvTimeoutError::Timeout);
        scope.spawn(move || {
            while !deadline.is_over() {
                if is_done(until(deadline)) {
                    return;
                }
            }
            if !is_done(GRACE) {
                stop_flag.set();
            }
        });
        work()
    })
}

/// The time until the next check.
fn until(deadline: Deadline<'_>) -> Duration {
    let left = deadline.moment.map(|moment| moment.saturating_duration_since(Instant::now()));
    match (left, deadline.stop) {
        (Some(left), None) => left,
        (left, _) => left.map_or(INTERVAL, |left| left.min(INTERVAL)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Waits for the flag.
    fn wait_for(stop_flag: &StopFlag) {
        while !stop_flag.is_set() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn the_flag_is_set_after_the_deadline_or_a_request_to_stop() {
        let stop_flag = StopFlag::default();
        watched(Deadline { moment: Some(Instant::now()), stop: None }, &stop_flag, || wait_for(&stop_flag));
        let (stop_flag, stop) = (StopFlag::default(), Arc::new(AtomicBool::new(false)));
        watched(Deadline { moment: None, stop: Some(&stop) }, &stop_flag, || {
            stop.store(true, Ordering::Relaxed);
            wait_for(&stop_flag);
        });
    }

    #[test]
    fn what_is_done_in_time_is_not_disturbed() {
        let stop_flag = StopFlag::default();
        let far = Instant::now() + Duration::from_secs(3600);
        let deadlines = [Deadline::default(), Deadline { moment: Some(far), stop: None }];
        for deadline in deadlines {
            assert_eq!(watched(deadline, &stop_flag, || 7), 7);
        }
        assert!(!stop_flag.is_set());
    }
}
