//! Removes from the zone of a transition the valuations at which a transition of higher priority is enabled.
//!
//! Each such transition removes a zone; the result is a federation, and each of its zones continues through the
//! pipeline separately `[DavidHakanssonLarsenPettersson2006]`.
//!
//! A transition is enabled at a valuation if its clock guards hold there and the invariants of its target hold
//! after its updates. The second condition is the weakest precondition of the invariants, computed backwards through
//! the assignments to clocks. A transition of higher priority whose target violates an invariant blocks no other.

use tourbillon_base::mutants::{self, Mutant};
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
            combinations: Combinations::of_all_edges(system),
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
                |_, _| true,
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
            if !mutants::is(Mutant::BlockedBeyondGuard)
                && !guard::apply(system, machine, clocks, source.memory, locals, &mut zone)?
            {
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
        if !mutants::is(Mutant::BlockedBeyondInvariant)
            && !invariant::apply(system, machine, locations, &self.next, locals, &mut target)?
        {
            return Ok(None);
        }
        Ok(update::before(&self.writes, target))
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Id;
    use tourbillon_model::{BinaryOp, CellKind, ChannelKind, Language, ProcessId};

    use super::*;
    use crate::graph::{Options, ZoneGraph};
    use crate::testing::{Network, assert_points, range, satisfies, state};

    /// The parts of the universal zone in which a transition of the initial state can be taken.
    fn pieces(network: &Network, system: &System, index: usize) -> Vec<Dbm> {
        let mut graph = ZoneGraph::new(system, Options::exact(system));
        let mut state = state(system, &network.zone("true"));
        graph.prepare(&mut state).unwrap();
        graph.pieces(&state, index).unwrap()
    }

    /// Two processes with an edge each; the second has the higher priority, the guard `x >= 2`, resets `y`, and its target
    /// has an invariant.
    fn priorities(invariant: &str) -> (Network, System) {
        let mut network = Network::new(&["x", "y"]);
        let (low, high) = (network.process(2), network.process(2));
        let first = network.edge(low, 0, 1);
        network.guard(first, "x<=6");
        let second = network.edge(high, 0, 1);
        network.guard(second, "x>=2");
        network.reset(second, "y", 1);
        network.invariant(high, 1, invariant);
        network.model.processes[ProcessId::from_index(high)].priority = 1;
        let system = network.compile();
        (network, system)
    }

    #[test]
    fn a_transition_is_blocked_where_one_of_higher_priority_is_enabled() {
        let (network, system) = priorities("true");
        let (low, high) = (network.constraints("x<=6"), network.constraints("x>=2"));
        assert_points(&pieces(&network, &system, 0), 2, 7, |point| {
            satisfies(point, &low) && !satisfies(point, &high)
        });
        // The transition of higher priority is not blocked.
        assert_points(&pieces(&network, &system, 1), 2, 7, |point| satisfies(point, &high));
    }

    /// After the reset `y` is 1: the invariant `x <= 4, x - y <= 2` holds for `x <= 3`, whatever `y` was.
    #[test]
    fn a_transition_whose_target_violates_an_invariant_blocks_nothing() {
        let (network, system) = priorities("x<=4, x-y<=2");
        let (low, enabled) = (network.constraints("x<=6"), network.constraints("x>=2, x<=3"));
        assert_points(&pieces(&network, &system, 0), 2, 7, |point| {
            satisfies(point, &low) && !satisfies(point, &enabled)
        });
    }

    #[test]
    fn equal_priorities_block_nothing() {
        let (mut network, _) = priorities("true");
        network.model.processes[ProcessId::from_index(1)].priority = 0;
        let system = network.compile();
        assert!(!system.has_priorities);
        let low = network.constraints("x<=6");
        assert_points(&pieces(&network, &system, 0), 2, 7, |point| satisfies(point, &low));
    }

    /// A broadcast over a channel of high priority needs no receiver, but here its sender needs `y >= 3`. Which processes
    /// receive depends on `x`, and the receiver's target has the invariant `y <= 4`: where the receiver is enabled and `y > 4`,
    /// the broadcast is not.
    #[test]
    fn combinations_of_higher_priority_block_where_they_are_enabled() {
        let mut network = Network::new(&["x", "y"]);
        let channel = network.channel(ChannelKind::Broadcast);
        network.model.channels[channel].priority = 1;
        let (low, sender, receiver) = (network.process(1), network.process(1), network.process(2));
        network.edge(low, 0, 0);
        let send = network.edge(sender, 0, 0);
        network.send(send, channel);
        network.guard(send, "y>=3");
        let receive = network.edge(receiver, 0, 1);
        network.receive(receive, channel);
        network.guard(receive, "x>=2");
        network.invariant(receiver, 1, "y<=4");
        let system = network.compile();
        let [sent, received, invariant] = ["y>=3", "x>=2", "y<=4"].map(|text| network.constraints(text));
        assert_points(&pieces(&network, &system, 0), 2, 6, |point| {
            let enabled =
                satisfies(point, &sent) && (!satisfies(point, &received) || satisfies(point, &invariant));
            !enabled
        });
    }

    /// `y = x - 2` with an invariant `y <= 1` of the target: in a language in which a negative value is a failure, the
    /// transition counts as enabled for `x < 2`, so that the failure is found; otherwise it is disabled there.
    #[test]
    fn a_transition_that_fails_counts_as_enabled() {
        for language in [Language::Uppaal, Language::TChecker] {
            let mut network = Network::of_language(language, &["x", "y"]);
            let (low, high) = (network.process(1), network.process(2));
            network.edge(low, 0, 0);
            let edge = network.edge(high, 0, 1);
            network.assign(edge, "y", "x", -2);
            network.invariant(high, 1, "y<=1");
            network.model.processes[ProcessId::from_index(high)].priority = 1;
            let system = network.compile();
            let (fails, enabled) = (network.constraints("x<2"), network.constraints("x>=2, x<=3"));
            assert_points(&pieces(&network, &system, 0), 2, 5, |point| {
                let fails = language == Language::Uppaal && satisfies(point, &fails);
                !fails && !satisfies(point, &enabled)
            });
        }
    }

    /// For `x <= 1` a transition is enabled that sets a meta variable and then fails, and that one of higher priority blocks.
    /// The transition for `x >= 2` reads the meta variable, and its target has an invariant that holds for the initial value.
    #[test]
    fn a_failed_update_leaves_no_meta_variable_behind() {
        let mut network = Network::new(&["x"]);
        let v = network.cell(0);
        let meta = network.cell_of(0, range(0, 9), CellKind::Meta);
        let low = network.process(1);
        network.edge(low, 0, 0);
        let middle = network.process(2);
        let a = network.edge(middle, 0, 0);
        network.guard(a, "x<=1");
        let five = network.int(5);
        let first = network.set(&meta, five);
        let (one, zero) = (network.int(1), network.load(&v));
        let quotient = network.binary(BinaryOp::Divide, one, zero);
        let second = network.set(&v, quotient);
        network.update(a, first);
        network.update(a, second);
        let b = network.edge(middle, 0, 1);
        network.guard(b, "x>=2");
        let value = network.load(&meta);
        let third = network.set(&v, value);
        network.update(b, third);
        let condition = network.equals(&v, 0);
        network.location(middle, 1).invariant.conditions.push(condition);
        let high = network.process(1);
        let c = network.edge(high, 0, 0);
        network.guard(c, "x<=1");
        network.model.processes[ProcessId::from_index(middle)].priority = 1;
        network.model.processes[ProcessId::from_index(high)].priority = 2;
        let system = network.compile();
        let [blocked, enabled] = ["x<=1", "x>=2"].map(|text| network.constraints(text));
        assert_points(&pieces(&network, &system, 0), 1, 4, |point| {
            !satisfies(point, &blocked) && !satisfies(point, &enabled)
        });
    }
}
