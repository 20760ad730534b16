//! The reachability checker: `E<> p`, `A[] p`, and full exploration.
//!
//! `E<> p` looks for a state in which `p` holds, `A[] p` for one in which it fails. Queries that ask the same
//! of clocks, and so have the same constants for abstraction, share one search: each looks first at the states
//! that are stored already and then lets the search go on `[DavidBehrmannLarsenYi2003]`. A query with constants of its
//! own has a search of its own, since zones extrapolated without its constants may be too large for it.
//!
//! Where a witness is looked for, two searches take turns (`search/src/mixed.rs`): questions of one group share both, and one
//! without a witness goes on with the search in the usual order.
//!
//! A passed list that is a table has no states to look back at, so each query has a search of its own then; and if
//! several passes are asked for, as many as it takes, each with another hash function, until one finds something.

pub(crate) mod distance;
mod mixed;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint};
use tourbillon_model::{self as model, Model, Query, QueryKind};
use tourbillon_search::{Budget, CostFunction, Ended, Least, Limits, Mixed, Search, Stats};
use tourbillon_store::{PassedWaiting, WhenFull, build_packing};
use tourbillon_system::{
    Analysis, Asked, BoundsError, CompileError, System, analyse, compile, conditions, mentions_deadlock,
};
use tourbillon_zonegraph::ZoneGraph;

use crate::answer::{Answer, Verdict, Why};
use crate::bounds::Question;
use crate::conclude::{Conclusion, Outcome};
use crate::order::{self, Order};
use crate::path::Goal;
use crate::plan::{self, Facts, Plan, PlanRequest, PropertyClass, Refusal, TraceKind, plan};
use crate::{liveness, setup, tables};

pub use mixed::{FoundBy, Mixture};

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The model, with its queries.
    pub model: &'a Model,
    /// Which of its queries; a full exploration if none.
    pub queries: Option<&'a [usize]>,
    /// How.
    pub plan_request: &'a PlanRequest,
    /// Within what.
    pub limits: Limits,
    /// A flag that ends it early.
    pub stop: Option<&'a Arc<AtomicBool>>,
}

/// How far it is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Which query is being answered.
    pub query: Option<usize>,
    /// What was done for it, and before it in the same search.
    pub stats: Stats,
}

