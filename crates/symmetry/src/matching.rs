//! Whether a permutation of processes extends to an automorphism.
//!
//! Each process is compared with its image, edge by edge and expression by expression. The comparison derives what the
//! permutation does to cells, clocks, channels, events and values: an expression and its image must have the same form, and
//! where they mention different things, one is mapped to the other. Two different requirements on one thing are a conflict,
//! and the permutation is rejected.
//!
//! What this proves, by induction over expressions: for every state `s`, the image of an expression has in the image of `s`
//! the image of the value that the expression has in `s`. So transitions are mapped to transitions, which is the definition
//! of an automorphism `[EmersonSistla1996]`. Each rule below is a case of the induction.
//!
//! An access `a[i]` requires that the cell at each `i` is mapped to the cell at the image of `i`. Which image that is, is
//! known only when all literals were seen: such requirements are collected, and tested at the end ([`Matching::finish`]).

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tourbillon_base::Id;
use tourbillon_model::{
    Action, Argument, AssignOp, BinaryOp, Block, CellId, CellKind, CellPlace, ChannelId, ChannelPlace,
    ClockAtom, ClockPlace, Edge, ExprId, ExprKind, FunctionId, Guard, IndexStep, LocationId, Model,
    ProcessId, Range, Root, Stmt, SyncVector,
};

use crate::automorphism::Automorphism;
use crate::bijection::{Bijection, BijectionMark};
use crate::conflict::{Conflict, Why};
use crate::order::{self, Effects};
use crate::sorts::{Sort, SortId, SortMark, Sorts};

type Outcome<T = ()> = Result<T, Conflict>;

/// The maximum number of elements that one access can reach.
const ELEMENTS_MAX: u64 = 1 << 14;

/// A kind of things that are addressed by indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Cell,
    Clock,
    Channel,
}

/// The addresses that a place can have: a first one, and how far on each index leads.
#[derive(Clone, Debug)]
struct Addresses {
    first: usize,
    steps: Vec<(Range, usize)>,
}

impl Addresses {
    const fn at_first(first: usize) -> Self {
        Self { first, steps: Vec::new() }
    }

    /// Goes on to the element with this index, which is in range.
    fn advance(&mut self, step: &IndexStep, index: i32) {
        self.first += (i64::from(index) - i64::from(step.range.min)) as usize * step.stride as usize;
    }

    fn count(&self) -> u64 {
        self.steps.iter().map(|(range, _)| range.len()).fold(1, u64::saturating_mul)
    }

    /// Calls `visit` with each choice of indices, and the address of it.
    fn for_each<E>(&self, mut visit: impl FnMut(&[i32], usize) -> Result<(), E>) -> Result<(), E> {
        let mut indices: Vec<i32> = self.steps.iter().map(|(range, _)| range.min).collect();
        loop {
            visit(&indices, self.at(&indices))?;
            let mut place = 0;
            loop {
                let Some(&(range, _)) = self.steps.get(place) else { return Ok(()) };
                if indices[place] < range.max {
                    indices[place] += 1;
                    break;
                }
                indices[place] = range.min;
                place += 1;
            }
        }
    }

    fn at(&self, indices: &[i32]) -> usize {
        let further =
            self.steps.iter().zip(indices).map(|(&(range, stride), &index)| {
                (i64::from(index) - i64::from(range.min)) as usize * stride
            });
        self.first + further.sum::<usize>()
    }
}

/// That the thing at each choice of indices is mapped to the one at the image of the choice, and so are those after it.
#[derive(Debug)]
struct AddressRequirement {
    kind: Kind,
    from: Addresses,
    to: Addresses,
    /// The sorts of the indices.
    sorts: Vec<Sort>,
    count: usize,
    /// An index.
    by: ExprId,
}

/// A requirement that is tested when all sorts are known.
#[derive(Clone, Debug)]
enum Requirement {
    Addresses(Rc<AddressRequirement>),
    /// The values of a range are mapped to values of the range.
    Closed(Sort, Range),
    /// The values of a range stay, because an order over them matters.
    Fixed(Sort, Range, Conflict),
}

/// The local cells of an expression, with their positions among the cells of the matching.
#[derive(Clone, Default, Debug)]
struct Frame {
    locals: Vec<usize>,
    /// The first cell of each by-reference parameter.
    references: Vec<usize>,
}

/// A function that was compared with its image.
#[derive(Clone, Debug)]
struct MatchedFunction {
    image: FunctionId,
    frame: Frame,
    /// The sort of what it returns.
    returns: SortId,
}

/// A moment to which a matching can be reset.
#[derive(Debug)]
pub(crate) struct Mark {
    sorts: SortMark,
    processes: BijectionMark,
    cells: BijectionMark,
    clocks: BijectionMark,
    channels: BijectionMark,
    events: BijectionMark,
    cell_sorts: usize,
    requirements: usize,
    called: usize,
}

/// A partial automorphism under construction.
#[derive(Debug)]
pub(crate) struct Matching<'m> {
    model: &'m Model,
    effects: &'m Effects,
    sorts: Sorts,
    processes: Bijection,
    /// Cells of the model, then local cells of the compared expressions and functions.
    cells: Bijection,
    cell_sorts: Vec<SortId>,
    clocks: Bijection,
    channels: Bijection,
    events: Bijection,
    /// For each process that has an image, the images of its edges, and the sorts of their selections.
    edges: Vec<Vec<(u32, Vec<Sort>)>>,
    functions: HashMap<FunctionId, MatchedFunction>,
    /// The functions in the order in which they were compared.
    called: Vec<FunctionId>,
    requirements: Vec<Requirement>,
    frame: Frame,
    chains: &'m Chains<'m>,
    /// What is left of the limit on work.
    pub(crate) work: u64,
}

