//! Fifth stage: whether time can pass in a discrete state, and the delay of a zone `[BengtssonYi2004]`.
//!
//! No delay is possible at an urgent or committed location, or while a synchronisation over an urgent channel is
//! enabled. Models in which clocks decide that are refused by the compiler, so that it depends on data alone: edges over
//! urgent channels have no clock guards, except receivers of broadcasts, which a sender does not need.
//!
//! **Stopwatches** `[CassezLarsen2000]`. The set of valuations after a delay is not a zone in general if some clocks are
//! stopped: with `x` running and `y` stopped, `x` grows by the same amount as every other running clock, while `y` and
//! its constraints stay. The smallest enclosing zone is used: a stopped clock is treated as the reference clock, whose
//! difference to a running clock loses its upper bound and keeps its lower bound. That is an over-approximation: a
//! state that is not found is unreachable, and a state that is found must be replayed.

use tourbillon_dbm::{Clock, Dbm};
use tourbillon_system::{LocationSummary, Machine, RuntimeError, System};

use crate::enumerate::{Enumerator, Transitions};
use crate::location_vector::LocationVector;
use crate::{guard, invariant};

/// Whether time can pass in the discrete state.
#[inline]
pub(crate) fn is_allowed(
    system: &System,
    machine: &mut Machine,
    enumerator: &mut Enumerator,
    scratch: &mut Transitions,
    has_urgent_channels: bool,
    locations: &LocationVector,
    memory: &[i32],
) -> Result<bool, RuntimeError> {
    if locations.has(LocationSummary::NO_DELAY) {
        return Ok(false);
    }
    Ok(!has_urgent_channels || !enumerator.is_urgent(system, machine, locations, memory, scratch)?)
}

/// Delays the zone as long as the invariants hold. Returns false if the result is empty, which is impossible if the
/// zone was within the invariants.
#[inline]
pub(crate) fn apply(
    system: &System,
    machine: &mut Machine,
    locations: &LocationVector,
    memory: &[i32],
    locals: &mut [i32],
    stopped: &mut Vec<Clock>,
    zone: &mut Dbm,
) -> Result<bool, RuntimeError> {
    if locations.has(LocationSummary::RATES) {
        stopped_clocks(system, machine, locations, memory, locals, stopped)?;
        up_except(stopped, zone);
    } else if locations.others.is_empty() && !locations.has(LocationSummary::COMPUTED) {
        return Ok(zone.up_within(&locations.uppers));
    } else {
        zone.up();
    }
    invariant::apply(system, machine, locations, memory, locals, zone)
}

/// Evaluates the rates of the locations and collects the clocks whose rate is 0.
pub(crate) fn stopped_clocks(
    system: &System,
    machine: &mut Machine,
    locations: &LocationVector,
    memory: &[i32],
    locals: &mut [i32],
    stopped: &mut Vec<Clock>,
) -> Result<(), RuntimeError> {
    stopped.clear();
    for &location in &locations.ids {
        for &(clock, rate) in &system.places[location].rates {
            if machine.read(&system.program, rate, memory, locals)? == 0 {
                stopped.push(guard::clock(system, machine, clock, memory, locals)?);
            }
        }
    }
    Ok(())
}

/// The smallest zone that includes all delays of the zone in which the stopped clocks keep their values.
fn up_except(stopped: &[Clock], zone: &mut Dbm) {
    let dimension = zone.dimension();
    let mut open = zone.clone().into_open();
    for running in dimension.iter().filter(|clock| !stopped.contains(clock)) {
        for &fixed in stopped.iter().chain([&Clock::REFERENCE]) {
            open.relax(running, fixed);
        }
    }
    *zone = open.close().expect("bounds were only loosened");
}
