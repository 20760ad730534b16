//! Where an order is visible: loops, quantifiers, and updates that are executed in system order.
//!
//! An automorphism may change the order in which the elements of a loop are visited, in which a quantifier is evaluated, and
//! in which the receivers of a broadcast execute their updates. That is allowed where the order cannot be observed. The
//! tests here are sufficient, not necessary: what they reject is not used.

use std::collections::{BTreeMap, BTreeSet};

use tourbillon_base::Id;
use tourbillon_model::{
    Action, Argument, AssignOp, BinaryOp, Block, CellPlace, ChannelKind, ClockPlace, ExprId, ExprKind,
    FunctionId, IndexStep, Model, Overflow, QuantifierOp, Range, Root, Stmt, SyncVector, UnaryOp,
};

// ---- expressions that cannot fail --------------------------------------------------------------------------------------

/// Whether an expression has a value in every state, and changes nothing.
pub(crate) fn cannot_fail(model: &Model, expr: ExprId) -> bool {
    interval(model, expr).is_some()
}

/// An interval that the value of an expression lies in; nothing if its evaluation may fail or change something.
fn interval(model: &Model, expr: ExprId) -> Option<(i64, i64)> {
    const TRUTH: Option<(i64, i64)> = Some((0, 1));
    match &model.exprs[expr].kind {
        &ExprKind::Int(value) => Some((value.into(), value.into())),
        ExprKind::Load(place) => {
            indices_are_in_range(model, &place.indices)?;
            let range = values(place);
            Some((range.min.into(), range.max.into()))
        }
        ExprKind::AtLocation(..) | ExprKind::Deadlock => TRUTH,
        &ExprKind::Unary(op, operand) => {
            let (min, max) = interval(model, operand)?;
            match op {
                UnaryOp::Not | UnaryOp::Truth => TRUTH,
                UnaryOp::Negate => in_32_bits((-max, -min)),
                UnaryOp::Absolute => in_32_bits((0, min.abs().max(max.abs()))),
            }
        }
        &ExprKind::Binary(op, left, right) => binary(op, interval(model, left)?, interval(model, right)?),
        &ExprKind::Conditional(condition, yes, no) => {
            interval(model, condition)?;
            let (yes, no) = (interval(model, yes)?, interval(model, no)?);
            Some((yes.0.min(no.0), yes.1.max(no.1)))
        }
        &ExprKind::Quantifier { op, range, body, .. } => {
            let (min, max) = interval(model, body)?;
            match op {
                QuantifierOp::ForAll | QuantifierOp::Exists => TRUTH,
                QuantifierOp::Sum => {
                    let count = i64::try_from(range.len()).ok()?;
                    in_32_bits((min.min(0).checked_mul(count)?, max.max(0).checked_mul(count)?))
                }
            }
        }
        ExprKind::SameCells { left, right, .. } => {
            indices_are_in_range(model, &left.indices)?;
            indices_are_in_range(model, &right.indices)?;
            TRUTH
        }
        ExprKind::Clock(atom) => {
            indices_are_in_range(model, &atom.left.indices)?;
            atom.right.iter().try_for_each(|right| indices_are_in_range(model, &right.indices))?;
            interval(model, atom.bound)?;
            TRUTH
        }
        ExprKind::Call { .. }
        | ExprKind::CallInto { .. }
        | ExprKind::Assign { .. }
        | ExprKind::PostIncrement { .. }
        | ExprKind::Copy { .. }
        | ExprKind::SetClock { .. }
        | ExprKind::Sequence(_) => None,
    }
}

/// The values that a cell can have. What is passed by reference may have a wider range than the parameter.
fn values(place: &CellPlace) -> Range {
    if matches!(place.root, Root::Reference(_)) { Range::INT32 } else { place.range }
}

fn indices_are_in_range(model: &Model, indices: &[IndexStep]) -> Option<()> {
    indices.iter().try_for_each(|step| {
        let (min, max) = interval(model, step.index)?;
        (i64::from(step.range.min) <= min && max <= i64::from(step.range.max)).then_some(())
    })
}

fn in_32_bits((min, max): (i64, i64)) -> Option<(i64, i64)> {
    (i64::from(i32::MIN) <= min && max <= i64::from(i32::MAX)).then_some((min, max))
}

