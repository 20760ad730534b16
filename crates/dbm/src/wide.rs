//! Closure in 64 bits, for matrices whose sums of entries exceed 32 bits.
//!
//! Large constants are rare but legal: from 26 million on at 9 rows, from 1.3 million at 201. Then
//! [`Dbm`](crate::Dbm) comes here: slow, plain, and exact for any legal input, by the same argument about
//! negative cycles as in `kernels/close.rs`.

use crate::bound::{INFINITY, RAW_LIMIT, ZERO};
use crate::clock::Dimension;

/// What closing came to.
pub(crate) enum CloseResult {
    /// No point satisfies the bounds.
    Empty,
    Fits(Vec<i32>),
    /// There are points, but a bound is too large to be one.
    TooLarge,
}

pub(crate) fn close(bounds: &[i32], dimension: Dimension) -> CloseResult {
    let (size, stride) = (dimension.size(), dimension.stride());
    let mut wide: Vec<Option<i64>> =
        bounds.iter().map(|&raw| (raw != INFINITY).then_some(i64::from(raw))).collect();
    for k in 0..size {
        if wide[k * stride + k].is_some_and(|cycle| cycle < i64::from(ZERO)) {
            return CloseResult::Empty;
        }
        for i in 0..size {
            for j in 0..size {
                let Some((first, second)) = wide[i * stride + k].zip(wide[k * stride + j]) else { continue };
                let sum = first + second - ((first | second) & 1);
                let entry = &mut wide[i * stride + j];
                *entry = Some(entry.map_or(sum, |old| old.min(sum)));
            }
        }
    }
    let narrow = |entry: Option<i64>| match entry {
        None => Some(INFINITY),
        Some(raw) => i32::try_from(raw).ok().filter(|raw| raw.abs() < RAW_LIMIT),
    };
    wide.into_iter()
        .map(narrow)
        .collect::<Option<Vec<i32>>>()
        .map_or(CloseResult::TooLarge, CloseResult::Fits)
}
