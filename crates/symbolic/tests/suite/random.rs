//! Random networks: the answers are those of the engine that keeps single states.
//!
//! Each network is explored, and each of its queries answered, under several plans. Verdicts and reasons must agree, and of
//! a full exploration the number of discrete states; with equality as cover, there are not more pairs of a state and a zone
//! than the other engine has nodes: zones are cut down to invariants here, so that some that differ there are equal. Runs are replayed by what makes the answers: one that does not is an `unknown`, which counts
//! as wrong.
//!
//! The number of networks is `TOURBILLON_NETWORKS` (default 400), the first seed `TOURBILLON_SEED` (default 1).

use crate::common::{complaint_or_panic, from_environment, plans};
use tourbillon_testkit::networks::{Network, Shape};

#[test]
fn sets_agree_with_single_states() {
    let networks = from_environment("TOURBILLON_NETWORKS", 400);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut answered = 0;
    for seed in first..first + networks {
        let (_, shape) = Shape::ALL[seed as usize % Shape::ALL.len()];
        let network = Network::random(seed, shape);
        let model = network.model().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        for plan_request in plans() {
            match complaint_or_panic(&model, &plan_request) {
                Ok(answers) => answered += answers,
                Err(complaint) => panic!(
                    "TOURBILLON_SEED={seed} TOURBILLON_NETWORKS=1, {plan_request:?}: {complaint}\n{}",
                    network.text()
                ),
            }
        }
    }
    assert!(answered as u64 >= 5 * networks, "only {answered} questions were answered");
}
