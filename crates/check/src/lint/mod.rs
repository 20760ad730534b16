//! Lint: diagnostics of a model that is legal and looks wrong, independent of its queries.
//!
//! All reachable states, or representatives of them, are explored with several observers, one technique per file; some techniques need
//! only the model.
//!
//! | file | technique |
//! |---|---|
//! | `closure.rs` | what representatives of states show, closed under symmetry |
//! | `reached.rs` | unreachable locations, edges that are never enabled, and why |
//! | `entry.rs` | edges that the invariant of their target can disable although their guards hold |
//! | `deadlock.rs` | deadlocks, and whether time can diverge there |
//! | `zeno.rs` | cycles that are not strongly non-Zeno |
//! | `unused.rs` | variables that are never read or written, clocks that are never tested or reset |
//! | `channels.rs` | channels without sender or receiver |
//! | `overflow.rs` | results that may exceed 32 bits |
//!
//! **Exactness.** Reachability of locations and edges needs the plan of any exploration. Violated invariants and deadlocks are about
//! transitions that are not enabled, which LU-bounds do not preserve, and M-bounds do `[BehrmannBouyerLarsenPelanek2004]`: they need
//! the plan of `deadlock`. That plan decides all of it, but can have many times as many states, so there are two explorations unless
//! the plans agree, the cheap one first. With stopwatches explorations over-approximate: locations that they do not reach are
//! unreachable, and violated invariants and deadlocks are not checked. For cycles that may be Zeno, a Zeno run is searched for
//! (`../liveness/zeno.rs`): if there is none they are not reported, and if that is unknown, or the run takes another cycle, they are
//! *possible*.
//!
//! **Symmetry.** The explorations visit representatives. Only automorphisms that fix the initial state are used, so that the images of
//! what is reached are reached as well (`closure.rs`).
//!
//! **An incomplete exploration** leaves unknown what it has not reached. What it has found is reported.

mod channels;
mod closure;
mod deadlock;
mod entry;
mod overflow;
mod reached;
mod unused;
mod zeno;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_model::{Expr, ExprKind, LocationId, Model, ProcessId};
use tourbillon_search::{Budget, Ended, Failure, Observer, RoundObserver, Search, Stats};
use tourbillon_store::NodeId;
use tourbillon_system::{Predicate, RuntimeError, StateFormula, System};
use tourbillon_zonegraph::{Options, SymbolicState, ZoneGraph};

use crate::answer::Why;
use crate::liveness::zeno::{ZenoRuns, zeno_runs};
use crate::path::{self, Goal, RealiseError, Witness};
use crate::plan::{Plan, PlanRequest, PropertyClass, TraceKind};
use crate::prepare::{Extension, Job, Preparation, PrepareError, Prepared};
use crate::property::Requirements;
use crate::route::PathStep;
use crate::symmetry::FoundSymmetry;
use crate::{Progress, conclude, order, setup};

pub use channels::{OneSided, Side};
pub use deadlock::{Deadlock, Standstill};
pub use entry::BrokenOnEntry;
pub use overflow::MayOverflow;
pub use reached::{NeverReached, NeverTaken, Obstacle};
pub use unused::{MissingUse, UnusedVariable};
pub use zeno::ZenoLoop;

use closure::Images;
use reached::Found;

/// Processes of one template with the same finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instances {
    /// At least one.
    pub processes: Vec<ProcessId>,
    /// Whether these are all processes of the template.
    pub all: bool,
}

impl Instances {
    /// The first of them, which represents the template.
    #[must_use]
    pub fn first(&self) -> ProcessId {
        self.processes[0]
    }
}

/// A finding of one technique.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LintFinding {
    NeverReached(NeverReached),
    NeverTaken(NeverTaken),
    /// An edge that the invariant of its target can disable.
    BrokenOnEntry(BrokenOnEntry),
    Deadlock(Deadlock),
    ZenoLoop(ZenoLoop),
    UnusedVariable(UnusedVariable),
    OneSided(OneSided),
    MayOverflow(MayOverflow),
}

