//! Builders and oracles for the tests of the stages.
//!
//! [`Network`] builds small models by hand and compiles them. Sets of clock valuations are compared point by point:
//! a [`Point`] holds the numerators of the clock values over [`UNIT`], zones are asked at multiples of a quarter
//! ([`points`]), and witnesses, such as delays, are multiples of an eighth. With at most three clocks and whole
//! constants, quarters realise every order of the fractional parts, and membership along a delay from a quarter
//! changes at quarters only, so that an eighth lies between two changes: no answer depends on the grid.

use tourbillon_base::{Id, Rational, SourceId, Span};
use tourbillon_dbm::{Clock, Constant, Constraint, Dbm, Dimension, Valuation, parse_constraints};
use tourbillon_model::{
    Action, AssignOp, BinaryOp, Cell, CellKind, CellPlace, Channel, ChannelId, ChannelKind, ChannelPlace,
    ClockAtom, ClockCondition, ClockId, ClockPlace, Compare, Edge, Expr, ExprId, ExprKind, Guard, Language,
    Location, LocationId, LocationKind, Model, Process, ProcessId, QuantifierOp, Range, Rate, Root, Select,
};
use tourbillon_system::{Machine, Predicate, StateFormula, System, compile};

use crate::graph::{Options, Successor, SymbolicState, ZoneGraph};
use crate::location_vector::LocationVector;

/// The denominator of the coordinates of a [`Point`].
pub(crate) const UNIT: i64 = 8;

/// A clock valuation: one numerator over [`UNIT`] for each clock.
pub(crate) type Point = Vec<i64>;

/// A network that is being built.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) model: Model,
    names: Vec<String>,
}

/// An edge of a [`Network`]: its process and its index there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EdgeRef(pub(crate) usize, pub(crate) usize);

pub(crate) fn range(min: i32, max: i32) -> Range {
    Range::new(min, max).expect("a range with at least one value")
}

impl Network {
    pub(crate) fn new(clocks: &[&str]) -> Self {
        Self::of_language(Language::Uppaal, clocks)
    }

    pub(crate) fn of_language(language: Language, clocks: &[&str]) -> Self {
        let mut model = Model::new("network", language);
        for &name in clocks {
            model.clocks.push(tourbillon_model::Clock { name: name.to_owned(), initial: 0, span: at(0) });
        }
        Self { model, names: clocks.iter().map(|&name| name.to_owned()).collect() }
    }

    /// The clock of zones with this name.
    pub(crate) fn clock(&self, name: &str) -> Clock {
        let index = self.names.iter().position(|known| known == name).expect("a clock of the network");
        Clock::from_index(index + 1)
    }

    /// The clock of the model with this name.
    pub(crate) fn clock_place(&self, name: &str) -> ClockPlace {
        ClockPlace::clock(ClockId::from_index(self.clock(name).index() - 1))
    }

    pub(crate) fn constraints(&self, text: &str) -> Vec<Constraint> {
        parse_constraints(text, &self.names).expect("constraints over the clocks of the network")
    }

    pub(crate) fn zone(&self, text: &str) -> Dbm {
        let mut zone = Dbm::universal(Dimension::of_clocks(self.names.len()).expect("few clocks"));
        assert!(self.constraints(text).into_iter().all(|c| zone.constrain(c)), "{text} is empty");
        zone
    }

    /// Adds an expression whose span is its index, so that an error can be attributed to it.
    pub(crate) fn expr(&mut self, kind: ExprKind) -> ExprId {
        let span = at(self.model.exprs.len());
        self.model.exprs.push(Expr { kind, span })
    }

    pub(crate) fn int(&mut self, value: i32) -> ExprId {
        self.expr(ExprKind::Int(value))
    }

    pub(crate) fn load(&mut self, place: &CellPlace) -> ExprId {
        self.expr(ExprKind::Load(place.clone()))
    }

    pub(crate) fn local(&mut self, slot: u32) -> ExprId {
        self.load(&CellPlace::local(slot, Range::INT32))
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.expr(ExprKind::Binary(op, left, right))
    }

    /// `cell == value`
    pub(crate) fn equals(&mut self, cell: &CellPlace, value: i32) -> ExprId {
        let (left, right) = (self.load(cell), self.int(value));
        self.binary(BinaryOp::Equal, left, right)
    }

