//! Keeps the time while operations on diagrams are under way.
//!
//! A search looks at the deadline between two steps, and what is computed before it between two labels: then everything
//! ends in good order, with what was reached and counted. But a single operation can take as long as all others together.
//! So a thread of its own looks at the deadline as well, and rings an alarm some time after it has passed, at which
//! operations end wherever they are. Until then there is time to count what was reached.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tourbillon_dd::StopFlag;

use crate::interruption::Deadline;

/// How long after the deadline the alarm rings.
const GRACE: Duration = Duration::from_millis(250);
/// How often a wish to end is looked for.
const INTERVAL: Duration = Duration::from_millis(20);

/// Does something, and rings the alarm if it takes longer than there is time for.
pub(crate) fn watched<T>(deadline: Deadline<'_>, alarm: &StopFlag, work: impl FnOnce() -> T) -> T {
    if deadline.moment.is_none() && deadline.stop.is_none() {
        return work();
    }
    thread::scope(|scope| {
        // Nothing is ever sent: the other end hangs up when the work is done, however it ends.
        let (_working, hears) = channel::<()>();
        let is_done = move |after| hears.recv_timeout(after) != Err(RecvTimeoutError::Timeout);
        scope.spawn(move || {
            while !deadline.is_over() {
                if is_done(until(deadline)) {
                    return;
                }
            }
            if !is_done(GRACE) {
                alarm.ring();
            }
        });
        work()
    })
}

/// How long to wait before the next look.
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

    /// Waits for an alarm as long as it takes.
    fn wait_for(alarm: &StopFlag) {
        while !alarm.is_ringing() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn an_alarm_rings_after_the_deadline_or_a_wish_to_end() {
        let alarm = StopFlag::default();
        watched(Deadline { moment: Some(Instant::now()), stop: None }, &alarm, || wait_for(&alarm));
        let (alarm, stop) = (StopFlag::default(), Arc::new(AtomicBool::new(false)));
        watched(Deadline { moment: None, stop: Some(&stop) }, &alarm, || {
            stop.store(true, Ordering::Relaxed);
            wait_for(&alarm);
        });
    }

    #[test]
    fn what_is_done_in_time_is_not_disturbed() {
        let alarm = StopFlag::default();
        let far = Instant::now() + Duration::from_secs(3600);
        let deadlines = [Deadline::default(), Deadline { moment: Some(far), stop: None }];
        for deadline in deadlines {
            assert_eq!(watched(deadline, &alarm, || 7), 7);
        }
        assert!(!alarm.is_ringing());
    }
}
