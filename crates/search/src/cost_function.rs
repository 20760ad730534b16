//! Cost functions: the cost of each state, by which best-first orders select the next node, the least first.
//!
//! | cost function | the cost | paper |
//! |---|---|---|
//! | earliest | the least value of a clock that is never reset | |
//! | topological | 0 for a universal zone, which no other zone covers; else 1 plus the sum of the positions of the locations | `[HerbreteauTran2015, sections 4 and 5]` |
//! | sweep | see `sweep.rs` | |
//! | nearest | the distance of the processes from the locations of a goal, in edges; then a lower bound of the elapsed time | |
//!
//! A cost is computed for every successor, stored or not, so it must be cheap: a few look-ups.
//!
//! The elapsed time is unknown without a clock that is never reset. If clocks are reset to 0 only, no clock exceeds the
//! elapsed time, so the largest of the least values of the clocks is a lower bound.

use tourbillon_dbm::{Bound, Clock, Dbm};
use tourbillon_system::{Positions, System};

use crate::sweep::Sweep;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum CostFunction {
    /// All costs are 0, for orders that need none.
    #[default]
    None,
    /// The least value of this clock.
    Earliest(Clock),
    /// Universal zones first, then the sum of the positions of the locations.
    Topological(Positions),
    Sweep(Sweep),
    /// The distance to the goal.
    Nearest(Distance),
}

/// The distance of a state from a goal, in edges of processes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Distance {
    /// The same for every state.
    Constant(u32),
    /// The distance of the location of one process.
    Process {
        process: usize,
        /// For each of its locations.
        steps: Box<[u32]>,
    },
    Sum(Vec<Distance>),
    /// The minimum.
    Min(Vec<Distance>),
}

impl Distance {
    /// The distance if there is no path.
    pub const INFINITE: u32 = 1 << 20;

    /// The distance of a state.
    #[must_use]
    pub fn of(&self, memory: &[i32]) -> u32 {
        match self {
            Self::Constant(steps) => *steps,
            Self::Process { process, steps } => steps[memory[*process] as usize],
            Self::Sum(parts) => {
                parts.iter().map(|part| part.of(memory)).fold(0, u32::saturating_add).min(Self::INFINITE)
            }
            Self::Min(parts) => parts.iter().map(|part| part.of(memory)).min().unwrap_or(Self::INFINITE),
        }
    }
}

impl CostFunction {
    /// The clock whose least value is the cost.
    #[must_use]
    pub const fn clock(&self) -> Option<Clock> {
        match self {
            Self::Earliest(clock) => Some(*clock),
            _ => None,
        }
    }

    /// Sets the state that is expanded, and its cost.
    #[inline]
    pub fn depart(&mut self, system: &System, memory: &[i32], cost: u64) {
        if let Self::Sweep(sweep) = self {
            sweep.depart(system, memory, cost);
        }
    }

    /// The cost of a successor of the state that is expanded, or of an initial state.
    #[inline]
    #[must_use]
    pub fn cost(&self, system: &System, memory: &[i32], zone: &Dbm) -> u64 {
        match self {
            Self::None => 0,
            Self::Earliest(clock) => least(*clock, zone),
            Self::Topological(_) if zone.is_universal() => 0,
            Self::Topological(positions) => u64::from(positions.sum(system, memory)) + 1,
            Self::Sweep(sweep) => sweep.cost(system, memory, zone),
            Self::Nearest(distance) => u64::from(distance.of(memory)) << 32 | elapsed(zone),
        }
    }
}

/// Twice the least value of a clock in a zone, plus 1 if it is not attained.
#[inline]
pub(crate) fn least(clock: Clock, zone: &Dbm) -> u64 {
    let bound: Bound = zone.bound(Clock::REFERENCE, clock);
    let least = bound.constant().map_or(0, |constant| u64::from(constant.get().unsigned_abs()));
    2 * least + u64::from(bound.is_strict())
}

/// A lower bound of the elapsed time: the largest of the least values of all clocks.
#[inline]
fn elapsed(zone: &Dbm) -> u64 {
    zone.dimension().iter().map(|clock| least(clock, zone)).max().unwrap_or(0).min(u64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_sums_and_minima() {
        let at = |process, steps: [u32; 3]| Distance::Process { process, steps: steps.into() };
        let [first, second] = [at(0, [2, 1, 0]), at(1, [0, 5, Distance::INFINITE])];
        let both = [first.clone(), second.clone()].to_vec();
        assert_eq!(first.of(&[1, 1]), 1);
        assert_eq!(Distance::Sum(both.clone()).of(&[0, 1]), 7);
        assert_eq!(Distance::Min(both.clone()).of(&[0, 1]), 2);
        assert_eq!(Distance::Sum(both).of(&[0, 2]), Distance::INFINITE);
        assert_eq!(Distance::Min(Vec::new()).of(&[0, 0]), Distance::INFINITE);
    }
}
