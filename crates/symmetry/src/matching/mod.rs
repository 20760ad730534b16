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

mod chains;
mod conclude;
mod expressions;
mod functions;
mod places;

use std::collections::HashMap;

use tourbillon_base::Id;
use tourbillon_base::mutants::{self, Mutant};
use tourbillon_model::{
    Action, CellId, ClockAtom, ClockPlace, Edge, ExprId, FunctionId, Guard, LocationId, Measure, Model,
    ProcessId, SyncVector,
};

pub(crate) use chains::Chains;
use places::Requirement;

use crate::bijection::{Bijection, BijectionMark};
use crate::conflict::{Conflict, Why};
use crate::order::Effects;
use crate::sorts::{Sort, SortId, SortMark, Sorts};

type Outcome<T = ()> = Result<T, Conflict>;

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

    /// A formula that must be invariant.
    pub(crate) fn formula(&mut self, expr: ExprId, frame: u32) -> Outcome {
        self.with_frame(frame, |matching| {
            let sort = matching.expr(expr, expr)?;
            matching.sorts.make_plain(sort, expr)
        })
    }

    /// A measure that must be invariant.
    pub(crate) fn measure(&mut self, measure: &Measure, frame: u32) -> Outcome {
        match measure {
            &Measure::Data(expr) => self.formula(expr, frame),
            Measure::Clock(place, offset) => {
                self.with_frame(frame, |matching| matching.clock(place, place))?;
                offset.map_or(Ok(()), |offset| self.formula(offset, frame))
            }
        }
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
                if !mutants::is(Mutant::UpdatesUnverified) {
                    matching.expr(update, other)?;
                }
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
            if !mutants::is(Mutant::ClockConstraintsUnverified) {
                self.atom(&one.atom, &other.atom)?;
            }
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
}

fn require(holds: bool) -> Outcome {
    if holds { Ok(()) } else { Err(Conflict::new(Why::Different)) }
}
