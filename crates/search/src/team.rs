//! Threads that work in phases: all of them work on one phase, and the next begins when all have finished.
//!
//! One thread leads: it starts a phase, takes part in it, and works alone between phases. The others serve. A panic of any
//! thread ends the phase, and then the team; the leader passes it on.
//!
//! Phases follow each other closely, and a thread that sleeps takes some 50 microseconds to wake up. So a thread that waits looks
//! a while whether the wait is over ([`SPINS`]) before it sleeps.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tourbillon_base::{Cancellation, cancellation};

/// How often a thread looks before it sleeps: some 50 microseconds.
const SPINS: u32 = 2_000;

/// A team, as its threads share it.
#[derive(Debug)]
pub(crate) struct Team<P> {
    gate: Mutex<Gate<P>>,
    /// Copies of two numbers of the gate, to look at without its lock: the phases that were started, and the busy threads.
    started: AtomicU64,
    busy: AtomicUsize,
    opened: Condvar,
    finished: Condvar,
}

/// The state of the phases.
#[derive(Debug)]
struct Gate<P> {
    /// The number of phases that were started, and the last one.
    started: u64,
    phase: Option<P>,
    /// The number of serving threads, and of those that work.
    serving: usize,
    busy: usize,
    is_over: bool,
    panic: Option<Box<dyn Any + Send>>,
}

/// Looks for a while whether a condition holds.
fn spin_until(condition: impl Fn() -> bool) {
    for _ in 0..SPINS {
        if condition() {
            return;
        }
        std::hint::spin_loop();
    }
}

impl<P> Default for Gate<P> {
    fn default() -> Self {
        Self { started: 0, phase: None, serving: 0, busy: 0, is_over: false, panic: None }
    }
}

impl<P: Copy> Team<P> {
    /// A team with so many serving threads.
    pub(crate) fn new(serving: usize) -> Self {
        let gate = Gate { serving, ..Gate::default() };
        Self {
            gate: Mutex::new(gate),
            started: AtomicU64::new(0),
            busy: AtomicUsize::new(0),
            opened: Condvar::new(),
            finished: Condvar::new(),
        }
    }

    fn gate(&self) -> MutexGuard<'_, Gate<P>> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on a phase with all threads.
    ///
    /// # Panics
    /// If a thread panics.
    pub(crate) fn work(&self, phase: P, own: impl FnOnce()) {
        {
            let mut gate = self.gate();
            gate.started += 1;
            gate.phase = Some(phase);
            gate.busy = gate.serving;
            self.busy.store(gate.busy, Ordering::Release);
            self.started.store(gate.started, Ordering::Release);
        }
        self.opened.notify_all();
        own();
        spin_until(|| self.busy.load(Ordering::Acquire) == 0);
        let mut gate = self.gate();
        while gate.busy > 0 {
            gate = self.finished.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(panic) = gate.panic.take() {
            drop(gate);
            resume_unwind(panic);
        }
    }

    /// Serves until the team is over.
    pub(crate) fn serve(&self, mut work: impl FnMut(P)) {
        let mut done = 0;
        while let Some((started, phase)) = self.next(done) {
            done = started;
            let panic = catch_unwind(AssertUnwindSafe(|| work(phase))).err();
            let mut gate = self.gate();
            gate.busy -= 1;
            self.busy.store(gate.busy, Ordering::Release);
            gate.panic = gate.panic.take().or(panic);
            if gate.busy == 0 {
                self.finished.notify_one();
            }
        }
    }

    /// Waits for a phase after the last one; `None` if the team is over.
    fn next(&self, done: u64) -> Option<(u64, P)> {
        spin_until(|| self.started.load(Ordering::Acquire) != done);
        let mut gate = self.gate();
        while gate.started == done && !gate.is_over {
            gate = self.opened.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
        if gate.is_over { None } else { Some((gate.started, gate.phase?)) }
    }

    /// Dismisses the serving threads when it is dropped, also by a panic of the leader.
    pub(crate) fn dismissing(&self) -> Dismissal<'_, P> {
        Dismissal(self)
    }
}

/// See [`Team::dismissing`].
pub(crate) struct Dismissal<'t, P: Copy>(&'t Team<P>);

impl<P: Copy> Drop for Dismissal<'_, P> {
    fn drop(&mut self) {
        self.0.gate().is_over = true;
        self.0.opened.notify_all();
    }
}

/// Applies a function to each chunk, by as many threads as there are workers. The results are in the order of the chunks; a
/// thread takes the next chunk when it is free. The limits of this thread hold for all.
pub(crate) fn map_chunks<W: Send, C: Sync, R: Send>(
    workers: &mut [W],
    chunks: &[C],
    apply: impl Fn(&mut W, &C) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = |worker: &mut W| {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = chunks.get(number) else { return done };
            #[cfg(test)]
            crate::tests::rounds::delay(number);
            done.push((number, apply(worker, chunk)));
        }
    };
    // One chunk is not worth a thread.
    let others = workers.len().min(chunks.len()).saturating_sub(1);
    let Some((own, serving)) = workers.split_first_mut() else { return Vec::new() };
    let limits = cancellation::installed();
    let mut done = std::thread::scope(|scope| {
        let start = |worker| {
            let (limits, work) = (limits.clone(), &work);
            scope.spawn(move || {
                let _guards: Vec<_> = limits.into_iter().map(Cancellation::install).collect();
                work(worker)
            })
        };
        let started: Vec<_> = serving.iter_mut().take(others).map(start).collect();
        let own = work(own);
        let others =
            started.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        own.into_iter().chain(others).collect::<Vec<_>>()
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    /// Runs phases in a team. Returns the sum of what all threads add.
    fn run(serving: usize, phases: u32, add: impl Fn(u32) -> u32 + Sync) -> u32 {
        let (team, sum) = (Team::new(serving), AtomicU32::new(0));
        let work = |phase| {
            sum.fetch_add(add(phase), Ordering::Relaxed);
        };
        std::thread::scope(|scope| {
            let _dismissal = team.dismissing();
            for _ in 0..serving {
                scope.spawn(|| team.serve(work));
            }
            for phase in 0..phases {
                team.work(phase, || work(phase));
                assert_eq!(sum.load(Ordering::Relaxed) % (serving as u32 + 1), 0, "all have finished");
            }
        });
        sum.into_inner()
    }

    #[test]
    fn all_threads_work_on_each_phase() {
        for serving in [0, 1, 3] {
            assert_eq!(run(serving, 100, |phase| phase), 4950 * (serving as u32 + 1));
        }
    }

    #[test]
    #[should_panic(expected = "in phase 7")]
    fn a_panic_of_a_thread_is_passed_on() {
        let first = AtomicU32::new(0);
        run(2, 100, |phase| {
            assert!(phase < 7 || first.fetch_add(1, Ordering::Relaxed) > 0, "in phase {phase}");
            0
        });
    }
}
