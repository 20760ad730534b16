//! Where no step can be waited for, while some clocks stand still.
//!
//! A point is deadlocked if no transition can be taken there, nor after any delay. Where a transition can be taken is a
//! union of zones, whether clocks run or not; where it can be waited for is the past of each along the rates, which is a
//! polyhedron. Taking these away from a set leaves convex parts. Invariants are convex and hold at both ends of a delay, so
//! they hold all along it.
//!
//! That is what `zonegraph/src/deadlock.rs` does with zones, whose past is exact while all clocks run.

use tourbillon_dbm::Dbm;

use super::Fits;
use super::polyhedron::Polyhedron;

/// The points from which a zone can be waited for; the zone itself where time does not pass. `waiting` tells which clocks
/// run.
pub(super) fn before_step(zone: &Dbm, waiting: Option<&[bool]>) -> Fits<Polyhedron> {
    let mut set = Polyhedron::of(zone.dimension(), &zone.minimal_constraints());
    if let Some(runs) = waiting {
        set.past(runs)?;
    }
    Ok(set)
}

/// The parts of a set that none of these others cover.
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
