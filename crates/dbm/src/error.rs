//! Errors of models that zones cannot represent.

use std::fmt;

/// A model asks for something that zones cannot hold: a constant too large, or too many clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error {
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    ConstantTooLarge(i64),
    TooManyClocks(usize),
}

impl Error {
    pub(crate) const fn constant_too_large(value: i64) -> Self {
        Self { kind: Kind::ConstantTooLarge(value) }
    }

    pub(crate) const fn too_many_clocks(clocks: usize) -> Self {
        Self { kind: Kind::TooManyClocks(clocks) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::ConstantTooLarge(value) => {
                let max = crate::Constant::MAX;
                write!(
                    f,
                    "the constant {value} is too large for a clock bound (at most {max} in absolute value)"
                )
            }
            Kind::TooManyClocks(clocks) => {
                write!(f, "{clocks} clocks are too many (at most {})", crate::Dimension::CLOCKS_MAX)
            }
        }
    }
}

impl std::error::Error for Error {}
