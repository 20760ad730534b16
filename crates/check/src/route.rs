//! Follows a path of transitions with exact zones, and turns it into a run.
//!
//! A path names transitions; where a transition can be taken in several parts of a zone (priorities, receivers with
//! clock guards, something that is to be avoided) each is tried until one reaches the end. Every step that was
//! followed leaves a [`Leg`]: what it asks of the moment at which it is taken. `timing.rs` finds moments.
//!
//! A step can be silent: that time has passed (a tick), or that from this moment on something must not happen any more
//! (the premise of `p --> q`). Silent steps have moments too, but no place in a run: the delays around them are added up.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use tourbillon_base::Rational;
use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_replay::{Fired, Run, RunStep, Since};
use tourbillon_system::{Predicate, RuntimeError, System};
use tourbillon_zonegraph::{
    Options, PredicateEvaluator, Stay, Successor, SymbolicState, TICK, Ticks, Timing, ZoneGraph,
};

use crate::polyhedra;
use crate::timing::Course;

/// What must not happen, and how time is told.
#[derive(Clone, Default, Debug)]
pub(crate) struct Avoiding {
    /// What must not happen.
    pub(crate) predicate: Option<Predicate>,
    /// How time is told.
    pub(crate) ticks: Option<Ticks>,
    /// Whether only from the premise on.
    pub(crate) later: bool,
}

/// A step of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Move<'a> {
    /// The transition with this ordinal, or a tick.
    Take(u32),
    /// A transition that takes these edges, in this order if there is one that does.
    Edges(&'a [Fired]),
    /// Nothing happens but that this holds, and from now on what is to be avoided must not.
    Premise(&'a Predicate),
}

/// Where a step can lead.
struct Arrival {
    step: Rc<Taken>,
    /// Where it leads; nothing once the path has gone on from there, since a long path has many states.
    state: Option<Box<SymbolicState>>,
    /// What being taken in a part of the zone that it leaves asks, beyond being in that zone.
    piece: Vec<Constraint>,
    /// How time passes after it, if not as usual.
    stay: Option<Box<Stay>>,
}

/// What kind of step it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Action,
    Tick,
    Premise,
}

impl Kind {
    fn of(step: Move<'_>) -> Self {
        match step {
            Move::Take(TICK) => Self::Tick,
            Move::Take(_) | Move::Edges(_) => Self::Action,
            Move::Premise(_) => Self::Premise,
        }
    }
}

/// What a step asks and does.
#[derive(PartialEq, Eq)]
struct Taken {
    timing: Timing,
    /// Nothing if it is silent.
    action: Vec<Fired>,
}

impl Taken {
    fn silent(timing: Timing) -> Rc<Self> {
        Rc::new(Self { timing, action: Vec::new() })
    }
}

/// A step that was followed.
struct Leg {
    kind: Kind,
    arrival: Arrival,
    /// Where else it can lead.
    untried: Vec<Arrival>,
}

/// All steps that were followed.
pub(crate) struct Legs<'s> {
    system: &'s System,
    start: Option<Arrival>,
    legs: Vec<Leg>,
}

/// Follows paths.
pub(crate) struct Follower<'s> {
    system: &'s System,
    plain: ZoneGraph<'s>,
    avoiding: ZoneGraph<'s>,
    later: bool,
    /// After how many steps of the path its premise comes, if it has one.
    premise: Option<usize>,
    detours_max: usize,
    legs: Legs<'s>,
    /// Steps by what happens in them. A long path does the same again and again: it keeps that once.
    known: HashMap<Vec<Fired>, Vec<Rc<Taken>>>,
    /// How far any way led, and why no way led further.
    pub(crate) furthest: (usize, Blocked),
}

/// Why a path does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Blocked {
    /// There is no initial state.
    NoStart,
    /// There is no such transition.
    NoTransition,
    /// It cannot be taken then, whatever the delays before it.
    NoTime,
    /// It leads to the end, which is not accepted.
    NotAccepted,
    /// There are too many ways.
    TooManyWays,
}

/// How much is tried beyond what the length of a path asks for: parts of zones multiply from step to step.
const DETOURS_MAX: usize = 100_000;

/// How many parts of a zone are looked at in which one step of a path can be taken.
const ARRIVALS_MAX: usize = 10_000;

/// How many steps with the same edges, that differ in what they ask of time, are looked at to find one that is kept already.
const ALIKE_MAX: usize = 16;

type Outcome<T> = Result<T, RuntimeError>;

