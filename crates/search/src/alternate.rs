//! Two explorations in alternation, where it is unknown which of them ends, or ends sooner.
//!
//! Each has a list, and an observer, of its own. They visit a node each in turn; the first that ends, for whatever reason, ends the
//! alternation. Both can be continued, and either one alone.
//!
//! > **Bound.** If the first search alone ends with its `m`-th visit, and the second one alone with its `n`-th, then both together
//! > end after at most `2 min(m, n)` visits. (The proof is in `mixed.rs`.)
//!
//! When the first search continues in rounds (`rounds.rs`), the second one makes as many visits as each round has nodes, beside it.
//! The bound holds up to the end of a round. If both end in one round, it is the first that counts.
//!
//! The limits on states and memory hold for both together. Which of the two then continues alone is for the caller to decide.

use crate::budget::{Budget, Exhausted, Limits};
use crate::explore::{Ended, Search};
use crate::observer::Observer;
use crate::rounds::{RoundObserver, SideSearch};
use crate::stats::Stats;

/// Which of two alternating searches has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Alternate {
    First,
    Second,
    /// A limit on both together was reached.
    Both,
}

/// Explores with two searches in alternation, each with its observer. The first may continue in rounds.
pub fn alternate<O: RoundObserver>(
    (first, first_observer): (&mut Search<'_>, &mut O),
    (second, second_observer): (&mut Search<'_>, &mut O),
    budget: &mut Budget<'_>,
    progress: &mut dyn FnMut(&Stats),
) -> (Alternate, Ended) {
    second.begin(second_observer, budget);
    if let Some(ended) = second.ended(second_observer) {
        return (Alternate::Second, ended);
    }
    first.begin(first_observer, budget);
    if let Some(ended) = first.ended(first_observer) {
        return (Alternate::First, ended);
    }
    loop {
        if first.is_due_for_rounds()
            && let Some(rounds) = first.divide(first_observer)
        {
            let limits = Limits { memory_bytes: budget.memory_bytes(), ..Limits::default() };
            let mut side =
                Side { search: second, observer: second_observer, limits, ended: None, ends_both: false };
            let ended = first.run_rounds(&rounds, first_observer, Some(&mut side), budget, progress);
            return (side.ender(&ended), ended);
        }
        if let Some(exhausted) = budget.spend(|| first.stats().and(&second.stats()), progress) {
            return (Alternate::Both, Ended::Exhausted(exhausted));
        }
        if let Some(ended) = visit_next(first, first_observer, budget) {
            return (Alternate::First, ended);
        }
        if let Some(ended) = visit_next(second, second_observer, budget) {
            return (Alternate::Second, ended);
        }
    }
}

/// Expands the next node of a search. Returns how the search ended, if it has: also if that was the last node.
#[inline]
pub(crate) fn visit_next(
    search: &mut Search<'_>,
    observer: &mut dyn Observer,
    budget: &Budget<'_>,
) -> Option<Ended> {
    let ended = search.step(observer, budget).or_else(|| search.ended(observer));
    ended.or_else(|| (search.list().counts().waiting == 0).then(|| observer.complete()))
}

/// The second search beside the rounds of the first.
struct Side<'m, 's, O> {
    search: &'m mut Search<'s>,
    observer: &'m mut O,
    /// The limits within the visits of a round.
    limits: Limits,
    ended: Option<Ended>,
    ends_both: bool,
}

impl<O> Side<'_, '_, O> {
    /// Whose end this end of the rounds is.
    fn ender(&self, ended: &Ended) -> Alternate {
        match ended {
            _ if self.ends_both => Alternate::Second,
            Ended::Exhausted(Exhausted::States | Exhausted::Memory) => Alternate::Both,
            _ => Alternate::First,
        }
    }
}

impl<O: RoundObserver> SideSearch for Side<'_, '_, O> {
    fn visit(&mut self, visits: usize) {
        if self.ended.is_none() {
            // The thread has the flag and the deadline already.
            let budget = Budget::new(self.limits, None);
            self.ended = (0..visits).find_map(|_| visit_next(self.search, self.observer, &budget));
        }
    }

    fn stats(&self) -> Option<Stats> {
        Some(self.search.stats())
    }

    fn give_up(&mut self) -> bool {
        false
    }

    fn ended(&mut self) -> Option<Ended> {
        let ended = self.ended.clone()?;
        self.ends_both = true;
        Some(ended)
    }
}
