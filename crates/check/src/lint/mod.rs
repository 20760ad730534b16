//! What looks wrong with a model, whatever is asked of it.
//!
//! Everything that can be reached is explored, and several observers look on, each a file of its own; what needs no
//! exploration is read off the model.
//!
//! | file | looks for |
//! |---|---|
//! | `reached.rs` | locations never reached, edges never taken, and why |
//! | `entry.rs` | edges that the invariant of their target can forbid although their guards hold |
//! | `deadlock.rs` | states without any step, and whether time goes on there |
//! | `zeno.rs` | loops that nothing slows down |
//! | `unused.rs` | variables never read or written, clocks never tested or reset |
//! | `channels.rs` | channels with one side only |
//!
//! **Exactness.** What is reached and taken is found with the plan of any exploration. Broken invariants and deadlocks ask
//! what cannot happen, which bounds by L and U do not preserve, and M-bounds do `[BehrmannBouyerLarsenPelanek2004]`: they
//! need the plan of `deadlock`. That one would answer everything, but can have many times as many states, so there
//! are two explorations unless the plans agree, the cheap one first. Where clocks can stand still explorations
//! over-approximate: what they never meet never happens, and broken invariants and deadlocks are not looked for. Loops that
//! their structure does not slow down are looked for as runs (`../liveness/zeno.rs`): where there is none they are not told, and
//! where that is not known, or the run is along another one, they are *possible*.
//!
//! **An exploration that does not end** leaves unknown what was not met so far. What it met counts, and is told.

mod channels;
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
use tourbillon_search::{Budget, Ended, Failure, Observer, Search, Stats};
use tourbillon_store::NodeId;
use tourbillon_system::{Predicate, RuntimeError, StateFormula, System};
use tourbillon_zonegraph::{SymbolicState, ZoneGraph};

use crate::answer::Why;
use crate::liveness::zeno::{ZenoRuns, zeno_runs};
use crate::path::{self, Goal, Witness};
use crate::plan::{Plan, PlanRequest, PropertyClass, TraceKind};
use crate::prepare::{Extension, Job, Preparation, PrepareError, Prepared};
use crate::property::Requirements;
use crate::{Progress, conclude, order, setup};

pub use channels::{OneSided, Side};
pub use deadlock::{Deadlock, Standstill};
pub use entry::BrokenOnEntry;
pub use overflow::MayOverflow;
pub use reached::{NeverReached, NeverTaken, Obstacle};
pub use unused::{MissingUse, UnusedVariable};
pub use zeno::ZenoLoop;

use reached::Found;

/// Processes of one template about which the same is to be said.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instances {
    /// Which; at least one.
    pub processes: Vec<ProcessId>,
    /// Whether these are all processes of the template.
    pub all: bool,
}

impl Instances {
    /// The first of them, by which the template is known.
    #[must_use]
    pub fn first(&self) -> ProcessId {
        self.processes[0]
    }
}

/// Something that looks wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LintFinding {
    /// A location that no run reaches.
    NeverReached(NeverReached),
    /// An edge that no run takes.
    NeverTaken(NeverTaken),
    /// An edge that the invariant of where it leads can forbid.
    BrokenOnEntry(BrokenOnEntry),
    /// States without any step.
    Deadlock(Deadlock),
    /// A loop that nothing slows down.
    ZenoLoop(ZenoLoop),
    /// A variable or clock that something is missing for.
    UnusedVariable(UnusedVariable),
    /// A channel with one side only.
    OneSided(OneSided),
    /// A result that may pass 32 bits.
    MayOverflow(MayOverflow),
}

/// What is looked for that needs the exploration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Aspect {
    /// Which locations are never reached, and which edges never taken.
    Reach,
    /// Which invariants can be violated on entry.
    Entry,
    /// Whether there are deadlocks, and what time does there.
    Deadlock,
    /// Whether infinitely many steps can be taken in finite time.
    Zeno,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct LintResult {
    /// What looks wrong, by kind.
    pub findings: Vec<LintFinding>,
    /// What is not known, beyond what was found, and why not.
    pub unknown: Vec<(Aspect, Why)>,
    /// For a model that fails, the run that leads there.
    pub failure: Option<Witness>,
    /// The locations that some exploration reached.
    pub reached: BTreeSet<(ProcessId, LocationId)>,
    /// The edges that some exploration took, by their places among those of their processes.
    pub taken: BTreeSet<(ProcessId, usize)>,
    /// How that was explored: once or twice.
    pub explorations: Vec<Exploration>,
}

