//! Two search orders in alternation, for reachability where it is unknown which order finds the goal soon.
//!
//! Two searches run, each with a list of its own: a *wide* one, in the order that the plan would choose alone, and a *deep* one,
//! depth first. They visit a node each in turn, the wide one first. The first that finds the goal, or completes, ends both.
//! Between the visits there are random walks (`random_walks.rs`).
//!
//! > **Bound.** If the wide search alone ends with its `m`-th visit, and the deep one alone with its `n`-th, then both together
//! > end after at most `2 min(m, n)` visits.
//!
//! The searches are independent: each makes the visits that it makes alone. If `m <= n`, the end comes with the `m`-th visit of
//! the wide search, when the deep one has made `m - 1`; else with the `n`-th of the deep one, when the wide one has made `n`. A
//! goal in the initial state, and one that was stored for an earlier property, is found without a visit. Where subsumption is
//! tested when states are popped, the list is known to be empty only at the next pop: then it is one visit more.
//!
//! No such bound is possible for more than two orders. Let there be `k` searches that share no node but the initial one, and
//! let the goal be the next node of the search with the fewest visits so far: `v` of `t >= k v`. Then the bound requires
//! `t + 1 <= 2 (v + 1)`. For `k > 2` that fails when `v > 1`, since `t >= 3 v`, and if `v` stays at 0 or 1 it fails when `t > 3`.
//! So the third strategy visits nothing. A walk takes [one step for every eight visits](VISITS_PER_STEP): a step computes one
//! successor and stores none, where a visit computes and offers all. Steps are counted separately.
//!
//! One list for both searches was considered, since it takes half the memory where there is no goal. But a search that skips a
//! state because the other one has visited it is another search, and has no such bound: a depth-first search that reaches a
//! visited state backtracks, although the goal may be behind it, where it waits in the other order.
//!
//! Limits end the deep search first: when the limit on states or memory is reached, the list of the deep search is freed and the
//! wide one continues alone, within the whole limit. Until then the bound holds. The same is done when the model fails in the
//! deep search, when a clock overflows, or when its table is full, so that these are reported where the order of the plan would
//! report them.
//!
//! When the wide search continues in rounds (`rounds.rs`), the deep one makes as many visits as each round has nodes, beside it.
//! The bound holds up to the end of a round: if the wide search finds the goal in the same round, it is that which counts. There are
//! no random walks any more.
//!
//! The alternation depends on counts alone: the same property, plan and seed give the same visits.

use tourbillon_store::{NodeId, PassedWaiting};
use tourbillon_system::Predicate;

use crate::alternate::visit_next;
use crate::budget::{Budget, Exhausted, Limits};
use crate::explore::{Ended, Search};
use crate::goal::GoalObserver;
use crate::random_walks::RandomWalks;
use crate::rounds::{RoundTimes, Rounds, SideSearch};
use crate::stats::Stats;

/// The number of visits of both searches for each step of a random walk.
const VISITS_PER_STEP: u64 = 8;

/// One search, or two in alternation with random walks.
#[derive(Debug)]
pub struct Mixed<'s> {
    wide: Search<'s>,
    deep: Option<DeepSearch<'s>>,
    /// The strategy that ended the last run.
    ended_by: Strategy,
    /// The counts of a deep search that was dropped in the last run.
    dropped: StrategyCounts,
}

/// The depth-first search, and the random walks.
#[derive(Debug)]
struct DeepSearch<'s> {
    search: Search<'s>,
    walks: RandomWalks,
}

/// A strategy of a mixed search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    /// The search in the order that the plan would choose alone.
    Wide,
    /// The depth-first search.
    Deep,
    RandomWalk,
}

/// The work of each strategy.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StrategyCounts {
    /// Visits of the wide search.
    pub wide: u64,
    /// Visits of the deep search.
    pub deep: u64,
    /// Steps of random walks.
    pub walk_steps: u64,
}

impl<'s> Mixed<'s> {
    /// One search alone.
    #[must_use]
    pub fn new(wide: Search<'s>) -> Self {
        Self { wide, deep: None, ended_by: Strategy::Wide, dropped: StrategyCounts::default() }
    }

    /// Adds a deep search that has not begun, and random walks with a seed.
    pub fn add_deep(&mut self, deep: Search<'s>, seed: u64) {
        self.deep = Some(DeepSearch { walks: RandomWalks::new(deep.system(), seed), search: deep });
    }

    /// Whether there is no deep search, and the wide one is not complete.
    #[must_use]
    pub fn wants_deep(&self) -> bool {
        !self.has_deep() && !self.wide.is_complete()
    }

    const fn has_deep(&self) -> bool {
        self.deep.is_some()
    }

