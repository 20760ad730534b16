//! Each kernel as selected at run time, against the same source compiled for the baseline.
//!
//! On a processor without AVX2 the two are one, and this says nothing; what the kernels compute is tested
//! elsewhere.

use tourbillon_base::{Id, Random};

use super::*;
use crate::bound::{Bound, RAW_LIMIT, ZERO};
use crate::clock::{Clock, Constraint, Dimension};

/// A matrix with random entries, small enough to be closed; padding is infinite. Most have a point in them
/// that no entry excludes, some are empty.
fn random_matrix(random: &mut Random, dimension: Dimension) -> Vec<i32> {
    let (size, stride) = (dimension.size(), dimension.stride());
    let mut matrix = vec![INFINITY; size * stride];
    let point: Vec<i32> = (0..size).map(|i| if i == 0 { 0 } else { random.within(0..=20) }).collect();
    let (sparse, least_slack) = (random.one_in(2), if random.one_in(5) { -1 } else { 1 });
    for (i, row) in matrix.chunks_exact_mut(stride).enumerate() {
        for (j, entry) in row[..size].iter_mut().enumerate() {
            let infinite = i > 0 && random.one_in(if sparse { 2 } else { 9 });
            let bound = 2 * (point[i] - point[j]) + random.within(least_slack..=20);
            *entry = if infinite { INFINITY } else { bound };
            *entry = if i == 0 { (*entry).min(ZERO) } else { *entry };
        }
        row[i] = ZERO;
    }
    matrix
}

fn random_limits(random: &mut Random, dimension: Dimension) -> Vec<i32> {
    let mut limits = vec![-(RAW_LIMIT >> 1); dimension.stride()];
    for limit in &mut limits[..dimension.size()] {
        *limit = if random.one_in(3) { *limit } else { random.within(0..=15) };
    }
    limits[0] = 0;
    limits
}

/// Runs both on copies of the matrix; the results and what they leave behind must be the same.
fn same<R: PartialEq + std::fmt::Debug>(
    matrix: &[i32],
    chosen: impl Fn(&mut [i32]) -> R,
    baseline: impl Fn(&mut [i32]) -> R,
) -> Vec<i32> {
    let (mut one, mut two) = (matrix.to_vec(), matrix.to_vec());
    assert_eq!(chosen(&mut one), baseline(&mut two));
    assert_eq!(one, two);
    one
}

#[test]
fn the_chosen_kernels_do_what_the_baseline_does() {
    let mut compared = 0;
    for seed in 0..600 {
        let mut random = Random::from_seed(seed);
        let dimension = Dimension::of_clocks(random.below(50)).expect("few clocks");
        let stride = dimension.stride();
        let open = random_matrix(&mut random, dimension);
        let other = random_matrix(&mut random, dimension);
        let (lower, upper) = (random_limits(&mut random, dimension), random_limits(&mut random, dimension));

        assert_eq!(all_at_most(&open, &other), compare::all_at_most_any(&open, &other));
        assert_eq!(compare(&open, &other), compare::compare_any(&open, &other));
        assert_eq!(magnitude(&open), compare::magnitude_any(&open));
        let lowered = same(&open, |m| minimum(m, &other), |m| compare::minimum_any(m, &other));
        assert!(all_at_most(&lowered, &open) && compare(&lowered, &open).at_most);
        same(&open, |m| maximum(m, &other), |m| compare::maximum_any(m, &other));

        let closed = same(&open, |m| close(m, stride), |m| close::close_any(m, stride));
        if !close(&mut open.clone(), stride) {
            continue;
        }
        compared += 1;
        same(&closed, |m| column_minima(m, stride), |m| compare::column_minima_any(m, stride));
        let points: Vec<u16> = (0..dimension.size() as u16).filter(|_| !random.one_in(4)).collect();
        same(
            &other,
            |detours| shortest_detours(&closed, stride, &points, detours),
            |detours| detour::shortest_detours_any(&closed, stride, &points, detours),
        );
        for shape in [Extrapolation::Plain, Extrapolation::Plus] {
            let extrapolated = same(
                &closed,
                |m| extrapolate(m, stride, shape, &lower, &upper),
                |m| extrapolate::extrapolate_any(m, stride, shape, &lower, &upper),
            );
            let through = same(
                &extrapolated,
                |m| close_through(m, stride, &lower, &upper),
                |m| close::close_through_any(m, stride, &lower, &upper),
            );
            let mut fully = extrapolated;
            assert!(close(&mut fully, stride));
            assert_eq!(through, fully, "seed {seed}: the pivots left out matter");
            assert_eq!(
                simulated(&closed, &through, stride, &lower, &upper),
                simulate::simulated_any(&closed, &through, stride, &lower, &upper)
            );
        }
        if dimension.clocks() > 0 {
            let x = 1 + random.below(dimension.clocks());
            same(&closed, |m| reset(m, stride, x), |m| step::reset_any(m, stride, x));
            let uppers: Vec<Constraint> = (0..random.below(4))
                .map(|_| {
                    let clock = Clock::from_index(1 + random.below(dimension.clocks()));
                    Constraint::upper(clock, Bound::weak((random.below(41) as i16).into()))
                })
                .collect();
            same(&closed, |m| delay(m, stride, &uppers), |m| step::delay_any(m, stride, &uppers));
            same(
                &closed,
                |m| constrain_uppers(m, stride, &uppers),
                |m| constrain::constrain_uppers_any(m, stride, &uppers),
            );
        }
        let (i, j) = (random.below(dimension.size()), random.below(dimension.size()));
        let bound = closed[i * stride + j].min(30) - 1;
        if crate::bound::add(closed[j * stride + i], bound) >= ZERO {
            same(
                &closed,
                |m| constrain(m, stride, i, j, bound),
                |m| constrain::constrain_any(m, stride, i, j, bound),
            );
        }
    }
    assert!(compared > 100, "only {compared} of the matrices were not empty");
}

