//! Symbolic simulation.
//!
//! A symbolic state has the locations, the values of the variables, and the zone of all clock valuations that the steps
//! so far allow, delays included. A step leads from all valuations of the zone in which it is enabled to their
//! successors. Zones are exact, without extrapolation. A step that is enabled in several parts of a zone whose union is
//! not a zone (priorities, receivers of a broadcast with clock guards) is listed once for each.
//!
//! The zone graph is built anew for each state whose steps are requested, since it borrows the compiled system. This
//! costs some allocations for each step, little compared with its zones; a walk of many thousand steps pays it for
//! each. Delays are computed for all steps together and cached until the next step.

use std::cell::OnceCell;

use tourbillon_base::{Id, Random, Rational};
use tourbillon_check::{ConcreteState, Fired, RuntimeError, Witness, schedule_actions};
use tourbillon_dbm::{Dbm, Valuation};
use tourbillon_model::{EvalErrorKind, LocationId, LocationKind, Model, Multiplied};
use tourbillon_system::{System, compile};
use tourbillon_zonegraph::{Options, Successor, SymbolicState, ZoneGraph};

use super::concrete::{Concrete, no_choice};
use super::history::clocks_set;
use super::picture::{ClockProjection, Shape};
use super::state::{Choice, DeadlockKind, FailingStep, Move, SimulationState};
use super::{Bounds, Mode, SimulationError};
use crate::trace::TraceBuilder;

#[derive(Debug)]
pub(super) struct Symbolic<'a> {
    model: &'a Model,
    trace_builder: TraceBuilder<'a>,
    clocks: Vec<String>,
    system: System,
    initial: SymbolicState,
    moves: Vec<Step>,
    /// The number of steps before the current state.
    now: usize,
    bounds: Bounds,
    /// All steps with possible delays, once they are computed.
    timed: OnceCell<Result<Witness, SimulationError>>,
    /// The enabled steps of the current state, once they are computed.
    steps: OnceCell<StepList>,
}

/// A step, and its target state.
#[derive(Clone, Debug)]
struct Step {
    /// The index among the enabled steps.
    number: usize,
    action: Vec<Fired>,
    /// The part of the zone in which it is enabled.
    piece: Dbm,
    after: SymbolicState,
}

/// The enabled steps of a state.
#[derive(Default, Debug)]
struct StepList {
    found: Vec<Step>,
    /// The failures of other steps. Without edges, the failing step is not known, and the list of steps is incomplete.
    failures: Vec<(Vec<Fired>, RuntimeError)>,
}

