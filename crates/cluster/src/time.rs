//! The busy time of a rank.
//!
//! Only the ends of idle times are measured, so a busy rank never reads the clock. No decision depends on it.

use std::time::{Duration, Instant};

use crate::CpuTime;

/// Measures the busy time of one search on one rank.
#[derive(Debug)]
pub(crate) struct Meter {
    started: Instant,
    idle: Duration,
    idle_since: Option<Instant>,
    cpu_time: CpuTime,
    cpu_at_start: Option<Duration>,
}

impl Meter {
    /// Starts now, on the thread of the rank.
    pub(crate) fn new(cpu_time: CpuTime) -> Self {
        let cpu_at_start = cpu_time.0();
        Self { started: Instant::now(), idle: Duration::ZERO, idle_since: None, cpu_time, cpu_at_start }
    }

    /// Records whether the rank is idle.
    #[inline]
    pub(crate) fn note(&mut self, is_idle: bool) {
        match (is_idle, self.idle_since) {
            (true, None) => self.idle_since = Some(Instant::now()),
            (false, Some(since)) => {
                self.idle += since.elapsed();
                self.idle_since = None;
            }
            _ => {}
        }
    }

    /// The busy time, the elapsed time, and the processor time.
    pub(crate) fn read(&self) -> (Duration, Duration, Option<Duration>) {
        let elapsed = self.started.elapsed();
        let idle = self.idle + self.idle_since.map_or(Duration::ZERO, |since| since.elapsed());
        let cpu = self.cpu_time.0().zip(self.cpu_at_start).map(|(now, start)| now.saturating_sub(start));
        (elapsed.saturating_sub(idle), elapsed, cpu)
    }
}
