//! The contract of the document layer, tested through its public face.

mod roundtrip;

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
