//! Input files of the command line.

use std::path::{Path, PathBuf};

use tourbillon::{Loaded, Loader, Overflow};

use crate::Failure;
use crate::options::ModelOptions;
use crate::render::{self, Format};

/// A model file, and the format of its diagnostics.
#[derive(clap::Args)]
pub(crate) struct Input {
    #[command(flatten)]
    files: Files,
    /// Format of diagnostics
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

impl Input {
    /// Reads the model and writes its diagnostics.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        let loaded = self.files.load()?;
        if !loaded.diagnostics.is_empty() || self.format == Format::Json {
            render::tell(&loaded.diagnostics, loaded.sources(), self.format);
        }
        Ok(loaded)
    }
}

/// A model file, and options for reading it.
#[derive(clap::Args, Clone)]
pub(crate) struct ModelFile {
    /// Model: .xml, .xta or .ta (UPPAAL), or .tck (TChecker)
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    #[command(flatten)]
    options: ModelOptions,
}

impl ModelFile {
    /// The path as it was given.
    pub(crate) fn name(&self) -> String {
        name(&self.model)
    }
}

/// A model and its queries.
#[derive(clap::Args)]
pub(crate) struct Files {
    #[command(flatten)]
    model: ModelFile,
    /// File of queries [default: those in the model, and in a .q file of the same name]
    pub(crate) queries: Option<PathBuf>,
}

/// The name of the file in diagnostics of queries on the command line, one on each line.
const COMMAND_LINE: &str = "command line";

impl Files {
    pub(crate) const fn without_queries(model: ModelFile) -> Self {
        Self { model, queries: None }
    }

    /// The path of the model as it was given.
    pub(crate) fn name(&self) -> String {
        self.model.name()
    }

    fn path(&self) -> &Path {
        &self.model.model
    }

    /// The text of the model.
    pub(crate) fn text(&self) -> Result<Vec<u8>, Failure> {
        read(self.path())
    }

    /// The text of the model, and of its queries if they are in a file of their own.
    pub(crate) fn texts(&self) -> Result<(Vec<u8>, Option<Vec<u8>>), Failure> {
        let beside = self.path().with_extension("q");
        let queries = self.queries.as_ref().or(beside.is_file().then_some(&beside));
        Ok((self.text()?, queries.map(|path| read(path)).transpose()?))
    }

    /// Loads the model, with its own queries and those of the query file.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        let beside = self.path().with_extension("q");
        let queries = self.queries.as_ref().or(beside.is_file().then_some(&beside));
        let queries = queries.map(|path| read(path).map(|bytes| (name(path), bytes))).transpose()?;
        let bytes = read(self.path())?;
        Ok(self.loader().load_with_queries(&self.name(), &bytes, queries.as_ref().map(pair)))
    }

    /// Loads the model with the queries of the query file and these, without its own.
    pub(crate) fn load_only(&self, queries: &[String]) -> Result<Loaded, Failure> {
        let mut files = Vec::new();
        if let Some(path) = &self.queries {
            files.push((name(path), read(path)?));
        }
        if !queries.is_empty() {
            let lines: Vec<String> = queries.iter().map(|query| query.replace(['\n', '\r'], " ")).collect();
            files.push((COMMAND_LINE.to_owned(), lines.join("\n").into_bytes()));
        }
        let bytes = read(self.path())?;
        Ok(self.loader().load_with_only_queries(&self.name(), &bytes, files.iter().map(pair)))
    }

    pub(crate) const fn overflow(&self) -> Option<Overflow> {
        self.model.options.overflow
    }

    fn loader(&self) -> Loader {
        Loader { overflow: self.overflow() }
    }

    /// Whether the model is written in TChecker's language, which has no queries.
    pub(crate) fn is_tchecker(&self) -> bool {
        self.path().extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tck"))
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn pair((name, bytes): &(String, Vec<u8>)) -> (&str, &[u8]) {
    (name, bytes)
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::Message(format!("{}: {error}", path.display())))
}
