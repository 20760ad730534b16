//! The transitions of a state.
//!
//! [`Semantics::act`] judges one action, [`Semantics::actions`] lists all that it accepts. The priority of an
//! action is that of its channel, then the highest of its processes. Candidates are tried from the highest
//! priority down, so that the updates of an action are evaluated only if nothing of higher priority can be
//! taken: an error in an update that never happens is none.

use std::sync::Arc;

use tourbillon_base::{Id, Rational};
use tourbillon_model::{
    Cell, CellKind, ClockId, EvalError, ExprId, Frame, LocationId, LocationKind, Measure, Model,
    NegativeClock, ProcessId,
};

use crate::delay::{check_invariants, delay, running};
use crate::evaluator::StateEvaluator;
use crate::joint::{Label, check, combinations, frame, label};
use crate::outgoing::Outgoing;
use crate::run::{ConcreteState, Fired};
use crate::violation::Violation;

/// What a model can do, by definition.
#[derive(Clone, Debug)]
pub struct Semantics<'m> {
    model: &'m Model,
    /// Where all have the same priority, no other edge's guard needs to be examined to judge an action.
    has_priorities: bool,
    outgoing: Arc<Outgoing>,
}

/// The priority of an action: of its channel, and the highest of its processes.
pub(crate) type Priority = (u32, u32);

