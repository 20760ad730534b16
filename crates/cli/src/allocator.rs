//! The system's allocator with a count of allocated bytes, and an orderly end of the process when the system refuses
//! memory.
//!
//! `--memory-limit` uses this count besides the sizes that the lists report. The count includes everything that is
//! allocated, such as lists of choices and runs under construction. It costs one addition for each allocation; the loop
//! that expands states allocates nothing.
//!
//! Without this allocator, the standard library aborts the process by a signal and without a message when memory is
//! refused. Here a reserve is released first, which suffices for small allocations, and searches end as at a limit
//! (`base::memory::was_refused`). An allocation that exceeds the reserve blocks while the [`watchdog`] writes the
//! report and ends the process. Without a watchdog, the process ends with a message and the status [`REFUSED`].
//!
//! The allocator interface is unsafe, and the standard library's hook for refused allocations is not stable. Every
//! block passes its caller's guarantees on unchanged.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use tourbillon_base::memory;

use crate::watchdog;

/// The exit status if the operating system refuses memory and no report can be written.
pub(crate) const REFUSED: u8 = 5;

/// The size of the reserve. It is counted and never written to.
pub(crate) const RESERVE_BYTES: usize = 4 << 20;

static RESERVE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Allocates the reserve.
pub(crate) fn keep_reserve() {
    if let Ok(mut reserve) = RESERVE.lock() {
        *reserve = Vec::with_capacity(RESERVE_BYTES);
    }
}

struct Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

#[expect(unsafe_code, reason = "the interface of allocators is unsafe")]
// SAFETY: every call is passed on to the system's allocator with the same arguments, and its result is returned.
unsafe impl GlobalAlloc for Counted {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantee is the required one.
        let allocate = || unsafe { System.alloc(layout) };
        counted(allocate(), layout.size(), allocate)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantee is the required one.
        let allocate = || unsafe { System.alloc_zeroed(layout) };
        counted(allocate(), layout.size(), allocate)
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        memory::count_freed(layout.size());
        // SAFETY: the caller's guarantee is the required one.
        unsafe { System.dealloc(place, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's guarantee is the required one. If it fails, the allocation is unchanged.
        let allocate = || unsafe { System.realloc(place, layout, size) };
        let moved = counted(allocate(), size, allocate);
        if !moved.is_null() {
            memory::count_freed(layout.size());
        }
        moved
    }
}

/// Counts a successful allocation; retries a failed one.
#[inline]
fn counted(place: *mut u8, bytes: usize, allocate: impl Fn() -> *mut u8) -> *mut u8 {
    let place = if place.is_null() { refused(allocate) } else { place };
    if !place.is_null() {
        memory::count_allocated(bytes);
    }
    place
}

/// Handles a refused allocation. Allocates nothing itself.
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
    let _ = std::io::stderr().write_all(b"error: the operating system refused to allocate memory\n");
    std::process::exit(REFUSED.into());
}
