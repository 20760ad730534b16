//! The reachability oracle: explicit search.
//!
//! States are points: locations, data, and a rational for each clock. What can happen at a point is decided by
//! [`Semantics`], the concrete semantics by definition; all that is added here is which points stand for all
//! others, so that there are finitely many and none is missed. There are two answers to that, which check each
//! other:
//!
//! - `grid.rs`: integer points, where everything that is said of clocks is closed;
//! - `regions.rs`: a point of each region, always.
//!
//! Both are slow, and exact; no zone occurs in them. `deadlock` is decided as it is defined, by following a state
//! through all that time can bring; it asks for guards to be false, so the grid is no judge of it.
//!
//! Networks with stopwatches have no regions, and reachability is undecidable. `fractions.rs` has what is reached
//! by delays that are multiples of a unit: some of what can be, and nothing that cannot.
//!
//! - `liveness/`: the same for what is true of infinite runs.
//! - `scrutiny.rs`: what a look at every state shows that no query asks for.
//! - `extremes.rs`: the least and greatest values of what queries measure.
//! - `ceilings.rs`: how large the constants are that clocks are compared with.

mod ceilings;
mod extremes;
mod fractions;
mod grid;
pub mod liveness;
mod regions;
mod scrutiny;

use std::collections::{BTreeSet, HashSet, VecDeque};

use tourbillon_base::Rational;
use tourbillon_model::{EvalErrorKind, ExprId, ExprKind, LocationId, Model, QueryKind};
use tourbillon_replay::{ConcreteState, Semantics, Violation};

use ceilings::Ceilings;
use fractions::Fractions;
use grid::Grid;
use regions::Regions;
pub use scrutiny::{Scrutiny, StepEdges};

pub use extremes::{Edge, Span, extremes};

/// What an oracle says of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// All that can be reached.
    Reached(Reached),
    /// The initial state breaks an invariant.
    NoInitialState,
    /// There are more states than allowed.
    TooLarge,
    /// The model, or a query, goes wrong in some reachable state. Where several things go wrong, it is one of
    /// them.
    Error(EvalErrorKind),
    /// The model has something that the oracle cannot judge, and what.
    Unsupported(&'static str),
}

/// All that a model can reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    pub discrete: BTreeSet<Discrete>,
    /// For each query of the model whether it is satisfied; nothing if it is neither `E<>` nor `A[]`.
    pub verdicts: Vec<Option<bool>>,
    /// How many states the search stored.
    pub stored: usize,
    /// What a look at every state shows, if that was wished.
    pub scrutiny: Option<Box<Scrutiny>>,
}

/// The part of a state without clocks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Discrete {
    /// Where each process is.
    pub locations: Vec<LocationId>,
    /// What is in each cell of the model, constants included.
    pub cells: Vec<i32>,
}

impl Discrete {
    fn of(state: &ConcreteState) -> Self {
        Self { locations: state.locations.clone(), cells: state.cells.clone() }
    }
}

/// Which points a search visits.
trait Time {
    /// How long until a point that the points met so far do not stand for; nothing if there is none.
    fn pause(&self, clocks: &[Rational]) -> Option<Rational>;

    /// A point that stands for this one.
    fn normal(&self, clocks: &[Rational]) -> Vec<Rational>;

    /// What two points have in common if one can stand for the other.
    fn class(&self, clocks: &[Rational]) -> Vec<i64>;
}

/// What a model can reach, by regions.
#[must_use]
pub fn by_regions(model: &Model, states_max: usize) -> Answer {
    match Ceilings::of(model) {
        Ok(ceilings) => explore(model, &Regions { ceilings }, states_max),
        Err(why) => Answer::Unsupported(why),
    }
}

/// The same, looking at every state.
#[must_use]
pub fn scrutinise(model: &Model, states_max: usize) -> Answer {
    let ceilings = match Ceilings::of(model) {
        Ok(ceilings) => ceilings,
        Err(why) => return Answer::Unsupported(why),
    };
    let regions = Regions { ceilings };
    let mut search = Search::new(model, &regions);
    search.reached.scrutiny = Some(Box::default());
    search.answer(states_max)
}

/// What a model can reach in integer time. That is all it can reach if what it and its queries say of clocks is
/// closed, which is for the caller to know; [`Shape::is_closed`](crate::networks::Shape::is_closed) does.
#[must_use]
pub fn by_grid(model: &Model, states_max: usize) -> Answer {
    match Ceilings::of(model) {
        Ok(ceilings) => explore(model, &Grid { ceilings }, states_max),
        Err(why) => Answer::Unsupported(why),
    }
}

/// Some of what a model can reach, whether or not its clocks run all the time: what it reaches by delays that are multiples
/// of one of so many `parts` of a unit, as far as the first states go. A verdict that finding a state
/// decides is certain, the other one is not.
#[must_use]
pub fn by_fractions(model: &Model, parts: i64, states_max: usize) -> Answer {
    let ceilings = match Ceilings::of_constants(model) {
        Ok(ceilings) => ceilings,
        Err(why) => return Answer::Unsupported(why),
    };
    let time = Fractions::new(ceilings, parts);
    let mut search = Search::new(model, &time);
    search.decides_deadlocks = true;
    match search.run(states_max, &mut |_| Ok(())) {
        Ok(()) | Err(Stop::TooLarge) => Answer::Reached(search.reached),
        Err(stop) => stop.into(),
    }
}

