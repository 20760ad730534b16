//! Takes away from a transition's zone where it must not be taken, though its own guards hold.
//!
//! A transition of higher priority that can be taken at the same point forbids it. What is forbidden is a zone each time,
//! what remains is a federation, and each of its zones goes on through the pipeline on its own.
//!
//! A transition can be taken at a point if its clock guards hold there and the invariants of where it leads hold
//! after its resets: the second is the weakest precondition of the invariants, computed backwards through the
//! resets. No transition of higher priority that merely looks enabled blocks another.

use tourbillon_dbm::{Dbm, Federation};
use tourbillon_system::{Machine, RuntimeError, System};

use crate::combine::{Combinations, Source};
use crate::enumerate::Transition;
use crate::graph::select;
use crate::situation::Situation;
use crate::update::Write;
use crate::{guard, invariant, negative, update};

/// Scratch memory.
#[derive(Debug)]
pub(crate) struct Excluder {
    preconditions: Preconditions,
    combinations: Combinations,
}

#[derive(Debug)]
struct Preconditions {
    next: Vec<i32>,
    writes: Vec<Write>,
    situation: Situation,
}

impl Excluder {
    pub(crate) fn new(system: &System) -> Self {
        let next = system.initial.clone();
        Self {
            preconditions: Preconditions { next, writes: Vec::new(), situation: Situation::default() },
            combinations: Combinations::new(system),
        }
    }

    /// Where a transition can be taken, of the zone that its own guards leave.
    pub(crate) fn apply(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        place: usize,
        guarded: &Dbm,
    ) -> Result<Federation, RuntimeError> {
        let mut rest = Federation::from(guarded.clone());
        if !source.system.has_priorities {
            return Ok(rest);
        }
        let priority = source.list.get(place).priority;
        for other in (0..source.list.listed()).map(|other| source.list.get(other)) {
            if other.priority > priority && !rest.is_empty() {
                rest.subtract(&self.enabled(source, machine, locals, other)?);
            }
        }
        let within = Source { zone: guarded, ..source };
        self.each_combined(
            within,
            machine,
            locals,
            &mut rest,
            (|channel| channel >= priority.0, false),
            |rest, enabled, other| {
                if other > priority {
                    rest.subtract_zone(&enabled);
                }
            },
        )?;
        Ok(rest)
    }

    /// Takes away where steps of synchronisations can be taken, or, if time can pass, where they can be waited for.
    pub(crate) fn subtract_combined(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        may_wait: bool,
        rest: &mut Federation,
    ) -> Result<(), RuntimeError> {
        self.each_combined(source, machine, locals, rest, (|_| true, may_wait), |rest, mut enabled, _| {
            if may_wait {
                enabled.down();
            }
            rest.subtract_zone(&enabled);
        })
    }

    /// Hands the zones in which steps of synchronisations can be taken, with their priorities, to `take`, as long as
    /// something is left to take them from; only those from which, or before which, some of that is left.
    fn each_combined(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        rest: &mut Federation,
        (counts, may_wait): (impl Fn(u32) -> bool, bool),
        mut take: impl FnMut(&mut Federation, Dbm, (u32, u32)),
    ) -> Result<(), RuntimeError> {
        if source.list.synchronisations.is_empty() {
            return Ok(());
        }
        let Self { preconditions, combinations } = self;
        combinations.begin();
        while !rest.is_empty()
            && combinations.advance(
                source,
                machine,
                locals,
                |synchronisation| counts(synchronisation.priority),
                |zone| reaches(zone, may_wait, rest),
            )?
        {
            let transition = combinations.transition(source.system, source.list);
            let zone = combinations.zone.clone();
            for enabled in preconditions.cut(source, machine, locals, transition, zone)?.zones() {
                take(rest, enabled.clone(), transition.priority);
            }
        }
        Ok(())
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
        for &fired in transition.fired {
            select(locals, source.system, transition, fired);
            let clocks = &system.edges[fired.edge].clocks;
            if !guard::apply(system, machine, clocks, source.memory, locals, &mut zone)? {
                return Ok(Federation::empty(system.dimension));
            }
        }
        self.preconditions.cut(source, machine, locals, transition, zone)
    }
}

/// Whether a point of the zone, or one from which it is reached by waiting, is in the federation.
fn reaches(zone: &Dbm, may_wait: bool, rest: &Federation) -> bool {
    let mut past = zone.clone();
    if may_wait {
        past.down();
    }
    rest.zones().iter().any(|part| part.clone().intersect(&past))
}

impl Preconditions {
    /// Cuts the zone that a transition's guards leave down to where the invariants of its target hold after it.
    fn cut(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        transition: Transition<'_>,
        mut zone: Dbm,
    ) -> Result<Federation, RuntimeError> {
        let system = source.system;
        let (next, writes) = (&mut self.next, &mut self.writes);
        let updated = update::data(system, machine, transition, source.memory, next, locals, writes);
        if let Err(error) = updated {
            if error.is_cancelled() {
                return Err(error);
            }
            // That it goes wrong is found when it is taken; until then it is a step that is possible.
            return Ok(Federation::from(zone));
        }
        let mut enabled = Federation::empty(system.dimension);
        // So is a step that goes wrong at some points only.
        negative::add_failing(system.negative_clock, &self.writes, &zone, &mut enabled);
        if let Some(before) = self.entered_from(system, machine, locals)?
            && zone.intersect(&before)
        {
            enabled.add(zone);
        }
        Ok(enabled)
    }

    /// From where the writes lead into the invariants of the discrete state at hand.
    fn entered_from(
        &mut self,
        system: &System,
        machine: &mut Machine,
        locals: &mut [i32],
    ) -> Result<Option<Dbm>, RuntimeError> {
        self.situation.gather(system, &self.next);
        let situation = &self.situation;
        if !invariant::holds(system, machine, situation, &self.next, locals)? {
            return Ok(None);
        }
        let mut target = Dbm::universal(system.dimension);
        if !invariant::apply(system, machine, situation, &self.next, locals, &mut target)? {
            return Ok(None);
        }
        Ok(update::before(&self.writes, target))
    }
}
