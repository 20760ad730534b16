//! Random networks with much data: the answers are those of the engine that keeps single states.
//!
//! What `random.rs` asks of networks with little data, here of networks with variables of odd ranges, arrays of arrays,
//! records, functions that loop and return early and write through references, every operator, selections in guards,
//! channels and updates, and clocks that are compared with data and set to it. One network in six may go wrong while it
//! runs.
//!
//! The number of networks is `TOURBILLON_NETWORKS` (default 500), the first seed `TOURBILLON_SEED` (default 1).

mod declarations;
mod expressions;
mod network;
mod regressions;
mod scope;

use crate::common::{complaint_or_panic, from_environment, plans};
use network::Network;
use tourbillon_testkit::networks::uppaal_model;

#[test]
fn sets_agree_with_single_states_on_data() {
    let networks = from_environment("TOURBILLON_NETWORKS", 500);
    let first = from_environment("TOURBILLON_SEED", 1);
    let plans = plans();
    let mut answered = 0;
    for seed in first..first + networks {
        let Network { text, queries } = Network::random(seed);
        let model = uppaal_model(&text, &queries)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}{queries}"));
        // Two of the plans for each network: over all of them, all of them.
        for turn in 0..2 {
            let plan_request = &plans[(seed as usize + turn * 3) % plans.len()];
            match complaint_or_panic(&model, plan_request) {
                Ok(answers) => answered += answers,
                Err(complaint) => panic!(
                    "TOURBILLON_SEED={seed} TOURBILLON_NETWORKS=1, {plan_request:?}: {complaint}\n{text}{queries}"
                ),
            }
        }
    }
    assert!(answered as u64 >= 2 * networks, "only {answered} questions were answered");
}
