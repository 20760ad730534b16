//! The projection of a zone to two clocks, as a shape in the plane.
//!
//! A closed matrix has tight bounds, and freeing clocks keeps it closed: the rows and columns of the two clocks are
//! exactly the projection.

use serde::{Deserialize, Serialize};
use tourbillon_base::{Id, Rational};
use tourbillon_dbm::{Bound, Clock, Dbm};

/// A simulation state projected to two clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockProjection {
    /// The zone, in symbolic mode.
    pub zone: Option<Shape>,
    /// The clock values, in concrete mode.
    pub point: Option<[Rational; 2]>,
    /// Which of the clocks run, in concrete mode; `None` if this cannot be computed.
    pub running: Option<[bool; 2]>,
    /// For each step, the parts of the zone in which it is enabled; empty in concrete mode.
    pub choices: Vec<Vec<Shape>>,
}

/// A zone of two clocks. Each bound is tight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Shape {
    pub x_low: ShapeBound,
    /// The greatest x; `None` if there is none.
    pub x_high: Option<ShapeBound>,
    pub y_low: ShapeBound,
    /// The greatest y; `None` if there is none.
    pub y_high: Option<ShapeBound>,
    /// The least x - y; `None` if there is none.
    pub difference_low: Option<ShapeBound>,
    /// The greatest x - y; `None` if there is none.
    pub difference_high: Option<ShapeBound>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ShapeBound {
    pub at: i32,
    /// Whether the bound is excluded.
    pub strict: bool,
}

impl ClockProjection {
    /// The projection of a concrete state.
    pub(super) fn of_point(clocks: &[Rational], running: Option<&[bool]>, x: usize, y: usize) -> Self {
        let running = running.map(|running| [running[x], running[y]]);
        Self { zone: None, point: Some([clocks[x], clocks[y]]), running, choices: Vec::new() }
    }
}

impl Shape {
    /// The projection of a zone to two clocks, by index.
    pub(super) fn of(zone: &Dbm, x: usize, y: usize) -> Self {
        let (x, y) = (Clock::from_index(x + 1), Clock::from_index(y + 1));
        let upper = |left, right| limit(zone.bound(left, right), 1);
        let lower = |left, right| limit(zone.bound(right, left), -1);
        // Clocks are not negative.
        let least = ShapeBound { at: 0, strict: false };
        Self {
            x_low: lower(x, Clock::REFERENCE).unwrap_or(least),
            x_high: upper(x, Clock::REFERENCE),
            y_low: lower(y, Clock::REFERENCE).unwrap_or(least),
            y_high: upper(y, Clock::REFERENCE),
            difference_low: lower(x, y),
            difference_high: upper(x, y),
        }
    }
}

/// A bound, whose constant is multiplied by `sign`.
fn limit(bound: Bound, sign: i32) -> Option<ShapeBound> {
    Some(ShapeBound { at: sign * bound.constant()?.get(), strict: bound.is_strict() })
}

#[cfg(test)]
mod tests {
    use tourbillon_dbm::{Dimension, parse_constraints};

    use super::*;

    #[test]
    fn a_projection_has_the_tight_bounds_of_the_zone() {
        let names = ["x", "y", "z"];
        let mut zone = Dbm::universal(Dimension::of_clocks(3).expect("few clocks"));
        for constraint in parse_constraints("x<5, z-x<=2, y-z<1, y>3", &names).expect("constraints") {
            assert!(zone.constrain(constraint));
        }
        let bound = |at, strict| ShapeBound { at, strict };
        let shape = Shape::of(&zone, 1, 0);
        // y < z + 1 <= x + 3 < 8, and so 0 < x.
        assert_eq!((shape.x_low, shape.x_high), (bound(3, true), Some(bound(8, true))));
        assert_eq!((shape.y_low, shape.y_high), (bound(0, true), Some(bound(5, true))));
        assert_eq!(
            (shape.difference_low, shape.difference_high),
            (Some(bound(-2, true)), Some(bound(3, true)))
        );
        let unbounded = Shape::of(&Dbm::universal(Dimension::of_clocks(2).expect("few clocks")), 0, 1);
        assert_eq!(
            (unbounded.x_low, unbounded.x_high, unbounded.difference_low),
            (bound(0, false), None, None)
        );
    }
}
