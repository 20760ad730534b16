//! Removes from the zone of a transition the valuations at which a transition of higher priority is enabled.
//!
//! Each such transition removes a zone; the result is a federation, and each of its zones continues through the
//! pipeline separately `[DavidHakanssonLarsenPettersson2006]`.
//!
//! A transition is enabled at a valuation if its clock guards hold there and the invariants of its target hold
//! after its updates. The second condition is the weakest precondition of the invariants, computed backwards through
//! the assignments to clocks. A transition of higher priority whose target violates an invariant blocks no other.

use tourbillon_dbm::{Dbm, Federation};
use tourbillon_system::{Machine, RuntimeError, System};

use crate::combine::{Combinations, Source};
use crate::enumerate::Transition;
use crate::graph::select;
use crate::location_vector::LocationVector;
use crate::update::Write;
use crate::{guard, invariant, negative, update};

/// Computes enabled sets and removes those of higher priority; reuses its memory.
#[derive(Debug)]
pub(crate) struct Excluder {
    preconditions: Preconditions,
    combinations: Combinations,
}

#[derive(Debug)]
struct Preconditions {
    next: Vec<i32>,
    writes: Vec<Write>,
    locations: LocationVector,
}

impl Excluder {
    pub(crate) fn new(system: &System) -> Self {
        let next = system.initial.clone();
        Self {
            preconditions: Preconditions { next, writes: Vec::new(), locations: LocationVector::default() },
            combinations: Combinations::new(system),
        }
    }

    /// The part of a transition's guarded zone in which no transition of higher priority is enabled.
    pub(crate) fn apply(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        index: usize,
        guarded: &Dbm,
    ) -> Result<Federation, RuntimeError> {
        let mut rest = Federation::from(guarded.clone());
        if !source.system.has_priorities {
            return Ok(rest);
        }
        let priority = source.list.get(index).priority;
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

    /// Subtracts the valuations at which a combination of a synchronisation is enabled, and, if time can pass, those from
    /// which a delay leads there.
    pub(crate) fn subtract_combined(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        may_delay: bool,
        rest: &mut Federation,
    ) -> Result<(), RuntimeError> {
        self.each_combined(source, machine, locals, rest, (|_| true, may_delay), |rest, mut enabled, _| {
            if may_delay {
                enabled.down();
            }
            rest.subtract_zone(&enabled);
        })
    }

    /// Calls `take` with the zones in which combinations of synchronisations are enabled, and their priorities, until `rest`
    /// is empty. Zones that cannot change `rest` are skipped: those that, with their past if time can pass, do not intersect it.
    fn each_combined(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        rest: &mut Federation,
        (counts, may_delay): (impl Fn(u32) -> bool, bool),
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
                |zone| reaches(zone, may_delay, rest),
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

    /// The part of the zone in which a transition is enabled, without regard to priorities.
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

/// Whether the zone, or its past if time can pass, intersects the federation.
fn reaches(zone: &Dbm, may_delay: bool, rest: &Federation) -> bool {
    let mut past = zone.clone();
    if may_delay {
        past.down();
    }
    rest.zones().iter().any(|part| part.clone().intersect(&past))
}

impl Preconditions {
    /// Intersects the guarded zone of a transition with the weakest precondition of the invariants of its target.
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
            // The error is reported when the transition is taken; until then it counts as enabled.
            return Ok(Federation::from(zone));
        }
        let mut enabled = Federation::empty(system.dimension);
        // So does one that fails for some valuations only.
        negative::add_failing(system.negative_clock, &self.writes, &zone, &mut enabled);
        if let Some(before) = self.entered_from(system, machine, locals)?
            && zone.intersect(&before)
        {
            enabled.add(zone);
        }
        Ok(enabled)
    }

    /// The weakest precondition of the invariants of the target state; nothing if it is empty.
    fn entered_from(
        &mut self,
        system: &System,
        machine: &mut Machine,
        locals: &mut [i32],
    ) -> Result<Option<Dbm>, RuntimeError> {
        self.locations.gather(system, &self.next);
        let locations = &self.locations;
        if !invariant::holds(system, machine, locations, &self.next, locals)? {
            return Ok(None);
        }
        let mut target = Dbm::universal(system.dimension);
        if !invariant::apply(system, machine, locations, &self.next, locals, &mut target)? {
            return Ok(None);
        }
        Ok(update::before(&self.writes, target))
    }
}
