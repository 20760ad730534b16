//! An order that goes over the states in sweeps, from the first locations to the last.
//!
//! A mistake is a state that is visited before a larger one of the same discrete state arrives. So whatever may lead to a
//! larger one should come first. Four numbers tell, each where those before it are equal:
//!
//! 1. A universal zone is never covered: it comes before all others `[HerbreteauTran2015, section 5]`.
//! 2. A process never returns to a stage that it has left (`Positions::stages`), so nothing that has more stages behind
//!    it can lead to a state that has fewer. The sum over the processes, the least first: all that the cycles of the early
//!    stages do to the zones is done before the first later state is looked at.
//! 3. Within the same stages there are cycles, and each time round zones may grow. A step that does not lead onwards, by
//!    the positions of locations, begins another sweep, and a sweep waits for the one before it to end: what comes back by
//!    different ways meets, and the smaller is covered, before the next round begins.
//! 4. Within a sweep, the sum of the positions, as in the joint order of `[HerbreteauTran2015, section 4]`.
//!
//! Of a process that changes data while it stays where it is, locations do not tell how far on it is: its positions are all
//! the same (`Positions::where_locations_tell`), so each of its steps begins another sweep, and sweeps are as fair to all
//! ways as breadth-first search.
//!
//! The waiting strategy of that paper is 1 and 4. Without 3, each way round a cycle is followed to its end at once, with a
//! zone that others soon cover: the critical region with four cells has 5,371 mistakes by 1 and 4; 3,418 by 1, 2 and 4;
//! 1,284 by all. On the other families of the paper's Table 1 there are none, but for FlexRay, whose progress is in its data. There
//! ranks repair what no position can tell: where both are used, ranks come first and sweeps decide among equal ones
//! (`tourbillon-bench order`).
//!
//! All four are packed into one number, so a waiting list needs to know nothing of them. The number of the sweep is read
//! off that of the state being expanded.

use tourbillon_dbm::Dbm;
use tourbillon_system::{Positions, System};

/// How many bits the sum of positions has, the number of the sweep, and that of the stages.
const POSITION_BITS: u32 = 24;
const SWEEP_BITS: u32 = 24;
const STAGE_BITS: u32 = 15;

/// Sweeps over the states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sweep {
    positions: Positions,
    stages: Positions,
    /// The sum of the positions of the state being expanded, and the sweep that it was visited in.
    from: (u64, u64),
}

impl Sweep {
    /// Sweeps that go by these positions of locations.
    #[must_use]
    pub fn new(system: &System, positions: Positions) -> Self {
        Self { positions, stages: Positions::stages(system), from: (0, 0) }
    }

    /// Notes which state is being expanded, and its cost.
    pub(crate) fn depart(&mut self, system: &System, memory: &[i32], cost: u64) {
        let position = u64::from(self.positions.sum(system, memory)).min(max(POSITION_BITS));
        self.from = (position, cost >> POSITION_BITS & max(SWEEP_BITS));
    }

    /// The number of a successor of that state.
    #[inline]
    pub(crate) fn cost(&self, system: &System, memory: &[i32], zone: &Dbm) -> u64 {
        let [position, stages] =
            Positions::sums([&self.positions, &self.stages], system, memory).map(u64::from);
        let (position, stages) = (position.min(max(POSITION_BITS)), stages.min(max(STAGE_BITS)));
        let (before, sweep) = self.from;
        let sweep = (sweep + u64::from(position <= before)).min(max(SWEEP_BITS));
        let ordinary = u64::from(!zone.is_universal());
        ((ordinary << STAGE_BITS | stages) << SWEEP_BITS | sweep) << POSITION_BITS | position
    }
}

/// The largest number of so many bits.
const fn max(bits: u32) -> u64 {
    (1 << bits) - 1
}
