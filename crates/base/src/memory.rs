//! The memory that the process has allocated, as its allocator counts it.
//!
//! The command installs an allocator that counts (`cli/src/allocator.rs`). In a program without one nothing is counted, and
//! limits go by what each search says that it holds.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static ALLOCATED: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicBool = AtomicBool::new(false);

/// How many bytes are allocated, by all threads; 0 if it is not counted.
#[must_use]
#[inline]
pub fn allocated_bytes() -> u64 {
    ALLOCATED.load(Ordering::Relaxed)
}

/// Counts bytes that were allocated.
#[inline]
pub fn count_allocated(bytes: usize) {
    ALLOCATED.fetch_add(bytes as u64, Ordering::Relaxed);
}

/// Counts bytes that were freed.
#[inline]
pub fn count_freed(bytes: usize) {
    ALLOCATED.fetch_sub(bytes as u64, Ordering::Relaxed);
}

thread_local! {
    static ATTEMPTS: Cell<bool> = const { Cell::new(false) };
}

/// Does something that can continue without the memory that it asks for: to be refused is no emergency.
pub fn attempt<T>(allocate: impl FnOnce() -> T) -> T {
    let before = ATTEMPTS.replace(true);
    let outcome = allocate();
    ATTEMPTS.set(before);
    outcome
}

/// Whether the calling thread can continue without the memory that it asks for.
#[must_use]
pub fn is_attempt() -> bool {
    ATTEMPTS.get()
}

/// Notes that the operating system has refused memory.
pub fn note_refusal() {
    REFUSED.store(true, Ordering::Relaxed);
}

/// Whether the operating system has refused memory.
#[must_use]
pub fn was_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}
