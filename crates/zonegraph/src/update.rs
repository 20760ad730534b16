//! Third stage: the effect of a transition on data and clocks `[BengtssonYi2004]`.
//!
//! Updates run edge by edge in the order of the transition: the sender's before those of the receivers, which are in
//! system order. Locations change after all updates, since no update reads them. Data never depends on clocks: data is
//! updated first, the assignments to clocks are recorded in order, and then applied to the zone.
//!
//! Invariant: meta variables have their initial values after a transition, so that they never distinguish two states.

use tourbillon_base::{Id, Span};
use tourbillon_dbm::{Clock, Constant, Dbm};
use tourbillon_model::EvalErrorKind;
use tourbillon_system::{ClockWrite, CodeId, Machine, RuntimeError, System};

use crate::enumerate::Transition;

/// An assignment to a clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Write {
    /// The clock becomes the constant.
    Reset(Clock, Constant),
    /// The first clock becomes the second, which may be the same, plus the constant.
    Assign(Clock, Clock, Constant),
}

/// The assignments that turn the valuation with all clocks 0 into the initial valuation.
pub(crate) fn initial_writes(system: &System) -> impl Iterator<Item = Write> {
    system.initial_clocks.iter().map(|&(clock, value)| Write::Reset(clock, value))
}

/// The zone that contains only the initial valuation of the clocks.
#[must_use]
pub fn initial_zone(system: &System) -> Dbm {
    let mut zone = Dbm::zero(system.dimension);
    system.initial_clocks.iter().for_each(|&(clock, value)| zone.reset(clock, value));
    zone
}

/// Writes the discrete state after a transition into `next`, and its assignments to clocks into `writes`.
#[inline]
pub(crate) fn data(
    system: &System,
    machine: &mut Machine,
    transition: Transition<'_>,
    memory: &[i32],
    next: &mut [i32],
    locals: &mut [i32],
    writes: &mut Vec<Write>,
) -> Result<(), RuntimeError> {
    data_watched(system, machine, transition, memory, (next, locals, writes), &mut |_, _| {})
}

/// As [`data`]; calls `watch` after each program that has run, with the number of writes before it.
#[inline]
pub(crate) fn data_watched(
    system: &System,
    machine: &mut Machine,
    transition: Transition<'_>,
    memory: &[i32],
    (next, locals, writes): (&mut [i32], &mut [i32], &mut Vec<Write>),
    watch: &mut impl FnMut(&Machine, usize),
) -> Result<(), RuntimeError> {
    let fields = system.layout.fields();
    next[..fields].copy_from_slice(&memory[..fields]);
    writes.clear();
    let span = transition.fired.first().map(|fired| system.edges[fired.edge].span);
    if let (Some(code), Some(span)) = (system.before_update, span) {
        run(system, machine, (code, span), next, locals, writes, watch)?;
    }
    for &fired in transition.fired {
        let edge = &system.edges[fired.edge];
        if let Some(code) = edge.update {
            for (&(local, _), &value) in edge.selects.iter().zip(transition.selected(fired, system)) {
                locals[local as usize] = value;
            }
            run(system, machine, (code, edge.span), next, locals, writes, watch)?;
        }
        writes.extend(edge.resets.iter().map(|&(clock, value)| Write::Reset(clock, value)));
    }
    if let (Some(code), Some(span)) = (system.after_update, span) {
        run(system, machine, (code, span), next, locals, writes, watch)?;
    }
    for fired in transition.fired {
        let edge = &system.edges[fired.edge];
        next[edge.process.index()] = edge.target;
    }
    system.layout.reset_meta(next);
    Ok(())
}

fn run(
    system: &System,
    machine: &mut Machine,
    (code, span): (CodeId, Span),
    memory: &mut [i32],
    locals: &mut [i32],
    writes: &mut Vec<Write>,
    watch: &mut impl FnMut(&Machine, usize),
) -> Result<(), RuntimeError> {
    machine.forget_clock_writes();
    machine.run(&system.program, code, memory, locals)?;
    watch(machine, writes.len());
    for &ClockWrite { target, source, value } in &machine.clock_writes {
        let target = Clock::from_index(target as usize + 1);
        let value = Constant::new(value.into())
            .map_err(|_| RuntimeError { kind: EvalErrorKind::ClockTooLarge(value), span })?;
        writes.push(match source {
            None => Write::Reset(target, value),
            Some(source) => Write::Assign(target, Clock::from_index(source as usize + 1), value),
        });
    }
    Ok(())
}

/// Applies assignments to a zone. Returns false if the result is empty: clocks are never negative, so that valuations
/// with `y < 3` have no successor by `x := y - 3`. In a language in which the model fails there, `negative.rs` has
/// reported them before.
#[inline]
pub fn clocks(writes: &[Write], zone: &mut Dbm) -> bool {
    writes.iter().all(|write| match *write {
        Write::Reset(_, value) if value < Constant::ZERO => false,
        Write::Reset(clock, value) => {
            zone.reset(clock, value);
            true
        }
        Write::Assign(target, source, value) => zone.assign(target, source, value),
    })
}

/// The weakest precondition: the valuations from which the assignments lead into the zone; nothing if it is empty.
#[must_use]
pub fn before(writes: &[Write], zone: Dbm) -> Option<Dbm> {
    writes.iter().rev().try_fold(zone, |zone, write| match *write {
        Write::Reset(_, value) if value < Constant::ZERO => None,
        Write::Reset(clock, value) => zone.before_reset(clock, value),
        Write::Assign(target, source, value) => zone.before_assign(target, source, value),
    })
}
