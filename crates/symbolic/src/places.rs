//! Cells that an expression refers to, if they depend on the state.
//!
//! An index can have several values on a path, so that an expression refers to several cells, each in a part of the
//! states. Reading selects between them, and writing changes each of them in its part only.

use tourbillon_base::Id;
use tourbillon_dd::{Bdd, BddResult};
use tourbillon_model::{CellId, CellKind, CellPlace, ClockPlace, IndexStep, Range, Root};

use crate::interpret::{CASES_MAX, Interpreter};
use crate::interruption::{Interruptible, refuse};
use crate::words::{Arithmetic, Word};

/// The local cells of a function, or of a label, and its references.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) locals: Vec<Word>,
    pub(crate) references: Vec<Reference>,
}

/// The target of a reference parameter.
#[derive(Clone, Debug)]
pub(crate) enum Reference {
    Cells(Options<Address>),
    Clocks(Options<usize>),
}

impl Frame {
    /// A frame with this many local cells, all 0.
    pub(crate) fn new(words: Arithmetic<'_>, size: u32) -> Self {
        Self { locals: vec![words.constant(0); size as usize], references: Vec::new() }
    }
}

/// The address of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Address {
    /// A cell of the model.
    Cell(usize),
    /// A local cell of one of the frames.
    Local { frame: usize, slot: usize },
}

/// Alternatives, each in a part of the states; on a path the parts are disjoint and cover it.
#[derive(Clone, Debug)]
pub(crate) struct Options<T>(pub(crate) Vec<(T, Bdd)>);

/// Addresses with offsets.
pub(crate) trait Distance: Copy {
    fn plus(self, distance: usize) -> Self;
}

impl Distance for usize {
    fn plus(self, distance: usize) -> Self {
        self + distance
    }
}

impl Distance for Address {
    fn plus(self, distance: usize) -> Self {
        match self {
            Self::Cell(cell) => Self::Cell(cell + distance),
            Self::Local { frame, slot } => Self::Local { frame, slot: slot + distance },
        }
    }
}

impl<T: Distance> Options<T> {
    pub(crate) fn plus(&self, distance: usize) -> Self {
        Self(self.0.iter().map(|(item, here)| (item.plus(distance), here.clone())).collect())
    }

    /// Each alternative, with the offsets of the others added.
    fn plus_each(&self, distances: &Options<usize>) -> BddResult<Self> {
        let mut options = Vec::new();
        for (item, here) in &self.0 {
            for (distance, there) in &distances.0 {
                let both = here.and(there)?;
                if !both.is_no() {
                    options.push((item.plus(*distance), both));
                }
            }
        }
        Ok(Self(options))
    }
}

impl Interpreter<'_> {
    fn certainly<T>(&self, item: T) -> Options<T> {
        Options(vec![(item, self.setting.bdds.yes())])
    }

    /// The address of a cell expression.
    pub(crate) fn address(&mut self, place: &CellPlace) -> Interruptible<Options<Address>> {
        let steps = self.steps(&place.indices)?;
        let top = self.frames.len() - 1;
        let root = match place.root {
            Root::Global(cell) => self.certainly(Address::Cell(cell.index())),
            Root::Local(slot) => self.certainly(Address::Local { frame: top, slot: slot as usize }),
            Root::Reference(number) => match &self.frames[top].references[number as usize] {
                Reference::Cells(cells) => cells.clone(),
                Reference::Clocks(_) => return refuse("a clock is used as a number"),
            },
        };
        Ok(root.plus(place.offset as usize).plus_each(&steps)?)
    }

    /// The index of a clock.
    pub(crate) fn clock(&mut self, place: &ClockPlace) -> Interruptible<Options<usize>> {
        let steps = self.steps(&place.indices)?;
        let top = self.frames.len() - 1;
        let root = match place.root {
            Root::Global(clock) => self.certainly(clock.index()),
            Root::Reference(number) => match &self.frames[top].references[number as usize] {
                Reference::Clocks(clocks) => clocks.clone(),
                Reference::Cells(_) => return refuse("a number is used as a clock"),
            },
            Root::Local(_) => return refuse("a clock is local"),
        };
        Ok(root.plus(place.offset as usize).plus_each(&steps)?)
    }

    /// The offset of array indices.
    pub(crate) fn steps(&mut self, indices: &[IndexStep]) -> Interruptible<Options<usize>> {
        let mut sum = self.certainly(0);
        for step in indices {
            let index = self.value(step.index)?;
            self.must_be_within(&index, step.range)?;
            let cases = self.cases(&index, "an index")?;
            let distance = |value: i64| (value - i64::from(step.range.min)) as usize * step.stride as usize;
            let cases = cases.into_iter().map(|(value, here)| (distance(value), here)).collect();
            sum = sum.plus_each(&Options(cases))?;
            if sum.0.len() > CASES_MAX {
                return refuse(format!("an array access has more than {CASES_MAX} possible cells"));
            }
        }
        Ok(sum)
    }

    /// The value of a cell.
    pub(crate) fn read(&self, address: &Options<Address>) -> Interruptible<Word> {
        let mut cases = address.0.iter();
        let Some((first, _)) = cases.next() else { return Ok(self.words.constant(0)) };
        let mut value = self.load(*first)?;
        for (address, here) in cases {
            value = self.words.choose(here, &self.load(*address)?, &value)?;
        }
        Ok(value)
    }

    fn load(&self, address: Address) -> Interruptible<Word> {
        let setting = self.setting;
        match address {
            Address::Local { frame, slot } => Ok(self.frames[frame].locals[slot].clone()),
            Address::Cell(cell) => {
                let id = CellId::from_index(cell);
                let slot = setting.layout.slot(id);
                if let Some(word) = self.cells.get(&slot) {
                    return Ok(word.clone());
                }
                let cell = &setting.model.cells[id];
                match cell.kind {
                    CellKind::State => Ok(setting.fields.word(setting.bdds, slot)?),
                    CellKind::Meta | CellKind::Constant => Ok(self.words.constant(cell.initial.into())),
                }
            }
        }
    }

    /// Writes a value that must be within a range.
    pub(crate) fn write(&mut self, address: &Options<Address>, value: &Word, range: Range) -> Interruptible {
        self.must_be_within(value, range)?;
        self.put(address, value)
    }

    /// Writes a value. States that have left the path for good do not matter.
    pub(crate) fn put(&mut self, address: &Options<Address>, value: &Word) -> Interruptible {
        let everywhere = self.path == self.whole;
        for (target, here) in &address.0 {
            let here = if everywhere { here.clone() } else { here.and(&self.path)? };
            let new = if here.is_yes() {
                value.clone()
            } else {
                self.words.choose(&here, value, &self.load(*target)?)?
            };
            match *target {
                Address::Local { frame, slot } => self.frames[frame].locals[slot] = new,
                Address::Cell(cell) => {
                    let slot = self.setting.layout.slot(CellId::from_index(cell));
                    self.cells.insert(slot, new);
                }
            }
        }
        Ok(())
    }
}