/// What an exploration decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Aspect {
    /// Unreachable locations, and edges that are never enabled.
    Reach,
    /// Invariants that can be violated on entry.
    Entry,
    /// Deadlocks, and whether time can diverge there.
    Deadlock,
    /// Zeno runs.
    Zeno,
}

/// The findings of all techniques.
#[derive(Clone, Debug)]
pub struct LintResult {
    pub findings: Vec<LintFinding>,
    /// What is unknown beyond the findings, and why.
    pub unknown: Vec<(Aspect, Why)>,
    /// If the model fails at run time, a run to the failure.
    pub failure: Option<Witness>,
    /// The locations that an exploration reached.
    pub reached: BTreeSet<(ProcessId, LocationId)>,
    /// The edges that an exploration took, by their indices in their processes.
    pub taken: BTreeSet<(ProcessId, usize)>,
    /// One or two explorations.
    pub explorations: Vec<Exploration>,
}

/// An exploration, and how it ended.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub aspects: Vec<Aspect>,
    pub plan: Plan,
    /// Why it ended.
    pub why: Why,
    pub stats: Stats,
    pub time: Duration,
}

/// Checks a model by all techniques. The queries of the job are ignored.
///
/// # Errors
/// If the model cannot be compiled, or the request cannot be combined.
pub fn lint(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<LintResult, PrepareError> {
    let mut preparation = Preparation::new(job);
    let formula = deadlock_formula(preparation.model.to_mut());
    let class = PropertyClass { about_all: true, ..PropertyClass::default() };
    let formulas = vec![formula];
    let requirements = Requirements { formulas, class, tells_apart: true, ..Requirements::default() };
    let prepared = preparation.exploration(Extension::None, requirements)?;
    let (system, predicate) = (prepared.system(), &prepared.predicates()[0]);
    let goal = Goal { predicate, formula, deadline: None };
    let context = LintContext { prepared: &prepared, goal };
    let mut budget = Budget::new(job.limits, job.stop);
    let mut observers = LintObserver::new(system, predicate);
    let mut findings = LintState::default();
    for (mut aspects, plan) in context.passes(job.plan_request)? {
        if !findings.explorations.is_empty() && !findings.is_known(Aspect::Reach) {
            // The first one is incomplete: what this one reaches counts as well.
            aspects.insert(0, Aspect::Reach);
        }
        observers.aspects = aspects;
        context.explore(plan, &mut observers, &mut budget, observe, &mut findings);
        if findings
            .explorations
            .iter()
            .any(|it| matches!(it.why, Why::Failed(_) | Why::MayFail(_) | Why::TooMany(_)))
        {
            break;
        }
    }
    findings.loops = context.loops(&observers, &findings);
    // Cycles of a model that fails, or whose runs zones over-approximate, stay possible.
    if !findings.loops.is_empty() && findings.failure.is_none() && !system.has_stopwatches {
        findings.zeno_runs = Some(zeno_runs(job, &mut budget, observe)?);
    }
    let mut lint = context.conclude(&observers, findings);
    if job.plan_request.trace == TraceKind::None {
        lint.remove_runs();
    }
    Ok(lint)
}

impl LintResult {
    /// Removes the runs that were computed only to classify a finding.
    fn remove_runs(&mut self) {
        for finding in &mut self.findings {
            if let LintFinding::ZenoLoop(it) = finding {
                it.witness = None;
            }
        }
    }
}

/// The prepared exploration.
#[derive(Clone, Copy)]
struct LintContext<'a> {
    prepared: &'a Prepared<'a>,
    /// The formula `deadlock`.
    goal: Goal<'a>,
}

/// What is known after the explorations so far.
#[derive(Default)]
struct LintState {
    explorations: Vec<Exploration>,
    deadlocks: Vec<Deadlock>,
    failure: Option<Witness>,
    /// Cycles that are not strongly non-Zeno, and Zeno runs.
    loops: Vec<zeno::CandidateLoop>,
    zeno_runs: Option<ZenoRuns>,
}

impl LintState {
    /// Whether an exploration with this aspect is complete.
    fn is_known(&self, aspect: Aspect) -> bool {
        self.explorations.iter().any(|it| it.why == Why::Complete && it.aspects.contains(&aspect))
    }
}

