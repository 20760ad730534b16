//! Diagonal constraints, closed under updates.
//!
//! A difference stays what it is while time passes, so a zone that is split on `x - y < c` before it is
//! abstracted loses nothing that this comparison asks `[BengtssonYi2003]`; without that, extrapolation is
//! unsound `[Bouyer2003]`. But an update moves the query. After `x := z + k` the answer depends on
//! `z - y < c - k` before, and after `y := k` on `x < c + k`. So the diagonals to split on are the least set
//! that has those of the model and, for each diagonal and update, the differences it depends on; single
//! clocks that it depends on get limits where the update starts. Both outcomes of a diagonal matter: what was
//! split must keep agreeing about it.
//!
//! The set may be infinite (`x := x + 1`, not `y`), or have a member for each value of a variable. It is then
//! given up, and said to be incomplete.

use std::collections::{BTreeSet, VecDeque};

use tourbillon_base::Id;
use tourbillon_dbm::{Bound, Clock, Constant, Constraint};
use tourbillon_model::ClockId;

use super::comparisons::Diagonal;
use super::effect::{Origin, Shift};
use super::solve::{ClockEdge, LocationIndex};

/// The maximum number of diagonals; splitting is infeasible for far fewer already.
const DIAGONALS_MAX: usize = 4096;

/// Diagonals, and the bounds that they need.
#[derive(Default)]
pub(super) struct Diagonals {
    pub(super) found: BTreeSet<Diagonal>,
    /// The bounds of single clocks that they need, both lower and upper.
    pub(super) limits: Vec<(LocationIndex, ClockId, i64)>,
    /// Whether the list is incomplete.
    pub(super) incomplete: bool,
    queue: VecDeque<Diagonal>,
}

impl Diagonals {
    /// The closure of these diagonals under the updates of edges.
    pub(super) fn close(seeds: &BTreeSet<Diagonal>, incomplete: bool, steps: &[ClockEdge]) -> Self {
        let mut all = Self { incomplete, ..Self::default() };
        seeds.iter().for_each(|&seed| all.add(seed));
        while let Some(diagonal) = all.queue.pop_front() {
            for step in steps {
                all.before(diagonal, step);
            }
        }
        all
    }

    /// The diagonals as constraints of zones, in order.
    pub(super) fn constraints(&self) -> Vec<Constraint> {
        let constraint = |diagonal: &Diagonal| {
            let constant = Constant::new(diagonal.constant).expect("only such constants are added");
            let bound = if diagonal.weak { Bound::weak(constant) } else { Bound::strict(constant) };
            Constraint::new(zone_clock(diagonal.left), zone_clock(diagonal.right), bound)
        };
        self.found.iter().map(constraint).collect()
    }

    fn add(&mut self, diagonal: Diagonal) {
        if Constant::new(diagonal.constant).is_err() || self.found.len() >= DIAGONALS_MAX {
            self.incomplete = true;
        } else if self.found.insert(diagonal) {
            self.queue.push_back(diagonal);
        }
    }

    /// Adds the diagonals and bounds before an edge on which a diagonal after it depends.
    fn before(&mut self, diagonal: Diagonal, step: &ClockEdge) {
        let (left, right) = (step.effect.origins(diagonal.left), step.effect.origins(diagonal.right));
        for (left, added) in left {
            for (right, taken) in right.clone() {
                self.depends(diagonal, (left, added), (right, taken), step.source);
            }
        }
    }

    fn depends(&mut self, after: Diagonal, left: (Origin, Shift), right: (Origin, Shift), at: LocationIndex) {
        let Diagonal { constant, weak, .. } = after;
        let ((left, added), (right, taken)) = (left, right);
        match (left, right) {
            (Origin::Clock(left), Origin::Clock(right)) if left != right => {
                let (min, max) = (constant + taken.min - added.max, constant + taken.max - added.min);
                if max - min >= DIAGONALS_MAX as i64 {
                    self.incomplete = true;
                    return;
                }
                (min..=max).for_each(|constant| self.add(Diagonal { left, right, constant, weak }));
            }
            (Origin::Clock(clock), Origin::Constant) => {
                self.limits.push((at, clock, constant + taken.max - added.min));
            }
            (Origin::Constant, Origin::Clock(clock)) => {
                self.limits.push((at, clock, added.max - taken.min - constant));
            }
            (Origin::Clock(_), Origin::Clock(_)) | (Origin::Constant, Origin::Constant) => {}
        }
    }
}

/// The zone's clock of a clock of the model.
pub(super) fn zone_clock(clock: ClockId) -> Clock {
    Clock::from_index(clock.index() + 1)
}
