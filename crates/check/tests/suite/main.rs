//! The tests of the crate through its public interface, in one binary.

mod census;
mod certificates;
mod changed_certificates;
mod extremes;
mod families;
mod flexray;
mod forms;
mod graph;
mod guarded;
mod lint;
mod liveness;
mod liveness_random;
mod mixed;
mod mutants;
mod orders;
mod packing;
mod plan;
mod random;
mod receivers;
mod recheck;
mod several;
mod side_by_side;
mod stopwatches;
mod symmetry;
mod tables;
mod threads;
mod transient;
mod unions;

use tourbillon_check::PlanRequest;

/// The result of a random case; a panic of the engine in it is repeated with its seed.
fn with_seed<T>(seed: u64, case: impl FnOnce() -> T) -> T {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(case));
    result.unwrap_or_else(|_| panic!("TOURBILLON_SEED={seed}: a panic in this case"))
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// So many of the plans, or `TOURBILLON_PLANS` of them: a window that moves with the seed, so that each plan is tried on as many
/// networks as every other.
fn window(mut plans: Vec<PlanRequest>, seed: u64, default: u64) -> Vec<PlanRequest> {
    let wanted = from_environment("TOURBILLON_PLANS", default);
    if wanted < plans.len() as u64 {
        let first = seed as usize % plans.len();
        plans.rotate_left(first);
        plans.truncate(wanted as usize);
    }
    plans
}
