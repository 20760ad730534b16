//! A thread that ends the command if its other code does not.
//!
//! Searches check their limits and end in good order. Code that does not check them (a parser, a compiler, one
//! operation on a large matrix), or that waits for memory the system refuses, is ended here shortly after: the watchdog
//! finishes the report, with every open query unknown, and ends the process. So limits hold for the whole command.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use tourbillon::{Cause, Limits};
use tourbillon_base::memory;

use crate::allocator;
use crate::answers::AnswerWriter;
use crate::check::rss_bytes;

/// The time that the command has to end by itself after a deadline or a signal.
const GRACE: Duration = Duration::from_millis(600);
/// The time after that for finishing an answer that is being written.
const PATIENCE: Duration = Duration::from_millis(250);
/// The minimum and maximum intervals between two checks.
const INTERVALS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];
/// An upper bound on the rate of allocation.
const BYTES_PER_SECOND: u64 = 4 << 30;
/// How far a search may exceed the limit before it notices.
const SLACK_BYTES: u64 = 2 << 20;
/// How far any code may exceed the limit before it is ended.
const SLACK_BYTES_MAX: u64 = 8 << 20;
/// How far resident memory may exceed the limit: it includes the pages of the program, and freed memory that was not
/// returned.
const SLACK_RESIDENT_BYTES: u64 = 16 << 20;

/// The current phase of the command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Phase {
    Loading,
    Compiling,
    Searching,
    Reporting,
}

static PHASE: AtomicU8 = AtomicU8::new(Phase::Loading as u8);
static WATCHES: AtomicBool = AtomicBool::new(false);

/// Records the current phase.
pub(crate) fn enter(phase: Phase) {
    PHASE.store(phase as u8, Ordering::Relaxed);
}

/// The current phase, in a word.
pub(crate) fn doing() -> &'static str {
    const WORDS: [&str; 4] = ["loading", "compiling", "searching", "reporting"];
    WORDS[usize::from(PHASE.load(Ordering::Relaxed)).min(WORDS.len() - 1)]
}

/// Whether a watchdog on another thread ends the process when memory is refused.
pub(crate) fn will_end() -> bool {
    WATCHES.load(Ordering::Relaxed) && std::thread::current().name() != Some(NAME)
}

const NAME: &str = "watchdog";

/// The number of allocated bytes at which a search ends by itself.
pub(crate) fn allocated_bytes_max(limit: u64) -> u64 {
    with_reserve(limit).saturating_add(SLACK_BYTES.max(limit / 64))
}

/// A limit on counted bytes, which include the reserve.
fn with_reserve(limit: u64) -> u64 {
    limit.saturating_add(allocator::RESERVE_BYTES as u64)
}

/// A watchdog. Dropping it stops its thread.
pub(crate) struct Watchdog {
    done: Arc<AtomicBool>,
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        WATCHES.store(false, Ordering::Relaxed);
    }
}

struct WatchdogThread {
    started: Instant,
    limits: Limits,
    stop: Arc<AtomicBool>,
    answers: Arc<Mutex<AnswerWriter>>,
    done: Arc<AtomicBool>,
    /// When the flag was set or memory was refused.
    since: Option<Instant>,
}

/// Starts a watchdog for a command that began at this instant. Does nothing if no thread can be created.
pub(crate) fn watch(
    started: Instant,
    limits: Limits,
    stop: &Arc<AtomicBool>,
    answers: &Arc<Mutex<AnswerWriter>>,
) -> Watchdog {
    let done = Arc::new(AtomicBool::new(false));
    let (stop, answers, since) = (Arc::clone(stop), Arc::clone(answers), None);
    let watch = WatchdogThread { started, limits, stop, answers, done: Arc::clone(&done), since };
    let thread = std::thread::Builder::new().name(NAME.to_owned()).stack_size(1 << 20);
    let spawned = thread.spawn(move || watch.run());
    WATCHES.store(spawned.is_ok(), Ordering::Relaxed);
    Watchdog { done }
}

/// Whether the memory limit is exceeded so far that the command will not end by itself.
fn is_past(limit: u64) -> bool {
    let allocated = with_reserve(limit).saturating_add(SLACK_BYTES_MAX.max(limit / 20));
    let resident = limit.saturating_add(SLACK_RESIDENT_BYTES.max(limit / 100 * 7));
    memory::allocated_bytes() > allocated || rss_bytes().is_some_and(|bytes| bytes > resident)
}

impl WatchdogThread {
    fn run(mut self) {
        loop {
            std::thread::sleep(self.interval());
            if self.done.load(Ordering::Relaxed) {
                return;
            }
            if let Some(why) = self.over() {
                self.end(why);
            }
        }
    }

    /// The time until the next check: at most the time it takes to allocate the remaining memory.
    fn interval(&self) -> Duration {
        let [least, most] = INTERVALS;
        let room = |limit: u64| limit.saturating_sub(memory::allocated_bytes());
        let micros = |room: u64| Duration::from_micros(room / (BYTES_PER_SECOND / 1_000_000));
        self.limits.memory_bytes.map_or(most, |limit| micros(room(limit)).clamp(least, most))
    }

    /// Why the command must be ended; `None` if it need not be.
    fn over(&mut self) -> Option<Cause> {
        if self.limits.memory_bytes.is_some_and(is_past) {
            return Some(Cause::MemoryLimit);
        }
        if self.limits.time.is_some_and(|time| self.started.elapsed() >= time + GRACE) {
            return Some(Cause::TimeLimit);
        }
        let (refused, stopped) = (memory::was_refused(), self.stop.load(Ordering::Relaxed));
        if !refused && !stopped {
            return None;
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        let why = if refused { Cause::MemoryRefused } else { Cause::Interrupted };
        (since.elapsed() >= GRACE).then_some(why)
    }

    /// Ends the process, with a report if possible.
    fn end(&self, why: Cause) {
        let since = Instant::now();
        loop {
            match self.answers.try_lock() {
                // The command has ended in good order before.
                Ok(_) if self.done.load(Ordering::Relaxed) => return,
                Ok(mut answers) => std::process::exit(answers.give_up(why, doing()).into()),
                Err(TryLockError::Poisoned(_)) => break,
                Err(TryLockError::WouldBlock) if since.elapsed() >= PATIENCE => break,
                Err(TryLockError::WouldBlock) => std::thread::sleep(INTERVALS[0]),
            }
        }
        std::process::exit(crate::check::UNKNOWN.into());
    }
}
