//! Models of another language as TChecker text: what is translated, how things are called, and what is refused.

use tourbillon_base::{Id, IdVec, SourceId, Span};
use tourbillon_front_tchecker::write;
use tourbillon_model::*;

use super::{load, told};

fn span(start: u32) -> Span {
    Span::new(SourceId::from_index(0), start, start + 1)
}

/// A model under construction, with two processes that have one location each.
struct Builder(Model);

impl Builder {
    fn new() -> Self {
        let process = |name: &str| {
            let mut locations = IdVec::new();
            locations.push(location("idle"));
            let initial = LocationId::from_index(0);
            let (name, template) = (name.to_owned(), "P".to_owned());
            Process {
                name,
                template,
                scalars: Vec::new(),
                priority: 0,
                locations,
                initial,
                edges: Vec::new(),
                span: span(1),
            }
        };
        let mut processes = IdVec::new();
        processes.push(process("P(1,2)"));
        processes.push(process("Q"));
        Self(Model { processes, ..Model::new("a model", Language::Uppaal) })
    }

    fn expr(&mut self, kind: ExprKind) -> ExprId {
        self.0.exprs.push(Expr { kind, span: span(2) })
    }

    fn int(&mut self, value: i32) -> ExprId {
        self.expr(ExprKind::Int(value))
    }

    fn load(&mut self, place: CellPlace) -> ExprId {
        self.expr(ExprKind::Load(place))
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.expr(ExprKind::Binary(op, left, right))
    }

    fn set(&mut self, target: CellPlace, value: ExprId) -> ExprId {
        self.expr(ExprKind::Assign { op: AssignOp::Set, target, value })
    }

    /// A variable with cells of these initial values.
    fn variable(&mut self, name: &str, initial: &[i32]) -> CellId {
        let range = Range { min: 0, max: 9 };
        let element = Type::Int(range);
        let ty = match initial.len() {
            1 => element,
            size => Type::Array { index: Range { min: 0, max: size as i32 - 1 }, element: Box::new(element) },
        };
        let first = CellId::from_index(self.0.cells.len());
        let mut values = initial.iter();
        ty.for_each_leaf(name, &mut |name, _| {
            let initial = *values.next().expect("a value for each cell");
            self.0.cells.push(Cell { name: name.to_owned(), range, initial, kind: CellKind::State });
        });
        self.0.variables.push(Variable { name: name.to_owned(), ty, first: Ok(first), span: span(3) });
        first
    }

    fn clock(&mut self, name: &str) -> ClockPlace {
        let first = self.0.clocks.push(Clock { name: name.to_owned(), initial: 0, span: span(4) });
        let name = name.to_owned();
        self.0.variables.push(Variable { name, ty: Type::Clock, first: Err(first), span: span(4) });
        ClockPlace::clock(first)
    }

    fn channel(&mut self, name: &str, kind: ChannelKind) -> ChannelId {
        let name = name.to_owned();
        self.0.channels.push(Channel { name, kind, urgent: false, priority: 0, span: span(5) })
    }

    fn edge(&mut self, process: usize, action: Action) -> &mut Edge {
        let idle = LocationId::from_index(0);
        let edges = &mut self.0.processes[ProcessId::from_index(process)].edges;
        edges.push(Edge {
            source: idle,
            target: idle,
            selects: Vec::new(),
            guard: Guard::default(),
            action,
            updates: Vec::new(),
            controllable: true,
            frame: 0,
            span: span(6),
        });
        edges.last_mut().expect("an edge")
    }

    fn function(&mut self, name: &str, frame: u32, parameters: &[&str], body: Block) -> FunctionId {
        let ty = Type::Int(Range::INT16);
        let parameter =
            |name: &&str| Parameter { name: (*name).to_owned(), ty: ty.clone(), by_reference: false };
        let parameters = parameters.iter().map(parameter).collect();
        self.0.functions.push(Function {
            name: name.to_owned(),
            parameters,
            returns: None,
            frame,
            body,
            is_pure: false,
            span: span(7),
        })
    }

    /// The text, which is read again to see that it is right; warnings do not count.
    fn text(&self) -> String {
        assert_eq!(self.0.check(), []);
        let text = write(&self.0).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let (model, diagnostics, sources) = load(&text);
        assert!(model.is_some(), "{text}\n{:#?}", told(&diagnostics, &sources));
        text
    }

