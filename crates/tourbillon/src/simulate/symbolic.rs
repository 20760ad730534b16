//! Symbolic simulation.
//!
//! A symbolic state is where the processes are, the values of the variables, and the zone of all clock values that the
//! steps so far allow, delays included. A step leads from all points of the zone in which it can be taken to all that
//! it makes of them. Zones are exact, nothing is abstracted; a step that can be taken in several parts of a zone that
//! are no zone together (priorities, receivers of a broadcast with clock guards) is offered once for each.
//!
//! States are kept and the zone graph is made anew for each state whose steps are asked for, since it borrows the compiled
//! system. That costs some allocations a step, little beside its zones; but a walk of many thousand steps pays it for each.
//! Delays for the steps are found for all of them at once, and kept until there is another step.

use std::cell::OnceCell;

use tourbillon_base::{Id, Random, Rational};
use tourbillon_check::{ConcreteState, Fired, RuntimeError, Witness, schedule_actions};
use tourbillon_dbm::{Dbm, Valuation};
use tourbillon_model::{EvalErrorKind, LocationId, LocationKind, Model, Multiplied};
use tourbillon_system::{System, compile};
use tourbillon_zonegraph::{Options, Successor, SymbolicState, ZoneGraph};

use super::concrete::{Concrete, no_choice};
use super::history::clocks_set;
use super::picture::{Picture, Shape};
use super::situation::{Choice, Failing, Move, Situation, Stuck};
use super::{Bounds, Impossible, Mode};
use crate::trace::TraceBuilder;

/// A simulation in zones.
#[derive(Debug)]
pub(super) struct Symbolic<'a> {
    model: &'a Model,
    trace_builder: TraceBuilder<'a>,
    clocks: Vec<String>,
    system: System,
    initial: SymbolicState,
    moves: Vec<Step>,
    /// How many of them lie behind.
    now: usize,
    bounds: Bounds,
    /// All steps with delays that fit, if those are known.
    timed: OnceCell<Result<Witness, Impossible>>,
    /// The steps that can be taken from the present state, if they are known.
    steps: OnceCell<Steps>,
}

/// A step, and where it leads.
#[derive(Clone, Debug)]
struct Step {
    /// Its number among those that could be taken.
    number: usize,
    action: Vec<Fired>,
    /// The part of the zone in which it is taken.
    piece: Dbm,
    after: SymbolicState,
}

/// The steps that can be taken from a state.
#[derive(Default, Debug)]
struct Steps {
    found: Vec<Step>,
    /// How other steps go wrong. No edges if it is not known which: then nothing is known about the others.
    failures: Vec<(Vec<Fired>, RuntimeError)>,
}

impl<'a> Symbolic<'a> {
    /// Where the steps of a simulation of single states lead to.
    pub(super) fn following(concrete: &Concrete<'a>) -> Result<Self, Impossible> {
        let model = concrete.model();
        let (system, _) = compile(model, &[]).map_err(|error| Impossible::new(error.to_string()))?;
        let initial = initial(&system).map_err(|error| failed(&error, model, concrete.trace_builder()))?;
        let mut own = Self {
            model,
            trace_builder: concrete.trace_builder().clone(),
            clocks: model.clocks.iter().map(|clock| clock.name.clone()).collect(),
            system,
            initial,
            moves: Vec::new(),
            now: 0,
            bounds: concrete.bounds().clone(),
            timed: OnceCell::new(),
            steps: OnceCell::new(),
        };
        for taken in concrete.past().iter().filter(|taken| !taken.action.is_empty()) {
            own.follow(&taken.action, &taken.waited.clocks)?;
        }
        Ok(own)
    }

    /// Takes the step with these edges, in the part of the zone with this point.
    fn follow(&mut self, action: &[Fired], clocks: &[Rational]) -> Result<(), Impossible> {
        let point =
            Valuation::new(clocks).ok_or_else(|| Impossible::new("clocks that zones cannot tell apart"))?;
        let taken = |step: &&Step| step.action == action && step.piece.contains(&point);
        let step = self.steps().found.iter().find(taken).cloned();
        let step = step.ok_or_else(|| Impossible::new("the engine does not know a step of this run"))?;
        self.go(step)
    }

    pub(super) fn set_bounds(&mut self, bounds: Bounds) {
        self.bounds = bounds;
    }

    fn state(&self) -> &SymbolicState {
        self.moves[..self.now].last().map_or(&self.initial, |last| &last.after)
    }

    fn steps(&self) -> &Steps {
        self.steps.get_or_init(|| steps(&self.system, self.state()))
    }

    pub(super) fn position(&self) -> (usize, usize) {
        (self.now, self.moves.len())
    }

