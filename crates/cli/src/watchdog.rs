//! A thread that ends the command when nothing else does.
//!
//! Searches check their limits and end in good order. Code that does not check (a parser, a compiler, one operation on a large
//! matrix), or that waits for memory the system refuses, is ended here a moment later: the watchdog finishes the report, with
//! every open query unknown, and ends the process. So limits hold for the whole command.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use tourbillon::{Cause, Limits};
use tourbillon_base::memory;

use crate::allocator;
use crate::answers::Answers;
use crate::check::rss_bytes;

/// How long the rest of the command has to end by itself after a deadline or a signal.
const GRACE: Duration = Duration::from_millis(600);
/// How long an answer that is being written may take to be finished, after that.
const PATIENCE: Duration = Duration::from_millis(250);
/// How often the watchdog looks, at most and at least.
const INTERVALS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];
/// How much may be allocated in a second, at most.
const BYTES_PER_SECOND: u64 = 4 << 30;
/// How far a search may go past the limit before it notices.
const SLACK_BYTES: u64 = 2 << 20;
/// How far anything may, before it is ended.
const SLACK_BYTES_MAX: u64 = 8 << 20;
/// How far the resident memory may: it has the pages of the program as well, and what was freed and not given back.
const SLACK_RESIDENT_BYTES: u64 = 16 << 20;

/// What the command is doing.
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

/// Notes what the command is doing.
pub(crate) fn enter(phase: Phase) {
    PHASE.store(phase as u8, Ordering::Relaxed);
}

/// What the command is doing, in a word.
pub(crate) fn doing() -> &'static str {
    const WORDS: [&str; 4] = ["loading", "compiling", "searching", "reporting"];
    WORDS[usize::from(PHASE.load(Ordering::Relaxed)).min(WORDS.len() - 1)]
}

/// Whether there is a watchdog that ends the process when memory is refused, and it is not the one that asks for it.
pub(crate) fn will_end() -> bool {
    WATCHES.load(Ordering::Relaxed) && std::thread::current().name() != Some(NAME)
}

const NAME: &str = "watchdog";

/// How many bytes a search may have allocated before it ends by itself.
pub(crate) fn allocated_bytes_max(limit: u64) -> u64 {
    with_reserve(limit).saturating_add(SLACK_BYTES.max(limit / 64))
}

/// A limit on what is counted, of which the reserve is a part.
fn with_reserve(limit: u64) -> u64 {
    limit.saturating_add(allocator::RESERVE_BYTES as u64)
}

/// A watchdog. It is called off when it is dropped.
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
    answers: Arc<Mutex<Answers>>,
    done: Arc<AtomicBool>,
    /// Since when the flag is set, or memory refused.
    told: Option<Instant>,
}

/// Watches a command that was started at this instant. Does nothing if there can be no more threads.
pub(crate) fn watch(
    started: Instant,
    limits: Limits,
    stop: &Arc<AtomicBool>,
    answers: &Arc<Mutex<Answers>>,
) -> Watchdog {
    let done = Arc::new(AtomicBool::new(false));
    let (stop, answers, told) = (Arc::clone(stop), Arc::clone(answers), None);
    let watch = WatchdogThread { started, limits, stop, answers, done: Arc::clone(&done), told };
    let thread = std::thread::Builder::new().name(NAME.to_owned()).stack_size(1 << 20);
    let spawned = thread.spawn(move || watch.run());
    WATCHES.store(spawned.is_ok(), Ordering::Relaxed);
    Watchdog { done }
}

/// Whether a limit on memory is passed by so much that nothing will end by itself.
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

    /// How long until the next look: no more than it takes to allocate what is left.
    fn interval(&self) -> Duration {
        let [least, most] = INTERVALS;
        let room = |limit: u64| limit.saturating_sub(memory::allocated_bytes());
        let micros = |room: u64| Duration::from_micros(room / (BYTES_PER_SECOND / 1_000_000));
        self.limits.memory_bytes.map_or(most, |limit| micros(room(limit)).clamp(least, most))
    }

    /// Why the command is to be ended, if it is.
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
        let since = *self.told.get_or_insert_with(Instant::now);
        let why = if refused { Cause::MemoryRefused } else { Cause::Interrupted };
        (since.elapsed() >= GRACE).then_some(why)
    }

    /// Ends the process, with a report if there can be one.
    fn end(&self, why: Cause) {
        let since = Instant::now();
        loop {
            match self.answers.try_lock() {
                // Whoever ends in good order has come first.
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
