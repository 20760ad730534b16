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

use tourbillon_base::mutants::{self, Mutant};
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
    if mutants::is(Mutant::DelayForgotten) {
        return Ok(true);
    }
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

#[cfg(test)]
mod tests {
    use tourbillon_base::Id;
    use tourbillon_model::{ChannelId, ChannelKind, ClockAtom, ClockCondition, Compare, LocationKind};

    use super::*;
    use crate::testing::{Network, Scratch, assert_points, contains, delayed, delays, points, satisfies};

    fn allowed(system: &System, memory: &[i32]) -> bool {
        let Scratch { mut machine, locations, .. } = Scratch::new(system, memory);
        let urgent = system.channels.iter().any(|channel| channel.urgent);
        let (mut enumerator, mut list) = (Enumerator::new(system), Transitions::default());
        is_allowed(system, &mut machine, &mut enumerator, &mut list, urgent, &locations, memory).unwrap()
    }

    fn delay(system: &System, memory: &[i32], mut zone: Dbm) -> Dbm {
        let Scratch { mut machine, mut locals, locations } = Scratch::new(system, memory);
        let mut stopped = Vec::new();
        let non_empty =
            apply(system, &mut machine, &locations, memory, &mut locals, &mut stopped, &mut zone).unwrap();
        assert!(non_empty);
        zone
    }

    #[test]
    fn no_delay_is_possible_at_urgent_and_committed_locations() {
        let mut network = Network::new(&["x"]);
        network.process(1);
        let process = network.process(3);
        network.location(process, 1).kind = LocationKind::Urgent;
        network.location(process, 2).kind = LocationKind::Committed;
        let system = network.compile();
        assert_eq!([0, 1, 2].map(|location| allowed(&system, &[0, location])), [true, false, false]);
    }

    /// A sender and a receiver over an urgent channel, each with a second location from which it does not synchronise, and
    /// a variable that disables the receiver.
    fn urgent_channel(kind: ChannelKind) -> System {
        let mut network = Network::new(&["x"]);
        let v = network.cell(0);
        let channel = network.channel(kind);
        network.model.channels[ChannelId::from_index(0)].urgent = true;
        let sender = network.process(2);
        let send = network.edge(sender, 0, 1);
        network.send(send, channel);
        let receiver = network.process(2);
        let receive = network.edge(receiver, 0, 1);
        network.receive(receive, channel);
        let condition = network.equals(&v, 0);
        network.when(receive, condition);
        network.compile()
    }

    #[test]
    fn an_urgent_synchronisation_prevents_delays_while_it_is_enabled() {
        // Locations of sender and receiver, the variable; whether a binary and a broadcast synchronisation is enabled.
        let cases = [
            ([0, 0, 0], true, true),
            ([0, 0, 1], false, true),
            ([0, 1, 0], false, true),
            ([1, 0, 0], false, false),
            ([1, 1, 0], false, false),
        ];
        let (binary, broadcast) =
            (urgent_channel(ChannelKind::Binary), urgent_channel(ChannelKind::Broadcast));
        for (memory, in_binary, in_broadcast) in cases {
            assert_eq!(allowed(&binary, &memory), !in_binary, "binary, {memory:?}");
            assert_eq!(allowed(&broadcast, &memory), !in_broadcast, "broadcast, {memory:?}");
        }
    }

    /// Delays by definition: a point is reached if some earlier point on its trajectory is in the zone, and it
    /// satisfies the invariant. The three locations have upper bounds alone, a diagonal constraint too, and a computed bound.
    #[test]
    fn a_delay_reaches_what_the_invariant_allows() {
        let mut network = Network::new(&["x", "y"]);
        let v = network.cell(4);
        let process = network.process(3);
        network.invariant(process, 0, "x<=4");
        network.invariant(process, 1, "x<=4, y-x<1");
        let (left, bound) = (network.clock_place("x"), network.load(&v));
        let atom = ClockAtom { left, right: None, compare: Compare::LessOrEqual, bound };
        network.location(process, 2).invariant.clocks.push(ClockCondition { when: None, atom });
        let system = network.compile();
        let invariants = ["x<=4", "x<=4, y-x<1", "x<=4"].map(|text| network.constraints(text));
        for (location, invariant) in (0..).zip(&invariants) {
            let zone = [network.zone("x<=2, y>1, y<=2, y-x<1")];
            let result = delay(&system, &[location, 4], zone[0].clone());
            assert_points(&[result], 2, 6, |point| {
                satisfies(point, invariant) && delays(6).any(|delay| contains(&zone, &delayed(point, -delay)))
            });
        }
    }

    /// With `x` running and `y` stopped, the delay of a zone is a zone, and must be exact.
    #[test]
    fn a_stopped_clock_keeps_its_value() {
        let mut network = Network::new(&["x", "y"]);
        let v = network.cell(0);
        let process = network.process(1);
        let rate = network.load(&v);
        network.rate(process, 0, "y", rate);
        network.invariant(process, 0, "x<=5");
        let system = network.compile();
        let zone = [network.zone("x<=2, y>=1, y<3, x-y<1")];
        let stopped = delay(&system, &[0, 0], zone[0].clone());
        assert_points(&[stopped], 2, 6, |point| {
            point[0] <= 5 * crate::testing::UNIT
                && delays(6).any(|delay| contains(&zone, &[point[0] - delay, point[1]]))
        });
        let running = delay(&system, &[0, 1], zone[0].clone());
        let invariant = network.constraints("x<=5");
        assert_points(&[running], 2, 6, |point| {
            satisfies(point, &invariant) && delays(6).any(|delay| contains(&zone, &delayed(point, -delay)))
        });
    }

    /// With two running clocks the delay is no zone: `x` and `z` grow by the same amount. The result is the smallest zone
    /// that includes it: each bound is the supremum of its difference over the delay.
    #[test]
    fn several_running_clocks_are_approximated_by_the_smallest_zone() {
        let mut network = Network::new(&["x", "y", "z"]);
        let process = network.process(1);
        let rate = network.int(0);
        network.rate(process, 0, "y", rate);
        let system = network.compile();
        let zone = [network.zone("x<=2, y<=2, z<=1, x-y<=1, y-z<=1, z-x<=0")];
        let result = delay(&system, &[0], zone[0].clone());
        let sources: Vec<_> = points(3, 2).into_iter().filter(|point| contains(&zone, point)).collect();
        // The largest difference of two clocks after a delay of at most `limit` eighths; all suprema are attained.
        let supremum = |left: usize, right: usize, limit: i64| {
            let value = |point: &[i64], clock: usize, delay: i64| match clock {
                0 => 0,
                2 => point[1],
                _ => point[clock - 1] + delay,
            };
            let difference = |point: &[i64], delay| value(point, left, delay) - value(point, right, delay);
            sources.iter().flat_map(|point| [0, limit].map(|delay| difference(point, delay))).max()
        };
        for left in 0..4 {
            for right in (0..4).filter(|&right| right != left) {
                let (near, far) = (supremum(left, right, 8).unwrap(), supremum(left, right, 800).unwrap());
                let bound = result.bound(Clock::from_index(left), Clock::from_index(right));
                let limit = bound.constant().map(|limit| i64::from(limit.get()) * crate::testing::UNIT);
                assert_eq!(limit, (near == far).then_some(near), "clock {left} minus clock {right}");
                assert!(limit.is_none() || !bound.is_strict());
            }
        }
    }
}
