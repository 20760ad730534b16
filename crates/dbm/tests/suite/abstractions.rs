//! Extrapolations against their formulas, simulations against the preorder that defines them.

use tourbillon_base::Random;
use tourbillon_dbm::{ClockBounds, Dbm};
use tourbillon_testkit::bridge::{self, difference};
use tourbillon_testkit::points::{Grid, PointSet};
use tourbillon_testkit::zones;

type Limits = Vec<Option<i64>>;

fn maximum(lower: &Limits, upper: &Limits) -> Limits {
    lower.iter().zip(upper).map(|(&l, &u)| l.max(u)).collect()
}

fn with(zone: &Dbm, operation: impl Fn(&mut Dbm)) -> Dbm {
    let mut zone = zone.clone();
    operation(&mut zone);
    zone
}

/// All zones of two clocks and all limits, with constants up to 1.
#[test]
fn extrapolations_are_their_formulas() {
    let limits = zones::all_limits(2, 1);
    for matrix in zones::all_closed(2, 1) {
        let zone = bridge::zone(&matrix).expect("not empty");
        for (lower, upper) in limits.iter().flat_map(|l| limits.iter().map(move |u| (l, u))) {
            let bounds = bridge::clock_bounds(lower, upper);
            let m = maximum(lower, upper);
            for (name, found, expected) in [
                ("extra-m", with(&zone, |z| z.extra_m(&bounds)), matrix.extra_m(&m)),
                ("extra-m+", with(&zone, |z| z.extra_m_plus(&bounds)), matrix.extra_m_plus(&m)),
                ("extra-lu", with(&zone, |z| z.extra_lu(&bounds)), matrix.extra_lu(lower, upper)),
                ("extra-lu+", with(&zone, |z| z.extra_lu_plus(&bounds)), matrix.extra_lu_plus(lower, upper)),
            ] {
                if let Some(difference) = difference(&found, &expected) {
                    panic!("{name} of {zone:?} by L {lower:?} U {upper:?}: {difference}");
                }
            }
        }
    }
}

/// `Z ⊆ Extra_M ⊆ Extra_M+, Extra_LU ⊆ Extra_LU+ ⊆ a_LU`, and extrapolating does not change a_LU.
#[test]
fn abstractions_are_ordered_by_coarseness() {
    for seed in 0..4_000 {
        let mut random = Random::from_seed(seed);
        let clocks = 1 + random.below(6);
        let zone = bridge::zone(&zones::random_matrix(&mut random, clocks, 9)).expect("not empty");
        let other = bridge::zone(&zones::random_matrix(&mut random, clocks, 9)).expect("not empty");
        let (lower, upper) =
            (zones::random_limits(&mut random, clocks, 9), zones::random_limits(&mut random, clocks, 9));
        let bounds = bridge::clock_bounds(&lower, &upper);
        let m = with(&zone, |z| z.extra_m(&bounds));
        let m_plus = with(&zone, |z| z.extra_m_plus(&bounds));
        let lu = with(&zone, |z| z.extra_lu(&bounds));
        let lu_plus = with(&zone, |z| z.extra_lu_plus(&bounds));
        let chain = m.includes(&zone)
            && m_plus.includes(&m)
            && lu.includes(&m)
            && lu_plus.includes(&m_plus)
            && lu_plus.includes(&lu)
            && lu_plus.is_simulated_lu(&zone, &bounds)
            && m_plus.is_simulated_m(&zone, &bounds);
        assert!(chain, "seed {seed}: {zone:?} L {lower:?} U {upper:?}");
        let plain = other.is_simulated_lu(&zone, &bounds);
        assert_eq!(
            other.is_simulated_lu(&lu_plus, &bounds),
            plain,
            "seed {seed}: {other:?} in a_LU of {zone:?}"
        );
        assert!(!zone.includes(&other) || plain, "seed {seed}");
        assert!(!other.is_simulated_m(&zone, &bounds) || plain, "seed {seed}");
    }
}

/// One zone and its abstraction as a set of points, against all other zones.
fn check_simulation(
    simulated: impl Fn(&Dbm, &Dbm, &ClockBounds) -> bool,
    abstraction: impl Fn(&PointSet, Grid, &Limits, &Limits) -> PointSet,
) {
    let grid = Grid::telling(2, 1);
    let witnesses = grid.for_witnesses(1);
    let limits = zones::all_limits(2, 1);
    let matrices = zones::all_closed(2, 1);
    let all: Vec<(Dbm, PointSet)> = matrices
        .iter()
        .map(|matrix| (bridge::zone(matrix).expect("not empty"), PointSet::from_matrix(grid, matrix)))
        .collect();
    let mut random = Random::from_seed(5);
    let (mut holds, mut fails) = (0, 0);
    for _ in 0..400 {
        let index = random.below(all.len());
        let (lower, upper) = (&limits[random.below(limits.len())], &limits[random.below(limits.len())]);
        let bounds = bridge::clock_bounds(lower, upper);
        let abstracted = abstraction(&PointSet::from_matrix(witnesses, &matrices[index]), grid, lower, upper);
        for (zone, points) in &all {
            let expected = points.is_subset(&abstracted);
            let (other, _) = &all[index];
            assert_eq!(
                simulated(zone, other, &bounds),
                expected,
                "{zone:?} in {other:?} by L {lower:?} U {upper:?}"
            );
            *(if expected { &mut holds } else { &mut fails }) += 1;
        }
    }
    assert!(holds > 10_000 && fails > 10_000, "{holds} hold, {fails} fail");
}

#[test]
fn a_lu_is_the_preorder() {
    check_simulation(Dbm::is_simulated_lu, |set, grid, lower, upper| set.a_lu_at(grid, lower, upper));
}

#[test]
fn a_m_is_the_preorder() {
    check_simulation(Dbm::is_simulated_m, |set, grid, lower, upper| set.a_m_at(grid, &maximum(lower, upper)));
}