    pub(super) fn situation(&self) -> Situation {
        let (state, discrete) = (self.state(), self.discrete(self.state()));
        let told = |step: &Step| Choice {
            edges: step.action.iter().map(|fired| self.trace_builder.edge(fired, &discrete)).collect(),
            delays: Vec::new(),
            zone: Some(self.zone_text(&step.piece)),
            constraints: step.piece.display(&self.clocks).constraints(),
        };
        let Steps { found, failures } = self.steps();
        let choices: Vec<Choice> = found.iter().map(told).collect();
        let failing = |(action, error): &(Vec<Fired>, RuntimeError)| Failing {
            edges: action.iter().map(|fired| self.trace_builder.edge(fired, &discrete)).collect(),
            delays: Vec::new(),
            what: error.kind.explain(self.model),
            place: Some(self.trace_builder.place(error.span)),
        };
        let failures: Vec<Failing> = failures.iter().map(failing).collect();
        let (step, steps) = self.position();
        Situation {
            mode: Mode::Symbolic,
            step,
            steps,
            time: None,
            state: self.trace_builder.state(&discrete, None),
            zone: Some(self.zone_text(&state.zone)),
            constraints: state.zone.display(&self.clocks).constraints(),
            stuck: (choices.is_empty() && failures.is_empty()).then(|| self.stuck(state, &discrete)),
            choices,
            patience: None,
            failures,
        }
    }

    /// Whether time can diverge where no step is possible: not at an urgent location, and else if the zone has all
    /// points that time leads to. Of stopwatches the zone does not tell.
    fn stuck(&self, state: &SymbolicState, discrete: &ConcreteState) -> Stuck {
        let mut here = self.model.processes.iter().zip(&discrete.locations);
        let urgent = here.clone().any(|(process, &at)| process.locations[at].kind != LocationKind::Normal);
        let stopped = here.any(|(process, &at)| !process.locations[at].rates.is_empty());
        let mut later = state.zone.clone();
        later.up();
        if urgent || (!stopped && later != state.zone) { Stuck::TimeLock } else { Stuck::Deadlock }
    }

    fn zone_text(&self, zone: &Dbm) -> String {
        zone.display(&self.clocks).to_string()
    }

    pub(super) fn last(&self) -> Option<Move> {
        let before = self.now.checked_sub(1)?;
        let step = &self.moves[before];
        let source = before.checked_sub(1).map_or(&self.initial, |index| &self.moves[index].after);
        let (source, target) = (self.discrete(source), self.discrete(&step.after));
        let after = self.trace_builder.state(&target, Some(&source));
        Some(Move {
            delay: None,
            edges: step.action.iter().map(|fired| self.trace_builder.edge(fired, &source)).collect(),
            changed: after.variables,
            changed_indices: after.variable_indices,
            clocks_set: clocks_set(self.model, &source, &step.action),
        })
    }

    /// Locations and variables, without clocks.
    fn discrete(&self, state: &SymbolicState) -> ConcreteState {
        let location = |&slot: &i32| LocationId::from_index(slot as usize);
        let cells = self.model.cells.ids();
        ConcreteState {
            locations: state.memory[..self.model.processes.len()].iter().map(location).collect(),
            cells: cells.map(|cell| state.memory[self.system.layout.slot(cell)]).collect(),
            clocks: Vec::new(),
        }
    }

    pub(super) fn step(&mut self, choice: usize) -> Result<(), Impossible> {
        let steps = &self.steps().found;
        let step = steps.get(choice).cloned().ok_or_else(|| no_choice(choice, steps.len()))?;
        self.go(step)
    }

    pub(super) fn random(&mut self, random: &mut Random) -> Result<bool, Impossible> {
        let Some(step) = random.pick(&self.steps().found).cloned() else { return Ok(false) };
        self.go(step)?;
        Ok(true)
    }

    fn go(&mut self, step: Step) -> Result<(), Impossible> {
        self.bounds.allow(self.now)?;
        self.moves.truncate(self.now);
        self.moves.push(step);
        self.timed = OnceCell::new();
        self.goto(self.now + 1);
        Ok(())
    }

    pub(super) fn goto(&mut self, position: usize) {
        self.now = position.min(self.moves.len());
        self.steps = OnceCell::new();
    }

    pub(super) fn restart(&mut self) {
        self.moves.clear();
        self.timed = OnceCell::new();
        self.goto(0);
    }

    /// For each step so far the number of the choice that it was.
    pub(super) fn numbers(&self) -> Vec<usize> {
        self.moves[..self.now].iter().map(|step| step.number).collect()
    }