    /// The lines of the text that start so.
    fn lines(&self, start: &str) -> Vec<String> {
        self.text().lines().filter(|line| line.starts_with(start)).map(str::to_owned).collect()
    }

    fn refused(&self) -> Vec<String> {
        assert_eq!(self.0.check(), []);
        let problems = write(&self.0).expect_err("something to refuse");
        problems
            .iter()
            .map(|problem| format!("{} {}: {}", problem.code, problem.primary.start, problem.message))
            .collect()
    }
}

fn location(name: &str) -> Location {
    Location {
        name: name.to_owned(),
        kind: LocationKind::Normal,
        invariant: Guard::default(),
        rates: Vec::new(),
        labels: Vec::new(),
        frame: 0,
        span: span(8),
    }
}

fn cell(first: CellId, behind: usize) -> CellPlace {
    CellPlace::cell(CellId::from_index(first.index() + behind), Range { min: 0, max: 9 })
}

fn element(first: CellId, size: i32, index: ExprId) -> CellPlace {
    let step = IndexStep { index, range: Range { min: 0, max: size - 1 }, stride: 1 };
    CellPlace { indices: vec![step], ..cell(first, 0) }
}

fn select(local: u32, max: i32) -> Select {
    Select { name: format!("s{local}"), local, range: Range { min: 0, max } }
}

fn one_of(first: ChannelId, size: i32, index: ExprId) -> ChannelPlace {
    let step = IndexStep { index, range: Range { min: 0, max: size - 1 }, stride: 1 };
    ChannelPlace { first, indices: vec![step] }
}

fn alone(channel: ChannelId) -> ChannelPlace {
    ChannelPlace { first: channel, indices: Vec::new() }
}

#[test]
fn binary_channels_become_vectors_and_names_become_plain() {
    let mut b = Builder::new();
    let go = b.channel("Q.go", ChannelKind::Binary);
    let dumb = b.channel("dumb", ChannelKind::Binary);
    let x = b.clock("P(1,2).x");
    let y = b.clock("end");
    b.clock("P_1_2.x");
    let zero = b.int(0);
    let reset = b.expr(ExprKind::SetClock { target: x.clone(), source: Some(y), value: zero });
    let bound = b.int(5);
    let committed = Location { kind: LocationKind::Committed, ..location("idle") };
    let urgent = Location { kind: LocationKind::Urgent, ..location("a b") };
    let q = ProcessId::from_index(1);
    b.0.processes[q].locations.push(committed);
    b.0.processes[q].locations.push(urgent);
    let atom = ClockAtom { left: x, right: None, compare: Compare::LessOrEqual, bound };
    let edge = b.edge(0, Action::Send(alone(go)));
    edge.guard.clocks.push(ClockCondition { when: None, atom });
    edge.updates.push(reset);
    b.edge(1, Action::Receive(alone(go))).target = LocationId::from_index(1);
    b.edge(1, Action::Send(alone(dumb)));
    b.edge(1, Action::Internal);
    let expected = "\
system:a_model

event:tau
event:Q_go_send
event:Q_go_receive

clock:1:P_1_2_x
clock:1:end_
clock:1:P_1_2_x_2

process:P_1_2
location:P_1_2:idle{initial:}
edge:P_1_2:idle:idle:Q_go_send{provided: P_1_2_x <= 5 : do: P_1_2_x = end_}

process:Q
location:Q:idle{initial:}
location:Q:idle_2{committed:}
location:Q:a_b{urgent:}
edge:Q:idle:idle_2:Q_go_receive
edge:Q:idle:idle:tau

sync:P_1_2@Q_go_send:Q@Q_go_receive
";
    assert_eq!(b.text(), expected);
}

