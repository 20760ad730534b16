//! Delays: when time can pass, and their effect.
//!
//! Every clock runs at rate 1 or is stopped, so along a delay every comparison of clocks is true on an
//! interval, and a conjunction of them is too: invariants hold all along if they hold at both ends. Guards of
//! urgent synchronisations must hold nowhere on the delay but at its very end. Their truth changes only at
//! *turning points*, where a clock or difference passes a bound; it is enough to look at the start, at each
//! turning point, and once between any two neighbours.

use std::sync::Arc;

use tourbillon_base::{Id, Rational};
use tourbillon_model::{
    Action, ChannelId, ChannelKind, ClockAtom, ClockCondition, Edge, EvalError, Frame, LocationId,
    LocationKind, Model, ProcessId,
};

use crate::evaluator::{StateEvaluator, difference};
use crate::joint::{Label, ReadyEdge, count_selections, frame, ready, selections};
use crate::run::ConcreteState;
use crate::semantics::Semantics;
use crate::violation::Violation;

/// The first invariant that does not hold, if any.
pub(crate) fn check_invariants(stage: &mut StateEvaluator<'_>) -> Result<(), Violation> {
    for (process, here) in stage.model.processes.ids().zip(stage.state.locations.clone()) {
        let location = &stage.model.processes[process].locations[here];
        if !stage.holds(&location.invariant, &mut Frame::new(location.frame))? {
            return Err(Violation::Invariant(process, here));
        }
    }
    Ok(())
}

/// The state after a delay.
pub(crate) fn delay(
    semantics: &Semantics<'_>,
    state: &ConcreteState,
    delay: Rational,
) -> Result<ConcreteState, Violation> {
    if delay < Rational::ZERO {
        return Err(Violation::NegativeDelay(delay));
    }
    if delay == Rational::ZERO {
        return Ok(state.clone());
    }
    check_locations(semantics.model(), state)?;
    let mut stage = StateEvaluator::new(semantics, state);
    let running = running(&mut stage)?;
    check_invariants(&mut stage)?;
    for moment in moments(&mut stage, &running, delay)? {
        check_urgent(&mut StateEvaluator::new(semantics, &passed(state, &running, moment)?))?;
    }
    let later = passed(state, &running, delay)?;
    check_invariants(&mut StateEvaluator::new(semantics, &later))?;
    Ok(later)
}

/// That no process is at a location where time cannot pass.
fn check_locations(model: &Model, state: &ConcreteState) -> Result<(), Violation> {
    let urgent = |&(process, &here): &(ProcessId, &LocationId)| {
        model.processes[process].locations[here].kind != LocationKind::Normal
    };
    match model.processes.ids().zip(&state.locations).find(urgent) {
        Some((process, &here)) => Err(Violation::NoTime(process, here)),
        None => Ok(()),
    }
}

pub(crate) fn running(stage: &mut StateEvaluator<'_>) -> Result<Vec<bool>, EvalError> {
    let mut running = vec![true; stage.state.clocks.len()];
    for (process, here) in stage.model.processes.ids().zip(stage.state.locations.clone()) {
        let location = &stage.model.processes[process].locations[here];
        for rate in &location.rates {
            let mut frame = Frame::new(location.frame);
            let clock = stage.clock(&rate.clock, &mut frame)?;
            running[clock.index()] &= stage.is_true(rate.rate, &mut frame)?;
        }
    }
    Ok(running)
}

/// The state when this much time has passed.
pub(crate) fn passed(
    state: &ConcreteState,
    running: &[bool],
    time: Rational,
) -> Result<ConcreteState, Violation> {
    let mut later = state.clone();
    for (clock, _) in later.clocks.iter_mut().zip(running).filter(|(_, runs)| **runs) {
        *clock = clock.checked_add(time).ok_or(Violation::TooPrecise)?;
    }
    Ok(later)
}

/// Whether an edge synchronises over an urgent channel; the channels of an array are all urgent or none.
fn is_urgent(model: &Model, edge: &Edge) -> bool {
    match &edge.action {
        Action::Send(place) | Action::Receive(place) => model.channels[place.first].urgent,
        Action::Internal | Action::Event(_) => false,
    }
}

/// The moments of a delay at which urgency must be examined, among them its start and not its end.
fn moments(
    stage: &mut StateEvaluator<'_>,
    running: &[bool],
    delay: Rational,
) -> Result<Vec<Rational>, Violation> {
    let mut turns = turning_points(stage, running)?;
    turns.retain(|&time| Rational::ZERO < time && time < delay);
    if turns.is_empty() && !compares_clocks_urgently(stage) {
        return Ok(vec![Rational::ZERO]);
    }
    turns.extend([Rational::ZERO, delay]);
    turns.sort_unstable();
    turns.dedup();
    let mut moments = Vec::new();
    for pair in turns.windows(2) {
        let between = midpoint(pair[0], pair[1]).ok_or(Violation::TooPrecise)?;
        moments.extend([pair[0], between]);
    }
    Ok(moments)
}

