//! Deadlocked valuations with stopwatches.
//!
//! A valuation is deadlocked if no transition is enabled there, nor after any delay. The valuations that enable a transition are a
//! union of zones; those from which a delay leads there are the past of each zone along the rates, which is a polyhedron. The
//! difference of a set and these polyhedra is a union of convex parts. Invariants are convex and hold at both ends of a delay, so
//! they hold along it.
//!
//! `zonegraph/src/deadlock.rs` does the same with zones, whose past is exact while all clocks run.

use tourbillon_dbm::Dbm;

use super::Fits;
use super::polyhedron::Polyhedron;

/// The past of a zone, if time can pass; `waiting` has whether each clock runs.
pub(super) fn before_step(zone: &Dbm, waiting: Option<&[bool]>) -> Fits<Polyhedron> {
    let mut set = Polyhedron::of(zone.dimension(), &zone.minimal_constraints());
    if let Some(runs) = waiting {
        set.past(runs)?;
    }
    Ok(set)
}

/// The difference of a set and others, as convex parts.
pub(super) fn without_steps(set: &Polyhedron, others: &[Polyhedron]) -> Fits<Vec<Polyhedron>> {
    let mut parts = vec![set.clone()];
    for other in others {
        let mut left = Vec::new();
        for part in &parts {
            left.extend(part.without(other)?);
        }
        parts = left;
    }
    Ok(parts)
}
