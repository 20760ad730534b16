//! The parts of an XML file with their places, unparsed.
//!
//! That is all a file says, whatever is wrong with its texts: a document is made of it, and so is what an editor shows.

use tourbillon_base::{SourceId, Span};

use crate::document::{QueryExpectation, QueryOption, QueryResult, Sections};
use crate::layout::{EdgeLayout, TemplateLayout};

/// The parts of a model. Sources are fragments of the file.
#[derive(Default, Debug)]
pub struct Outline {
    /// The texts outside templates.
    pub sections: Sections,
    pub templates: Vec<TemplateOutline>,
    /// The options of all queries.
    pub options: Vec<QueryOption>,
    pub queries: Vec<QueryOutline>,
}

#[derive(Debug)]
pub struct TemplateOutline {
    pub head: Span,
    pub name: Option<SourceId>,
    pub init: Option<Reference>,
    pub locations: Vec<LocationOutline>,
    /// The start tags of its branch points.
    pub branchpoints: Vec<Span>,
    pub transitions: Vec<TransitionOutline>,
    /// The rest; its edges are empty, since which of the transitions are edges is not known yet.
    pub layout: TemplateLayout,
}

#[derive(Debug)]
pub struct LocationOutline {
    pub head: Span,
    pub name: Option<SourceId>,
    /// Where it is marked as urgent.
    pub urgent: Option<Span>,
    /// Where it is marked as committed.
    pub committed: Option<Span>,
}

/// A transition, which may lack its ends.
#[derive(Debug)]
pub struct TransitionOutline {
    pub head: Span,
    /// Where it leaves from.
    pub source: Option<Reference>,
    /// Where it leads to.
    pub target: Option<Reference>,
    /// Whether a controller takes it.
    pub controllable: bool,
    pub layout: EdgeLayout,
}

/// The id of a location or branch point, and where it is written.
#[derive(Debug)]
pub struct Reference {
    pub id: String,
    /// Where it is written.
    pub span: Span,
}

#[derive(Debug)]
pub struct QueryOutline {
    pub formula: SourceId,
    /// What it is about.
    pub comment: Option<String>,
    pub options: Vec<QueryOption>,
    /// What it should answer.
    pub expect: Option<QueryExpectation>,
    /// What it answered earlier.
    pub results: Vec<QueryResult>,
}
