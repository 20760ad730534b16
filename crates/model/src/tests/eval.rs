//! The interpreter against the definition of each construct.

use super::*;

/// The value of an expression, and the cells after it.
fn run(model: &Model, expr: ExprId) -> (Result<i32, EvalErrorKind>, Vec<i32>) {
    let mut cells: Vec<i32> = model.cells.iter().map(|cell| cell.initial).collect();
    let mut evaluator = Evaluator { model, cells: &mut cells, environment: &mut (), fuel: 1000 };
    let value = evaluator.value(expr, &mut Frame::new(4)).map_err(|error| error.kind);
    (value, cells)
}

fn value(model: &Model, expr: ExprId) -> Result<i32, EvalErrorKind> {
    run(model, expr).0
}

#[test]
fn operators_compute_in_32_bits() {
    use BinaryOp::*;
    let cases = [
        (Add, 2, 3, Ok(5)),
        (Add, i32::MAX, 1, Err(EvalErrorKind::Overflow)),
        (Subtract, 2, 3, Ok(-1)),
        (Multiply, 1 << 20, 1 << 11, Err(EvalErrorKind::Overflow)),
        (Divide, -7, 2, Ok(-3)),
        (Divide, 1, 0, Err(EvalErrorKind::DivisionByZero)),
        (Divide, i32::MIN, -1, Err(EvalErrorKind::Overflow)),
        (Remainder, -7, 2, Ok(-1)),
        (Remainder, 7, 0, Err(EvalErrorKind::DivisionByZero)),
        (Remainder, i32::MIN, -1, Ok(0)),
        (ShiftLeft, 3, 2, Ok(12)),
        (ShiftLeft, 1, 31, Err(EvalErrorKind::Overflow)),
        (ShiftLeft, 1, 32, Err(EvalErrorKind::Shift(32))),
        (ShiftRight, -8, 1, Ok(-4)),
        (ShiftRight, 1, -1, Err(EvalErrorKind::Shift(-1))),
        (BitAnd, 6, 3, Ok(2)),
        (BitOr, 6, 3, Ok(7)),
        (BitXor, 6, 3, Ok(5)),
        (Minimum, 6, 3, Ok(3)),
        (Maximum, 6, 3, Ok(6)),
        (Less, 3, 3, Ok(0)),
        (LessOrEqual, 3, 3, Ok(1)),
        (Equal, 3, 3, Ok(1)),
        (NotEqual, 3, 3, Ok(0)),
        (And, 2, 4, Ok(1)),
        (Or, 0, 0, Ok(0)),
    ];
    for (op, left, right, expected) in cases {
        let mut model = model();
        let expr = binary(&mut model, op, left, right);
        assert_eq!(value(&model, expr), expected, "{left} {} {right}", op.text());
        assert_eq!(op.apply(left, right, Overflow::Error), expected);
    }
}

#[test]
fn results_wrap_if_the_model_says_so() {
    use BinaryOp::*;
    let cases = [
        (Add, i32::MAX, 1, Ok(i32::MIN)),
        (Multiply, 1 << 20, 1 << 12, Ok(0)),
        (Divide, i32::MIN, -1, Ok(i32::MIN)),
        (ShiftLeft, 3, 31, Ok(i32::MIN)),
        (Divide, 1, 0, Err(EvalErrorKind::DivisionByZero)),
        (ShiftLeft, 1, 32, Err(EvalErrorKind::Shift(32))),
    ];
    for (op, left, right, expected) in cases {
        let mut model = Model { overflow: Overflow::Wrap, ..model() };
        let expr = binary(&mut model, op, left, right);
        assert_eq!(value(&model, expr), expected, "{left} {} {right}", op.text());
    }
    assert_eq!(UnaryOp::Negate.apply(i32::MIN, Overflow::Wrap), Ok(i32::MIN));
    assert_eq!(UnaryOp::Negate.apply(i32::MIN, Overflow::Error), Err(EvalErrorKind::Overflow));
    assert_eq!(UnaryOp::Absolute.apply(i32::MIN, Overflow::Error), Err(EvalErrorKind::Overflow));
    assert_eq!(UnaryOp::Not.apply(7, Overflow::Error), Ok(0));
    assert_eq!(UnaryOp::Truth.apply(7, Overflow::Error), Ok(1));
}

