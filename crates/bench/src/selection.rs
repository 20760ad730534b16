//! Common arguments of suites with tables of models: which models, how often, how long, and the output format.

use std::path::PathBuf;
use std::time::Duration;

use super::RecordFormat;
use super::rows::Effort;
use super::source::public_folder;
use crate::Failure;
use tourbillon_cli::quantity;

#[derive(clap::Args)]
pub(super) struct Selection {
    /// Only this model, by its name in the tables, such as "fischer 8"; may be repeated
    #[arg(long = "only", value_name = "MODEL")]
    only: Vec<String>,
    /// Folder of public UPPAAL models
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// Number of explorations of each model with each option
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) runs: u32,
    /// Time limit of one exploration [default: 1m, or 10m with --full]
    #[arg(long, value_name = "TIME", value_parser = quantity::time)]
    limit: Option<Duration>,
    /// Only models that take less than a second or two
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Include models that take minutes
    #[arg(long)]
    full: bool,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: RecordFormat,
}

impl Selection {
    /// The largest effort that is selected.
    pub(super) fn most(&self) -> Effort {
        match (self.quick, self.full) {
            (true, _) => Effort::Quick,
            (_, true) => Effort::Long,
            _ => Effort::Usual,
        }
    }

    pub(super) fn limit(&self) -> Duration {
        self.limit.unwrap_or(Duration::from_secs(if self.full { 600 } else { 60 }))
    }

    /// The folder of public models, if there is one.
    ///
    /// # Errors
    /// If the given one is not a folder.
    pub(super) fn public(&self) -> Result<Option<PathBuf>, Failure> {
        public_folder(self.models.as_ref())
    }

    /// Whether a model is selected by its name.
    pub(super) fn names(&self, name: &str) -> bool {
        self.only.iter().any(|only| only == name)
    }

    /// Whether a model is selected: by its name, or without names by its effort.
    pub(super) fn has(&self, name: &str, effort: Effort) -> bool {
        self.names(name) || self.only.is_empty() && effort <= self.most()
    }

    /// Refuses unknown names of models.
    pub(super) fn check_names(&self, known: impl Iterator<Item = String>) -> Result<(), Failure> {
        let known: Vec<String> = known.collect();
        match self.only.iter().find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                Err(format!("there is no model `{name}`; the models are {}", known.join(", ")))
            }
        }
    }

    /// The number of runs, for the remark below tables.
    pub(super) fn runs_text(&self) -> String {
        match self.runs {
            1 => "one run".to_owned(),
            runs => format!("medians of {runs} alternating runs"),
        }
    }
}

/// The remark about models that were not found, if any.
pub(super) fn missing_text(missing: &[String]) -> String {
    if missing.is_empty() {
        return String::new();
    }
    format!("Omitted, since not found: {}. Use --models DIR.\n", missing.join("; "))
}
