//! Cancellation: work that is ended from outside, by a limit or a signal, wherever it is.
//!
//! A search looks at its limits between two states. One state can be as much work as all others together: selections multiply,
//! functions loop, states are large. So whatever can take long counts its work here, with [`work`], which costs a
//! subtraction; once in a while that looks at the flag, the clock and the memory, and says that the work is to end.
//! What counts then gives up with an error of its own kind, and whoever searches turns that into `unknown` with the [`reason`].
//!
//! What is examined belongs to the thread: [`Cancellation::install`] adds to it until the guard is dropped. It is not handed from
//! function to function, since it would go through all of them: the machine that evaluates a guard is some twenty calls below
//! the search.
//!
//! Work is counted in words that are read or written, about. Without a deadline the same work is examined after the same
//! number of words.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::memory;

/// What ends work before it is done.
#[derive(Clone, Default, Debug)]
pub struct Cancellation {
    /// A flag that is set from another thread or a signal handler.
    pub stop: Option<Arc<AtomicBool>>,
    /// A moment at which it ends.
    pub deadline: Option<Instant>,
    /// How many bytes the whole process may have allocated, where that is counted ([`memory::allocated_bytes`]).
    pub memory_bytes_max: Option<u64>,
}

/// Why work is to end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CancelReason {
    /// The flag is set.
    Interrupted,
    /// The deadline has passed.
    Time,
    /// The process has allocated more than it may.
    Memory,
    /// The operating system has refused memory.
    Refused,
}

/// After how many words of work flag, clock and memory are examined: a megabyte, which takes a millisecond or so.
const INTERVAL: u32 = 1 << 18;

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(0) };
    static REASON: Cell<Option<CancelReason>> = const { Cell::new(None) };
    static INSTALLED: RefCell<Vec<(u64, Cancellation)>> = const { RefCell::new(Vec::new()) };
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// Counts work of the calling thread. False if it is to end; then it stays false for all that follows.
#[inline]
#[must_use]
pub fn work(words: u32) -> bool {
    LEFT.with(|left| match left.get().checked_sub(words) {
        Some(rest) if rest > 0 => {
            left.set(rest);
            true
        }
        _ => look(),
    })
}

/// Why work of the calling thread is to end, if it is, by the last look.
#[must_use]
pub fn reason() -> Option<CancelReason> {
    REASON.get()
}

/// The same, examined now.
#[must_use]
pub fn reason_now() -> Option<CancelReason> {
    look();
    REASON.get()
}

/// Forgets why work was to end, so that other work is judged by itself: memory may be free again.
pub fn look_again() {
    REASON.set(None);
    LEFT.set(0);
}

/// Ends the work of the calling thread for a reason that its owner has found, until [`look_again`].
pub fn cancel(reason: CancelReason) {
    REASON.set(Some(reason));
    LEFT.set(0);
}

/// What ends work of the calling thread, to be installed in another.
#[must_use]
pub fn installed() -> Vec<Cancellation> {
    INSTALLED.with_borrow(|installed| installed.iter().map(|(_, one)| one.clone()).collect())
}

#[cold]
fn look() -> bool {
    if REASON.get().is_some() {
        return false;
    }
    let found = INSTALLED.with_borrow(|installed| installed.iter().find_map(|(_, one)| one.reason()));
    REASON.set(found);
    LEFT.set(if found.is_none() { INTERVAL } else { 0 });
    found.is_none()
}

impl Cancellation {
    /// Whether work is to end now, and why.
    #[must_use]
    pub fn reason(&self) -> Option<CancelReason> {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(CancelReason::Interrupted);
        }
        if memory::was_refused() {
            return Some(CancelReason::Refused);
        }
        if self.memory_bytes_max.is_some_and(|most| memory::allocated_bytes() > most) {
            return Some(CancelReason::Memory);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(CancelReason::Time)
    }

    /// Ends work of the calling thread from now on, beside what is installed already, until the guard is dropped.
    #[must_use]
    pub fn install(self) -> CancellationGuard {
        let id = LAST.get() + 1;
        LAST.set(id);
        INSTALLED.with_borrow_mut(|installed| installed.push((id, self)));
        LEFT.set(0);
        CancellationGuard { id, _of_this_thread: PhantomData }
    }
}

/// Takes back what was installed when it is dropped.
#[derive(Debug)]
pub struct CancellationGuard {
    id: u64,
    _of_this_thread: PhantomData<*const ()>,
}

impl Drop for CancellationGuard {
    fn drop(&mut self) {
        INSTALLED.with_borrow_mut(|installed| installed.retain(|(id, _)| *id != self.id));
        REASON.set(None);
        LEFT.set(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many times a thousand words are worked until it is to end, at most so many times.
    fn worked(most: u32) -> u32 {
        (0..most).find(|_| !work(1000)).unwrap_or(most)
    }

    #[test]
    fn work_ends_after_a_flag_is_set_or_a_deadline_has_passed_and_goes_on_after() {
        assert_eq!(worked(10_000), 10_000);
        let stop = Arc::new(AtomicBool::new(false));
        let guard = Cancellation { stop: Some(Arc::clone(&stop)), ..Cancellation::default() }.install();
        assert_eq!(worked(10_000), 10_000);
        stop.store(true, Ordering::Relaxed);
        assert!(worked(10_000) <= INTERVAL / 1000 + 1);
        assert_eq!(reason(), Some(CancelReason::Interrupted));
        drop(guard);
        assert_eq!((worked(10_000), reason()), (10_000, None));
        let _guard = Cancellation { deadline: Some(Instant::now()), ..Cancellation::default() }.install();
        assert_eq!((worked(10_000), reason()), (0, Some(CancelReason::Time)));
    }

    #[test]
    fn what_is_installed_within_is_taken_back_first() {
        let stop = Arc::new(AtomicBool::new(true));
        let _outer = Cancellation::default().install();
        let inner = Cancellation { stop: Some(stop), ..Cancellation::default() }.install();
        assert!(!work(1));
        drop(inner);
        assert!(work(1));
        cancel(CancelReason::Memory);
        assert_eq!((work(1), reason()), (false, Some(CancelReason::Memory)));
    }
}
