//! Sequences of zone operations, on the zones and on the naive matrices at once: `cargo +nightly fuzz run zones`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(problem) = tourbillon_testkit::script::run(bytes) {
        panic!("{problem}");
    }
});