fn binary(op: BinaryOp, (a, b): (i64, i64), (c, d): (i64, i64)) -> Option<(i64, i64)> {
    match op {
        BinaryOp::Add => in_32_bits((a + c, b + d)),
        BinaryOp::Subtract => in_32_bits((a - d, b - c)),
        BinaryOp::Multiply => {
            let products = [a * c, a * d, b * c, b * d];
            in_32_bits((products.into_iter().min()?, products.into_iter().max()?))
        }
        BinaryOp::Minimum => Some((a.min(c), b.min(d))),
        BinaryOp::Maximum => Some((a.max(c), b.max(d))),
        BinaryOp::Less
        | BinaryOp::LessOrEqual
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::And
        | BinaryOp::Or => Some((0, 1)),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => Some((i32::MIN.into(), i32::MAX.into())),
        BinaryOp::Divide | BinaryOp::Remainder | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => None,
    }
}

// ---- what expressions read and write -------------------------------------------------------------------------------------

/// How a cell or clock is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Write {
    Set,
    /// By an operation that commutes with itself, also in whether it leaves the range: only upwards, or only downwards.
    Raise,
    Lower,
    SetBits,
    ClearBits,
}

/// The cells, and after them the clocks, that some expressions read and write.
#[derive(Clone, Default, Debug)]
struct Accesses {
    reads: BTreeSet<usize>,
    writes: BTreeMap<usize, Write>,
}

impl Accesses {
    fn write(&mut self, thing: usize, write: Write) {
        let known = self.writes.entry(thing).or_insert(write);
        if *known != write {
            *known = Write::Set;
        }
    }

    fn include(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        other.writes.iter().for_each(|(&thing, &write)| self.write(thing, write));
    }

    /// Whether the expressions have the same effect in both orders.
    fn commutes_with(&self, other: &Self) -> bool {
        let apart = |one: &Self, other: &Self| {
            one.writes.iter().all(|(thing, write)| {
                !other.reads.contains(thing)
                    && other.writes.get(thing).is_none_or(|own| own == write && *write != Write::Set)
            })
        };
        apart(self, other) && apart(other, self)
    }
}

/// What the updates of edges that may be executed together read and write.
#[derive(Debug)]
pub(crate) struct Effects {
    /// For each edge that receives a broadcast: its process, the channels, and its accesses.
    receivers: Vec<(usize, BTreeSet<usize>, Accesses)>,
    /// The accesses of the edges with an event, by process and event.
    events: BTreeMap<(usize, usize), Accesses>,
}

impl Effects {
    pub(crate) fn of(model: &Model) -> Self {
        let mut collector = Collector { model, functions: Vec::new() };
        for function in model.functions.ids() {
            let accesses = collector.function(function);
            collector.functions.push(accesses);
        }
        let mut effects = Self { receivers: Vec::new(), events: BTreeMap::new() };
        for (id, process) in model.processes.enumerate() {
            for edge in &process.edges {
                match &edge.action {
                    Action::Receive(place) if model.channels[place.first].kind == ChannelKind::Broadcast => {
                        let channels = elements(place.first.index(), &place.indices).into_iter().collect();
                        effects.receivers.push((id.index(), channels, collector.updates(&edge.updates)));
                    }
                    Action::Event(event) => {
                        let accesses = collector.updates(&edge.updates);
                        effects.events.entry((id.index(), event.index())).or_default().include(&accesses);
                    }
                    _ => {}
                }
            }
        }
        effects
    }
}

/// Whether receivers of one broadcast whose order a permutation of processes reverses commute.
pub(crate) fn updates_commute(effects: &Effects, images: &[usize]) -> bool {
    let receivers = &effects.receivers;
    receivers.iter().all(|(p, channels, accesses)| {
        let reversed = receivers.iter().filter(|(q, _, _)| p < q && images[*p] > images[*q]);
        reversed
            .into_iter()
            .all(|(_, others, other)| channels.is_disjoint(others) || accesses.commutes_with(other))
    })
}

/// Whether the participants of a vector commute, each two of them.
pub(crate) fn participants_commute(effects: &Effects, vector: &SyncVector) -> bool {
    let accesses: Vec<&Accesses> = vector
        .participants
        .iter()
        .filter_map(|part| effects.events.get(&(part.process.index(), part.event.index())))
        .collect();
    accesses
        .iter()
        .enumerate()
        .all(|(index, one)| accesses[index + 1..].iter().all(|other| one.commutes_with(other)))
}

