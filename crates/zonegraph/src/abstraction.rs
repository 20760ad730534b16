//! Last stage: extrapolation, so that the zone graph is finite, and smaller `[BehrmannBouyerLarsenPelanek2004]`.
//!
//! The clock bounds are a separate choice ([`Bounds`]): those of the whole model, or local bounds
//! `[BehrmannBouyerFleuryLarsen2003]`. The bounds of a state are the maxima over the locations of its processes. Those
//! of a location are stored as short lists, since most clocks have no bounds there: joining ten locations of
//! Fischer's protocol touches a handful of entries.
//!
//! **Diagonals.** No extrapolation is sound if guards have diagonal constraints `[Bouyer2003]`. Then a zone is
//! first split on every diagonal constraint of the model, each part is extrapolated and intersected again with the side
//! of each diagonal that it lies on `[BengtssonYi2003]`. A sketch of the proof for Extra_LU+, which implies the others:
//! each valuation that is added to a part is simulated by some valuation of the part with respect to non-diagonal
//! constraints, by delays of the same length. The intersection makes the two agree on every diagonal as well, and equal
//! delays preserve that. After a reset of `x` the diagonal `x - y < c` is a comparison of `y` alone: for that, both
//! bounds of `y` before the reset are at least `-c` (`system/src/bounds/diagonal.rs`).

use tourbillon_base::IdVec;
use tourbillon_dbm::{ClockBounds, ClockLimits, Constraint, Dbm};
use tourbillon_system::{Analysis, GlobalLocationId, System};

use crate::location_vector::LocationVector;

/// An extrapolation, by its name in the literature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Abstraction {
    /// Zones stay exact; the zone graph may be infinite.
    None,
    ExtraM,
    ExtraMPlus,
    ExtraLu,
    ExtraLuPlus,
}

impl Abstraction {
    #[inline]
    pub(crate) fn apply(self, bounds: &ClockBounds, zone: &mut Dbm) {
        match self {
            Self::None => {}
            Self::ExtraM => zone.extra_m(bounds),
            Self::ExtraMPlus => zone.extra_m_plus(bounds),
            Self::ExtraLu => zone.extra_lu(bounds),
            Self::ExtraLuPlus => zone.extra_lu_plus(bounds),
        }
    }
}

/// The clock bounds of discrete states.
#[derive(Clone, Debug)]
pub enum Bounds {
    /// One for all states.
    Global(ClockBounds),
    /// The maxima over the locations of a state.
    Local {
        /// For each location, the bounds of the clocks that have any there.
        places: IdVec<GlobalLocationId, Box<[ClockLimits]>>,
        /// The bounds of the last state that was asked for.
        current: ClockBounds,
    },
}

impl Bounds {
    /// The global bounds of an analysis: for each clock, its largest constants in the model.
    #[must_use]
    pub fn global(analysis: &Analysis) -> Self {
        Self::Global(analysis.global.clone())
    }

    /// The local bounds of an analysis.
    #[must_use]
    pub fn local(system: &System, analysis: &Analysis) -> Self {
        let places =
            analysis.local.iter().flat_map(|process| process.iter().map(ClockBounds::limits)).collect();
        Self::Local { places, current: ClockBounds::none(system.dimension) }
    }

    /// Computes the bounds of a discrete state.
    #[inline]
    pub(crate) fn of(&mut self, locations: &LocationVector) -> &ClockBounds {
        match self {
            Self::Global(bounds) => bounds,
            Self::Local { places, current } => {
                current.join_limits(locations.ids.iter().map(|&location| &*places[location]));
                current
            }
        }
    }

    /// The bounds that [`of`](Self::of) computed last.
    #[inline]
    pub(crate) fn last(&self) -> &ClockBounds {
        match self {
            Self::Global(bounds) | Self::Local { current: bounds, .. } => bounds,
        }
    }
}

/// Splits a zone on diagonals: calls `visit` with each non-empty part and its side of each diagonal. The parts are a
/// partition of the zone.
pub(crate) fn split(
    zone: Dbm,
    diagonals: &[Constraint],
    sides: &mut Vec<Constraint>,
    visit: &mut impl FnMut(Dbm, &[Constraint]),
) {
    let Some((&diagonal, rest)) = diagonals.split_first() else {
        visit(zone, sides);
        return;
    };
    for side in [Some(diagonal), diagonal.complement()].into_iter().flatten() {
        let mut piece = zone.clone();
        if piece.constrain(side) {
            sides.push(side);
            split(piece, rest, sides, visit);
            sides.pop();
        }
    }
}