impl<'s> Follower<'s> {
    /// One for the paths of a system.
    pub(crate) fn new(system: &'s System, avoiding: Avoiding) -> Self {
        let Avoiding { predicate, ticks, later } = avoiding;
        let exact = Options { ticks, ..Options::exact(system) };
        Self {
            system,
            plain: ZoneGraph::new(system, exact.clone()),
            avoiding: ZoneGraph::new(system, Options { avoid: predicate, ..exact }),
            later,
            premise: None,
            detours_max: DETOURS_MAX,
            legs: Legs { system, start: None, legs: Vec::new() },
            known: HashMap::new(),
            furthest: (0, Blocked::NoStart),
        }
    }

    /// The same, which tries no more than so many ways beyond what the length of a path asks for.
    pub(crate) fn trying(self, detours_max: usize) -> Self {
        Self { detours_max, ..self }
    }

    /// The zone graph of states after so many steps.
    fn graph(&mut self, done: usize) -> &mut ZoneGraph<'s> {
        let premise = self.premise.is_some_and(|premise| premise < done);
        if self.later && !premise { &mut self.plain } else { &mut self.avoiding }
    }

    /// How many steps have been followed.
    pub(crate) fn done(&self) -> usize {
        self.legs.legs.len()
    }

    /// The zone graph that keeps to what is to be avoided.
    pub(crate) fn avoiding(&mut self) -> &mut ZoneGraph<'s> {
        &mut self.avoiding
    }

    /// Follows a path until what it leads to is accepted. Returns whether it was.
    pub(crate) fn follow(
        &mut self,
        moves: &[Move<'_>],
        accept: &mut dyn FnMut(&Legs<'s>, &SymbolicState) -> Outcome<bool>,
    ) -> Outcome<bool> {
        let mut starts = Vec::new();
        self.premise = moves.iter().position(|step| matches!(step, Move::Premise(_)));
        let graph = self.graph(0);
        let initial = Taken::silent(graph.initial_timing()?);
        graph.initial(&mut |successor| starts.push(Arrival::of(&initial, successor, &[])))?;
        for start in starts {
            self.legs.legs.clear();
            self.legs.legs.reserve_exact(moves.len());
            self.legs.start = Some(start);
            if self.follow_from_start(moves, accept)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn follow_from_start(
        &mut self,
        moves: &[Move<'_>],
        accept: &mut dyn FnMut(&Legs<'s>, &SymbolicState) -> Outcome<bool>,
    ) -> Outcome<bool> {
        for _ in 0..moves.len().saturating_mul(10).saturating_add(self.detours_max) {
            let Some(state) = self.legs.take_state() else { return Ok(false) };
            let done = self.legs.legs.len();
            let blocked = match moves.get(done) {
                None if accept(&self.legs, &state)? => return Ok(true),
                None => Some(Blocked::NotAccepted),
                Some(&step) => self.take(state, done, step)?,
            };
            if let Some(why) = blocked {
                if done >= self.furthest.0 {
                    self.furthest = (done, why);
                }
                if !self.legs.retry() {
                    return Ok(false);
                }
            }
        }
        self.furthest = (moves.len(), Blocked::TooManyWays);
        Ok(false)
    }

    /// Takes a step, to the first of the places where it can lead; or says why not.
    fn take(&mut self, mut state: SymbolicState, done: usize, step: Move<'_>) -> Outcome<Option<Blocked>> {
        let Some(mut arrivals) = self.leave(&mut state, done, step)? else {
            return Ok(Some(Blocked::NoTransition));
        };
        arrivals.reverse();
        let Some(mut arrival) = arrivals.pop() else { return Ok(Some(Blocked::NoTime)) };
        arrival.step = self.shared(arrival.step);
        // A long path has many steps, most of which lead to one place.
        arrivals.shrink_to_fit();
        self.legs.legs.push(Leg { kind: Kind::of(step), arrival, untried: arrivals });
        Ok(None)
    }

    /// A step as it is kept already, if it is.
    fn shared(&mut self, step: Rc<Taken>) -> Rc<Taken> {
        let alike = match self.known.get_mut(&step.action) {
            Some(alike) => alike,
            None => self.known.entry(step.action.clone()).or_default(),
        };
        if let Some(known) = alike.iter().find(|known| **known == step) {
            return Rc::clone(known);
        }
        if alike.len() < ALIKE_MAX {
            alike.push(Rc::clone(&step));
        }
        step
    }

    /// Where a step leads; nothing if there is no such step.
    fn leave(
        &mut self,
        state: &mut SymbolicState,
        done: usize,
        step: Move<'_>,
    ) -> Outcome<Option<Vec<Arrival>>> {
        let system = self.system;
        let graph = self.graph(done);
        graph.prepare(state)?;
        let mut arrivals = Vec::new();
        match step {
            Move::Take(TICK) => {
                let tick = Taken::silent(graph.tick_timing(state)?);
                graph.tick(state, &mut |successor| arrivals.push(Arrival::of(&tick, successor, &[])))?;
            }
            Move::Take(ordinal) => {
                while arrivals.len() < ARRIVALS_MAX
                    && let Some(place) = graph.next_named(state, ordinal)?
                {
                    take(graph, state, place, &mut arrivals)?;
                }
            }
            Move::Edges(wanted) => {
                let Some(action) = in_order(graph, state, wanted)? else { return Ok(None) };
                graph.prepare(state)?;
                narrow(graph, wanted);
                while arrivals.len() < ARRIVALS_MAX
                    && let Some(place) = graph.next(state)?
                {
                    if edges(graph, place) == action {
                        take(graph, state, place, &mut arrivals)?;
                    }
                }
            }
            Move::Premise(predicate) => {
                let parts = PredicateEvaluator::new(system).parts(predicate, &state.memory, &state.zone)?;
                let parts = parts.unwrap_or_else(|| vec![state.zone.clone()]);
                let premise = Taken::silent(graph.resume_timing(state)?);
                for part in parts {
                    let asked = beyond(&state.zone, &part);
                    self.avoiding.resume(&state.memory, &part, &mut |successor| {
                        arrivals.push(Arrival::of(&premise, successor, &asked));
                    })?;
                }
            }
        }
        Ok(Some(arrivals))
    }
}

/// Takes the transition at a place of a prepared state.
fn take(
    graph: &mut ZoneGraph<'_>,
    state: &SymbolicState,
    place: usize,
    arrivals: &mut Vec<Arrival>,
) -> Outcome<()> {
    let system = graph.system();
    let step = Rc::new(Taken { timing: graph.timing(state, place)?, action: edges(graph, place) });
    let partial = system.has_priorities || system.has_timed_receivers;
    let guarded = if partial { graph.guarded(state, place)? } else { None };
    for piece in graph.pieces(state, place)? {
        let asked = guarded.as_ref().map_or_else(Vec::new, |zone| beyond(zone, &piece));
        graph.follow_from(state, place, &piece, &mut |successor| {
            arrivals.push(Arrival::of(&step, successor, &asked));
        })?;
    }
    Ok(())
}

/// What a part of a zone asks beyond what the zone does. What the zone itself says is due to the steps before and
/// to this lap, and must not bind the next.
fn beyond(zone: &Dbm, part: &Dbm) -> Vec<Constraint> {
    part.minimal_constraints().into_iter().filter(|&constraint| !zone.satisfies(constraint)).collect()
}

/// The edges of the transition at a place of the state prepared last.
pub(crate) fn edges(graph: &ZoneGraph<'_>, place: usize) -> Vec<Fired> {
    let (system, transition) = (graph.system(), graph.transitions().get(place));
    let fired = transition.fired.iter().map(|&fired| Fired {
        process: system.edges[fired.edge].process,
        edge: system.edges[fired.edge].index as usize,
        selects: transition.selected(fired, system).to_vec(),
    });
    fired.collect()
}

/// The edges in the order in which a transition of the state prepared last takes them: this one if there is such, else
/// that of the first; nothing if none does.
fn in_order(
    graph: &mut ZoneGraph<'_>,
    state: &SymbolicState,
    wanted: &[Fired],
) -> Outcome<Option<Vec<Fired>>> {
    narrow(graph, wanted);
    let mut first = None;
    while let Some(place) = graph.next(state)? {
        let own = edges(graph, place);
        if own == wanted {
            return Ok(Some(own));
        }
        if own.len() == wanted.len() && own.iter().all(|fired| wanted.contains(fired)) {
            first.get_or_insert(own);
        }
    }
    Ok(first)
}

/// Looks only for combinations of these edges.
fn narrow(graph: &mut ZoneGraph<'_>, wanted: &[Fired]) {
    let system = graph.system();
    graph.narrow(|edge, selects| {
        let edge = &system.edges[edge];
        wanted.iter().any(|fired| {
            (fired.process, fired.edge) == (edge.process, edge.index as usize) && fired.selects == selects
        })
    });
}

impl Arrival {
    fn of(step: &Rc<Taken>, successor: &Successor<'_>, piece: &[Constraint]) -> Self {
        Self {
            step: Rc::clone(step),
            state: Some(Box::new(SymbolicState {
                memory: successor.memory.to_vec(),
                zone: successor.zone.clone(),
            })),
            piece: piece.to_vec(),
            stay: successor.stay.cloned().map(Box::new),
        }
    }
}

impl Legs<'_> {
    /// Where the path has led to. It is asked for once: the path then goes on from there, ends there, or another way is tried.
    fn take_state(&mut self) -> Option<SymbolicState> {
        let last = self.legs.last_mut().map(|leg| &mut leg.arrival);
        last.or(self.start.as_mut()).and_then(|arrival| arrival.state.take()).map(|state| *state)
    }

    /// Lets the last step that can lead elsewhere do so. Returns false if there is none.
    fn retry(&mut self) -> bool {
        while let Some(leg) = self.legs.last_mut() {
            if let Some(arrival) = leg.untried.pop() {
                leg.arrival = arrival;
                return true;
            }
            self.legs.pop();
        }
        false
    }

    /// What the initial state and each step ask, the parts that were chosen included; and what the last state asks of
    /// the moment at which it is left.
    fn timings(&self) -> (Timing, Vec<Cow<'_, Timing>>, Vec<Constraint>) {
        let mut initial = self.start.as_ref().map_or_else(Timing::default, |start| start.step.timing.clone());
        let start = self.start.as_ref().and_then(|start| start.stay.as_deref());
        let mut within = enter(&mut initial, start);
        let mut steps = Vec::with_capacity(self.legs.len());
        for leg in &self.legs {
            let Arrival { step, piece, stay, .. } = &leg.arrival;
            if piece.is_empty() && within.is_empty() && stay.is_none() {
                steps.push(Cow::Borrowed(&step.timing));
                continue;
            }
            let mut timing = step.timing.clone();
            timing.leaving.extend_from_slice(piece);
            timing.leaving.append(&mut within);
            within = enter(&mut timing, stay.as_deref());
            steps.push(Cow::Owned(timing));
        }
        (initial, steps, within)
    }

    /// A run along the path that satisfies these constraints when its last delay is over; and the moment of the
    /// premise, if there is one.
    pub(crate) fn run(&self, end: &[Constraint]) -> Option<(Run, Option<Since>)> {
        let (initial, steps, mut within) = self.timings();
        within.extend_from_slice(end);
        let course = Course { dimension: self.system.dimension, initial: &initial, steps: &steps };
        let moments = if self.system.has_stopwatches {
            polyhedra::moments(&course, &within).ok()??
        } else {
            course.moments(&within)?
        };
        self.with_moments(&moments)
    }

    /// A run along the path whose steps from `head` on can be taken again and again with the same delays.
    pub(crate) fn repeating_run(&self, head: usize) -> Option<(Run, Option<Since>)> {
        let (initial, steps, _) = self.timings();
        let course = Course { dimension: self.system.dimension, initial: &initial, steps: &steps };
        let mut moments = course.repeating_moments(head)?;
        moments.push(*moments.last()?);
        self.with_moments(&moments)
    }

    /// The run whose steps are taken at these moments, the first of which is the start and the last its end.
    fn with_moments(&self, moments: &[Rational]) -> Option<(Run, Option<Since>)> {
        let mut steps = Vec::with_capacity(self.legs.len());
        let mut last = Rational::ZERO;
        let mut premise = None;
        for (leg, &moment) in self.legs.iter().zip(&moments[1..]) {
            match leg.kind {
                Kind::Tick => {}
                Kind::Premise => {
                    premise = Some(Since { steps: steps.len(), delay: moment.checked_sub(last)? });
                }
                Kind::Action => {
                    steps.push(RunStep {
                        delay: moment.checked_sub(last)?,
                        action: leg.arrival.step.action.clone(),
                    });
                    last = moment;
                }
            }
        }
        let last_delay = moments.last()?.checked_sub(last)?;
        Some((Run { steps, last_delay }, premise))
    }
}

/// The run that takes actions at moments, the first of which is the start and the last its end.
pub(crate) fn run_of(actions: Vec<Vec<Fired>>, moments: &[Rational]) -> Option<Run> {
    let delays = moments.windows(2).map(|pair| pair[1].checked_sub(pair[0])).collect::<Option<Vec<_>>>()?;
    let (&last_delay, delays) = delays.split_last()?;
    let steps = actions.into_iter().zip(delays).map(|(action, &delay)| RunStep { delay, action }).collect();
    Some(Run { steps, last_delay })
}

/// Adds how a state is entered. Returns what that asks of the moment at which it is left.
fn enter(timing: &mut Timing, stay: Option<&Stay>) -> Vec<Constraint> {
    let Some(stay) = stay else { return Vec::new() };
    timing.entering.extend(stay.asked.minimal_constraints());
    stay.within.minimal_constraints()
}