/// An exploration, and how it ended.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// What was looked for.
    pub aspects: Vec<Aspect>,
    /// How.
    pub plan: Plan,
    /// How it ended.
    pub why: Why,
    /// What it took.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
}

/// Looks for what is wrong with a model. Which queries the job names makes no difference.
///
/// # Errors
/// If the model cannot be compiled, or what was wished for cannot be combined.
pub fn lint(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<LintResult, PrepareError> {
    let mut preparation = Preparation::new(job);
    let formula = deadlock_formula(preparation.model.to_mut());
    let class = PropertyClass { about_all: true, ..PropertyClass::default() };
    let requirements = Requirements { formulas: vec![formula], class, ..Requirements::default() };
    let prepared = preparation.exploration(Extension::None, requirements)?;
    let (system, predicate) = (prepared.system(), &prepared.predicates()[0]);
    let goal = Goal { predicate, formula, deadline: None };
    let context = LintContext { prepared: &prepared, goal };
    let mut budget = Budget::new(job.limits, job.stop);
    let mut observers = LintObserver::new(system, predicate);
    let mut findings = LintState::default();
    for (mut aspects, plan) in context.passes(job.plan_request)? {
        if !findings.explorations.is_empty() && !findings.is_known(Aspect::Reach) {
            // The first one was cut short: what this one comes upon counts as well.
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
    // Loops of a model that fails, or whose runs zones only over-approximate, stay possible.
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
    /// Forgets the runs that are there only because something was told by them.
    fn remove_runs(&mut self) {
        for finding in &mut self.findings {
            if let LintFinding::ZenoLoop(it) = finding {
                it.witness = None;
            }
        }
    }
}

/// What is explored.
#[derive(Clone, Copy)]
struct LintContext<'a> {
    prepared: &'a Prepared<'a>,
    /// A deadlock.
    goal: Goal<'a>,
}

/// What is known after some explorations.
#[derive(Default)]
struct LintState {
    explorations: Vec<Exploration>,
    deadlocks: Vec<Deadlock>,
    failure: Option<Witness>,
    /// Loops that structure does not slow down, and whether there are runs along any.
    loops: Vec<zeno::CandidateLoop>,
    zeno_runs: Option<ZenoRuns>,
}

impl LintState {
    /// Whether an exploration that looked for something came to its end.
    fn is_known(&self, aspect: Aspect) -> bool {
        self.explorations.iter().any(|it| it.why == Why::Complete && it.aspects.contains(&aspect))
    }
}

impl LintContext<'_> {
    /// What is looked for in each exploration, and how.
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
        let (graph, list) = setup::parts(system, self.prepared.analysis(), &plan);
        let mut search = Search::new(graph, list, order::cost_function(system, &plan, None));
        let ended =
            search.explore(observers, budget, &mut |stats| observe(&Progress { query: None, stats: *stats }));
        let realiser = Realiser { context: *self, search: &search, plan: &plan };
        let (why, failure) = realiser.conclude(&ended);
        findings.failure = findings.failure.take().or(failure);
        if observers.has_aspect(Aspect::Deadlock) {
            let witness = |node| realiser.run_to(node, Some(self.goal));
            findings.deadlocks = observers.deadlock.findings(system, witness);
        }
        let (stats, aspects) = (search.stats(), observers.aspects.clone());
        findings.explorations.push(Exploration { aspects, plan, why, stats, time: started.elapsed() });
    }

    /// What looks wrong by what the observers saw, and by the text of the model.
    fn conclude(&self, observers: &LintObserver<'_>, findings: LintState) -> LintResult {
        let (model, system) = (self.prepared.model(), self.prepared.system());
        let complete = findings.is_known(Aspect::Reach);
        let LintState { explorations, deadlocks, failure, loops, zeno_runs } = findings;
        let Found { reached, taken } = observers.reached.places(model, system);
        let mut list = Vec::new();
        // Without any state nothing is reached, which is told as one access.
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
            // Nothing is left that might never be reached or taken.
            unknown.retain(|(aspect, _)| *aspect != Aspect::Reach);
        }
        if let Some(ZenoRuns::Unknown(why)) = zeno_runs {
            unknown.push((Aspect::Zeno, why));
        }
        LintResult { findings: list, unknown, failure, reached, taken, explorations }
    }

    /// The loops that structure does not slow down.
    fn loops(&self, observers: &LintObserver<'_>, findings: &LintState) -> Vec<zeno::CandidateLoop> {
        let model = self.prepared.model();
        let taken = observers.reached.places(model, self.prepared.system()).taken;
        zeno::candidate_loops(model, findings.is_known(Aspect::Reach).then_some(&taken))
    }
}

