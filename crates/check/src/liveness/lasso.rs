//! From a lasso of the zone graph to a concrete infinite run, whose delays repeat with its cycle.
//!
//! The cycle detection finds transitions; here they get delays. A cycle of zones can be repeated forever, but not always with
//! the same delays from the first iteration on, and not always after one iteration: clocks that were reset on the stem may
//! have to be reset on the cycle first, and two iterations together may repeat where one does not. So the cycle is tried as
//! it is, after some iterations, and with several iterations as one. The delays of some cycles never repeat (each iteration
//! must be faster than the one before): then two iterations are shown, and marked as such.
//!
//! **Soundness.** Two iterations prove nothing about the third. If a run must replay to count ([`Plan::must_replay`]), only one
//! whose delays repeat does. Else the cycle of zones is the proof, and the run illustrates it. The cycle has runs of any number
//! of iterations: each valuation of a zone is reached from a valuation of the zone before, up to the simulation of the
//! abstraction, and so backwards along the cycle. Clocks are compared with finitely many constants there (the condition that an
//! update makes no clock negative is one of the comparisons), so there are finitely many regions, and the valuations of a
//! region have the same successor regions. A run with more iterations than regions is in the same region twice at the same node
//! of the cycle, and the part between can be repeated `[AlurDill1994]`, `[TripakisYovineBouajjani2005]`, `[Tripakis2009]`.
//! Without finitely many constants the last argument fails: with `x = x - 1`, each iteration may need a larger `x` at its
//! start.
//!
//! [`Plan::must_replay`]: crate::Plan::must_replay

use tourbillon_model::Model;
use tourbillon_replay::{
    AvoidedPredicate, Finish, Fired, InfiniteRunError, Run, Since, Violation, check_infinite,
};
use tourbillon_search::Budget;
use tourbillon_system::{Predicate, RuntimeError, StateFormula, System};
use tourbillon_zonegraph::{Ending, TICK, Ticks};

use crate::path::{RealiseError, Witness};
use crate::route::{AvoidOptions, PathFollower, PathStep};

/// A step of a lasso.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LassoStep {
    /// The transition with this ordinal, or a tick.
    Take(u32),
    /// The transition with these edges.
    Edges(Vec<Fired>),
}

impl LassoStep {
    pub(crate) fn path(ordinals: Vec<u32>) -> Vec<Self> {
        ordinals.into_iter().map(Self::Take).collect()
    }

    fn is_tick(&self) -> bool {
        *self == Self::Take(TICK)
    }

    fn path_step(&self) -> PathStep<'_> {
        match self {
            Self::Take(ordinal) => PathStep::Take(*ordinal),
            Self::Edges(edges) => PathStep::Edges(edges),
        }
    }
}

/// A lasso, or a path to the end of a finite run.
#[derive(Clone, Debug)]
pub(crate) struct Lasso {
    /// To a state that satisfies the premise, if there is one.
    pub(crate) premise_path: Vec<LassoStep>,
    /// From there, or from the initial state.
    pub(crate) stem: Vec<LassoStep>,
    /// Empty for a finite run.
    pub(crate) cycle: Vec<LassoStep>,
    /// The end of a finite run.
    pub(crate) ending: Option<Ending>,
}

/// A lasso to be realised.
pub(crate) struct Case<'a> {
    pub(crate) model: &'a Model,
    pub(crate) system: &'a System,
    pub(crate) lasso: &'a Lasso,
    /// What holds at the start of the stem.
    pub(crate) premise: Option<&'a Predicate>,
    /// What never holds along the run, compiled.
    pub(crate) avoid: Option<&'a Predicate>,
    /// The same as an expression of the model.
    pub(crate) never: Option<StateFormula>,
    pub(crate) ticks: Option<Ticks>,
    /// The largest constant that a clock is compared with.
    pub(crate) horizon: i32,
    /// Whether only a run whose delays repeat counts.
    pub(crate) exact_only: bool,
    pub(crate) budget: &'a Budget<'a>,
}

/// The number of alternative choices that are tried beyond the length of the path.
const ALTERNATIVES_MAX: usize = 300;

/// A run, and the time of its premise.
type Timed = (Run, Option<Since>);

/// The number of iterations before the repeated part, and within it, in the order in which they are tried.
const TRIES: [(usize, usize); 9] = [(0, 1), (1, 1), (0, 2), (1, 2), (2, 1), (1, 3), (2, 2), (1, 4), (3, 6)];

/// Computes a run along a lasso, and checks it by replay.
pub(crate) fn realise(case: &Case<'_>) -> Result<Witness, RealiseError> {
    // A cycle of ticks is an infinite delay.
    let ticks = case.lasso.cycle.iter().all(LassoStep::is_tick).then_some(Ending::Waits);
    let mut search = Realisation { case, found: Err(RealiseError::Infeasible) };
    let followed = match case.lasso.ending.or(ticks) {
        Some(ending) => search.realise_finite(ending),
        None => search.realise_cycle(),
    };
    match followed {
        Ok(()) => search.found,
        Err(_) => Err(RealiseError::Infeasible),
    }
}

/// The search for delays along a lasso.
struct Realisation<'a, 'c> {
    case: &'a Case<'c>,
    /// The run, or why there is none so far.
    found: Result<Witness, RealiseError>,
}

