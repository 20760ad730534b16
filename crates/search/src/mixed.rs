//! Several orders in turns, where a state is looked for and nobody knows which order comes upon it soon.
//!
//! Two searches stand beside each other, each with a list of its own: a *wide* one, in the order that would be chosen alone, and
//! a *deep* one, depth first. They visit a node each in turn, the wide one first. Whichever finds the goal, or
//! completes, ends both. Between the visits there are random descents (`descents.rs`).
//!
//! > **Bound.** If the wide search alone ends with its `m`-th visit, and the deep one alone with its `n`-th, then both together
//! > end after at most `2 min(m, n)` visits.
//!
//! Neither search knows of the other: its visits are those that it makes alone. If `m <= n`, the end comes with the `m`-th visit of the
//! wide search, when the deep one has made `m - 1`; else with the `n`-th of the deep one, when the wide one has made `n`. A
//! goal in the initial state, and one that was stored for an earlier question, is found without a visit. Where states are compared
//! when they are popped, that nothing is left is known when the next one is taken: then it is one visit more.
//!
//! More orders than two cannot be held to that, whatever the turns. Let there be `k` searches, no two of which come upon the same
//! node but the initial one, and let the goal be the next node of the one that has had the fewest visits so far: `v` of
//! `t >= k v`. Then the bound asks for `t + 1 <= 2 (v + 1)`. For `k > 2` that fails when `v > 1`, since `t >= 3 v`, and if `v` stays at
//! 0 or 1 it fails when `t > 3`. So the third kind is one that visits nothing. A descent takes [one step for every eight visits](VISITS_PER_STEP): a step
//! computes one successor and stores none, where a visit computes and offers all. The steps are counted by themselves.
//!
//! One list for both searches was considered, since it takes half the memory where nothing is found. But a search that is refused a
//! state because the other one has visited it, or is shown states that the other one has stored, is another search, and nothing
//! holds it to what it would take alone: depth first that comes upon a visited state turns back, although the goal may lie
//! behind it, where it waits in the other order.
//!
//! What runs out ends the deep search first: when the limit on states or memory is reached, the list of the deep one is given up and
//! the wide one goes on alone, within the whole limit. Up to then the bound holds. The same is done when the deep search
//! comes to a state where the model fails, where a clock overflows, or where its table is full, so that these are reported
//! where the order that is chosen alone would report them.
//!
//! Turns go by counts alone: the same question, plan and seed give the same visits.

use tourbillon_store::PassedWaiting;
use tourbillon_system::Predicate;

use crate::budget::{Budget, Exhausted};
use crate::descents::Descents;
use crate::explore::{Ended, Search};
use crate::goal::GoalObserver;
use crate::observer::Observer;
use crate::stats::Stats;

/// After how many visits of both searches a step of a descent is taken.
const VISITS_PER_STEP: u64 = 8;

/// One search, or two with descents.
#[derive(Debug)]
pub struct Mixed<'s> {
    wide: Search<'s>,
    beside: Option<Beside<'s>>,
    /// Who ended the last run.
    ended_by: Member,
    /// What was done beside the wide search in the last run before it was given up.
    given_up: Shares,
}

/// What goes on beside the wide search.
#[derive(Debug)]
struct Beside<'s> {
    deep: Search<'s>,
    descents: Descents,
}

/// One of those that take turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Member {
    /// The search in the order that would be chosen alone.
    Wide,
    /// The depth-first search.
    Deep,
    /// Random descents.
    Descent,
}

/// What each has done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Shares {
    /// Visits of the wide search.
    pub wide: u64,
    /// Visits of the deep one.
    pub deep: u64,
    /// Steps of descents.
    pub descent_steps: u64,
}

impl<'s> Mixed<'s> {
    /// A search that is alone.
    #[must_use]
    pub fn new(wide: Search<'s>) -> Self {
        Self { wide, beside: None, ended_by: Member::Wide, given_up: Shares::default() }
    }

    /// Puts a deep search that has not begun beside it, with descents drawn from a seed.
    pub fn add_deep(&mut self, deep: Search<'s>, seed: u64) {
        self.beside = Some(Beside { descents: Descents::new(deep.system(), seed), deep });
    }

    /// Whether there is no deep search beside it, and something is left to be found.
    #[must_use]
    pub fn wants_deep(&self) -> bool {
        !self.has_deep() && !self.wide.is_complete()
    }

    const fn has_deep(&self) -> bool {
        self.beside.is_some()
    }

