//! Third stage: the effect of a transition on data and clocks `[BengtssonYi2004]`.
//!
//! Updates run edge by edge in the order of the transition: the sender's before those of the receivers, which are in
//! system order. Locations change after all updates, since no update reads them. Data never depends on clocks: data is
//! updated first, the assignments to clocks are recorded in order, and then applied to the zone.
//!
//! Invariant: meta variables have their initial values after a transition, so that they never distinguish two states.

use tourbillon_base::mutants::{self, Mutant};
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
    let initial = system.initial_clocks.iter().filter(|_| !mutants::is(Mutant::InitialValueForgotten));
    initial.for_each(|&(clock, value)| zone.reset(clock, value));
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
    let outcome = evaluate(system, machine, transition, memory, (&mut *next, locals, writes), watch);
    // After an error too: a transition that is blocked may fail without an end of the search.
    system.layout.reset_meta(next);
    outcome
}

/// Runs the updates, and moves the locations.
#[inline]
fn evaluate(
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
    writes.iter().all(|&write| match mutated(write) {
        Write::Reset(_, value) if value < Constant::ZERO => false,
        Write::Reset(clock, value) => {
            zone.reset(clock, value);
            true
        }
        Write::Assign(target, source, value) => zone.assign(target, source, value),
    })
}

