//! Addresses of cells, clocks and channels: constants, and sums of indices.
//!
//! Constant indices become part of the address. An index out of range fails where the interpreter fails: after the
//! evaluation of earlier indices, before that of later ones.

use tourbillon_base::Id;
use tourbillon_model::{BinaryOp, CellPlace, ClockPlace, EvalErrorKind, IndexStep, Root};

use super::builder::{Emitted, ProgramBuilder};
use super::op::Op;

/// The address of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellLocation {
    /// At a slot of memory.
    Memory(u32),
    /// At a cell of the frame.
    Frame(u32),
    /// At the address in the accumulator.
    Address,
}

/// The offset of indices.
struct IndexOffsets {
    /// The constant part.
    fixed: u32,
    /// Whether the accumulator has a computed part.
    computed: bool,
}

impl ProgramBuilder<'_> {
    /// The address of a cell expression, if no index must be computed and no reference followed.
    pub(super) fn fixed_spot(&self, place: &CellPlace) -> Option<CellLocation> {
        let steps = place.indices.iter().try_fold(0, |sum, step| Some(sum + self.fixed_step(step)?))?;
        self.spot(place, steps)
    }

    fn spot(&self, place: &CellPlace, steps: u32) -> Option<CellLocation> {
        match place.root {
            Root::Global(cell) => {
                Some(CellLocation::Memory(self.layout.slot(cell) as u32 + place.offset + steps))
            }
            Root::Local(slot) => Some(CellLocation::Frame(slot + place.offset + steps)),
            Root::Reference(_) => None,
        }
    }

    /// The offset of a constant index within its range.
    fn fixed_step(&self, step: &IndexStep) -> Option<u32> {
        let index = self.constant(step.index).filter(|&index| step.range.contains(index))?;
        Some(index.abs_diff(step.range.min) * step.stride)
    }

    /// Leaves the value of a cell in the accumulator.
    pub(super) fn emit_load(&mut self, place: &CellPlace) -> Emitted {
        if let Some((spot, step)) = self.only_step(place) {
            self.emit(step.index)?;
            let (low, last) = (step.range.min, step.range.max.abs_diff(step.range.min));
            let op = match spot {
                CellLocation::Memory(first) => Op::LoadMemoryIndexed { first, low, last },
                CellLocation::Frame(first) => Op::LoadFrameIndexed { first, low, last },
                CellLocation::Address => unreachable!("a fixed place"),
            };
            self.asm.push_at(self.model.exprs[step.index].span, op);
            return Ok(());
        }
        if let (Root::Reference(number), true) = (place.root, place.indices.is_empty()) {
            let slot = self.context.reference(number);
            self.asm.push(Op::LoadReference { slot, offset: place.offset });
            return Ok(());
        }
        let op = match self.emit_spot(place)? {
            CellLocation::Memory(slot) => Op::LoadMemory(slot),
            CellLocation::Frame(slot) => Op::LoadFrame(slot),
            CellLocation::Address => Op::LoadAt { offset: 0 },
        };
        self.asm.push(op);
        Ok(())
    }

    /// The index to compute, if there is only one and its cells are contiguous; and the first cell.
    fn only_step<'p>(&self, place: &'p CellPlace) -> Option<(CellLocation, &'p IndexStep)> {
        let mut computed = place.indices.iter().filter(|step| self.fixed_step(step).is_none());
        let step = computed.next().filter(|step| step.stride == 1)?;
        if computed.next().is_some() || self.constant(step.index).is_some() {
            return None;
        }
        let fixed = place.indices.iter().filter_map(|step| self.fixed_step(step)).sum();
        Some((self.spot(place, fixed)?, step))
    }

    /// Computes the address of a cell.
    pub(super) fn emit_spot(&mut self, place: &CellPlace) -> Emitted<CellLocation> {
        let IndexOffsets { fixed, computed } = self.emit_steps(&place.indices)?;
        let spot = self.spot(place, fixed);
        match (spot, computed) {
            (Some(spot), false) => return Ok(spot),
            (Some(CellLocation::Memory(slot)), true) => self.emit_plus(slot),
            (Some(CellLocation::Frame(slot)), true) => self.asm.push(Op::FrameAddress(slot)),
            (Some(CellLocation::Address), _) => unreachable!("a fixed place"),
            (None, _) => {
                let Root::Reference(number) = place.root else { unreachable!("only references move") };
                self.emit_from_reference(number, place.offset + fixed, computed);
            }
        }
        Ok(CellLocation::Address)
    }

    /// Leaves the address of a cell in the accumulator.
    pub(super) fn emit_address(&mut self, place: &CellPlace) -> Emitted {
        match self.emit_spot(place)? {
            CellLocation::Memory(slot) => self.asm.push(Op::Constant(slot as i32)),
            CellLocation::Frame(slot) => self.emit_frame_address(slot),
            CellLocation::Address => {}
        }
        Ok(())
    }

    /// Leaves the address of a cell of the frame in the accumulator.
    pub(super) fn emit_frame_address(&mut self, slot: u32) {
        self.asm.push(Op::Constant(0));
        self.asm.push(Op::FrameAddress(slot));
    }

    /// Leaves the index of a clock in the accumulator.
    pub(super) fn emit_clock(&mut self, place: &ClockPlace) -> Emitted {
        match place.root {
            Root::Global(clock) => self.emit_element(clock.index() as u32 + place.offset, &place.indices),
            Root::Reference(number) => {
                let IndexOffsets { fixed, computed } = self.emit_steps(&place.indices)?;
                self.emit_from_reference(number, place.offset + fixed, computed);
                Ok(())
            }
            Root::Local(_) => unreachable!("clocks are never local"),
        }
    }

    /// The clock, if no index must be computed and no reference followed.
    pub(super) fn fixed_clock(&self, place: &ClockPlace) -> Option<u32> {
        let Root::Global(clock) = place.root else { return None };
        let steps = place.indices.iter().try_fold(0, |sum, step| Some(sum + self.fixed_step(step)?))?;
        Some(clock.index() as u32 + place.offset + steps)
    }

    /// Leaves the index of an array element in the accumulator, given that of the first.
    pub(super) fn emit_element(&mut self, first: u32, indices: &[IndexStep]) -> Emitted {
        match self.emit_steps(indices)? {
            IndexOffsets { fixed, computed: true } => self.emit_plus(first + fixed),
            IndexOffsets { fixed, computed: false } => self.asm.push(Op::Constant((first + fixed) as i32)),
        }
        Ok(())
    }

    /// Adds an offset, and the accumulator if it has a computed one, to the target of a reference.
    fn emit_from_reference(&mut self, number: u32, distance: u32, computed: bool) {
        let slot = self.context.reference(number);
        self.asm.push(match computed {
            true => Op::WithFrame { op: BinaryOp::Add, slot },
            false => Op::LoadFrame(slot),
        });
        self.emit_plus(distance);
    }

    fn emit_plus(&mut self, distance: u32) {
        if distance > 0 {
            self.asm.push(Op::WithConstant { op: BinaryOp::Add, value: distance as i32 });
        }
    }

    fn emit_steps(&mut self, indices: &[IndexStep]) -> Emitted<IndexOffsets> {
        let depth = self.asm.depth();
        let (mut fixed, mut computed) = (0, false);
        for step in indices {
            if let Some(steps) = self.fixed_step(step) {
                fixed += steps;
                continue;
            }
            let sum = computed.then(|| self.asm.save());
            self.emit_step(step)?;
            if let Some(slot) = sum {
                self.asm.push(Op::WithFrame { op: BinaryOp::Add, slot });
            }
            computed = true;
        }
        self.asm.release(depth);
        Ok(IndexOffsets { fixed, computed })
    }

    fn emit_step(&mut self, step: &IndexStep) -> Emitted {
        let span = self.model.exprs[step.index].span;
        if let Some(index) = self.constant(step.index) {
            self.emit_failure(EvalErrorKind::Index(index, step.range), span);
            return Ok(());
        }
        self.emit(step.index)?;
        let (low, last) = (step.range.min, step.range.max.abs_diff(step.range.min));
        self.asm.push_at(span, Op::Index { low, last, stride: step.stride });
        Ok(())
    }
}
