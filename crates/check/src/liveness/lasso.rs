//! How a run that goes on for ever is shown: a way to a cycle and once round it, with delays that can be repeated.
//!
//! The search finds transitions; here they get moments. A cycle of zones can be gone round for ever, but not always
//! from the first lap on with the same delays, and not always after one lap: clocks that were set on the way to the
//! cycle may have to be set on it first, and two laps together may repeat where one does not. So the cycle is tried
//! as it is, after some laps, and several laps as one. Some cycles never repeat exactly (each lap must be faster than
//! the one before): then two laps are shown, and said to be such.
//!
//! **What decides.** Two laps prove nothing of the third, so where a run must replay to count ([`Plan::must_replay`]) only
//! one that repeats exactly does. Everywhere else the cycle of zones decides by itself, and a run is there to be looked at.
//! The cycle has runs of any number of laps: each point of a zone is reached from a point of the one before, up to the
//! simulation by which zones are abstracted, and so back lap by lap. Clocks are compared with finitely many constants there
//! (what keeps an update from making a clock negative is one of the comparisons), so points fall into finitely many regions,
//! and what a step leads to is the same for all points of a region, up to regions. A run of more laps than there are regions
//! is in one region twice at the same place of the cycle, and what lies between can be gone through again and again
//! `[AlurDill1994]`, `[TripakisYovineBouajjani2005]`, `[Tripakis2009]`. Without finitely many constants the last step
//! fails: with `x = x - 1`, each lap may need a larger `x` to start with than there is.
//!
//! [`Plan::must_replay`]: crate::Plan::must_replay

use tourbillon_model::Model;
use tourbillon_replay::{AvoidedPredicate, Finish, InfiniteRunError, Run, Since, Violation, check_infinite};
use tourbillon_search::Budget;
use tourbillon_system::{Predicate, RuntimeError, StateFormula, System};
use tourbillon_zonegraph::{Ending, TICK, Ticks};

use crate::path::{Unrealised, Witness};
use crate::route::{Avoiding, Follower, Move};

/// What a search found, as ordinals of transitions.
#[derive(Clone, Debug)]
pub(crate) struct Lasso {
    /// To a state in which the premise holds, if there is one.
    pub(crate) lead: Vec<u32>,
    /// From there, or from the start.
    pub(crate) stem: Vec<u32>,
    /// Once round; nothing if it ends.
    pub(crate) cycle: Vec<u32>,
    /// How it ends, if it does.
    pub(crate) how: Option<Ending>,
}

/// What is to be shown.
pub(crate) struct Case<'a> {
    pub(crate) model: &'a Model,
    pub(crate) system: &'a System,
    pub(crate) lasso: &'a Lasso,
    /// What holds when the stem begins.
    pub(crate) premise: Option<&'a Predicate>,
    /// What must not happen, as it was compiled.
    pub(crate) avoid: Option<&'a Predicate>,
    /// The same as it stands in the model, if it does.
    pub(crate) never: Option<StateFormula>,
    pub(crate) ticks: Option<Ticks>,
    /// No clock is compared with a larger number.
    pub(crate) horizon: i32,
    /// Whether only a run that repeats exactly will do.
    pub(crate) exact_only: bool,
    /// When to give up.
    pub(crate) budget: &'a Budget<'a>,
}

/// How many ways are tried beyond what the length of a path asks for.
const DETOURS_MAX: usize = 300;

/// A run, and the moment of the premise.
type Timed = (Run, Option<Since>);

/// How many laps come before the cycle, and how many make up one, in the order in which they are tried.
const TRIES: [(usize, usize); 9] = [(0, 1), (1, 1), (0, 2), (1, 2), (2, 1), (1, 3), (2, 2), (1, 4), (3, 6)];

/// Turns what was found into a run, and has it checked.
pub(crate) fn realise(case: &Case<'_>) -> Result<Witness, Unrealised> {
    // To tell for ever that time passes is to wait for ever.
    let ticks = case.lasso.cycle.iter().all(|&step| step == TICK).then_some(Ending::Waits);
    let mut search = Realisation { case, found: Err(Unrealised::Infeasible) };
    let followed = match case.lasso.how.or(ticks) {
        Some(how) => search.end(how),
        None => search.go_round(),
    };
    match followed {
        Ok(()) => search.found,
        Err(_) => Err(Unrealised::Infeasible),
    }
}

/// Looking for a run along what was found.
struct Realisation<'a, 'c> {
    case: &'a Case<'c>,
    /// The run, or why there is none so far.
    found: Result<Witness, Unrealised>,
}

impl Realisation<'_, '_> {
    /// Has a run checked. Returns whether nothing else need be tried.
    fn offer(&mut self, timed: Option<Timed>, finish: Finish) -> bool {
        if self.case.budget.is_over() {
            self.found = Err(Unrealised::Interrupted);
            return true;
        }
        if let Some(timed) = timed {
            self.found = checked(self.case, timed, finish);
        }
        self.found.is_ok()
    }