    pub(crate) fn at_location(&mut self, process: usize, location: usize) -> ExprId {
        let (process, location) = (ProcessId::from_index(process), LocationId::from_index(location));
        self.expr(ExprKind::AtLocation(process, location))
    }

    /// `clock ~ bound`, as an expression of a query.
    pub(crate) fn compare(&mut self, clock: &str, compare: Compare, bound: ExprId) -> ExprId {
        let left = self.clock_place(clock);
        self.expr(ExprKind::Clock(ClockAtom { left, right: None, compare, bound }))
    }

    /// The conjunction of clock constraints, as an expression of a query.
    pub(crate) fn formula(&mut self, text: &str) -> ExprId {
        let atoms: Vec<ClockAtom> =
            self.conditions(text).into_iter().map(|condition| condition.atom).collect();
        let exprs: Vec<ExprId> = atoms.into_iter().map(|atom| self.expr(ExprKind::Clock(atom))).collect();
        let all = exprs.into_iter().reduce(|left, right| self.binary(BinaryOp::And, left, right));
        all.expect("at least one constraint")
    }

    pub(crate) fn exists(&mut self, local: u32, values: Range, body: ExprId) -> ExprId {
        self.expr(ExprKind::Quantifier { op: QuantifierOp::Exists, local, range: values, body })
    }

    /// Adds a variable with values from -9 to 99.
    pub(crate) fn cell(&mut self, initial: i32) -> CellPlace {
        self.cell_of(initial, range(-9, 99), CellKind::State)
    }

    pub(crate) fn cell_of(&mut self, initial: i32, values: Range, kind: CellKind) -> CellPlace {
        let name = format!("v{}", self.model.cells.len());
        CellPlace::cell(self.model.cells.push(Cell { name, range: values, initial, kind }), values)
    }

    pub(crate) fn channel(&mut self, kind: ChannelKind) -> ChannelId {
        let name = format!("c{}", self.model.channels.len());
        self.model.channels.push(Channel { name, kind, urgent: false, priority: 0, span: at(0) })
    }

    /// Adds a process with this number of locations, the first of which is initial.
    pub(crate) fn process(&mut self, locations: usize) -> usize {
        let name = format!("P{}", self.model.processes.len());
        let location = |index: usize| Location {
            name: format!("L{index}"),
            kind: LocationKind::Normal,
            invariant: Guard::default(),
            rates: Vec::new(),
            labels: Vec::new(),
            frame: 0,
            span: at(0),
        };
        let process = self.model.processes.push(Process {
            template: name.clone(),
            scalars: Vec::new(),
            name,
            priority: 0,
            locations: (0..locations).map(location).collect(),
            initial: LocationId::from_index(0),
            edges: Vec::new(),
            span: at(0),
        });
        process.index()
    }

    pub(crate) fn location(&mut self, process: usize, location: usize) -> &mut Location {
        let process = &mut self.model.processes[ProcessId::from_index(process)];
        &mut process.locations[LocationId::from_index(location)]
    }

    pub(crate) fn invariant(&mut self, process: usize, location: usize, text: &str) {
        let conditions = self.conditions(text);
        self.location(process, location).invariant.clocks.extend(conditions);
    }

    /// Stops a clock at a location if an expression is 0.
    pub(crate) fn rate(&mut self, process: usize, location: usize, clock: &str, rate: ExprId) {
        let clock = self.clock_place(clock);
        self.location(process, location).rates.push(Rate { clock, rate });
    }

    /// Adds an internal edge without labels; its span is its index.
    pub(crate) fn edge(&mut self, process: usize, source: usize, target: usize) -> EdgeRef {
        let edges = &mut self.model.processes[ProcessId::from_index(process)].edges;
        edges.push(Edge {
            source: LocationId::from_index(source),
            target: LocationId::from_index(target),
            selects: Vec::new(),
            guard: Guard::default(),
            action: Action::Internal,
            updates: Vec::new(),
            controllable: true,
            frame: 0,
            span: at(edges.len()),
        });
        EdgeRef(process, edges.len() - 1)
    }

    pub(crate) fn edge_mut(&mut self, edge: EdgeRef) -> &mut Edge {
        &mut self.model.processes[ProcessId::from_index(edge.0)].edges[edge.1]
    }

