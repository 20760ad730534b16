//! What looks wrong with a model, whatever is asked of it.
//!
//! One exploration visits everything that can be reached and lets several observers look on, each a file of its own;
//! what needs no exploration is read off the model.
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
//! **Exactness.** The exploration is exact and uses the plan of `deadlock`, M-bounds: broken invariants and deadlocks
//! ask what cannot happen, which bounds by L and U do not preserve `[BehrmannBouyerLarsenPelanek2004]`. M-bounds
//! preserve what can happen as well, so one exploration answers all. Where clocks can stand still it
//! over-approximates: what it never meets never happens, and broken invariants and deadlocks are not looked for.
//! Loops are judged by their structure alone and are only ever *possible*.
//!
//! **An exploration that does not end** leaves unknown what was not met so far. What it met counts, and is told.

mod channels;
mod deadlock;
mod entry;
mod reached;
mod unused;
mod zeno;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_dbm::Constant;
use tourbillon_model::{Expr, ExprKind, LocationId, Model, ProcessId};
use tourbillon_search::{Budget, Ended, Stats, Survey, Surveyor};
use tourbillon_store::NodeId;
use tourbillon_system::{Analysis, Asked, Predicate, RuntimeError, System, analyse, compile};
use tourbillon_zonegraph::{SymbolicState, ZoneGraph};

use crate::answer::Why;
use crate::path::{self, Goal, Witness};
use crate::plan::{Facts, Plan, TraceKind, plan};
use crate::reach::{CheckError, Job, Progress, parts};

pub use channels::{OneSided, Side};
pub use deadlock::{Deadlock, Standstill};
pub use entry::BrokenOnEntry;
pub use reached::{NeverReached, NeverTaken, Obstacle};
pub use unused::{Neglect, Neglected};
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
pub enum Oddity {
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
    Neglected(Neglected),
    /// A channel with one side only.
    OneSided(OneSided),
}

/// What is looked for that needs the exploration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Aspect {
    /// Which locations are never reached, and which edges never taken.
    Reach,
    /// Which invariants can be broken on entry.
    Entry,
    /// Whether there are deadlocks, and what time does there.
    Deadlock,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Sanity {
    /// What looks wrong, by kind.
    pub oddities: Vec<Oddity>,
    /// What is not known, beyond what was found.
    pub unknown: Vec<Aspect>,
    /// How the exploration ended.
    pub why: Why,
    /// For a model that fails, the run that leads there.
    pub failure: Option<Witness>,
    /// The locations that can be reached.
    pub reached: BTreeSet<(ProcessId, LocationId)>,
    /// The edges that can be taken, by their places among those of their processes.
    pub taken: BTreeSet<(ProcessId, usize)>,
    /// How it was explored.
    pub plan: Plan,
    /// What that took.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
}

