//! Reading the files that are named on the command line.

use std::path::{Path, PathBuf};

use tourbillon::{Loaded, load_with_queries};

use crate::Failure;
use crate::render::{self, Format};

/// A model, and how to tell what is wrong with it.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// The model: .xml, .xta and .ta are UPPAAL's, .tck is TChecker's
    model: PathBuf,
    /// Queries for it; without, those in the model and in a .q file of the same name are read
    queries: Option<PathBuf>,
    /// How to tell what is wrong
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

impl Input {
    /// Reads the model and tells what there is to say about it. Fails if it has errors.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        let bytes = read(&self.model)?;
        let name = self.model.display().to_string();
        let beside = self.model.with_extension("q");
        let queries = match &self.queries {
            Some(path) => Some((path.display().to_string(), read(path)?)),
            None if beside.is_file() => Some((beside.display().to_string(), read(&beside)?)),
            None => None,
        };
        let queries = queries.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let loaded = load_with_queries(&name, &bytes, queries);
        if !loaded.diagnostics.is_empty() || self.format == Format::Json {
            render::tell(&loaded.diagnostics, loaded.sources(), self.format);
        }
        Ok(loaded)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::Message(format!("{}: {error}", path.display())))
}
