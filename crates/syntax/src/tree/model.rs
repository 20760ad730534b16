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
    pub items: Vec<Item>,
}

/// A part of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
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

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    pub name: Name,
    pub params: Vec<Param>,
    pub declarations: Vec<Decl>,
    pub locations: Vec<Location>,
    pub branchpoints: Vec<Name>,
    /// The locations that are committed.
    pub committed: Vec<Name>,
    /// The locations that are urgent.
    pub urgent: Vec<Name>,
    pub init: Option<Name>,
    pub edges: Vec<Edge>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub name: Name,
    pub invariant: Option<ExprId>,
    pub rate: Option<ExprId>,
    pub span: Span,
}

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
    pub guard: Option<ExprId>,
    pub sync: Option<Sync>,
    /// The updates, in order.
    pub assign: Vec<ExprId>,
    /// The weight of a branch.
    pub probability: Option<ExprId>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sync {
    pub channel: ExprId,
    /// The part that the edge takes.
    pub direction: Direction,
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
    pub name: Name,
    /// Its parameters, in a partial instantiation.
    pub params: Vec<Param>,
    pub template: Name,
    pub args: Vec<ExprId>,
    pub span: Span,
}

/// The system line: groups of processes, the lowest priority first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemLine {
    pub groups: Vec<Vec<Name>>,
    pub span: Span,
}

/// The channels by which a process talks to what is outside the model, for tools that test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Io {
    pub process: Name,
    /// Its arguments, if it has any.
    pub args: Vec<ExprId>,
    pub channels: Vec<ExprId>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    pub measures: Vec<ProgressMeasure>,
    pub span: Span,
}

/// `guard : measure;` or `measure;`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgressMeasure {
    pub guard: Option<ExprId>,
    pub measure: ExprId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gantt {
    pub rows: Vec<GanttRow>,
    pub span: Span,
}

/// `name(i : T): condition -> colour, …;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GanttRow {
    pub name: Name,
    /// The names that number it.
    pub params: Vec<Binder>,
    pub bars: Vec<GanttBar>,
}

/// `for (j : T) condition -> colour`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GanttBar {
    /// The names that repeat it.
    pub binders: Vec<Binder>,
    /// When it is drawn.
    pub condition: ExprId,
    pub colour: ExprId,
}
