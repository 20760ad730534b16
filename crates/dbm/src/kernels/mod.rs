//! The inner loops: free functions over slices of raw bounds.
//!
//! A matrix is a slice of `size * stride` raw bounds, row after row. Entries past the last column are
//! padding and always infinite: every kernel keeps them so, and none needs to know where they begin.
//!
//! Three things make these loops fast, each measured by `cargo bench -p tourbillon-dbm`:
//!
//! - Rows are zipped, never indexed, so nothing aliases, no index is checked, and the compiler vectorises.
//! - [`by_stride!`] compiles each kernel once per common row length. With the length a constant the loop
//!   over a row unrolls into two or three vector instructions, and a 3-clock zone lives in registers.
//! - [`multiversion!`] compiles each kernel twice, for the processor every x86-64 machine has and for one
//!   with AVX2 (eight bounds at a time, with a minimum instruction of its own), and chooses at run time.
//!
//! Kernels state what they need and leave in terms of closed and non-empty. None of them allocates.

mod close;
mod compare;
mod constrain;
mod detour;
mod extrapolate;
pub(crate) mod narrow;
pub(crate) mod pack;
mod simulate;
mod step;
#[cfg(test)]
mod tests;

pub(crate) use close::{close, close_through};
pub(crate) use compare::{all_at_most, column_minima, compare, magnitude, maximum, minimum};
pub(crate) use constrain::{constrain, constrain_uppers};
pub(crate) use detour::shortest_detours;
pub(crate) use extrapolate::{Extrapolation, extrapolate};
pub(crate) use simulate::simulated;
pub(crate) use step::{delay, reset};

use crate::bound::INFINITY;

/// Defines a function that runs `$body` compiled for AVX2 where the processor has it, and compiled for the
/// baseline elsewhere. The body must be `#[inline(always)]` all the way down to take part; that is why
/// kernels are written with `for` and not with `all` or `any`, which the compiler is free to leave outside,
/// compiled for the baseline.
macro_rules! multiversion {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $body:path;) => {
        $(#[$meta])*
        #[inline]
        $vis fn $name($($arg: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn with_avx2($($arg: $type),*) $(-> $result)? {
                    $body($($arg),*)
                }
                if $crate::kernels::has_avx2() {
                    // SAFETY: `has_avx2` has just found the feature that the function is compiled for.
                    // PERF: beside the straightforward implementation of the benchmark, closing at 16 clocks is
                    // 15.7 times faster with this branch and 5.6 to 8.3 times without; inclusion gains a tenth (`cargo
                    // bench -p tourbillon-dbm`, and again with `has_avx2` answering false).
                    #[expect(unsafe_code, reason = "calling a function compiled for a detected feature")]
                    return unsafe { with_avx2($($arg),*) };
                }
            }
            $body($($arg),*)
        }
    };
}
pub(crate) use multiversion;

/// Evaluates `$body` with `$stride` a constant and `$scratch` a row of that length, for the common row
/// lengths; beyond those with the stride as it comes and a part of the longest row.
macro_rules! by_stride {
    ($stride:expr, |$constant:ident, $scratch:ident| $body:expr) => {
        by_stride!(@ $stride, $constant, $scratch, $body, 4 8 16 24 32 40)
    };
    (@ $stride:expr, $constant:ident, $scratch:ident, $body:expr, $($length:literal)*) => {
        match $stride {
            $($length => {
                let $constant = $length;
                let $scratch = &mut [0i32; $length];
                $body
            })*
            $constant => {
                let $scratch = &mut [0i32; $crate::kernels::STRIDE_MAX][..$constant];
                $body
            }
        }
    };
}
pub(crate) use by_stride;

/// The longest row: that of the largest [`Dimension`](crate::Dimension).
pub(crate) const STRIDE_MAX: usize = (crate::Dimension::CLOCKS_MAX + 1).next_multiple_of(8);

/// All bits in the middle and none elsewhere, for [`mark`].
static MARK: [i32; 2 * STRIDE_MAX] = {
    let mut mark = [0; 2 * STRIDE_MAX];
    mark[STRIDE_MAX] = -1;
    mark
};

/// A row with all bits in one lane and none in the others: to change or keep that lane without leaving the vector.
/// (Counting lanes while zipping does not vectorise, and comparing constants with a number is done one by one.)
#[inline(always)]
fn mark(lane: usize, stride: usize) -> &'static [i32] {
    &MARK[STRIDE_MAX - lane..][..stride]
}

/// What stands for infinity in a pivot row: adding any finite bound to it gives infinity or more, and stays
/// within 32 bits.
const PIVOT_INFINITY: i32 = INFINITY + (INFINITY >> 1);

/// Whether the processor runs what [`multiversion!`] compiles. The answer is cached by the standard library;
/// asking costs a load and a test.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

/// Copies a row to be added to others: what is infinite is raised, so that no sum needs a test for it.
#[inline(always)]
fn load_pivot(row: &[i32], pivot: &mut [i32]) {
    for (step, &bound) in pivot.iter_mut().zip(row) {
        *step = if bound == INFINITY { PIVOT_INFINITY } else { bound };
    }
}

/// Lowers each entry of `row` to `via` plus the pivot row, where that is tighter. `via` must be finite.
///
/// A sum is weak only if both summands are: so the low bit of `via` is left off, and that of each step is
/// kept only if `via` has it.
#[inline(always)]
fn relax(row: &mut [i32], via: i32, pivot: &[i32]) {
    let (base, kept_bits) = (via & !1, via | !1);
    for (entry, &step) in row.iter_mut().zip(pivot) {
        *entry = (*entry).min(base + (step & kept_bits));
    }
}
