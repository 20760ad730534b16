//! The contract of the document layer, tested through its public face.

mod check;
mod dialects;
mod drawing;
mod elements;
mod hostile;
mod language;
mod roundtrip;
mod shared;

use tourbillon_base::{Diagnostics, SourceMap};
use tourbillon_front_uppaal::{Document, LoadOptions, load};

/// Reads a text under a name.
fn read(name: &str, bytes: impl AsRef<[u8]>) -> (Document, Diagnostics) {
    load(name, bytes.as_ref(), &LoadOptions::default())
}

/// Each diagnostic as `CODE line:column message`.
fn messages(sources: &SourceMap, diagnostics: &Diagnostics) -> Vec<String> {
    let line = |d: &tourbillon_base::Diagnostic| {
        let start = sources.resolve(d.primary).start;
        format!("{} {}:{} {}", d.code, start.line, start.column, d.message)
    };
    diagnostics.iter().map(line).collect()
}

/// Reads a text that must be right.
#[track_caller]
fn accept(name: &str, text: impl AsRef<[u8]>) -> Document {
    let (document, diagnostics) = read(name, text);
    assert!(!diagnostics.has_errors(), "{name}: {:#?}", messages(&document.sources, &diagnostics));
    document
}

/// The samples of this crate: name and content.
const fn samples() -> [(&'static str, &'static [u8]); 7] {
    [
        ("train-gate.xml", include_bytes!("../samples/train-gate.xml")),
        ("fischer.xml", include_bytes!("../samples/fischer.xml")),
        ("smc.xml", include_bytes!("../samples/smc.xml")),
        ("old.xml", include_bytes!("../samples/old.xml")),
        ("old.ta", include_bytes!("../samples/old.ta")),
        ("lights.xta", include_bytes!("../samples/lights.xta")),
        ("gate.q", include_bytes!("../samples/gate.q")),
    ]
}

/// The files of a folder of shared models, if it is there: name and content.
fn shared_models() -> Vec<(String, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/uppaal");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let file = |path: std::path::PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some((name, std::fs::read(path).ok()?))
    };
    paths.into_iter().filter_map(file).collect()
}
