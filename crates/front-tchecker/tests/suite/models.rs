//! The models that others have published, where they are at hand.

use std::fs;
use std::path::Path;

use super::{load, told};

#[test]
fn published_models_load() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/tchecker");
    let Ok(entries) = fs::read_dir(&folder) else { return };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "tck")) {
        let text = fs::read_to_string(path).expect("a readable file");
        let (model, diagnostics, sources) = load(&text);
        assert!(
            model.is_some() && diagnostics.is_empty(),
            "{}: {:#?}",
            path.display(),
            told(&diagnostics, &sources)
        );
    }
}
