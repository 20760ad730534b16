//! The fixpoint of the symbolic search.
//!
//! ```text
//!   draw (zone, states) ─▶ for each action: zone within its guard, image of the states
//!          ▲                       │
//!          │                       ▼ for each class of the image: resets, invariant, delay, abstraction
//!        offer ◀──────────── (zone', states')
//! ```
//!
//! This is the improved fixpoint of section 3.4 of `[EhlersGerkePeter2010]`: new states are added to the map at once,
//! so that a zone that still waits is expanded with them.

use tourbillon_check::{Exhausted, Plan};
use tourbillon_dbm::Dbm;
use tourbillon_dd::Bdd;
use tourbillon_search::{Budget, SetStats, Stats};
use tourbillon_zonegraph::{Options, Write};

use crate::classes::ClassId;
use crate::encoding::Encoding;
use crate::goal::{Goal, allows};
use crate::interpret::EncodingContext;
use crate::interruption::Interruptible;
use crate::map::ClockZoneMap;
use crate::rings::Rings;

/// A zone, and a set of states that were reached with it.
pub(crate) type ZoneStates = (u32, Bdd);

/// The end of a search.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The goal holds in these states, for some valuation of their zone.
    Found(ZoneStates),
    /// The state space was explored completely.
    Complete,
    /// The model fails in one of these reached states, or initially.
    Failed(Option<ZoneStates>),
    Exhausted(Exhausted),
    /// A clock bound exceeded the range of zones.
    Overflowed,
}

#[derive(Debug)]
pub(crate) struct Search<'a> {
    pub(crate) setting: EncodingContext<'a>,
    pub(crate) options: &'a Options,
    pub(crate) start: Dbm,
    pub(crate) encoding: Encoding,
    pub(crate) goal: Option<Goal>,
    pub(crate) map: ClockZoneMap,
    /// The variables in groups that reordering keeps together.
    groups: Vec<Vec<u32>>,
    sifting: Sifting,
    pub(crate) steps: u64,
    drawn: u64,
    has_begun: bool,
    merges: bool,
    /// The order in which states were found, if it is recorded.
    pub(crate) rings: Option<Rings>,
}

/// When variables are reordered.
#[derive(Debug)]
struct Sifting {
    /// The number of nodes that triggers it; `None` for never.
    at: Option<usize>,
    times: u64,
}

/// The minimum number of nodes for reordering. Below it, reordering takes longer than it saves: train gate 6 has
/// 213,000 nodes, and 124,000 after reordering, but takes half as long again.
const SIFT_FROM: usize = 1 << 19;

impl<'a> Search<'a> {
    pub(crate) fn new(
        setting: EncodingContext<'a>,
        (options, start): (&'a Options, Dbm),
        encoding: Encoding,
        plan: &Plan,
    ) -> Self {
        Self {
            setting,
            options,
            start,
            encoding,
            goal: None,
            map: ClockZoneMap::new(plan.cover),
            groups: setting.fields.groups(),
            sifting: Sifting {
                at: plan.sets.reorder.then_some(SIFT_FROM.min(setting.bdds.room() / 4)),
                times: 0,
            },
            steps: 0,
            drawn: 0,
            has_begun: false,
            merges: plan.sets.merge,
            rings: None,
        }
    }

    /// The same search without merging of zones.
    pub(crate) fn without_merging(self) -> Self {
        Self { merges: false, ..self }
    }

    /// The same search with recorded rings. Rings have many nodes that are used once or never, so variables are not
    /// reordered for them.
    pub(crate) fn with_rings(self) -> Self {
        Self { rings: Some(Rings::default()), sifting: Sifting { at: None, times: 0 }, ..self }
    }

    /// Continues the search with another goal, or starts it at a discrete state with all clocks at 0. Reached states
    /// are tested first.
    pub(crate) fn run(
        &mut self,
        goal: Option<Goal>,
        initial: &[i32],
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Stats),
    ) -> Interruptible<Ended> {
        self.goal = goal;
        let begun = std::mem::replace(&mut self.has_begun, true);
        let first = if begun { self.test_reached()? } else { self.begin(initial)? };
        if let Some(ended) = first {
            return Ok(ended);
        }
        loop {
            let (exhausted, looked) = budget.check(|| (self.map.len() as u64, self.bytes() as u64));
            if let Some(exhausted) = exhausted {
                return Ok(Ended::Exhausted(exhausted));
            }
            if looked {
                observe(&self.stats());
            }
            let Some((id, states)) = self.draw()? else { return Ok(Ended::Complete) };
            if let Some(ended) = self.expand(id, &states)? {
                self.map.put_back(id, &states)?;
                return Ok(ended);
            }
            self.collect_and_reorder();
        }
    }

    fn begin(&mut self, initial: &[i32]) -> Interruptible<Option<Ended>> {
        let start = self.setting.fields.only(self.setting.bdds, initial)?;
        let zone = self.start.clone();
        let inside = self.failing_inside(&zone, &[], &start)?;
        if !self.encoding.classes.failed.and(&start)?.or(&inside)?.is_no() {
            self.has_begun = false;
            return Ok(Some(Ended::Failed(None)));
        }
        self.arrive(&zone, &[], &start)
    }

