//! Entry-wise comparison, minimum and maximum, and properties that one pass decides.
//!
//! These run over the whole matrix as one flat slice, padding included: it is infinite on both sides, so
//! it never decides anything. Most comparisons fail, and most of those on the first few bounds, so those are
//! examined first; after that the answer is asked for once in 32 bounds.

use super::multiversion;
use crate::bound::{INFINITY, ZERO};

/// How two slices compare, entry by entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entrywise {
    /// No entry of the first exceeds that of the second.
    pub(crate) at_most: bool,
    /// No entry of the first is below that of the second.
    pub(crate) at_least: bool,
}

multiversion! {
    /// Whether no entry of `left` exceeds that of `right`.
    pub(crate) fn all_at_most(left: &[i32], right: &[i32]) -> bool = all_at_most_any;
}

multiversion! {
    /// Both comparisons in one pass.
    pub(crate) fn compare(left: &[i32], right: &[i32]) -> Entrywise = compare_any;
}

multiversion! {
    /// Lowers each entry to that of `other`. Returns whether any was lowered.
    pub(crate) fn minimum(matrix: &mut [i32], other: &[i32]) -> bool = minimum_any;
}

multiversion! {
    /// Raises each entry to that of `other`.
    pub(crate) fn maximum(matrix: &mut [i32], other: &[i32]) = maximum_any;
}

multiversion! {
    /// The largest absolute value of a finite entry.
    pub(crate) fn magnitude(matrix: &[i32]) -> i32 = magnitude_any;
}

multiversion! {
    /// Writes into row 0 the minimum of each column, which is at most `(≤,0)` where it is not padding.
    pub(crate) fn column_minima(matrix: &mut [i32], stride: usize) = column_minima_any;
}

const BLOCK: usize = 32;
const FIRST: usize = 8;

#[inline(always)]
pub(super) fn all_at_most_any(left: &[i32], right: &[i32]) -> bool {
    if let (Some(left), Some(right)) = (left.first_chunk::<FIRST>(), right.first_chunk::<FIRST>())
        && !none_exceeds(left, right)
    {
        return false;
    }
    let (left_blocks, left_rest) = left.as_chunks::<BLOCK>();
    let (right_blocks, right_rest) = right.as_chunks::<BLOCK>();
    for (left, right) in left_blocks.iter().zip(right_blocks) {
        if !none_exceeds(left, right) {
            return false;
        }
    }
    none_exceeds(left_rest, right_rest)
}

#[inline(always)]
fn none_exceeds(left: &[i32], right: &[i32]) -> bool {
    let mut exceeds = 0;
    for (&l, &r) in left.iter().zip(right) {
        exceeds |= i32::from(l > r);
    }
    exceeds == 0
}

#[inline(always)]
pub(super) fn compare_any(left: &[i32], right: &[i32]) -> Entrywise {
    let (left_blocks, left_rest) = left.as_chunks::<BLOCK>();
    let (right_blocks, right_rest) = right.as_chunks::<BLOCK>();
    let mut result = Entrywise { at_most: true, at_least: true };
    for (l, r) in left_blocks.iter().zip(right_blocks) {
        result.at_most &= none_exceeds(l, r);
        result.at_least &= none_exceeds(r, l);
        if !result.at_most && !result.at_least {
            return result;
        }
    }
    result.at_most &= none_exceeds(left_rest, right_rest);
    result.at_least &= none_exceeds(right_rest, left_rest);
    result
}

#[inline(always)]
pub(super) fn minimum_any(matrix: &mut [i32], other: &[i32]) -> bool {
    let mut lowered = 0;
    for (entry, &other) in matrix.iter_mut().zip(other) {
        lowered |= i32::from(other < *entry);
        *entry = (*entry).min(other);
    }
    lowered != 0
}

#[inline(always)]
pub(super) fn maximum_any(matrix: &mut [i32], other: &[i32]) {
    for (entry, &other) in matrix.iter_mut().zip(other) {
        *entry = (*entry).max(other);
    }
}

#[inline(always)]
pub(super) fn magnitude_any(matrix: &[i32]) -> i32 {
    let mut largest = 0;
    for &entry in matrix {
        let finite = if entry == INFINITY { 0 } else { entry };
        largest = largest.max(finite).max(-finite);
    }
    largest
}

#[inline(always)]
pub(super) fn column_minima_any(matrix: &mut [i32], stride: usize) {
    let (first, rest) = matrix.split_at_mut(stride);
    for row in rest.chunks_exact(stride) {
        for (minimum, &entry) in first.iter_mut().zip(row) {
            *minimum = (*minimum).min(entry);
        }
    }
    debug_assert_eq!(first[0], ZERO);
}