impl Realisation<'_, '_> {
    /// Checks a run. Returns whether the search is over.
    fn offer(&mut self, timed: Option<Timed>, finish: Finish) -> bool {
        if self.case.budget.is_over() {
            self.found = Err(RealiseError::Interrupted);
            return true;
        }
        if let Some(timed) = timed {
            self.found = checked(self.case, timed, finish);
        }
        self.found.is_ok()
    }

    fn is_settled(&self) -> bool {
        matches!(self.found, Ok(_) | Err(RealiseError::Interrupted))
    }

    /// Searches for an infinite run along the cycle.
    fn realise_cycle(&mut self) -> Result<(), RuntimeError> {
        let case = self.case;
        let (stem, cycle) = rotated(case.lasso, case.premise.is_some());
        for (before, iterations) in TRIES {
            let path = Path::new(case, &stem, &cycle, before, iterations);
            let finish = Finish::Repeats { from: path.first_repeated };
            case.follower().follow(&path.path, &mut |path_so_far, _| {
                Ok(self.offer(path_so_far.repeating_run(path.head), finish))
            })?;
            if self.is_settled() {
                return Ok(());
            }
        }
        if case.exact_only {
            return Ok(());
        }
        let path = Path::new(case, &stem, &cycle, 1, 1);
        let finish = Finish::Varies { from: path.first_repeated };
        case.follower()
            .follow(&path.path, &mut |path_so_far, _| Ok(self.offer(path_so_far.run(&[]), finish)))?;
        Ok(())
    }

    /// Searches for a finite run along the stem.
    fn realise_finite(&mut self, ending: Ending) -> Result<(), RuntimeError> {
        let case = self.case;
        let path = Path::new(case, &case.lasso.stem, &[], 0, 0);
        let finish = if ending == Ending::Waits { Finish::Waits } else { Finish::Stuck };
        let mut evaluator = case.follower();
        case.follower().follow(&path.path, &mut |path_so_far, state| {
            let graph = evaluator.avoiding();
            let mut state = state.clone();
            graph.prepare(&mut state)?;
            let part = graph.ending(&state, ending == Ending::Stuck)?;
            Ok(self.offer(part.and_then(|(_, part)| path_so_far.run(&part.minimal_constraints())), finish))
        })?;
        Ok(())
    }
}

/// The witness of a run, if the replay accepts it.
fn checked(case: &Case<'_>, (run, since): Timed, finish: Finish) -> Result<Witness, RealiseError> {
    let never = case.never.map(|StateFormula { expr, frame, negated }| AvoidedPredicate {
        expr,
        frame,
        negated,
        since: since.unwrap_or_default(),
    });
    let mut states = check_infinite(case.model, &run, finish, never, case.horizon).map_err(|error| {
        let explanation = error.explain(case.model);
        match error {
            InfiniteRunError::After(violation @ Violation::Error(_)) => {
                RealiseError::of(&violation, explanation)
            }
            InfiniteRunError::Run(error) => RealiseError::of(&error.violation, explanation),
            _ => RealiseError::Rejected(explanation),
        }
    })?;
    let last = states.pop().expect("a run has states");
    Ok(Witness { run, last, finish: Some(finish), since })
}

/// Rotates the cycle such that stem and cycle end with a transition of the model: ticks after the last transition of the cycle
/// move to the start of the next iteration. Otherwise the first delays of two iterations would differ.
fn rotated(lasso: &Lasso, premise: bool) -> (Vec<LassoStep>, Vec<LassoStep>) {
    let (mut stem, mut cycle) = (lasso.stem.clone(), lasso.cycle.clone());
    if let Some(last) = cycle.iter().rposition(|step| !step.is_tick()) {
        if last + 1 < cycle.len() {
            stem.extend_from_slice(&cycle[..=last]);
            cycle.rotate_left(last + 1);
        } else if (stem.is_empty() && premise) || stem.last().is_some_and(LassoStep::is_tick) {
            // The premise, or a tick, is no transition of the run either.
            stem.extend_from_slice(&cycle);
        }
    }
    (stem, cycle)
}

/// A path with a repeated part.
struct Path<'a> {
    path: Vec<PathStep<'a>>,
    /// The index of the first move of the cycle.
    head: usize,
    /// The index of its transition in the run.
    first_repeated: usize,
}

impl<'a> Path<'a> {
    fn new(
        case: &'a Case<'_>,
        stem: &'a [LassoStep],
        cycle: &'a [LassoStep],
        before: usize,
        iterations: usize,
    ) -> Self {
        let repeated = |times| std::iter::repeat_n(cycle, times).flatten();
        let mut path: Vec<PathStep<'a>> = case.lasso.premise_path.iter().map(LassoStep::path_step).collect();
        path.extend(case.premise.map(PathStep::Premise));
        path.extend(stem.iter().chain(repeated(before)).map(LassoStep::path_step));
        let head = path.len();
        let is_action = |step: &&PathStep<'_>| match step {
            PathStep::Take(ordinal) => *ordinal != TICK,
            PathStep::Edges(_) => true,
            PathStep::Premise(_) => false,
        };
        let first_repeated = path.iter().filter(is_action).count();
        path.extend(repeated(iterations).map(LassoStep::path_step));
        Self { path, head, first_repeated }
    }
}

impl<'a> Case<'a> {
    fn follower(&self) -> PathFollower<'a> {
        let predicate = self.avoid.cloned();
        let avoiding = AvoidOptions { predicate, ticks: self.ticks, later: self.premise.is_some() };
        PathFollower::new(self.system, avoiding).with_alternatives(ALTERNATIVES_MAX)
    }
}
