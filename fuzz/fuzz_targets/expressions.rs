//! Bytes as the guard of an edge: whatever they are, they load without harm, and an expression survives being written
//! and read again: `cargo +nightly fuzz run expressions`.
#![no_main]

#[path = "../../crates/front-uppaal/tests/suite/check.rs"]
mod check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (before, after) = ("process P() { state A; init A; trans A -> A { guard ", "; }; } system P;");
    let model = [before.as_bytes(), bytes, after.as_bytes()].concat();
    if let Err(problem) = check::check("m.xta", &model) {
        panic!("{problem}");
    }
});