impl LintContext<'_> {
    /// The aspects and the plan of each exploration.
    fn passes(&self, plan_request: &PlanRequest) -> Result<Vec<(Vec<Aspect>, Plan)>, PrepareError> {
        let reach = self.prepared.plan().clone();
        if self.prepared.system().has_stopwatches {
            return Ok(vec![(vec![Aspect::Reach], reach)]);
        }
        let class = PropertyClass { deadlock: true, ..self.prepared.facts().property_class };
        let stops = self.prepared.reclassed(class, plan_request)?.plan().clone();
        if (reach.abstraction, reach.cover) == (stops.abstraction, stops.cover) {
            return Ok(vec![(vec![Aspect::Reach, Aspect::Entry, Aspect::Deadlock], stops)]);
        }
        Ok(vec![(vec![Aspect::Reach], reach), (vec![Aspect::Entry, Aspect::Deadlock], stops)])
    }

    fn explore(
        &self,
        plan: Plan,
        observers: &mut LintObserver<'_>,
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
        findings: &mut LintState,
    ) {
        let started = Instant::now();
        let system = self.prepared.system();
        let options = self.options(&plan);
        let settings = setup::settings(system, &plan);
        let list = tourbillon_store::build(&settings);
        let graph = ZoneGraph::new(system, options.clone());
        let mut search = Search::new(graph, list, order::cost_function(system, &plan, None))
            .in_rounds(setup::rounds(&plan, settings));
        let mut progress = |stats: &Stats| observe(&Progress { query: None, stats: *stats });
        let ended = search.explore_in_rounds(observers, budget, &mut progress);
        observers.close(&self.images(&plan));
        let realiser = Realiser { context: *self, search: &search, options: &options, plan: &plan };
        let (why, failure) = realiser.conclude(&ended);
        findings.failure = findings.failure.take().or(failure);
        if observers.has_aspect(Aspect::Deadlock) {
            let witness = |node| realiser.run_to(node, Some(self.goal));
            findings.deadlocks = observers.deadlock.findings(witness);
        }
        let (stats, aspects) = (search.stats(), observers.aspects.clone());
        findings.explorations.push(Exploration { aspects, plan, why, stats, time: started.elapsed() });
    }

    fn options(&self, plan: &Plan) -> Options {
        let symmetry = self.prepared.representatives().filter(|_| plan.uses_symmetry());
        Options { symmetry, ..setup::options(self.prepared.analysis(), plan) }
    }

    /// What the automorphisms that a plan uses do to locations and edges.
    fn images(&self, plan: &Plan) -> Vec<Images> {
        let found = self.prepared.symmetry_used().filter(|_| plan.uses_symmetry());
        let generators = found.into_iter().flat_map(FoundSymmetry::generators);
        generators.map(|generator| Images::of(self.prepared.system(), generator)).collect()
    }

    /// The findings of the observers, and those of the model alone.
    fn conclude(&self, observers: &LintObserver<'_>, findings: LintState) -> LintResult {
        let (model, system) = (self.prepared.model(), self.prepared.system());
        let complete = findings.is_known(Aspect::Reach);
        let LintState { explorations, deadlocks, failure, loops, zeno_runs } = findings;
        let Found { reached, taken } = observers.reached.places(model, system);
        let mut list = Vec::new();
        // Without an initial state no location is reached, which is one finding.
        if complete && explorations[0].stats.stored > 0 {
            list.extend(observers.reached.findings(model, system));
        } else if !complete {
            list.extend(reached::cut_off(model));
        }
        list.extend(observers.entry.findings(model, system).into_iter().map(LintFinding::BrokenOnEntry));
        list.extend(deadlocks.into_iter().map(LintFinding::Deadlock));
        list.extend(
            zeno::concluded_loops(model, loops, zeno_runs.as_ref()).into_iter().map(LintFinding::ZenoLoop),
        );
        list.extend(unused::unused_variables(model).into_iter().map(LintFinding::UnusedVariable));
        list.extend(channels::one_sided(model).into_iter().map(LintFinding::OneSided));
        list.extend(overflow::may_overflow(model, complete).into_iter().map(LintFinding::MayOverflow));
        drop_explained(model, &mut list);
        let mut unknown = unknown(&explorations);
        if reached::is_all(model, &reached, &taken) {
            // All locations and edges were reached.
            unknown.retain(|(aspect, _)| *aspect != Aspect::Reach);
        }
        if let Some(ZenoRuns::Unknown(why)) = zeno_runs {
            unknown.push((Aspect::Zeno, why));
        }
        LintResult { findings: list, unknown, failure, reached, taken, explorations }
    }

    /// The cycles that are not strongly non-Zeno.
    fn loops(&self, observers: &LintObserver<'_>, findings: &LintState) -> Vec<zeno::CandidateLoop> {
        let model = self.prepared.model();
        let taken = observers.reached.places(model, self.prepared.system()).taken;
        zeno::candidate_loops(model, findings.is_known(Aspect::Reach).then_some(&taken))
    }
}

