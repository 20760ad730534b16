//! The four extrapolations.
//!
//! With `L` and `U` the largest constants of lower and upper guards, entry `(i,j)` with constant `c` becomes
//! `[BehrmannBouyerLarsenPelanek2004]`:
//!
//! | | Extra_LU | Extra_LU+ |
//! |---|---|---|
//! | ∞ | if `c_ij > L_i` | if `c_ij > L_i`, or `-c_0i > L_i`, or `-c_0j > U_j` and `i ≠ 0` |
//! | `(<, -U_j)` | else if `-c_ij > U_j` | else if `-c_0j > U_j` and `i = 0` |
//! | unchanged | else | else |
//!
//! Extra_M and Extra_M+ are the same with `L = U = M`. Only rows `i ≥ 1` take the first line, the diagonal
//! stays, and row 0 stays at most `(≤,0)`, which is what `U_j = -∞` makes of it. Row 0 is read by all others
//! and rewritten last.
//!
//! On raw bounds, `c > L` is `raw > 2L+1`, and `-c > U` is `raw < -2U`; minus infinity is a number below
//! every constant (see `bounds.rs`), so neither test needs a special case. The diagonal is kept lane by lane: writing
//! it back afterwards would make the next load of the row wait for that small write.

use tourbillon_base::mutants::{self, Mutant};

use super::{by_stride, mark, multiversion};
use crate::bound::{INFINITY, ZERO};

/// Which of the two shapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extrapolation {
    /// Extra_M and Extra_LU: each entry by its own constant.
    Plain,
    /// Extra_M+ and Extra_LU+: also by the lower bounds of its two clocks.
    Plus,
}

multiversion! {
    /// Extrapolates a closed matrix; leaves it open. Returns whether any entry changed.
    ///
    /// `lower` and `upper` are one stride long.
    pub(crate) fn extrapolate(
        matrix: &mut [i32],
        stride: usize,
        shape: Extrapolation,
        lower: &[i32],
        upper: &[i32],
    ) -> bool = extrapolate_any;
}

#[inline(always)]
pub(super) fn extrapolate_any(
    matrix: &mut [i32],
    stride: usize,
    shape: Extrapolation,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    by_stride!(stride, |stride, scratch| {
        let (lower, upper) = (&lower[..stride], &upper[..stride]);
        let (first, rest) = matrix.split_at_mut(stride);
        let changed = match shape {
            Extrapolation::Plain => plain_rows(rest, stride, lower, upper),
            Extrapolation::Plus => {
                for ((forget, &bound), &upper) in scratch.iter_mut().zip(&*first).zip(upper) {
                    *forget = if bound < -2 * upper { INFINITY } else { i32::MIN };
                }
                plus_rows(first, rest, stride, lower, scratch)
            }
        };
        first_row(first, upper) || changed
    })
}

/// Rows from 1 on, by their own entries.
#[inline(always)]
fn plain_rows(rows: &mut [i32], stride: usize, lower: &[i32], upper: &[i32]) -> bool {
    let mut changed = 0;
    for (i, row) in (1..).zip(rows.chunks_exact_mut(stride)) {
        let high = 2 * lower[i] + 1;
        let forgotten = if mutants::is(Mutant::ExtrapolationCuts) { high.max(ZERO) } else { INFINITY };
        for ((entry, &kept), &upper) in row.iter_mut().zip(mark(i, stride)).zip(upper) {
            let forget = *entry > high || upper < 0;
            let new = if forget { forgotten } else { (*entry).max(-2 * upper) };
            let change = (new ^ *entry) & !kept;
            changed |= change;
            *entry ^= change;
        }
    }
    changed != 0
}

/// Rows from 1 on, by their entries and by row 0; `forget` is infinite in the columns to forget.
#[inline(always)]
fn plus_rows(first: &[i32], rows: &mut [i32], stride: usize, lower: &[i32], forget: &[i32]) -> bool {
    let mut changed = 0;
    for (i, row) in (1..).zip(rows.chunks_exact_mut(stride)) {
        if first[i] < -2 * lower[i] {
            // The clock is above its `L`, or has none, and is forgotten: half of all rows, and a branch that keeps
            // the compiler from vectorising over rows instead of along them.
            for (entry, &kept) in row.iter_mut().zip(mark(i, stride)) {
                let change = (INFINITY ^ *entry) & !kept;
                changed |= change;
                *entry ^= change;
            }
            continue;
        }
        let high = 2 * lower[i] + 1;
        let forgotten = if mutants::is(Mutant::ExtrapolationCuts) { high.max(ZERO) } else { INFINITY };
        for ((entry, &kept), &forget) in row.iter_mut().zip(mark(i, stride)).zip(forget) {
            let new = (if *entry > high { forgotten } else { *entry }).max(forget);
            let change = (new ^ *entry) & !kept;
            changed |= change;
            *entry ^= change;
        }
    }
    changed != 0
}

/// Row 0: lower bounds above `U` become `(<, -U)`.
#[inline(always)]
fn first_row(row: &mut [i32], upper: &[i32]) -> bool {
    let mut changed = 0;
    for (entry, &upper) in row.iter_mut().zip(upper) {
        let floor = -2 * upper;
        let new = if *entry < floor { floor.min(ZERO) } else { *entry };
        changed |= new ^ *entry;
        *entry = new;
    }
    changed != 0
}