/// Why nothing can be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrepareError {
    /// The model cannot be compiled.
    Model {
        /// Where.
        span: Span,
        /// What is wrong.
        message: String,
    },
    /// What was asked for cannot be combined.
    Plan(Refusal),
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { message, .. } => f.write_str(message),
            Self::Plan(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for PrepareError {}

impl From<CompileError> for PrepareError {
    fn from(error: CompileError) -> Self {
        Self::Model { span: error.span, message: error.message }
    }
}

impl From<BoundsError> for PrepareError {
    fn from(error: BoundsError) -> Self {
        Self::Model { span: error.span, message: error.to_string() }
    }
}

impl From<Refusal> for PrepareError {
    fn from(refusal: Refusal) -> Self {
        Self::Plan(refusal)
    }
}

/// Questions that share a search.
struct Group {
    analysis: Analysis,
    queries: Vec<Option<usize>>,
}

/// Answers queries. The answers are in the order of the queries.
///
/// # Errors
/// If the model cannot be compiled, or what was asked for cannot be combined.
pub fn check(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Vec<Answer>, PrepareError> {
    let mut answers = Vec::new();
    check_each(job, observe, &mut |answer| answers.push(answer))?;
    answers.sort_by_key(|answer| answer.query);
    Ok(answers)
}

/// Questions that are answered together.
enum Work<'m> {
    Group(Group),
    Extremes(usize, Box<Question<'m>>),
    Endless(usize),
}

/// Answers queries, and hands each answer on as soon as it is known. Questions that share a search are answered one after
/// the other, so that answers come in another order than queries.
///
/// # Errors
/// As [`check`]. If what was asked for cannot be combined for any of the queries there are no answers.
pub fn check_each(
    job: &Job<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), PrepareError> {
    let timed;
    let model = if job.plan_request.trace == TraceKind::Fastest {
        timed = with_clock(job.model);
        &timed
    } else {
        job.model
    };
    suits(job)?;
    let mut budget = Budget::new(job.limits, job.stop);
    let mut given = Given { answered, held: Vec::new(), refusal: None, any_planned: false };
    let mut works: Vec<Work<'_>> = Vec::new();
    // Groups by what most of them differ in, so that a question need not be compared with all of them.
    let mut alike: HashMap<(bool, bool, ClockBounds), Vec<usize>> = HashMap::new();
    for query in questions(job) {
        if let Some(why) = query.and_then(|index| unsupported(&model.queries[index])) {
            given.give(Answer::unsupported(query, why));
            continue;
        }
        if let Some(index) = query.filter(|&index| liveness::asks(&job.model.queries[index].kind)) {
            works.push(Work::Endless(index));
            continue;
        }
        if let Some((index, question)) =
            query.and_then(|index| Some((index, Question::of(job.model, index)?)))
        {
            works.push(Work::Extremes(index, Box::new(question)));
            continue;
        }
        let analysis = analysis(model, query, job.plan_request.trace)?;
        let (deadlock, placed) = (asks_for_deadlock(model, query), is_placed(job, query));
        let alike = alike.entry((deadlock, placed, analysis.everywhere.clone())).or_default();
        let same = alike
            .iter()
            .copied()
            .find(|&index| matches!(&works[index], Work::Group(group) if group.analysis == analysis));
        match same.map(|index| &mut works[index]) {
            Some(Work::Group(group)) => group.queries.push(query),
            _ => {
                alike.push(works.len());
                works.push(Work::Group(Group { analysis, queries: vec![query] }));
            }
        }
    }
    for work in &works {
        budget.begin_other();
        let queries: Vec<Option<usize>> = match work {
            Work::Group(group) => group.queries.clone(),
            Work::Extremes(index, _) | Work::Endless(index) => vec![Some(*index)],
        };
        let outcome = match work {
            Work::Group(group) => {
                answer_group(job, model, group, &mut budget, observe, &mut |answer| given.give(answer))
            }
            Work::Extremes(_, question) => {
                question.answer(job, &mut budget, observe).map(|answer| given.give(answer))
            }
            Work::Endless(index) => {
                liveness::answer(job, *index, &mut budget, observe).map(|answer| given.give(answer))
            }
        };
        match outcome {
            Err(PrepareError::Plan(refused)) => given.refuse(&queries, refused),
            outcome => outcome?,
        }
    }
    given.finish()
}

/// Answers on their way out. Until one comes of a plan, those that could not be tried are held back: if there are only such,
/// what was asked for is refused as a whole.
struct Given<'a> {
    answered: &'a mut dyn FnMut(Answer),
    held: Vec<Answer>,
    refusal: Option<Refusal>,
    any_planned: bool,
}

impl Given<'_> {
    fn give(&mut self, answer: Answer) {
        self.any_planned |= answer.plan.is_some();
        if self.any_planned {
            (self.answered)(answer);
            self.held.drain(..).for_each(&mut *self.answered);
        } else {
            self.held.push(answer);
        }
    }

    fn refuse(&mut self, queries: &[Option<usize>], refused: Refusal) {
        for &query in queries {
            self.give(Answer::unsupported(query, refused.why.clone()));
        }
        self.refusal.get_or_insert(refused);
    }

    fn finish(self) -> Result<(), PrepareError> {
        if let Some(refusal) = self.refusal.filter(|_| !self.any_planned) {
            return Err(refusal.into());
        }
        self.held.into_iter().for_each(self.answered);
        Ok(())
    }
}

/// Refuses wishes that make no sense with the limits, or where nothing is asked.
pub(crate) fn suits(&Job { plan_request, limits, queries, .. }: &Job<'_>) -> Result<(), Refusal> {
    if plan_request.non_zeno && queries.is_none() {
        let why = "--non-zeno is about the infinite runs that a query asks for, and an exploration asks for none: leave it out";
        return Err(Refusal { why: why.to_owned() });
    }
    if plan_request.when_full == Some(WhenFull::Pack) && limits.memory_bytes.is_none() {
        let why = "without --memory-limit there is always room: say when the list is to be packed";
        return Err(Refusal { why: why.to_owned() });
    }
    tables::fits(plan_request, &limits)
}

/// How many edges a model may have for sets of discrete states to be tried: each becomes a relation before the search begins,
/// which takes a minute for 100,000 edges, whatever the time that the trial has.
const ENCODED_EDGES_MAX: usize = 5_000;

