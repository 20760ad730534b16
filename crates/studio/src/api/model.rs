//! Opening, examining and writing models.

use serde::{Deserialize, Serialize};
use tourbillon::{Names, Network, Sheet, SheetTemplate};

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
    /// What the file was when it was read or written last. If it was changed since elsewhere, the answer is a
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
