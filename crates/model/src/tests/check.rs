//! [`Model::check`] finds every inconsistency, and none in a consistent model.

use super::*;

/// A model with a variable, a clock, a channel, a function, a process and a query, all legal.
fn legal() -> Model {
    let mut model = model();
    let n = cell(&mut model, "n", 0);
    let x = clock(&mut model, "x");
    let channel =
        Channel { name: "c".to_owned(), kind: ChannelKind::Binary, urgent: false, priority: 0, span: at(0) };
    let first = model.channels.push(channel);
    let loaded = load(&mut model, &n);
    let v = load(&mut model, &CellPlace::local(0, range(0, 9)));
    let f = function(&mut model, "f", vec![parameter("v", false)], vec![Stmt::Return(Some(v))]);
    let call = add(&mut model, ExprKind::Call { function: f, arguments: vec![Argument::Value(loaded)] });
    let mut process = process("P");
    let edge = &mut process.edges[0];
    edge.action = Action::Send(ChannelPlace { first, indices: Vec::new() });
    edge.updates = vec![call];
    edge.guard.clocks = vec![ClockCondition {
        when: None,
        atom: ClockAtom { left: x, right: None, compare: Compare::Less, bound: loaded },
    }];
    model.processes.push(process);
    model.queries.push(query(QueryKind::Possibly(loaded)));
    model
}

/// The complaints about a legal model after a change.
fn complaints(change: impl FnOnce(&mut Model)) -> Vec<String> {
    let mut model = legal();
    change(&mut model);
    model.check().iter().map(ToString::to_string).collect()
}

fn edge(model: &mut Model) -> &mut Edge {
    &mut model.processes[ProcessId::from_index(0)].edges[0]
}

#[test]
fn a_legal_model_has_no_fault() {
    assert_eq!(complaints(|_| {}), Vec::<String>::new());
}

#[test]
fn initial_values_are_within_their_ranges() {
    let cell = CellId::from_index(0);
    assert_eq!(
        complaints(|model| model.cells[cell].initial = 10),
        ["cell n: an initial value outside its range"]
    );
    let empty = complaints(|model| model.cells[cell].range = Range { min: 1, max: 0 });
    assert_eq!(empty, ["cell n: an empty range", "cell n: an initial value outside its range"]);
    let negative = complaints(|model| model.clocks[ClockId::from_index(0)].initial = -1);
    assert_eq!(negative, ["clock x: a negative initial value"]);
}

#[test]
fn operands_come_before_what_they_belong_to() {
    let found = complaints(|model| {
        let next = ExprId::from_index(model.exprs.len() + 1);
        add(model, ExprKind::Unary(UnaryOp::Negate, next));
        int(model, 1);
    });
    assert_eq!(found, ["expressions: an operand after what it belongs to"]);
}

#[test]
fn places_are_within_their_cells_and_frames() {
    let beyond = complaints(|model| {
        let place = CellPlace::cell(CellId::from_index(1), range(0, 9));
        let load = load(model, &place);
        edge(model).updates = vec![load];
    });
    assert_eq!(beyond, ["an edge of P: a cell that is not there"]);
    let indexed = complaints(|model| {
        let zero = int(model, 0);
        let place = element(&CellPlace::cell(CellId::from_index(0), range(0, 9)), zero);
        let load = load(model, &place);
        edge(model).updates = vec![load];
    });
    assert_eq!(
        indexed,
        ["an edge of P: a cell that is not there"],
        "the last index leads past the only cell"
    );
    let local = complaints(|model| {
        let load = load(model, &CellPlace::local(0, range(0, 9)));
        edge(model).updates = vec![load];
    });
    assert_eq!(local, ["an edge of P: a local cell outside the frame"]);
    let select = complaints(|model| {
        edge(model).selects = vec![Select { name: "i".to_owned(), local: 0, range: range(0, 1) }];
    });
    assert_eq!(select, ["an edge of P: a local cell outside the frame"]);
    let reference = complaints(|model| {
        let place =
            CellPlace { root: Root::Reference(0), offset: 0, indices: Vec::new(), range: range(0, 9) };
        let load = load(model, &place);
        edge(model).updates = vec![load];
    });
    assert_eq!(reference, ["an edge of P: a reference that is not there"]);
}

#[test]
fn clocks_channels_and_locations_exist() {
    let clocks = complaints(|model| model.clocks.truncate(0));
    assert_eq!(clocks, ["an edge of P: a clock that is not there"]);
    let channels = complaints(|model| model.channels.truncate(0));
    assert_eq!(channels, ["an edge of P: a channel that is not there"]);
    let locations = complaints(|model| edge(model).target = LocationId::from_index(2));
    assert_eq!(locations, ["an edge of P: a location that is not there"]);
    let initial =
        complaints(|model| model.processes[ProcessId::from_index(0)].initial = LocationId::from_index(2));
    assert_eq!(initial, ["process P: an initial location that is not there"]);
    let negative = ScalarValue { set: 1, value: -1 };
    let scalar = complaints(|model| model.processes[ProcessId::from_index(0)].scalars = vec![negative]);
    assert_eq!(scalar, ["process P: a negative value of a scalar set"]);
    let event = complaints(|model| edge(model).action = Action::Event(EventId::from_index(0)));
    assert_eq!(event, ["an edge of P: an event that is not there"]);
    let participant = complaints(|model| {
        let participant =
            Participant { process: ProcessId::from_index(1), event: EventId::from_index(0), weak: false };
        model.vectors.push(SyncVector { participants: vec![participant], span: at(0) });
    });
    let vector = "a synchronisation vector";
    assert_eq!(
        participant,
        [format!("{vector}: a process that is not there"), format!("{vector}: an event that is not there")]
    );
}

#[test]
fn functions_call_earlier_ones_with_matching_arguments() {
    let itself = complaints(|model| {
        let f = FunctionId::from_index(0);
        let one = int(model, 1);
        let call = add(model, ExprKind::Call { function: f, arguments: vec![Argument::Value(one)] });
        model.functions[f].body = vec![Stmt::Expr(call)];
    });
    assert_eq!(itself, ["function f: a call of a function that does not come before"]);
    let none = complaints(|model| {
        let call = add(model, ExprKind::Call { function: FunctionId::from_index(0), arguments: Vec::new() });
        edge(model).updates = vec![call];
    });
    assert_eq!(none, ["an edge of P: another number of arguments than of parameters"]);
    let reference = complaints(|model| {
        let n = CellPlace::cell(CellId::from_index(0), range(0, 9));
        let arguments = vec![Argument::Reference(n)];
        let call = add(model, ExprKind::Call { function: FunctionId::from_index(0), arguments });
        edge(model).updates = vec![call];
    });
    assert_eq!(reference, ["an edge of P: a reference for a value"]);
}

#[test]
fn queries_refer_to_expressions_that_exist() {
    let found = complaints(|model| {
        let missing = ExprId::from_index(model.exprs.len());
        model.queries.push(query(QueryKind::Invariantly(missing)));
    });
    assert_eq!(found, ["query q: an expression that is not there"]);
    let empty = complaints(|model| {
        let nothing = add(model, ExprKind::Sequence(Vec::new()));
        model.queries.push(query(QueryKind::Eventually(nothing)));
    });
    assert_eq!(empty, ["query q: an empty sequence"]);
}