fn explore(model: &Model, time: &impl Time, states_max: usize) -> Answer {
    Search::new(model, time).answer(states_max)
}

/// Shows every point that is visited.
fn walk(
    model: &Model,
    time: &impl Time,
    states_max: usize,
    visit: &mut dyn FnMut(&ConcreteState) -> Result<(), Stop>,
) -> Result<(), Answer> {
    Search::new(model, time).run(states_max, visit).map_err(Answer::from)
}

/// Why a search ends early.
enum Stop {
    TooLarge,
    Violation(Violation),
}

impl From<Stop> for Answer {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::TooLarge => Self::TooLarge,
            Stop::Violation(Violation::Error(error)) => Self::Error(error.kind),
            Stop::Violation(_) => Self::NoInitialState,
        }
    }
}

impl<E: Into<Violation>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Violation(error.into())
    }
}

struct Search<'m, T> {
    semantics: Semantics<'m>,
    time: &'m T,
    seen: HashSet<(Discrete, Vec<i64>)>,
    waiting: VecDeque<ConcreteState>,
    reached: Reached,
    /// The model as it reads where there is no deadlock, and where there is; nothing if it is not asked for.
    settled: Option<[Model; 2]>,
    /// Whether the semantics say where there is a deadlock: points of fractions miss what happens between them.
    decides_deadlocks: bool,
}

/// The model with `deadlock` replaced by what is known of it.
fn settle(model: &Model, deadlocked: bool) -> Model {
    let mut model = model.clone();
    for id in model.exprs.ids() {
        if model.exprs[id].kind == ExprKind::Deadlock {
            model.exprs[id].kind = ExprKind::Int(deadlocked.into());
        }
    }
    model
}

impl<'m, T: Time> Search<'m, T> {
    fn new(model: &'m Model, time: &'m T) -> Self {
        let before = |kind: &QueryKind| match kind {
            QueryKind::Possibly(_) => Some(false),
            QueryKind::Invariantly(_) => Some(true),
            _ => None,
        };
        let asks = model.exprs.iter().any(|expr| expr.kind == ExprKind::Deadlock);
        let verdicts = model.queries.iter().map(|query| before(&query.kind)).collect();
        Self {
            semantics: Semantics::new(model),
            time,
            seen: HashSet::new(),
            waiting: VecDeque::new(),
            reached: Reached { discrete: BTreeSet::new(), verdicts, stored: 0, scrutiny: None },
            settled: asks.then(|| [settle(model, false), settle(model, true)]),
            decides_deadlocks: false,
        }
    }

    fn answer(mut self, states_max: usize) -> Answer {
        match self.run(states_max, &mut |_| Ok(())) {
            Ok(()) => Answer::Reached(self.reached),
            Err(stop) => stop.into(),
        }
    }

    fn run(
        &mut self,
        states_max: usize,
        visit: &mut dyn FnMut(&ConcreteState) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.offer(self.semantics.initial()?);
        while let Some(state) = self.waiting.pop_front() {
            if self.seen.len() > states_max {
                return Err(Stop::TooLarge);
            }
            self.ask(&state)?;
            let successors = self.semantics.successors(&state)?;
            self.scrutinise(&state, &successors)?;
            visit(&state)?;
            for (_, target) in successors {
                self.offer(target);
            }
            self.wait(&state)?;
        }
        self.reached.scrutiny.iter_mut().for_each(|scrutiny| scrutiny.finish());
        self.reached.stored = self.seen.len();
        Ok(())
    }

    /// Lets time pass until something new, if it can.
    fn wait(&mut self, state: &ConcreteState) -> Result<(), Stop> {
        let Some(pause) = self.time.pause(&state.clocks) else { return Ok(()) };
        match self.semantics.delay(state, pause) {
            Ok(later) => self.offer(later),
            Err(error @ Violation::Error(_)) => return Err(error.into()),
            Err(_) => {}
        }
        Ok(())
    }

    fn offer(&mut self, state: ConcreteState) {
        let discrete = Discrete::of(&state);
        if self.seen.insert((discrete.clone(), self.time.class(&state.clocks))) {
            self.reached.discrete.insert(discrete);
            let clocks = self.time.normal(&state.clocks);
            debug_assert_eq!(self.time.class(&clocks), self.time.class(&state.clocks), "{state:?}");
            self.waiting.push_back(ConcreteState { clocks, ..state });
        }
    }

