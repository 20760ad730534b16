//! Reading the files that are named on the command line.

use std::path::{Path, PathBuf};

use tourbillon::{Loaded, load_with_queries};

use crate::Failure;
use crate::render::{self, Format};

/// A model, and how to tell what is wrong with it.
#[derive(clap::Args)]
pub(crate) struct Input {
    #[command(flatten)]
    files: Files,
    /// How to tell what is wrong
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

impl Input {
    /// Reads the model and tells what there is to say about it.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        self.files.load(&[], self.format)
    }
}

/// A model and its queries.
#[derive(clap::Args)]
pub(crate) struct Files {
    /// The model: .xml, .xta and .ta are UPPAAL's, .tck is TChecker's
    pub(crate) model: PathBuf,
    /// Queries for it; without, those in the model and in a .q file of the same name are read
    pub(crate) queries: Option<PathBuf>,
}

/// The file that queries on the command line are said to stand in, one on each line.
pub(crate) const COMMAND_LINE: &str = "command line";

impl Files {
    /// Reads the model, its queries and some more, and tells what there is to say about them.
    pub(crate) fn load(&self, more: &[String], format: Format) -> Result<Loaded, Failure> {
        let bytes = read(&self.model)?;
        let name = self.model.display().to_string();
        let beside = self.model.with_extension("q");
        let mut queries = Vec::new();
        if let Some(path) = self.queries.as_ref().or(beside.is_file().then_some(&beside)) {
            queries.push((path.display().to_string(), read(path)?));
        }
        if !more.is_empty() {
            let lines: Vec<String> = more.iter().map(|query| query.replace(['\n', '\r'], " ")).collect();
            queries.push((COMMAND_LINE.to_owned(), lines.join("\n").into_bytes()));
        }
        let queries = queries.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let loaded = load_with_queries(&name, &bytes, queries);
        if !loaded.diagnostics.is_empty() || format == Format::Json {
            render::tell(&loaded.diagnostics, loaded.sources(), format);
        }
        Ok(loaded)
    }

    /// Whether the model is written in TChecker's language, which has no queries.
    pub(crate) fn is_tchecker(&self) -> bool {
        self.model.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tck"))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::Message(format!("{}: {error}", path.display())))
}
