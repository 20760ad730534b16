//! Whole models: read without a complaint, printed, and read again as the same tree.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tourbillon_base::SourceMap;
use tourbillon_syntax::{Dialect, Reader};

use super::{Kind, accept, parse};

#[test]
fn our_models_come_back_as_they_were() {
    accept(Kind::Model, include_str!("../models/wide.xta"));
    accept(Kind::OldModel, include_str!("../models/old.ta"));
    accept(Kind::QueryFile, include_str!("../models/wide.q"));
    assert_eq!(Dialect::guess(include_str!("../models/wide.xta")), Dialect::New);
    assert_eq!(Dialect::guess(include_str!("../models/old.ta")), Dialect::Old);
}

/// The collection of public models lies beside the project on some machines and cannot be part of it. Where it
/// is absent there is nothing to test; the models above go through the same checks.
#[test]
fn public_models_come_back_as_they_were_where_they_are_present() {
    for path in public_models() {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("q") => Kind::QueryFile,
            Some("xta" | "ta") if Dialect::guess(&text) == Dialect::Old => Kind::OldModel,
            Some("xta" | "ta") => Kind::Model,
            _ => continue,
        };
        if name == "critical-2-25-50.xta" {
            let parsed = parse(kind, &text);
            assert_eq!(parsed.places, ["S0101 42:82"], "its stray equals sign");
            assert_eq!(parse(kind, &parsed.printed).shape, parsed.shape);
        } else {
            accept(kind, &text);
        }
    }
}

fn public_models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/uppaal");
    let Ok(folder) = std::fs::read_dir(root) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

#[test]
fn five_megabytes_are_read_in_well_under_a_second() {
    let model = include_str!("../models/wide.xta");
    let template = &model[model.find("process Belt").unwrap()..model.find("process Robot").unwrap()];
    let copies =
        (0..5_000_000 / template.len()).map(|index| template.replace("Belt", &format!("Belt{index}")));
    let text: String = copies.chain(["system Belt0;".to_owned()]).collect();
    let mut sources = SourceMap::new();
    let file = sources.add_file("large.xta", text);
    let start = Instant::now();
    let mut reader = Reader::new(&sources, Dialect::New);
    let model = reader.model(file);
    let elapsed = start.elapsed();
    assert!(reader.diagnostics.is_empty() && model.items.len() > 1000);
    assert!(
        elapsed < Duration::from_secs(2),
        "{elapsed:?}: twice the time that the slowest machine should need"
    );
}
