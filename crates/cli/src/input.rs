//! Reading the files that are named on the command line.

use std::path::{Path, PathBuf};

use tourbillon::{Loaded, Loader, Overflow};

use crate::Failure;
use crate::options::ModelOptions;
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
        let loaded = self.files.load()?;
        if !loaded.diagnostics.is_empty() || self.format == Format::Json {
            render::tell(&loaded.diagnostics, loaded.sources(), self.format);
        }
        Ok(loaded)
    }
}

/// A model and its queries.
#[derive(clap::Args)]
pub(crate) struct Files {
    /// The model: .xml, .xta and .ta are UPPAAL's, .tck is TChecker's
    pub(crate) model: PathBuf,
    /// Queries for it; without, those in the model and in a .q file of the same name are read
    pub(crate) queries: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: ModelOptions,
}

/// The file that queries on the command line are said to stand in, one on each line.
const COMMAND_LINE: &str = "command line";

impl Files {
    /// Reads the model, with its own queries and those in the file.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        let beside = self.model.with_extension("q");
        let queries = self.queries.as_ref().or(beside.is_file().then_some(&beside));
        let queries = queries.map(|path| read(path).map(|bytes| (name(path), bytes))).transpose()?;
        let bytes = read(&self.model)?;
        Ok(self.loader().load_with_queries(&name(&self.model), &bytes, queries.as_ref().map(pair)))
    }

    /// Reads the model, with the queries in the file and these, and not with its own.
    pub(crate) fn load_only(&self, queries: &[String]) -> Result<Loaded, Failure> {
        let mut files = Vec::new();
        if let Some(path) = &self.queries {
            files.push((name(path), read(path)?));
        }
        if !queries.is_empty() {
            let lines: Vec<String> = queries.iter().map(|query| query.replace(['\n', '\r'], " ")).collect();
            files.push((COMMAND_LINE.to_owned(), lines.join("\n").into_bytes()));
        }
        let bytes = read(&self.model)?;
        Ok(self.loader().load_with_only_queries(&name(&self.model), &bytes, files.iter().map(pair)))
    }

    /// The meaning of overflow that was asked for.
    pub(crate) const fn overflow(&self) -> Option<Overflow> {
        self.options.overflow
    }

    fn loader(&self) -> Loader {
        Loader { overflow: self.overflow() }
    }

    /// Whether the model is written in TChecker's language, which has no queries.
    pub(crate) fn is_tchecker(&self) -> bool {
        self.model.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tck"))
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn pair((name, bytes): &(String, Vec<u8>)) -> (&str, &[u8]) {
    (name, bytes)
}

/// What is in a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::Message(format!("{}: {error}", path.display())))
}
