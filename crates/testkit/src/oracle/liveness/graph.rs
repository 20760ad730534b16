//! The explored graph of representative valuations.
//!
//! Which points there are is said by a [`Time`], what leads from one to another by [`Semantics`]. A further clock, behind
//! those of the model, ticks if that is asked for: nothing in the model can set it or compare it, and it takes part in
//! what tells points apart like any other. It never shows 1, since at that moment it is set to 0.

use std::collections::HashMap;

use tourbillon_base::Rational;
use tourbillon_replay::{ConcreteState, Semantics, Violation};

use super::super::{Discrete, Stop, Time};

/// How time is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeSteps {
    /// Whether there is a clock that ticks.
    pub(super) ticks: bool,
    /// Whether actions are followed only when it has just ticked, or never did.
    pub(super) actions_at_ticks: bool,
}

/// What an edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Action,
    Delay,
    /// A delay that completes a unit of time.
    Tick,
}

/// A point that can be reached, and what leads from it.
pub(super) struct Node {
    pub(super) state: ConcreteState,
    pub(super) edges: Vec<(Step, usize)>,
    /// Whether an action is possible, followed or not.
    acts: bool,
}

impl Node {
    /// Where its edges lead.
    pub(super) fn targets(&self) -> impl Iterator<Item = usize> + '_ {
        self.edges.iter().map(|&(_, target)| target)
    }

    /// Whether nothing can happen and no time can pass.
    pub(super) fn is_stuck(&self) -> bool {
        self.edges.is_empty() && !self.acts
    }
}

/// All points that can be reached; the first is where the network starts.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
}

impl Graph {
    /// Explores a model breadth first.
    pub(super) fn explore(
        semantics: Semantics<'_>,
        time: &impl Time,
        passing: TimeSteps,
        states_max: usize,
    ) -> Result<Self, Stop> {
        let mut builder = Builder { semantics, time, passing, nodes: Vec::new(), places: HashMap::new() };
        let mut initial = builder.semantics.initial()?;
        initial.clocks.extend(passing.ticks.then_some(Rational::ZERO));
        builder.place(initial);
        let mut next = 0;
        while next < builder.nodes.len() {
            if builder.nodes.len() > states_max {
                return Err(Stop::TooLarge);
            }
            builder.expand(next)?;
            next += 1;
        }
        Ok(Self { nodes: builder.nodes })
    }
}

struct Builder<'m, T> {
    semantics: Semantics<'m>,
    time: &'m T,
    passing: TimeSteps,
    nodes: Vec<Node>,
    places: HashMap<(Discrete, Vec<i64>), usize>,
}

impl<T: Time> Builder<'_, T> {
    /// The node that stands for a point.
    fn place(&mut self, state: ConcreteState) -> usize {
        let key = (Discrete::of(&state), self.time.class(&state.clocks));
        let new = self.nodes.len();
        let place = *self.places.entry(key).or_insert(new);
        if place == new {
            let clocks = self.time.normal(&state.clocks);
            debug_assert_eq!(self.time.class(&clocks), self.time.class(&state.clocks), "{state:?}");
            let state = ConcreteState { clocks, ..state };
            self.nodes.push(Node { state, edges: Vec::new(), acts: false });
        }
        place
    }

    fn expand(&mut self, node: usize) -> Result<(), Stop> {
        let state = self.nodes[node].state.clone();
        let successors = self.semantics.successors(&state)?;
        self.nodes[node].acts = !successors.is_empty();
        let followed = !self.passing.actions_at_ticks || state.clocks.last() == Some(&Rational::ZERO);
        for (_, target) in successors.into_iter().filter(|_| followed) {
            let target = self.place(target);
            self.nodes[node].edges.push((Step::Action, target));
        }
        if let Some((step, target)) = self.wait(node, &state)? {
            self.nodes[node].edges.push((step, target));
        }
        Ok(())
    }

    /// Where time leads next, if it can pass. Without a clock that tells, a unit of time leads back to the same point.
    fn wait(&mut self, node: usize, state: &ConcreteState) -> Result<Option<(Step, usize)>, Stop> {
        let pause = self.time.pause(&state.clocks);
        let later = match self.semantics.delay(state, pause.unwrap_or(Rational::from_integer(1))) {
            Ok(later) => later,
            Err(error @ (Violation::Error(_) | Violation::TooPrecise)) => return Err(error.into()),
            Err(_) => return Ok(None),
        };
        if pause.is_none() {
            return Ok(Some((Step::Tick, node)));
        }
        let (step, later) = self.ticked(later);
        Ok(Some((step, self.place(later))))
    }

    fn ticked(&self, mut state: ConcreteState) -> (Step, ConcreteState) {
        match state.clocks.last_mut() {
            Some(clock) if self.passing.ticks && *clock == Rational::from_integer(1) => {
                *clock = Rational::ZERO;
                (Step::Tick, state)
            }
            _ => (Step::Delay, state),
        }
    }
}
