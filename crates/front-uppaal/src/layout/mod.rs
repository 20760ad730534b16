//! Layout: positions, colours and other attributes of a template without semantics.
//!
//! The syntax tree holds what a model means. Everything else that an XML file holds about a template lives here,
//! in lists parallel to the tree's: `layout.templates[i]` belongs to the i-th template, its `locations[j]` to that
//! template's j-th location, and so on. Whoever adds a location to a tree adds one here, too;
//! [`Layout::blank`] makes a layout for a tree that has none.
//!
//! Labels are listed with their place and the source of their text. For labels that are part of the tree (guards,
//! invariants, …) the text is what the tree was read from, comments included; for the others (comments, test code)
//! it is all there is.
//!
//! A position is absent where a file gives none; [`arrange()`] finds one for everything without touching those that
//! are there.

mod arrange;
mod label;
mod layers;

use std::collections::HashMap;

use tourbillon_base::{SourceId, Span};
use tourbillon_syntax::tree::{Edge, Location, Model, Name, Symbol, Template};

pub use arrange::{arrange, arrange_until};
pub(crate) use label::{LINE, lines_of, size_of};

use crate::templates;

/// A place on the drawing, in UPPAAL's units: y grows downwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

/// The largest coordinate: far beyond what a drawing needs, and small enough for sums not to overflow.
pub(crate) const MAX_COORDINATE: i32 = 1_000_000;

/// The layout of a model.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Layout {
    /// The layouts of the templates, in the order of the model.
    pub templates: Vec<TemplateLayout>,
}

/// The layout of a template.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TemplateLayout {
    /// Where the name is written.
    pub name_position: Option<Point>,
    /// Where the parameters are written.
    pub parameter_position: Option<Point>,
    /// The text of the parameters.
    pub parameter: Option<SourceId>,
    /// The text of the declarations.
    pub declaration: Option<SourceId>,
    pub locations: Vec<LocationLayout>,
    pub branchpoints: Vec<BranchpointLayout>,
    pub edges: Vec<EdgeLayout>,
}

/// The layout of a location.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LocationLayout {
    /// The id that transitions refer to it by.
    pub id: String,
    /// Whether the file gives it no name. The tree calls it `_` and its id.
    pub anonymous: bool,
    pub position: Option<Point>,
    /// Where its name is written.
    pub name_position: Option<Point>,
    /// Its colour, `#rrggbb`.
    pub colour: Option<String>,
    pub labels: Vec<Label>,
}

/// The layout of a branch point.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BranchpointLayout {
    /// The id that transitions refer to it by.
    pub id: String,
    pub position: Option<Point>,
    /// Its colour, `#rrggbb`.
    pub colour: Option<String>,
}

/// The layout of an edge.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EdgeLayout {
    /// Its id, in files of UPPAAL 5.
    pub id: Option<String>,
    pub action: Option<String>,
    /// Its colour, `#rrggbb`.
    pub colour: Option<String>,
    pub labels: Vec<Label>,
    /// The points that it passes through.
    pub nails: Vec<Point>,
}

/// A label of a location or edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub kind: LabelKind,
    /// Where it is written: the left end of its first line.
    pub position: Option<Point>,
    /// Its colour, `#rrggbb`.
    pub colour: Option<String>,
    /// Its text as it was read; absent where only the tree has it.
    pub text: Option<SourceId>,
}

impl Label {
    /// A label of which only the tree knows what it says.
    #[must_use]
    pub const fn of_tree(kind: LabelKind) -> Self {
        Self { kind, position: None, colour: None, text: None }
    }
}

/// What a label says.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LabelKind {
    /// The invariant of a location.
    Invariant,
    /// The exponential rate of a location.
    ExponentialRate,
    /// The names that an edge binds.
    Select,
    /// The guard of an edge.
    Guard,
    /// The synchronisation of an edge.
    Synchronisation,
    /// The updates of an edge.
    Assignment,
    /// The weight of a branch.
    Probability,
    Comments,
    /// Code for a test generator, on an edge.
    TestCode,
    /// Code for a test generator, on entering a location.
    TestCodeEnter,
    /// Code for a test generator, on leaving a location.
    TestCodeExit,
    /// Something else: the word that the file has for it.
    Other(String),
}

impl LabelKind {
    /// The kinds with a meaning, in the order in which labels are written.
    pub(crate) const KNOWN: [Self; 11] = [
        Self::Invariant,
        Self::ExponentialRate,
        Self::Select,
        Self::Guard,
        Self::Synchronisation,
        Self::Assignment,
        Self::Probability,
        Self::Comments,
        Self::TestCode,
        Self::TestCodeEnter,
        Self::TestCodeExit,
    ];

