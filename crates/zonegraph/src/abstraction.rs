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
use tourbillon_system::{Analysis, GlobalLocationId, LocalBounds};

use crate::location_vector::LocationPlace;

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
    /// The maxima over the locations of a state: for each location, the bounds of the clocks that have any there.
    Local(IdVec<GlobalLocationId, Box<[ClockLimits]>>),
}

impl Bounds {
    /// The global bounds of an analysis: for each clock, its largest constants in the model.
    #[must_use]
    pub fn global(analysis: &Analysis) -> Self {
        Self::Global(analysis.global.clone())
    }

    /// Local bounds of an analysis.
    #[must_use]
    pub fn local(bounds: &LocalBounds) -> Self {
        let lists = bounds.places.iter().flat_map(|process| process.iter().map(ClockBounds::limits));
        Self::Local(lists.collect())
    }

    /// Computes the bounds by location of a vector of locations.
    pub(crate) fn join(&self, locations: &[GlobalLocationId], joined: &mut ClockBounds) {
        if let Self::Local(lists) = self {
            joined.join_limits(locations.iter().map(|&location| &*lists[location]));
        }
    }

    /// The bounds of a discrete state with these locations.
    #[inline]
    pub(crate) const fn of<'b>(&'b self, place: &'b LocationPlace) -> &'b ClockBounds {
        match self {
            Self::Global(bounds) => bounds,
            Self::Local(_) => &place.bounds,
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

#[cfg(test)]
mod tests {
    use tourbillon_system::analyse;

    use super::*;
    use crate::graph::Options;
    use crate::location_vector::LocationTable;
    use crate::testing::{Network, assert_points, in_zone, points, satisfies};

    /// Clock bounds that distinguish all four extrapolations on the zone `7 <= x <= 8, x - y = 1`.
    fn bounds(network: &Network) -> ClockBounds {
        let mut bounds = ClockBounds::none(network.zone("true").dimension());
        bounds.raise(network.clock("x"), 5.into());
        bounds.raise_lower(network.clock("y"), 3.into());
        bounds.raise_upper(network.clock("y"), 10.into());
        bounds
    }

    /// Computed by hand from the definitions in `[BehrmannBouyerLarsenPelanek2004]`, with L(x) = U(x) = 5, L(y) = 3, U(y) = 10.
    ///
    /// - Extra_M, by M(x) = 5 and M(y) = 10, removes the bounds of `x`, which those of `y` and the difference imply.
    /// - Extra_M+ removes the differences too, since `x` is above M(x) everywhere.
    /// - Extra_LU removes the upper bound of `y`, since 7 is above L(y).
    /// - Extra_LU+ does both.
    #[test]
    fn each_extrapolation_is_the_one_that_it_is_named_after() {
        let network = Network::new(&["x", "y"]);
        let expected = [
            (Abstraction::None, "x>=7, x<=8, x-y==1"),
            (Abstraction::ExtraM, "x>=7, x<=8, x-y==1"),
            (Abstraction::ExtraMPlus, "x>5, y>=6, y<=7"),
            (Abstraction::ExtraLu, "x-y==1, y>=6"),
            (Abstraction::ExtraLuPlus, "x>5, y>=6"),
        ];
        for (abstraction, text) in expected {
            let mut zone = network.zone("x>=7, x<=8, x-y==1");
            abstraction.apply(&bounds(&network), &mut zone);
            assert_eq!(zone, network.zone(text), "{abstraction:?}");
        }
    }

    /// Extra_M, on a clock above its bound: `x >= 7` becomes `x > 5`.
    #[test]
    fn extra_m_forgets_values_above_the_bound() {
        let network = Network::new(&["x", "y"]);
        let mut zone = network.zone("x>=7, x<=8");
        Abstraction::ExtraM.apply(&bounds(&network), &mut zone);
        assert_eq!(zone, network.zone("x>5"));
    }

    /// Two processes with one edge each from their first location, guarded by `x <= 3` and `y > 5, x <= 1`: no clock is
    /// compared at the second locations.
    #[test]
    fn local_bounds_are_joined_over_the_current_locations() {
        let mut network = Network::new(&["x", "y"]);
        for guard in ["x<=3", "y>5, x<=1"] {
            let process = network.process(2);
            let edge = network.edge(process, 0, 1);
            network.guard(edge, guard);
        }
        let system = network.compile();
        let analysis = analyse(&network.model, &[]).unwrap();
        let local = Bounds::local(&analysis.local);
        let global = Bounds::global(&analysis);
        let mut table = LocationTable::new(&system);
        let (x, y) = (network.clock("x"), network.clock("y"));
        // The upper bound of `x` and the lower bound of `y`, by locations.
        let cases = [
            ([0, 0], Some(3), Some(5)),
            ([0, 1], Some(3), None),
            ([1, 0], Some(1), Some(5)),
            ([1, 1], None, None),
        ];
        for (memory, upper, lower) in cases {
            table.gather(&system, &local, &memory);
            let bounds = local.of(table.place());
            assert_eq!(bounds.upper(x).map(tourbillon_dbm::Constant::get), upper, "{memory:?}");
            assert_eq!(bounds.lower(y).map(tourbillon_dbm::Constant::get), lower, "{memory:?}");
            assert_eq!((bounds.lower(x), bounds.upper(y)), (None, None), "{memory:?}");
            assert_eq!(global.of(table.place()).upper(x), Some(3.into()), "the same in all states");
        }
    }

    #[test]
    fn parts_of_a_split_are_a_partition_on_one_side_of_each_diagonal() {
        let network = Network::new(&["x", "y"]);
        let diagonals = network.constraints("x-y<1, y-x<=2");
        let zone = network.zone("x<=4, y<=4");
        let mut parts = Vec::new();
        split(zone.clone(), &diagonals, &mut Vec::new(), &mut |part, sides| {
            assert_eq!(sides.len(), 2);
            parts.push((part, sides.to_vec()));
        });
        // `x - y >= 1` and `y - x > 2` exclude each other: three of the four combinations are non-empty.
        assert_eq!(parts.len(), 3);
        for point in points(2, 5) {
            let around: Vec<_> = parts.iter().filter(|(part, _)| in_zone(part, &point)).collect();
            assert_eq!(around.len(), usize::from(in_zone(&zone, &point)), "{point:?}");
            assert!(around.iter().all(|(_, sides)| satisfies(&point, sides)));
        }
    }

    /// Extra_M+ makes `x > 5, y > 5` of both parts of `x, y >= 7`; each is kept on its side of the diagonal.
    #[test]
    fn an_extrapolated_part_stays_on_its_side() {
        let network = Network::new(&["x", "y"]);
        let mut bounds = ClockBounds::none(network.zone("true").dimension());
        bounds.raise(network.clock("x"), 5.into());
        bounds.raise(network.clock("y"), 5.into());
        let mut options = Options::exact(&network.compile());
        options.abstraction = Abstraction::ExtraMPlus;
        options.diagonals = network.constraints("x-y<2");
        let mut parts = Vec::new();
        options.abstracted(&bounds, network.zone("x>=7, x<=9, y>=7, y<=9"), &mut |part| parts.push(part));
        assert_eq!(parts, [network.zone("x>5, y>5, x-y<2"), network.zone("x>5, y>5, x-y>=2")]);
        let within = network.constraints("x>5, y>5");
        assert_points(&parts, 2, 8, |point| satisfies(point, &within));
    }
}