    /// Tests the states that were reached before for the current goal.
    fn test_reached(&mut self) -> Interruptible<Option<Ended>> {
        for id in 0..self.map.len() as u32 {
            let reached = self.map.entry(id).reached.clone();
            let ended = self.evaluator(id, &reached, true)?;
            if ended.is_some() {
                return Ok(ended);
            }
        }
        Ok(None)
    }

    fn draw(&mut self) -> Interruptible<Option<ZoneStates>> {
        let bdds = self.setting.bdds;
        if self.merges {
            return self.map.draw_merged(bdds);
        }
        Ok(self.map.draw(bdds))
    }

    /// Computes all successors of states that were reached with a zone.
    fn expand(&mut self, id: u32, states: &Bdd) -> Interruptible<Option<Ended>> {
        self.drawn += 1;
        let failing = self.failing(id, states)?;
        if !failing.is_no() {
            return Ok(Some(Ended::Failed(Some((id, failing)))));
        }
        if self.goal.as_ref().is_some_and(Goal::asks_for_deadlock) {
            let ended = self.evaluator(id, states, true)?;
            if ended.is_some() {
                return Ok(ended);
            }
        }
        if let Some(rings) = &mut self.rings {
            rings.draw(id, states);
        }
        for action in 0..self.encoding.actions.len() {
            if self.setting.deadline.is_over() {
                return Ok(Some(Ended::Exhausted(self.setting.deadline.what())));
            }
            let Some((zone, image)) = self.post(id, action, states)? else { continue };
            let writes = self.encoding.actions[action].clocks.writes.clone();
            if let Some(rings) = &mut self.rings {
                rings.by(action);
            }
            if let Some(ended) = self.arrive(&zone, &writes, &image)? {
                return Ok(Some(ended));
            }
        }
        Ok(None)
    }

    /// Whether the goal holds in some of these states, or fails. Deadlocks are decided only on expansion: before, the
    /// transitions are not known.
    fn evaluator(&mut self, id: u32, states: &Bdd, drawn: bool) -> Interruptible<Option<Ended>> {
        let Some(goal) = &self.goal else { return Ok(None) };
        let failing = goal.failed.and(states)?;
        if !failing.is_no() {
            return Ok(Some(Ended::Failed(Some((id, failing)))));
        }
        if goal.asks_for_deadlock() && !drawn {
            return Ok(None);
        }
        let met = self.met(id, states)?;
        Ok((!met.is_no()).then_some(Ended::Found((id, met))))
    }

    /// The states of a set, reached with a zone, in which the goal holds for some valuation.
    pub(crate) fn met(&mut self, id: u32, states: &Bdd) -> Interruptible<Bdd> {
        let Some(goal) = self.goal.take() else { return Ok(self.setting.bdds.no()) };
        let met = self.met_by(&goal, id, states);
        self.goal = Some(goal);
        met
    }

    fn met_by(&mut self, goal: &Goal, id: u32, states: &Bdd) -> Interruptible<Bdd> {
        let mut met = self.setting.bdds.no();
        for case in goal.cases() {
            let zone = &self.map.entry(id).zone;
            if !allows(zone, &case.constraints) {
                continue;
            }
            let here = case.states.and(states)?;
            let here = match case.stuck {
                None => here,
                Some(stuck) if !here.is_no() => {
                    // A failing transition is not one, but a state with one is not deadlocked either.
                    let here = here.but(&self.failing(id, &here)?)?;
                    self.stuck(id, &here, &case.constraints, stuck)?
                }
                Some(_) => continue,
            };
            met = met.or(&here)?;
        }
        Ok(met)
    }

    /// The successors of an action, and the part of the zone in which it is enabled; `None` if it is not.
    pub(crate) fn post(&mut self, id: u32, action: usize, states: &Bdd) -> Interruptible<Option<(Dbm, Bdd)>> {
        let action = &self.encoding.actions[action];
        let zone = &self.map.entry(id).zone;
        if !action.clocks.constraints.iter().all(|&constraint| zone.admits(constraint)) {
            return Ok(None);
        }
        let mut zone = zone.clone();
        if !action.clocks.constraints.iter().all(|&constraint| zone.constrain(constraint)) {
            return Ok(None);
        }
        self.steps += 1;
        let image = action.image(self.setting.bdds, states)?;
        Ok((!image.is_no()).then_some((zone, image)))
    }

    /// The symbolic states of a zone and a set of states after arrival, by class.
    pub(crate) fn arrivals(
        &mut self,
        zone: &Dbm,
        writes: &[Write],
        states: &Bdd,
    ) -> Interruptible<Vec<(ClassId, Dbm, Bdd)>> {
        let options = self.options;
        let mut arrivals = Vec::new();
        self.encoding.classes.divide(states, &mut |classes, class, states| {
            classes.get(class).arrive(options, zone.clone(), writes, &mut |zone| {
                arrivals.push((class, zone, states.clone()));
            });
            Ok(())
        })?;
        Ok(arrivals)
    }

