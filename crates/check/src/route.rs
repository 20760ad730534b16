//! Follows a path of transitions with exact zones, and computes a run along it.
//!
//! A path names transitions. Where a transition can be taken in several parts of a zone (priorities, receivers with clock guards, an
//! avoided predicate), the parts are tried until one reaches the end of the path. Each followed step has constraints on the time at
//! which it is taken ([`FollowedStep`]); `timing.rs` solves them.
//!
//! A step can be silent: a tick, or the state from which a predicate is avoided (the premise of `p --> q`). Silent steps have a time,
//! but are no transitions of the run: the delays around them are added.

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
use crate::timing::PathTiming;

/// The avoided predicate and the ticks of a path.
#[derive(Clone, Default, Debug)]
pub(crate) struct AvoidOptions {
    pub(crate) predicate: Option<Predicate>,
    pub(crate) ticks: Option<Ticks>,
    /// Whether the predicate is avoided only after the premise.
    pub(crate) later: bool,
}

/// A step of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PathStep<'a> {
    /// The transition with this ordinal, or a tick.
    Take(u32),
    /// A transition with these edges, in this order if there is one.
    Edges(&'a [Fired]),
    /// The premise holds, and the predicate is avoided from now on.
    Premise(&'a Predicate),
}

/// A successor of a step.
struct StepTarget {
    step: Rc<TimedAction>,
    /// `None` once the path was continued from there, since a long path has many states.
    state: Option<Box<SymbolicState>>,
    /// The constraints of the part of the source zone in which it is taken, beyond those of the zone.
    piece: Vec<Constraint>,
    /// The constraints on the delay after it, if a predicate is avoided.
    stay: Option<Box<Stay>>,
}

/// The kind of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Action,
    Tick,
    Premise,
}

impl Kind {
    fn of(step: PathStep<'_>) -> Self {
        match step {
            PathStep::Take(TICK) => Self::Tick,
            PathStep::Take(_) | PathStep::Edges(_) => Self::Action,
            PathStep::Premise(_) => Self::Premise,
        }
    }
}

/// The timing constraints and the edges of a step.
#[derive(PartialEq, Eq)]
struct TimedAction {
    timing: Timing,
    /// Empty if the step is silent.
    action: Vec<Fired>,
}

impl TimedAction {
    fn silent(timing: Timing) -> Rc<Self> {
        Rc::new(Self { timing, action: Vec::new() })
    }
}

/// A step that was followed.
struct FollowedStep {
    kind: Kind,
    target: StepTarget,
    /// Other successors.
    untried: Vec<StepTarget>,
}

/// The steps of a path that were followed so far.
pub(crate) struct FollowedPath<'s> {
    system: &'s System,
    start: Option<StepTarget>,
    path_so_far: Vec<FollowedStep>,
}

/// Follows paths of a system.
pub(crate) struct PathFollower<'s> {
    system: &'s System,
    plain: ZoneGraph<'s>,
    avoiding: ZoneGraph<'s>,
    later: bool,
    /// The index of the premise in the path, if it has one.
    premise: Option<usize>,
    alternatives_max: usize,
    path_so_far: FollowedPath<'s>,
    /// Steps by their edges, to store equal steps of a long path once.
    known: HashMap<Vec<Fired>, Vec<Rc<TimedAction>>>,
    /// The largest number of steps that were followed, and why no alternative led further.
    pub(crate) furthest: (usize, Blocked),
}

/// Why a path cannot be continued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Blocked {
    /// There is no initial state.
    NoStart,
    /// There is no such transition.
    NoTransition,
    /// It is not enabled after any delays before it.
    NoTime,
    /// The end of the path is not accepted.
    NotAccepted,
    /// Too many alternatives were tried.
    TooManyAlternatives,
}

/// The number of alternatives that are tried beyond the length of the path: parts of zones multiply from step to step.
const ALTERNATIVES_MAX: usize = 100_000;

/// The maximum number of successors of one step.
const TARGETS_MAX: usize = 10_000;

/// The maximum number of different timings that are stored for the same edges.
const ALIKE_MAX: usize = 16;

