//! What the suites that have tables of models let one choose: which models, how often, how long, and in what form.

use std::path::PathBuf;
use std::time::Duration;

use super::RecordFormat;
use super::rows::Effort;
use super::source::public_folder;
use crate::Failure;
use tourbillon_cli::quantity;

/// Arguments that several suites have.
#[derive(clap::Args)]
pub(super) struct Selection {
    /// Only this model, as the tables call it, such as "fischer 8"; as often as needed
    #[arg(long = "only", value_name = "MODEL")]
    only: Vec<String>,
    /// The folder of public UPPAAL models
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// How often each model is explored in each way
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) runs: u32,
    /// How long one exploration may take; a minute if nothing is said, ten with --full
    #[arg(long, value_name = "TIME", value_parser = quantity::time)]
    limit: Option<Duration>,
    /// Only what takes less than a second or two
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Also what takes minutes
    #[arg(long)]
    full: bool,
    /// The form of the record
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: RecordFormat,
}

impl Selection {
    /// How long one waits for a model, at most.
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
    /// If one is named that is none.
    pub(super) fn public(&self) -> Result<Option<PathBuf>, Failure> {
        public_folder(self.models.as_ref())
    }

    /// Whether a model is chosen by its name.
    pub(super) fn names(&self, name: &str) -> bool {
        self.only.iter().any(|only| only == name)
    }

    /// Whether a model is chosen: by its name, or if no name is given by how long it takes.
    pub(super) fn has(&self, name: &str, effort: Effort) -> bool {
        self.names(name) || self.only.is_empty() && effort <= self.most()
    }

    /// Refuses names of models that there are not.
    pub(super) fn check_names(&self, known: impl Iterator<Item = String>) -> Result<(), Failure> {
        let known: Vec<String> = known.collect();
        match self.only.iter().find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                Err(format!("there is no model `{name}` here; there are {}", known.join(", ")))
            }
        }
    }

    /// How often and how, as a remark below tables says it.
    pub(super) fn runs_text(&self) -> String {
        match self.runs {
            1 => "one run".to_owned(),
            runs => format!("medians of {runs} runs in turn"),
        }
    }
}

/// What is said of models that are not at hand, if there are any.
pub(super) fn missing_text(missing: &[String]) -> String {
    if missing.is_empty() {
        return String::new();
    }
    format!("Not at hand, so left out: {}. --models DIR says where they are.\n", missing.join("; "))
}
