//! Runs that go on for ever: `E[] p`, `A<> p`, `p --> q`, and acceptance by labels.
//!
//! All of these look for one run: a maximal one along which something never happens (`p` fails, for `E[] p`; `p` holds,
//! for `A<> p`; `q` holds, from a state with `p` on, for `p --> q`), or one that comes back to something again and
//! again. A run is maximal if it has infinitely many steps, be it in finite time (Zeno), if it waits for ever, or if
//! it is stuck; see `zonegraph/src/maximal.rs`. With `non_zeno` only those count along which time goes on for ever:
//! then a tick is told whenever a unit of time has passed, and a run must have infinitely many of them
//! `[TripakisYovineBouajjani2005]`.

pub(crate) mod lasso;
mod search;
pub(crate) mod zeno;

use std::time::Instant;

use tourbillon_model::{Model, QueryKind};
use tourbillon_search::{Acceptance, Budget, Cycles};
use tourbillon_system::{Asked, analyse, compile, conditions, mentions_deadlock};

use crate::answer::{Answer, Verdict, Why};
use crate::conclude::Conclusion;
use crate::path::Unrealised;
use crate::plan::{Facts, PropertyClass, plan};
use crate::reachability::{Job, PrepareError, Progress};
use crate::several::Several;
use search::{LivenessSearch, Outcome, with_ticks};

/// Whether a question is answered here.
pub(crate) const fn asks(kind: &QueryKind) -> bool {
    matches!(
        kind,
        QueryKind::PotentiallyAlways(_)
            | QueryKind::Eventually(_)
            | QueryKind::LeadsTo(..)
            | QueryKind::Recurrently(_)
    )
}

/// What such a question asks, as far as a plan depends on it.
pub(crate) fn property_class(model: &Model, kind: &QueryKind, non_zeno: bool) -> PropertyClass {
    let parts: Vec<_> = match kind {
        QueryKind::PotentiallyAlways(p) | QueryKind::Eventually(p) => vec![*p],
        QueryKind::LeadsTo(p, q) => vec![*p, *q],
        QueryKind::Recurrently(all) => all.clone(),
        _ => Vec::new(),
    };
    let recurrently = matches!(kind, QueryKind::Recurrently(_));
    PropertyClass {
        accepting: recurrently || non_zeno,
        in_turn: recurrently && parts.len() + usize::from(non_zeno) > 1,
        deadlock: parts.into_iter().any(|part| mentions_deadlock(model, part)),
        endless: true,
        stuck: !non_zeno && !recurrently,
        measures_clocks: false,
        about_all: false,
        placed: false,
        goal: false,
        witness: false,
    }
}

/// The run that is looked for.
struct Sought {
    /// Where it begins; at the start if there is none.
    premise: Option<Asked>,
    /// What never happens along it.
    avoid: Option<Asked>,
    /// What happens along it again and again.
    accept: Vec<Asked>,
    /// What it means that there is one.
    found: Verdict,
}

impl Sought {
    fn of(kind: &QueryKind, frame: u32) -> Self {
        let asked = |expr, negated| Some(Asked { expr, frame, negated });
        let none = Self { premise: None, avoid: None, accept: Vec::new(), found: Verdict::Violated };
        match *kind {
            QueryKind::PotentiallyAlways(p) => {
                Self { avoid: asked(p, true), found: Verdict::Satisfied, ..none }
            }
            QueryKind::LeadsTo(p, q) => Self { premise: asked(p, false), avoid: asked(q, false), ..none },
            QueryKind::Recurrently(ref all) => {
                let accept = all.iter().filter_map(|&p| asked(p, false)).collect();
                Self { accept, found: Verdict::Satisfied, ..none }
            }
            QueryKind::Eventually(p) => Self { avoid: asked(p, false), ..none },
            _ => none,
        }
    }

    fn asked(&self) -> Vec<Asked> {
        [self.premise, self.avoid].into_iter().flatten().chain(self.accept.iter().copied()).collect()
    }
}

/// Answers such a question.
///
/// # Errors
/// As [`check`](crate::check).
pub(crate) fn answer(
    job: &Job<'_>,
    index: usize,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Answer, PrepareError> {
    let started = Instant::now();
    let query = &job.model.queries[index];
    let timed = job.plan_request.non_zeno.then(|| with_ticks(job.model));
    let model = timed.as_ref().map_or(job.model, |(model, _)| model);
    let sought = Sought::of(&query.kind, query.frame);
    let (system, predicates) = compile(model, &sought.asked())?;
    let mut predicates = predicates.into_iter();
    let mut compiled = |asked: Option<Asked>| asked.and_then(|_| predicates.next());
    let (premise, avoid) = (compiled(sought.premise), compiled(sought.avoid));
    let analysis = analyse(model, &conditions(&query.kind))?;
    let property_class = property_class(model, &query.kind, job.plan_request.non_zeno);
    let plan = plan(&Facts::of(&system, &analysis, property_class), job.plan_request)?;
    let ticks = timed.as_ref().map(|&(_, cell)| search::ticks(&system, cell));
    let accepting = Acceptance { kinds: predicates.collect(), ticked: ticks.map(|ticks| ticks.field) };
    let liveness_search = LivenessSearch {
        system: &system,
        analysis: &analysis,
        plan: &plan,
        premise: premise.as_ref(),
        avoid: avoid.as_ref(),
        cycles: Cycles { waiting: accepting.kinds.is_empty(), stuck: property_class.stuck, accepting },
        ticks,
    };
    let (outcome, stats) =
        liveness_search.run(budget, &mut |stats| observe(&Progress { query: Some(index), stats: *stats }));
    let (verdict, why, witness) = match outcome {
        Outcome::Nothing => (sought.found.opposite(), Why::Complete, None),
        Outcome::Exhausted(what) => (Verdict::Unknown, Why::Exhausted(what), None),
        Outcome::Overflowed => (Verdict::Unknown, Why::Overflowed, None),
        Outcome::Failed(path, error) => {
            let conclusion =
                Conclusion { model: job.model, system: &system, plan: &plan, analysis: &analysis };
            let (why, witness) = conclusion.failure(error, path.as_deref());
            (Verdict::Unknown, why, witness)
        }
        Outcome::Found(_) if !plan.keeps_paths() => (sought.found, Why::Found, None),
        Outcome::Found(lasso) => match liveness_search.realise(job.model, &lasso, sought.avoid, budget) {
            Ok(witness) => (sought.found, Why::Found, Some(witness)),
            // What was found stands; only a run to show it takes too long.
            Err(Unrealised::Interrupted) if !plan.must_replay() => (sought.found, Why::Found, None),
            Err(unrealised) => (Verdict::Unknown, Why::NotReplayed(unrealised.to_string()), None),
        },
    };
    let witness = witness.filter(|_| plan.shows_runs());
    let several =
        job.plan_request.traces.filter(|_| why == Why::Found).and_then(|_| Several::only(witness.as_ref()));
    Ok(Answer {
        query: Some(index),
        verdict,
        why,
        stats,
        time: started.elapsed(),
        mixture: None,
        reused: 0,
        least_time: None,
        witness,
        several,
        values: Vec::new(),
        plan: Some(plan),
    })
}
