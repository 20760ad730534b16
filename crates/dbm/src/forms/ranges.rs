//! Which bounds can occur between which clocks: what packed forms derive their widths from.
//!
//! A pair of clocks has a *slot* in a packed zone if finite bounds between them have to be kept. Its code is
//! the distance from the lowest bound that can occur; the code above the highest stands for infinity:
//!
//! ```text
//!   bound   low = (<,-U_j)   ...   high = (≤,L_i)   infinity
//!   code    0                ...   high - low       high - low + 1      (row 0 is never infinite)
//! ```
//!
//! **Dropping.** Extrapolation forgets bounds above `L_i` and loosens those below `-U_j` to `(<,-U_j)`.
//! Closing may bring tighter ones back, outside that range, but only as sums of bounds inside it: they say
//! nothing new. So what is kept of a bound above the range is infinity, what is kept of one below it is the
//! lowest; the range of a pair stays as narrow as the two constants, and a pair whose bounds are all
//! forgotten takes no space. For any other zone this could lose something: [`Ranges::keep`] therefore checks
//! that the bounds follow from what is kept of them, and refuses the zone if they do not. A packed form is
//! exact or refused, never wrong.
//!
//! Inclusion is not affected. With `Z` closed, `Z ⊆ Z'` iff each *kept* bound of `Z'` is at least that of
//! `Z`; and comparing with what is kept of `Z` gives the same answer, since the kept bounds of `Z'` are
//! within the range or infinite.

use tourbillon_base::Id;

use super::Unencodable;
use crate::bound::{Bound, Constant, INFINITY, ZERO, add};
use crate::bounds::ClockBounds;
use crate::clock::{Clock, Dimension};
use crate::dbm::Dbm;
use crate::kernels;

/// The bounds that can occur, for each pair of clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges {
    dimension: Dimension,
    slots: Vec<Slot>,
    /// For each entry of a matrix, padding included, the highest bound that is kept; below every bound if
    /// none is.
    highest: Vec<i32>,
    /// For each entry the lowest bound that is kept.
    lowest: Vec<i32>,
    /// A matrix with what a closed zone has outside the slots if nothing was dropped; below every bound in
    /// them.
    outside: Vec<i32>,
    /// The largest absolute value of a raw bound in a slot.
    reach: i32,
}

/// A pair of clocks whose bound is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    /// Where the bound stands in a matrix.
    pub(super) entry: u32,
    /// The lowest bound, with code 0.
    low: i32,
    /// How many codes there are.
    pub(super) codes: u32,
    /// Whether the bound is one of row 0, which is never infinite.
    in_row_zero: bool,
}

impl Slot {
    /// The code of what is kept of a bound.
    #[inline(always)]
    pub(super) fn code(self, raw: i32) -> u32 {
        ((raw.max(self.low) - self.low) as u32).min(self.codes - 1)
    }

    /// The bound that a code stands for.
    #[inline(always)]
    pub(super) fn bound(self, code: u32) -> i32 {
        if code + 1 == self.codes && !self.in_row_zero { INFINITY } else { self.low + code as i32 }
    }
}

/// What encoding a zone drops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    /// Nothing: decoding gives the closed matrix at once.
    Everything,
    /// Bounds that closing brings back.
    EnoughToClose,
}

impl Ranges {
    /// Bounds with constants from `-largest` to `largest` between any two clocks.
    ///
    /// # Panics
    /// If `largest` is negative.
    #[must_use]
    pub fn uniform(dimension: Dimension, largest: Constant) -> Self {
        assert!(largest >= Constant::ZERO, "the largest constant is negative");
        let pair = |i, _| {
            let high = if i == 0 { Bound::ZERO } else { Bound::weak(largest) };
            Some((Bound::strict(largest.negated()).raw(), high.raw()))
        };
        Self::from_pairs(dimension, pair)
    }

    /// The bounds of zones that were extrapolated by these limits, with Extra_LU or Extra_LU+; with Extra_M
    /// or Extra_M+ if `L` and `U` are the same.
    #[must_use]
    pub fn of_extrapolated(bounds: &ClockBounds) -> Self {
        let constant = |limit: Option<Constant>| limit.map(Constant::get);
        let pair = |i: usize, j: usize| {
            let lower = constant(bounds.lower(Clock::from_index(i)));
            let upper = constant(bounds.upper(Clock::from_index(j)));
            match (i, lower.zip(upper)) {
                (0, None) => Some((ZERO, ZERO)),
                (0, Some((_, upper))) => Some((-2 * upper, ZERO)),
                (_, None) => None,
                (_, Some((lower, upper))) => Some((-2 * upper, 2 * lower + 1)),
            }
        };
        Self::from_pairs(bounds.dimension(), pair)
    }