impl<'m> Matching<'m> {
    pub(crate) fn new(model: &'m Model, effects: &'m Effects, chains: &'m Chains<'m>, work: u64) -> Self {
        let mut sorts = Sorts::default();
        Self {
            cell_sorts: model.cells.iter().map(|_| sorts.fresh()).collect(),
            sorts,
            model,
            effects,
            processes: Bijection::new(model.processes.len()),
            cells: Bijection::new(model.cells.len()),
            clocks: Bijection::new(model.clocks.len()),
            channels: Bijection::new(model.channels.len()),
            events: Bijection::new(model.events.len()),
            edges: vec![Vec::new(); model.processes.len()],
            functions: HashMap::new(),
            called: Vec::new(),
            requirements: Vec::new(),
            frame: Frame::default(),
            chains,
            work,
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            sorts: self.sorts.mark(),
            processes: self.processes.mark(),
            cells: self.cells.mark(),
            clocks: self.clocks.mark(),
            channels: self.channels.mark(),
            events: self.events.mark(),
            cell_sorts: self.cell_sorts.len(),
            requirements: self.requirements.len(),
            called: self.called.len(),
        }
    }

    pub(crate) fn reset(&mut self, mark: &Mark) {
        self.sorts.reset(mark.sorts);
        self.processes.reset(mark.processes);
        self.cells.reset(mark.cells);
        self.clocks.reset(mark.clocks);
        self.channels.reset(mark.channels);
        self.events.reset(mark.events);
        self.cell_sorts.truncate(mark.cell_sorts);
        self.requirements.truncate(mark.requirements);
        for function in self.called.drain(mark.called..) {
            self.functions.remove(&function);
        }
    }

    /// Whether a process has this image, or neither has one yet.
    pub(crate) fn may_map(&self, process: ProcessId, image: ProcessId) -> bool {
        match self.processes.image(process.index()) {
            Some(known) => known == image.index(),
            None => !self.processes.has_preimage(image.index()),
        }
    }

    fn spend(&mut self, work: u64) -> Outcome {
        self.work = self.work.checked_sub(work).ok_or(Conflict::new(Why::TooLarge))?;
        Ok(())
    }

    /// Two values of some cells that are exchanged.
    pub(crate) fn exchange_values(&mut self, cells: &[CellId], one: i32, other: i32) -> Outcome {
        for cell in cells {
            let sort = self.cell_sorts[cell.index()];
            self.sorts.bind(sort, one, other, ExprId::from_index(0))?;
            self.sorts.bind(sort, other, one, ExprId::from_index(0))?;
        }
        Ok(())
    }

    /// Derives images of processes and events from those of their partners: where a participant of a vector of two is mapped
    /// to one that takes part in a single vector, so is the other.
    pub(crate) fn partners(&mut self) -> Outcome {
        let mut vectors: HashMap<(usize, usize), Vec<&SyncVector>> = HashMap::new();
        for vector in self.model.vectors.iter().filter(|vector| vector.participants.len() == 2) {
            for part in &vector.participants {
                vectors.entry((part.process.index(), part.event.index())).or_default().push(vector);
            }
        }
        for vector in &self.model.vectors {
            let [one, other] = &vector.participants[..] else { continue };
            for (known, partner) in [(one, other), (other, one)] {
                let process = self.processes.image(known.process.index());
                let event = self.events.image(known.event.index());
                let Some([image]) = process.zip(event).and_then(|it| vectors.get(&it)).map(Vec::as_slice)
                else {
                    continue;
                };
                let images = image.participants.iter();
                let Some(image) = images.into_iter().find(|part| Some(part.process.index()) != process)
                else {
                    continue;
                };
                require(
                    self.processes.bind(partner.process.index(), image.process.index())
                        && self.events.bind(partner.event.index(), image.event.index()),
                )?;
            }
        }
        Ok(())
    }

    /// What does not belong to a process: what is evaluated around all updates.
    pub(crate) fn shared(&mut self) -> Outcome {
        let model = self.model;
        self.with_frame(model.update_frame, |matching| {
            let around = model.before_update.iter().chain(&model.after_update);
            around.copied().try_for_each(|expr| matching.expr(expr, expr).map(drop))
        })
    }

    /// A formula or measure that must be invariant.
    pub(crate) fn formula(&mut self, expr: ExprId, frame: u32) -> Outcome {
        self.with_frame(frame, |matching| {
            let sort = matching.expr(expr, expr)?;
            matching.sorts.make_plain(sort, expr)
        })
    }

    /// A process and its image.
    pub(crate) fn process(&mut self, one: ProcessId, image: ProcessId) -> Outcome {
        let (p, q) = (&self.model.processes[one], &self.model.processes[image]);
        let alike = p.priority == q.priority
            && p.locations.len() == q.locations.len()
            && p.edges.len() == q.edges.len()
            && self.processes.bind(one.index(), image.index());
        require(alike)?;
        for id in p.locations.ids() {
            self.location(one, image, id)?;
        }
        let mut images = Vec::with_capacity(p.edges.len());
        let mut taken = vec![false; q.edges.len()];
        for (index, edge) in p.edges.iter().enumerate() {
            let found = self.edge_image(edge, index, &q.edges, &taken)?;
            taken[found.0 as usize] = true;
            images.push(found);
        }
        self.edges[one.index()] = images;
        Ok(())
    }

    fn location(&mut self, one: ProcessId, image: ProcessId, id: LocationId) -> Outcome {
        let (l, m) = (&self.model.processes[one].locations[id], &self.model.processes[image].locations[id]);
        require(l.kind == m.kind && l.rates.len() == m.rates.len() && l.frame == m.frame)?;
        self.with_frame(l.frame, |matching| {
            matching.guard(&l.invariant, &m.invariant)?;
            for (rate, other) in l.rates.iter().zip(&m.rates) {
                matching.clock(&rate.clock, &other.clock)?;
                matching.plain(rate.rate, other.rate)?;
            }
            Ok(())
        })
    }

