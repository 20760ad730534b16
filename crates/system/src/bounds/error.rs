//! Why clock bounds cannot be computed.

use std::fmt;

use tourbillon_base::Span;
use tourbillon_dbm::{Constant, Dimension};

/// Why the clock bounds of a model cannot be computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundsError {
    pub kind: BoundsErrorKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoundsErrorKind {
    /// A clock, or difference of clocks, is compared with a number that exceeds the constants of zones in every state;
    /// this is the one closest to zero.
    ConstantTooLarge(i32),
    /// There are more clocks than zones can have.
    TooManyClocks(usize),
    /// An update compares clocks; a zone cannot decide such a comparison.
    ComparisonInUpdate,
}

impl BoundsError {
    pub(super) const fn new(kind: BoundsErrorKind, span: Span) -> Self {
        Self { kind, span }
    }
}

impl fmt::Display for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            BoundsErrorKind::ConstantTooLarge(value) => {
                write!(
                    f,
                    "a clock is compared with {value}; the largest supported constant is {}",
                    Constant::MAX
                )
            }
            BoundsErrorKind::TooManyClocks(clocks) => {
                write!(f, "the model has {clocks} clocks; at most {} are supported", Dimension::CLOCKS_MAX)
            }
            BoundsErrorKind::ComparisonInUpdate => f.write_str("an update cannot compare clocks"),
        }
    }
}

impl std::error::Error for BoundsError {}
