//! Sheets: models for an editor, plain data with all texts and coordinates of a file.
//!
//! A [`Sheet`] has no semantics; an editor shows and changes it. A model in UPPAAL's XML becomes a drawing that keeps
//! every text as it was typed, so that an incomplete guard survives saving. Models in other languages are edited as
//! text and can be drawn.
//!
//! Text lines end with `\n`. Coordinates are UPPAAL's: y grows downwards.
//!
//! | file | does |
//! |---|---|
//! | `read.rs` | from a file to a sheet |
//! | `write.rs` | from a sheet to the file that it is |
//! | `place.rs` | from a place in the file to a part of the sheet |
//! | `picture.rs` | a picture of what is written as text |

mod picture;
mod place;
mod read;
mod write;

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tourbillon_front_uppaal::Format;
use tourbillon_syntax::tree::QueryKind;

pub use place::{SheetPart, SheetPlace};

use crate::load::{AddedQuery, Loaded, Loader, Source, load};

/// A model in an editor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sheet {
    /// The file name, which determines the language: `train-gate.xml`.
    pub name: String,
    pub body: Body,
    pub queries: Vec<SheetQuery>,
}

/// A model without its queries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Body {
    Drawn(Drawing),
    /// UPPAAL's or TChecker's text.
    Text {
        text: String,
    },
}

/// A model that is drawn.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Drawing {
    pub declarations: String,
    pub templates: Vec<SheetTemplate>,
    /// The instantiation section of old files, between templates and system; empty in others.
    pub instantiation: String,
    /// The system section.
    pub system: String,
    /// Elements of the file that Tourbillon does not use, as XML, to be written back.
    pub kept: Kept,
}

/// The elements of a file that no view shows, as XML.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Kept {
    /// `<imports>`.
    pub imports: String,
    pub charts: Vec<String>,
    /// The options of all queries.
    pub options: Vec<String>,
}

