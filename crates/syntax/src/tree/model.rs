//! Templates with their locations and edges, instances, and the system.
//!
//! A textual model is a list of items in the order of the text, because order matters: a declaration is visible
//! only after it. References to locations, templates and processes are names, resolved later. The same types
//! serve the parts of an XML file, which a front end puts together itself.

use tourbillon_base::Span;

use super::{Binder, Decl, ExprId, Name, Param, Query};

/// A whole textual model, or the system section of one: items in the order of the text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Model {
    /// The items.
    pub items: Vec<Item>,
}

/// A part of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A declaration.
    Decl(Decl),
    /// `process P(…) { … }`.
    Template(Template),
    /// `Q(…) = P(…);`.
    Instance(Instance),
    /// `system A, B < C;`.
    System(SystemLine),
    /// `IO P { a, b }`.
    Io(Io),
    /// `progress { … }`.
    Progress(Progress),
    /// `gantt { … }`.
    Gantt(Gantt),
    /// `query { … }`.
    Query(Query),
}

/// A template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its declarations.
    pub declarations: Vec<Decl>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its branch points.
    pub branchpoints: Vec<Name>,
    /// The locations that are committed.
    pub committed: Vec<Name>,
    /// The locations that are urgent.
    pub urgent: Vec<Name>,
    /// The initial location.
    pub init: Option<Name>,
    /// Its edges.
    pub edges: Vec<Edge>,
    /// All of it.
    pub span: Span,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Its name.
    pub name: Name,
    /// Its invariant.
    pub invariant: Option<ExprId>,
    /// Its exponential rate.
    pub rate: Option<ExprId>,
    /// All of it.
    pub span: Span,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it starts: a location or branch point.
    pub source: Name,
    /// Where it leads: a location or branch point.
    pub target: Name,
    /// Whether the controller chooses it: `->`, not `-u->`.
    pub controllable: bool,
    /// The names that it binds.
    pub select: Vec<Binder>,
    /// The guard.
    pub guard: Option<ExprId>,
    /// The synchronisation.
    pub sync: Option<Sync>,
    /// The updates, in order.
    pub assign: Vec<ExprId>,
    /// The weight of a branch.
    pub probability: Option<ExprId>,
    /// All of it.
    pub span: Span,
}

/// A synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sync {
    /// The channel.
    pub channel: ExprId,
    /// The part that the edge takes.
    pub direction: Direction,
    /// All of it.
    pub span: Span,
}

/// The part that an edge takes in a synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// `c!`.
    Send,
    /// `c?`.
    Receive,
    /// `c`: all take part alike.
    Csp,
}

/// `name(params) = template(args);`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The new name.
    pub name: Name,
    /// Its parameters, in a partial instantiation.
    pub params: Vec<Param>,
    /// The template.
    pub template: Name,
    /// The arguments.
    pub args: Vec<ExprId>,
    /// All of it.
    pub span: Span,
}

/// The system line: groups of processes, the lowest priority first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemLine {
    /// The groups.
    pub groups: Vec<Vec<Name>>,
    /// All of it.
    pub span: Span,
}

/// The channels by which a process talks to what is outside the model, for tools that test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Io {
    /// The process.
    pub process: Name,
    /// Its arguments, if it has any.
    pub args: Vec<ExprId>,
    /// The channels.
    pub channels: Vec<ExprId>,
    /// All of it.
    pub span: Span,
}

/// The progress measures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The measures.
    pub measures: Vec<ProgressMeasure>,
    /// All of it.
    pub span: Span,
}

/// `guard : measure;` or `measure;`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgressMeasure {
    /// When it counts.
    pub guard: Option<ExprId>,
    /// What never decreases.
    pub measure: ExprId,
}

/// The Gantt chart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gantt {
    /// Its rows.
    pub rows: Vec<GanttRow>,
    /// All of it.
    pub span: Span,
}

/// `name(i : T): condition -> colour, …;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GanttRow {
    /// Its name.
    pub name: Name,
    /// The names that number it.
    pub params: Vec<Binder>,
    /// Its bars.
    pub bars: Vec<GanttBar>,
}

/// `for (j : T) condition -> colour`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GanttBar {
    /// The names that repeat it.
    pub binders: Vec<Binder>,
    /// When it is drawn.
    pub condition: ExprId,
    /// In which colour.
    pub colour: ExprId,
}
