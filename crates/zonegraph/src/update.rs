//! Third stage: what a transition does to data and clocks.
//!
//! Updates run edge by edge in the order of the transition: the sender's before the receivers', those in system
//! order. Locations move after them, which no update can tell. Data never depends on clocks, so all data is updated first, and what
//! was done to clocks meanwhile is written down in order and then done to the zone. Meta variables have their
//! initial values again after the step, so that they never tell two states apart.

use tourbillon_base::{Id, Span};
use tourbillon_dbm::{Clock, Constant, Dbm};
use tourbillon_model::EvalErrorKind;
use tourbillon_system::{ClockWrite, CodeId, Machine, RuntimeError, System};

use crate::enumerate::Transition;

/// What is done to a clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Write {
    /// It is set to a constant.
    Reset(Clock, Constant),
    /// It is set to another, or itself, plus a constant.
    Assign(Clock, Clock, Constant),
}

/// What sets clocks that are all 0 to what they start at.
pub(crate) fn initial_writes(system: &System) -> impl Iterator<Item = Write> {
    system.initial_clocks.iter().map(|&(clock, value)| Write::Reset(clock, value))
}

/// What clocks show at the start.
#[must_use]
pub fn initial_zone(system: &System) -> Dbm {
    let mut zone = Dbm::zero(system.dimension);
    system.initial_clocks.iter().for_each(|&(clock, value)| zone.reset(clock, value));
    zone
}

/// Writes the discrete state after a transition into `next`, and what is done to clocks into `writes`.
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

/// The same; calls `watch` after each piece of code that has run, with how many writes there were before it.
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
    let place = transition.fired.first().map(|fired| system.edges[fired.edge].span);
    if let (Some(code), Some(place)) = (system.before_update, place) {
        run(system, machine, (code, place), next, locals, writes, watch)?;
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
    if let (Some(code), Some(place)) = (system.after_update, place) {
        run(system, machine, (code, place), next, locals, writes, watch)?;
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
    (code, place): (CodeId, Span),
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
            .map_err(|_| RuntimeError { kind: EvalErrorKind::ClockTooLarge(value), span: place })?;
        writes.push(match source {
            None => Write::Reset(target, value),
            Some(source) => Write::Assign(target, Clock::from_index(source as usize + 1), value),
        });
    }
    Ok(())
}

/// Does to the zone what was done to clocks. Returns whether anything is left: a clock is never negative, so
/// what `x := y - 3` would make so is cut off. In a language in which the model fails there, that was looked for before
/// (`negative.rs`).
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

/// The points from which the writes lead into the zone; nothing if there are none.
#[must_use]
pub fn before(writes: &[Write], zone: Dbm) -> Option<Dbm> {
    writes.iter().rev().try_fold(zone, |zone, write| match *write {
        Write::Reset(_, value) if value < Constant::ZERO => None,
        Write::Reset(clock, value) => zone.before_reset(clock, value),
        Write::Assign(target, source, value) => zone.before_assign(target, source, value),
    })
}
