//! A counting allocator, for tests of memory use and allocation counts.
//!
//! A test makes it the program's own:
//!
//! ```ignore
//! #[global_allocator]
//! static COUNTING: Counting = Counting;
//! ```
//!
//! What grows in place counts as asked for anew and given back, so that nothing but these two has to be counted.
#![expect(unsafe_code, reason = "counting what is allocated takes an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

static BYTES: AtomicUsize = AtomicUsize::new(0);
static BYTES_MAX: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, counted.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

/// How often memory was asked for.
#[must_use]
pub fn calls() -> u64 {
    CALLS.load(Relaxed)
}

/// How many bytes are in use.
#[must_use]
pub fn bytes() -> usize {
    BYTES.load(Relaxed)
}

/// The most bytes in use since [`forget_most`].
#[must_use]
pub fn bytes_max() -> usize {
    BYTES_MAX.load(Relaxed)
}

/// From now on the most is what is in use.
pub fn forget_most() {
    BYTES_MAX.store(bytes(), Relaxed);
}

// SAFETY: everything is passed on to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        let now = BYTES.fetch_add(layout.size(), Relaxed) + layout.size();
        BYTES_MAX.fetch_max(now, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }
}
