//! Models as somebody edits them: plain data that holds every word and every coordinate of a file.
//!
//! A [`Sheet`] has no semantics. It is what an editor shows and changes. A model
//! in UPPAAL's XML becomes a drawing, of which every text is kept as it was typed, so that a half-written guard survives
//! saving. Models in other languages are edited as text, and a picture can be made of them.
//!
//! Text lines end with `\n`. Coordinates are UPPAAL's: y grows downwards.

use serde::{Deserialize, Serialize};

/// A model as somebody edits it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sheet {
    /// The name of its file, which tells its language: `train-gate.xml`.
    pub name: String,
    /// The model.
    pub body: Body,
    /// What is asked of it.
    pub queries: Vec<SheetQuery>,
}

/// A model without its queries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Body {
    /// Drawn: UPPAAL's XML.
    Drawn(Drawing),
    /// Written: UPPAAL's or TChecker's text.
    Text {
        /// The whole file.
        text: String,
    },
}

/// A model that is drawn.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Drawing {
    /// The global declarations.
    pub declarations: String,
    /// The templates.
    pub templates: Vec<SheetTemplate>,
    /// What old files declare between templates and system; empty in others.
    pub instantiation: String,
    /// The system line, and what is declared with it.
    pub system: String,
    /// Elements of the file that mean nothing here, as XML, to be written back.
    pub kept: Kept,
}

/// What a file says that no view shows, as XML.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Kept {
    /// `<imports>`.
    pub imports: String,
    /// Live sequence charts.
    pub charts: Vec<String>,
    /// The options of all queries.
    pub options: Vec<String>,
}

/// A place on a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Spot {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

/// A template.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetTemplate {
    /// Its name.
    pub name: String,
    /// Its parameters, without parentheses.
    pub parameters: String,
    /// Its declarations.
    pub declarations: String,
    /// Where the name is written, if the file says so.
    pub name_at: Option<Spot>,
    /// Where the parameters are written, likewise.
    pub parameters_at: Option<Spot>,
    /// The id of its initial location; empty if there is none.
    pub initial: String,
    /// Its locations.
    pub locations: Vec<SheetLocation>,
    /// Its branch points.
    pub branchpoints: Vec<SheetBranchpoint>,
    /// Its edges.
    pub edges: Vec<SheetEdge>,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetLocation {
    /// What edges refer to it by; unique among the locations and branch points of the model.
    pub id: String,
    /// Its name; empty if it has none.
    pub name: String,
    /// Its centre.
    pub at: Spot,
    /// The left end of its name.
    pub name_at: Spot,
    /// Whether time stops there.
    pub urgent: bool,
    /// Whether it must be left at once.
    pub committed: bool,
    /// Its colour, `#rrggbb`; empty for the usual one.
    pub colour: String,
    /// Its labels.
    pub labels: Vec<SheetLabel>,
}

/// A branch point.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetBranchpoint {
    /// What edges refer to it by.
    pub id: String,
    /// Its centre.
    pub at: Spot,
    /// Its colour, `#rrggbb`; empty for the usual one.
    pub colour: String,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetEdge {
    /// Its id, in files of UPPAAL 5; else empty.
    pub id: String,
    /// The id of the location or branch point it leaves.
    pub source: String,
    /// The id of the one it leads to.
    pub target: String,
    /// Its labels.
    pub labels: Vec<SheetLabel>,
    /// The points that it passes through.
    pub nails: Vec<Spot>,
    /// Its colour, `#rrggbb`; empty for the usual one.
    pub colour: String,
    /// Whether the environment cannot take it: games only.
    pub uncontrollable: bool,
    /// Its action, in files that have one; else empty.
    pub action: String,
}

/// A label of a location or edge.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetLabel {
    /// What it says, in the word of the file: `invariant`, `guard`, `select`, `synchronisation`, `assignment`,
    /// `comments`, …
    pub kind: String,
    /// Its text.
    pub text: String,
    /// The left end of its first line.
    pub at: Spot,
    /// Its colour, `#rrggbb`; empty for the usual one.
    pub colour: String,
}

/// A query.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetQuery {
    /// What is asked.
    pub formula: String,
    /// What it is about.
    pub comment: String,
    /// The expected answer: `success`, `failure`, `maybe_true`, `maybe_false`, `error`; empty if none is given.
    pub expected: String,
    /// Its options, further expectations and stored results, as XML.
    pub kept: Vec<String>,
}