    /// From the lowest and highest bound of each pair, or nothing if no finite bound of the pair is kept.
    fn from_pairs(dimension: Dimension, pair: impl Fn(usize, usize) -> Option<(i32, i32)>) -> Self {
        let (size, stride) = (dimension.size(), dimension.stride());
        let mut ranges = Self {
            dimension,
            slots: Vec::new(),
            highest: vec![i32::MIN; size * stride],
            lowest: vec![i32::MIN; size * stride],
            outside: Dbm::universal(dimension).raw().to_vec(),
            reach: ZERO,
        };
        for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
            let entry = i * stride + j;
            let range = if i == j { Some((ZERO, ZERO)) } else { pair(i, j) };
            let Some((low, high)) = range else { continue };
            (ranges.lowest[entry], ranges.highest[entry]) = (low, high);
            let codes = (high - low) as u32 + if i == 0 { 1 } else { 2 };
            if i != j && codes > 1 {
                ranges.slots.push(Slot { entry: entry as u32, low, codes, in_row_zero: i == 0 });
                ranges.outside[entry] = i32::MIN;
                ranges.reach = ranges.reach.max(low.abs()).max(high.abs());
            }
        }
        ranges
    }

    /// How many clocks there are.
    #[must_use]
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The raw bounds of a zone of this dimension.
    pub(super) fn raw<'z>(&self, zone: &'z Dbm) -> &'z [i32] {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        zone.raw()
    }

    /// Overwrites `zone` with the one that has these bounds in its slots, closing it if some were dropped.
    pub(super) fn fill(&self, zone: &mut Dbm, kept: Kept, bounds: impl Iterator<Item = (Slot, i32)>) {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        let non_empty = zone.rewrite(self.reach, kept == Kept::EnoughToClose, |matrix| {
            matrix.copy_from_slice(&self.outside);
            for (slot, bound) in bounds {
                matrix[slot.entry as usize] = bound;
            }
        });
        assert!(non_empty, "these words were not written by this form");
    }

    /// Whether `zone` includes everything that differs from it outside the slots only. Where nothing was
    /// dropped, the slots decide the rest.
    pub(super) fn outside_within(&self, zone: &Dbm) -> bool {
        kernels::all_at_most(&self.outside, zone.raw())
    }

    /// Whether the slots hold the zone exactly, and whether they do so without closing.
    pub(super) fn keep(&self, zone: &Dbm) -> Result<Kept, Unencodable> {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        if zone.overflowed() {
            return Err(Unencodable);
        }
        let raw = zone.raw();
        let limits = self.lowest.iter().zip(&self.highest);
        let changed = |(entry, (&bound, (&low, &high)))| (kept(bound, low, high) != bound).then_some(entry);
        let mut dropped = raw.iter().zip(limits).enumerate().filter_map(changed);
        match dropped.next() {
            None => Ok(Kept::Everything),
            Some(first) => {
                let all = std::iter::once(first).chain(dropped);
                let implied = self.follow_at_once(raw, all) || self.follow_by_closing(zone);
                if implied { Ok(Kept::EnoughToClose) } else { Err(Unencodable) }
            }
        }
    }

    fn kept(&self, raw: &[i32], entry: usize) -> i32 {
        kept(raw[entry], self.lowest[entry], self.highest[entry])
    }

    /// Whether each dropped bound is the sum of two kept ones: nearly always, and nearly always of two that
    /// meet at the reference.
    fn follow_at_once(&self, raw: &[i32], mut dropped: impl Iterator<Item = usize>) -> bool {
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        dropped.all(|entry| {
            let (i, j) = (entry / stride, entry % stride);
            let sum_through = |k| add(self.kept(raw, i * stride + k), self.kept(raw, k * stride + j));
            (0..size).any(|k| k != i && k != j && sum_through(k) == raw[entry])
        })
    }

    /// Whether the kept bounds, closed, give the zone again.
    #[cold]
    fn follow_by_closing(&self, zone: &Dbm) -> bool {
        let kept = (0..zone.raw().len()).map(|entry| self.kept(zone.raw(), entry));
        let mut closed = Dbm::from_open_parts(self.dimension, kept.collect(), false);
        closed.close_with(kernels::close) && closed == *zone
    }
}

/// What is kept of a bound: itself within the range, infinity above it, the lowest below it.
#[inline(always)]
fn kept(bound: i32, low: i32, high: i32) -> i32 {
    if bound > high { INFINITY } else { bound.max(low) }
}
