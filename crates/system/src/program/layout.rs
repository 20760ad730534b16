//! The memory layout of discrete states.
//!
//! One flat slice of integers holds all that a program reads and writes:
//!
//! ```text
//!  0            processes       fields            meta.end           len
//!  ├─ locations ──┼─ state cells ──┼─ meta cells ────┼─ constant cells ─┤
//!  └────── what tells states apart ┘
//! ```
//!
//! What identifies a state is a prefix, so that a store copies and hashes it as it is. Meta cells come next,
//! since they are set back together; constants are there only to be indexed and passed by reference, all
//! other uses being folded away. Within a class cells keep their order, and as all cells of a variable are of
//! one class, an array lies in one piece and an address in it is a sum.

use tourbillon_base::{Id, IdVec};
use tourbillon_model::{CellId, CellKind, Model, Range};

/// The maximum length of a memory: addresses, with those of local cells after them, stay within 31 bits.
const LEN_MAX: usize = 1 << 30;

/// The positions of the locations and cells of a model in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    processes: usize,
    fields: usize,
    /// The values of meta cells between transitions.
    meta: Vec<i32>,
    slots: IdVec<CellId, u32>,
}

impl Layout {
    /// Lays out a model.
    ///
    /// # Panics
    /// If it has more than 2^30 cells and processes.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let processes = model.processes.len();
        assert!(processes + model.cells.len() <= LEN_MAX, "a model with more than 2^30 cells");
        let mut slots: IdVec<CellId, u32> = model.cells.iter().map(|_| 0).collect();
        let mut next = processes;
        let mut place = |kind: CellKind| {
            for (id, _) in model.cells.enumerate().filter(|(_, cell)| cell.kind == kind) {
                slots[id] = next as u32;
                next += 1;
            }
            next
        };
        let fields = place(CellKind::State);
        place(CellKind::Meta);
        place(CellKind::Constant);
        let meta = model.cells.iter().filter(|cell| cell.kind == CellKind::Meta);
        let layout = Self { processes, fields, meta: meta.map(|cell| cell.initial).collect(), slots };
        debug_assert!(layout.keeps_variables_together(model), "a variable with cells of two kinds");
        layout
    }

    fn keeps_variables_together(&self, model: &Model) -> bool {
        let cells = model.variables.iter().filter_map(|variable| Some((variable.first.ok()?, variable)));
        cells.into_iter().all(|(first, variable)| {
            let run = first.index()..first.index() + variable.ty.size() as usize;
            run.clone()
                .all(|cell| self.slot(CellId::from_index(cell)) == self.slot(first) + (cell - run.start))
        })
    }

    /// The number of processes; the location of each is in the slot with its index.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.processes
    }

    /// The number of slots that identify a discrete state: the first ones, locations and state cells.
    #[must_use]
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// The number of slots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.processes + self.slots.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slot of a cell.
    #[must_use]
    pub fn slot(&self, cell: CellId) -> usize {
        self.slots[cell] as usize
    }

    /// The slots of meta cells.
    #[must_use]
    pub fn meta(&self) -> std::ops::Range<usize> {
        self.fields..self.fields + self.meta.len()
    }

    /// Resets the meta cells to their initial values.
    #[inline]
    pub fn reset_meta(&self, memory: &mut [i32]) {
        memory[self.meta()].copy_from_slice(&self.meta);
    }

    /// The memory of the initial state.
    #[must_use]
    pub fn initial_memory(&self, model: &Model) -> Vec<i32> {
        let mut memory = vec![0; self.len()];
        for (id, process) in model.processes.enumerate() {
            memory[id.index()] = process.initial.index() as i32;
        }
        for (id, cell) in model.cells.enumerate() {
            memory[self.slot(id)] = cell.initial;
        }
        memory
    }

    /// The ranges of the first [`Self::fields`] slots.
    #[must_use]
    pub fn ranges(&self, model: &Model) -> Vec<Range> {
        let locations = model.processes.iter().map(|process| process.locations.len() as i32);
        let mut ranges: Vec<Range> =
            locations.map(|count| Range { min: 0, max: (count - 1).max(0) }).collect();
        let state = model.cells.iter().filter(|cell| cell.kind == CellKind::State);
        ranges.extend(state.map(|cell| cell.range));
        ranges
    }
}
