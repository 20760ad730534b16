//! The deadlock checker: `E<> p` and `A[] p` where `p` mentions `deadlock`.
//!
//! A state is a deadlock if no delay leads to one with a transition. That is about what cannot happen, which bounds by L and U do
//! not preserve and M-bounds do `[BehrmannBouyerLarsenPelanek2004]`; the plan chooses them. With these, a deadlock is a state like
//! any other: the part of a zone without transitions is computed exactly (`zonegraph/src/deadlock.rs`), and the reachability
//! checker searches for it.
//!
//! Where clocks can be stopped, zones over-approximate what delays lead to, and deadlocks could be missed. Then polyhedra are
//! used from the start (`polyhedra/`), which are exact and may not terminate `[AlurCourcoubetisHalbwachs1995]`.

use std::time::Instant;

use tourbillon_search::{Budget, Stats};

use crate::Progress;
use crate::answer::Answer;
use crate::plan::Refusal;
use crate::prepare::Prepared;
use crate::reachability::{self, failures_last};

/// Checks properties that share a search.
pub(crate) fn check(
    group: &[Prepared<'_>],
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), Refusal> {
    if !group.iter().all(|prepared| prepared.system().has_stopwatches) {
        return reachability::check(group, budget, observe, answered);
    }
    failures_last(answered, |answered| {
        group.iter().for_each(|prepared| answered(check_with_polyhedra(prepared, budget)));
    });
    Ok(())
}

fn check_with_polyhedra(prepared: &Prepared<'_>, budget: &mut Budget<'_>) -> Answer {
    let started = Instant::now();
    let (conclusion, stored) = prepared.decide_exactly(prepared.goal(), budget);
    let stored = stored as u64;
    let stats = Stats { visited: stored, stored, stored_max: stored, ..Stats::default() };
    Answer { stats, time: started.elapsed(), ..prepared.concluded(conclusion) }
}
