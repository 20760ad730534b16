//! Types, ranges, and their layout in cells.

use tourbillon_base::Span;

use crate::{CellId, ClockId};

/// The integers from `min` to `max`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    pub min: i32,
    /// The largest, at least the smallest.
    pub max: i32,
}

impl Range {
    pub const BOOL: Self = Self { min: 0, max: 1 };
    /// What UPPAAL calls `int` without bounds.
    pub const INT16: Self = Self { min: -32768, max: 32767 };
    /// Every integer there is.
    pub const INT32: Self = Self { min: i32::MIN, max: i32::MAX };

    /// The range with these ends; nothing if it would be empty.
    #[must_use]
    pub fn new(min: i32, max: i32) -> Option<Self> {
        (min <= max).then_some(Self { min, max })
    }

    /// How many integers it has.
    #[must_use]
    pub fn len(self) -> u64 {
        (i64::from(self.max) - i64::from(self.min) + 1) as u64
    }

    /// Never: a range has at least one integer.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        false
    }

    /// Whether it has this integer.
    #[must_use]
    pub const fn contains(self, value: i32) -> bool {
        self.min <= value && value <= self.max
    }

    /// Whether it has all integers of the other.
    #[must_use]
    pub const fn includes(self, other: Self) -> bool {
        self.min <= other.min && other.max <= self.max
    }

    /// The smallest range that includes both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Its integers, from the smallest on.
    pub fn values(self) -> impl DoubleEndedIterator<Item = i32> {
        self.min..=self.max
    }
}

/// The type of a declared variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer of a range.
    Int(Range),
    Bool,
    /// A value of a scalar set, which can only be compared for equality. Sets are distinguished by number.
    Scalar {
        set: u32,
        /// How many values it has.
        size: u32,
    },
    Array {
        /// The indices it takes.
        index: Range,
        /// What it holds for each.
        element: Box<Self>,
    },
    Struct(Vec<Field>),
    Clock,
}

/// A field of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    pub name: String,
    pub ty: Type,
}

impl Type {
    /// How many cells, or clocks, a variable of this type takes.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Int(_) | Self::Bool | Self::Scalar { .. } | Self::Clock => 1,
            Self::Array { index, element } => index.len().saturating_mul(element.size()),
            Self::Struct(fields) => fields.iter().map(|field| field.ty.size()).fold(0, u64::saturating_add),
        }
    }

    /// The range of a value that takes one cell.
    #[must_use]
    pub fn range(&self) -> Option<Range> {
        match *self {
            Self::Int(range) => Some(range),
            Self::Bool => Some(Range::BOOL),
            Self::Scalar { size, .. } => Some(Range { min: 0, max: size.saturating_sub(1) as i32 }),
            Self::Array { .. } | Self::Struct(_) | Self::Clock => None,
        }
    }

    /// Whether its parts are clocks.
    #[must_use]
    pub fn is_clock(&self) -> bool {
        match self {
            Self::Clock => true,
            Self::Array { element, .. } => element.is_clock(),
            _ => false,
        }
    }

    /// Calls `visit` with the name and type of each cell, or clock, of a variable called `name`, in order.
    pub fn for_each_leaf(&self, name: &str, visit: &mut impl FnMut(&str, &Self)) {
        match self {
            Self::Array { index, element } => {
                index.values().for_each(|value| element.for_each_leaf(&format!("{name}[{value}]"), visit));
            }
            Self::Struct(fields) => {
                fields
                    .iter()
                    .for_each(|field| field.ty.for_each_leaf(&format!("{name}.{}", field.name), visit));
            }
            leaf => visit(name, leaf),
        }
    }
}

/// A variable or clock as it was declared: what a person knows it by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, after that of its process and a dot if it is one of a process.
    pub name: String,
    pub ty: Type,
    /// Its first cell, or its first clock.
    pub first: Result<CellId, ClockId>,
    /// Where it was declared.
    pub span: Span,
}