#[test]
fn selections_and_channel_arrays_are_written_out() {
    let mut b = Builder::new();
    let c = b.channel("c[0]", ChannelKind::Binary);
    b.channel("c[1]", ChannelKind::Binary);
    let i = b.variable("i", &[0]);
    let a = b.variable("a", &[3, 3]);
    let chosen = b.load(CellPlace::local(0, Range::INT16));
    let update = b.set(element(a, 2, chosen), chosen);
    let one = b.int(1);
    let less = b.binary(BinaryOp::Less, chosen, one);
    let index = b.load(cell(i, 0));
    let edge = b.edge(0, Action::Send(one_of(c, 2, chosen)));
    (edge.frame, edge.updates) = (1, vec![update]);
    edge.selects.push(select(0, 1));
    let edge = b.edge(0, Action::Internal);
    (edge.frame, edge.guard.conditions) = (1, vec![less]);
    edge.selects.push(select(0, 2));
    b.edge(1, Action::Receive(one_of(c, 2, index)));
    let expected = [
        "edge:P_1_2:idle:idle:c_0_send{do: a[0] = 0}",
        "edge:P_1_2:idle:idle:c_1_send{do: a[1] = 1}",
        "edge:P_1_2:idle:idle:tau",
        "edge:Q:idle:idle:c_0_receive{provided: i == 0}",
        "edge:Q:idle:idle:c_1_receive{provided: i == 1}",
    ];
    assert_eq!(b.lines("edge"), expected);
    assert_eq!(b.lines("sync"), ["sync:P_1_2@c_0_send:Q@c_0_receive", "sync:P_1_2@c_1_send:Q@c_1_receive"]);
    assert_eq!(b.lines("int"), ["int:1:0:9:0:i", "int:2:0:9:3:a"]);
}

#[test]
fn broadcast_becomes_weak() {
    let mut b = Builder::new();
    let c = b.channel("c", ChannelKind::Broadcast);
    b.edge(0, Action::Send(alone(c)));
    b.edge(1, Action::Receive(alone(c)));
    assert_eq!(b.lines("sync"), ["sync:P_1_2@c_send:Q@c_receive?"]);
    let i = b.variable("i", &[0]);
    let condition = b.load(cell(i, 0));
    b.edge(1, Action::Receive(alone(c))).guard.conditions.push(condition);
    assert_eq!(
        b.refused(),
        [
            "T0901 6: a guard on an edge that receives on the broadcast channel `c` cannot be written in this language"
        ]
    );
    let mut b = Builder::new();
    let c = b.channel("c", ChannelKind::Broadcast);
    b.edge(0, Action::Send(alone(c)));
    assert_eq!(b.lines("edge"), ["edge:P_1_2:idle:idle:c_send"]);
}

#[test]
fn conditions_that_the_grammar_lacks() {
    let mut b = Builder::new();
    let i = b.variable("i", &[0]);
    let a = b.variable("a", &[0, 0, 0]);
    let x = b.clock("x");
    let [i, one] = [b.load(cell(i, 0)), b.int(1)];
    let counter = b.load(CellPlace::local(0, Range::INT16));
    let item = b.load(element(a, 3, counter));
    let body = b.binary(BinaryOp::Less, item, i);
    let range = Range { min: 1, max: 2 };
    let quantifier = |op| ExprKind::Quantifier { op, local: 0, range, body };
    let [all, some] = [QuantifierOp::ForAll, QuantifierOp::Exists].map(|op| b.expr(quantifier(op)));
    let sum = b.expr(ExprKind::Quantifier { op: QuantifierOp::Sum, local: 0, range, body: item });
    let sum = b.binary(BinaryOp::Equal, sum, one);
    let equal = b.binary(BinaryOp::Equal, i, one);
    let or = b.binary(BinaryOp::Or, equal, i);
    let not_or = b.expr(ExprKind::Unary(UnaryOp::Not, or));
    let min = b.binary(BinaryOp::Minimum, i, one);
    let product = b.binary(BinaryOp::Multiply, min, equal);
    let least = b.int(i32::MIN);
    let product = b.binary(BinaryOp::Less, product, least);
    let same = b.expr(ExprKind::SameCells { left: cell(a, 0), right: cell(a, 1), count: 2 });
    let result = b.load(CellPlace::local(0, Range::INT16));
    let result = b.binary(BinaryOp::Add, result, one);
    let function = b.function("f", 1, &["n"], vec![Stmt::Return(Some(result))]);
    let call = b.expr(ExprKind::Call { function, arguments: vec![Argument::Value(i)] });
    let call = b.binary(BinaryOp::LessOrEqual, call, one);
    let cases = [
        (all, "a[1] < i && a[2] < i"),
        (some, "(if a[1] < i then 1 else (if a[2] < i then 1 else 0))"),
        (sum, "a[1] + a[2] == 1"),
        (or, "(if i == 1 then 1 else (if i then 1 else 0))"),
        (not_or, "!(if i == 1 then 1 else (if i then 1 else 0))"),
        (product, "(if i < 1 then i else 1) * (if i == 1 then 1 else 0) < (-2147483647 - 1)"),
        (same, "a[0] == a[1] && a[1] == a[2]"),
        (call, "i + 1 <= 1"),
    ];
    for (condition, _) in cases {
        let edge = b.edge(0, Action::Internal);
        (edge.frame, edge.guard.conditions) = (1, vec![condition]);
    }
    let expected: Vec<String> =
        cases.iter().map(|(_, text)| format!("edge:P_1_2:idle:idle:tau{{provided: {text}}}")).collect();
    assert_eq!(b.lines("edge"), expected);
    let atom = ClockAtom { left: x, right: None, compare: Compare::Less, bound: one };
    let guarded = ClockCondition { when: Some(equal), atom };
    b.edge(1, Action::Internal).guard.clocks.push(guarded.clone());
    let expected = [
        "edge:Q:idle:idle:tau{provided: (if i == 1 then 0 else 1)}",
        "edge:Q:idle:idle:tau{provided: i == 1 && x < 1}",
    ];
    assert_eq!(b.lines("edge:Q"), expected);
    let q = ProcessId::from_index(1);
    b.0.processes[q].locations[LocationId::from_index(0)].invariant.clocks.push(guarded);
    let expected =
        "T0901 8: the invariant of `Q.idle`, which depends on data, cannot be written in this language";
    assert_eq!(b.refused(), [expected]);
}

