//! Guarded bounds: limits that are reduced by the upper bounds of the edges that they pass.
//!
//! A limit of `x` passes from the target of an edge to its source if the edge does not set `x`. If the edge can be taken only
//! where `x` is at most `c`, by its guard or by the invariant of its source, less is enough
//! (`guard_based_optimization` of `[GastinMukherjeeSrivathsan2019]`, for LU bounds):
//!
//! | limit at the target | passes as |
//! |---|---|
//! | `U(x)` | nothing |
//! | `L(x)` | the smaller of `L(x)` and `c` |
//!
//! # Why it is sound
//!
//! `v` is simulated by `w` at a state if for every clock `v(x) = w(x)`, or `L(x) < w(x) < v(x)`, or `U(x) < v(x) < w(x)`. Say process
//! `p` takes part in a step with edge `e`, from `l` to `m`, and `x <= c` or `x < c` is part of the guard of `e` or of the invariant of
//! `l`. The comparison itself is a limit at `l`: `U(x) >= c`. And `w(x) <= c`: it satisfies the guard, since `v` does, and the
//! invariants, since it is a valuation of the state. So `U(x) < v(x) < w(x)` is impossible before the step. After it,
//!
//! - `U` of `m` is not needed, since `w(x) <= v(x)`;
//! - `L` of `m` is respected: if `v(x)` and `w(x)` differ, then `L(x) < w(x) <= c` at `l`, so that the limit that passed was less than
//!   `c`, hence all of `L` of `m`, and `w(x)` is greater.
//!
//! It does not matter whether the comparison is strict. One less than `c` would not do for `x < c`, since `w(x)` and `v(x)` may both lie between
//! `c - 1` and `c`.
//!
//! Only limits at `m` pass over `e`. Those of the other processes are at their own locations, and pass over their own edges.
//! In a step of several edges, another one may set `x` before the update of `e`, although the guard was about the value before
//! the step. If it sets `x` to a value of another clock `y`, or to a smaller value of its own, the constraint for shared clocks of `solve.rs` takes the limit at
//! `m` to `y` directly. If it sets `x` to a greater value of its own, `v(x)` and `w(x)` before the step are as above, and the
//! same number is added to both. So guards count for clocks that the edge leaves alone, and not for those that it copies: for
//! `x := y` with the guard `y <= c`, the value of `y` may be another one by then.
//!
//! # What counts as an upper bound
//!
//! A comparison of one clock, `x < c`, `x <= c` or `x == c`, that holds whenever the edge is taken: not one under a condition that may be false,
//! nor one of a clock that depends on data. If `c` is an expression, its largest value. If values are selected, every
//! selection must have such a comparison, and the largest counts.
//!
//! # Where it is not used
//!
//! The simulation preserves that steps are possible, not that they are impossible. `deadlock` and M-extrapolations use the limits without reduction.

use std::collections::BTreeMap;

use tourbillon_dbm::Constant;
use tourbillon_model::{ClockId, Compare, Guard};

use super::range::Context;

/// The clocks with an upper bound, each with the smallest that holds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct UpperBounds(BTreeMap<ClockId, i64>);

impl UpperBounds {
    /// The upper bounds of valuations that satisfy a guard or invariant.
    pub(super) fn of(context: &Context<'_>, guard: &Guard) -> Self {
        let mut bounds = Self::default();
        for condition in &guard.clocks {
            let atom = &condition.atom;
            let is_certain = condition.when.is_none_or(|when| context.truth(when) == Some(true));
            let is_upper = matches!(atom.compare, Compare::Less | Compare::LessOrEqual | Compare::Equal);
            let largest = context.value(atom.bound).max;
            if let [clock] = context.clocks(&atom.left)[..]
                && is_certain
                && is_upper
                && atom.right.is_none()
                && (0..=Constant::MAX.get()).contains(&largest)
            {
                bounds.lower(clock, largest.into());
            }
        }
        bounds
    }

    fn lower(&mut self, clock: ClockId, bound: i64) {
        self.0.entry(clock).and_modify(|known| *known = bound.min(*known)).or_insert(bound);
    }

    /// Those that hold with both.
    pub(super) fn and(mut self, other: &Self) -> Self {
        other.0.iter().for_each(|(&clock, &bound)| self.lower(clock, bound));
        self
    }

    /// Those that hold with either.
    pub(super) fn or(mut self, other: &Self) -> Self {
        self.0.retain(|clock, bound| {
            let theirs = other.0.get(clock);
            *bound = theirs.map_or(*bound, |theirs| (*bound).max(*theirs));
            theirs.is_some()
        });
        self
    }

    pub(super) fn get(&self, clock: ClockId) -> Option<i64> {
        self.0.get(&clock).copied()
    }
}
