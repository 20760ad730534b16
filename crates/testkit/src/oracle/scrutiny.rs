//! What a look at every state shows that no query asks for: which edges are taken, where no step is possible and what
//! time does there, which invariants forbid steps whose guards hold, and whether steps can go round at one moment.
//!
//! All of it by definition, state by state: a step is what the concrete semantics accept, a standstill is a state from
//! which no delay leads to a step, and time diverges if it can pass for longer than any constant of the model.

use std::collections::{BTreeSet, HashMap};

use tourbillon_base::Rational;
use tourbillon_model::{LocationId, ProcessId};
use tourbillon_replay::{ConcreteState, Fired, Violation};

use super::{Discrete, Search, Stop, Time};

/// The edges of a step, each by its process and its place among the edges of that.
pub type StepEdges = Vec<(ProcessId, usize)>;

/// What a look at every state shows.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scrutiny {
    /// The edges that are taken.
    pub taken: BTreeSet<(ProcessId, usize)>,
    /// Where the processes are when no step is possible, now or after any delay, and whether time diverges.
    pub standstills: BTreeSet<(Vec<LocationId>, bool)>,
    /// Steps whose guards hold and which an invariant forbids, by their edges, and whose invariant: the first in
    /// system order.
    pub broken: BTreeSet<(StepEdges, ProcessId, LocationId)>,
    /// Whether steps lead from a state back to it without any time.
    pub has_instant_cycle: bool,
    /// The steps between points, each point by a number.
    steps: Vec<Vec<usize>>,
    numbers: HashMap<(Discrete, Vec<i64>), usize>,
}

/// Longer than any constant that an oracle accepts.
const VERY_LONG: i64 = 1000;

impl<T: Time> Search<'_, T> {
    /// Looks at a state and its steps, if that is wished.
    pub(super) fn scrutinise(
        &mut self,
        state: &ConcreteState,
        successors: &[(Vec<Fired>, ConcreteState)],
    ) -> Result<(), Stop> {
        let Some(mut scrutiny) = self.reached.scrutiny.take() else { return Ok(()) };
        let source = scrutiny.number(self.key(state));
        for (action, target) in successors {
            scrutiny.taken.extend(edges(action));
            let target = scrutiny.number(self.key(target));
            scrutiny.steps[source].push(target);
        }
        if successors.is_empty() && self.is_deadlocked(state)? {
            let long = Rational::from_integer(VERY_LONG);
            let waits = match self.semantics.delay(state, long) {
                Ok(_) => true,
                Err(error @ Violation::Error(_)) => return Err(error.into()),
                Err(_) => false,
            };
            scrutiny.standstills.insert((state.locations.clone(), waits));
        }
        for (action, process, location) in self.semantics.forbidden(state)? {
            scrutiny.broken.insert((edges(&action).collect(), process, location));
        }
        self.reached.scrutiny = Some(scrutiny);
        Ok(())
    }

    fn key(&self, state: &ConcreteState) -> (Discrete, Vec<i64>) {
        let discrete = Discrete { locations: state.locations.clone(), cells: state.cells.clone() };
        (discrete, self.time.class(&state.clocks))
    }
}

impl Scrutiny {
    fn number(&mut self, key: (Discrete, Vec<i64>)) -> usize {
        let next = self.steps.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.steps.push(Vec::new());
        }
        number
    }

    /// Finds out whether steps go round: if points without steps to others are taken away until there are none,
    /// something is left.
    pub(super) fn finish(&mut self) {
        let mut left: Vec<usize> = self.steps.iter().map(Vec::len).collect();
        let mut back = vec![Vec::new(); self.steps.len()];
        for (source, targets) in self.steps.iter().enumerate() {
            targets.iter().for_each(|&target| back[target].push(source));
        }
        let mut ends: Vec<usize> = (0..left.len()).filter(|&point| left[point] == 0).collect();
        while let Some(end) = ends.pop() {
            for &source in &back[end] {
                left[source] -= 1;
                if left[source] == 0 {
                    ends.push(source);
                }
            }
        }
        self.has_instant_cycle = left.iter().any(|&count| count > 0);
    }
}

fn edges(action: &[Fired]) -> impl Iterator<Item = (ProcessId, usize)> {
    action.iter().map(|fired| (fired.process, fired.edge))
}
