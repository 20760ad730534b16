//! Suprema of clocks by two searches in alternation.
//!
//! A supremum that is infinite may need acceleration, whose cycles are found along the paths to single states: without symmetry, and
//! by one thread. One that is finite does not, since its zones are finitely many. So there are two searches:
//!
//! | search | symmetry | visits | if a clock grows without bound along a cycle |
//! |---|---|---|---|
//! | *reduced* | as the plan has it | in rounds, as the plan has them | it may not end |
//! | *accelerating* | none | one by one | the cycle is accelerated |
//!
//! The first that has visited everything, or found that no value can be greater, gives the values. They are the same: both are the
//! suprema over all reachable states, since the automorphisms map each measured clock, the condition and all data that is measured
//! to itself.
//!
//! **Bound.** The accelerating search begins alone, for as many visits as come before the first round of a search
//! (`RoundSizes::after`): a small one ends there. Then they alternate (`search/src/alternate.rs`): after that, they make at most twice
//! the visits that the better of the two would make alone.
//!
//! **Limits.** The limits on states and memory hold for both together. When one is reached, one search is dropped, and the other
//! continues alone within the whole limit. The reduced search is dropped if a cycle was accelerated: then its zones probably grow
//! without end. Otherwise the accelerating search is, which takes more memory for the same states. A search in which a clock exceeds the
//! largest constant is dropped as well. If no search is complete in the end, each value is the best of both, and has the run that the
//! search which found it has.
//!
//! **Determinism.** The alternation and the choice of what is dropped depend on counts alone, not on threads.

use tourbillon_dbm::Clock;
use tourbillon_search::{Alternate, Budget, Ended, Exhausted, RoundSizes, Stats, alternate};

use super::{BoundsChecker, End, Exploration, Outcome, Use};
use crate::plan::RoundUse;

/// Explores for the suprema of these clocks.
pub(super) fn explore(
    checker: BoundsChecker<'_>,
    tracked: &[Clock],
    budget: &mut Budget<'_>,
    progress: &mut dyn FnMut(&Stats),
) -> Outcome {
    let mut accelerating = checker.exploration(Some(End::High), tracked, Use::Accelerating);
    let visits = visits_before_both(checker).unwrap_or(u64::MAX);
    if let Some(ended) = accelerating.run_until(visits, budget, progress) {
        return accelerating.outcome(checker, ended, budget);
    }
    let mut reduced = checker.exploration(Some(End::High), tracked, Use::Reduced);
    let (ender, ended) = alternate(
        (&mut reduced.search, &mut reduced.observer),
        (&mut accelerating.search, &mut accelerating.observer),
        budget,
        progress,
    );
    let ended = match ender {
        Alternate::First => reduced.checked(ended),
        Alternate::Second => accelerating.checked(ended),
        Alternate::Both => ended,
    };
    let mut continues = |stays, dropped| continue_alone(checker, (stays, dropped), budget, progress);
    match dropped(ender, &ended, accelerating.observer.has_accelerated()) {
        Some(Use::Reduced) => continues(accelerating, reduced),
        Some(Use::Accelerating) => continues(reduced, accelerating),
        None if ender == Alternate::Second => {
            outcome_of_both(checker, &accelerating, &reduced, ended, budget)
        }
        None => outcome_of_both(checker, &reduced, &accelerating, ended, budget),
    }
}

/// The visits of the accelerating search before it alternates with the other; `None` if it has no advantage to be another one.
fn visits_before_both(checker: BoundsChecker<'_>) -> Option<u64> {
    let plan = checker.plan();
    match plan.rounds {
        RoundUse::Rounds { sizes, .. } => Some(sizes.after),
        RoundUse::Off => plan.uses_symmetry().then(|| RoundSizes::default().after),
    }
}

/// The search that is dropped at an end of the alternation after which the other one continues.
fn dropped(ender: Alternate, ended: &Ended, has_accelerated: bool) -> Option<Use> {
    let is_full = matches!(ended, Ended::Exhausted(Exhausted::States | Exhausted::Memory));
    if !is_full && *ended != Ended::Overflowed {
        return None;
    }
    Some(match ender {
        Alternate::First => Use::Reduced,
        Alternate::Second => Use::Accelerating,
        Alternate::Both if has_accelerated => Use::Reduced,
        Alternate::Both => Use::Accelerating,
    })
}

/// Frees a search, of which the values so far are left, and continues the other.
fn continue_alone(
    checker: BoundsChecker<'_>,
    (mut stays, dropped): (Exploration<'_>, Exploration<'_>),
    budget: &mut Budget<'_>,
    progress: &mut dyn FnMut(&Stats),
) -> Outcome {
    budget.restart();
    let (values, visited) = (dropped.values(checker, false, budget), dropped.search.visited());
    drop(dropped);
    let with_dropped = |stats: &Stats| Stats { visited: stats.visited + visited, ..*stats };
    let ended = stays.run(budget, &mut |stats| progress(&with_dropped(stats)));
    let mut outcome = stays.outcome(checker, ended, budget);
    outcome.stats = with_dropped(&outcome.stats);
    if !outcome.is_complete() {
        outcome.improve(values);
    }
    outcome
}

/// The outcome of the search that has ended both, or the best of both if a limit or a failure has.
fn outcome_of_both(
    checker: BoundsChecker<'_>,
    one: &Exploration<'_>,
    other: &Exploration<'_>,
    ended: Ended,
    budget: &mut Budget<'_>,
) -> Outcome {
    let mut outcome = one.outcome(checker, ended, budget);
    outcome.stats = outcome.stats.and(&other.search.stats());
    if !outcome.is_complete() {
        outcome.improve(other.values(checker, false, budget));
    }
    outcome
}
