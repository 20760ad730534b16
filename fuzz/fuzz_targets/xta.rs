//! Bytes as textual models: they load without harm, and what is right survives being written and read again:
//! `cargo +nightly fuzz run xta`.
#![no_main]

#[path = "../../crates/front-uppaal/tests/suite/check.rs"]
mod check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(problem) = check::check("m.xta", bytes) {
        panic!("{problem}");
    }
});
