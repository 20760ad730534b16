//! Runs that go on for ever: `E[] p`, `A<> p`, `p --> q`, and acceptance by labels.
//!
//! All of these look for one run: a maximal one along which something never happens (`p` fails, for `E[] p`; `p` holds,
//! for `A<> p`; `q` holds, from a state with `p` on, for `p --> q`), or one that comes back to something again and
//! again. A run is maximal if it has infinitely many steps, be it in finite time (Zeno), if it waits for ever, or if
//! it is stuck; see `zonegraph/src/maximal.rs`. With `non_zeno` only those count along which time goes on for ever:
//! then a tick is told whenever a unit of time has passed, and a run must have infinitely many of them
//! `[TripakisYovineBouajjani2005]`.
//!
//! For `p --> q` a search of everything that can be reached hands each state with `p` to the search for cycles, which
//! keeps what it found out from one start to the next.

use std::time::Instant;

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_dbm::{Clock, Constant, Dbm};
use tourbillon_model::{self as model, CellId, CellKind, Model, QueryKind, Range};
use tourbillon_search::{Acceptance, Budget, Components, Cycles, Ended, Endless, Nested, Search, Stats};
use tourbillon_store::{NodeId, build, build_coloured};
use tourbillon_system::{
    Analysis, Asked, Predicate, System, analyse, compile, conditions, mentions_deadlock,
};
use tourbillon_zonegraph::{Judge, Options, Ticks, ZoneGraph};