/// Adds the expression `deadlock` to the model.
fn deadlock_formula(model: &mut Model) -> StateFormula {
    let span = Span::new(SourceId::from_index(0), 0, 0);
    let expr = model.exprs.push(Expr { kind: ExprKind::Deadlock, span });
    StateFormula { expr, frame: 0, negated: false }
}

/// What the explorations leave unknown, and why.
fn unknown(explorations: &[Exploration]) -> Vec<(Aspect, Why)> {
    [Aspect::Reach, Aspect::Entry, Aspect::Deadlock]
        .into_iter()
        .filter_map(|aspect| {
            let mut own = explorations.iter().filter(|it| it.aspects.contains(&aspect));
            // One complete exploration is enough.
            let own = own.clone().find(|it| it.why == Why::Complete).or_else(|| own.next());
            let why = match (own, explorations.last()) {
                (Some(own), _) => own.why.clone(),
                // The model failed in an earlier exploration.
                (None, Some(last)) if last.why != Why::Complete => last.why.clone(),
                _ => Why::NotSupported("zones over-approximate stopwatches".to_owned()),
            };
            (why != Why::Complete).then_some((aspect, why))
        })
        .collect()
}

/// Removes findings that another one explains: an edge without a partner whose channel has no sender or receiver, and
/// an invariant that can disable an edge which it always disables.
fn drop_explained(model: &Model, findings: &mut Vec<LintFinding>) {
    let mut one_sided: BTreeSet<Span> = BTreeSet::new();
    let mut disabled: BTreeSet<(ProcessId, usize)> = BTreeSet::new();
    for finding in findings.iter() {
        match finding {
            LintFinding::OneSided(channel) if channel.side != Side::BroadcastReceiver => {
                one_sided.insert(model.channels[channel.channel].span);
            }
            LintFinding::NeverTaken(NeverTaken { instances, edge, why: Obstacle::Invariant }) => {
                disabled.extend(instances.processes.iter().map(|&process| (process, *edge)));
            }
            _ => {}
        }
    }
    findings.retain(|finding| match finding {
        LintFinding::NeverTaken(NeverTaken { instances, edge, why: Obstacle::Partner }) => {
            let edge = &model.processes[instances.first()].edges[*edge];
            !channels::channel_of(edge)
                .is_some_and(|channel| one_sided.contains(&model.channels[channel].span))
        }
        LintFinding::BrokenOnEntry(BrokenOnEntry { instances, edge, .. }) => {
            !instances.processes.iter().all(|&process| disabled.contains(&(process, *edge)))
        }
        _ => true,
    });
}

/// The processes of each template, in system order.
fn by_template(model: &Model) -> Vec<Vec<ProcessId>> {
    let mut groups: Vec<Vec<ProcessId>> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, process) in model.processes.enumerate() {
        let group = *known.entry(&process.template).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(id);
    }
    groups
}

/// The observer of an exploration, for all its aspects.
struct LintObserver<'s> {
    system: &'s System,
    aspects: Vec<Aspect>,
    reached: reached::Observer,
    entry: entry::Observer,
    deadlock: deadlock::Observer<'s>,
}

impl<'s> LintObserver<'s> {
    fn new(system: &'s System, deadlock: &'s Predicate) -> Self {
        Self {
            system,
            aspects: Vec::new(),
            reached: reached::Observer::new(system),
            entry: entry::Observer::new(system),
            deadlock: deadlock::Observer::new(system, deadlock),
        }
    }