    fn is_settled(&self) -> bool {
        matches!(self.found, Ok(_) | Err(Unrealised::Interrupted))
    }

    /// Looks for a run that goes round the cycle for ever.
    fn go_round(&mut self) -> Result<(), RuntimeError> {
        let case = self.case;
        let (stem, cycle) = rotated(case.lasso, case.premise.is_some());
        for (before, laps) in TRIES {
            let path = Path::new(case, &stem, &cycle, before, laps);
            let finish = Finish::Repeats { from: path.first_repeated };
            case.follower()
                .follow(&path.moves, &mut |legs, _| Ok(self.offer(legs.repeating_run(path.head), finish)))?;
            if self.is_settled() {
                return Ok(());
            }
        }
        if case.exact_only {
            return Ok(());
        }
        let path = Path::new(case, &stem, &cycle, 1, 1);
        let finish = Finish::Varies { from: path.first_repeated };
        case.follower().follow(&path.moves, &mut |legs, _| Ok(self.offer(legs.run(&[]), finish)))?;
        Ok(())
    }

    /// Looks for a run that ends.
    fn end(&mut self, how: Ending) -> Result<(), RuntimeError> {
        let case = self.case;
        let path = Path::new(case, &case.lasso.stem, &[], 0, 0);
        let finish = if how == Ending::Waits { Finish::Waits } else { Finish::Stuck };
        let mut evaluator = case.follower();
        case.follower().follow(&path.moves, &mut |legs, state| {
            let graph = evaluator.avoiding();
            let mut state = state.clone();
            graph.prepare(&mut state)?;
            let part = graph.ending(&state, how == Ending::Stuck)?;
            Ok(self.offer(part.and_then(|(_, part)| legs.run(&part.minimal_constraints())), finish))
        })?;
        Ok(())
    }
}

/// A run, if it is as it says.
fn checked(case: &Case<'_>, (run, since): Timed, finish: Finish) -> Result<Witness, Unrealised> {
    let never = case.never.map(|StateFormula { expr, frame, negated }| AvoidedPredicate {
        expr,
        frame,
        negated,
        since: since.unwrap_or_default(),
    });
    let mut states = check_infinite(case.model, &run, finish, never, case.horizon).map_err(|stain| {
        let explanation = stain.explain(case.model);
        match stain {
            InfiniteRunError::After(violation @ Violation::Error(_)) => {
                Unrealised::of(&violation, explanation)
            }
            InfiniteRunError::Run(error) => Unrealised::of(&error.violation, explanation),
            _ => Unrealised::Rejected(explanation),
        }
    })?;
    let last = states.pop().expect("a run has states");
    Ok(Witness { run, last, finish: Some(finish), since })
}

/// The stem and the cycle such that both end with a step that is seen: what comes after the last such step of the cycle
/// becomes the beginning of the next lap. Without it the first delay of a lap would not be that of the next.
fn rotated(lasso: &Lasso, premise: bool) -> (Vec<u32>, Vec<u32>) {
    let (mut stem, mut cycle) = (lasso.stem.clone(), lasso.cycle.clone());
    if let Some(last) = cycle.iter().rposition(|&step| step != TICK) {
        if last + 1 < cycle.len() {
            stem.extend_from_slice(&cycle[..=last]);
            cycle.rotate_left(last + 1);
        } else if (stem.is_empty() && premise) || stem.last() == Some(&TICK) {
            // The premise, or a tick, is no step of the run either.
            stem.extend_from_slice(&cycle);
        }
    }
    (stem, cycle)
}

/// A path to be followed.
struct Path<'a> {
    moves: Vec<Move<'a>>,
    /// Which of the moves is the first of the cycle.
    head: usize,
    /// Which step of the run that is.
    first_repeated: usize,
}

impl<'a> Path<'a> {
    fn new(case: &Case<'a>, stem: &[u32], cycle: &[u32], before: usize, laps: usize) -> Self {
        let mut moves: Vec<Move<'a>> = case.lasso.lead.iter().map(|&step| Move::Take(step)).collect();
        moves.extend(case.premise.map(Move::Premise));
        moves.extend(stem.iter().map(|&step| Move::Take(step)));
        moves.extend(cycle.repeat(before).into_iter().map(Move::Take));
        let head = moves.len();
        let seen = |step: &&Move<'_>| matches!(step, Move::Take(ordinal) if *ordinal != TICK);
        let first_repeated = moves.iter().filter(seen).count();
        moves.extend(cycle.repeat(laps).into_iter().map(Move::Take));
        Self { moves, head, first_repeated }
    }
}

impl<'a> Case<'a> {
    fn follower(&self) -> Follower<'a> {
        let predicate = self.avoid.cloned();
        let avoiding = Avoiding { predicate, ticks: self.ticks, later: self.premise.is_some() };
        Follower::new(self.system, avoiding).trying(DETOURS_MAX)
    }
}
