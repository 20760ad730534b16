//! Whether time can pass in a discrete state, and what that does to a zone.
//!
//! Time stands still at an urgent or committed location, and while a synchronisation over an urgent channel is
//! possible. No model is compiled in which clocks decide that, so that this is a matter of data alone: edges over
//! urgent channels have no clock guards, but for receivers of broadcasts, without which can be sent as well.
//!
//! **Stopwatches.** A clock may stand still at a location. What delays make of a zone is then no zone in general:
//! with `x` running and `y` standing, `x` grows while `y` and everything known of it stay, and how much `x` has
//! grown ties differences of several pairs together. The smallest zone around it is kept: a standing clock is
//! treated as the reference clock is, whose difference to a running one loses its upper bound and keeps its lower.
//! That is an over-approximation: what is not found does not happen, and what is found must be replayed.

use tourbillon_dbm::{Clock, Dbm};
use tourbillon_system::{LocationSummary, Machine, RuntimeError, System};

use crate::enumerate::{Enumerator, Transitions};
use crate::situation::Situation;
use crate::{guard, invariant};

/// Whether time can pass.
#[inline]
pub(crate) fn is_allowed(
    system: &System,
    machine: &mut Machine,
    enumerator: &mut Enumerator,
    scratch: &mut Transitions,
    has_urgent_channels: bool,
    situation: &Situation,
    memory: &[i32],
) -> Result<bool, RuntimeError> {
    if situation.has(LocationSummary::NO_DELAY) {
        return Ok(false);
    }
    Ok(!has_urgent_channels || !enumerator.is_urgent(system, machine, situation, memory, scratch)?)
}

/// Lets time pass as long as the invariants hold. Returns false if nothing is left, which is never so if they held
/// before.
#[inline]
pub(crate) fn apply(
    system: &System,
    machine: &mut Machine,
    situation: &Situation,
    memory: &[i32],
    locals: &mut [i32],
    standing: &mut Vec<Clock>,
    zone: &mut Dbm,
) -> Result<bool, RuntimeError> {
    if situation.has(LocationSummary::RATES) {
        stand(system, machine, situation, memory, locals, standing)?;
        up_but(standing, zone);
    } else if situation.others.is_empty() && !situation.has(LocationSummary::COMPUTED) {
        return Ok(zone.up_within(&situation.uppers));
    } else {
        zone.up();
    }
    invariant::apply(system, machine, situation, memory, locals, zone)
}

/// Finds the clocks that stand still.
pub(crate) fn stand(
    system: &System,
    machine: &mut Machine,
    situation: &Situation,
    memory: &[i32],
    locals: &mut [i32],
    standing: &mut Vec<Clock>,
) -> Result<(), RuntimeError> {
    standing.clear();
    for &place in &situation.places {
        for &(clock, rate) in &system.places[place].rates {
            if machine.read(&system.program, rate, memory, locals)? == 0 {
                standing.push(guard::clock(system, machine, clock, memory, locals)?);
            }
        }
    }
    Ok(())
}

/// Lets time pass for all but some clocks.
fn up_but(standing: &[Clock], zone: &mut Dbm) {
    let dimension = zone.dimension();
    let mut open = zone.clone().into_open();
    for running in dimension.iter().filter(|clock| !standing.contains(clock)) {
        for &fixed in standing.iter().chain([&Clock::REFERENCE]) {
            open.relax(running, fixed);
        }
    }
    *zone = open.close().expect("bounds were only loosened");
}
