//! The parts of a phase, handed out to the threads of a team.
//!
//! Each thread has a share: consecutive parts, the same ones in each phase of this size. It takes these first, and then what other
//! threads have left of theirs. So a thread mostly changes memory that it has changed before. Memory that another core has changed takes
//! longer to read than memory that no core has in its cache.
//!
//! Which thread takes a part has no effect on what is computed.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What is left of the shares of all threads.
#[derive(Debug)]
pub(crate) struct Shares {
    parts: AtomicUsize,
    /// The number of parts that were taken of each share.
    taken: Vec<Taken>,
}

/// A counter in a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Taken(AtomicUsize);

impl Shares {
    pub(crate) fn new(threads: usize) -> Self {
        Self { parts: AtomicUsize::new(0), taken: (0..threads.max(1)).map(|_| Taken::default()).collect() }
    }

    /// Begins a phase with so many parts; called while no thread takes any.
    pub(crate) fn begin(&self, parts: usize) {
        self.parts.store(parts, Ordering::Relaxed);
        self.taken.iter().for_each(|taken| taken.0.store(0, Ordering::Relaxed));
    }

    /// Takes a part for a thread; `None` if none is left.
    pub(crate) fn take(&self, thread: usize) -> Option<usize> {
        let (threads, parts) = (self.taken.len(), self.parts.load(Ordering::Relaxed));
        (thread..threads).chain(0..thread).find_map(|share| {
            let (first, end) = (parts * share / threads, parts * (share + 1) / threads);
            // A share without parts is looked at by all threads: it is not changed any more.
            if first + self.taken[share].0.load(Ordering::Relaxed) >= end {
                return None;
            }
            let part = first + self.taken[share].0.fetch_add(1, Ordering::Relaxed);
            (part < end).then_some(part)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_taken_once_own_parts_first() {
        for (threads, parts) in [(1, 5), (2, 5), (3, 2), (7, 32), (4, 0)] {
            let shares = Shares::new(threads);
            for _ in 0..2 {
                shares.begin(parts);
                let first = shares.take(threads - 1);
                assert_eq!(first, (parts > 0).then(|| parts * (threads - 1) / threads));
                let mut taken: Vec<usize> =
                    first.into_iter().chain(std::iter::from_fn(|| shares.take(0))).collect();
                taken.sort_unstable();
                assert!(taken.iter().copied().eq(0..parts), "{threads} threads, {parts} parts: {taken:?}");
            }
        }
    }
}