/// Whether all questions of a job may be better answered by sets of discrete states than by single ones, and no engine is
/// asked for.
///
/// # Errors
/// As [`check`].
pub fn may_pay_in_sets(job: &Job<'_>) -> Result<bool, PrepareError> {
    if !job.plan_request.any_engine {
        return Ok(false);
    }
    let (system, _) = compile(job.model, &[])?;
    if system.edges.len() > ENCODED_EDGES_MAX {
        return Ok(false);
    }
    for query in questions(job) {
        let kind = query.map(|index| &job.model.queries[index].kind);
        if !kind.is_none_or(|kind| matches!(kind, QueryKind::Possibly(_) | QueryKind::Invariantly(_))) {
            return Ok(false);
        }
        let analysis = analysis(job.model, query, TraceKind::None)?;
        if !plan::may_pay_in_sets(
            &Facts::of(&system, &analysis, property_class(job, query)),
            job.plan_request,
        ) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The plan for each of the questions that can be answered.
///
/// # Errors
/// As [`check`].
pub fn planned(job: &Job<'_>) -> Result<Vec<(Option<usize>, Plan)>, PrepareError> {
    suits(job)?;
    let mut plans = Vec::new();
    for query in questions(job) {
        if query.is_some_and(|index| unsupported(&job.model.queries[index]).is_some()) {
            continue;
        }
        if let Some(question) = query.and_then(|index| Question::of(job.model, index)) {
            plans.push((query, question.planned(job.plan_request)?));
            continue;
        }
        let analysis = analysis(job.model, query, TraceKind::None)?;
        let (system, _) = compile(job.model, &[])?;
        let property_class = property_class(job, query);
        plans.push((query, plan(&Facts::of(&system, &analysis, property_class), job.plan_request)?));
    }
    Ok(plans)
}

pub(crate) fn questions(job: &Job<'_>) -> Vec<Option<usize>> {
    job.queries.map_or_else(|| vec![None], |queries| queries.iter().copied().map(Some).collect())
}

fn asks_for_deadlock(model: &Model, query: Option<usize>) -> bool {
    let asked = query.and_then(|index| asked(&model.queries[index]));
    asked.is_some_and(|asked| mentions_deadlock(model, asked.expr))
}

/// Whether locations tell how far what is asked for is, where that matters: if the nearest is to come first, or if no order
/// is asked for and something is expected to be found.
fn is_placed(job: &Job<'_>, query: Option<usize>) -> bool {
    let Some(query) = query.map(|index| &job.model.queries[index]) else { return false };
    let matters = match job.plan_request.order {
        Some(order) => matches!(order, Order::Best | Order::Mixed),
        None => matches!(query.kind, QueryKind::Possibly(_)),
    };
    matters && asked(query).is_some_and(|asked| distance::to(job.model, asked).is_some())
}

/// What a question asks, as far as a plan depends on it.
pub(crate) fn property_class(job: &Job<'_>, query: Option<usize>) -> PropertyClass {
    match query.map(|index| &job.model.queries[index].kind) {
        Some(kind) if liveness::asks(kind) => {
            liveness::property_class(job.model, kind, job.plan_request.non_zeno)
        }
        _ => PropertyClass {
            deadlock: asks_for_deadlock(job.model, query),
            placed: is_placed(job, query),
            goal: query.is_some_and(|index| asked(&job.model.queries[index]).is_some()),
            witness: query
                .is_some_and(|index| matches!(job.model.queries[index].kind, QueryKind::Possibly(_))),
            ..PropertyClass::default()
        },
    }
}

pub(crate) fn unsupported(query: &Query) -> Option<String> {
    (query.kind == QueryKind::Refused).then(|| "the query has errors".to_owned())
}

/// The model with one more clock, which is never reset: the time since the start.
fn with_clock(model: &Model) -> Model {
    let mut model = model.clone();
    let span = Span::new(SourceId::from_index(0), 0, 0);
    model.clocks.push(model::Clock { name: "time".to_owned(), initial: 0, span });
    model
}

/// The constants that a question needs. Of the clock that tells the time, how early it is counts for ever and how
/// late it is does not.
pub(crate) fn analysis(
    model: &Model,
    query: Option<usize>,
    trace: TraceKind,
) -> Result<Analysis, PrepareError> {
    let asked = query.map_or_else(Vec::new, |index| conditions(&model.queries[index].kind));
    let mut analysis = analyse(model, &asked)?;
    if trace == TraceKind::Fastest {
        let time = Clock::from_index(model.clocks.len());
        analysis.global.raise_upper(time, Constant::MAX);
        for bounds in analysis.local.iter_mut().flat_map(|process| process.iter_mut()) {
            bounds.raise_upper(time, Constant::MAX);
        }
    }
    Ok(analysis)
}

pub(crate) fn asked(query: &Query) -> Option<Asked> {
    let (expr, negated) = match query.kind {
        QueryKind::Possibly(p) => (p, false),
        QueryKind::Invariantly(p) => (p, true),
        _ => return None,
    };
    Some(Asked { expr, frame: query.frame, negated })
}

/// Answers the queries of a group. Those that stay open because the model fails come last, when it is known which have an
/// answer all the same: what is stored is looked at, which takes no time.
fn answer_group(
    job: &Job<'_>,
    model: &Model,
    group: &Group,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), PrepareError> {
    let mut failed = Vec::new();
    let outcome = answer_in_turn(job, model, group, budget, observe, &mut |answer| match answer.why {
        Why::Failed(_) | Why::MayFail(_) => failed.push(answer),
        _ => answered(answer),
    });
    failed.into_iter().for_each(answered);
    outcome
}

fn answer_in_turn(
    job: &Job<'_>,
    model: &Model,
    group: &Group,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), PrepareError> {
    let goals: Vec<Option<Asked>> =
        group.queries.iter().map(|query| query.and_then(|index| asked(&model.queries[index]))).collect();
    let (system, predicates) = compile(model, &goals.iter().copied().flatten().collect::<Vec<_>>())?;
    let facts = |query| Facts::of(&system, &group.analysis, property_class(job, query));
    // A witness may be looked for in two orders, of which the wide one is the order of the other questions.
    let plans = group.queries.iter().map(|&query| plan(&facts(query), job.plan_request));
    let plans = plans.collect::<Result<Vec<_>, _>>()?;
    let parts = Parts { system: &system, analysis: &group.analysis, limits: &job.limits };
    let begin = |plan: &Plan, pass, asked: Option<Asked>| {
        let distance = asked.and_then(|asked| distance::to(model, asked));
        let wide = plan.alone(plan.wide_order());
        let cost_function = order::cost_function(&system, &wide, distance);
        parts.search(&wide, &facts(None), pass, cost_function).map(Mixed::new)
    };
    // How early it is matters to zones only: what they find late is shown by any run.
    let constants = analysis(model, group.queries[0], TraceKind::None)?;
    let mut search = begin(&plans[0], 0, goals[0])?;
    let mut predicates = predicates.iter();
    for ((&query, goal), plan) in group.queries.iter().zip(&goals).zip(&plans) {
        let goal = goal.map(|asked| Goal {
            predicate: predicates.next().expect("one for each"),
            asked,
            deadline: None,
        });
        if system.has_stopwatches && asks_for_deadlock(model, query) {
            answered(answer_exactly(job, query, goal, (&system, plan, &constants), budget));
            continue;
        }
        let looks_back = plan.keeps_states()
            && !matches!(plan.trace, TraceKind::Fastest | TraceKind::Shortest)
            && (plan.wide_order() != Order::Best || search.is_complete());
        if !looks_back && search.has_begun() {
            // A table cannot be read, nor can a union of zones. And what is stored may have been reached in fewer steps, or earlier, by a node
            // that was covered since. And what is near to one goal may be far from another, unless
            // nothing waits any more.
            drop(search);
            search = begin(plan, 0, goal.map(|goal| goal.asked))?;
        }
        let started = Instant::now();
        let reused = if search.has_begun() { search.stats().stored } else { 0 };
        let predicate = goal.map(|goal| goal.predicate);
        let mut observe = |stats: &Stats| observe(&Progress { query, stats: *stats });
        let mixes = plan.order == Order::Mixed;
        let deep = |pass| {
            let plan = Plan { packs: false, ..plan.alone(Order::Dfs) };
            parts.search(&plan, &facts(query), pass, CostFunction::None)
        };
        if mixes && search.wants_deep() {
            search.add_deep(deep(0)?, plan.seed);
        }
        let mut ended = search.run(predicate, mixes, budget, &mut observe);
        let mut stats = search.stats();
        for pass in 1..plan.passes {
            if !tables::is_complete(&ended, &stats) {
                break;
            }
            // Its table makes room for the next one.
            drop(search);
            search = begin(plan, pass, goal.map(|goal| goal.asked))?;
            if mixes {
                search.add_deep(deep(pass)?, plan.seed);
            }
            ended = search.run(predicate, mixes, budget, &mut observe);
            stats = tables::of_passes(&stats, &search.stats(), &ended);
        }
        let mixture = Mixture::of(plan, &search, matches!(ended, Ended::Found { .. }));
        let least_time = match ended {
            // Of an over-approximation nobody knows whether a run is as early as that.
            Ended::Found { least, .. } if !plan.over_approximates => least,
            _ => None,
        };
        let goal = goal.map(|goal| Goal { deadline: deadline(&system, least_time), ..goal });
        let conclusion = Conclusion { model: job.model, system: &system, plan, analysis: &constants };
        let outcome = Outcome::of(ended, search.list(), search.steps_beyond());
        let (verdict, why, mut witness) = conclusion.draw(query, goal, outcome, stats.certainty, budget);
        let mut several = match (job.plan_request.traces, goal) {
            (Some(wanted), Some(goal)) if why == Why::Found => {
                Some(conclusion.several(wanted, &group.analysis, goal, budget))
            }
            _ => None,
        };
        if let Some(several) = &mut several {
            // A limit may end the search for several before it comes upon the one that is known.
            if several.witnesses.is_empty() {
                several.witnesses.extend(witness.clone());
            }
            witness = several.witnesses.first().cloned();
        }
        answered(Answer {
            query,
            verdict,
            why,
            plan: Some(plan.clone()),
            stats,
            time: started.elapsed(),
            mixture,
            reused,
            least_time,
            values: Vec::new(),
            witness,
            several,
        });
    }
    Ok(())
}

/// The answer to a question that only polyhedra can answer.
fn answer_exactly(
    job: &Job<'_>,
    query: Option<usize>,
    goal: Option<Goal<'_>>,
    (system, plan, analysis): (&System, &Plan, &Analysis),
    budget: &mut Budget<'_>,
) -> Answer {
    let started = Instant::now();
    let conclusion = Conclusion { model: job.model, system, plan, analysis };
    let ((verdict, why, witness), stored) = conclusion.decide_exactly(query, goal, budget);
    let stored = stored as u64;
    Answer {
        query,
        verdict,
        why,
        plan: Some(plan.clone()),
        stats: Stats { visited: stored, stored, stored_max: stored, ..Stats::default() },
        time: started.elapsed(),
        mixture: None,
        reused: 0,
        least_time: None,
        values: Vec::new(),
        witness,
        several: None,
    }
}

/// What the earliest run must keep to: the least time, or somewhat more if that is only approached.
fn deadline(system: &System, least: Option<Least>) -> Option<Constraint> {
    let Least { value, excluded } = least?;
    let limit = |value: u64| Constant::new(i64::try_from(value).ok()?).ok();
    let bound = if excluded { Bound::strict(limit(value + 1)?) } else { Bound::weak(limit(value)?) };
    Some(Constraint::new(time_clock(system), Clock::REFERENCE, bound))
}

/// The clock that tells the time, where a model was given one: its last.
fn time_clock(system: &System) -> Clock {
    Clock::from_index(system.dimension.clocks())
}

/// What the searches of a group have in common.
#[derive(Clone, Copy)]
struct Parts<'a, 's> {
    system: &'s System,
    analysis: &'a Analysis,
    limits: &'a Limits,
}

impl<'s> Parts<'_, 's> {
    /// A search that has not begun; of several with a table, one with a hash function of its own.
    fn search(
        &self,
        plan: &Plan,
        facts: &Facts,
        pass: u32,
        cost_function: CostFunction,
    ) -> Result<Search<'s>, Refusal> {
        let Self { system, analysis, limits } = *self;
        let graph = ZoneGraph::new(system, setup::options(system, analysis, plan));
        let list = match &plan.table {
            None => exact_list(system, plan, (facts, limits)),
            Some(table) => tables::list(&setup::settings(system, plan), table, pass)?,
        };
        let shuffle = plan.shuffle_edges.then_some(plan.seed);
        Ok(Search::new(graph, list, cost_function).shuffling(shuffle))
    }
}