impl<'s> PathFollower<'s> {
    ///
    pub(crate) fn new(system: &'s System, avoiding: AvoidOptions) -> Self {
        let AvoidOptions { predicate, ticks, later } = avoiding;
        let exact = Options { ticks, ..Options::exact(system) };
        Self {
            system,
            plain: ZoneGraph::new(system, exact.clone()),
            avoiding: ZoneGraph::new(system, Options { avoid: predicate, ..exact }),
            later,
            premise: None,
            alternatives_max: ALTERNATIVES_MAX,
            path_so_far: FollowedPath { system, start: None, path_so_far: Vec::new() },
            known: HashMap::new(),
            furthest: (0, Blocked::NoStart),
        }
    }

    /// Sets the number of alternatives that are tried beyond the length of a path.
    pub(crate) fn with_alternatives(self, alternatives_max: usize) -> Self {
        Self { alternatives_max, ..self }
    }

    /// The zone graph of states after `done` steps.
    fn graph(&mut self, done: usize) -> &mut ZoneGraph<'s> {
        let premise = self.premise.is_some_and(|premise| premise < done);
        if self.later && !premise { &mut self.plain } else { &mut self.avoiding }
    }

    /// The number of steps that were followed.
    pub(crate) fn done(&self) -> usize {
        self.path_so_far.path_so_far.len()
    }

    /// The zone graph that avoids the predicate.
    pub(crate) fn avoiding(&mut self) -> &mut ZoneGraph<'s> {
        &mut self.avoiding
    }

    /// Follows a path until its end is accepted. Returns whether it was.
    pub(crate) fn follow(
        &mut self,
        path: &[PathStep<'_>],
        accept: &mut dyn FnMut(&FollowedPath<'s>, &SymbolicState) -> Result<bool, RuntimeError>,
    ) -> Result<bool, RuntimeError> {
        let mut starts = Vec::new();
        self.premise = path.iter().position(|step| matches!(step, PathStep::Premise(_)));
        let graph = self.graph(0);
        let initial = TimedAction::silent(graph.initial_timing()?);
        graph.initial(&mut |successor| starts.push(StepTarget::of(&initial, successor, &[])))?;
        for start in starts {
            self.path_so_far.path_so_far.clear();
            self.path_so_far.path_so_far.reserve_exact(path.len());
            self.path_so_far.start = Some(start);
            if self.follow_from_start(path, accept)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn follow_from_start(
        &mut self,
        path: &[PathStep<'_>],
        accept: &mut dyn FnMut(&FollowedPath<'s>, &SymbolicState) -> Result<bool, RuntimeError>,
    ) -> Result<bool, RuntimeError> {
        for _ in 0..path.len().saturating_mul(10).saturating_add(self.alternatives_max) {
            let Some(state) = self.path_so_far.take_state() else { return Ok(false) };
            let done = self.path_so_far.path_so_far.len();
            let blocked = match path.get(done) {
                None if accept(&self.path_so_far, &state)? => return Ok(true),
                None => Some(Blocked::NotAccepted),
                Some(&step) => self.take(state, done, step)?,
            };
            if let Some(why) = blocked {
                if done >= self.furthest.0 {
                    self.furthest = (done, why);
                }
                if !self.path_so_far.retry() {
                    return Ok(false);
                }
            }
        }
        self.furthest = (path.len(), Blocked::TooManyAlternatives);
        Ok(false)
    }

    /// Takes a step to its first successor, or returns why there is none.
    fn take(
        &mut self,
        mut state: SymbolicState,
        done: usize,
        step: PathStep<'_>,
    ) -> Result<Option<Blocked>, RuntimeError> {
        let Some(mut targets) = self.targets(&mut state, done, step)? else {
            return Ok(Some(Blocked::NoTransition));
        };
        targets.reverse();
        let Some(mut target) = targets.pop() else { return Ok(Some(Blocked::NoTime)) };
        target.step = self.shared(target.step);
        // A long path has many steps, most of which have one successor.
        targets.shrink_to_fit();
        self.path_so_far.path_so_far.push(FollowedStep { kind: Kind::of(step), target, untried: targets });
        Ok(None)
    }

    /// The stored step that equals this one, if there is one.
    fn shared(&mut self, step: Rc<TimedAction>) -> Rc<TimedAction> {
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

    /// The successors of a step; `None` if there is no such transition.
    fn targets(
        &mut self,
        state: &mut SymbolicState,
        done: usize,
        step: PathStep<'_>,
    ) -> Result<Option<Vec<StepTarget>>, RuntimeError> {
        let system = self.system;
        let graph = self.graph(done);
        graph.prepare(state)?;
        let mut targets = Vec::new();
        match step {
            PathStep::Take(TICK) => {
                let tick = TimedAction::silent(graph.tick_timing(state)?);
                graph.tick(state, &mut |successor| targets.push(StepTarget::of(&tick, successor, &[])))?;
            }
            PathStep::Take(ordinal) => {
                while targets.len() < TARGETS_MAX
                    && let Some(place) = graph.next_named(state, ordinal)?
                {
                    take(graph, state, place, &mut targets)?;
                }
            }
            PathStep::Edges(wanted) => {
                let Some(action) = in_order(graph, state, wanted)? else { return Ok(None) };
                graph.prepare(state)?;
                narrow(graph, wanted);
                while targets.len() < TARGETS_MAX
                    && let Some(place) = graph.next(state)?
                {
                    if edges(graph, place) == action {
                        take(graph, state, place, &mut targets)?;
                    }
                }
            }
            PathStep::Premise(predicate) => {
                let parts = PredicateEvaluator::new(system).parts(predicate, &state.memory, &state.zone)?;
                let parts = parts.unwrap_or_else(|| vec![state.zone.clone()]);
                let premise = TimedAction::silent(graph.resume_timing(state)?);
                for part in parts {
                    let constraints = beyond(&state.zone, &part);
                    self.avoiding.resume(&state.memory, &part, &mut |successor| {
                        targets.push(StepTarget::of(&premise, successor, &constraints));
                    })?;
                }
            }
        }
        Ok(Some(targets))
    }
}

/// Computes the successors of a transition of a prepared state.
fn take(
    graph: &mut ZoneGraph<'_>,
    state: &SymbolicState,
    place: usize,
    targets: &mut Vec<StepTarget>,
) -> Result<(), RuntimeError> {
    let system = graph.system();
    let step = Rc::new(TimedAction { timing: graph.timing(state, place)?, action: edges(graph, place) });
    let partial = system.has_priorities || system.has_timed_receivers;
    let guarded = if partial { graph.guarded(state, place)? } else { None };
    for piece in graph.pieces(state, place)? {
        let constraints = guarded.as_ref().map_or_else(Vec::new, |zone| beyond(zone, &piece));
        graph.follow_from(state, place, &piece, &mut |successor| {
            targets.push(StepTarget::of(&step, successor, &constraints));
        })?;
    }
    Ok(())
}

/// The constraints of a part of a zone beyond those of the zone. Those of the zone come from the steps before and from
/// this iteration, and must not constrain the next.
fn beyond(zone: &Dbm, part: &Dbm) -> Vec<Constraint> {
    part.minimal_constraints().into_iter().filter(|&constraint| !zone.satisfies(constraint)).collect()
}

/// The edges of a transition of the state that was prepared last.
pub(crate) fn edges(graph: &ZoneGraph<'_>, place: usize) -> Vec<Fired> {
    let (system, transition) = (graph.system(), graph.transitions().get(place));
    let fired = transition.fired.iter().map(|&fired| Fired {
        process: system.edges[fired.edge].process,
        edge: system.edges[fired.edge].index as usize,
        selects: transition.selected(fired, system).to_vec(),
    });
    fired.collect()
}

/// The edges in the order of a transition of the state that was prepared last: in the given order if there is one, else
/// in that of the first; `None` if there is no such transition.
fn in_order(
    graph: &mut ZoneGraph<'_>,
    state: &SymbolicState,
    wanted: &[Fired],
) -> Result<Option<Vec<Fired>>, RuntimeError> {
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

/// Restricts the transitions to these edges.
fn narrow(graph: &mut ZoneGraph<'_>, wanted: &[Fired]) {
    let system = graph.system();
    graph.narrow(|edge, selects| {
        let edge = &system.edges[edge];
        wanted.iter().any(|fired| {
            (fired.process, fired.edge) == (edge.process, edge.index as usize) && fired.selects == selects
        })
    });
}

impl StepTarget {
    fn of(step: &Rc<TimedAction>, successor: &Successor<'_>, piece: &[Constraint]) -> Self {
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

impl FollowedPath<'_> {
    /// The last state of the path, which is taken once.
    fn take_state(&mut self) -> Option<SymbolicState> {
        let last = self.path_so_far.last_mut().map(|leg| &mut leg.target);
        last.or(self.start.as_mut()).and_then(|target| target.state.take()).map(|state| *state)
    }

    /// Backtracks to the last step with another successor. Returns false if there is none.
    fn retry(&mut self) -> bool {
        while let Some(leg) = self.path_so_far.last_mut() {
            if let Some(target) = leg.untried.pop() {
                leg.target = target;
                return true;
            }
            self.path_so_far.pop();
        }
        false
    }

    /// The timing constraints of the initial state and of each step, including those of the chosen parts; and the
    /// constraints on the end of the last delay.
    fn timings(&self) -> (Timing, Vec<Cow<'_, Timing>>, Vec<Constraint>) {
        let mut initial = self.start.as_ref().map_or_else(Timing::default, |start| start.step.timing.clone());
        let start = self.start.as_ref().and_then(|start| start.stay.as_deref());
        let mut within = enter(&mut initial, start);
        let mut steps = Vec::with_capacity(self.path_so_far.len());
        for leg in &self.path_so_far {
            let StepTarget { step, piece, stay, .. } = &leg.target;
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

    /// A run along the path that satisfies these constraints after its last delay; and the time of the premise, if
    /// there is one.
    pub(crate) fn run(&self, end: &[Constraint]) -> Option<(Run, Option<Since>)> {
        let (initial, steps, mut within) = self.timings();
        within.extend_from_slice(end);
        let course = PathTiming { dimension: self.system.dimension, initial: &initial, steps: &steps };
        let moments = if self.system.has_stopwatches {
            polyhedra::moments(&course, &within).ok()??
        } else {
            course.moments(&within)?
        };
        self.with_moments(&moments)
    }

    /// A run along the path whose steps from `head` on repeat with the same delays.
    pub(crate) fn repeating_run(&self, head: usize) -> Option<(Run, Option<Since>)> {
        let (initial, steps, _) = self.timings();
        let course = PathTiming { dimension: self.system.dimension, initial: &initial, steps: &steps };
        let mut moments = course.repeating_moments(head)?;
        moments.push(*moments.last()?);
        self.with_moments(&moments)
    }

    /// The run whose steps are taken at these times, from the start to the end.
    fn with_moments(&self, moments: &[Rational]) -> Option<(Run, Option<Since>)> {
        let mut steps = Vec::with_capacity(self.path_so_far.len());
        let mut last = Rational::ZERO;
        let mut premise = None;
        for (leg, &moment) in self.path_so_far.iter().zip(&moments[1..]) {
            match leg.kind {
                Kind::Tick => {}
                Kind::Premise => {
                    premise = Some(Since { steps: steps.len(), delay: moment.checked_sub(last)? });
                }
                Kind::Action => {
                    steps.push(RunStep {
                        delay: moment.checked_sub(last)?,
                        action: leg.target.step.action.clone(),
                    });
                    last = moment;
                }
            }
        }
        let last_delay = moments.last()?.checked_sub(last)?;
        Some((Run { steps, last_delay }, premise))
    }
}

/// The run with these actions at these times, from the start to the end.
pub(crate) fn run_of(actions: Vec<Vec<Fired>>, moments: &[Rational]) -> Option<Run> {
    let delays = moments.windows(2).map(|pair| pair[1].checked_sub(pair[0])).collect::<Option<Vec<_>>>()?;
    let (&last_delay, delays) = delays.split_last()?;
    let steps = actions.into_iter().zip(delays).map(|(action, &delay)| RunStep { delay, action }).collect();
    Some(Run { steps, last_delay })
}

/// Adds the constraints on entering a state. Returns those on leaving it.
fn enter(timing: &mut Timing, stay: Option<&Stay>) -> Vec<Constraint> {
    let Some(stay) = stay else { return Vec::new() };
    timing.entering.extend(stay.asked.minimal_constraints());
    stay.within.minimal_constraints()
}