    /// Whether the initial state has been offered.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.wide.has_begun()
    }

    /// Whether one of the searches has visited everything.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.wide.is_complete() || self.deep.as_ref().is_some_and(|deep| deep.search.is_complete())
    }

    /// The strategy that found the goal last, or visited everything.
    #[must_use]
    pub const fn ended_by(&self) -> Strategy {
        self.ended_by
    }

    /// The list of the search that ended the last run.
    #[must_use]
    pub fn list(&self) -> &dyn PassedWaiting {
        match &self.deep {
            Some(deep) if self.ended_by == Strategy::Deep => deep.search.list(),
            _ => self.wide.list(),
        }
    }

    /// The ordinals of the transitions to the node that was found, or failed, and of the random walk from there to the goal;
    /// `None` if the list stores no traces.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Option<Vec<u32>> {
        let path = match &self.deep {
            Some(deep) if self.ended_by == Strategy::Deep => deep.search.path(node),
            _ => self.wide.path(node),
        };
        Some([&path?, self.walk()].concat())
    }

    /// The transitions of the random walk from the node that was found to the goal; empty if a search found it.
    pub(crate) fn walk(&self) -> &[u32] {
        match &self.deep {
            Some(deep) if self.ended_by == Strategy::RandomWalk => deep.walks.path().1,
            _ => &[],
        }
    }

    /// The work of each strategy.
    #[must_use]
    pub fn counts(&self) -> StrategyCounts {
        let StrategyCounts { deep, walk_steps, .. } =
            self.deep.as_ref().map_or_else(StrategyCounts::default, DeepSearch::counts);
        StrategyCounts {
            wide: self.wide.visited(),
            deep: self.dropped.deep + deep,
            walk_steps: self.dropped.walk_steps + walk_steps,
        }
    }

    /// What the phases of the rounds of the wide search took; none if it had no rounds.
    #[must_use]
    pub fn round_times(&self) -> Option<RoundTimes> {
        Some(self.wide.round_times()).filter(|times| times.rounds > 0)
    }

    /// The statistics of both searches together.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let wide = self.wide.stats();
        let both = self.deep.as_ref().map_or(wide, |deep| {
            let deep = deep.search.stats();
            let ended = if self.ended_by == Strategy::Deep { deep } else { wide };
            Stats { certainty: ended.certainty, ..wide.and(&deep) }
        });
        Stats { visited: both.visited + self.dropped.deep, ..both }
    }

    /// Searches for a goal, or visits everything if there is none. If `mixes`, the searches alternate; else the wide search runs
    /// alone, and a deep one is dropped, unless it has visited everything.
    pub fn run(
        &mut self,
        goal: Option<&Predicate>,
        mixes: bool,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        self.ended_by = Strategy::Wide;
        if let Some(deep) = &mut self.deep
            && deep.search.is_complete()
        {
            self.ended_by = Strategy::Deep;
            return deep.search.find(goal, budget, progress);
        }
        if !mixes || self.wide.is_complete() {
            self.drop_deep();
        }
        self.dropped = StrategyCounts::default();
        match goal {
            Some(goal) if self.has_deep() => self.alternate(goal, budget, progress),
            _ => self.wide.find(goal, budget, progress),
        }
    }

    fn alternate(
        &mut self,
        goal: &Predicate,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        let [mut wide, mut deep] = [self.wide.goal(Some(goal)), self.wide.goal(Some(goal))];
        if let Some(ended) = self.begin(&mut wide, &mut deep, budget) {
            return ended;
        }
        for round in 1u64.. {
            if self.wide.is_due_for_rounds()
                && let Some(rounds) = self.wide.divide(&mut wide)
            {
                return self.run_rounds(&rounds, &mut wide, deep, budget, progress);
            }
            if let Some(ended) = self.spend(budget, progress) {
                return ended;
            }
            if let Some(ended) = visit_next(&mut self.wide, &mut wide, budget) {
                return ended;
            }
            if !self.has_deep() {
                continue;
            }
            if let Some(ended) = self.spend(budget, progress) {
                return ended;
            }
            if let Some(ended) = self.visit_next_of_deep(&mut deep, budget) {
                return ended;
            }
            if round.is_multiple_of(VISITS_PER_STEP / 2)
                && let Some(ended) = self.walk_one_step(&mut wide)
            {
                return ended;
            }
        }
        unreachable!("rounds have no end")
    }

    /// Continues in rounds of the wide search, with the deep one beside them.
    fn run_rounds(
        &mut self,
        rounds: &Rounds,
        wide: &mut GoalObserver<'_>,
        deep: GoalObserver<'_>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        let mut side = DeepSide {
            deep: &mut self.deep,
            goal: deep,
            dropped: &mut self.dropped,
            limits: Limits { memory_bytes: budget.memory_bytes(), ..Limits::default() },
            ended: None,
            has_ended_both: false,
        };
        let ended = self.wide.run_rounds(rounds, wide, Some(&mut side), budget, progress);
        if side.has_ended_both {
            self.ended_by = Strategy::Deep;
        }
        ended
    }

    /// Tests the stored states; at the start, the initial state.
    fn begin(
        &mut self,
        wide: &mut GoalObserver<'_>,
        deep: &mut GoalObserver<'_>,
        budget: &Budget<'_>,
    ) -> Option<Ended> {
        self.wide.begin_or_test_stored(wide, budget);
        if let Some(ended) = self.wide.ended(wide) {
            return Some(ended);
        }
        let search = &mut self.deep.as_mut()?.search;
        search.begin_or_test_stored(deep, budget);
        let ended = search.ended(deep)?;
        self.end_deep(ended)
    }

    /// Checks the limits. If both searches together exceed the limit on states or memory, the deep one is dropped.
    fn spend(&mut self, budget: &mut Budget<'_>, progress: &mut dyn FnMut(&Stats)) -> Option<Ended> {
        let exhausted = budget.spend(|| self.stats(), progress)?;
        let is_room = matches!(exhausted, Exhausted::States | Exhausted::Memory);
        if is_room && self.has_deep() {
            self.drop_deep();
            return None;
        }
        Some(Ended::Exhausted(exhausted))
    }

    fn visit_next_of_deep(&mut self, goal: &mut GoalObserver<'_>, budget: &Budget<'_>) -> Option<Ended> {
        let ended = visit_next(&mut self.deep.as_mut()?.search, goal, budget)?;
        self.end_deep(ended)
    }

    /// The end of both searches after the deep one has ended; `None` if the wide one continues alone.
    fn end_deep(&mut self, ended: Ended) -> Option<Ended> {
        if self.deep.as_ref().is_some_and(|deep| deep.ends_both(&ended)) {
            self.ended_by = Strategy::Deep;
            return Some(ended);
        }
        self.drop_deep();
        None
    }

    fn walk_one_step(&mut self, goal: &mut GoalObserver<'_>) -> Option<Ended> {
        let walks = &mut self.deep.as_mut()?.walks;
        if !walks.step(&mut self.wide, goal) {
            return None;
        }
        self.ended_by = Strategy::RandomWalk;
        Some(Ended::Found { node: walks.path().0, least: None })
    }

    fn drop_deep(&mut self) {
        drop_deep(&mut self.deep, &mut self.dropped);
    }
}

