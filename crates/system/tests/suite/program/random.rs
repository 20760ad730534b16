//! Random models: every kind of expression and statement, on cells of every kind, written straight into the
//! arena.
//!
//! What is made is well-typed but not well-behaved: indices leave their arrays, sums leave their ranges,
//! functions end without a value. Only what would make the comparison pointless is avoided: constants are
//! not written, the counters of loops are not touched by their bodies, and the local cell of a quantifier is
//! not read outside it. Every expression has a span of its own, so that errors are told apart.

use tourbillon_base::{Id, Random, SourceId, Span};
use tourbillon_model::*;

/// A run of cells that expressions can name.
#[derive(Clone, Copy)]
struct Var {
    root: Root<CellId>,
    size: u32,
    /// The index of its first cell.
    low: i32,
    range: Range,
    writable: bool,
}

/// What an expression may use.
#[derive(Clone, Default)]
struct Scope {
    vars: Vec<Var>,
    /// References to this many clocks.
    clock_references: Vec<u32>,
    /// How many local cells are taken.
    frame: u32,
    /// How many functions can be called.
    functions: usize,
    /// A local run of three cells for what functions return.
    results: Option<u32>,
    /// Whether cells and clocks may be changed.
    effects: bool,
    /// Whether anything but constants and local cells may be used.
    global: bool,
    /// Whether this is the body of a function.
    in_function: bool,
}

/// How many local cells expressions at the top have before those of quantifiers.
pub(crate) const TOP_LOCALS: u32 = 8;

pub(crate) struct Generator {
    pub(crate) model: Model,
    random: Random,
    globals: Vec<Var>,
    /// For each function, whether a reference to a constant can be passed.
    reads_only: Vec<bool>,
}

