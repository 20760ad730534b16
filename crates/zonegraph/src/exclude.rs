//! Takes away from a transition's zone where it must not be taken, though its own guards hold.
//!
//! Two things forbid a transition: one of higher priority that can be taken at the same point, and a receiver of
//! a broadcast that was left out although its guard holds there. What is forbidden is a zone each time, what
//! remains is a federation, and each of its zones goes on through the pipeline on its own.
//!
//! A transition can be taken at a point if its clock guards hold there and the invariants of where it leads hold
//! after its resets: the second is the weakest precondition of the invariants, computed backwards through the
//! resets. No transition of higher priority that merely looks enabled blocks another.

use tourbillon_dbm::{Dbm, Federation};
use tourbillon_system::{Machine, RuntimeError, System};

use crate::enumerate::{Transition, Transitions};
use crate::graph::select;
use crate::situation::Situation;
use crate::update::Write;
use crate::{guard, invariant, update};

/// Scratch memory.
#[derive(Debug)]
pub(crate) struct Excluder {
    next: Vec<i32>,
    writes: Vec<Write>,
    situation: Situation,
}

/// What is read.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) system: &'a System,
    pub(crate) memory: &'a [i32],
    pub(crate) zone: &'a Dbm,
    pub(crate) list: &'a Transitions,
}

impl Excluder {
    pub(crate) fn new(memory: &[i32]) -> Self {
        Self { next: memory.to_vec(), writes: Vec::new(), situation: Situation::default() }
    }

    /// Where a transition can be taken, of the zone that its own guards leave.
    pub(crate) fn apply(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        ordinal: usize,
        guarded: &Dbm,
    ) -> Result<Federation, RuntimeError> {
        let transition = source.list.get(ordinal);
        let mut rest = Federation::from(guarded.clone());
        bar(source, machine, locals, transition, &mut rest)?;
        if source.system.has_priorities {
            for other in (0..source.list.len()).map(|other| source.list.get(other)) {
                if other.priority > transition.priority && !rest.is_empty() {
                    rest.subtract(&self.enabled(source, machine, locals, other)?);
                }
            }
        }
        Ok(rest)
    }

    /// Where in the zone a transition can be taken, priorities aside.
    pub(crate) fn enabled(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        transition: Transition<'_>,
    ) -> Result<Federation, RuntimeError> {
        let system = source.system;
        let mut zone = source.zone.clone();
        let nowhere = Ok(Federation::empty(system.dimension));
        for &fired in transition.fired {
            select(locals, source.system, transition, fired);
            let clocks = &system.edges[fired.edge].clocks;
            if !guard::apply(system, machine, clocks, source.memory, locals, &mut zone)? {
                return nowhere;
            }
        }
        let (next, writes) = (&mut self.next, &mut self.writes);
        if update::data(system, machine, transition, source.memory, next, locals, writes).is_err() {
            // That it goes wrong is found when it is taken; until then it is a step that is possible.
            let mut enabled = Federation::from(zone);
            bar(source, machine, locals, transition, &mut enabled)?;
            return Ok(enabled);
        }
        self.situation.gather(system, &self.next);
        let situation = &self.situation;
        if !invariant::holds(system, machine, situation, &self.next, locals)? {
            return nowhere;
        }
        let mut target = Dbm::universal(system.dimension);
        if !invariant::apply(system, machine, situation, &self.next, locals, &mut target)? {
            return nowhere;
        }
        let Some(before) = update::before(&self.writes, target) else { return nowhere };
        if !zone.intersect(&before) {
            return nowhere;
        }
        let mut enabled = Federation::from(zone);
        bar(source, machine, locals, transition, &mut enabled)?;
        Ok(enabled)
    }
}

/// Takes away where receivers that were left out would receive.
fn bar(
    source: Source<'_>,
    machine: &mut Machine,
    locals: &mut [i32],
    transition: Transition<'_>,
    rest: &mut Federation,
) -> Result<(), RuntimeError> {
    for &fired in transition.barred {
        let mut zone = source.zone.clone();
        select(locals, source.system, transition, fired);
        let clocks = &source.system.edges[fired.edge].clocks;
        if guard::apply(source.system, machine, clocks, source.memory, locals, &mut zone)? {
            rest.subtract_zone(&zone);
        }
    }
    Ok(())
}
