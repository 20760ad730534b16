//! How a run that goes on for ever is shown: a way to a cycle and once round it, with delays that can be repeated.
//!
//! The search finds transitions; here they get moments. A cycle of zones can be gone round for ever, but not always
//! from the first lap on with the same delays, and not always after one lap: clocks that were set on the way to the
//! cycle may have to be set on it first, and two laps together may repeat where one does not. So the cycle is tried
//! as it is, after some laps, and several laps as one. Some cycles never repeat exactly (each lap must be faster than
//! the one before): then two laps are shown, and said to be such.

use tourbillon_model::Model;
use tourbillon_replay::{Finish, Never, Run, Since, Stain, Violation, check_endless};
use tourbillon_system::{Asked, Predicate, RuntimeError, System};
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
    pub(crate) never: Option<Asked>,
    pub(crate) ticks: Option<Ticks>,
    /// No clock is compared with a larger number.
    pub(crate) horizon: i32,
}

/// A run, and the moment of the premise.
type Timed = (Run, Option<Since>);

/// How many laps come before the cycle, and how many make up one, in the order in which they are tried.
const TRIES: [(usize, usize); 9] = [(0, 1), (1, 1), (0, 2), (1, 2), (2, 1), (1, 3), (2, 2), (1, 4), (3, 6)];

/// Turns what was found into a run, and has it checked.
pub(crate) fn realise(case: &Case<'_>) -> Result<Witness, Unrealised> {
    let ((run, since), finish) = timed(case).ok().flatten().ok_or(Unrealised::Infeasible)?;
    let never = case.never.map(|Asked { expr, frame, negated }| Never {
        expr,
        frame,
        negated,
        since: since.unwrap_or_default(),
    });
    let states = check_endless(case.model, &run, finish, never, case.horizon).map_err(|stain| {
        let explanation = stain.explain(case.model);
        match stain {
            Stain::After(Violation::Error(_)) => Unrealised::Failed(explanation),
            Stain::Run(error) => Unrealised::of(&error.violation, explanation),
            _ => Unrealised::Rejected(explanation),
        }
    })?;
    Ok(Witness { run, states, finish: Some(finish), since })
}

fn timed(case: &Case<'_>) -> Result<Option<(Timed, Finish)>, RuntimeError> {
    // To tell for ever that time passes is to wait for ever.
    let ticks = case.lasso.cycle.iter().all(|&step| step == TICK).then_some(Ending::Waits);
    if let Some(how) = case.lasso.how.or(ticks) {
        return Ok(ending(case, how)?
            .map(|timed| (timed, if how == Ending::Waits { Finish::Waits } else { Finish::Stuck })));
    }
    let (stem, cycle) = rotated(case.lasso, case.premise.is_some());
    for (before, laps) in TRIES {
        let path = Path::new(case, &stem, &cycle, before, laps);
        let mut found = None;
        case.follower().follow(&path.moves, &mut |legs, _| {
            found = legs.repeating_run(path.head);
            Ok(found.is_some())
        })?;
        if let Some(timed) = found {
            return Ok(Some((timed, Finish::Repeats { from: path.first_repeated })));
        }
    }
    let path = Path::new(case, &stem, &cycle, 1, 1);
    let mut found = None;
    case.follower().follow(&path.moves, &mut |legs, _| {
        found = legs.run(&[]);
        Ok(found.is_some())
    })?;
    Ok(found.map(|timed| (timed, Finish::Varies { from: path.first_repeated })))
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

/// A run that ends.
fn ending(case: &Case<'_>, how: Ending) -> Result<Option<Timed>, RuntimeError> {
    let path = Path::new(case, &case.lasso.stem, &[], 0, 0);
    let mut judge = case.follower();
    let mut found = None;
    case.follower().follow(&path.moves, &mut |legs, state| {
        let graph = judge.avoiding();
        let mut state = state.clone();
        graph.prepare(&mut state)?;
        if let Some((_, part)) = graph.ending(&state, how == Ending::Stuck)? {
            found = legs.run(&part.minimal_constraints());
        }
        Ok(found.is_some())
    })?;
    Ok(found)
}

impl<'a> Case<'a> {
    fn follower(&self) -> Follower<'a> {
        let predicate = self.avoid.cloned();
        let avoiding = Avoiding { predicate, ticks: self.ticks, later: self.premise.is_some() };
        Follower::new(self.system, avoiding)
    }
}