#[test]
fn conjunction_disjunction_and_conditional_evaluate_what_they_need() {
    let mut model = model();
    let fails = binary(&mut model, BinaryOp::Divide, 1, 0);
    let [no, yes] = [0, 1].map(|value| int(&mut model, value));
    let and = add(&mut model, ExprKind::Binary(BinaryOp::And, no, fails));
    let or = add(&mut model, ExprKind::Binary(BinaryOp::Or, yes, fails));
    let both = add(&mut model, ExprKind::Binary(BinaryOp::And, yes, fails));
    let first = add(&mut model, ExprKind::Conditional(yes, yes, fails));
    let second = add(&mut model, ExprKind::Conditional(no, fails, yes));
    assert_eq!(value(&model, and), Ok(0));
    assert_eq!(value(&model, or), Ok(1));
    assert_eq!(value(&model, both), Err(EvalErrorKind::DivisionByZero));
    assert_eq!(value(&model, first), Ok(1));
    assert_eq!(value(&model, second), Ok(1));
}

#[test]
fn assignments_write_cells_within_their_range() {
    let mut model = model();
    let n = cell(&mut model, "n", 4);
    let [five, ten] = [5, 10].map(|value| int(&mut model, value));
    let assign = |op, value| ExprKind::Assign { op, target: n.clone(), value };
    let set = add(&mut model, assign(AssignOp::Set, five));
    let plus = add(&mut model, assign(AssignOp::With(BinaryOp::Add), five));
    let outside = add(&mut model, assign(AssignOp::Set, ten));
    let increment = add(&mut model, ExprKind::PostIncrement { target: n.clone(), delta: -1 });
    let twice = add(&mut model, ExprKind::Sequence(vec![plus, increment]));
    assert_eq!(run(&model, set), (Ok(5), vec![5]));
    assert_eq!(run(&model, plus), (Ok(9), vec![9]));
    assert_eq!(run(&model, increment), (Ok(4), vec![3]), "the value is the old one");
    assert_eq!(run(&model, twice), (Ok(9), vec![8]), "the value is that of the last part");
    assert_eq!(run(&model, outside), (Err(EvalErrorKind::Range(10, range(0, 9))), vec![4]));
}

#[test]
fn indices_select_cells_and_are_checked() {
    let mut model = model();
    let array: Vec<CellPlace> = (0..3).map(|i| cell(&mut model, &format!("a[{i}]"), 7 - i)).collect();
    let at_index = |model: &mut Model, index| {
        let index = int(model, index);
        let place = element(&array[0], index);
        load(model, &place)
    };
    let [first, last, after, before] = [0, 2, 3, -1].map(|index| at_index(&mut model, index));
    assert_eq!(value(&model, first), Ok(7));
    assert_eq!(value(&model, last), Ok(5));
    assert_eq!(value(&model, after), Err(EvalErrorKind::Index(3, range(0, 2))));
    assert_eq!(value(&model, before), Err(EvalErrorKind::Index(-1, range(0, 2))));
    let copy = ExprKind::Copy { target: array[0].clone(), source: array[1].clone(), count: 2 };
    let copy = add(&mut model, copy);
    assert_eq!(
        run(&model, copy),
        (Ok(0), vec![6, 5, 5]),
        "overlapping cells are read before they are written"
    );
    let same = |left: usize, count| ExprKind::SameCells {
        left: array[left].clone(),
        right: array[0].clone(),
        count,
    };
    let [equal, different] = [same(0, 3), same(1, 2)].map(|kind| add(&mut model, kind));
    assert_eq!(value(&model, equal), Ok(1));
    assert_eq!(value(&model, different), Ok(0));
}