impl<'a> Symbolic<'a> {
    /// The symbolic states along the steps of a concrete simulation.
    pub(super) fn following(concrete: &Concrete<'a>) -> Result<Self, SimulationError> {
        let model = concrete.model();
        let (system, _) = compile(model, &[]).map_err(|error| SimulationError::new(error.to_string()))?;
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

    /// Takes the step with these edges, in the part of the zone with this valuation.
    fn follow(&mut self, action: &[Fired], clocks: &[Rational]) -> Result<(), SimulationError> {
        let point = Valuation::new(clocks)
            .ok_or_else(|| SimulationError::new("the clock values are too fine for zones"))?;
        let taken = |step: &&Step| step.action == action && step.piece.contains(&point);
        let step = self.steps().found.iter().find(taken).cloned();
        let step = step.ok_or_else(|| SimulationError::new("the engine does not find a step of this run"))?;
        self.go(step)
    }

    pub(super) fn set_bounds(&mut self, bounds: Bounds) {
        self.bounds = bounds;
    }

    fn state(&self) -> &SymbolicState {
        self.moves[..self.now].last().map_or(&self.initial, |last| &last.after)
    }

    fn steps(&self) -> &StepList {
        self.steps.get_or_init(|| steps(&self.system, self.state()))
    }

    pub(super) fn position(&self) -> (usize, usize) {
        (self.now, self.moves.len())
    }

    pub(super) fn current_state(&self) -> SimulationState {
        let (state, discrete) = (self.state(), self.discrete(self.state()));
        let told = |step: &Step| Choice {
            edges: step.action.iter().map(|fired| self.trace_builder.edge(fired, &discrete)).collect(),
            delays: Vec::new(),
            zone: Some(self.zone_text(&step.piece)),
            constraints: step.piece.display(&self.clocks).constraints(),
        };
        let StepList { found, failures } = self.steps();
        let choices: Vec<Choice> = found.iter().map(told).collect();
        let failing = |(action, error): &(Vec<Fired>, RuntimeError)| FailingStep {
            edges: action.iter().map(|fired| self.trace_builder.edge(fired, &discrete)).collect(),
            delays: Vec::new(),
            what: error.kind.explain(self.model),
            place: Some(self.trace_builder.place(error.span)),
        };
        let failures: Vec<FailingStep> = failures.iter().map(failing).collect();
        let (step, steps) = self.position();
        SimulationState {
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

    /// Whether time can diverge if no step is possible: not in an urgent location, else if the zone is closed under
    /// delay. With stopwatches, the zone does not show this.
    fn stuck(&self, state: &SymbolicState, discrete: &ConcreteState) -> DeadlockKind {
        let mut here = self.model.processes.iter().zip(&discrete.locations);
        let urgent = here.clone().any(|(process, &at)| process.locations[at].kind != LocationKind::Normal);
        let stopped = here.any(|(process, &at)| !process.locations[at].rates.is_empty());
        let mut later = state.zone.clone();
        later.up();
        if urgent || (!stopped && later != state.zone) {
            DeadlockKind::Timelock
        } else {
            DeadlockKind::Deadlock
        }
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

    pub(super) fn step(&mut self, choice: usize) -> Result<(), SimulationError> {
        let steps = &self.steps().found;
        let step = steps.get(choice).cloned().ok_or_else(|| no_choice(choice, steps.len()))?;
        self.go(step)
    }

    pub(super) fn random(&mut self, random: &mut Random) -> Result<bool, SimulationError> {
        let Some(step) = random.pick(&self.steps().found).cloned() else { return Ok(false) };
        self.go(step)?;
        Ok(true)
    }

    fn go(&mut self, step: Step) -> Result<(), SimulationError> {
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

    /// For each step so far, its index among the enabled steps.
    pub(super) fn numbers(&self) -> Vec<usize> {
        self.moves[..self.now].iter().map(|step| step.number).collect()
    }

    /// The steps, including undone ones: the edges, and the state after them.
    pub(super) fn steps_taken(&self) -> impl Iterator<Item = (&[Fired], ConcreteState)> {
        self.moves.iter().map(|step| (&step.action[..], self.discrete(&step.after)))
    }

    /// The projection to two clocks.
    pub(super) fn picture(&self, x: usize, y: usize) -> ClockProjection {
        let of = |zone: &Dbm| Shape::of(zone, x, y);
        let choices = self.steps().found.iter().map(|step| vec![of(&step.piece)]);
        ClockProjection {
            zone: Some(of(&self.state().zone)),
            point: None,
            running: None,
            choices: choices.collect(),
        }
    }

    /// The steps so far with possible delays, and their states.
    pub(super) fn timed(&self) -> Result<Witness, SimulationError> {
        if self.now == self.moves.len() {
            return self.timed_all().clone();
        }
        self.schedule(self.now)
    }

    /// As [`Self::timed`], including undone steps.
    pub(super) fn timed_all(&self) -> &Result<Witness, SimulationError> {
        self.timed.get_or_init(|| self.schedule(self.moves.len()))
    }

    /// Computes delays for the first steps.
    fn schedule(&self, count: usize) -> Result<Witness, SimulationError> {
        let actions: Vec<Vec<Fired>> = self.moves[..count].iter().map(|step| step.action.clone()).collect();
        schedule_actions(self.model, &self.system, &actions)
            .map_err(|error| SimulationError::new(error.to_string()))
    }
}

fn failed(error: &RuntimeError, model: &Model, trace_builder: &TraceBuilder<'_>) -> SimulationError {
    let place = Some(trace_builder.place(error.span));
    let failing =
        FailingStep { edges: Vec::new(), delays: Vec::new(), what: error.kind.explain(model), place };
    SimulationError::new(failing.to_string())
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

/// The maximum number of enabled steps of a state; each has two zones.
const STEPS_MAX: usize = 10_000;

/// The steps that are enabled in some part of a state's zone.
fn steps(system: &System, state: &SymbolicState) -> StepList {
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let mut state = state.clone();
    let mut steps = StepList::default();
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

/// Follows one transition of a prepared state from each part of its zone in which it is enabled. Returns its failure
/// elsewhere, if any.
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
