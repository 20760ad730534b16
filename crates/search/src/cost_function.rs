//! What tells a waiting list which state to visit next: a number for each, the least first.
//!
//! | cost function | the number | paper |
//! |---|---|---|
//! | earliest | the least value of a clock that is never reset | |
//! | topological | 0 for a universal zone, which nothing covers; else the sum of the positions of the locations, and one | `[HerbreteauTran2015, sections 4 and 5]` |
//! | sweep | see `sweep.rs` | |
//! | nearest | how many edges the processes are away from the locations of a goal; then how much time must have passed | |
//!
//! It is computed for every successor, stored or not, so it must be cheap: a few look-ups each.
//!
//! How much time must have passed is not known without a clock that is never reset. But no clock shows more time than has
//! passed, if none is set to other values than 0: so the largest of the least values of the clocks is a bound.

use tourbillon_dbm::{Bound, Clock, Dbm};
use tourbillon_system::{Positions, System};

use crate::sweep::Sweep;

/// A way to tell which state to visit next.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum CostFunction {
    /// None is needed.
    #[default]
    None,
    /// The earliest, by this clock.
    Earliest(Clock),
    /// Those with universal zones, then those whose locations come first.
    Topological(Positions),
    /// Those with universal zones, then in sweeps.
    Sweep(Sweep),
    /// The nearest to the goal.
    Nearest(Distance),
}

/// How far a state is from a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Distance {
    /// So many steps, whatever the state.
    Known(u32),
    /// That of a location of a process.
    Of {
        /// Which process.
        process: usize,
        /// For each of its locations.
        steps: Box<[u32]>,
    },
    /// That of all together.
    All(Vec<Distance>),
    /// That of the nearest.
    Any(Vec<Distance>),
}

impl Distance {
    /// The distance from where there is no way.
    pub const FAR: u32 = 1 << 20;

    /// How far it is from a state.
    #[must_use]
    pub fn from(&self, memory: &[i32]) -> u32 {
        match self {
            Self::Known(steps) => *steps,
            Self::Of { process, steps } => steps[memory[*process] as usize],
            Self::All(parts) => {
                parts.iter().map(|part| part.from(memory)).fold(0, u32::saturating_add).min(Self::FAR)
            }
            Self::Any(parts) => parts.iter().map(|part| part.from(memory)).min().unwrap_or(Self::FAR),
        }
    }
}

impl CostFunction {
    /// The clock by which the earliest is chosen.
    #[must_use]
    pub const fn clock(&self) -> Option<Clock> {
        match self {
            Self::Earliest(clock) => Some(*clock),
            _ => None,
        }
    }

    /// Notes which state is being expanded, and its number.
    #[inline]
    pub fn depart(&mut self, system: &System, memory: &[i32], cost: u64) {
        if let Self::Sweep(sweep) = self {
            sweep.depart(system, memory, cost);
        }
    }

    /// The number of a successor of the state being expanded, or of an initial state.
    #[inline]
    #[must_use]
    pub fn cost(&self, system: &System, memory: &[i32], zone: &Dbm) -> u64 {
        match self {
            Self::None => 0,
            Self::Earliest(clock) => least(*clock, zone),
            Self::Topological(_) if zone.is_universal() => 0,
            Self::Topological(positions) => u64::from(positions.sum(system, memory)) + 1,
            Self::Sweep(sweep) => sweep.cost(system, memory, zone),
            Self::Nearest(distance) => u64::from(distance.from(memory)) << 32 | passed(zone),
        }
    }
}

/// The least value of a clock in a zone, twice, and one more if it is not attained.
#[inline]
pub(crate) fn least(clock: Clock, zone: &Dbm) -> u64 {
    let bound: Bound = zone.bound(Clock::REFERENCE, clock);
    let least = bound.constant().map_or(0, |constant| u64::from(constant.get().unsigned_abs()));
    2 * least + u64::from(bound.is_strict())
}

/// A bound for the time that must have passed: the largest of the least values of all clocks.
#[inline]
fn passed(zone: &Dbm) -> u64 {
    zone.dimension().iter().map(|clock| least(clock, zone)).max().unwrap_or(0).min(u64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_add_up_or_the_nearest_counts() {
        let at = |process, steps: [u32; 3]| Distance::Of { process, steps: steps.into() };
        let [first, second] = [at(0, [2, 1, 0]), at(1, [0, 5, Distance::FAR])];
        let both = [first.clone(), second.clone()].to_vec();
        assert_eq!(first.from(&[1, 1]), 1);
        assert_eq!(Distance::All(both.clone()).from(&[0, 1]), 7);
        assert_eq!(Distance::Any(both.clone()).from(&[0, 1]), 2);
        assert_eq!(Distance::All(both).from(&[0, 2]), Distance::FAR);
        assert_eq!(Distance::Any(Vec::new()).from(&[0, 0]), Distance::FAR);
    }
}
