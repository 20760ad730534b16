//! The system's allocator, with what it hands out counted, and a way to end in good order when the system refuses.
//!
//! Counting is what `--memory-limit` goes by beside what lists say that they hold: it knows of lists of choices, of runs that
//! are built and of whatever else is allocated, and costs an addition for each allocation, of which the loop that visits states
//! makes none.
//!
//! Without this, the standard library ends the process when memory is refused, by a signal and with nothing said. Here a
//! reserve is given back first, which is room enough for what is small, and searches end as by a limit
//! (`base::memory::was_refused`). What is larger than the reserve waits, while the [`watchdog`] reports what
//! is known and ends the process; where there is none, it is ended with a message and [`REFUSED`].
//!
//! The interface of allocators is unsafe, and there is no stable way around it: the standard library's hook for this case is not
//! stable. Every block passes its caller's promises on unchanged.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use tourbillon_base::memory;

use crate::watchdog;

/// The exit status where the operating system gives no more memory, and there is no report that could say so.
pub(crate) const REFUSED: u8 = 5;

/// How much is kept back. It is counted, and never written to.
pub(crate) const RESERVE_BYTES: usize = 4 << 20;

static RESERVE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Keeps something back for the time when the system refuses.
pub(crate) fn keep_reserve() {
    if let Ok(mut reserve) = RESERVE.lock() {
        *reserve = Vec::with_capacity(RESERVE_BYTES);
    }
}

struct Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

#[expect(unsafe_code, reason = "the interface of allocators is unsafe")]
// SAFETY: every call is passed on to the system's allocator with the same arguments, and what it returns is returned.
unsafe impl GlobalAlloc for Counted {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the one that is asked for.
        let allocate = || unsafe { System.alloc(layout) };
        counted(allocate(), layout.size(), allocate)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the one that is asked for.
        let allocate = || unsafe { System.alloc_zeroed(layout) };
        counted(allocate(), layout.size(), allocate)
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        memory::count_freed(layout.size());
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe { System.dealloc(place, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise is the one that is asked for. If it fails, the place is as it was.
        let allocate = || unsafe { System.realloc(place, layout, size) };
        let moved = counted(allocate(), size, allocate);
        if !moved.is_null() {
            memory::count_freed(layout.size());
        }
        moved
    }
}

/// Counts what was allocated; if nothing was, tries again.
#[inline]
fn counted(place: *mut u8, bytes: usize, allocate: impl Fn() -> *mut u8) -> *mut u8 {
    let place = if place.is_null() { refused(allocate) } else { place };
    if !place.is_null() {
        memory::count_allocated(bytes);
    }
    place
}

/// What to do when the system refuses: nothing is allocated by this.
#[cold]
fn refused(allocate: impl Fn() -> *mut u8) -> *mut u8 {
    if memory::is_attempt() {
        return std::ptr::null_mut();
    }
    memory::note_refusal();
    let reserve = RESERVE.try_lock().map(|mut reserve| std::mem::take(&mut *reserve));
    drop(reserve);
    let place = allocate();
    if !place.is_null() {
        return place;
    }
    if watchdog::will_end() {
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    let _ = std::io::stderr().write_all(b"error: the operating system gave no more memory\n");
    std::process::exit(REFUSED.into());
}