/// The assignment, which is wrong for some mutants.
#[inline]
fn mutated(write: Write) -> Write {
    match write {
        Write::Reset(_, value) if mutants::is(Mutant::ResetOfFirstClock) => {
            Write::Reset(Clock::from_index(1), value)
        }
        Write::Reset(clock, Constant::ZERO) if mutants::is(Mutant::ResetOffByOne) => {
            Write::Reset(clock, Constant::from(1))
        }
        Write::Assign(target, source, _) if mutants::is(Mutant::CopyWithoutOffset) => {
            Write::Assign(target, source, Constant::ZERO)
        }
        write => write,
    }
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

#[cfg(test)]
mod tests {
    use tourbillon_model::{BinaryOp, CellKind, ChannelKind, Language};

    use super::*;
    use crate::enumerate::{Enumerator, Transitions};
    use crate::testing::{Network, Point, Scratch, UNIT, assert_points, contains, points, range};

    /// The discrete states and writes after all transitions of the initial state.
    fn updated(system: &System) -> Vec<(Vec<i32>, Vec<Write>)> {
        let memory = system.initial.clone();
        let Scratch { mut machine, mut locals, locations } = Scratch::new(system, &memory);
        let mut list = Transitions::default();
        Enumerator::new(system).enumerate(system, &mut machine, &locations, &memory, &mut list).unwrap();
        let mut update = |index: usize| {
            let (mut next, mut writes) = (memory.clone(), vec![Write::Reset(Clock::REFERENCE, 9.into())]);
            let transition = list.get(index);
            data(system, &mut machine, transition, &memory, &mut next, &mut locals, &mut writes).unwrap();
            (next, writes)
        };
        (0..list.listed()).map(&mut update).collect()
    }

    /// A broadcast whose receivers, in system order, append a digit to a number that the sender has set: the order of the
    /// updates can be read from it. The sender is the last process.
    #[test]
    fn the_sender_is_updated_before_the_receivers_in_system_order() {
        let mut network = Network::new(&["x"]);
        let (v, channel) = (network.cell(0), network.channel(ChannelKind::Broadcast));
        let append = |network: &mut Network, digit: i32| {
            let (old, ten, digit) = (network.load(&v), network.int(10), network.int(digit));
            let shifted = network.binary(BinaryOp::Multiply, old, ten);
            let sum = network.binary(BinaryOp::Add, shifted, digit);
            network.set(&v, sum)
        };
        for digit in [2, 3] {
            let process = network.process(2);
            let edge = network.edge(process, 0, 1);
            network.receive(edge, channel);
            let update = append(&mut network, digit);
            network.update(edge, update);
        }
        let sender = network.process(2);
        let edge = network.edge(sender, 0, 1);
        network.send(edge, channel);
        // A number of three digits would exceed the range: the sender sets 0, not 1.
        let zero = network.int(0);
        let update = network.set(&v, zero);
        network.update(edge, update);
        let system = network.compile();
        let (next, writes) = updated(&system).remove(0);
        assert_eq!(next[..3], [1, 1, 1], "all three have moved");
        assert_eq!(next[network.slot(&system, &v)], 23);
        assert_eq!(writes, [], "the list was cleared");
    }

    #[test]
    fn meta_variables_are_used_within_a_transition_and_reset_after_it() {
        let mut network = Network::new(&[]);
        let v = network.cell(0);
        let meta = network.cell_of(7, range(0, 9), CellKind::Meta);
        let process = network.process(1);
        let edge = network.edge(process, 0, 0);
        let five = network.int(5);
        let first = network.set(&meta, five);
        let value = network.load(&meta);
        let second = network.set(&v, value);
        network.update(edge, first);
        network.update(edge, second);
        let system = network.compile();
        let (next, _) = updated(&system).remove(0);
        assert_eq!((next[network.slot(&system, &v)], next[network.slot(&system, &meta)]), (5, 7));
    }

    /// The value of a selection reaches the update of its edge, and the common updates run around it.
    #[test]
    fn selections_and_common_updates_are_evaluated_in_order() {
        let mut network = Network::new(&[]);
        let v = network.cell(0);
        let append = |network: &mut Network, digit: tourbillon_model::ExprId| {
            let (old, three) = (network.load(&v), network.int(3));
            let shifted = network.binary(BinaryOp::Multiply, old, three);
            let sum = network.binary(BinaryOp::Add, shifted, digit);
            network.set(&v, sum)
        };
        let process = network.process(1);
        let edge = network.edge(process, 0, 0);
        let local = network.select(edge, range(0, 2));
        let digit = network.local(local);
        let update = append(&mut network, digit);
        network.update(edge, update);
        let one = network.int(1);
        let before = append(&mut network, one);
        network.model.before_update.push(before);
        let two = network.int(2);
        let after = append(&mut network, two);
        network.model.after_update.push(after);
        let system = network.compile();
        let slot = network.slot(&system, &v);
        let values: Vec<i32> = updated(&system).iter().map(|(next, _)| next[slot]).collect();
        // The digits 1, the selection, 2 in base 3.
        assert_eq!(values, [9 + 2, 9 + 3 + 2, 9 + 6 + 2]);
    }

    /// The writes of `x = 1, y = x + 2, x = x + 1` and the values that they give.
    fn written() -> (Network, Vec<Write>) {
        let mut network = Network::new(&["x", "y"]);
        let process = network.process(1);
        let edge = network.edge(process, 0, 0);
        network.reset(edge, "x", 1);
        network.assign(edge, "y", "x", 2);
        network.assign(edge, "x", "x", 1);
        let writes = updated(&network.compile()).remove(0).1;
        (network, writes)
    }

    #[test]
    fn writes_are_recorded_in_order() {
        let (network, writes) = written();
        let (x, y) = (network.clock("x"), network.clock("y"));
        let expected =
            [Write::Reset(x, 1.into()), Write::Assign(y, x, 2.into()), Write::Assign(x, x, 1.into())];
        assert_eq!(writes, expected);
        let mut zone = network.zone("x>=5");
        assert!(clocks(&writes, &mut zone));
        assert_eq!(zone, network.zone("x==2, y==3"));
    }

    /// The effect of writes on a point, by definition; nothing if a clock becomes negative.
    fn effect(writes: &[Write], point: &[i64]) -> Option<Point> {
        let mut point = point.to_vec();
        for write in writes {
            let (target, value) = match *write {
                Write::Reset(target, value) => (target, i64::from(value.get()) * UNIT),
                Write::Assign(target, source, value) => {
                    (target, point[source.index() - 1] + i64::from(value.get()) * UNIT)
                }
            };
            point[target.index() - 1] = value;
            if value < 0 {
                return None;
            }
        }
        Some(point)
    }

    /// Images and preimages of zones by several lists of writes, against their definition on points.
    #[test]
    fn clocks_and_before_are_image_and_weakest_precondition() {
        let network = Network::new(&["x", "y"]);
        let (x, y) = (network.clock("x"), network.clock("y"));
        let lists = [
            vec![Write::Reset(x, 2.into())],
            vec![Write::Assign(x, y, 1.into())],
            vec![Write::Assign(x, y, (-2).into())],
            vec![Write::Assign(x, x, (-1).into()), Write::Assign(y, x, 1.into())],
            vec![Write::Assign(x, y, 0.into()), Write::Reset(y, 1.into())],
        ];
        for writes in lists {
            let mut image = network.zone("x<=4, y<4, x-y<=2, y-x<=3");
            let source = [image.clone()];
            assert!(clocks(&writes, &mut image));
            let images: std::collections::HashSet<Point> = points(2, 5)
                .iter()
                .filter(|point| contains(&source, point))
                .filter_map(|point| effect(&writes, point))
                .collect();
            assert_points(&[image], 2, 6, |point| images.contains(point));
            let target = [network.zone("x<=3, y>=1, x-y<2")];
            let preimage = before(&writes, target[0].clone()).expect("a non-empty precondition");
            assert_points(&[preimage], 2, 5, |point| {
                effect(&writes, point).is_some_and(|image| contains(&target, &image))
            });
        }
    }

    #[test]
    fn a_negative_constant_has_no_image_and_no_precondition() {
        let network = Network::of_language(Language::TChecker, &["x"]);
        let writes = [Write::Reset(network.clock("x"), (-1).into())];
        assert!(!clocks(&writes, &mut network.zone("true")));
        assert_eq!(before(&writes, network.zone("true")), None);
    }

    #[test]
    fn clocks_start_at_their_initial_values() {
        let mut network = Network::new(&["x", "y"]);
        network.model.clocks[tourbillon_model::ClockId::from_index(1)].initial = 3;
        let system = network.compile();
        assert_eq!(initial_zone(&system), network.zone("x==0, y==3"));
        let mut zone = network.zone("x==0, y==0");
        assert!(clocks(&initial_writes(&system).collect::<Vec<_>>(), &mut zone));
        assert_eq!(zone, network.zone("x==0, y==3"));
    }
}
