//! TChecker text: read it, and if it is a model, write it and read that again: `cargo +nightly fuzz run tck`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tourbillon_base::SourceMap;
use tourbillon_front_tchecker::{load, write};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (model, _) = load("fuzz.tck", &text, &mut SourceMap::new());
    let Some(model) = model else { return };
    assert_eq!(model.check(), []);
    let written = write(&model).expect("what was read can be written");
    let (again, problems) = load("again.tck", &written, &mut SourceMap::new());
    let again = again.unwrap_or_else(|| panic!("{written}\n{problems:?}"));
    assert_eq!(again.to_string(), model.to_string(), "{written}");
});