    pub(crate) fn guard(&mut self, edge: EdgeRef, text: &str) {
        let conditions = self.conditions(text);
        self.edge_mut(edge).guard.clocks.extend(conditions);
    }

    /// A condition on data.
    pub(crate) fn when(&mut self, edge: EdgeRef, condition: ExprId) {
        self.edge_mut(edge).guard.conditions.push(condition);
    }

    pub(crate) fn send(&mut self, edge: EdgeRef, channel: ChannelId) {
        self.edge_mut(edge).action = Action::Send(ChannelPlace { first: channel, indices: Vec::new() });
    }

    pub(crate) fn receive(&mut self, edge: EdgeRef, channel: ChannelId) {
        self.edge_mut(edge).action = Action::Receive(ChannelPlace { first: channel, indices: Vec::new() });
    }

    /// Adds a selection in the next local cell, which is returned.
    pub(crate) fn select(&mut self, edge: EdgeRef, values: Range) -> u32 {
        let edge = self.edge_mut(edge);
        let local = edge.frame;
        edge.selects.push(Select { name: format!("s{local}"), local, range: values });
        edge.frame += 1;
        local
    }

    pub(crate) fn update(&mut self, edge: EdgeRef, expr: ExprId) {
        self.edge_mut(edge).updates.push(expr);
    }

    /// `cell = value`, as an expression.
    pub(crate) fn set(&mut self, cell: &CellPlace, value: ExprId) -> ExprId {
        self.expr(ExprKind::Assign { op: AssignOp::Set, target: cell.clone(), value })
    }

    /// `clock = value`
    pub(crate) fn reset(&mut self, edge: EdgeRef, clock: &str, value: i32) {
        let (target, value) = (self.clock_place(clock), self.int(value));
        let expr = self.expr(ExprKind::SetClock { target, source: None, value });
        self.update(edge, expr);
    }

    /// `clock = source + offset`; returns the expression.
    pub(crate) fn assign(&mut self, edge: EdgeRef, clock: &str, source: &str, offset: i32) -> ExprId {
        let (target, source, value) = (self.clock_place(clock), self.clock_place(source), self.int(offset));
        let expr = self.expr(ExprKind::SetClock { target, source: Some(source), value });
        self.update(edge, expr);
        expr
    }

    /// Clock constraints as conditions of a guard or invariant.
    fn conditions(&mut self, text: &str) -> Vec<ClockCondition> {
        let constraints = self.constraints(text);
        constraints
            .into_iter()
            .map(|constraint| ClockCondition { when: None, atom: self.atom(constraint) })
            .collect()
    }

    fn atom(&mut self, Constraint { left, right, bound }: Constraint) -> ClockAtom {
        let place = |clock: Clock| ClockPlace::clock(ClockId::from_index(clock.index() - 1));
        let constant = bound.constant().expect("a finite bound").get();
        let is_lower = left == Clock::REFERENCE;
        let compare = match (is_lower, bound.is_strict()) {
            (false, true) => Compare::Less,
            (false, false) => Compare::LessOrEqual,
            (true, true) => Compare::Greater,
            (true, false) => Compare::GreaterOrEqual,
        };
        let bound = self.int(if is_lower { -constant } else { constant });
        if is_lower {
            return ClockAtom { left: place(right), right: None, compare, bound };
        }
        let right = (right != Clock::REFERENCE).then(|| place(right));
        ClockAtom { left: place(left), right, compare, bound }
    }

    pub(crate) fn compile(&self) -> System {
        self.compile_with(&[]).0
    }

    /// Compiles the network and state formulas, which may use four local cells.
    pub(crate) fn compile_with(&self, formulas: &[ExprId]) -> (System, Vec<Predicate>) {
        assert_eq!(self.model.check(), Vec::new(), "a consistent model");
        let formulas: Vec<StateFormula> =
            formulas.iter().map(|&expr| StateFormula { expr, frame: 4, negated: false }).collect();
        compile(&self.model, &formulas).expect("a model that can be compiled")
    }

    /// Where a variable is in memory.
    pub(crate) fn slot(&self, system: &System, cell: &CellPlace) -> usize {
        let Root::Global(cell) = cell.root else { panic!("a variable of the network") };
        system.layout.slot(cell)
    }
}