/// Collects accesses. Local cells are not observed outside of an evaluation, and are left out.
struct Collector<'m> {
    model: &'m Model,
    /// The accesses of each function that has been visited.
    functions: Vec<Accesses>,
}

impl Collector<'_> {
    fn updates(&self, updates: &[ExprId]) -> Accesses {
        let mut accesses = Accesses::default();
        updates.iter().for_each(|&update| self.expr(update, false, &mut accesses));
        accesses
    }

    fn function(&self, function: FunctionId) -> Accesses {
        let mut accesses = Accesses::default();
        self.block(&self.model.functions[function].body, &mut accesses);
        accesses
    }

    fn block(&self, block: &Block, accesses: &mut Accesses) {
        for statement in block {
            match statement {
                Stmt::Expr(expr) => self.expr(*expr, false, accesses),
                Stmt::If { arms, otherwise } => {
                    for (condition, block) in arms {
                        self.expr(*condition, true, accesses);
                        self.block(block, accesses);
                    }
                    self.block(otherwise, accesses);
                }
                Stmt::While { condition, body, step } => {
                    self.expr(*condition, true, accesses);
                    self.block(body, accesses);
                    self.block(step, accesses);
                }
                Stmt::DoWhile { body, condition } => {
                    self.block(body, accesses);
                    self.expr(*condition, true, accesses);
                }
                Stmt::ForRange { body, .. } => self.block(body, accesses),
                Stmt::Return(expr) => expr.iter().for_each(|&expr| self.expr(expr, true, accesses)),
                Stmt::ReturnCells { place, count } => self.read(place, *count as usize, accesses),
                Stmt::Assert(expr) => self.expr(*expr, true, accesses),
            }
        }
    }

    /// Collects the accesses of an expression, whose value may be used.
    fn expr(&self, expr: ExprId, used: bool, accesses: &mut Accesses) {
        let kind = &self.model.exprs[expr].kind;
        match kind {
            ExprKind::Sequence(parts) => {
                parts.iter().for_each(|&part| self.expr(part, used, accesses));
                return;
            }
            _ => kind.for_each_operand(&mut |operand| self.expr(operand, true, accesses)),
        }
        match kind {
            ExprKind::Load(place) => self.read(place, 1, accesses),
            ExprKind::Assign { op, target, value } => {
                let write = self.assignment(*op, target, *value);
                self.write(target, 1, write, accesses);
                if used || (*op != AssignOp::Set && write == Write::Set) {
                    self.read(target, 1, accesses);
                }
            }
            ExprKind::PostIncrement { target, delta } => {
                let write = self.addition(target, ((*delta).into(), (*delta).into()));
                self.write(target, 1, write, accesses);
                if used || write == Write::Set {
                    self.read(target, 1, accesses);
                }
            }
            ExprKind::Copy { target, source, count } => {
                self.read(source, *count as usize, accesses);
                self.write(target, *count as usize, Write::Set, accesses);
            }
            ExprKind::SameCells { left, right, count } => {
                self.read(left, *count as usize, accesses);
                self.read(right, *count as usize, accesses);
            }
            ExprKind::Clock(atom) => {
                let clocks = std::iter::once(&atom.left).chain(&atom.right);
                clocks.for_each(|clock| accesses.reads.extend(self.clocks(clock)));
            }
            ExprKind::SetClock { target, source, .. } => {
                self.clocks(target).into_iter().for_each(|clock| accesses.write(clock, Write::Set));
                source.iter().for_each(|clock| accesses.reads.extend(self.clocks(clock)));
            }
            ExprKind::Call { function, arguments } | ExprKind::CallInto { function, arguments, .. } => {
                self.call(*function, arguments, accesses);
            }
            _ => {}
        }
    }

    /// A call has the accesses of the function, and may read and write all that it is passed.
    fn call(&self, function: FunctionId, arguments: &[Argument], accesses: &mut Accesses) {
        accesses.include(&self.functions[function.index()]);
        for (parameter, argument) in self.model.functions[function].parameters.iter().zip(arguments) {
            let size = parameter.ty.size() as usize;
            match argument {
                Argument::Value(_) => {}
                Argument::Cells(place) => self.read(place, size, accesses),
                Argument::Reference(place) => {
                    self.read(place, size, accesses);
                    self.write(place, size, Write::Set, accesses);
                }
                Argument::Clock(place) => {
                    for clock in self.clocks(place) {
                        for further in 0..size {
                            accesses.reads.insert(clock + further);
                            accesses.write(clock + further, Write::Set);
                        }
                    }
                }
            }
        }
    }

    /// How an assignment writes its target.
    fn assignment(&self, op: AssignOp, target: &CellPlace, value: ExprId) -> Write {
        let (AssignOp::With(op), Some(value)) = (op, interval(self.model, value)) else { return Write::Set };
        match op {
            BinaryOp::Add => self.addition(target, value),
            BinaryOp::Subtract => self.addition(target, (-value.1, -value.0)),
            // Of numbers that are not negative, more bits are larger, and fewer are smaller.
            BinaryOp::BitOr if value.0 >= 0 && values(target).min >= 0 => Write::SetBits,
            BinaryOp::BitAnd if value.0 >= 0 && values(target).min >= 0 => Write::ClearBits,
            _ => Write::Set,
        }
    }

    /// How a number that lies in an interval is added. Results that wrap are not ordered.
    fn addition(&self, target: &CellPlace, (min, max): (i64, i64)) -> Write {
        let range = values(target);
        let sums = (i64::from(range.min) + min, i64::from(range.max) + max);
        match () {
            () if self.model.overflow == Overflow::Wrap && in_32_bits(sums).is_none() => Write::Set,
            () if min >= 0 => Write::Raise,
            () if max <= 0 => Write::Lower,
            () => Write::Set,
        }
    }

    fn read(&self, place: &CellPlace, count: usize, accesses: &mut Accesses) {
        for cell in cells(place) {
            accesses.reads.extend(cell..cell + count);
        }
    }

    fn write(&self, place: &CellPlace, count: usize, write: Write, accesses: &mut Accesses) {
        for cell in cells(place) {
            (cell..cell + count).for_each(|cell| accesses.write(cell, write));
        }
    }

    /// The clocks that a place can be, after the cells.
    fn clocks(&self, place: &ClockPlace) -> Vec<usize> {
        match place.root {
            Root::Global(clock) => {
                let first = self.model.cells.len() + clock.index() + place.offset as usize;
                elements(first, &place.indices)
            }
            _ => Vec::new(),
        }
    }
}