/// Adds an expression to the model that asks for deadlocks.
fn deadlock_formula(model: &mut Model) -> StateFormula {
    let span = Span::new(SourceId::from_index(0), 0, 0);
    let expr = model.exprs.push(Expr { kind: ExprKind::Deadlock, span });
    StateFormula { expr, frame: 0, negated: false }
}

/// What explorations leave open, and why.
fn unknown(explorations: &[Exploration]) -> Vec<(Aspect, Why)> {
    [Aspect::Reach, Aspect::Entry, Aspect::Deadlock]
        .into_iter()
        .filter_map(|aspect| {
            let mut own = explorations.iter().filter(|it| it.aspects.contains(&aspect));
            // One that came to its end does, even if another one did not.
            let own = own.clone().find(|it| it.why == Why::Complete).or_else(|| own.next());
            let why = match (own, explorations.last()) {
                (Some(own), _) => own.why.clone(),
                // The model failed before it was looked for.
                (None, Some(last)) if last.why != Why::Complete => last.why.clone(),
                _ => Why::NotSupported("clocks can stand still, which is over-approximated".to_owned()),
            };
            (why != Why::Complete).then_some((aspect, why))
        })
        .collect()
}

/// Drops what another finding explains: an edge that has no partner because its channel has one side only, and an
/// invariant that forbids an edge which it always forbids.
fn drop_explained(model: &Model, findings: &mut Vec<LintFinding>) {
    let mut one_sided: BTreeSet<Span> = BTreeSet::new();
    let mut forbidden: BTreeSet<(ProcessId, usize)> = BTreeSet::new();
    for finding in findings.iter() {
        match finding {
            LintFinding::OneSided(channel) if channel.side != Side::BroadcastReceiver => {
                one_sided.insert(model.channels[channel.channel].span);
            }
            LintFinding::NeverTaken(NeverTaken { instances, edge, why: Obstacle::Invariant }) => {
                forbidden.extend(instances.processes.iter().map(|&process| (process, *edge)));
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
            !instances.processes.iter().all(|&process| forbidden.contains(&(process, *edge)))
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

/// Those who look on during explorations.
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

/// Turns nodes into runs.
struct Realiser<'a, 's> {
    context: LintContext<'a>,
    search: &'a Search<'s>,
    plan: &'a Plan,
}

impl Realiser<'_, '_> {
    /// A run to a node, if runs were asked for and it replays.
    fn run_to(&self, node: NodeId, goal: Option<Goal<'_>>) -> Option<Witness> {
        if self.plan.trace == TraceKind::None {
            return None;
        }
        let path = path::ordinals(self.search.list(), node)?;
        let prepared = self.context.prepared;
        path::realise(prepared.model(), prepared.system(), &path, goal).ok()
    }

    fn conclude(&self, ended: &Ended) -> (Why, Option<Witness>) {
        match *ended {
            Ended::Complete | Ended::Enough | Ended::Found { .. } => (Why::Complete, None),
            Ended::Exhausted(what) => (Why::Exhausted(what), None),
            Ended::Overflowed => (Why::Overflowed, None),
            Ended::Failed(Failure { node, error }) => {
                let path = node.and_then(|node| path::ordinals(self.search.list(), node));
                let (model, system) = (self.context.prepared.model(), self.context.prepared.system());
                let run = path.and_then(|path| path::realise_failure(model, system, &path).ok());
                let fails = !self.plan.over_approximates || conclude::fails_after(model, run.as_ref());
                match Why::of_error(error, !fails) {
                    why @ Why::Failed(_) => (why, run.filter(|_| self.plan.shows_runs())),
                    why => (why, None),
                }
            }
        }
    }
}