pub(crate) fn at(n: usize) -> Span {
    let n = u32::try_from(n).expect("a small model");
    Span::new(SourceId::from_index(0), n, n + 1)
}

/// What every stage needs beside the system.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(crate) machine: Machine,
    pub(crate) locals: Vec<i32>,
    pub(crate) locations: LocationVector,
}

impl Scratch {
    /// With the locations of a discrete state.
    pub(crate) fn new(system: &System, memory: &[i32]) -> Self {
        let mut locations = LocationVector::default();
        locations.gather(system, memory);
        Self { machine: Machine::new(), locals: vec![0; system.frame_max().max(4)], locations }
    }
}

/// The initial discrete state with a zone.
pub(crate) fn state(system: &System, zone: &Dbm) -> SymbolicState {
    SymbolicState { memory: system.initial.clone(), zone: zone.clone() }
}

/// A copy of a successor: ordinal, memory, zone.
pub(crate) type Copied = (u32, Vec<i32>, Dbm);

pub(crate) fn copied(successor: &Successor<'_>) -> Copied {
    (successor.ordinal, successor.memory.to_vec(), successor.zone.clone())
}

/// The successors of the initial discrete state with a zone, without abstraction.
pub(crate) fn successors(system: &System, zone: &Dbm) -> Vec<Copied> {
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let mut found = Vec::new();
    let outcome = graph.expand(&mut state(system, zone), &mut |successor| found.push(copied(successor)));
    outcome.expect("a model that does not fail");
    found
}

/// All points with coordinates that are multiples of a quarter and at most `units`.
pub(crate) fn points(clocks: usize, units: i64) -> Vec<Point> {
    (0..clocks).fold(vec![Vec::new()], |points, _| {
        let coordinates = (0..=units * UNIT).step_by(2);
        let extend = |point: &Point| {
            let point = point.clone();
            coordinates.clone().map(move |value| [point.as_slice(), &[value]].concat())
        };
        points.iter().flat_map(extend).collect()
    })
}

/// Whether the zone contains the point; none contains one with a negative coordinate.
pub(crate) fn in_zone(zone: &Dbm, point: &[i64]) -> bool {
    let values: Option<Vec<Rational>> = point.iter().map(|&value| Rational::new(value, UNIT)).collect();
    values.and_then(|values| Valuation::new(&values)).is_some_and(|valuation| zone.contains(&valuation))
}

/// Whether one of the zones contains the point.
pub(crate) fn contains(zones: &[Dbm], point: &[i64]) -> bool {
    zones.iter().any(|zone| in_zone(zone, point))
}

/// Whether the point satisfies the constraints, by arithmetic on its coordinates; no clock is negative.
pub(crate) fn satisfies(point: &[i64], constraints: &[Constraint]) -> bool {
    let value = |clock: Clock| if clock == Clock::REFERENCE { 0 } else { point[clock.index() - 1] };
    point.iter().all(|&value| value >= 0)
        && constraints.iter().all(|constraint| {
            let difference = value(constraint.left) - value(constraint.right);
            let limit = constraint.bound.constant().map(Constant::get);
            limit.is_none_or(|limit| {
                let limit = i64::from(limit) * UNIT;
                if constraint.bound.is_strict() { difference < limit } else { difference <= limit }
            })
        })
}

/// The point after a delay, or before it if that is negative.
pub(crate) fn delayed(point: &[i64], delay: i64) -> Point {
    point.iter().map(|value| value + delay).collect()
}

/// All delays up to a number of units, in eighths.
pub(crate) fn delays(units: i64) -> impl Iterator<Item = i64> + Clone {
    0..=units * UNIT
}

/// Asserts that the union of zones contains exactly the expected points, of those with coordinates up to `units`. Some
/// points must be expected and some not, so that the comparison is not trivial.
#[track_caller]
pub(crate) fn assert_points(zones: &[Dbm], clocks: usize, units: i64, expected: impl Fn(&[i64]) -> bool) {
    let (mut inside, mut outside) = (0, 0);
    for point in points(clocks, units) {
        let expected = expected(&point);
        assert_eq!(contains(zones, &point), expected, "{zones:?} at {point:?} over {UNIT}");
        *(if expected { &mut inside } else { &mut outside }) += 1;
    }
    assert!(inside > 0 && outside > 0, "{inside} points inside and {outside} outside");
}