/// The cells of the model that a place can be.
fn cells(place: &CellPlace) -> Vec<usize> {
    match place.root {
        Root::Global(cell) => elements(cell.index() + place.offset as usize, &place.indices),
        _ => Vec::new(),
    }
}

/// Everything that indices can lead to.
fn elements(first: usize, indices: &[IndexStep]) -> Vec<usize> {
    indices.iter().fold(vec![first], |firsts, step| {
        let further =
            |first: usize| (0..step.range.len() as usize).map(move |i| first + i * step.stride as usize);
        firsts.into_iter().flat_map(further).collect()
    })
}

// ---- loops ---------------------------------------------------------------------------------------------------------------

/// Whether the rounds of a loop over a range can be executed in any order: each writes only elements of its own, or
/// accumulates by an operation that commutes, and none reads what another writes.
pub(crate) fn iterations_commute(model: &Model, local: u32, body: &Block) -> bool {
    let mut rounds = Rounds { model, variables: vec![local], accesses: Vec::new(), simple: true };
    rounds.block(body);
    let accesses = &rounds.accesses;
    rounds.simple
        && accesses.iter().filter(|access| access.write.is_some()).all(|one| {
            accesses
                .iter()
                .all(|other| one.own_element(other) || one.accumulates_with(other) || !one.meets(other))
        })
}

/// An access of a round.
#[derive(Debug)]
struct Access {
    /// Whether it is to a local cell, a cell, or a clock.
    space: u8,
    place: (usize, Vec<(usize, u64)>),
    elements: BTreeSet<usize>,
    /// The position of the index that is the variable of the loop.
    by_variable: Option<usize>,
    write: Option<Write>,
}

impl Access {
    fn meets(&self, other: &Self) -> bool {
        self.space == other.space && !self.elements.is_disjoint(&other.elements)
    }