#[test]
fn constants_become_numbers() {
    let mut b = Builder::new();
    let i = b.variable("i", &[0]);
    let table = b.variable("table", &[7, 5, 3]);
    for cell in 1..4 {
        b.0.cells[CellId::from_index(cell)].kind = CellKind::Constant;
    }
    let one = b.int(1);
    let fixed = b.load(element(table, 3, one));
    let i = b.load(cell(i, 0));
    let chosen = b.load(element(table, 3, i));
    for condition in [fixed, chosen] {
        b.edge(0, Action::Internal).guard.conditions.push(condition);
    }
    assert_eq!(b.lines("int"), ["int:1:0:9:0:i"]);
    let expected = [
        "edge:P_1_2:idle:idle:tau{provided: 5}",
        "edge:P_1_2:idle:idle:tau{provided: (if i == 0 then 7 else (if i == 1 then 5 else 3))}",
    ];
    assert_eq!(b.lines("edge"), expected);
}

#[test]
fn functions_become_statements() {
    let mut b = Builder::new();
    let i = b.variable("i", &[0]);
    let a = b.variable("a", &[0, 0]);
    let int = Range::INT16;
    let [n, counter] = [0, 3].map(|slot| b.load(CellPlace::local(slot, int)));
    let step = IndexStep { index: counter, range: Range { min: 0, max: 1 }, stride: 1 };
    let buffer = CellPlace { indices: vec![step], ..CellPlace::local(1, int) };
    let fill = b.set(buffer.clone(), n);
    let read = b.load(buffer);
    let store = b.set(element(a, 2, counter), read);
    let more = b.expr(ExprKind::PostIncrement { target: cell(i, 0), delta: 1 });
    let again = b.binary(BinaryOp::Less, n, counter);
    let body = vec![
        Stmt::ForRange { local: 3, range: Range { min: 0, max: 1 }, body: vec![Stmt::Expr(fill)] },
        Stmt::If {
            arms: vec![(n, vec![Stmt::Expr(store)]), (again, vec![])],
            otherwise: vec![Stmt::Expr(more)],
        },
        Stmt::DoWhile { body: vec![Stmt::Expr(more)], condition: again },
        Stmt::Return(None),
    ];
    let function = b.function("P.work", 4, &["n"], body);
    let seven = b.int(7);
    let call = b.expr(ExprKind::Call { function, arguments: vec![Argument::Value(seven)] });
    let other = b.variable("b", &[0, 0]);
    let copy = b.expr(ExprKind::Copy { target: cell(a, 0), source: cell(other, 0), count: 2 });
    let double =
        b.expr(ExprKind::Assign { op: AssignOp::With(BinaryOp::Multiply), target: cell(i, 0), value: seven });
    let both = b.expr(ExprKind::Sequence(vec![copy, double]));
    b.edge(0, Action::Internal).updates = vec![call, both];
    let expected = "edge:P_1_2:idle:idle:tau{do: local $1_0; local $1_1[2]; local $1_3; $1_0 = 7; \
                    $1_3 = 0; while $1_3 <= 1 do $1_1[$1_3] = $1_0; $1_3 = $1_3 + 1 end; \
                    if $1_0 then a[$1_3] = $1_1[$1_3] else if $1_0 < $1_3 then nop else i = i + 1 end end; \
                    i = i + 1; while $1_0 < $1_3 do i = i + 1 end; \
                    a[0] = b[0]; a[1] = b[1]; i = i * 7}";
    assert_eq!(b.lines("edge"), [expected]);
}