/// Frees a deep search, and notes its counts.
fn drop_deep(deep: &mut Option<DeepSearch<'_>>, dropped: &mut StrategyCounts) -> bool {
    let taken = deep.take();
    taken.map(|deep| *dropped = deep.counts()).is_some()
}

/// The deep search beside the rounds of the wide one.
struct DeepSide<'m, 's, 'g> {
    deep: &'m mut Option<DeepSearch<'s>>,
    goal: GoalObserver<'g>,
    dropped: &'m mut StrategyCounts,
    /// The limits within the visits of a round.
    limits: Limits,
    ended: Option<Ended>,
    has_ended_both: bool,
}

impl SideSearch for DeepSide<'_, '_, '_> {
    fn visit(&mut self, visits: usize) {
        let Some(deep) = &mut *self.deep else { return };
        // The thread has the flag and the deadline already.
        let budget = Budget::new(self.limits, None);
        self.ended = (0..visits).find_map(|_| visit_next(&mut deep.search, &mut self.goal, &budget));
    }

    fn stats(&self) -> Option<Stats> {
        self.deep.as_ref().map(|deep| deep.search.stats())
    }

    fn give_up(&mut self) -> bool {
        drop_deep(self.deep, self.dropped)
    }

    fn ended(&mut self) -> Option<Ended> {
        let ended = self.ended.take()?;
        let is_full = matches!(ended, Ended::Exhausted(Exhausted::States | Exhausted::Memory));
        self.has_ended_both = !is_full && self.deep.as_ref().is_some_and(|deep| deep.ends_both(&ended));
        if self.has_ended_both {
            return Some(ended);
        }
        self.give_up();
        None
    }
}

impl DeepSearch<'_> {
    /// Whether an end of the deep search is the end of both.
    fn ends_both(&self, ended: &Ended) -> bool {
        let is_full = || self.search.list().certainty().is_some_and(|certainty| certainty.stopped);
        match ended {
            Ended::Failed(_) | Ended::Overflowed => false,
            Ended::Complete => !is_full(),
            _ => true,
        }
    }

    fn counts(&self) -> StrategyCounts {
        StrategyCounts { wide: 0, deep: self.search.visited(), walk_steps: self.walks.steps() }
    }
}