    fn arrive(&mut self, zone: &Dbm, writes: &[Write], states: &Bdd) -> Interruptible<Option<Ended>> {
        let bdds = self.setting.bdds;
        let mut ended = None;
        for (class, zone, states) in self.arrivals(zone, writes, states)? {
            if zone.overflowed() {
                return Ok(Some(Ended::Overflowed));
            }
            let bounds = &self.encoding.classes.get(class).bounds;
            let Some((id, new)) = self.map.offer(bdds, (class, bounds), zone, &states)? else { continue };
            if let Some(rings) = &mut self.rings {
                rings.note(id, &new);
            }
            if ended.is_none() {
                ended = self.evaluator(id, &new, false)?;
            }
        }
        Ok(ended)
    }

    /// The states of a set, reached with a zone, from which some transition fails.
    pub(crate) fn failing(&mut self, id: u32, states: &Bdd) -> Interruptible<Bdd> {
        let bdds = self.setting.bdds;
        let zone = &self.map.entry(id).zone;
        let mut failing = bdds.no();
        for failure in &self.encoding.failures {
            if allows(zone, &failure.constraints) {
                failing = failing.or(&failure.states.and(states)?)?;
            }
        }
        if let Some(goal) = &self.goal {
            failing = failing.or(&goal.failed.and(states)?)?;
        }
        if self.encoding.classes.failed_inside.is_no() {
            return Ok(failing);
        }
        for action in 0..self.encoding.actions.len() {
            let Some((zone, image)) = self.post(id, action, states)? else { continue };
            let writes = self.encoding.actions[action].clocks.writes.clone();
            let inside = self.failing_inside(&zone, &writes, &image)?;
            let before = self.encoding.actions[action].preimage(bdds, &inside)?;
            failing = failing.or(&before.and(states)?)?;
        }
        Ok(failing)
    }

    /// The states of a set that these writes can enter from a zone, and in which the model then fails.
    fn failing_inside(&mut self, zone: &Dbm, writes: &[Write], states: &Bdd) -> Interruptible<Bdd> {
        let states = states.and(&self.encoding.classes.failed_inside)?;
        let mut failing = self.setting.bdds.no();
        self.encoding.classes.divide(&states, &mut |classes, class, part| {
            if classes.get(class).entered_from(zone, writes).is_some() {
                failing = failing.or(&part)?;
            }
            Ok(())
        })?;
        Ok(failing)
    }

    /// Collects garbage and reorders variables, if due.
    fn collect_and_reorder(&mut self) {
        let bdds = self.setting.bdds;
        let Some(nodes) = bdds.collect() else { return };
        if self.sifting.at.is_some_and(|at| nodes >= at) {
            let deadline = self.setting.deadline;
            let sifted = bdds.sift(&mut self.groups, &|| deadline.is_over());
            self.sifting.times += u64::from(sifted.is_some());
            self.sifting.at = Some(2 * bdds.nodes());
        }
    }

    fn bytes(&self) -> usize {
        self.setting.bdds.bytes() + self.map.bytes()
    }

    /// The statistics so far.
    pub(crate) fn stats(&self) -> Stats {
        let mut stats = Stats {
            visited: self.drawn,
            stored: self.map.len() as u64,
            stored_max: self.map.len() as u64,
            transitions: self.map.offered,
            covered: self.map.covered,
            waiting: self.map.waiting() as u64,
            distinct_zones: self.map.len() as u64,
            sets: Some(SetStats {
                steps: self.steps,
                actions: self.encoding.actions.len() as u64,
                classes: self.encoding.classes.len() as u64,
                reorderings: self.sifting.times,
                ..set_stats(self.setting)
            }),
            ..Stats::default()
        };
        stats.memory.discrete = self.setting.bdds.bytes();
        stats.memory.zones = self.map.bytes();
        stats
    }

    /// The statistics with the number of reached states, if there is time to count them.
    pub(crate) fn counted_stats(&self) -> Stats {
        let EncodingContext { fields, bdds, .. } = self.setting;
        let mut stats = self.stats();
        let mut counter = fields.counter(bdds);
        let reached = || self.map.entries().iter().map(|entry| &entry.reached);
        if let Some(sets) = &mut stats.sets {
            sets.pairs = reached().map_while(|states| counter.count(states).ok()).sum::<f64>() as u64;
        }
        let all = reached().try_fold(bdds.no(), |all, states| all.or(states));
        stats.discrete_states = all.and_then(|all| counter.count(&all)).unwrap_or(0.0) as u64;
        stats
    }
}

fn set_stats(setting: EncodingContext<'_>) -> SetStats {
    let bdds = setting.bdds;
    SetStats {
        nodes: bdds.nodes() as u64,
        nodes_max: bdds.peak() as u64,
        bits: setting.fields.bits().into(),
        collections: bdds.collections(),
        ..SetStats::default()
    }
}

/// The statistics of a search that did not begin.
pub(crate) fn stats_before(setting: EncodingContext<'_>) -> Stats {
    let mut stats = Stats { sets: Some(set_stats(setting)), ..Stats::default() };
    stats.memory.discrete = setting.bdds.bytes();
    stats
}