#[test]
fn the_rest_is_refused_by_name() {
    let mut b = Builder::new();
    let i = b.variable("i", &[0]);
    let a = b.variable("a", &[1, 2]);
    let x = b.clock("x");
    b.0.cells[CellId::from_index(0)].kind = CellKind::Meta;
    let c = b.channel("c", ChannelKind::Binary);
    b.0.channels[c].urgent = true;
    b.0.channels[c].priority = 2;
    b.0.internal_priority = 1;
    let q = ProcessId::from_index(1);
    b.0.processes[q].priority = 1;
    let [i, one] = [b.load(cell(i, 0)), b.int(1)];
    let rate = Rate { clock: x.clone(), rate: i };
    b.0.processes[q].locations[LocationId::from_index(0)].rates.push(rate);
    b.0.after_update.push(one);
    let element = b.load(element(a, 2, i));
    let bits = b.binary(BinaryOp::BitAnd, i, one);
    let atom =
        b.expr(ExprKind::Clock(ClockAtom { left: x, right: None, compare: Compare::Less, bound: one }));
    let or = b.binary(BinaryOp::Or, atom, i);
    let at = b.expr(ExprKind::AtLocation(q, LocationId::from_index(0)));
    let effect = b.expr(ExprKind::PostIncrement { target: cell(a, 0), delta: 1 });
    for condition in [element, bits, or, at, effect] {
        b.edge(0, Action::Internal).guard.conditions.push(condition);
    }
    let early = b.function(
        "early",
        0,
        &[],
        vec![Stmt::If { arms: vec![(i, vec![Stmt::Return(None)])], otherwise: vec![] }],
    );
    let call = b.expr(ExprKind::Call { function: early, arguments: Vec::new() });
    b.edge(0, Action::Internal).updates.push(call);
    let edge = b.edge(0, Action::Internal);
    edge.frame = 2;
    edge.selects = vec![select(0, 999), select(1, 999)];
    let what = |code: &str, place: u32, what: &str| {
        format!("{code} {place}: {what} cannot be written in this language")
    };
    let expected = [
        what("T0901", 3, "the meta variable `i`"),
        what("T0901", 1, "the priority of the process `Q`"),
        what("T0901", 5, "the priority of the channel `c`"),
        what("T0901", 5, "the urgent channel `c`"),
        what("T0901", 0, "the priority of steps without a channel"),
        what("T0901", 2, "what is done after the updates of every step"),
        what(
            "T0901",
            2,
            "an index into the array of `a_0`, whose elements differ in range or initial value,",
        ),
        what("T0901", 2, "an operation on bits"),
        what("T0901", 2, "a comparison of clocks that is part of a larger condition"),
        what("T0901", 2, "a condition on the location of a process"),
        what("T0901", 2, "an assignment inside an expression"),
        what("T0901", 7, "a `return` inside of `early`"),
        "T0902 6: this edge would bring the number of edges beyond 100000".to_owned(),
        what("T0901", 8, "the clock that stands still at `Q.idle`"),
    ];
    assert_eq!(b.refused(), expected);
}

#[test]
fn expressions_that_would_be_too_long_are_refused() {
    let mut b = Builder::new();
    let i = b.variable("i", &[0]);
    let mut least = b.load(cell(i, 0));
    for _ in 0..40 {
        least = b.binary(BinaryOp::Minimum, least, least);
        if b.0.exprs.len() > 12 {
            break;
        }
    }
    for _ in 0..30 {
        least = b.expr(ExprKind::Unary(UnaryOp::Absolute, least));
    }
    b.edge(0, Action::Internal).guard.conditions.push(least);
    assert_eq!(b.refused(), ["T0902 2: this expression would take more than 1000000 characters"]);
}
