//! The projection of a zone to two clocks, as a shape in the plane.
//!
//! A closed matrix has tight bounds, and what is left of it when all clocks but two are forgotten is closed again: the
//! rows and columns of these two are the projection, exactly.

use serde::{Deserialize, Serialize};
use tourbillon_base::{Id, Rational};
use tourbillon_dbm::{Bound, Clock, Dbm};

/// What can be seen of two clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The zone, in zones.
    pub zone: Option<Shape>,
    /// What the clocks show, in single states.
    pub point: Option<[Rational; 2]>,
    /// Which of them run while time passes, in single states; nothing if that cannot be told.
    pub running: Option<[bool; 2]>,
    /// For each choice the part of the zone that it can be taken from; empty in single states, where delays tell.
    pub choices: Vec<Vec<Shape>>,
}

/// A zone of two clocks. Each bound is tight: it cannot be drawn closer without changing the shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Shape {
    pub x_low: ShapeBound,
    /// The greatest x; nothing if there is none.
    pub x_high: Option<ShapeBound>,
    pub y_low: ShapeBound,
    /// The greatest y; nothing if there is none.
    pub y_high: Option<ShapeBound>,
    /// The least x - y; nothing if there is none.
    pub difference_low: Option<ShapeBound>,
    /// The greatest x - y; nothing if there is none.
    pub difference_high: Option<ShapeBound>,
}

/// A bound of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ShapeBound {
    pub at: i32,
    /// Whether it is not part of the shape.
    pub strict: bool,
}

impl Picture {
    /// That of a single state.
    pub(super) fn of_point(clocks: &[Rational], running: Option<&[bool]>, x: usize, y: usize) -> Self {
        let running = running.map(|running| [running[x], running[y]]);
        Self { zone: None, point: Some([clocks[x], clocks[y]]), running, choices: Vec::new() }
    }
}

impl Shape {
    /// The projection of a zone to two clocks, counted from 0.
    pub(super) fn of(zone: &Dbm, x: usize, y: usize) -> Self {
        let (x, y) = (Clock::from_index(x + 1), Clock::from_index(y + 1));
        let upper = |left, right| limit(zone.bound(left, right), 1);
        let lower = |left, right| limit(zone.bound(right, left), -1);
        // Clocks are not negative, whatever else is known of them.
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

/// A bound, of which the constant counts once or is to be negated.
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
