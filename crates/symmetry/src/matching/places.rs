//! Places, which are cells, clocks or channels of an array, and their images.

use std::rc::Rc;

use tourbillon_base::Id;
use tourbillon_model::{CellPlace, ChannelPlace, ClockPlace, ExprId, IndexStep, Range, Root};

use super::{Frame, Matching, Outcome, require};
use crate::bijection::Bijection;
use crate::conflict::{Conflict, Why};
use crate::sorts::Sort;

/// The maximum number of elements that one access can reach.
const ELEMENTS_MAX: u64 = 1 << 14;

/// A kind of things that are addressed by indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Cell,
    Clock,
    Channel,
}

/// The addresses that a place can have: a first one, and how far on each index leads.
#[derive(Clone, Debug)]
pub(super) struct Addresses {
    pub(super) first: usize,
    pub(super) steps: Vec<(Range, usize)>,
}

impl Addresses {
    const fn at_first(first: usize) -> Self {
        Self { first, steps: Vec::new() }
    }

    /// Goes on to the element with this index, which is in range.
    fn advance(&mut self, step: &IndexStep, index: i32) {
        self.first += (i64::from(index) - i64::from(step.range.min)) as usize * step.stride as usize;
    }

    pub(super) fn count(&self) -> u64 {
        self.steps.iter().map(|(range, _)| range.len()).fold(1, u64::saturating_mul)
    }

    /// Calls `visit` with each choice of indices, and the address of it.
    pub(super) fn for_each<E>(&self, mut visit: impl FnMut(&[i32], usize) -> Result<(), E>) -> Result<(), E> {
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

    pub(super) fn at(&self, indices: &[i32]) -> usize {
        let further =
            self.steps.iter().zip(indices).map(|(&(range, stride), &index)| {
                (i64::from(index) - i64::from(range.min)) as usize * stride
            });
        self.first + further.sum::<usize>()
    }
}

/// That the thing at each choice of indices is mapped to the one at the image of the choice, and so are those after it.
#[derive(Debug)]
pub(super) struct AddressRequirement {
    pub(super) kind: Kind,
    pub(super) from: Addresses,
    pub(super) to: Addresses,
    /// The sorts of the indices.
    pub(super) sorts: Vec<Sort>,
    pub(super) count: usize,
    /// The first index, for the reason of a conflict.
    pub(super) by: ExprId,
}

/// A requirement that is tested when all sorts are known.
#[derive(Clone, Debug)]
pub(super) enum Requirement {
    Addresses(Rc<AddressRequirement>),
    /// The values of a range are mapped to values of the range.
    Closed(Sort, Range),
    /// The values of a range stay, because an order over them matters.
    Fixed(Sort, Range, Conflict),
}

impl Matching<'_> {
    /// Evaluates with fresh local cells.
    pub(super) fn with_frame<T>(
        &mut self,
        locals: u32,
        compare: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let frame = Frame { locals: self.new_cells(locals as usize), references: Vec::new() };
        let outer = std::mem::replace(&mut self.frame, frame);
        let result = compare(self);
        self.frame = outer;
        result
    }

    /// Compares the scope of a bound variable, for which its local cell has a sort of its own.
    pub(super) fn with_local<T>(
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
    pub(super) fn new_cells(&mut self, count: usize) -> Vec<usize> {
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

    pub(super) fn local_sort(&self, local: u32) -> Outcome<Sort> {
        let cell = self.frame.locals.get(local as usize).ok_or(Conflict::new(Why::Different))?;
        Ok(Sort::Of(self.cell_sorts[*cell]))
    }

    /// A cell and its image. Returns the sort of what is in it.
    pub(super) fn place(&mut self, by: ExprId, one: &CellPlace, other: &CellPlace) -> Outcome<Sort> {
        let from = self.block(by, one, other, 1)?;
        let sort = Sort::Of(self.cell_sorts[from.first]);
        self.unify_block(by, &from, 0, sort)?;
        Ok(sort)
    }

    /// Runs of cells that are copied or compared, and their images: they keep their order, and have one sort each.
    pub(super) fn blocks(
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
    pub(super) fn block(
        &mut self,
        by: ExprId,
        one: &CellPlace,
        other: &CellPlace,
        count: usize,
    ) -> Outcome<Addresses> {
        let (first, image) = (self.first_cell(one)?, self.first_cell(other)?);
        if count > 1 && first.max(image) >= self.model.cells.len() {
            return Err(Conflict::at(by, Why::Unsupported("a local array or record as a whole")));
        }
        self.places(Kind::Cell, (first, &one.indices), (image, &other.indices), count)
    }

    /// All cells of a run at this position have this sort.
    pub(super) fn unify_block(
        &mut self,
        by: ExprId,
        from: &Addresses,
        further: usize,
        sort: Sort,
    ) -> Outcome {
        self.spend(from.count())?;
        from.for_each(|_, address| {
            let own = Sort::Of(self.cell_sorts[address + further]);
            self.sorts.unify(sort, own, by).map(drop)
        })
    }

    pub(super) fn clock(&mut self, one: &ClockPlace, other: &ClockPlace) -> Outcome {
        let (first, image) = (first_clock(one)?, first_clock(other)?);
        self.places(Kind::Clock, (first, &one.indices), (image, &other.indices), 1).map(drop)
    }

    pub(super) fn channel(&mut self, one: &ChannelPlace, other: &ChannelPlace) -> Outcome {
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

    pub(super) fn table(&mut self, kind: Kind) -> &mut Bijection {
        match kind {
            Kind::Cell => &mut self.cells,
            Kind::Clock => &mut self.clocks,
            Kind::Channel => &mut self.channels,
        }
    }

    pub(super) fn bind_run(&mut self, kind: Kind, from: usize, to: usize, count: usize) -> Outcome {
        let table = self.table(kind);
        let len = table.len();
        require((0..count).all(|i| from + i < len && to + i < len && table.bind(from + i, to + i)))
    }
}

fn first_clock(place: &ClockPlace) -> Outcome<usize> {
    match place.root {
        Root::Global(clock) => Ok(clock.index() + place.offset as usize),
        _ => Err(Conflict::new(Why::Unsupported("a clock that is passed to a function"))),
    }
}