pub(crate) fn range(min: i32, max: i32) -> Range {
    Range { min, max }
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        let mut model = Model::new("random", Language::Uppaal);
        // Results past 32 bits wrap in every other model.
        model.overflow = if seed.is_multiple_of(2) { Overflow::Error } else { Overflow::Wrap };
        let mut this =
            Self { model, random: Random::from_seed(seed), globals: Vec::new(), reads_only: Vec::new() };
        this.declare();
        for _ in 0..6 {
            this.function();
        }
        this
    }

    fn declare(&mut self) {
        use CellKind::{Constant, Meta, State};
        let all = [
            (State, 1, 0, range(-5, 10)),
            (Constant, 1, 0, range(0, 3)),
            (State, 4, -1, range(0, 7)),
            (Meta, 1, 0, range(0, 9)),
            (State, 1, 0, Range::BOOL),
            (Constant, 4, 0, range(-2, 5)),
            (Meta, 3, 1, range(-3, 3)),
            (State, 6, 0, range(-3, 3)),
            (State, 1, 0, Range::INT32),
            (State, 1, 0, range(0, 2)),
        ];
        for (kind, size, low, range) in all {
            let first = CellId::from_index(self.model.cells.len());
            for index in 0..size {
                let initial = self.random.within(range.min..=range.max);
                self.model.cells.push(Cell { name: format!("c{index}"), range, initial, kind });
            }
            let root = Root::Global(first);
            self.globals.push(Var { root, size, low, range, writable: kind != Constant });
        }
        let span = self.span();
        for index in 0..4 {
            self.model.clocks.push(Clock { name: format!("x{index}"), initial: 0, span });
            let (name, kind) = (format!("ch{index}"), ChannelKind::Binary);
            self.model.channels.push(Channel { name, kind, urgent: false, priority: 0, span });
        }
        for index in 0..2 {
            self.process(index, span);
        }
    }

    fn process(&mut self, index: usize, span: Span) {
        let location = |index: usize| Location {
            name: format!("L{index}"),
            kind: LocationKind::Normal,
            invariant: Guard::default(),
            rates: Vec::new(),
            labels: Vec::new(),
            frame: 0,
            span,
        };
        self.model.processes.push(Process {
            name: format!("P{index}"),
            template: "P".to_owned(),
            scalars: Vec::new(),
            priority: 0,
            locations: (0..3).map(location).collect(),
            initial: LocationId::from_index(index),
            edges: Vec::new(),
            span,
        });
    }

    /// A span that no expression has yet.
    fn span(&self) -> Span {
        let at = self.model.exprs.len() as u32;
        Span::new(SourceId::from_index(0), at, at + 1)
    }

    pub(crate) fn add(&mut self, kind: ExprKind) -> ExprId {
        let span = self.span();
        self.model.exprs.push(Expr { kind, span })
    }

    fn top(&self, effects: bool) -> Scope {
        let mut scope = Scope {
            vars: self.globals.clone(),
            functions: self.model.functions.len(),
            frame: TOP_LOCALS,
            effects,
            global: true,
            results: Some(5),
            ..Scope::default()
        };
        scope.vars.push(local(0, 1, range(-4, 4)));
        scope.vars.push(local(1, 4, range(0, 3)));
        scope.vars.push(local(5, 3, range(-9, 9)));
        scope
    }

    /// An expression, and how many local cells it needs.
    pub(crate) fn expression(&mut self, effects: bool, depth: u32) -> (ExprId, u32) {
        let mut scope = self.top(effects);
        let expr = self.expr(&mut scope, depth);
        (expr, scope.frame)
    }

    /// A clock, and how many local cells its indices need.
    pub(crate) fn clock(&mut self) -> (ClockPlace, u32) {
        let mut scope = self.top(false);
        (self.clock_place(&mut scope, 2), scope.frame)
    }

    pub(crate) fn channel(&mut self) -> (ChannelPlace, u32) {
        let mut scope = self.top(false);
        let indices = self.steps(&mut scope, 2, &[(range(-1, 0), 2), (range(0, 1), 1)]);
        (ChannelPlace { first: ChannelId::from_index(0), indices }, scope.frame)
    }

    pub(crate) fn values(&mut self, range: Range, count: usize) -> Vec<i32> {
        (0..count).map(|_| self.random.within(range.min..=range.max)).collect()
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    fn expr(&mut self, scope: &mut Scope, depth: u32) -> ExprId {
        let is_leaf = depth == 0 || self.random.one_in(4);
        let kind = if is_leaf { self.leaf(scope) } else { self.inner(scope, depth - 1) };
        self.add(kind)
    }

    fn leaf(&mut self, scope: &mut Scope) -> ExprKind {
        match self.random.below(8) {
            0 | 1 => ExprKind::Int(self.number()),
            2 if scope.global => ExprKind::AtLocation(
                ProcessId::from_index(self.random.below(2)),
                LocationId::from_index(self.random.below(3)),
            ),
            _ => ExprKind::Load(self.place(scope, 1, false, 0)),
        }
    }

    fn number(&mut self) -> i32 {
        match self.random.below(12) {
            0 => i32::MAX,
            1 => i32::MIN,
            2 => self.random.within(-40_000..=40_000),
            _ => self.random.within(-3..=6),
        }
    }

    fn inner(&mut self, scope: &mut Scope, depth: u32) -> ExprKind {
        if scope.effects && self.random.one_in(3) {
            return self.effect(scope, depth);
        }
        match self.random.below(16) {
            0 => self.leaf(scope),
            1 => ExprKind::Load(self.place(scope, 1, false, depth)),
            2 | 3 => {
                let op = [UnaryOp::Negate, UnaryOp::Not, UnaryOp::Absolute, UnaryOp::Truth];
                ExprKind::Unary(op[self.random.below(4)], self.expr(scope, depth))
            }
            4..=9 => {
                let op = self.binary_op();
                let left = self.expr(scope, depth);
                ExprKind::Binary(op, left, self.expr(scope, depth))
            }
            10 => {
                let (condition, yes) = (self.expr(scope, depth), self.expr(scope, depth));
                ExprKind::Conditional(condition, yes, self.expr(scope, depth))
            }
            11 | 12 => self.quantifier(scope, depth),
            13 => {
                let count = 1 + self.random.below(3) as u32;
                let left = self.place(scope, count, false, depth);
                ExprKind::SameCells { left, right: self.place(scope, count, false, depth), count }
            }
            _ => self.call(scope, depth),
        }
    }

    fn effect(&mut self, scope: &mut Scope, depth: u32) -> ExprKind {
        match self.random.below(10) {
            0..=3 => {
                let op = match self.random.below(3) {
                    0 => AssignOp::Set,
                    1 => AssignOp::With(BinaryOp::Add),
                    _ => AssignOp::With(self.binary_op()),
                };
                let target = self.place(scope, 1, true, depth);
                ExprKind::Assign { op, target, value: self.expr(scope, depth) }
            }
            4 => {
                let delta = if self.random.one_in(2) { 1 } else { -1 };
                ExprKind::PostIncrement { target: self.place(scope, 1, true, depth), delta }
            }
            5 => {
                let count = 1 + self.random.below(3) as u32;
                let target = self.place(scope, count, true, depth);
                ExprKind::Copy { target, source: self.place(scope, count, false, depth), count }
            }
            6 | 7 if scope.global => {
                let target = self.clock_place(scope, depth);
                let source = self.random.one_in(3).then(|| self.clock_place(scope, depth));
                ExprKind::SetClock { target, source, value: self.expr(scope, depth) }
            }
            8 => {
                let parts = (0..1 + self.random.below(3)).map(|_| self.expr(scope, depth)).collect();
                ExprKind::Sequence(parts)
            }
            _ => self.call_into(scope, depth),
        }
    }

    fn binary_op(&mut self) -> BinaryOp {
        use BinaryOp::*;
        let all = [
            Add,
            Add,
            Subtract,
            Subtract,
            Multiply,
            Divide,
            Remainder,
            ShiftLeft,
            ShiftRight,
            BitAnd,
            BitOr,
            BitXor,
            Minimum,
            Maximum,
            Less,
            Less,
            LessOrEqual,
            LessOrEqual,
            Equal,
            Equal,
            NotEqual,
            NotEqual,
            And,
            And,
            Or,
            Or,
        ];
        all[self.random.below(all.len())]
    }

    fn quantifier(&mut self, scope: &mut Scope, depth: u32) -> ExprKind {
        let local = scope.frame;
        scope.frame += 1;
        let min = self.random.within(-1..=2);
        let range = range(min, min + self.random.within(0..=3));
        scope.vars.push(Var { writable: false, ..self::local(local, 1, range) });
        let body = self.expr(scope, depth);
        scope.vars.pop();
        let op = [QuantifierOp::ForAll, QuantifierOp::Exists, QuantifierOp::Sum][self.random.below(3)];
        ExprKind::Quantifier { op, local, range, body }
    }

    fn call(&mut self, scope: &mut Scope, depth: u32) -> ExprKind {
        match self.callee(scope) {
            Some(function) => ExprKind::Call { function, arguments: self.arguments(scope, function, depth) },
            None => self.leaf(scope),
        }
    }

    fn call_into(&mut self, scope: &mut Scope, depth: u32) -> ExprKind {
        match (self.callee(scope), scope.results) {
            (Some(function), Some(local)) => {
                let arguments = self.arguments(scope, function, depth);
                ExprKind::CallInto { function, arguments, local }
            }
            _ => self.leaf(scope),
        }
    }

    /// A function that may be called: a pure one where nothing may be changed.
    fn callee(&mut self, scope: &Scope) -> Option<FunctionId> {
        let functions = self.model.functions.ids().take(scope.functions);
        let allowed = |id: &FunctionId| {
            (scope.effects && scope.global)
                || (self.model.functions[*id].is_pure && self.reads_only[id.index()])
        };
        let callable: Vec<FunctionId> = functions.filter(allowed).collect();
        self.random.pick(&callable).copied()
    }

    fn arguments(&mut self, scope: &mut Scope, function: FunctionId, depth: u32) -> Vec<Argument> {
        let parameters = self.model.functions[function].parameters.clone();
        let changes = !self.reads_only[function.index()];
        let argument = |parameter: &Parameter| {
            let size = parameter.ty.size() as u32;
            match (&parameter.ty, parameter.by_reference) {
                (Type::Clock | Type::Array { .. }, true) if parameter.ty.is_clock() => {
                    Argument::Clock(self.clock_place(scope, depth.min(1)))
                }
                (_, true) => Argument::Reference(self.place(scope, size, changes, depth.min(1))),
                (Type::Array { .. }, false) => Argument::Cells(self.place(scope, size, false, depth.min(1))),
                _ => Argument::Value(self.expr(scope, depth.min(1))),
            }
        };
        parameters.iter().map(argument).collect()
    }

    /// A place with so many cells.
    fn place(&mut self, scope: &mut Scope, count: u32, writable: bool, depth: u32) -> CellPlace {
        let fits = |var: &&Var| var.size >= count && (var.writable || !writable);
        let vars: Vec<Var> = scope.vars.iter().filter(fits).copied().collect();
        // One cell is used more than all others, so that what is read is often what is written close by.
        let favourite = vars.iter().find(|var| var.size == 1 && var.writable && self.random.one_in(2));
        let var = favourite.or(self.random.pick(&vars)).copied().expect("a place for everything");
        let free = var.size - count;
        let (mut indices, mut offset) = (Vec::new(), 0);
        if var.size == 6 && count <= 3 && self.random.one_in(2) {
            let columns = range(1, 4 - count as i32);
            indices = self.steps(scope, depth, &[(range(0, 1), 3), (columns, 1)]);
        } else if free > 0 && self.random.one_in(4) {
            offset = self.random.below(free as usize + 1) as u32;
        } else if free > 0 {
            indices = self.steps(scope, depth, &[(range(var.low, var.low + free as i32), 1)]);
        }
        CellPlace { root: var.root, offset, indices, range: var.range }
    }

    fn clock_place(&mut self, scope: &mut Scope, depth: u32) -> ClockPlace {
        if let Some(&number) = self.random.pick(&scope.clock_references) {
            return ClockPlace { root: Root::Reference(number), offset: 0, indices: Vec::new() };
        }
        let first = self.random.below(3);
        let root = Root::Global(ClockId::from_index(first));
        if self.random.one_in(2) {
            return ClockPlace { root, offset: 1, indices: Vec::new() };
        }
        let last = 3 - first as i32;
        ClockPlace { root, offset: 0, indices: self.steps(scope, depth, &[(range(0, last), 1)]) }
    }

    fn steps(&mut self, scope: &mut Scope, depth: u32, dimensions: &[(Range, u32)]) -> Vec<IndexStep> {
        let step = |&(range, stride): &(Range, u32)| {
            let index = match self.random.below(4) {
                0 => self.add(ExprKind::Int(range.max)),
                1 => self.add(ExprKind::Int(range.min)),
                2 => {
                    // Within the range, whatever it is.
                    let inner = self.expr(scope, depth);
                    let [low, high] = [range.min, range.max].map(|end| self.add(ExprKind::Int(end)));
                    let least = self.add(ExprKind::Binary(BinaryOp::Maximum, inner, low));
                    self.add(ExprKind::Binary(BinaryOp::Minimum, least, high))
                }
                _ => self.expr(scope, depth),
            };
            IndexStep { index, range, stride }
        };
        dimensions.iter().map(step).collect()
    }

    fn function(&mut self) {
        let (is_pure, reads_only) = (self.random.one_in(2), self.random.one_in(2));
        let effects = !is_pure || self.random.one_in(2);
        let mut scope = Scope {
            functions: self.model.functions.len(),
            effects,
            global: !is_pure,
            in_function: true,
            ..Scope::default()
        };
        scope.vars = self.globals.iter().filter(|var| !is_pure || !var.writable).copied().collect();
        let parameters = self.parameters(&mut scope, !reads_only, is_pure);
        let results = scope.frame;
        scope.frame += 7;
        scope.vars.push(local(results, 3, range(-9, 9)));
        scope.vars.push(local(results + 3, 1, range(-100, 100)));
        scope.vars.push(local(results + 4, 3, range(0, 5)));
        scope.results = Some(results);
        let returns = match self.random.below(4) {
            0 => None,
            1 => Some(array(3, range(-9, 9))),
            2 => Some(Type::Bool),
            _ => Some(Type::Int(range(-20, 20))),
        };
        let mut body = self.block(&mut scope, 3, &returns);
        if self.random.below(8) > 0 {
            body.extend(self.ending(&mut scope, &returns));
        }
        let (name, span) = (format!("f{}", self.model.functions.len()), self.span());
        let frame = scope.frame;
        self.reads_only.push(reads_only);
        self.model.functions.push(Function { name, parameters, returns, frame, body, is_pure, span });
    }

    /// Parameters, which the scope is told of. Those by value take the first local cells.
    fn parameters(&mut self, scope: &mut Scope, write_references: bool, is_pure: bool) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        let mut references = 0;
        for index in 0..self.random.below(5) {
            let (ty, by_reference) = match self.random.below(if is_pure { 4 } else { 5 }) {
                0 => (Type::Int(range(-10, 10)), false),
                1 => (array(3, range(-9, 9)), false),
                2 => (Type::Int(range(-10, 10)), true),
                3 => (array(3, range(-9, 9)), true),
                _ => (Type::Clock, true),
            };
            let size = ty.size() as u32;
            let values = range(-9, 9);
            match (by_reference, ty.is_clock()) {
                (true, true) => scope.clock_references.push(references),
                (true, false) => scope.vars.push(Var {
                    root: Root::Reference(references),
                    size,
                    low: 0,
                    range: values,
                    writable: write_references,
                }),
                (false, _) => {
                    scope.vars.push(local(scope.frame, size, values));
                    scope.frame += size;
                }
            }
            references += u32::from(by_reference);
            parameters.push(Parameter { name: format!("p{index}"), ty, by_reference });
        }
        parameters
    }

    fn block(&mut self, scope: &mut Scope, depth: u32, returns: &Option<Type>) -> Block {
        (0..1 + self.random.below(3)).map(|_| self.stmt(scope, depth, returns)).collect()
    }

    fn stmt(&mut self, scope: &mut Scope, depth: u32, returns: &Option<Type>) -> Stmt {
        let choice = self.random.below(if depth == 0 { 4 } else { 10 });
        match choice {
            0..=2 => Stmt::Expr(self.expr(scope, 2)),
            3 if self.random.one_in(4) => {
                let (condition, yes) = (self.expr(scope, 1), self.add(ExprKind::Int(1)));
                Stmt::Assert(self.add(ExprKind::Binary(BinaryOp::Or, condition, yes)))
            }
            3 if self.random.one_in(8) => Stmt::Assert(self.expr(scope, 1)),
            3 => Stmt::Expr(self.expr(scope, 1)),
            4 | 5 => {
                let count = 1 + self.random.below(2);
                let arms = (0..count)
                    .map(|_| (self.expr(scope, 2), self.block(scope, depth - 1, returns)))
                    .collect();
                Stmt::If { arms, otherwise: self.block(scope, depth - 1, returns) }
            }
            6 => {
                let slot = self.reserve(scope);
                let (body, bound) = (self.block(scope, depth - 1, returns), self.random.within(0..=3));
                let condition = self.below_bound(slot, bound);
                let mut step = vec![Stmt::Expr(self.count(slot))];
                if self.random.one_in(4) {
                    step.extend(self.block(scope, 0, returns));
                    step.extend(self.ending(scope, returns));
                }
                Stmt::While { condition, body, step }
            }
            7 => {
                let slot = self.reserve(scope);
                let mut body = vec![Stmt::Expr(self.count(slot))];
                body.extend(self.block(scope, depth - 1, returns));
                let bound = self.random.within(0..=3);
                Stmt::DoWhile { body, condition: self.below_bound(slot, bound) }
            }
            8 => {
                let slot = self.reserve(scope);
                let range = range(-1, self.random.within(-1..=2));
                scope.vars.push(local(slot, 1, Range::INT32));
                let body = self.block(scope, depth - 1, returns);
                scope.vars.pop();
                Stmt::ForRange { local: slot, range, body }
            }
            _ if self.random.one_in(3) => self.ending(scope, returns).remove(0),
            _ => Stmt::Expr(self.expr(scope, 3)),
        }
    }

    /// A return, mostly of what the function should return.
    fn ending(&mut self, scope: &mut Scope, returns: &Option<Type>) -> Block {
        let cells = matches!(returns, Some(Type::Array { .. }));
        let stmt = match self.random.below(12) {
            0 => Stmt::Return(None),
            1 => Stmt::Return(Some(self.expr(scope, 1))),
            2 if cells => Stmt::ReturnCells { place: self.place(scope, 1, false, 1), count: 1 },
            _ if cells => Stmt::ReturnCells { place: self.place(scope, 3, false, 1), count: 3 },
            _ if returns.is_none() => Stmt::Return(None),
            _ => Stmt::Return(Some(self.expr(scope, 1))),
        };
        vec![stmt]
    }

    fn reserve(&mut self, scope: &mut Scope) -> u32 {
        assert!(scope.in_function);
        scope.frame += 1;
        scope.frame - 1
    }

    fn count(&mut self, slot: u32) -> ExprId {
        self.add(ExprKind::PostIncrement { target: CellPlace::local(slot, Range::INT32), delta: 1 })
    }

    fn below_bound(&mut self, slot: u32, bound: i32) -> ExprId {
        let counter = self.add(ExprKind::Load(CellPlace::local(slot, Range::INT32)));
        let bound = self.add(ExprKind::Int(bound));
        self.add(ExprKind::Binary(BinaryOp::Less, counter, bound))
    }
}

fn local(slot: u32, size: u32, range: Range) -> Var {
    Var { root: Root::Local(slot), size, low: 0, range, writable: true }
}

fn array(size: i32, range: Range) -> Type {
    Type::Array { index: self::range(0, size - 1), element: Box::new(Type::Int(range)) }
}
