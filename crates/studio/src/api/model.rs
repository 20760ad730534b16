//! Opening, examining and writing models.

use serde::{Deserialize, Serialize};
use tourbillon::{Sheet, SheetTemplate};

pub use tourbillon::{SheetPart as Part, SheetPlace as Place};

/// A file to be opened: `POST /api/v1/open`. The answer is [`Opened`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "from", rename_all = "kebab-case")]
pub enum Open {
    /// The file that the server was started with.
    File,
    Example {
        /// The name of its file.
        name: String,
    },
    /// Text that was dropped on the page.
    Text {
        /// The name of its file.
        name: String,
        text: String,
    },
    /// A model without anything.
    Empty,
}

/// A model that was opened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opened {
    /// It, as it can be edited. Everything has a position.
    pub sheet: Sheet,
    /// Whether it is the file that the server was started with, so that it can be saved.
    pub is_file: bool,
    /// What the file was when it was read; to be given back when it is saved.
    pub stamp: String,
    /// What is wrong with the file beyond what [`Examined`] says of the sheet: bytes that are no text, broken markup.
    pub diagnostics: Vec<Told>,
}

/// A model to be written to the file it came from: `PUT /api/v1/file`. The answer is [`Saved`]. If nothing was changed
/// since it was opened, the file stays as it is, byte for byte.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Save {
    pub sheet: Sheet,
    /// What the file was when it was read or written last. If it was changed since by somebody else, the answer is a
    /// problem `changed`; an empty stamp overwrites it nevertheless.
    pub stamp: String,
}

/// That a model was saved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Saved {
    /// What the file is now.
    pub stamp: String,
    /// Whether the queries are in the file, too: text has no place for them.
    pub queries_kept: bool,
}

/// A model to be written in a language: `POST /api/v1/write`. The answer is [`Written`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Write {
    pub sheet: Sheet,
    /// The language: `xml`, `xta` or `tck`.
    pub to: String,
}

/// A model in a language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Written {
    /// The name of the file.
    pub name: String,
    /// Its text; nothing if the language cannot express the model.
    pub text: Option<String>,
    /// What could not be kept, or why it cannot be written.
    pub diagnostics: Vec<Told>,
}

/// A template to be laid out anew: `POST /api/v1/arrange`. The answer is the [`SheetTemplate`] with other positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Arrange {
    pub template: SheetTemplate,
    /// Whether only labels are moved, so that they do not overlap.
    pub labels_only: bool,
}

/// What there is to say of a model: `POST /api/v1/models` with a [`Sheet`], or `GET /api/v1/models/{hash}/examined`.
/// The server keeps the model for a while under its hash; `GET /api/v1/models/{hash}` gives the sheet again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Examined {
    /// What the model is known by.
    pub hash: String,
    /// What is wrong with it, errors first.
    pub diagnostics: Vec<Told>,
    /// Its processes; nothing if it has errors.
    pub network: Option<Network>,
    /// For a model that is edited as text, a picture of it.
    pub picture: Vec<SheetTemplate>,
    /// The names that can be written, for completion.
    pub names: Names,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Told {
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Its code: `U0104`.
    pub code: String,
    pub message: String,
    /// What to do about it.
    pub help: Vec<String>,
    /// What the code means in general.
    pub explanation: String,
    pub place: Place,
    /// Other places that have to do with it.
    pub labels: Vec<ToldLabel>,
}

/// A place that has to do with a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ToldLabel {
    /// What it has to do with it.
    pub text: String,
    pub place: Place,
}

/// The processes of a model, and where they are drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Network {
    pub processes: Vec<NetworkProcess>,
    /// The clocks, by name.
    pub clocks: Vec<String>,
    /// The variables, by name; the first, if they are very many.
    pub variables: Vec<String>,
    /// How many variables are left out, here and wherever their values are told.
    pub variables_left_out: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NetworkProcess {
    pub name: String,
    /// Its template: which of the drawing's, or of the picture's.
    pub template: Option<u32>,
    pub locations: Vec<NetworkLocation>,
    pub edges: Vec<NetworkEdge>,
}

/// A location of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NetworkLocation {
    pub name: String,
    /// Which of the locations of the template it is.
    pub drawn: Option<u32>,
}

/// An edge of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NetworkEdge {
    /// Where it leaves from.
    pub source: u32,
    /// Where it leads to.
    pub target: u32,
    /// Which of the edges of the template it is: two if it passes a branch point.
    pub drawn: Vec<u32>,
}

/// Names that can be written.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Names {
    /// Those of the global declarations, and of templates and processes.
    pub global: Vec<Name>,
    /// Those of each template: parameters, declarations.
    pub templates: Vec<Vec<Name>>,
    /// What follows a process and a dot in queries: `Train(0).Cross`, `Gate.len`.
    pub members: Vec<Members>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Name {
    pub name: String,
    /// What it names: `clock`, `variable`, `constant`, `channel`, `function`, `type`, `template`, `process`, `location`,
    /// `parameter`.
    pub kind: String,
    /// Its type or signature.
    pub detail: String,
}

/// The members of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Members {
    /// The process, or the template that processes are made of.
    pub of: String,
    /// Its locations, clocks and variables.
    pub names: Vec<Name>,
}