    /// Whether different rounds access different elements.
    fn own_element(&self, other: &Self) -> bool {
        self.by_variable.is_some()
            && self.by_variable == other.by_variable
            && (self.space, &self.place) == (other.space, &other.place)
    }

    fn accumulates_with(&self, other: &Self) -> bool {
        self.write.is_some_and(|write| write != Write::Set) && self.write == other.write
    }
}

struct Rounds<'m> {
    model: &'m Model,
    /// The variable of the loop, and those of loops and quantifiers within it.
    variables: Vec<u32>,
    accesses: Vec<Access>,
    /// Whether there is nothing but what is analysed here.
    simple: bool,
}

impl Rounds<'_> {
    fn block(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Stmt::Expr(expr) => self.expr(*expr, false),
                Stmt::If { arms, otherwise } => {
                    for (condition, block) in arms {
                        self.expr(*condition, true);
                        self.block(block);
                    }
                    self.block(otherwise);
                }
                Stmt::ForRange { local, body, .. } => {
                    self.variables.push(*local);
                    self.block(body);
                    self.variables.pop();
                }
                _ => self.simple = false,
            }
        }
    }

    fn expr(&mut self, expr: ExprId, used: bool) {
        let kind = &self.model.exprs[expr].kind;
        match kind {
            ExprKind::Load(place) => self.cell(place, None),
            ExprKind::Assign { op, target, value } => {
                let collector = Collector { model: self.model, functions: Vec::new() };
                let write = collector.assignment(*op, target, *value);
                self.cell(target, Some(write));
                if used || (*op != AssignOp::Set && write == Write::Set) {
                    self.cell(target, None);
                }
            }
            ExprKind::PostIncrement { target, delta } => {
                let collector = Collector { model: self.model, functions: Vec::new() };
                let write = collector.addition(target, ((*delta).into(), (*delta).into()));
                self.cell(target, Some(write));
                if used || write == Write::Set {
                    self.cell(target, None);
                }
            }
            ExprKind::SetClock { target, source: None, .. } => self.clock(target, Some(Write::Set)),
            ExprKind::Clock(atom) => {
                self.clock(&atom.left, None);
                atom.right.iter().for_each(|right| self.clock(right, None));
            }
            ExprKind::Call { function, arguments } => {
                let values = arguments.iter().all(|argument| matches!(argument, Argument::Value(_)));
                self.simple &= values && self.model.functions[*function].is_pure;
            }
            &ExprKind::Quantifier { local, body, .. } => {
                self.variables.push(local);
                self.expr(body, true);
                self.variables.pop();
                return;
            }
            ExprKind::Int(_)
            | ExprKind::AtLocation(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..) => {}
            ExprKind::Sequence(parts) => {
                parts.iter().for_each(|&part| self.expr(part, used));
                return;
            }
            _ => self.simple = false,
        }
        let model = self.model;
        model.exprs[expr].kind.for_each_operand(&mut |operand| self.expr(operand, true));
    }

    fn cell(&mut self, place: &CellPlace, write: Option<Write>) {
        match place.root {
            Root::Local(local)
                if place.indices.is_empty() && self.variables.contains(&(local + place.offset)) =>
            {
                self.simple &= write.is_none();
            }
            Root::Local(local) => self.access(0, (local + place.offset) as usize, &place.indices, write),
            Root::Global(cell) => self.access(1, cell.index() + place.offset as usize, &place.indices, write),
            Root::Reference(_) => self.simple = false,
        }
    }

    fn clock(&mut self, place: &ClockPlace, write: Option<Write>) {
        match place.root {
            Root::Global(clock) => {
                self.access(2, clock.index() + place.offset as usize, &place.indices, write);
            }
            _ => self.simple = false,
        }
    }

    fn access(&mut self, space: u8, first: usize, indices: &[IndexStep], write: Option<Write>) {
        let is_variable = |step: &IndexStep| {
            matches!(&self.model.exprs[step.index].kind, ExprKind::Load(CellPlace { root: Root::Local(local), offset: 0, indices, .. })
                if indices.is_empty() && *local == self.variables[0])
        };
        self.accesses.push(Access {
            space,
            place: (first, indices.iter().map(|step| (step.stride as usize, step.range.len())).collect()),
            elements: elements(first, indices).into_iter().collect(),
            by_variable: indices.iter().position(is_variable),
            write,
        });
    }
}