impl<'m> Semantics<'m> {
    /// That of a model which keeps the promises of [`Model::check`].
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        Self { model, has_priorities: has_priorities(model), outgoing: Arc::new(Outgoing::of(model)) }
    }

    #[must_use]
    pub fn model(&self) -> &'m Model {
        self.model
    }

    pub(crate) fn outgoing(&self) -> &Arc<Outgoing> {
        &self.outgoing
    }

    /// Whether some steps can have a higher priority than others.
    pub(crate) fn has_priorities(&self) -> bool {
        self.has_priorities
    }

    /// The initial state.
    ///
    /// # Errors
    /// If an invariant does not hold there, or cannot be evaluated.
    pub fn initial(&self) -> Result<ConcreteState, Violation> {
        let state = ConcreteState {
            locations: self.model.processes.iter().map(|process| process.initial).collect(),
            cells: self.model.cells.iter().map(|cell| cell.initial).collect(),
            clocks: self.model.clocks.iter().map(|clock| Rational::from(clock.initial)).collect(),
        };
        check_invariants(&mut StateEvaluator::new(self, &state))?;
        Ok(state)
    }

    /// Which clocks run while time passes; the others are stopped.
    ///
    /// # Errors
    /// If a rate cannot be evaluated.
    pub fn running(&self, state: &ConcreteState) -> Result<Vec<bool>, EvalError> {
        running(&mut StateEvaluator::new(self, state))
    }

    /// The state when this much time has passed. No time at all can pass anywhere.
    ///
    /// # Errors
    /// If the time cannot pass: because of an invariant, of a location that is urgent or committed, or of an
    /// urgent synchronisation that is enabled before its end.
    pub fn delay(&self, state: &ConcreteState, time: Rational) -> Result<ConcreteState, Violation> {
        delay(self, state, time)
    }

    /// The state after an action.
    ///
    /// # Errors
    /// If it is no legal action of this state, in any respect.
    pub fn act(&self, state: &ConcreteState, action: &[Fired]) -> Result<ConcreteState, Violation> {
        let mut stage = StateEvaluator::new(self, state);
        check(&mut stage, action)?;
        self.check_committed(state, action)?;
        self.check_priority(&mut stage, action)?;
        self.taken(state, action)
    }

    /// All legal actions of a state.
    ///
    /// # Errors
    /// If the model goes wrong in a guard of any edge that starts here, or in an action that nothing of higher
    /// priority comes before.
    pub fn actions(&self, state: &ConcreteState) -> Result<Vec<Vec<Fired>>, EvalError> {
        Ok(self.successors(state)?.into_iter().map(|(action, _)| action).collect())
    }

    /// All legal actions of a state, each with the state after it.
    ///
    /// # Errors
    /// As for [`Semantics::actions`].
    pub fn successors(&self, state: &ConcreteState) -> Result<Vec<(Vec<Fired>, ConcreteState)>, EvalError> {
        let mut legal = Vec::new();
        for equal in self.by_priority(state)?.chunk_by(|(one, _), (other, _)| one == other) {
            for (_, action) in equal {
                if let Some(target) = self.possible(state, action)? {
                    legal.push((action.clone(), target));
                }
            }
            if !legal.is_empty() {
                break;
            }
        }
        Ok(legal)
    }

    /// The actions of a state that an invariant forbids and nothing else, each with whose: the first in system
    /// order.
    ///
    /// # Errors
    /// As for [`Semantics::actions`].
    pub fn forbidden(
        &self,
        state: &ConcreteState,
    ) -> Result<Vec<(Vec<Fired>, ProcessId, LocationId)>, EvalError> {
        let mut list = Vec::new();
        for equal in self.by_priority(state)?.chunk_by(|(one, _), (other, _)| one == other) {
            let mut is_legal = false;
            for (_, action) in equal {
                if self.check_committed(state, action).is_err() {
                    continue;
                }
                match self.taken(state, action) {
                    Ok(_) => is_legal = true,
                    Err(Violation::Invariant(process, location)) => {
                        list.push((action.clone(), process, location));
                    }
                    Err(Violation::Error(error)) => return Err(error),
                    Err(_) => {}
                }
            }
            if is_legal {
                break;
            }
        }
        Ok(list)
    }

    /// What guards allow in a state, with its priority, the highest first.
    fn by_priority(&self, state: &ConcreteState) -> Result<Vec<(Priority, Vec<Fired>)>, EvalError> {
        let mut stage = StateEvaluator::new(self, state);
        let mut list = Vec::new();
        for action in combinations(&mut stage)? {
            list.push((self.priority(&mut stage, &action)?, action));
        }
        list.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
        Ok(list)
    }

    /// Whether a predicate of a query holds in a state; `frame` is the number of local cells it needs.
    ///
    /// # Errors
    /// If it cannot be evaluated, which `deadlock` never can.
    pub fn holds(&self, predicate: ExprId, frame: u32, state: &ConcreteState) -> Result<bool, EvalError> {
        StateEvaluator::new(self, state).is_true(predicate, &mut Frame::new(frame))
    }

    /// What something that a query measures amounts to in a state.
    ///
    /// # Errors
    /// If it cannot be evaluated, or is too large.
    pub fn measured(
        &self,
        measure: &Measure,
        frame: u32,
        state: &ConcreteState,
    ) -> Result<Rational, Violation> {
        let (mut stage, mut frame) = (StateEvaluator::new(self, state), Frame::new(frame));
        let (clock, data) = match measure {
            Measure::Data(expr) => (Rational::ZERO, Some(*expr)),
            Measure::Clock(place, offset) => (state.clocks[stage.clock(place, &mut frame)?.index()], *offset),
        };
        let data = data.map_or(Ok(0), |expr| stage.value(expr, &mut frame))?;
        clock.checked_add(data.into()).ok_or(Violation::TooPrecise)
    }

    /// The state after a step, unless committed locations or invariants forbid it.
    pub(crate) fn possible(
        &self,
        state: &ConcreteState,
        action: &[Fired],
    ) -> Result<Option<ConcreteState>, EvalError> {
        if self.check_committed(state, action).is_err() {
            return Ok(None);
        }
        match self.taken(state, action) {
            Ok(target) => Ok(Some(target)),
            Err(Violation::Error(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// That the action leaves a committed location if there is one.
    fn check_committed(&self, state: &ConcreteState, action: &[Fired]) -> Result<(), Violation> {
        let is_committed = |process: ProcessId| {
            let here = state.locations[process.index()];
            self.model.processes[process].locations[here].kind == LocationKind::Committed
        };
        let committed = self.model.processes.ids().find(|&process| is_committed(process));
        match committed {
            Some(process) if !action.iter().any(|fired| is_committed(fired.process)) => {
                Err(Violation::Committed(process, state.locations[process.index()]))
            }
            _ => Ok(()),
        }
    }

    /// What edges that make a step together lead to.
    fn taken(&self, state: &ConcreteState, action: &[Fired]) -> Result<ConcreteState, Violation> {
        let target = self.updated(state, action)?;
        check_invariants(&mut StateEvaluator::new(self, &target))?;
        Ok(target)
    }

    /// The same, whether or not invariants hold there.
    pub(crate) fn updated(
        &self,
        state: &ConcreteState,
        action: &[Fired],
    ) -> Result<ConcreteState, Violation> {
        match self.model.language.negative_clock() {
            NegativeClock::Fails => Ok(self.update_on(StateEvaluator::new(self, state), action)?.state),
            NegativeClock::Disables => {
                let (target, assigned) = self.assigned(state, action)?;
                let negative = assigned.into_iter().find(|&(_, value)| value < Rational::ZERO);
                negative.map_or(Ok(target), |(clock, _)| Err(Violation::NegativeClock(clock)))
            }
        }
    }

    /// The state after updates that continue though they set a clock to a negative value, and what they set clocks to, in
    /// order. Data does not depend on clocks: whatever these show, the same clocks are set in the same order.
    pub(crate) fn assigned(
        &self,
        state: &ConcreteState,
        action: &[Fired],
    ) -> Result<(ConcreteState, Vec<(ClockId, Rational)>), EvalError> {
        let stage = self.update_on(StateEvaluator::tolerant(self, state), action)?;
        Ok((stage.state, stage.assigned.unwrap_or_default()))
    }

    fn update_on<'s>(
        &self,
        mut stage: StateEvaluator<'s>,
        action: &[Fired],
    ) -> Result<StateEvaluator<'s>, EvalError> {
        self.update_all(&mut stage, &self.model.before_update)?;
        for fired in action {
            let edge = &self.model.processes[fired.process].edges[fired.edge];
            let mut frame = frame(edge, &fired.selects);
            for &update in &edge.updates {
                stage.value(update, &mut frame)?;
            }
        }
        self.update_all(&mut stage, &self.model.after_update)?;
        for fired in action {
            let edge = &self.model.processes[fired.process].edges[fired.edge];
            stage.state.locations[fired.process.index()] = edge.target;
        }
        self.forget_meta(&mut stage.state);
        Ok(stage)
    }

    fn update_all(&self, stage: &mut StateEvaluator<'_>, updates: &[ExprId]) -> Result<(), EvalError> {
        let mut frame = Frame::new(self.model.update_frame);
        updates.iter().try_for_each(|&update| stage.value(update, &mut frame).map(|_| ()))
    }

    fn forget_meta(&self, state: &mut ConcreteState) {
        let is_meta = |cell: &Cell| cell.kind == CellKind::Meta;
        for (value, cell) in state.cells.iter_mut().zip(&self.model.cells).filter(|(_, cell)| is_meta(cell)) {
            *value = cell.initial;
        }
    }

    pub(crate) fn priority(
        &self,
        stage: &mut StateEvaluator<'_>,
        action: &[Fired],
    ) -> Result<Priority, EvalError> {
        let of_channel = match label(stage, &action[0])? {
            Label::Send(channel) | Label::Receive(channel) => self.model.channels[channel].priority,
            Label::Internal | Label::Event(_) => self.model.internal_priority,
        };
        let of_processes = action.iter().map(|fired| self.model.processes[fired.process].priority).max();
        Ok((of_channel, of_processes.unwrap_or(0)))
    }

    /// That nothing of higher priority can be taken.
    fn check_priority(&self, stage: &mut StateEvaluator<'_>, action: &[Fired]) -> Result<(), Violation> {
        if !self.has_priorities {
            return Ok(());
        }
        let own = self.priority(stage, action)?;
        for other in combinations(stage)? {
            let is_higher = self.priority(stage, &other)? > own;
            if is_higher && self.possible(&stage.state, &other)?.is_some() {
                return Err(Violation::Priority(other));
            }
        }
        Ok(())
    }
}

/// Whether some steps can have a higher priority than others.
fn has_priorities(model: &Model) -> bool {
    let same_channels = model.channels.iter().all(|channel| channel.priority == model.internal_priority);
    let mut processes = model.processes.iter().map(|process| process.priority);
    let first = processes.next();
    !same_channels || processes.any(|priority| Some(priority) != first)
}
