//! Last stage: extrapolates, so that there are finitely many zones, and fewer.
//!
//! Which constants count is a choice of its own ([`Bounds`]): those of the whole model, or those that can
//! still matter at the locations of the state, where the constants of a state are the largest of its
//! processes. Constants of a location are kept as short lists, since most clocks have none there: joining ten
//! locations of Fischer's protocol touches a handful of entries.
//!
//! **Diagonals.** No extrapolation is sound if guards compare differences of clocks `[Bouyer2003]`. Then a zone is
//! first split on every diagonal constraint of the model, each piece is extrapolated and cut down again to the side
//! of each diagonal that it came from `[BengtssonYi2003]`. The argument in short, for Extra_LU+ and so for all: each
//! point that is added to a piece is simulated by some point of the piece as far as comparisons of single clocks
//! go, by delays of the same length; cutting makes the two agree on every diagonal as well, and equal delays keep
//! it so. After a reset of `x` the diagonal `x - y < c` is a comparison of `y` alone: for that, both limits of `y`
//! before the reset are at least `-c` (`system/src/bounds/diagonal.rs`).

use tourbillon_base::IdVec;
use tourbillon_dbm::{ClockBounds, ClockLimits, Constraint, Dbm};
use tourbillon_system::{Analysis, GlobalLocationId, System};

use crate::situation::Situation;

/// How zones are extrapolated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Abstraction {
    /// Not at all; there may be no end of zones.
    None,
    /// Extra_M.
    ExtraM,
    /// Extra_M+.
    ExtraMPlus,
    /// Extra_LU.
    ExtraLu,
    /// Extra_LU+.
    ExtraLuPlus,
}

impl Abstraction {
    /// Extrapolates a zone.
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

/// The constants of discrete states.
#[derive(Clone, Debug)]
pub enum Bounds {
    /// The same everywhere.
    Global(ClockBounds),
    /// Those of the locations.
    Local {
        /// For each location, the clocks that have any.
        places: IdVec<GlobalLocationId, Box<[ClockLimits]>>,
        /// Those of the state at hand.
        current: ClockBounds,
    },
}

impl Bounds {
    /// The largest constants of the model.
    #[must_use]
    pub fn global(analysis: &Analysis) -> Self {
        Self::Global(analysis.global.clone())
    }

    /// The constants of each location.
    #[must_use]
    pub fn local(system: &System, analysis: &Analysis) -> Self {
        let places =
            analysis.local.iter().flat_map(|process| process.iter().map(ClockBounds::limits)).collect();
        Self::Local { places, current: ClockBounds::none(system.dimension) }
    }

    /// The constants of a discrete state.
    #[inline]
    pub(crate) fn of(&mut self, situation: &Situation) -> &ClockBounds {
        match self {
            Self::Global(bounds) => bounds,
            Self::Local { places, current } => {
                current.join_limits(situation.places.iter().map(|&place| &*places[place]));
                current
            }
        }
    }

    /// The constants of the state that was asked for last.
    #[inline]
    pub(crate) fn last(&self) -> &ClockBounds {
        match self {
            Self::Global(bounds) | Self::Local { current: bounds, .. } => bounds,
        }
    }
}

/// Splits a zone on diagonals: calls `visit` with each piece and the sides that it lies on.
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