    /// Whether it has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.wide.has_begun()
    }

    /// Whether one of the searches has visited everything.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.wide.is_complete() || self.beside.as_ref().is_some_and(|beside| beside.deep.is_complete())
    }

    /// Who found what was found last, or visited everything.
    #[must_use]
    pub const fn ended_by(&self) -> Member {
        self.ended_by
    }

    /// The list that has the node that was found, or failed.
    #[must_use]
    pub fn list(&self) -> &dyn PassedWaiting {
        match &self.beside {
            Some(beside) if self.ended_by == Member::Deep => beside.deep.list(),
            _ => self.wide.list(),
        }
    }

    /// The steps from the node that was found to where the goal is met: some after a descent, else none.
    #[must_use]
    pub fn steps_beyond(&self) -> &[u32] {
        match &self.beside {
            Some(beside) if self.ended_by == Member::Descent => beside.descents.path().1,
            _ => &[],
        }
    }

    /// What each has done.
    #[must_use]
    pub fn shares(&self) -> Shares {
        let Shares { deep, descent_steps, .. } =
            self.beside.as_ref().map_or_else(Shares::default, Beside::shares);
        Shares {
            wide: self.wide.visited(),
            deep: self.given_up.deep + deep,
            descent_steps: self.given_up.descent_steps + descent_steps,
        }
    }

    /// What there is to report, of both searches together.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let wide = self.wide.stats();
        let both = self.beside.as_ref().map_or(wide, |beside| {
            let deep = beside.deep.stats();
            let ended = if self.ended_by == Member::Deep { deep } else { wide };
            Stats { certainty: ended.certainty, ..wide.and(&deep) }
        });
        Stats { visited: both.visited + self.given_up.deep, ..both }
    }

    /// Looks for a goal, or visits everything if there is none. Turns are taken if `mixes` and a deep search is beside it; else
    /// the wide search is alone, and a deep one is given up, unless it has visited everything.
    pub fn run(
        &mut self,
        goal: Option<&Predicate>,
        mixes: bool,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        self.ended_by = Member::Wide;
        if let Some(beside) = &mut self.beside
            && beside.deep.is_complete()
        {
            self.ended_by = Member::Deep;
            return beside.deep.find(goal, budget, progress);
        }
        if !mixes || self.wide.is_complete() {
            self.give_up();
        }
        self.given_up = Shares::default();
        match goal {
            Some(goal) if self.has_deep() => self.take_turns(goal, budget, progress),
            _ => self.wide.find(goal, budget, progress),
        }
    }

    fn take_turns(
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
            if let Some(ended) = self.spend(budget, progress) {
                return ended;
            }
            if let Some(ended) = turn(&mut self.wide, &mut wide, budget) {
                return ended;
            }
            if !self.has_deep() {
                continue;
            }
            if let Some(ended) = self.spend(budget, progress) {
                return ended;
            }
            if let Some(ended) = self.turn_of_deep(&mut deep, budget) {
                return ended;
            }
            if round.is_multiple_of(VISITS_PER_STEP / 2)
                && let Some(ended) = self.descend(&mut wide)
            {
                return ended;
            }
        }
        unreachable!("rounds have no end")
    }

    /// Looks at what is stored already; at the very start, at the initial state.
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
        let beside = self.beside.as_mut()?;
        beside.deep.begin_or_test_stored(deep, budget);
        let ended = beside.deep.ended(deep)?;
        self.end_deep(ended)
    }

    /// What is exhausted with both searches, or with the wide one if the deep one has been given up for that.
    fn spend(&mut self, budget: &mut Budget<'_>, progress: &mut dyn FnMut(&Stats)) -> Option<Ended> {
        let exhausted = budget.spend(|| self.stats(), progress)?;
        let is_room = matches!(exhausted, Exhausted::States | Exhausted::Memory);
        if is_room && self.has_deep() {
            self.give_up();
            return None;
        }
        Some(Ended::Exhausted(exhausted))
    }

    fn turn_of_deep(&mut self, goal: &mut GoalObserver<'_>, budget: &Budget<'_>) -> Option<Ended> {
        let ended = turn(&mut self.beside.as_mut()?.deep, goal, budget)?;
        self.end_deep(ended)
    }

    /// How both end if the deep search ends like this; nothing if the wide one goes on alone.
    fn end_deep(&mut self, ended: Ended) -> Option<Ended> {
        let certainty = self.beside.as_ref().and_then(|beside| beside.deep.list().certainty());
        let is_full = certainty.is_some_and(|certainty| certainty.stopped);
        match ended {
            Ended::Failed(_) | Ended::Overflowed => self.give_up(),
            Ended::Complete if is_full => self.give_up(),
            ended => {
                self.ended_by = Member::Deep;
                return Some(ended);
            }
        }
        None
    }

    fn descend(&mut self, goal: &mut GoalObserver<'_>) -> Option<Ended> {
        let descents = &mut self.beside.as_mut()?.descents;
        if !descents.step(&mut self.wide, goal) {
            return None;
        }
        self.ended_by = Member::Descent;
        Some(Ended::Found { node: descents.path().0, least: None })
    }

    fn give_up(&mut self) {
        if let Some(beside) = self.beside.take() {
            self.given_up = beside.shares();
        }
    }
}

/// Expands the next node of a search. Returns how the search ended, if it has: also if that was the last node.
#[inline]
fn turn(search: &mut Search<'_>, goal: &mut GoalObserver<'_>, budget: &Budget<'_>) -> Option<Ended> {
    let ended = search.step(goal, budget).or_else(|| search.ended(goal));
    ended.or_else(|| (search.list().counts().waiting == 0).then(|| goal.complete()))
}

impl Beside<'_> {
    fn shares(&self) -> Shares {
        Shares { wide: 0, deep: self.deep.visited(), descent_steps: self.descents.steps() }
    }
}