    /// Adds the images of what was observed.
    fn close(&mut self, generators: &[Images]) {
        let Self { reached, entry, deadlock, .. } = self;
        closure::close(generators, |images| reached.add_images(images));
        closure::close(generators, |images| entry.add_images(images));
        closure::close(generators, |images| deadlock.add_images(images));
    }

    fn has_aspect(&self, aspect: Aspect) -> bool {
        self.aspects.contains(&aspect)
    }
}

impl Observer for LintObserver<'_> {
    fn node(
        &mut self,
        node: NodeId,
        state: &SymbolicState,
        graph: &ZoneGraph<'_>,
    ) -> Result<(), RuntimeError> {
        if self.has_aspect(Aspect::Deadlock) {
            self.deadlock.node(node, state)?;
        }
        if self.has_aspect(Aspect::Reach) {
            self.reached.node(self.system, state);
            graph.transitions().synchronised().for_each(|edge| self.reached.offered(edge));
        }
        Ok(())
    }

    fn transition(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        state: &SymbolicState,
        place: usize,
        enabled: bool,
    ) -> Result<(), RuntimeError> {
        if self.has_aspect(Aspect::Reach) {
            self.reached.transition(graph, state, place, enabled)?;
        }
        if self.has_aspect(Aspect::Entry) {
            self.entry.transition(graph, state, place)?;
        }
        Ok(())
    }
}

/// The nodes of findings are expanded ones.
impl RoundObserver for LintObserver<'_> {
    fn part(&self) -> Self {
        let Self { system, aspects, reached, entry, deadlock } = self;
        Self {
            system,
            aspects: aspects.clone(),
            reached: reached.part(),
            entry: entry.part(),
            deadlock: deadlock.part(),
        }
    }

    fn renumber(&mut self, node: &dyn Fn(NodeId) -> Option<NodeId>) {
        self.deadlock.renumber(node);
    }

    fn join(&mut self, part: Self, _: &dyn Fn(NodeId) -> Option<NodeId>) {
        self.reached.join(&part.reached);
        self.entry.join(part.entry);
        self.deadlock.join(part.deadlock);
    }
}

/// Computes runs to nodes.
struct Realiser<'a, 's> {
    context: LintContext<'a>,
    search: &'a Search<'s>,
    /// The options of the graph that was searched.
    options: &'a Options,
    plan: &'a Plan,
}

impl Realiser<'_, '_> {
    /// A run to a node, if traces are requested and it replays.
    fn run_to(&self, node: NodeId, goal: Option<Goal<'_>>) -> Option<Witness> {
        if self.plan.trace == TraceKind::None {
            return None;
        }
        let prepared = self.context.prepared;
        self.with_steps(node, |steps| path::realise(prepared.model(), prepared.system(), steps, goal))
    }

    /// Passes on the steps of the path to a node.
    fn with_steps(
        &self,
        node: NodeId,
        realise: impl FnOnce(&[PathStep<'_>]) -> Result<Witness, RealiseError>,
    ) -> Option<Witness> {
        let path = self.search.path(node)?;
        self.context.prepared.with_steps(&path, self.options.clone(), realise).ok()
    }

    fn conclude(&self, ended: &Ended) -> (Why, Option<Witness>) {
        match *ended {
            Ended::Complete | Ended::Enough | Ended::Found { .. } => (Why::Complete, None),
            Ended::Exhausted(what) => (Why::Exhausted(what), None),
            Ended::Overflowed => (Why::Overflowed, None),
            Ended::Failed(Failure { node, error }) => {
                let (model, system) = (self.context.prepared.model(), self.context.prepared.system());
                let realise = |steps: &[PathStep<'_>]| path::realise_failure(model, system, steps);
                let run = node.and_then(|node| self.with_steps(node, realise));
                let fails = !self.plan.over_approximates || conclude::fails_after(model, run.as_ref());
                match Why::of_error(error, !fails) {
                    why @ Why::Failed(_) => (why, run.filter(|_| self.plan.shows_runs())),
                    why => (why, None),
                }
            }
        }
    }
}