/// Runs both on slots of their own; the results and what they write must be the same.
fn same_slots<S: narrow::Kernels, R: PartialEq + std::fmt::Debug>(
    count: usize,
    chosen: impl Fn(&mut [S]) -> R,
    baseline: impl Fn(&mut [S]) -> R,
) -> (R, Vec<S>) {
    let (mut one, mut two) = (vec![S::LEAST; count], vec![S::LEAST; count]);
    let result = chosen(&mut one);
    assert_eq!(result, baseline(&mut two));
    assert_eq!(one, two);
    (result, one)
}

/// The kernels of one width of slots, on two raw matrices.
fn narrow_kernels_agree<S: narrow::Kernels>(
    matrix: &[i32],
    other: &[i32],
    dimension: Dimension,
    limits: &[i32],
) {
    let (size, stride) = (dimension.size(), dimension.stride());
    let layout = narrow::Layout { size, stride, rows: size.div_ceil(32) };
    let all = u32::MAX >> (32 - size.div_ceil(layout.rows));
    let whole = (size.div_ceil(layout.rows) * layout.band()).next_multiple_of(narrow::ALIGN);
    let lower = &limits[..size];
    let narrowed = |matrix: &[i32]| {
        same_slots(
            whole + stride + narrow::ALIGN,
            |slots: &mut [S]| S::narrow(matrix, layout, slots),
            |slots| narrow::narrow_any(matrix, layout, slots),
        )
    };
    let ((a_bands, a), (b_bands, b)) = (narrowed(matrix), narrowed(other));
    // What does not fit is written all the same, with the nearest numbers.
    let bands = |bands: Option<u32>| bands.unwrap_or(all);
    let a = narrow::Written { bands: bands(a_bands), slots: &a[..whole] };
    let b = narrow::Written { bands: bands(b_bands), slots: &b[..whole] };
    assert_eq!(S::all_at_most(a.slots, b.slots), narrow::all_at_most_any(a.slots, b.slots));
    assert_eq!(S::bands_at_most(a, b, layout), narrow::bands_at_most_any(a, b, layout));
    same(other, |m| S::widen(a, layout, m), |m| narrow::widen_any(a, layout, m));
    let floor = same_slots(
        whole,
        |slots| S::floor(matrix, stride, lower, limits, slots),
        |slots| narrow::floor_any(matrix, stride, lower, limits, slots),
    );
    let floor = narrow::Written { bands: all, slots: &floor.1[..] };
    assert_eq!(S::bands_at_most(floor, b, layout), narrow::bands_at_most_any(floor, b, layout));
    let (_, ceiling) = same_slots(
        whole,
        |slots| S::ceiling(other, stride, lower, limits, slots),
        |slots| narrow::ceiling_any(other, stride, lower, limits, slots),
    );
    let universal = vec![S::INFINITE; whole];
    assert_eq!(
        S::below_ceiling(a, b, &ceiling, &universal, layout),
        narrow::below_ceiling_any(a, b, &ceiling, &universal, layout)
    );
}

#[test]
fn the_chosen_narrow_kernels_do_what_the_baseline_does() {
    for seed in 0..600 {
        let mut random = Random::from_seed(seed);
        let dimension = Dimension::of_clocks(random.below(50)).expect("few clocks");
        let (one, two) = (random_matrix(&mut random, dimension), random_matrix(&mut random, dimension));
        let limits = random_limits(&mut random, dimension);
        narrow_kernels_agree::<i8>(&one, &two, dimension, &limits);
        narrow_kernels_agree::<i16>(&one, &two, dimension, &limits);
        narrow_kernels_agree::<i32>(&one, &two, dimension, &limits);
    }
}