    /// The image of an edge: the one with the same index if it matches, else the first that does.
    fn edge_image(
        &mut self,
        edge: &Edge,
        index: usize,
        others: &[Edge],
        taken: &[bool],
    ) -> Outcome<(u32, Vec<Sort>)> {
        let mut conflict = Conflict::new(Why::Different);
        for candidate in std::iter::once(index).chain((0..others.len()).filter(|&other| other != index)) {
            let other = &others[candidate];
            if taken[candidate] || (edge.source, edge.target) != (other.source, other.target) {
                continue;
            }
            let mark = self.mark();
            match self.edge(edge, other) {
                Ok(sorts) => return Ok((candidate as u32, sorts)),
                Err(error) if error.is_final() => return Err(error),
                Err(error) => {
                    self.reset(&mark);
                    if candidate == index {
                        conflict = error;
                    }
                }
            }
        }
        Err(conflict)
    }

    /// An edge and its image. Returns the sorts of its selections.
    fn edge(&mut self, edge: &Edge, other: &Edge) -> Outcome<Vec<Sort>> {
        require(
            edge.frame == other.frame
                && edge.selects.len() == other.selects.len()
                && edge.updates.len() == other.updates.len(),
        )?;
        self.with_frame(edge.frame, |matching| {
            let mut sorts = Vec::new();
            for (select, other) in edge.selects.iter().zip(&other.selects) {
                require((select.local, select.range) == (other.local, other.range))?;
                let sort = matching.local_sort(select.local)?;
                matching.requirements.push(Requirement::Closed(sort, select.range));
                sorts.push(sort);
            }
            matching.guard(&edge.guard, &other.guard)?;
            matching.action(&edge.action, &other.action)?;
            for (&update, &other) in edge.updates.iter().zip(&other.updates) {
                matching.expr(update, other)?;
            }
            Ok(sorts)
        })
    }

    fn action(&mut self, action: &Action, other: &Action) -> Outcome {
        match (action, other) {
            (Action::Internal, Action::Internal) => Ok(()),
            (Action::Send(one), Action::Send(other)) | (Action::Receive(one), Action::Receive(other)) => {
                self.channel(one, other)
            }
            (Action::Event(one), Action::Event(other)) => {
                require(self.events.bind(one.index(), other.index()))
            }
            _ => Err(Conflict::new(Why::Different)),
        }
    }

    fn guard(&mut self, guard: &Guard, other: &Guard) -> Outcome {
        require(
            guard.conditions.len() == other.conditions.len() && guard.clocks.len() == other.clocks.len(),
        )?;
        for (&one, &other) in guard.conditions.iter().zip(&other.conditions) {
            self.plain(one, other)?;
        }
        for (one, other) in guard.clocks.iter().zip(&other.clocks) {
            match (one.when, other.when) {
                (Some(one), Some(other)) => self.plain(one, other)?,
                (None, None) => {}
                _ => return Err(Conflict::new(Why::Different)),
            }
            self.atom(&one.atom, &other.atom)?;
        }
        Ok(())
    }

    fn atom(&mut self, atom: &ClockAtom, other: &ClockAtom) -> Outcome {
        require(atom.compare == other.compare)?;
        self.clock(&atom.left, &other.left)?;
        self.clocks(atom.right.as_ref(), other.right.as_ref())?;
        self.plain(atom.bound, other.bound)
    }

    fn clocks(&mut self, one: Option<&ClockPlace>, other: Option<&ClockPlace>) -> Outcome {
        match (one, other) {
            (Some(one), Some(other)) => self.clock(one, other),
            (None, None) => Ok(()),
            _ => Err(Conflict::new(Why::Different)),
        }
    }

    // ---- expressions -------------------------------------------------------------------------------------------------

    /// Two expressions whose values are equal: numbers, or truth values.
    fn plain(&mut self, one: ExprId, other: ExprId) -> Outcome {
        self.plain_in(one, one, other)
    }

    /// The same for operands of an expression.
    fn plain_in(&mut self, whole: ExprId, one: ExprId, other: ExprId) -> Outcome {
        let sort = self.expr(one, other)?;
        self.sorts.make_plain(sort, whole)
    }