    fn ask(&mut self, state: &ConcreteState) -> Result<(), Stop> {
        let deadlocked = self.settled.is_some() && self.is_deadlocked(state)?;
        let semantics = match &self.settled {
            Some(models) => Semantics::new(&models[usize::from(deadlocked)]),
            None => self.semantics.clone(),
        };
        for (query, verdict) in self.semantics.model().queries.iter().zip(&mut self.reached.verdicts) {
            let holds = |p: ExprId| semantics.holds(p, query.frame, state);
            match query.kind {
                QueryKind::Possibly(p) if *verdict == Some(false) => *verdict = Some(holds(p)?),
                QueryKind::Invariantly(p) if *verdict == Some(true) => *verdict = Some(holds(p)?),
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether no step is possible, now or after any delay.
    fn is_deadlocked(&self, state: &ConcreteState) -> Result<bool, Stop> {
        if self.decides_deadlocks {
            return Ok(self.semantics.is_deadlocked(state)?);
        }
        let mut state = state.clone();
        loop {
            if !self.semantics.successors(&state)?.is_empty() {
                return Ok(false);
            }
            let Some(pause) = self.time.pause(&state.clocks) else { return Ok(true) };
            match self.semantics.delay(&state, pause) {
                Ok(later) if self.time.class(&later.clocks) == self.time.class(&state.clocks) => {
                    return Ok(true);
                }
                Ok(later) => state = ConcreteState { clocks: self.time.normal(&later.clocks), ..later },
                Err(error @ Violation::Error(_)) => return Err(error.into()),
                Err(_) => return Ok(true),
            }
        }
    }
}

/// The same points with large gaps made smaller.
///
/// Sorted by value, with 0 in front, two neighbours that lie further apart than `ceiling` are brought together,
/// by an integer, to a distance that still is larger. No clock crosses the ceiling, no difference of two clocks
/// does, and no fraction changes.
fn close_gaps(clocks: &[Rational], ceiling: i64) -> Vec<Rational> {
    let mut order: Vec<usize> = (0..clocks.len()).collect();
    order.sort_by_key(|&index| clocks[index]);
    let mut closed = clocks.to_vec();
    let (mut before, mut shift) = (Rational::ZERO, 0);
    for index in order {
        let gap = floor(minus(clocks[index], before));
        shift += (gap - (ceiling + 1)).max(0);
        before = clocks[index];
        closed[index] = minus(before, Rational::from_integer(shift));
    }
    closed
}

fn floor(value: Rational) -> i64 {
    value.numerator().div_euclid(value.denominator())
}

fn minus(left: Rational, right: Rational) -> Rational {
    left.checked_sub(right).expect("values of a search are small")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::{Network, Shape};

    /// Regions whose points are kept as they were reached, so that nothing but the semantics leads to them.
    struct Exact(Regions);

    impl Time for Exact {
        fn pause(&self, clocks: &[Rational]) -> Option<Rational> {
            self.0.pause(clocks)
        }

        fn normal(&self, clocks: &[Rational]) -> Vec<Rational> {
            clocks.to_vec()
        }

        fn class(&self, clocks: &[Rational]) -> Vec<i64> {
            self.0.class(clocks)
        }
    }

    /// What is found with points that stand for others is found with points that were really reached.
    #[test]
    fn points_that_stand_for_others_reach_the_same() {
        let mut compared = 0;
        for (name, shape) in Shape::ALL {
            for seed in 0..150 {
                let model = Network::random(seed, shape).model().expect("a model");
                let regions = Regions { ceilings: Ceilings::of(&model).expect("ceilings") };
                let normal = explore(&model, &regions, 500);
                if normal != Answer::TooLarge {
                    let exact = explore(&model, &Exact(regions), 500);
                    assert_eq!(normal, exact, "shape {name}, seed {seed}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 500, "{compared} compared");
    }

    fn ratio(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator, denominator).expect("a fraction")
    }

    #[test]
    fn gaps_are_closed_by_integers_down_to_just_above_the_ceiling() {
        let clocks = [ratio(31, 3), ratio(1, 3), ratio(9, 1), ratio(20, 1)];
        assert_eq!(close_gaps(&clocks, 2), [ratio(16, 3), ratio(1, 3), ratio(4, 1), ratio(9, 1)]);
        assert_eq!(close_gaps(&[ratio(7, 2)], 2), [ratio(7, 2)]);
        assert_eq!(close_gaps(&[ratio(9, 2)], 2), [ratio(7, 2)]);
    }

    #[test]
    fn a_region_is_followed_by_the_next() {
        let regions = Regions { ceilings: Ceilings { single: 1, diagonal: None, extra: [0; 8] } };
        let mut clocks = vec![ratio(0, 1), ratio(1, 2)];
        let mut seen = vec![regions.class(&clocks)];
        while let Some(pause) = regions.pause(&clocks) {
            clocks.iter_mut().for_each(|clock| *clock = clock.checked_add(pause).expect("a small number"));
            clocks = regions.normal(&clocks);
            seen.push(regions.class(&clocks));
        }
        let expected = [[0, 0, 0, 1], [0, 1, 0, 2], [0, 1, 1, 0], [0, 1, -1, -1], [1, 0, -1, -1], [-1; 4]];
        assert_eq!(seen, expected);
    }
}
