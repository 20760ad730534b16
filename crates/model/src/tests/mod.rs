//! Small models made by hand, for the tests of the interpreter, of [`Model::check`] and of the printer.

mod check;
mod eval;
mod print;

use tourbillon_base::{Id, IdVec, SourceId, Span};

use crate::*;

/// A span that says which part of the source `n` is: errors must carry the span of what fails.
pub(super) fn at(n: u32) -> Span {
    Span::new(SourceId::from_index(0), n, n + 1)
}

pub(super) fn range(min: i32, max: i32) -> Range {
    Range::new(min, max).expect("a range with at least one value")
}

pub(super) fn model() -> Model {
    Model::new("m", Language::Uppaal)
}

/// Adds an expression whose span is its number.
pub(super) fn add(model: &mut Model, kind: ExprKind) -> ExprId {
    let span = at(u32::try_from(model.exprs.len()).expect("a small model"));
    model.exprs.push(Expr { kind, span })
}

pub(super) fn int(model: &mut Model, value: i32) -> ExprId {
    add(model, ExprKind::Int(value))
}

pub(super) fn binary(model: &mut Model, op: BinaryOp, left: i32, right: i32) -> ExprId {
    let [left, right] = [left, right].map(|value| int(model, value));
    add(model, ExprKind::Binary(op, left, right))
}

/// Adds a variable of one cell with values from 0 to 9.
pub(super) fn cell(model: &mut Model, name: &str, initial: i32) -> CellPlace {
    cell_of(model, name, initial, CellKind::State)
}

pub(super) fn cell_of(model: &mut Model, name: &str, initial: i32, kind: CellKind) -> CellPlace {
    let values = range(0, 9);
    let id = model.cells.push(Cell { name: name.to_owned(), range: values, initial, kind });
    CellPlace::cell(id, values)
}

pub(super) fn load(model: &mut Model, place: &CellPlace) -> ExprId {
    add(model, ExprKind::Load(place.clone()))
}

pub(super) fn clock(model: &mut Model, name: &str) -> ClockPlace {
    ClockPlace::clock(model.clocks.push(Clock { name: name.to_owned(), initial: 0, span: at(0) }))
}

/// The element of an array that begins at a place, for indices from 0 to 2.
pub(super) fn element(place: &CellPlace, index: ExprId) -> CellPlace {
    let indices = vec![IndexStep { index, range: range(0, 2), stride: 1 }];
    CellPlace { indices, ..place.clone() }
}

pub(super) fn function(model: &mut Model, name: &str, parameters: Vec<Parameter>, body: Block) -> FunctionId {
    let frame = parameters.iter().filter(|parameter| !parameter.by_reference).count();
    let frame = 1 + u32::try_from(frame).expect("a small model");
    let returns = Some(Type::Int(range(0, 99)));
    let name = name.to_owned();
    model.functions.push(Function { name, parameters, returns, frame, body, is_pure: false, span: at(0) })
}

pub(super) fn parameter(name: &str, by_reference: bool) -> Parameter {
    Parameter { name: name.to_owned(), ty: Type::Int(range(0, 9)), by_reference }
}

pub(super) fn location(name: &str) -> Location {
    Location {
        name: name.to_owned(),
        kind: LocationKind::Normal,
        invariant: Guard::default(),
        rates: Vec::new(),
        labels: Vec::new(),
        frame: 0,
        span: at(0),
    }
}

/// A process with two locations, `A` and `B`, and an edge between them without labels.
pub(super) fn process(name: &str) -> Process {
    let locations: IdVec<LocationId, Location> = [location("A"), location("B")].into_iter().collect();
    let edge = Edge {
        source: LocationId::from_index(0),
        target: LocationId::from_index(1),
        selects: Vec::new(),
        guard: Guard::default(),
        action: Action::Internal,
        updates: Vec::new(),
        controllable: true,
        frame: 0,
        span: at(0),
    };
    Process {
        name: name.to_owned(),
        template: name.to_owned(),
        scalars: Vec::new(),
        priority: 0,
        locations,
        initial: LocationId::from_index(0),
        edges: vec![edge],
        span: at(0),
    }
}

pub(super) fn query(kind: QueryKind) -> Query {
    Query { text: "q".to_owned(), comment: String::new(), kind, frame: 0, expected: None, span: at(0) }
}