    /// An expression and its image. Returns the sort of its value.
    fn expr(&mut self, one: ExprId, other: ExprId) -> Outcome<Sort> {
        self.spend(1)?;
        match (&self.model.exprs[one].kind, &self.model.exprs[other].kind) {
            (&ExprKind::Int(from), &ExprKind::Int(to)) => Ok(Sort::Literal(from, to)),
            (ExprKind::Load(place), ExprKind::Load(image)) => self.place(one, place, image),
            (&ExprKind::AtLocation(p, l), &ExprKind::AtLocation(q, m)) => {
                require(l == m && self.processes.bind(p.index(), q.index()))?;
                Ok(Sort::Plain)
            }
            (ExprKind::Deadlock, ExprKind::Deadlock) => Ok(Sort::Plain),
            (&ExprKind::Unary(op, a), &ExprKind::Unary(op2, b)) if op == op2 => {
                self.plain_in(one, a, b)?;
                Ok(Sort::Plain)
            }
            (&ExprKind::Binary(op, a, b), &ExprKind::Binary(op2, c, d)) if op == op2 => match op {
                BinaryOp::Equal | BinaryOp::NotEqual => self.comparison(one, (a, b), (c, d)),
                BinaryOp::And | BinaryOp::Or => self.chain(op, one, other),
                _ => {
                    self.plain_in(one, a, c)?;
                    self.plain_in(one, b, d)?;
                    Ok(Sort::Plain)
                }
            },
            (&ExprKind::Conditional(c, a, b), &ExprKind::Conditional(c2, a2, b2)) => {
                self.plain(c, c2)?;
                let (yes, no) = (self.expr(a, a2)?, self.expr(b, b2)?);
                self.sorts.unify(yes, no, one)
            }
            (
                &ExprKind::Quantifier { local, range, body, .. },
                &ExprKind::Quantifier { local: local2, range: range2, body: body2, .. },
            ) => {
                require((local, range) == (local2, range2) && self.same_operator(one, other))?;
                self.quantifier(one, local, range, body, body2)
            }
            (
                ExprKind::Call { function, arguments },
                ExprKind::Call { function: image, arguments: images },
            ) => {
                let returns = self.call(one, (*function, arguments), (*image, images))?;
                Ok(Sort::Of(returns))
            }
            (ExprKind::CallInto { .. }, ExprKind::CallInto { .. }) => {
                Err(Conflict::at(one, Why::Unsupported("a function that returns an array or a record")))
            }
            (
                ExprKind::Assign { op, target, value },
                ExprKind::Assign { op: op2, target: target2, value: value2 },
            ) => {
                require(op == op2 && target.range == target2.range)?;
                let to = self.place(one, target, target2)?;
                let from = self.expr(*value, *value2)?;
                let sort = self.sorts.unify(to, from, one)?;
                if *op != AssignOp::Set {
                    self.sorts.make_plain(sort, one)?;
                }
                self.requirements.push(Requirement::Closed(sort, target.range));
                Ok(sort)
            }
            (
                ExprKind::PostIncrement { target, delta },
                ExprKind::PostIncrement { target: image, delta: delta2 },
            ) => {
                require(delta == delta2 && target.range == image.range)?;
                let sort = self.place(one, target, image)?;
                self.sorts.make_plain(sort, one)?;
                Ok(Sort::Plain)
            }
            (
                ExprKind::Copy { target: a, source: b, count },
                ExprKind::Copy { target: c, source: d, count: count2 },
            )
            | (
                ExprKind::SameCells { left: a, right: b, count },
                ExprKind::SameCells { left: c, right: d, count: count2 },
            ) => {
                require(count == count2 && self.same_operator(one, other))?;
                self.blocks(one, (a, b), (c, d), *count as usize)?;
                Ok(Sort::Plain)
            }
            (ExprKind::Clock(atom), ExprKind::Clock(image)) => {
                self.atom(atom, image)?;
                Ok(Sort::Plain)
            }
            (
                ExprKind::SetClock { target, source, value },
                ExprKind::SetClock { target: target2, source: source2, value: value2 },
            ) => {
                self.clock(target, target2)?;
                self.clocks(source.as_ref(), source2.as_ref())?;
                self.plain(*value, *value2)?;
                Ok(Sort::Plain)
            }
            (ExprKind::Sequence(parts), ExprKind::Sequence(images)) => {
                require(parts.len() == images.len())?;
                let mut sort = Sort::Plain;
                for (&part, &image) in parts.iter().zip(images) {
                    sort = self.expr(part, image)?;
                }
                Ok(sort)
            }
            _ => Err(Conflict::at(one, Why::Different)),
        }
    }