pub(crate) fn midpoint(start: Rational, end: Rational) -> Option<Rational> {
    let sum = start.checked_add(end)?;
    Rational::new(sum.numerator(), sum.denominator().checked_mul(2)?)
}

fn compares_clocks_urgently(stage: &StateEvaluator<'_>) -> bool {
    let model = stage.model;
    model.processes.ids().zip(&stage.state.locations).any(|(process, &here)| {
        let timed = |edge: &Edge| is_urgent(model, edge) && !edge.guard.clocks.is_empty();
        stage.outgoing.edges(model, process, here).any(|(_, edge)| timed(edge))
    })
}

/// When comparisons of clocks in guards of urgent synchronisations change, in the past or the future.
fn turning_points(stage: &mut StateEvaluator<'_>, running: &[bool]) -> Result<Vec<Rational>, Violation> {
    let model = stage.model;
    let mut times = Vec::new();
    let outgoing = Arc::clone(&stage.outgoing);
    for (process, here) in model.processes.ids().zip(stage.state.locations.clone()) {
        let urgent = |(_, edge): &(usize, &Edge)| is_urgent(model, edge);
        for (_, edge) in outgoing.edges(model, process, here).filter(urgent) {
            count_selections(edge)?;
            for selects in selections(edge) {
                turning_points_of(stage, edge, &selects, running, &mut times)?;
            }
        }
    }
    Ok(times)
}

fn turning_points_of(
    stage: &mut StateEvaluator<'_>,
    edge: &Edge,
    selects: &[i32],
    running: &[bool],
    times: &mut Vec<Rational>,
) -> Result<(), Violation> {
    let mut frame = frame(edge, selects);
    if !stage.data_holds(&edge.guard, &mut frame)? {
        return Ok(());
    }
    turns_of(stage, &edge.guard.clocks, &mut frame, running, times)
}

/// When comparisons of clocks change, in the past or the future, among those that count.
pub(crate) fn turns_of(
    stage: &mut StateEvaluator<'_>,
    conditions: &[ClockCondition],
    frame: &mut Frame,
    running: &[bool],
    times: &mut Vec<Rational>,
) -> Result<(), Violation> {
    for condition in conditions {
        if !stage.counts(condition, frame)? {
            continue;
        }
        times.extend(turn_of(stage, &condition.atom, frame, running)?);
    }
    Ok(())
}

/// When a comparison of clocks changes, in the past or the future, if it ever does.
pub(crate) fn turn_of(
    stage: &mut StateEvaluator<'_>,
    atom: &ClockAtom,
    frame: &mut Frame,
    running: &[bool],
) -> Result<Option<Rational>, Violation> {
    let (left, right, bound) = stage.atom(atom, frame)?;
    let value = difference(&stage.state.clocks, left, right).ok_or(Violation::TooPrecise)?;
    let missing = Rational::from(bound).checked_sub(value).ok_or(Violation::TooPrecise)?;
    match (running[left.index()], right.is_some_and(|right| running[right.index()])) {
        (true, false) => Ok(Some(missing)),
        (false, true) => Rational::ZERO.checked_sub(missing).ok_or(Violation::TooPrecise).map(Some),
        (true, true) | (false, false) => Ok(None),
    }
}

/// That no synchronisation over an urgent channel is enabled.
fn check_urgent(stage: &mut StateEvaluator<'_>) -> Result<(), Violation> {
    let model = stage.model;
    let mut all = Vec::new();
    for process in model.processes.ids() {
        all.extend(ready(stage, process, |edge| is_urgent(model, edge))?);
    }
    let enabled = |sender: &ReadyEdge| match sender.label {
        Label::Send(channel) => {
            let receives = |other: &ReadyEdge| {
                other.label == Label::Receive(channel) && other.fired.process != sender.fired.process
            };
            let alone = model.channels[channel].kind == ChannelKind::Broadcast;
            (alone || all.iter().any(receives)).then_some(channel)
        }
        Label::Internal | Label::Receive(_) | Label::Event(_) => None,
    };
    let channel: Option<ChannelId> = all.iter().find_map(enabled);
    channel.map_or(Ok(()), |channel| Err(Violation::UrgentChannel(channel)))
}
