//! The tests of the crate through its public interface, in one binary.

mod census;
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
mod orders;
mod packing;
mod plan;
mod random;
mod receivers;
mod several;
mod side_by_side;
mod stopwatches;
mod symmetry;
mod tables;
mod threads;
mod transient;
mod unions;

use tourbillon_check::PlanRequest;

/// Prints the seed of a random case if the engine panics in it.
struct SeedOfPanic(u64);

impl Drop for SeedOfPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("TOURBILLON_SEED={}", self.0);
        }
    }
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