#[test]
fn quantifiers_range_over_all_values() {
    for (op, expected) in [(QuantifierOp::ForAll, 0), (QuantifierOp::Exists, 1), (QuantifierOp::Sum, 6)] {
        let mut model = model();
        let body = load(&mut model, &CellPlace::local(0, Range::INT32));
        let expr = add(&mut model, ExprKind::Quantifier { op, local: 0, range: range(0, 3), body });
        assert_eq!(value(&model, expr), Ok(expected), "{op:?} over 0 to 3");
    }
}

#[test]
fn functions_take_values_and_references() {
    // int f(int v, int& r) { r = r + 1; return v + r; }
    let mut model = model();
    let n = cell(&mut model, "n", 4);
    let reference =
        CellPlace { root: Root::Reference(0), offset: 0, indices: Vec::new(), range: range(0, 9) };
    let increment = add(&mut model, ExprKind::PostIncrement { target: reference.clone(), delta: 1 });
    let v = load(&mut model, &CellPlace::local(0, range(0, 9)));
    let r = load(&mut model, &reference);
    let sum = add(&mut model, ExprKind::Binary(BinaryOp::Add, v, r));
    let body = vec![Stmt::Expr(increment), Stmt::Return(Some(sum)), Stmt::Assert(v)];
    let f = function(&mut model, "f", vec![parameter("v", false), parameter("r", true)], body);
    let [three, ten] = [3, 10].map(|value| int(&mut model, value));
    let call = |value| ExprKind::Call {
        function: f,
        arguments: vec![Argument::Value(value), Argument::Reference(n.clone())],
    };
    let [legal, outside] = [call(three), call(ten)].map(|kind| add(&mut model, kind));
    assert_eq!(run(&model, legal), (Ok(8), vec![5]));
    assert_eq!(value(&model, outside), Err(EvalErrorKind::Range(10, range(0, 9))));
}

#[test]
fn statements_run_in_order() {
    // Counts down from 5 in a loop, adding up the values, and returns within it.
    let mut model = model();
    let [sum, i] = ["sum", "i"].map(|name| cell(&mut model, name, 0));
    let five = int(&mut model, 5);
    let start = add(&mut model, ExprKind::Assign { op: AssignOp::Set, target: i.clone(), value: five });
    let positive = load(&mut model, &i);
    let add_up = ExprKind::Assign { op: AssignOp::With(BinaryOp::Add), target: sum.clone(), value: positive };
    let add_up = add(&mut model, add_up);
    let down = add(&mut model, ExprKind::PostIncrement { target: i.clone(), delta: -1 });
    let small = binary(&mut model, BinaryOp::Equal, 1, 1);
    let three = int(&mut model, 3);
    let is_three = add(&mut model, ExprKind::Binary(BinaryOp::Equal, positive, three));
    let total = load(&mut model, &sum);
    let body = vec![
        Stmt::Expr(start),
        Stmt::While {
            condition: positive,
            body: vec![
                Stmt::If {
                    arms: vec![(is_three, vec![Stmt::Return(Some(total))])],
                    otherwise: vec![Stmt::Assert(small)],
                },
                Stmt::Expr(add_up),
            ],
            step: vec![Stmt::Expr(down)],
        },
    ];
    let f = function(&mut model, "f", Vec::new(), body);
    let call = add(&mut model, ExprKind::Call { function: f, arguments: Vec::new() });
    assert_eq!(run(&model, call), (Ok(9), vec![9, 3]), "5 + 4, and the loop ends at 3");
}

#[test]
fn loops_that_do_not_end_and_functions_without_a_value_are_errors() {
    let mut model = model();
    let yes = int(&mut model, 1);
    let forever = vec![Stmt::While { condition: yes, body: Vec::new(), step: Vec::new() }];
    let forever = function(&mut model, "forever", Vec::new(), forever);
    let nothing = function(&mut model, "nothing", Vec::new(), Vec::new());
    let no = int(&mut model, 0);
    let wrong = function(&mut model, "wrong", Vec::new(), vec![Stmt::Assert(no)]);
    let expected = [EvalErrorKind::TooLong, EvalErrorKind::NoValue, EvalErrorKind::Assertion];
    for (function, expected) in [forever, nothing, wrong].into_iter().zip(expected) {
        let call = add(&mut model, ExprKind::Call { function, arguments: Vec::new() });
        assert_eq!(value(&model, call), Err(expected));
    }
}