    /// The steps, those ahead included: the edges, and the state after them.
    pub(super) fn steps_taken(&self) -> impl Iterator<Item = (&[Fired], ConcreteState)> {
        self.moves.iter().map(|step| (&step.action[..], self.discrete(&step.after)))
    }

    /// What can be seen of two clocks.
    pub(super) fn picture(&self, x: usize, y: usize) -> Picture {
        let of = |zone: &Dbm| Shape::of(zone, x, y);
        let choices = self.steps().found.iter().map(|step| vec![of(&step.piece)]);
        Picture { zone: Some(of(&self.state().zone)), point: None, running: None, choices: choices.collect() }
    }

    /// The steps so far with delays that fit, and the states passed then.
    pub(super) fn timed(&self) -> Result<Witness, Impossible> {
        if self.now == self.moves.len() {
            return self.timed_all().clone();
        }
        self.schedule(self.now)
    }

    /// The same for all steps, those ahead included.
    pub(super) fn timed_all(&self) -> &Result<Witness, Impossible> {
        self.timed.get_or_init(|| self.schedule(self.moves.len()))
    }

    /// Finds delays for the first steps.
    fn schedule(&self, count: usize) -> Result<Witness, Impossible> {
        let actions: Vec<Vec<Fired>> = self.moves[..count].iter().map(|step| step.action.clone()).collect();
        schedule_actions(self.model, &self.system, &actions)
            .map_err(|error| Impossible::new(error.to_string()))
    }
}

fn failed(error: &RuntimeError, model: &Model, trace_builder: &TraceBuilder<'_>) -> Impossible {
    let place = Some(trace_builder.place(error.span));
    let failing = Failing { edges: Vec::new(), delays: Vec::new(), what: error.kind.explain(model), place };
    Impossible::new(failing.to_string())
}

fn kept(successor: &Successor<'_>) -> SymbolicState {
    SymbolicState { memory: successor.memory.to_vec(), zone: successor.zone.clone() }
}

fn initial(system: &System) -> Result<SymbolicState, RuntimeError> {
    let mut found = None;
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    graph.initial(&mut |successor| found = Some(kept(successor)))?;
    Ok(found.expect("the second evaluator has found an initial state"))
}

/// How many steps of one state are offered: more are useless, and each has two zones.
const STEPS_MAX: usize = 10_000;

/// The steps that can be taken somewhere in a state's zone.
fn steps(system: &System, state: &SymbolicState) -> Steps {
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let mut state = state.clone();
    let mut steps = Steps::default();
    if let Err(error) = graph.prepare(&mut state) {
        steps.failures.push((Vec::new(), error));
        return steps;
    }
    loop {
        let place = match graph.next(&state) {
            Ok(Some(place)) => place,
            Ok(None) => return steps,
            Err(error) => {
                steps.failures.push((Vec::new(), error));
                return steps;
            }
        };
        let action = action_of(&graph, place);
        if steps.found.len() >= STEPS_MAX {
            let first = graph.transitions().get(place).fired[0].edge;
            let kind = EvalErrorKind::TooMany(Multiplied::Receivers, STEPS_MAX as u32);
            let error = RuntimeError { kind, span: system.edges[first].span };
            steps.failures.push((Vec::new(), error));
            return steps;
        }
        let followed = follow(&mut graph, &state, place, &action, &mut steps.found);
        if let Some(error) = followed.unwrap_or_else(Some) {
            steps.failures.push((action, error));
        }
    }
}

/// The edges of a transition of a prepared state.
fn action_of(graph: &ZoneGraph<'_>, place: usize) -> Vec<Fired> {
    let system = graph.system();
    let transition = graph.transitions().get(place);
    let fired = transition.fired.iter().map(|&fired| Fired {
        process: system.edges[fired.edge].process,
        edge: system.edges[fired.edge].index as usize,
        selects: transition.selected(fired, system).to_vec(),
    });
    fired.collect()
}

/// Follows one transition of a prepared state from each part of its zone in which it can be taken. Says how it fails
/// elsewhere, if it does.
fn follow(
    graph: &mut ZoneGraph<'_>,
    state: &SymbolicState,
    place: usize,
    action: &[Fired],
    found: &mut Vec<Step>,
) -> Result<Option<RuntimeError>, RuntimeError> {
    let mut failing = None;
    for piece in graph.pieces(state, place)? {
        failing = failing.or(graph.failing_from(state, place, &piece)?.map(|(_, error)| error));
        let Some(piece) = graph.admitted(state, place, &piece)? else { continue };
        graph.follow_from(state, place, &piece, &mut |successor| {
            let after = kept(successor);
            found.push(Step { number: found.len(), action: action.to_vec(), piece: piece.clone(), after });
        })?;
    }
    Ok(failing)
}
