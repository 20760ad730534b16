//! The printer: each construct as text.

use super::*;

fn text(model: &Model, expr: ExprId) -> String {
    model.expr_text(expr)
}

#[test]
fn operators_have_brackets_where_operands_are_compound() {
    let mut model = model();
    let n = cell(&mut model, "n", 0);
    let loaded = load(&mut model, &n);
    let sum = add(&mut model, ExprKind::Binary(BinaryOp::Add, loaded, loaded));
    let product = add(&mut model, ExprKind::Binary(BinaryOp::Multiply, sum, loaded));
    let smaller = add(&mut model, ExprKind::Binary(BinaryOp::Minimum, sum, loaded));
    let not = add(&mut model, ExprKind::Unary(UnaryOp::Not, sum));
    let choice = add(&mut model, ExprKind::Conditional(sum, loaded, smaller));
    let absolute = add(&mut model, ExprKind::Unary(UnaryOp::Absolute, product));
    assert_eq!(text(&model, product), "(n + n) * n");
    assert_eq!(text(&model, smaller), "min(n + n, n)");
    assert_eq!(text(&model, not), "!(n + n)");
    assert_eq!(text(&model, choice), "(n + n) ? n : min(n + n, n)");
    assert_eq!(text(&model, absolute), "abs((n + n) * n)");
}

#[test]
fn places_show_offsets_and_indices() {
    let mut model = model();
    let array: Vec<CellPlace> = (0..3).map(|i| cell(&mut model, &format!("a[{i}]"), 0)).collect();
    let n = cell(&mut model, "n", 0);
    let index = load(&mut model, &n);
    let indexed = load(&mut model, &element(&array[0], index));
    assert_eq!(text(&model, indexed), "a[0][+n]", "indices count from the first element");
    let steps = vec![IndexStep { index, range: range(1, 3), stride: 2 }];
    let wide = load(&mut model, &CellPlace { indices: steps, ..array[0].clone() });
    assert_eq!(text(&model, wide), "a[0][+n-1 by 2]");
    let local = load(&mut model, &CellPlace::local(2, range(0, 9)));
    assert_eq!(text(&model, local), "$2");
    let increment = add(&mut model, ExprKind::PostIncrement { target: n.clone(), delta: -1 });
    let assign = ExprKind::Assign { op: AssignOp::With(BinaryOp::Add), target: n.clone(), value: index };
    let assign = add(&mut model, assign);
    let copy =
        add(&mut model, ExprKind::Copy { target: array[0].clone(), source: array[1].clone(), count: 2 });
    assert_eq!(text(&model, increment), "n--");
    assert_eq!(text(&model, assign), "n += n");
    assert_eq!(text(&model, copy), "a[0] := a[1] [2 cells]");
}

#[test]
fn clocks_are_compared_and_set() {
    let mut model = model();
    let [x, y] = ["x", "y"].map(|name| clock(&mut model, name));
    let [zero, three] = [0, 3].map(|value| int(&mut model, value));
    let atom =
        ClockAtom { left: x.clone(), right: Some(y.clone()), compare: Compare::GreaterOrEqual, bound: three };
    let atom = add(&mut model, ExprKind::Clock(atom));
    assert_eq!(text(&model, atom), "x-y>=3");
    let set = |source, value| ExprKind::SetClock { target: x.clone(), source, value };
    let cases = [(None, three, "x := 3"), (Some(y.clone()), zero, "x := y"), (Some(y), three, "x := y + 3")];
    for (source, value, expected) in cases {
        let expr = add(&mut model, set(source, value));
        assert_eq!(text(&model, expr), expected);
    }
}

#[test]
fn a_whole_model_is_printed_in_order() {
    let mut model = Model { overflow: Overflow::Wrap, ..model() };
    let n = cell(&mut model, "n", 4);
    cell_of(&mut model, "K", 3, CellKind::Constant);
    let x = clock(&mut model, "x");
    let channel = |name: &str, kind, urgent, priority| Channel {
        name: name.to_owned(),
        kind,
        urgent,
        priority,
        span: at(0),
    };
    let c = model.channels.push(channel("c", ChannelKind::Broadcast, true, 2));
    let three = int(&mut model, 3);
    let v = load(&mut model, &CellPlace::local(0, range(0, 9)));
    let body =
        vec![Stmt::If { arms: vec![(v, vec![Stmt::Return(Some(v))])], otherwise: vec![Stmt::Assert(v)] }];
    function(&mut model, "f", vec![parameter("v", false), parameter("r", true)], body);
    let loaded = load(&mut model, &n);
    let assign = add(&mut model, ExprKind::Assign { op: AssignOp::Set, target: n, value: v });
    let atom = ClockAtom { left: x.clone(), right: None, compare: Compare::LessOrEqual, bound: three };
    let mut process = process("P(1)");
    let location = &mut process.locations[LocationId::from_index(1)];
    location.kind = LocationKind::Committed;
    location.invariant.clocks = vec![ClockCondition { when: Some(loaded), atom: atom.clone() }];
    location.labels = vec!["green".to_owned()];
    let edge = &mut process.edges[0];
    edge.selects = vec![Select { name: "i".to_owned(), local: 0, range: range(0, 1) }];
    edge.frame = 1;
    edge.guard = Guard { conditions: vec![loaded], clocks: vec![ClockCondition { when: None, atom }] };
    edge.action = Action::Send(ChannelPlace { first: c, indices: Vec::new() });
    edge.updates = vec![assign];
    edge.controllable = false;
    model.processes.push(process);
    let at_b = add(&mut model, ExprKind::AtLocation(ProcessId::from_index(0), LocationId::from_index(1)));
    let deadlock = add(&mut model, ExprKind::Deadlock);
    let measures = vec![Measure::Clock(x, Some(loaded)), Measure::Data(loaded)];
    let bounds = QueryKind::Bounds { condition: Some(at_b), measures, lower: false, upper: true };
    for kind in [QueryKind::Possibly(at_b), QueryKind::LeadsTo(at_b, deadlock), bounds] {
        model.queries.push(query(kind));
    }
    assert!(model.check().is_empty());
    let expected = "\
model m
overflow wrap
n : [0,9] = 4
const K : [0,9] = 3
clock x
urgent broadcast chan c priority 2
function f(v, &r)
  if v
    return v
  else
    assert v
process P(1)
  location A initial
  location B committed while (n => x<=3) labels green
  A -> B uncontrollable: select i : [0,1]; when n && x<=3; c!; do n := i
query E<> P(1).B
query P(1).B --> deadlock
query sup{P(1).B}: x + n, n
";
    assert_eq!(model.to_string(), expected);
}
