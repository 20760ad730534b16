//! Settings of diagrams, and errors.

use std::fmt;

use crate::node::LEVELS_MAX;
use crate::order::{Levels, VariableOrder};

/// What can be chosen about diagrams. None of it changes a set, all of it may change its diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Which difference is examined first.
    pub order: VariableOrder,
    /// Which constraints of a zone become nodes when it is added.
    pub constraints: Constraints,
    /// How hard to look for an inclusion.
    pub inclusion: Inclusion,
    /// Whether adding a zone begins by looking, from the bottom, for nodes that are there already.
    pub backtrace: bool,
}

/// Which constraints of a zone become nodes when it is added.
///
/// The paper adds the fewest. But where a path lacks a bound that others imply, zones that exclude each other overlap
/// along it, and their union has nodes for what no point does: on the zones of Fischer's protocol with four processes the
/// fewest take 1.7 to 2.4 times the bytes and 2.2 to 2.4 times the time of the usual choice, and with five 9 to 18 times
/// the bytes and 18 to 40 times the time (`cargo bench -p tourbillon-dd`, which leaves the latter out for its length). All
/// constraints take about as much as the usual ones there, but say on every difference again what a box says of each clock
/// once, so that unions of boxes of many clocks grow out of hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Constraints {
    /// All but those of differences that follow from the clocks' own bounds.
    #[default]
    BeyondBox,
    /// All that the matrix has.
    All,
    /// The fewest that imply all others.
    Minimal,
}

impl Constraints {
    /// All choices, the usual one first.
    pub const ALL: [Self; 3] = [Self::BeyondBox, Self::All, Self::Minimal];
}

/// How hard to look for an inclusion. A yes is always right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Inclusion {
    /// Level by level: whatever one of the united zones includes alone, and some of what several do together.
    Levels,
    /// Where that says no, paths are followed with the part of the zone that takes them, until so many parts were
    /// examined.
    Exact {
        /// The number of parts after which the answer is no.
        parts_max: u32,
    },
}

impl Default for Inclusion {
    fn default() -> Self {
        Self::Exact { parts_max: 1_000 }
    }
}

/// Diagrams were asked for that cannot be: of too many clocks, or of vectors that are too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error {
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    TooManyClocks(usize),
    VectorTooLong(usize),
}

impl Error {
    pub(crate) const fn too_many_clocks(clocks: usize) -> Self {
        Self { kind: Kind::TooManyClocks(clocks) }
    }

    pub(crate) const fn vector_too_long(length: usize) -> Self {
        Self { kind: Kind::VectorTooLong(length) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::TooManyClocks(clocks) => {
                write!(f, "{clocks} clocks are too many for diagrams (at most {})", Levels::CLOCKS_MAX)
            }
            Kind::VectorTooLong(length) => {
                let most = LEVELS_MAX - 1;
                write!(f, "vectors of {length} integers are too long for diagrams (at most {most})")
            }
        }
    }
}

impl std::error::Error for Error {}