/// Looks for what is wrong with a model. Which queries the job names makes no difference.
///
/// # Errors
/// If the model cannot be compiled, or what was wished for cannot be combined.
pub fn sanity(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Sanity, CheckError> {
    let started = Instant::now();
    let (model, asked) = with_deadlock(job.model);
    let analysis = analyse(&model, &[])?;
    let (system, predicates) = compile(&model, &[asked])?;
    let exact = !system.has_stopwatches;
    let plan = plan(&Facts::of(&system, &analysis, exact), job.wishes)?;
    let (graph, list) = parts(&system, &analysis, &plan);
    let mut survey = Survey::new(graph, list);
    let mut observers = Observers::new(&system, &predicates[0], exact);
    let mut budget = Budget::new(job.limits, job.stop);
    let ended = survey
        .run(&mut observers, &mut budget, &mut |stats| observe(&Progress { query: None, stats: *stats }));
    let realiser = Realiser {
        model: &model,
        system: &system,
        survey: &survey,
        plan: &plan,
        horizon: horizon(&analysis),
    };
    let (why, failure) = realiser.conclude(ended);
    let complete = why == Why::Complete;
    let found = observers.reached.places(&model, &system);
    let goal = Goal { predicate: &predicates[0], asked, deadline: None };
    let oddities = oddities(observers, &realiser, goal, complete.then_some(&found.taken));
    let Found { reached, taken } = found;
    let (unknown, stats, time) = (unknown(complete, exact), survey.stats(), started.elapsed());
    Ok(Sanity { oddities, unknown, why, failure, reached, taken, plan, stats, time })
}

/// What looks wrong by what the observers saw, and by the text of the model. Which edges are taken is known only if
/// the exploration is complete.
fn oddities(
    observers: Observers<'_>,
    realiser: &Realiser<'_, '_>,
    goal: Goal<'_>,
    taken: Option<&BTreeSet<(ProcessId, usize)>>,
) -> Vec<Oddity> {
    let (model, system) = (realiser.model, realiser.system);
    let mut list = Vec::new();
    // Without any state nothing is reached, which is told as one thing.
    if taken.is_some() && realiser.survey.stats().stored > 0 {
        list.extend(observers.reached.oddities(model, system));
    }
    list.extend(observers.entry.oddities(model, system).into_iter().map(Oddity::BrokenOnEntry));
    let witness = |node| realiser.run_to(node, Some(goal));
    list.extend(observers.deadlock.oddities(system, witness).map(Oddity::Deadlock));
    list.extend(zeno::possible(model, zeno::suspicious(model, taken)).into_iter().map(Oddity::ZenoLoop));
    list.extend(unused::neglected(model).into_iter().map(Oddity::Neglected));
    list.extend(channels::one_sided(model).into_iter().map(Oddity::OneSided));
    drop_explained(model, &mut list);
    list
}

/// The model with an expression that asks for deadlocks, and that expression.
fn with_deadlock(model: &Model) -> (Model, Asked) {
    let mut model = model.clone();
    let span = Span::new(SourceId::from_index(0), 0, 0);
    let expr = model.exprs.push(Expr { kind: ExprKind::Deadlock, span });
    (model, Asked { expr, frame: 0, negated: false })
}

/// No clock is compared with a larger number.
fn horizon(analysis: &Analysis) -> i32 {
    let constants = analysis.global.dimension().iter().filter_map(|clock| analysis.global.maximum(clock));
    constants.map(Constant::get).max().unwrap_or(0)
}

/// What an exploration leaves open.
fn unknown(complete: bool, exact: bool) -> Vec<Aspect> {
    let mut open = Vec::new();
    if !complete {
        open.push(Aspect::Reach);
    }
    if !complete || !exact {
        open.extend([Aspect::Entry, Aspect::Deadlock]);
    }
    open
}

/// Drops what another finding explains: an edge that has no partner because its channel has one side only, and an
/// invariant that forbids an edge which it always forbids.
fn drop_explained(model: &Model, oddities: &mut Vec<Oddity>) {
    let mut lame: BTreeSet<Span> = BTreeSet::new();
    let mut forbidden: BTreeSet<(ProcessId, usize)> = BTreeSet::new();
    for oddity in oddities.iter() {
        match oddity {
            Oddity::OneSided(channel) if channel.side != Side::UnheardBroadcast => {
                lame.insert(model.channels[channel.channel].span);
            }
            Oddity::NeverTaken(NeverTaken { instances, edge, why: Obstacle::Invariant }) => {
                forbidden.extend(instances.processes.iter().map(|&process| (process, *edge)));
            }
            _ => {}
        }
    }
    oddities.retain(|oddity| match oddity {
        Oddity::NeverTaken(NeverTaken { instances, edge, why: Obstacle::Partner }) => {
            let edge = &model.processes[instances.first()].edges[*edge];
            !channels::channel_of(edge).is_some_and(|channel| lame.contains(&model.channels[channel].span))
        }
        Oddity::BrokenOnEntry(BrokenOnEntry { instances, edge, .. }) => {
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

/// Those who look on during the exploration.
struct Observers<'s> {
    reached: reached::Observer,
    entry: entry::Observer,
    deadlock: deadlock::Observer<'s>,
    system: &'s System,
    exact: bool,
}

impl<'s> Observers<'s> {
    fn new(system: &'s System, deadlock: &'s Predicate, exact: bool) -> Self {
        Self {
            reached: reached::Observer::new(system),
            entry: entry::Observer::new(system),
            deadlock: deadlock::Observer::new(system, deadlock),
            system,
            exact,
        }
    }
}

impl Surveyor for Observers<'_> {
    fn node(&mut self, node: NodeId, state: &SymbolicState) -> Result<(), RuntimeError> {
        self.reached.node(self.system, state);
        if self.exact {
            self.deadlock.node(node, state)?;
        }
        Ok(())
    }

    fn transition(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        state: &SymbolicState,
        ordinal: usize,
        led: bool,
    ) -> Result<(), RuntimeError> {
        self.reached.transition(graph, state, ordinal, led)?;
        if self.exact {
            self.entry.transition(graph, state, ordinal)?;
        }
        Ok(())
    }
}

/// Turns nodes into runs.
struct Realiser<'a, 's> {
    model: &'a Model,
    system: &'s System,
    survey: &'a Survey<'s>,
    plan: &'a Plan,
    horizon: i32,
}

impl Realiser<'_, '_> {
    /// A run to a node, if runs were asked for and it replays.
    fn run_to(&self, node: NodeId, goal: Option<Goal<'_>>) -> Option<Witness> {
        if self.plan.trace == TraceKind::None {
            return None;
        }
        let path = path::ordinals(self.survey.list(), node)?;
        path::realise(self.model, self.system, &path, goal, self.horizon).ok()
    }

    fn conclude(&self, ended: Ended) -> (Why, Option<Witness>) {
        match ended {
            Ended::Complete | Ended::Found { .. } => (Why::Complete, None),
            Ended::Exhausted(what) => (Why::Exhausted(what), None),
            Ended::Overflowed => (Why::Overflowed, None),
            Ended::Failed(failure) if self.plan.over_approximates => (Why::MayFail(failure.error), None),
            Ended::Failed(failure) => {
                let run = failure.node.and_then(|node| self.run_to(node, None));
                (Why::Failed(failure.error), run)
            }
        }
    }
}
