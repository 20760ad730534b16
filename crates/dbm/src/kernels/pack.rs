//! The kernel that packs rows of bounds into numbers.
//!
//! The rank of a bound is the number of bounds below it. With few of them, counting is cheaper than looking it up:
//! all entries of a row are compared with one bound after the other, and nothing depends on what is found. A
//! comparison with the bound itself, counted higher up, tells afterwards which entries are none of them. What the
//! ranks of a row are in one number is then the product of two vectors.

use super::narrow::{Bands, Layout};
use super::{by_stride, multiversion};

/// How ranks are made into a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranks<'a> {
    /// The bounds in order, infinity among them.
    pub(crate) bounds: &'a [i32],
    /// What each entry of a row counts; 0 for the last one and for padding.
    pub(crate) weights: &'a [u64],
    /// The rank of `(≤,0)`.
    pub(crate) zero: u32,
    /// How many bytes a row takes.
    pub(crate) row_bytes: usize,
}

/// The lower half is a rank; above it, a bit says that the bound is one of those that have one.
const RANK: i32 = 0xffff;
const KNOWN: i32 = 1 << 16;

multiversion! {
    /// Writes the rows of these bands, each as one number, the last entry in place of the diagonal. Returns whether all
    /// bounds have ranks. Beyond each row, eight bytes may be overwritten.
    pub(crate) fn pack_rows(matrix: &[i32], layout: Layout, bands: u32, ranks: Ranks<'_>, bytes: &mut [u8]) -> bool
        = pack_rows_any;
}

#[inline(always)]
pub(super) fn pack_rows_any(
    matrix: &[i32],
    layout: Layout,
    bands: u32,
    ranks: Ranks<'_>,
    bytes: &mut [u8],
) -> bool {
    let last = layout.size - 1;
    let mut known = KNOWN;
    let mut start = 0;
    by_stride!(layout.stride, |stride, counts| {
        for band in Bands(bands) {
            for i in band * layout.rows..((band + 1) * layout.rows).min(layout.size) {
                count(&matrix[i * stride..][..stride], ranks.bounds, counts);
                let (mut number, mut all) = (0u64, KNOWN);
                for (&count, &weight) in counts.iter().zip(&ranks.weights[..stride]) {
                    all &= count;
                    number = number.wrapping_add(weight.wrapping_mul((count & RANK) as u64));
                }
                known &= all;
                let instead = ((counts[last] & RANK) as u64).wrapping_sub(ranks.zero.into());
                number = number.wrapping_add(ranks.weights[i].wrapping_mul(instead));
                put(number, &mut bytes[start..]);
                start += ranks.row_bytes;
            }
        }
    });
    known != 0
}

/// For each entry of a row how many bounds are below it, and whether it is one of them.
#[inline(always)]
fn count(row: &[i32], bounds: &[i32], counts: &mut [i32]) {
    counts.fill(0);
    for &bound in bounds {
        for (count, &entry) in counts.iter_mut().zip(row) {
            *count += i32::from(entry > bound) | (i32::from(entry == bound) << 16);
        }
    }
}

/// Writes eight bytes, or as many as there is room for.
#[inline(always)]
pub(crate) fn put(word: u64, bytes: &mut [u8]) {
    match bytes.first_chunk_mut() {
        Some(eight) => *eight = word.to_le_bytes(),
        None => bytes.iter_mut().zip(word.to_le_bytes()).for_each(|(byte, new)| *byte = new),
    }
}