/// A point of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Spot {
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetTemplate {
    pub name: String,
    /// The parameters, without parentheses.
    pub parameters: String,
    pub declarations: String,
    /// The position of the name, if the file has one.
    pub name_at: Option<Spot>,
    /// The position of the parameters, if the file has one.
    pub parameters_at: Option<Spot>,
    /// The id of the initial location; may be empty.
    pub initial: String,
    pub locations: Vec<SheetLocation>,
    pub branchpoints: Vec<SheetBranchpoint>,
    pub edges: Vec<SheetEdge>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetLocation {
    /// The id that edges refer to; unique among the locations and branch points of the model.
    pub id: String,
    /// The name; may be empty.
    pub name: String,
    pub at: Spot,
    /// The left end of the name.
    pub name_at: Spot,
    /// Time cannot pass in an urgent location.
    pub urgent: bool,
    /// The next transition leaves a committed location, without delay.
    pub committed: bool,
    /// The colour, `#rrggbb`; empty for the default.
    pub colour: String,
    pub labels: Vec<SheetLabel>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetBranchpoint {
    /// The id that edges refer to.
    pub id: String,
    pub at: Spot,
    /// The colour, `#rrggbb`; empty for the default.
    pub colour: String,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetEdge {
    /// The id, in files of UPPAAL 5; else empty.
    pub id: String,
    /// The id of the source location or branch point.
    pub source: String,
    /// The id of the target location or branch point.
    pub target: String,
    pub labels: Vec<SheetLabel>,
    /// The bend points of the drawn line.
    pub nails: Vec<Spot>,
    /// The colour, `#rrggbb`; empty for the default.
    pub colour: String,
    /// Whether the controller cannot take it: games only.
    pub uncontrollable: bool,
    /// The action, in files that have one; else empty.
    pub action: String,
}

/// A label of a location or edge.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetLabel {
    /// The kind, as in the file: `invariant`, `guard`, `select`, `synchronisation`, `assignment`, `comments`, …
    pub kind: String,
    pub text: String,
    /// The left end of the first line.
    pub at: Spot,
    /// The colour, `#rrggbb`; empty for the default.
    pub colour: String,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SheetQuery {
    pub formula: String,
    pub comment: String,
    /// The expected verdict: `success`, `failure`, `maybe_true`, `maybe_false`, `error`; may be empty.
    pub expected: String,
    /// Its options, further expectations and stored results, as XML.
    pub kept: Vec<String>,
}

impl Sheet {
    /// Opens a file as a sheet and loads its model. All drawn elements have positions: missing ones are computed.
    ///
    /// ```
    /// use tourbillon::Sheet;
    ///
    /// let text = "clock x; process P() { state A; init A; } system P;";
    /// let (sheet, loaded) = Sheet::open("p.xta", text.as_bytes());
    /// assert!(loaded.model.is_some());
    /// assert_eq!(sheet.text(), text);
    /// ```
    #[must_use]
    pub fn open(name: &str, bytes: &[u8]) -> (Self, Loaded) {
        Self::open_until(name, bytes, &AtomicBool::new(false)).expect("nothing stops it")
    }

    /// As [`Sheet::open`]; `None` if `stop` is set before the layout is complete.
    #[must_use]
    pub fn open_until(name: &str, bytes: &[u8], stop: &AtomicBool) -> Option<(Self, Loaded)> {
        let loaded = load(name, bytes);
        let (body, queries) = match &loaded.source {
            Source::Uppaal(document) if document.format == Format::Xml => {
                let (drawing, queries) = read::drawing(document, stop)?;
                (Body::Drawn(drawing), queries)
            }
            Source::Uppaal(document) => (read::text(document.sources.text(document.file)), Vec::new()),
            Source::TChecker { sources, file } => (read::text(sources.text(*file)), Vec::new()),
        };
        Some((Self { name: name.to_owned(), body, queries }, loaded))
    }

    /// A new model: one template with one location.
    ///
    /// ```
    /// let sheet = tourbillon::Sheet::empty();
    /// assert!(sheet.load().model.is_some());
    /// ```
    #[must_use]
    pub fn empty() -> Self {
        let location = SheetLocation {
            id: "id0".to_owned(),
            name: "Start".to_owned(),
            name_at: Spot { x: -20, y: -34 },
            ..SheetLocation::default()
        };
        let template = SheetTemplate {
            name: "Template".to_owned(),
            initial: location.id.clone(),
            locations: vec![location],
            ..SheetTemplate::default()
        };
        let drawing = Drawing {
            declarations: "// Global declarations: clocks, variables, channels, functions.\n".to_owned(),
            templates: vec![template],
            system: "// The processes that run.\nProcess = Template();\nsystem Process;\n".to_owned(),
            ..Drawing::default()
        };
        Self { name: "model.xml".to_owned(), body: Body::Drawn(drawing), queries: Vec::new() }
    }

    /// The text of the file. The queries of a text model are not part of it.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.body {
            Body::Drawn(drawing) => write::file(drawing, &self.queries),
            Body::Text { text } => text.clone(),
        }
    }

    #[must_use]
    pub fn load(&self) -> Loaded {
        self.load_with(Loader::default())
    }

    /// Loads the model with these options.
    #[must_use]
    pub fn load_with(&self, loader: Loader) -> Loaded {
        let formula = |query: &SheetQuery| AddedQuery {
            text: query.formula.clone(),
            comment: query.comment.clone(),
            expected: query.expected.clone(),
        };
        match &self.body {
            Body::Drawn(_) => {
                // The content is XML, whatever the file name.
                let is_xml = self.name.to_ascii_lowercase().ends_with(".xml");
                let name = if is_xml { self.name.clone() } else { format!("{}.xml", self.name) };
                loader.load(&name, self.text().as_bytes())
            }
            Body::Text { text } => {
                let formulas: Vec<AddedQuery> = self.queries.iter().map(formula).collect();
                loader.load_with_formulas(&self.name, text.as_bytes(), &formulas)
            }
        }
    }

    /// For each query of the sheet, its index among the queries of the model; `None` for headings, and if there is no
    /// model. `loaded` comes from [`Sheet::load`].
    ///
    /// ```
    /// use tourbillon::{Sheet, SheetQuery};
    ///
    /// let query = |formula: &str| SheetQuery { formula: formula.to_owned(), ..SheetQuery::default() };
    /// let mut sheet = Sheet::empty();
    /// sheet.queries = vec![query("A[] not deadlock"), query(""), query("E<> Process.Start")];
    /// assert_eq!(sheet.query_numbers(&sheet.load()), [Some(0), None, Some(1)]);
    /// ```
    #[must_use]
    pub fn query_numbers(&self, loaded: &Loaded) -> Vec<Option<usize>> {
        let (Source::Uppaal(document), Some(_)) = (&loaded.source, &loaded.model) else {
            return vec![None; self.queries.len()];
        };
        let mut next = 0;
        let numbers = document.queries.iter().map(|query| {
            let asks = query.query.kind != QueryKind::Empty;
            next += usize::from(asks);
            asks.then(|| next - 1)
        });
        // Queries in the text of the model come first.
        let own = document.queries.len().saturating_sub(self.queries.len());
        let mut numbers: Vec<Option<usize>> = numbers.skip(own).collect();
        numbers.resize(self.queries.len(), None);
        numbers
    }

    /// The templates for display: those of the drawing, or drawings of a text model. TChecker's models with errors have
    /// none.
    #[must_use]
    pub fn picture(&self, loaded: &Loaded) -> Vec<SheetTemplate> {
        self.picture_until(loaded, &AtomicBool::new(false)).expect("nothing stops it")
    }

    /// As [`Sheet::picture`]; `None` if `stop` is set before the layout is complete.
    #[must_use]
    pub fn picture_until(&self, loaded: &Loaded, stop: &AtomicBool) -> Option<Vec<SheetTemplate>> {
        match &self.body {
            Body::Drawn(drawing) => Some(drawing.templates.clone()),
            Body::Text { .. } => picture::of(loaded, stop),
        }
    }
}

impl SheetTemplate {
    /// The template with a new layout, or only with new label positions. Nothing else changes.
    #[must_use]
    pub fn arranged(&self, labels_only: bool) -> Self {
        self.arranged_until(labels_only, &AtomicBool::new(false)).expect("nothing stops it")
    }

    /// As [`SheetTemplate::arranged`]; `None` if `stop` is set before the layout is complete.
    #[must_use]
    pub fn arranged_until(&self, labels_only: bool, stop: &AtomicBool) -> Option<Self> {
        let places = if labels_only { write::WrittenPositions::Nodes } else { write::WrittenPositions::None };
        read::arranged(self, &write::template_alone(self, places), stop)
    }
}