    /// Whether two expressions, known to be of one kind, have the same operator.
    fn same_operator(&self, one: ExprId, other: ExprId) -> bool {
        match (&self.model.exprs[one].kind, &self.model.exprs[other].kind) {
            (ExprKind::Quantifier { op, .. }, ExprKind::Quantifier { op: op2, .. }) => op == op2,
            (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
        }
    }

    /// `a == b` and its image: both sides have one sort. The sides may be exchanged, where that cannot matter.
    fn comparison(&mut self, by: ExprId, one: (ExprId, ExprId), other: (ExprId, ExprId)) -> Outcome<Sort> {
        let left = self.expr(one.0, other.0)?;
        let right = self.expr(one.1, other.1)?;
        self.sorts.unify(left, right, by)?;
        Ok(Sort::Plain)
    }

    /// A chain of `&&` or `||`. Its operands are compared in order where they can be; otherwise, if their evaluation cannot
    /// fail, each with one of the others that it matches.
    fn chain(&mut self, op: BinaryOp, one: ExprId, other: ExprId) -> Outcome<Sort> {
        let (chain, images) = (self.chains.get(op, one), self.chains.get(op, other));
        let different = |operand| Conflict::at(operand, Why::Different);
        if chain.operands.len() != images.operands.len() {
            return Err(different(one));
        }
        let mut taken = vec![false; images.operands.len()];
        for (index, &operand) in chain.operands.iter().enumerate() {
            if !taken[index] && self.attempt(operand, images.operands[index])? {
                taken[index] = true;
                continue;
            }
            if !chain.cannot_fail || !images.cannot_fail {
                return Err(different(operand));
            }
            let key = key(self.model, operand, |process| self.processes.image(process).unwrap_or(process));
            let mut found = None;
            for &candidate in images.by_key.get(&key).into_iter().flatten() {
                if !taken[candidate] && self.attempt(operand, images.operands[candidate])? {
                    found = Some(candidate);
                    break;
                }
            }
            taken[found.ok_or(different(operand))?] = true;
        }
        Ok(Sort::Plain)
    }

    /// Whether a condition matches another; if not, nothing is changed.
    fn attempt(&mut self, one: ExprId, other: ExprId) -> Outcome<bool> {
        let mark = self.mark();
        match self.plain(one, other) {
            Ok(()) => Ok(true),
            Err(conflict) if conflict.is_final() => Err(conflict),
            Err(_) => {
                self.reset(&mark);
                Ok(false)
            }
        }
    }

    fn quantifier(
        &mut self,
        by: ExprId,
        local: u32,
        range: Range,
        body: ExprId,
        image: ExprId,
    ) -> Outcome<Sort> {
        let sort = self.with_local(local, |matching, sort| matching.plain(body, image).map(|()| sort))?;
        self.requirements.push(Requirement::Closed(sort, range));
        if !order::cannot_fail(self.model, by) {
            self.requirements.push(Requirement::Fixed(sort, range, Conflict::at(by, Why::QuantifierOrder)));
        }
        Ok(Sort::Plain)
    }

    // ---- functions ---------------------------------------------------------------------------------------------------

    fn call(
        &mut self,
        by: ExprId,
        (function, arguments): (FunctionId, &[Argument]),
        (image, images): (FunctionId, &[Argument]),
    ) -> Outcome<SortId> {
        let matched = self.function(function, image)?;
        let parameters = &self.model.functions[function].parameters;
        let (mut local, mut reference) = (0, 0);
        for ((parameter, argument), other) in parameters.iter().zip(arguments).zip(images) {
            let size = parameter.ty.size() as usize;
            match (argument, other) {
                (&Argument::Value(one), &Argument::Value(other)) => {
                    let sort = self.expr(one, other)?;
                    let own = Sort::Of(self.cell_sorts[matched.frame.locals[local]]);
                    let sort = self.sorts.unify(own, sort, by)?;
                    if let Some(range) = parameter.ty.range() {
                        self.requirements.push(Requirement::Closed(sort, range));
                    }
                    local += 1;
                }
                (Argument::Cells(one), Argument::Cells(other)) => {
                    self.pass(by, one, other, &matched.frame.locals[local..][..size])?;
                    local += size;
                }
                (Argument::Reference(one), Argument::Reference(other)) => {
                    let first = matched.frame.references[reference];
                    self.pass(by, one, other, &(first..first + size).collect::<Vec<_>>())?;
                    reference += 1;
                }
                _ => return Err(Conflict::at(by, Why::Unsupported("a clock that is passed to a function"))),
            }
        }
        Ok(matched.returns)
    }

    /// Cells that are passed for a parameter keep their order, and have the sorts of the parameter's cells.
    fn pass(&mut self, by: ExprId, one: &CellPlace, other: &CellPlace, own: &[usize]) -> Outcome {
        let from = self.block(by, one, other, own.len())?;
        for (further, &cell) in own.iter().enumerate() {
            self.unify_block(by, &from, further, Sort::Of(self.cell_sorts[cell]))?;
        }
        Ok(())
    }

    /// Compares the body of a function with that of its image, once.
    fn function(&mut self, function: FunctionId, image: FunctionId) -> Outcome<MatchedFunction> {
        if let Some(known) = self.functions.get(&function) {
            return if known.image == image { Ok(known.clone()) } else { Err(Conflict::new(Why::Different)) };
        }
        let (f, g) = (&self.model.functions[function], &self.model.functions[image]);
        require(
            f.frame == g.frame
                && f.returns == g.returns
                && f.parameters.len() == g.parameters.len()
                && f.parameters
                    .iter()
                    .zip(&g.parameters)
                    .all(|(one, other)| one.ty == other.ty && one.by_reference == other.by_reference),
        )?;
        let mut frame = Frame { locals: self.new_cells(f.frame as usize), references: Vec::new() };
        for parameter in f.parameters.iter().filter(|parameter| parameter.by_reference) {
            let cells = self.new_cells(parameter.ty.size() as usize);
            frame.references.push(cells.first().copied().unwrap_or_default());
        }
        let returns = self.sorts.fresh();
        let outer = std::mem::replace(&mut self.frame, frame.clone());
        let result = self.body(function, image, returns);
        self.frame = outer;
        result?;
        let matched = MatchedFunction { image, frame, returns };
        self.functions.insert(function, matched.clone());
        self.called.push(function);
        Ok(matched)
    }

    fn body(&mut self, function: FunctionId, image: FunctionId, returns: SortId) -> Outcome {
        let (f, g) = (&self.model.functions[function], &self.model.functions[image]);
        // Local cells that are not parameters are 0 at first.
        let by_value = f.parameters.iter().filter(|parameter| !parameter.by_reference);
        let parameters: u64 = by_value.map(|parameter| parameter.ty.size()).sum();
        for local in parameters as usize..f.frame as usize {
            let sort = self.cell_sorts[self.frame.locals[local]];
            self.sorts.bind(sort, 0, 0, ExprId::from_index(0))?;
        }
        if let Some(range) = f.returns.as_ref().and_then(tourbillon_model::Type::range) {
            self.requirements.push(Requirement::Closed(Sort::Of(returns), range));
        }
        self.block_of_statements(&f.body, &g.body, returns)
    }

    fn block_of_statements(&mut self, one: &Block, other: &Block, returns: SortId) -> Outcome {
        require(one.len() == other.len())?;
        one.iter().zip(other).try_for_each(|(one, other)| self.statement(one, other, returns))
    }

    fn statement(&mut self, one: &Stmt, other: &Stmt, returns: SortId) -> Outcome {
        match (one, other) {
            (&Stmt::Expr(one), &Stmt::Expr(other)) => self.expr(one, other).map(drop),
            (Stmt::If { arms, otherwise }, Stmt::If { arms: arms2, otherwise: otherwise2 }) => {
                require(arms.len() == arms2.len())?;
                for ((condition, block), (condition2, block2)) in arms.iter().zip(arms2) {
                    self.plain(*condition, *condition2)?;
                    self.block_of_statements(block, block2, returns)?;
                }
                self.block_of_statements(otherwise, otherwise2, returns)
            }
            (
                Stmt::While { condition, body, step },
                Stmt::While { condition: condition2, body: body2, step: step2 },
            ) => {
                self.plain(*condition, *condition2)?;
                self.block_of_statements(body, body2, returns)?;
                self.block_of_statements(step, step2, returns)
            }
            (Stmt::DoWhile { body, condition }, Stmt::DoWhile { body: body2, condition: condition2 }) => {
                self.block_of_statements(body, body2, returns)?;
                self.plain(*condition, *condition2)
            }
            (
                Stmt::ForRange { local, range, body },
                Stmt::ForRange { local: local2, range: range2, body: body2 },
            ) => {
                require((local, range) == (local2, range2))?;
                let sort = self.with_local(*local, |matching, sort| {
                    matching.block_of_statements(body, body2, returns).map(|()| sort)
                })?;
                self.requirements.push(Requirement::Closed(sort, *range));
                if !order::iterations_commute(self.model, *local, body) {
                    let conflict = Conflict::new(Why::LoopOrder);
                    self.requirements.push(Requirement::Fixed(sort, *range, conflict));
                }
                Ok(())
            }
            (Stmt::Return(one), Stmt::Return(other)) => match (*one, *other) {
                (Some(one), Some(other)) => {
                    let sort = self.expr(one, other)?;
                    self.sorts.unify(Sort::Of(returns), sort, one).map(drop)
                }
                (None, None) => Ok(()),
                _ => Err(Conflict::new(Why::Different)),
            },
            (&Stmt::Assert(one), &Stmt::Assert(other)) => self.plain(one, other),
            (Stmt::ReturnCells { .. }, Stmt::ReturnCells { .. }) => {
                Err(Conflict::new(Why::Unsupported("a function that returns an array or a record")))
            }
            _ => Err(Conflict::new(Why::Different)),
        }
    }

    // ---- places ------------------------------------------------------------------------------------------------------

    /// Evaluates with fresh local cells.
    fn with_frame<T>(&mut self, locals: u32, compare: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let frame = Frame { locals: self.new_cells(locals as usize), references: Vec::new() };
        let outer = std::mem::replace(&mut self.frame, frame);
        let result = compare(self);
        self.frame = outer;
        result
    }

    /// Compares the scope of a bound variable, for which its local cell has a sort of its own.
    fn with_local<T>(
        &mut self,
        local: u32,
        compare: impl FnOnce(&mut Self, Sort) -> Outcome<T>,
    ) -> Outcome<T> {
        let cell = self.new_cells(1)[0];
        let slot = self.frame.locals.get_mut(local as usize).ok_or(Conflict::new(Why::Different))?;
        let outer = std::mem::replace(slot, cell);
        let sort = Sort::Of(self.cell_sorts[cell]);
        let result = compare(self, sort);
        self.frame.locals[local as usize] = outer;
        result
    }

    /// Local cells for a scope. Each is mapped to itself: the same local cell of the image has the image of its value.
    fn new_cells(&mut self, count: usize) -> Vec<usize> {
        let first = self.cells.len();
        self.cells.grow(count);
        for cell in first..first + count {
            let sort = self.sorts.fresh();
            self.cell_sorts.push(sort);
            let is_free = self.cells.bind(cell, cell);
            debug_assert!(is_free, "a new cell");
        }
        (first..first + count).collect()
    }

    fn local_sort(&self, local: u32) -> Outcome<Sort> {
        let cell = self.frame.locals.get(local as usize).ok_or(Conflict::new(Why::Different))?;
        Ok(Sort::Of(self.cell_sorts[*cell]))
    }

    /// A cell and its image. Returns the sort of what is in it.
    fn place(&mut self, by: ExprId, one: &CellPlace, other: &CellPlace) -> Outcome<Sort> {
        let from = self.block(by, one, other, 1)?;
        let sort = Sort::Of(self.cell_sorts[from.first]);
        self.unify_block(by, &from, 0, sort)?;
        Ok(sort)
    }

    /// Runs of cells that are copied or compared, and their images: they keep their order, and have one sort each.
    fn blocks(
        &mut self,
        by: ExprId,
        (one, two): (&CellPlace, &CellPlace),
        (three, four): (&CellPlace, &CellPlace),
        count: usize,
    ) -> Outcome {
        let (one, two) = (self.block(by, one, three, count)?, self.block(by, two, four, count)?);
        for further in 0..count {
            let sort = Sort::Of(self.cell_sorts[one.first + further]);
            self.unify_block(by, &one, further, sort)?;
            self.unify_block(by, &two, further, sort)?;
        }
        Ok(())
    }

    /// A run of cells and its image, which has the same order. Returns where the run can begin.
    fn block(&mut self, by: ExprId, one: &CellPlace, other: &CellPlace, count: usize) -> Outcome<Addresses> {
        let (first, image) = (self.first_cell(one)?, self.first_cell(other)?);
        if count > 1 && first.max(image) >= self.model.cells.len() {
            return Err(Conflict::at(by, Why::Unsupported("a local array or record as a whole")));
        }
        self.places(Kind::Cell, (first, &one.indices), (image, &other.indices), count)
    }

    /// All cells of a run at this position have this sort.
    fn unify_block(&mut self, by: ExprId, from: &Addresses, further: usize, sort: Sort) -> Outcome {
        self.spend(from.count())?;
        from.for_each(|_, address| {
            let own = Sort::Of(self.cell_sorts[address + further]);
            self.sorts.unify(sort, own, by).map(drop)
        })
    }

    fn clock(&mut self, one: &ClockPlace, other: &ClockPlace) -> Outcome {
        let (first, image) = (first_clock(one)?, first_clock(other)?);
        self.places(Kind::Clock, (first, &one.indices), (image, &other.indices), 1).map(drop)
    }

    fn channel(&mut self, one: &ChannelPlace, other: &ChannelPlace) -> Outcome {
        let (first, image) = (one.first.index(), other.first.index());
        self.places(Kind::Channel, (first, &one.indices), (image, &other.indices), 1).map(drop)
    }

    /// Requires the thing at each choice of indices to be mapped to the one at the image of the choice, with the things that
    /// follow it; at once if there is only one choice. Returns the addresses.
    fn places(
        &mut self,
        kind: Kind,
        (first, indices): (usize, &[IndexStep]),
        (image, images): (usize, &[IndexStep]),
        count: usize,
    ) -> Outcome<Addresses> {
        require(indices.len() == images.len())?;
        let (mut from, mut to) = (Addresses::at_first(first), Addresses::at_first(image));
        let mut sorts = Vec::new();
        for (step, other) in indices.iter().zip(images) {
            require(step.range == other.range && step.range.len() <= ELEMENTS_MAX)?;
            match self.expr(step.index, other.index)? {
                Sort::Literal(one, image) => {
                    require(step.range.contains(one) && step.range.contains(image))?;
                    from.advance(step, one);
                    to.advance(other, image);
                }
                sort => {
                    self.requirements.push(Requirement::Closed(sort, step.range));
                    from.steps.push((step.range, step.stride as usize));
                    to.steps.push((other.range, other.stride as usize));
                    sorts.push(sort);
                }
            }
        }
        if from.count() > ELEMENTS_MAX {
            return Err(Conflict::new(Why::TooLarge));
        }
        if sorts.is_empty() {
            self.bind_run(kind, from.first, to.first, count)?;
        } else {
            let requirement =
                AddressRequirement { kind, from: from.clone(), to, sorts, count, by: indices[0].index };
            self.requirements.push(Requirement::Addresses(Rc::new(requirement)));
        }
        Ok(from)
    }

    fn first_cell(&self, place: &CellPlace) -> Outcome<usize> {
        let offset = place.offset as usize;
        let first = match place.root {
            Root::Global(cell) => Some(cell.index() + offset),
            Root::Local(local) => self.frame.locals.get(local as usize + offset).copied(),
            Root::Reference(number) => self.frame.references.get(number as usize).map(|first| first + offset),
        };
        first.ok_or(Conflict::new(Why::Different))
    }

    fn table(&mut self, kind: Kind) -> &mut Bijection {
        match kind {
            Kind::Cell => &mut self.cells,
            Kind::Clock => &mut self.clocks,
            Kind::Channel => &mut self.channels,
        }
    }

    fn bind_run(&mut self, kind: Kind, from: usize, to: usize, count: usize) -> Outcome {
        let table = self.table(kind);
        let len = table.len();
        require((0..count).all(|i| from + i < len && to + i < len && table.bind(from + i, to + i)))
    }

    // ---- the end -----------------------------------------------------------------------------------------------------

    /// The automorphism, when every process has an image.
    pub(crate) fn finish(&mut self) -> Outcome<Automorphism> {
        self.propagate()?;
        self.meet_requirements()?;
        self.close();
        self.cells()?;
        self.channels()?;
        self.vectors()?;
        let processes: Vec<usize> = self.images(&self.processes, self.model.processes.len());
        if !order::updates_commute(self.effects, &processes) {
            return Err(Conflict::new(Why::UpdateOrder));
        }
        Ok(self.automorphism(processes))
    }

    fn meet_requirements(&mut self) -> Outcome {
        for requirement in std::mem::take(&mut self.requirements) {
            match requirement {
                Requirement::Closed(sort, range) => require(self.sorts.values(sort).keeps(range))?,
                Requirement::Fixed(sort, range, conflict) => {
                    if !self.sorts.values(sort).fixes(range) {
                        return Err(conflict);
                    }
                }
                Requirement::Addresses(requirement) => self.map_addresses(&requirement)?,
            }
        }
        Ok(())
    }

    fn map_addresses(&mut self, requirement: &AddressRequirement) -> Outcome {
        let AddressRequirement { kind, from, to, sorts, count, .. } = requirement;
        self.spend(from.count())?;
        let maps: Vec<_> = sorts.iter().map(|&sort| self.sorts.values(sort)).collect();
        let mut images = vec![0; maps.len()];
        from.for_each(|indices, address| {
            for ((image, &index), map) in images.iter_mut().zip(indices).zip(&maps) {
                *image = map.get(index);
            }
            let within = to.steps.iter().zip(&images).all(|((range, _), &index)| range.contains(index));
            require(within)?;
            self.bind_run(*kind, address, to.at(&images), *count)
        })
    }

    /// Derives images of indices from those of the things they lead to, and conversely, as long as there are new ones: where
    /// `a[1]` is mapped to `a[2]`, an index of `a` has a sort that maps 1 to 2.
    fn propagate(&mut self) -> Outcome {
        let requirements: Vec<Rc<AddressRequirement>> = self
            .requirements
            .iter()
            .filter_map(|requirement| match requirement {
                Requirement::Addresses(requirement) => Some(Rc::clone(requirement)),
                _ => None,
            })
            .collect();
        loop {
            let before = self.facts();
            for requirement in &requirements {
                self.derive(requirement)?;
            }
            if self.facts() == before {
                return Ok(());
            }
        }
    }

    /// The number of images that are known.
    fn facts(&self) -> usize {
        let tables = [&self.cells, &self.clocks, &self.channels];
        self.sorts.facts() + tables.iter().map(|table| table.facts()).sum::<usize>()
    }

    fn derive(&mut self, requirement: &AddressRequirement) -> Outcome {
        let AddressRequirement { kind, from, to, sorts, count, by } = requirement;
        self.spend(2 * from.count())?;
        let mut choices: HashMap<usize, Vec<i32>> = HashMap::new();
        to.for_each(|indices, address| {
            choices.insert(address, indices.to_vec());
            Ok::<(), Conflict>(())
        })?;
        from.for_each(|indices, address| {
            if let Some(image) = self.table(*kind).image(address) {
                let images = choices.get(&image).ok_or(Conflict::at(*by, Why::Different))?;
                for ((&sort, &index), &image) in sorts.iter().zip(indices).zip(images) {
                    self.sorts.unify(sort, Sort::Literal(index, image), *by)?;
                }
                return Ok(());
            }
            let known: Option<Vec<i32>> =
                sorts.iter().zip(indices).map(|(&sort, &index)| self.sorts.known(sort, index)).collect();
            match known {
                Some(images)
                    if to.steps.iter().zip(&images).all(|((range, _), &index)| range.contains(index)) =>
                {
                    self.bind_run(*kind, address, to.at(&images), *count)
                }
                Some(_) => Err(Conflict::at(*by, Why::Different)),
                None => Ok(()),
            }
        })
    }

    /// Maps what is never mentioned.
    fn close(&mut self) {
        self.cells.close(self.model.cells.len());
        self.clocks.close(self.model.clocks.len());
        self.channels.close(self.model.channels.len());
        self.events.close(self.model.events.len());
    }

    /// Cells are mapped to cells of their kind and range. What every step begins with, constants and the values of meta
    /// cells, is the same; the initial values of others are not compared (see `find.rs`).
    fn cells(&self) -> Outcome {
        for (id, cell) in self.model.cells.enumerate() {
            let image = self.cells.image(id.index()).map(CellId::from_index);
            let image = &self.model.cells[image.ok_or(Conflict::new(Why::Different))?];
            let values = self.sorts.values(Sort::Of(self.cell_sorts[id.index()]));
            require(cell.range == image.range && cell.kind == image.kind && values.keeps(cell.range))?;
            if cell.kind != CellKind::State && values.get(cell.initial) != image.initial {
                return Err(Conflict::new(Why::Constant(id)));
            }
        }
        Ok(())
    }

    /// Channels are mapped to channels of their kind.
    fn channels(&self) -> Outcome {
        let images = self.images(&self.channels, self.model.channels.len());
        require(self.model.channels.iter().zip(&images).all(|(channel, &image)| {
            let image = &self.model.channels[ChannelId::from_index(image)];
            (channel.kind, channel.urgent, channel.priority) == (image.kind, image.urgent, image.priority)
        }))
    }

    /// Synchronisation vectors are mapped to vectors with the same order of updates, or to ones whose order does not matter.
    fn vectors(&self) -> Outcome {
        let mut known: HashMap<Vec<Part>, Vec<Vec<Part>>> = HashMap::new();
        for vector in &self.model.vectors {
            let parts = parts(vector, |process| process, |event| event);
            known.entry(sorted(&parts)).or_default().push(parts);
        }
        for vector in &self.model.vectors {
            let image = |table: &Bijection, index: usize| table.image(index).unwrap_or(index);
            let parts = parts(vector, |it| image(&self.processes, it), |it| image(&self.events, it));
            let orders = known.get_mut(&sorted(&parts)).ok_or(Conflict::new(Why::Different))?;
            let commute = order::participants_commute(self.effects, vector);
            let found = orders.iter().position(|order| *order == parts || commute);
            orders.swap_remove(found.ok_or(Conflict::new(Why::UpdateOrder))?);
        }
        Ok(())
    }

    fn images(&self, bijection: &Bijection, len: usize) -> Vec<usize> {
        (0..len).map(|index| bijection.image(index).unwrap_or(index)).collect()
    }

    fn automorphism(&self, processes: Vec<usize>) -> Automorphism {
        let values = |sort| Some(self.sorts.values(sort)).filter(|values| !values.is_identity());
        let cells = self.model.cells.len();
        Automorphism {
            edges: self
                .edges
                .iter()
                .map(|edges| {
                    let image = |(edge, sorts): &(u32, Vec<Sort>)| {
                        (*edge, sorts.iter().map(|&sort| self.sorts.values(sort)).collect())
                    };
                    edges.iter().map(image).collect()
                })
                .collect(),
            processes,
            values: (0..cells).map(|cell| values(Sort::Of(self.cell_sorts[cell]))).collect(),
            cells: self.images(&self.cells, cells),
            clocks: self.images(&self.clocks, self.model.clocks.len()),
        }
    }
}

/// A participant of a vector: process, event, and whether it is weak.
type Part = (usize, usize, bool);

/// The participants of a vector, mapped.
fn parts(vector: &SyncVector, process: impl Fn(usize) -> usize, event: impl Fn(usize) -> usize) -> Vec<Part> {
    let parts = vector.participants.iter();
    parts.map(|part| (process(part.process.index()), event(part.event.index()), part.weak)).collect()
}

fn sorted(parts: &[Part]) -> Vec<Part> {
    let mut parts = parts.to_vec();
    parts.sort_unstable();
    parts
}

/// The operands of chains of `&&` and `||`, collected once for all permutations.
#[derive(Debug)]
pub(crate) struct Chains<'m> {
    model: &'m Model,
    known: RefCell<HashMap<ExprId, Rc<Chain>>>,
}