    /// The kind that a file means by a word.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        let known = Self::KNOWN.into_iter().find(|kind| kind.word() == word);
        known.unwrap_or_else(|| match word {
            "synchronization" => Self::Synchronisation,
            _ => Self::Other(word.to_owned()),
        })
    }

    /// The word that files have for it.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Invariant => "invariant",
            Self::ExponentialRate => "exponentialrate",
            Self::Select => "select",
            Self::Guard => "guard",
            Self::Synchronisation => "synchronisation",
            Self::Assignment => "assignment",
            Self::Probability => "probability",
            Self::Comments => "comments",
            Self::TestCode => "testcode",
            Self::TestCodeEnter => "testcodeEnter",
            Self::TestCodeExit => "testcodeExit",
            Self::Other(word) => word,
        }
    }

    /// Whether locations have labels of this kind.
    #[must_use]
    pub const fn is_of_location(&self) -> bool {
        matches!(
            self,
            Self::Invariant
                | Self::ExponentialRate
                | Self::Comments
                | Self::TestCodeEnter
                | Self::TestCodeExit
        )
    }

    /// Whether edges have labels of this kind.
    #[must_use]
    pub const fn is_of_edge(&self) -> bool {
        matches!(
            self,
            Self::Select
                | Self::Guard
                | Self::Synchronisation
                | Self::Assignment
                | Self::Probability
                | Self::Comments
                | Self::TestCode
        )
    }

    /// Whether what it says is in the tree.
    #[must_use]
    pub const fn is_of_tree(&self) -> bool {
        !matches!(
            self,
            Self::Comments | Self::TestCode | Self::TestCodeEnter | Self::TestCodeExit | Self::Other(_)
        )
    }
}

/// A live sequence chart: kept as it stands in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chart {
    /// The whole element, in the file.
    pub span: Span,
}

impl Layout {
    /// A layout without positions, with ids that are unique in the model.
    #[must_use]
    pub fn blank(model: &Model) -> Self {
        let mut next = 0;
        let templates = templates(model).map(|template| TemplateLayout::blank(template, &mut next));
        Self { templates: templates.collect() }
    }
}

impl TemplateLayout {
    fn blank(template: &Template, next: &mut usize) -> Self {
        let mut id = || {
            *next += 1;
            format!("id{}", *next - 1)
        };
        let locations = template.locations.iter().map(|location| LocationLayout {
            id: id(),
            labels: labels_of_location(location).map(Label::of_tree).collect(),
            ..LocationLayout::default()
        });
        let locations = locations.collect();
        let branchpoints = template.branchpoints.iter();
        let branchpoints =
            branchpoints.map(|_| BranchpointLayout { id: id(), ..Default::default() }).collect();
        let edges = template.edges.iter().map(|edge| EdgeLayout {
            labels: labels_of_edge(edge).map(Label::of_tree).collect(),
            ..EdgeLayout::default()
        });
        Self { locations, branchpoints, edges: edges.collect(), ..Self::default() }
    }
}

/// The locations of a template and the branch points behind them, numbered.
#[derive(Debug)]
pub(crate) struct Nodes(HashMap<Symbol, usize>);

impl Nodes {
    /// Of two with one name, the first counts.
    pub(crate) fn new(template: &Template) -> Self {
        let locations = template.locations.iter().map(|location| location.name);
        let mut nodes = HashMap::new();
        for (node, name) in locations.chain(template.branchpoints.iter().copied()).enumerate() {
            nodes.entry(name.symbol).or_insert(node);
        }
        Self(nodes)
    }

    /// The number of the node with a name.
    pub(crate) fn of(&self, name: Name) -> Option<usize> {
        self.0.get(&name.symbol).copied()
    }

    /// The numbers of an edge's ends.
    pub(crate) fn ends(&self, edge: &Edge) -> Option<(usize, usize)> {
        Some((self.of(edge.source)?, self.of(edge.target)?))
    }
}

impl TemplateLayout {
    /// The id of a node.
    pub(crate) fn id(&self, node: usize) -> &str {
        match self.locations.get(node) {
            Some(location) => &location.id,
            None => &self.branchpoints[node - self.locations.len()].id,
        }
    }

    /// The centre of a node.
    pub(crate) fn centre(&self, node: usize) -> Option<Point> {
        match self.locations.get(node) {
            Some(location) => location.position,
            None => self.branchpoints[node - self.locations.len()].position,
        }
    }
}

/// The labels that the tree has for a location.
pub(crate) fn labels_of_location(location: &Location) -> impl Iterator<Item = LabelKind> {
    let kinds = [
        (location.invariant.is_some(), LabelKind::Invariant),
        (location.rate.is_some(), LabelKind::ExponentialRate),
    ];
    kinds.into_iter().filter(|(present, _)| *present).map(|(_, kind)| kind)
}

/// The labels that the tree has for an edge.
pub(crate) fn labels_of_edge(edge: &Edge) -> impl Iterator<Item = LabelKind> {
    let kinds = [
        (!edge.select.is_empty(), LabelKind::Select),
        (edge.guard.is_some(), LabelKind::Guard),
        (edge.sync.is_some(), LabelKind::Synchronisation),
        (!edge.assign.is_empty(), LabelKind::Assignment),
        (edge.probability.is_some(), LabelKind::Probability),
    ];
    kinds.into_iter().filter(|(present, _)| *present).map(|(_, kind)| kind)
}