/// An empty list that keeps all states; one that takes on a smaller form when memory runs short, if that was asked for.
pub(crate) fn exact_list(
    system: &System,
    plan: &Plan,
    (facts, limits): (&Facts, &Limits),
) -> Box<dyn PassedWaiting> {
    let first = setup::settings(system, plan);
    if !plan.packs {
        return tourbillon_store::build(&first);
    }
    let then = setup::settings(system, &plan.packed(facts));
    build_packing(&first, &then, limits.memory_bytes.unwrap_or(u64::MAX))
}

/// What a search is made of: the zone graph with its stages, and an empty list.
pub(crate) fn parts<'s>(
    system: &'s System,
    analysis: &Analysis,
    plan: &Plan,
) -> (ZoneGraph<'s>, Box<dyn PassedWaiting>) {
    let graph = ZoneGraph::new(system, setup::options(system, analysis, plan));
    (graph, tourbillon_store::build(&setup::settings(system, plan)))
}

impl Answer {
    /// That a question is not answered, and why not.
    #[must_use]
    pub fn unsupported(query: Option<usize>, why: String) -> Self {
        Self {
            query,
            verdict: Verdict::Unknown,
            why: Why::NotSupported(why),
            plan: None,
            stats: Stats::default(),
            time: std::time::Duration::ZERO,
            mixture: None,
            reused: 0,
            least_time: None,
            values: Vec::new(),
            witness: None,
            several: None,
        }
    }
}
