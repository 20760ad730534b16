//! Public models, where they are at hand: all load, and what comes of them keeps every promise of a model.

use std::path::Path;

use tourbillon_base::{Diagnostics, Severity, SourceMap};
use tourbillon_front_uppaal::lower::{Input, lower};
use tourbillon_syntax::{Dialect, Reader};

/// One of the files has a stray `=` in a list of locations, which is reported and read over.
const BROKEN: &str = "critical-2-25-50.xta";

#[test]
fn public_textual_models_load() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/uppaal");
    let Ok(entries) = std::fs::read_dir(&folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.extension().is_none_or(|extension| extension != "xta") {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let mut sources = SourceMap::new();
        let dialect = Dialect::guess(&text);
        let source = sources.add_file(&name, text);
        let mut reader = Reader::new(&sources, dialect);
        let model = reader.model(source);
        assert_eq!(reader.diagnostics.has_errors(), name == BROKEN, "{name}: {:?}", reader.diagnostics);
        let mut diagnostics = Diagnostics::default();
        let input = Input { name: &name, tree: &reader.tree, model: &model, queries: &[] };
        let lowered = lower(&input, &mut diagnostics);
        let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        let lowered = lowered.unwrap_or_else(|| panic!("{name}: {errors:?}"));
        assert_eq!(lowered.check(), [], "{name}");
        assert!(lowered.processes.len() > 1 && lowered.clocks.len() > 1, "{name}");
    }
}