/// A chain of `&&` or `||`.
#[derive(Debug)]
struct Chain {
    operands: Vec<ExprId>,
    /// Whether the operands can be evaluated in any order.
    cannot_fail: bool,
    /// The positions of operands by their keys.
    by_key: HashMap<u64, Vec<usize>>,
}

impl<'m> Chains<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Self { model, known: RefCell::default() }
    }

    fn get(&self, op: BinaryOp, expr: ExprId) -> Rc<Chain> {
        let mut known = self.known.borrow_mut();
        Rc::clone(known.entry(expr).or_insert_with(|| Rc::new(self.collect(op, expr))))
    }

    fn collect(&self, op: BinaryOp, expr: ExprId) -> Chain {
        let mut operands = Vec::new();
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            match self.model.exprs[expr].kind {
                ExprKind::Binary(own, left, right) if own == op => stack.extend([right, left]),
                _ => operands.push(expr),
            }
        }
        let mut by_key: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, &operand) in operands.iter().enumerate() {
            by_key.entry(key(self.model, operand, |process| process)).or_default().push(index);
        }
        let cannot_fail = operands.iter().all(|&operand| order::cannot_fail(self.model, operand));
        Chain { operands, cannot_fail, by_key }
    }
}

/// A number that an expression has in common with its image: which locations of which processes it mentions.
fn key(model: &Model, expr: ExprId, image: impl Fn(usize) -> usize) -> u64 {
    let mut key = 0u64;
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        let kind = &model.exprs[expr].kind;
        if let &ExprKind::AtLocation(process, location) = kind {
            let atom = image(process.index()) as u64 * 0x1_0001 + location.index() as u64 + 1;
            let atom = atom.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            key = key.wrapping_add(atom ^ (atom >> 29));
        }
        kind.for_each_operand(&mut |operand| stack.push(operand));
    }
    key
}

fn require(holds: bool) -> Outcome {
    if holds { Ok(()) } else { Err(Conflict::new(Why::Different)) }
}

fn first_clock(place: &ClockPlace) -> Outcome<usize> {
    match place.root {
        Root::Global(clock) => Ok(clock.index() + place.offset as usize),
        _ => Err(Conflict::new(Why::Unsupported("a clock that is passed to a function"))),
    }
}