/// A state with one process in location 1, and one clock at 5.
struct State {
    set: Option<(ClockId, Option<ClockId>, i32)>,
}

impl Environment for State {
    fn at_location(&self, _: ProcessId, location: LocationId) -> Option<bool> {
        Some(location.index() == 1)
    }

    fn compares(&self, _: ClockId, _: Option<ClockId>, compare: Compare, bound: i32) -> Option<bool> {
        Some(match compare {
            Compare::Less => 5 < bound,
            Compare::LessOrEqual => 5 <= bound,
            Compare::Equal => 5 == bound,
            Compare::GreaterOrEqual => 5 >= bound,
            Compare::Greater => 5 > bound,
        })
    }

    fn set_clock(&mut self, target: ClockId, source: Option<ClockId>, value: i32) -> bool {
        self.set = Some((target, source, value));
        true
    }
}

#[test]
fn clocks_and_locations_are_asked_of_the_environment() {
    let mut model = model();
    let x = clock(&mut model, "x");
    model.processes.push(process("P"));
    let five = int(&mut model, 5);
    let atom = ClockAtom { left: x.clone(), right: None, compare: Compare::LessOrEqual, bound: five };
    let compared = add(&mut model, ExprKind::Clock(atom));
    let at_b = add(&mut model, ExprKind::AtLocation(ProcessId::from_index(0), LocationId::from_index(1)));
    let minus = int(&mut model, -1);
    let set = |value| ExprKind::SetClock { target: x.clone(), source: None, value };
    let [legal, negative] = [set(five), set(minus)].map(|kind| add(&mut model, kind));
    let evaluate = |model: &Model, expr| {
        let mut state = State { set: None };
        let mut evaluator = Evaluator { model, cells: &mut [], environment: &mut state, fuel: 10 };
        let value = evaluator.value(expr, &mut Frame::new(0)).map_err(|error| error.kind);
        (value, state.set)
    };
    let x = ClockId::from_index(0);
    assert_eq!(evaluate(&model, compared), (Ok(1), None));
    assert_eq!(evaluate(&model, at_b), (Ok(1), None));
    assert_eq!(evaluate(&model, legal), (Ok(0), Some((x, None, 5))));
    let fails = EvalErrorKind::NegativeClock { clock: x, source: None, value: -1 };
    assert_eq!(evaluate(&model, negative), (Err(fails), None));
    model.language = Language::TChecker;
    assert_eq!(evaluate(&model, negative), (Ok(0), Some((x, None, -1))), "the transition is disabled later");
    for unknown in [compared, at_b, legal] {
        assert_eq!(value(&model, unknown), Err(EvalErrorKind::NotKnown), "without clocks and locations");
    }
}

#[test]
fn constants_depend_on_constants_only() {
    let mut model = model();
    let three = cell_of(&mut model, "three", 3, CellKind::Constant);
    let n = cell(&mut model, "n", 4);
    let constant = load(&mut model, &three);
    let variable = load(&mut model, &n);
    let sum = add(&mut model, ExprKind::Binary(BinaryOp::Add, constant, constant));
    let mixed = add(&mut model, ExprKind::Binary(BinaryOp::Add, constant, variable));
    assert_eq!(model.constant(sum, 0..0), Ok(6));
    let error = model.constant(mixed, 0..0).expect_err("n is a variable");
    assert_eq!((error.kind, error.span), (EvalErrorKind::NotKnown, at(1)), "the span is that of `n`");
}

#[test]
fn errors_carry_the_span_of_what_fails() {
    let mut model = model();
    let fails = binary(&mut model, BinaryOp::Remainder, 1, 0);
    let one = int(&mut model, 1);
    let whole = add(&mut model, ExprKind::Binary(BinaryOp::Add, one, fails));
    let error = model.constant(whole, 0..0).expect_err("a division by 0");
    assert_eq!(error.span, model.exprs[fails].span);
}
