//! The queue of runs: a bounded number at once, and a bounded number waiting.
//!
//! | file | holds |
//! |---|---|
//! | `mod.rs` | the queue: who runs, who waits, who is refused |
//! | `stream.rs` | what a run tells, as server-sent events |
//! | `work.rs` | what a run does |
//!
//! Each run has a thread of its own and a flag that ends it, which is set by who stops it, by who stops listening, and
//! when the server ends. A run that fails by our fault says so and makes room for the next.

mod findings;
mod stream;
mod work;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::answer::Refusal;
use crate::api::{RunEvent, RunRequest, ServerLimits};
use crate::models::StoredModel;

pub(crate) use stream::Events;
use stream::{EventWriter, channel};

/// How much stack a run has: that of a program's main thread.
pub(crate) const STACK_BYTES: usize = 8 << 20;

#[derive(Clone, Debug)]
pub(crate) struct Runs(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limits: ServerLimits,
    queue: Mutex<Queue>,
    /// Told whenever a run ends.
    ended: Condvar,
}

#[derive(Default, Debug)]
struct Queue {
    last: u32,
    running: Vec<Arc<Run>>,
    waiting: VecDeque<Arc<Run>>,
    /// Nothing begins any more.
    closed: bool,
}

#[derive(Debug)]
struct Run {
    number: u32,
    model: Arc<StoredModel>,
    request: RunRequest,
    stop: Arc<AtomicBool>,
    event_writer: EventWriter,
    /// How many were told to go before it; a number that cannot be before that.
    ahead: AtomicU32,
}

impl Runs {
    pub(crate) fn new(limits: ServerLimits) -> Self {
        Self(Arc::new(Inner { limits, queue: Mutex::default(), ended: Condvar::new() }))
    }

    /// Begins a run, or lets it wait.
    ///
    /// # Errors
    /// If too many wait already.
    pub(crate) fn begin(&self, model: Arc<StoredModel>, request: RunRequest) -> Result<Events, Refusal> {
        let mut queue = self.queue();
        let full = queue.running.len() >= self.0.limits.runs as usize;
        if queue.closed || (full && queue.waiting.len() >= self.0.limits.runs_waiting as usize) {
            let message =
                format!("{} runs wait already: stop one of them, or try again later", queue.waiting.len());
            return Err(Refusal::busy(message));
        }
        queue.last = queue.last.wrapping_add(1);
        let (event_writer, told) = channel();
        let number = queue.last;
        queue.waiting.push_back(Arc::new(Run {
            number,
            model,
            request,
            stop: Arc::new(AtomicBool::new(false)),
            event_writer,
            ahead: AtomicU32::new(u32::MAX),
        }));
        self.advance(&mut queue);
        let runs = self.clone();
        Ok(Events::new(told, Box::new(move || runs.abandon(number))))
    }

    /// The numbers of active and waiting runs.
    pub(crate) fn counts(&self) -> (u32, u32) {
        let queue = self.queue();
        (queue.running.len() as u32, queue.waiting.len() as u32)
    }

    /// Ends a run; it tells what it knows. Says whether there is such a run.
    pub(crate) fn stop(&self, number: u32) -> bool {
        let mut queue = self.queue();
        if let Some(run) = queue.running.iter().find(|run| run.number == number) {
            run.stop.store(true, Ordering::Relaxed);
            return true;
        }
        let Some(place) = queue.waiting.iter().position(|run| run.number == number) else { return false };
        if let Some(run) = queue.waiting.remove(place) {
            run.event_writer.tell(&RunEvent::Done { seconds: 0.0, stopped: true });
        }
        tell_places(&queue);
        true
    }

    /// The client of a run has disconnected.
    fn abandon(&self, number: u32) {
        self.stop(number);
    }

    /// Ends all runs, and waits until they have, for some time.
    pub(crate) fn close(&self, timeout_stream: Duration) {
        let mut queue = self.queue();
        queue.closed = true;
        queue.running.iter().for_each(|run| run.stop.store(true, Ordering::Relaxed));
        for run in queue.waiting.drain(..) {
            run.event_writer.tell(&RunEvent::Done { seconds: 0.0, stopped: true });
        }
        let busy = |queue: &mut Queue| !queue.running.is_empty();
        drop(
            self.0
                .ended
                .wait_timeout_while(queue, timeout_stream, busy)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// Lets those begin that have room, and tells the others how many go before them.
    fn advance(&self, queue: &mut Queue) {
        while queue.running.len() < self.0.limits.runs as usize {
            let Some(run) = queue.waiting.pop_front() else { break };
            queue.running.push(Arc::clone(&run));
            let (runs, begun) = (self.clone(), Arc::clone(&run));
            let thread = std::thread::Builder::new().name("run".to_owned()).stack_size(STACK_BYTES);
            if thread.spawn(move || runs.go(&begun)).is_err() {
                queue.running.retain(|other| other.number != run.number);
                run.event_writer.tell(&refused("there is no room for another thread"));
                run.event_writer.tell(&RunEvent::Done { seconds: 0.0, stopped: true });
            }
        }
        tell_places(queue);
    }

    fn go(&self, run: &Run) {
        let began = Instant::now();
        let limits = work::Limits::of(&run.request, &self.0.limits);
        run.event_writer.tell(&RunEvent::Started {
            run: run.number,
            seconds: limits.time.as_secs(),
            bytes: limits.memory_bytes,
        });
        let work = || work::answer(&run.model, &run.request, limits, &run.stop, &run.event_writer);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            run.event_writer.tell(&refused(&format!("{} ({said})", Refusal::fault().message())));
        }
        let stopped = run.stop.load(Ordering::Relaxed);
        // There is room again before it is told that there is.
        let mut queue = self.queue();
        queue.running.retain(|other| other.number != run.number);
        self.advance(&mut queue);
        run.event_writer.tell(&RunEvent::Done { seconds: began.elapsed().as_secs_f64(), stopped });
        self.0.ended.notify_all();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(message: &str) -> RunEvent {
    RunEvent::Refused { query: None, message: message.to_owned(), diagnostics: Vec::new() }
}

/// Tells those that wait how many go before them, where that has changed.
fn tell_places(queue: &Queue) {
    for (ahead, run) in (0..).zip(&queue.waiting) {
        if run.ahead.swap(ahead, Ordering::Relaxed) != ahead {
            run.event_writer.tell(&RunEvent::Waiting { run: run.number, ahead });
        }
    }
}