use crate::answer::{Answer, Verdict, Why};
use crate::lasso::{self, Lasso};
use crate::path;
use crate::plan::{CycleSearch, Facts, Inquiry, Plan, TraceKind, plan};
use crate::reach::{CheckError, Job, Progress};
use crate::setup;

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
pub(crate) fn inquiry(model: &Model, kind: &QueryKind, non_zeno: bool) -> Inquiry {
    let parts: Vec<_> = match kind {
        QueryKind::PotentiallyAlways(p) | QueryKind::Eventually(p) => vec![*p],
        QueryKind::LeadsTo(p, q) => vec![*p, *q],
        QueryKind::Recurrently(all) => all.clone(),
        _ => Vec::new(),
    };
    let recurrently = matches!(kind, QueryKind::Recurrently(_));
    Inquiry {
        in_turn: recurrently && parts.len() + usize::from(non_zeno) > 1,
        deadlock: parts.into_iter().any(|part| mentions_deadlock(model, part)),
        endless: true,
        stuck: !non_zeno && !recurrently,
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

/// The same, compiled.
struct Compiled {
    premise: Option<Predicate>,
    avoid: Option<Predicate>,
    accept: Vec<Predicate>,
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
) -> Result<Answer, CheckError> {
    let started = Instant::now();
    let query = &job.model.queries[index];
    let timed = job.wishes.non_zeno.then(|| with_ticks(job.model));
    let model = timed.as_ref().map_or(job.model, |(model, _)| model);
    let sought = Sought::of(&query.kind, query.frame);
    let (system, predicates) = compile(model, &sought.asked())?;
    let mut predicates = predicates.into_iter();
    let mut compiled = |asked: Option<Asked>| asked.and_then(|_| predicates.next());
    let (premise, avoid) = (compiled(sought.premise), compiled(sought.avoid));
    let compiled = Compiled { premise, avoid, accept: predicates.collect() };
    let analysis = analyse(model, &conditions(&query.kind))?;
    let inquiry = inquiry(model, &query.kind, job.wishes.non_zeno);
    let plan = plan(&Facts::of(&system, &analysis, inquiry), job.wishes)?;
    let ticks = timed.as_ref().map(|&(_, cell)| Ticks {
        clock: Clock::from_index(system.dimension.clocks()),
        field: system.layout.slot(cell),
    });
    let hunt = Hunt { system: &system, analysis: &analysis, plan: &plan, sought: &compiled, ticks, inquiry };
    let (mut outcome, stats) =
        hunt.run(budget, &mut |stats| observe(&Progress { query: Some(index), stats: *stats }));
    let horizon = setup::horizon(&system, &analysis);
    let (verdict, why, witness) = match &mut outcome {
        Outcome::Nothing => (sought.found.opposite(), Why::Complete, None),
        Outcome::Exhausted(what) => (Verdict::Unknown, Why::Exhausted(*what), None),
        Outcome::Overflowed => (Verdict::Unknown, Why::Overflowed, None),
        Outcome::Failed(path, error) => {
            let witness =
                path.take().and_then(|path| path::realise(job.model, &system, &path, None, horizon).ok());
            (Verdict::Unknown, Why::Failed(error.clone()), witness)
        }
        Outcome::Found(_) if plan.trace == TraceKind::None => (sought.found, Why::Found, None),
        Outcome::Found(lasso) => {
            let realised = lasso::realise(&lasso::Case {
                model: job.model,
                system: &system,
                lasso,
                premise: compiled.premise.as_ref(),
                avoid: compiled.avoid.as_ref().zip(sought.avoid),
                ticks,
                horizon,
            });
            debug_assert!(realised.is_ok(), "an exact plan found a run that is none: {realised:?}");
            match realised {
                Ok(witness) => (sought.found, Why::Found, Some(witness)),
                Err(unrealised) => (Verdict::Unknown, Why::NotReplayed(unrealised.to_string()), None),
            }
        }
    };
    Ok(Answer {
        query: Some(index),
        verdict,
        why,
        stats,
        time: started.elapsed(),
        reused: 0,
        least_time: None,
        witness,
        plan: Some(plan),
    })
}

/// The model with one more clock and one more cell, which are used to tell that time passes.
fn with_ticks(model: &Model) -> (Model, CellId) {
    let mut model = model.clone();
    let span = Span::new(SourceId::from_index(0), 0, 0);
    model.clocks.push(model::Clock { name: "tick".to_owned(), span });
    let range = Range { min: 0, max: 1 };
    let cell =
        model.cells.push(model::Cell { name: "ticked".to_owned(), range, initial: 0, kind: CellKind::State });
    (model, cell)
}

/// How a hunt ended.
enum Outcome {
    Nothing,
    Found(Lasso),
    Exhausted(tourbillon_search::Exhausted),
    /// With the path that leads there, if it is one from the start.
    Failed(Option<Vec<u32>>, tourbillon_system::RuntimeError),
    Overflowed,
}

/// Looking for a run.
struct Hunt<'a> {
    system: &'a System,
    analysis: &'a Analysis,
    plan: &'a Plan,
    sought: &'a Compiled,
    ticks: Option<Ticks>,
    inquiry: Inquiry,
}

impl Hunt<'_> {
    fn run(&self, budget: &mut Budget<'_>, progress: &mut dyn FnMut(&Stats)) -> (Outcome, Stats) {
        let mut cycles = self.cycle_search();
        let Some(premise) = &self.sought.premise else {
            let endless = cycles.from_initial(budget, progress);
            return (self.outcome(Vec::new(), endless), cycles.stats());
        };
        let options = setup::options(self.system, self.analysis, self.plan);
        let list = build(&setup::settings(self.system, self.plan));
        let mut search = Search::new(ZoneGraph::new(self.system, options), list, None);
        let outcome = self.from_premises(premise, &mut search, &mut cycles, budget, progress);
        (outcome, search.stats().and(&cycles.stats()))
    }

    /// Looks from every state in which the premise holds.
    fn from_premises(
        &self,
        premise: &Predicate,
        search: &mut Search<'_>,
        cycles: &mut Searched<'_>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Outcome {
        let mut judge = Judge::new(self.system);
        loop {
            let other = cycles.stats();
            let (node, state) = match search.advance(budget, &mut |stats| progress(&stats.and(&other))) {
                Ok(next) => next,
                Err(Ended::Complete | Ended::Found { .. }) => return Outcome::Nothing,
                Err(Ended::Exhausted(what)) => return Outcome::Exhausted(what),
                Err(Ended::Overflowed) => return Outcome::Overflowed,
                Err(Ended::Failed(failure)) => {
                    let path = failure.node.and_then(|node| path::ordinals(search.list(), node));
                    return Outcome::Failed(path, failure.error);
                }
            };
            let parts = match judge.parts(premise, &state.memory, &state.zone) {
                Ok(parts) => parts.unwrap_or_else(|| vec![state.zone.clone()]),
                Err(error) => return Outcome::Failed(path::ordinals(search.list(), node), error),
            };
            let memory = if parts.is_empty() { Vec::new() } else { state.memory.clone() };
            for part in parts {
                let other = search.stats();
                let endless = cycles.from_state(&memory, &part, budget, &mut |stats| {
                    progress(&other.and(stats));
                });
                if endless != Endless::Nothing {
                    return self.outcome(self.lead(search, node), endless);
                }
            }
        }
    }

    /// The transitions to a node, as far as they are known.
    fn lead(&self, search: &Search<'_>, node: NodeId) -> Vec<u32> {
        path::ordinals(search.list(), node).unwrap_or_default()
    }

    fn outcome(&self, lead: Vec<u32>, endless: Endless) -> Outcome {
        match endless {
            Endless::Nothing => Outcome::Nothing,
            Endless::Cycle { stem, cycle } => Outcome::Found(Lasso { lead, stem, cycle, how: None }),
            Endless::End { stem, how } => {
                Outcome::Found(Lasso { lead, stem, cycle: Vec::new(), how: Some(how) })
            }
            Endless::Exhausted(what) => Outcome::Exhausted(what),
            Endless::Failed(stem, error) => {
                let path = lead.into_iter().chain(stem);
                Outcome::Failed(
                    Some(path.filter(|&step| step != tourbillon_zonegraph::TICK).collect()),
                    error,
                )
            }
            Endless::Overflowed => Outcome::Overflowed,
        }
    }

    fn cycle_search(&self) -> Searched<'_> {
        let mut analysis = self.analysis.clone();
        if let Some(ticks) = self.ticks {
            let one = Constant::from(1);
            analysis.global.raise(ticks.clock, one);
            for bounds in analysis.local.iter_mut().flat_map(|process| process.iter_mut()) {
                bounds.raise(ticks.clock, one);
            }
        }
        let options = Options {
            avoid: self.sought.avoid.clone(),
            ticks: self.ticks,
            ..setup::options(self.system, &analysis, self.plan)
        };
        let accepting =
            Acceptance { kinds: self.sought.accept.clone(), ticked: self.ticks.map(|ticks| ticks.field) };
        let waiting = accepting.kinds.is_empty();
        let cycles = Cycles { accepting, waiting, stuck: self.inquiry.stuck };
        let graph = ZoneGraph::new(self.system, options);
        let nodes = build_coloured(&setup::settings(self.system, self.plan));
        match self.plan.cycles {
            Some(CycleSearch::Components) => Searched::Components(Components::new(graph, nodes, cycles)),
            _ => Searched::Nested(Nested::new(graph, nodes, cycles)),
        }
    }
}

/// A search for cycles, of either kind.
enum Searched<'s> {
    Nested(Nested<'s>),
    Components(Components<'s>),
}

impl Searched<'_> {
    fn from_initial(&mut self, budget: &mut Budget<'_>, progress: &mut dyn FnMut(&Stats)) -> Endless {
        match self {
            Self::Nested(search) => search.from_initial(budget, progress),
            Self::Components(search) => search.from_initial(budget, progress),
        }
    }

    fn from_state(
        &mut self,
        memory: &[i32],
        zone: &Dbm,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Endless {
        match self {
            Self::Nested(search) => search.from_state(memory, zone, budget, progress),
            Self::Components(search) => search.from_state(memory, zone, budget, progress),
        }
    }

    fn stats(&self) -> Stats {
        match self {
            Self::Nested(search) => search.stats(),
            Self::Components(search) => search.stats(),
        }
    }
}
