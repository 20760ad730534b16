//! The sweep order: visits states in sweeps, from the first locations of the topological order to the last.
//!
//! A mistake is a node that is visited before a larger zone of the same discrete state is reached. So the predecessors of
//! larger zones should be visited first. States are ordered lexicographically by four numbers:
//!
//! 1. 0 for a universal zone, which no other zone covers, else 1 `[HerbreteauTran2015, section 5]`.
//! 2. The sum of the stages of the processes. A stage is a strongly connected component of the locations of a process
//!    (`Positions::stages`), so a state never reaches one with a smaller sum: all cycles of the early stages are explored
//!    before the first later state is visited.
//! 3. The number of the sweep. Within the same stages there are cycles, along which zones may grow. A transition that does not
//!    increase the sum of the positions begins another sweep, and a sweep is visited after the one before it: zones that return
//!    along different paths are compared, and the smaller ones covered, before the next sweep begins.
//! 4. The sum of the positions of the locations, as in the joint order of `[HerbreteauTran2015, section 4]`.
//!
//! For a process that changes data while it stays in a location, locations do not measure progress: its positions are all
//! equal (`Positions::where_locations_tell`), so each of its transitions begins another sweep, as in breadth-first search.
//!
//! The waiting strategy of that paper is 1 and 4. Without 3, each cycle is followed to its end at once, with a zone that others
//! soon cover: the critical region with four cells has 5,371 mistakes by 1 and 4; 3,418 by 1, 2 and 4; 1,284 by all. The other
//! families of the paper's Table 1 have none, except FlexRay, whose progress is in its data. There ranks repair mistakes that
//! positions cannot predict: in the order `ranked-sweep`, ranks come first and sweeps decide among equal ranks
//! (`tourbillon-bench order`).
//!
//! All four are packed into one number, the cost. The sweep of a successor is computed from the cost of the expanded state.

use tourbillon_dbm::Dbm;
use tourbillon_system::{Positions, System};

/// The bits of the sum of positions, of the number of the sweep, and of the sum of stages.
const POSITION_BITS: u32 = 24;
const SWEEP_BITS: u32 = 24;
const STAGE_BITS: u32 = 15;

/// The cost function of the sweep order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sweep {
    positions: Positions,
    stages: Positions,
    /// The sum of the positions of the expanded state, and its sweep.
    expanded: (u64, u64),
}

impl Sweep {
    #[must_use]
    pub fn new(system: &System, positions: Positions) -> Self {
        Self { positions, stages: Positions::stages(system), expanded: (0, 0) }
    }

    /// Sets the state that is expanded, and its cost.
    pub(crate) fn depart(&mut self, system: &System, memory: &[i32], cost: u64) {
        let position = u64::from(self.positions.sum(system, memory)).min(max(POSITION_BITS));
        self.expanded = (position, cost >> POSITION_BITS & max(SWEEP_BITS));
    }

    /// The cost of a successor of that state.
    #[inline]
    pub(crate) fn cost(&self, system: &System, memory: &[i32], zone: &Dbm) -> u64 {
        let [position, stages] =
            Positions::sums([&self.positions, &self.stages], system, memory).map(u64::from);
        let (position, stages) = (position.min(max(POSITION_BITS)), stages.min(max(STAGE_BITS)));
        let (before, sweep) = self.expanded;
        let sweep = (sweep + u64::from(position <= before)).min(max(SWEEP_BITS));
        let ordinary = u64::from(!zone.is_universal());
        ((ordinary << STAGE_BITS | stages) << SWEEP_BITS | sweep) << POSITION_BITS | position
    }
}

/// The largest number with this many bits.
const fn max(bits: u32) -> u64 {
    (1 << bits) - 1
}
