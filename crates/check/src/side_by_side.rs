//! Searches side by side: properties that do not share a search, each group in a thread.
//!
//! Only searches with one thread run side by side: nested depth-first search, and orders that visit states one by one. A search in
//! rounds has all cores for itself. Several of them with a part of the cores each would finish no sooner together, would hold all their
//! lists at the same time, and the last of them would leave cores idle. (Their counts would be the same.)
//!
//! > **Invariant.** Each answer is what it would be if its group was checked alone, but for its time. Answers come in the order of the
//! > groups.
//!
//! Limits on time, and interruption, hold for all. A limit on states is one of each search, as it is one after the other. Memory
//! is shared: when the limit is reached, or the searches beside the first one take much ([`MemoryLedger`]), the last of them gives
//! up. Whatever ended for lack of memory beside others is checked again, alone, in its turn. So a search never ends because of another
//! one, and memory does not exceed that of the largest search by more than a fixed amount.
//!
//! A panic of a thread ends the others, and is passed on.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use tourbillon_base::{Cancellation, cancellation};
use tourbillon_search::{Budget, BudgetShare, MemoryLedger};

use crate::answer::Answer;
use crate::plan::RoundUse;
use crate::prepare::{PrepareError, Prepared};
use crate::{Checker, Progress, setup};

/// The answers of a group, or why it was refused.
pub(crate) type Checked = Result<Vec<Answer>, PrepareError>;

/// Messages that wait for the calling thread.
const MESSAGES: usize = 64;

/// What a thread tells the calling one.
enum Message {
    Progress(Box<Progress>),
    /// A group was checked; none if it needs more memory than is left beside others.
    Checked(usize, Option<Checked>),
    Panicked(Box<dyn std::any::Any + Send>),
}

/// How many threads a group may have of which its own search uses only one; 1 if its search is in rounds.
pub(crate) fn threads_beside(group: &[Prepared<'_>]) -> usize {
    let plan = group[0].plan();
    if plan.rounds == RoundUse::Off { setup::threads(plan.threads) } else { 1 }
}

/// Sets a flag when it is dropped.
struct SetOnDrop<'f>(&'f AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Checks groups, each with its index, in so many threads. `checked` gets the index and the answers of each that is done, in any
/// order; those that lack memory are left out.
pub(crate) fn check(
    groups: &[(usize, &[Prepared<'_>])],
    checkers: Vec<Box<dyn Checker + Send>>,
    budget: &Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    checked: &mut dyn FnMut(usize, Checked),
) {
    let ended = Arc::new(AtomicBool::new(false));
    let limits: Vec<Cancellation> = cancellation::installed()
        .into_iter()
        .chain([Cancellation { stop: Some(Arc::clone(&ended)), ..Cancellation::default() }])
        .collect();
    let shared = Shared {
        groups,
        ledger: Arc::new(MemoryLedger::new(groups.len(), budget.memory_bytes())),
        budget: budget.share(),
        next: AtomicUsize::new(0),
    };
    let (sender, messages) = sync_channel(MESSAGES);
    std::thread::scope(|scope| {
        // Also if the calling thread panics.
        let _ended = SetOnDrop(&ended);
        for mut checker in checkers {
            let (shared, limits, sender) = (&shared, limits.clone(), sender.clone());
            scope.spawn(move || {
                let _guards: Vec<_> = limits.into_iter().map(Cancellation::install).collect();
                let work = AssertUnwindSafe(|| shared.work(&mut *checker, &sender));
                if let Err(panic) = catch_unwind(work) {
                    _ = sender.send(Message::Panicked(panic));
                }
            });
        }
        drop(sender);
        for message in messages {
            match message {
                Message::Progress(progress) => observe(&progress),
                Message::Checked(index, Some(answers)) => checked(index, answers),
                Message::Checked(_, None) => {}
                Message::Panicked(panic) => resume_unwind(panic),
            }
        }
    });
}

/// What the threads share.
struct Shared<'g, 'p, 'b> {
    groups: &'g [(usize, &'g [Prepared<'p>])],
    ledger: Arc<MemoryLedger>,
    budget: BudgetShare<'b>,
    /// The next group.
    next: AtomicUsize,
}

impl Shared<'_, '_, '_> {
    /// Checks groups until none is left.
    fn work(&self, checker: &mut dyn Checker, sender: &SyncSender<Message>) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&(index, group)) = self.groups.get(number) else { return };
            let mut budget = self.budget.begin(&self.ledger, number);
            budget.restart();
            let mut answers = Vec::new();
            // Of several searches, the first one is shown; what nobody has read yet is not waited for.
            let mut observe = |progress: &Progress| {
                if self.ledger.is_first(number) {
                    _ = sender.try_send(Message::Progress(Box::new(*progress)));
                }
            };
            let done = checker.check(group, &mut budget, &mut observe, &mut |answer| answers.push(answer));
            self.ledger.end(number);
            let checked = (!budget.lacked_memory()).then(|| done.map(|()| answers));
            // The calling thread receives until all threads have ended, or panics.
            if sender.send(Message::Checked(index, checked)).is_err() {
                return;
            }
        }
    }
}
