//! LU-bounds of discrete states, and what they must be so that the LU-preorder is a simulation.
//!
//! The bounds are those of the header, for each process and location, and are not believed: for every state and transition that is
//! examined, what must hold of them is checked. `docs/certificate.md`, "Covering", says why that is enough.
//! `[BehrmannBouyerLarsenPelanek2004]` has the preorder.

use tourbillon_base::Id;
use tourbillon_model::{LocationId, Model};

use crate::format::{CONSTANT_MAX, ClockConstants, Constraint, FormatError};
use crate::zone::Assignment;

/// L and U by process and location.
#[derive(Debug)]
pub(crate) struct LocationBounds {
    bounds: Vec<Vec<Vec<ClockConstants>>>,
    dimension: usize,
    /// Whether L = U everywhere, so that the preorder is a bisimulation.
    pub(crate) is_exact: bool,
}

/// L and U of a discrete state; the reference comes first, with 0. None is minus infinity.
#[derive(Clone, Debug)]
pub(crate) struct LuBounds {
    pub(crate) lower: Vec<Option<i64>>,
    pub(crate) upper: Vec<Option<i64>>,
}

impl LocationBounds {
    pub(crate) fn new(model: &Model, bounds: Vec<Vec<Vec<ClockConstants>>>) -> Result<Self, FormatError> {
        let is_complete = bounds.len() == model.processes.len()
            && bounds.iter().zip(&model.processes).all(|(of, process)| of.len() == process.locations.len());
        let constants = || bounds.iter().flatten().flatten();
        let is_constant = |value: Option<i64>| value.is_none_or(|value| (0..=CONSTANT_MAX).contains(&value));
        let is_legal = |&(clock, lower, upper): &ClockConstants| {
            clock < model.clocks.len() && is_constant(lower) && is_constant(upper)
        };
        if !is_complete || !constants().all(is_legal) {
            return FormatError::new("the bounds are not those of the locations and clocks of the model");
        }
        let is_exact = constants().all(|(_, lower, upper)| lower == upper);
        Ok(Self { dimension: model.clocks.len() + 1, is_exact, bounds })
    }

    /// The bounds of a discrete state: the largest of its locations.
    pub(crate) fn of(&self, locations: impl Iterator<Item = LocationId>) -> LuBounds {
        let mut lower = vec![None; self.dimension];
        lower[0] = Some(0);
        let mut upper = lower.clone();
        for (process, location) in self.bounds.iter().zip(locations) {
            for &(clock, l, u) in &process[location.index()] {
                lower[clock + 1] = lower[clock + 1].max(l);
                upper[clock + 1] = upper[clock + 1].max(u);
            }
        }
        LuBounds { lower, upper }
    }
}

impl LuBounds {
    /// Whether the preorder preserves a constraint: a larger valuation satisfies it if a smaller one does.
    pub(crate) fn respects(&self, Constraint { left, right, bound }: Constraint) -> bool {
        let is_below = |constant: i64, of: Option<i64>| of.is_some_and(|most| constant <= most);
        match (left, right) {
            _ if left == right => true,
            (0, clock) => bound > 0 || is_below(-(bound >> 1), self.lower[clock]),
            (clock, 0) => bound <= 0 || is_below(bound >> 1, self.upper[clock]),
            _ => false,
        }
    }

    /// Whether the preorder of this state is preserved by a transition to one with the bounds `after`.
    pub(crate) fn preserves(&self, after: &Self, assignments: &[Assignment]) -> bool {
        let is_below = |constant: Option<i64>, offset: i64, of: Option<i64>| {
            constant.is_none_or(|c| c < offset || of.is_some_and(|most| c - offset <= most))
        };
        (1..self.lower.len()).all(|clock| {
            let assigned = assignments.iter().find(|assignment| assignment.target == clock);
            let (source, offset) = assigned.map_or((clock, 0), |it| (it.source, it.offset));
            source == 0
                || is_below(after.lower[clock], offset, self.lower[source])
                    && is_below(after.upper[clock], offset, self.upper[source])
        })
    }
}
