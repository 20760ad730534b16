//! Damaged certificates: `cargo +nightly fuzz run certificates -- -max_len=200 -timeout=10 -rss_limit_mb=2048`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/tourbillon/tests/suite/certificate_files.rs"]
mod certificate_files;

fuzz_target!(|bytes: &[u8]| {
    certificate_files::run(bytes);
});
