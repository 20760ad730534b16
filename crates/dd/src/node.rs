//! Handles, and the edges of a node independently of its encoding.
//!
//! A node divides the line of values at its *cuts*. A cut is a raw bound: `2c + 1` for "at most `c`", `2c` for "less
//! than `c`", which is the doubling of `[ThomsenKristensen2002]`, section 1.1.1. Between two neighbouring integers lies exactly one
//! kind of value, a whole number or what is strictly between two, so any two different cuts have values between them. An
//! edge has the cut that ends its values; they begin where those of the edge before it end.

use tourbillon_base::define_id;

define_id! {
    /// A diagram: one of the constants, or a node and all that is below it.
    pub struct Handle;
}

impl Handle {
    /// The diagram of no point.
    pub const FALSE: Self = Self(0);
    /// The diagram of all points.
    pub const TRUE: Self = Self(1);

    /// Whether it is one of the constants.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        self.0 <= Self::TRUE.0
    }

    /// As a number, to be stored.
    #[must_use]
    pub const fn to_u32(self) -> u32 {
        self.0
    }

    /// From the number that [`to_u32`](Self::to_u32) gave.
    #[must_use]
    pub const fn from_u32(number: u32) -> Self {
        Self(number)
    }
}

/// Before all values.
pub(crate) const START: i32 = i32::MIN;
/// After all values: where the last edge of a node ends.
pub(crate) const END: i32 = i32::MAX;
/// The level of the constants, below all others.
pub(crate) const TERMINAL_LEVEL: u16 = u16::MAX;
/// The number of levels that nodes can tell apart.
pub(crate) const LEVELS_MAX: usize = 1 << LEVEL_BITS;
/// How many bits of a node's first bytes say its level.
pub(crate) const LEVEL_BITS: u32 = 12;

/// An edge of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The cut that ends its values; [`i32::MAX`] for the last edge.
    pub up_to: i32,
    pub child: Handle,
}

/// Appends an edge to those of a node that begin at `base`. Neighbours that lead to the same place become one.
#[inline]
pub(crate) fn push_edge(edges: &mut Vec<Edge>, base: usize, up_to: i32, child: Handle) {
    debug_assert!(edges.len() <= base || edges.last().is_none_or(|last| last.up_to < up_to));
    match edges[base..].last_mut() {
        Some(last) if last.child == child => last.up_to = up_to,
        _ => edges.push(Edge { up_to, child }),
    }
}
