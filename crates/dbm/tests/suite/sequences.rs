//! Random sequences of operations on up to six clocks, against the naive matrices of the testkit; and what
//! the fuzzer once found.

use std::path::Path;

use tourbillon_base::Random;
use tourbillon_testkit::script;

fn script(seed: u64) -> Vec<u8> {
    let mut random = Random::from_seed(seed);
    let length = 40 + random.below(200);
    (0..length).map(|_| random.below(256) as u8).collect()
}

/// `TOURBILLON_SEED=n` runs the one script that a failure names, `TOURBILLON_CASES=n` more or fewer of them.
#[test]
fn random_sequences_agree_with_the_naive_matrices() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("TOURBILLON_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("TOURBILLON_CASES").unwrap_or(6_000),
    };
    for seed in seeds {
        if let Err(problem) = script::run(&script(seed)) {
            panic!("TOURBILLON_SEED={seed}: {problem}");
        }
    }
}

#[test]
fn regressions_of_the_fuzzer_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions/zones");
    let mut replayed = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of regressions is part of the project") {
        let path = entry.expect("a readable folder").path();
        let bytes = std::fs::read(&path).expect("a readable file");
        if let Err(problem) = script::run(&bytes) {
            panic!("{}: {problem}", path.display());
        }
        replayed += 1;
    }
    assert!(replayed > 0, "no regression in {}", folder.display());
}
