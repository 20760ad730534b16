//! Loops round which a clock grows without end, and what they lead to in the limit.
//!
//! A clock `x` whose `L` is infinite has ever larger upper bounds along a loop that takes time and does not reset it.
//! What such a loop leads to in the limit is one zone, in which `x` has no upper bound. If that zone is stored, it
//! covers all that the loop would bring, and the search ends: the acceleration of Karp and Miller
//! `[KarpMiller1969]`, for clocks.
//!
//! **The test.** Let `Z` be the zone of a state, `W` the part of it in which `x`, and every clock that the loop does
//! not write, is above all constants of the model and the condition. Let the loop not set `x`, but to itself or more,
//! and not give its value to others; and let `F(W)` be what it makes of `W`, abstracted. If `F(W)`, or a_LU of it,
//! includes `W` with `x` larger by some `d > 0`, then `x` has no bound at this discrete state while the other clocks
//! are as in `W`. If it does not, `W` is cut down to where the loop leads to, but for `x`, and tried again.
//!
//! **Why.** Write `w + k` for a point `w` with `x` larger by `kd`. Claim: for each `k` and each point `w` of `W`, going
//! round `k` times from a point that `W` stands for leads to one that simulates `w + k`. For `k = 1` that is the test:
//! a point of an abstracted zone is simulated by one that is reached. For `k + 1`: `w + 1` is simulated by a point `v`
//! reached from some `u` in `W` by going round once. Above all constants no comparison tells `u` from `u + k`, and
//! nothing else reads `x`, so that from `u + k` the loop leads to `v + k`. By the claim for `k`, something that
//! simulates `u + k` is reached; so something that simulates `v + k` is, which simulates `w + k + 1`. In the
//! simulation `x` is never smaller than what it stands for, since `L` is infinite. Therefore the zone that is `W`
//! without upper bounds of `x` has no point that is not simulated by a reached one, which is all that a zone of the
//! search promises.
//!
//! **The rest.** The zones round the loop grow on all the same: they include points that are not in `W`, of which the
//! limit says nothing, and so it does not cover them. What of a zone lies in a limit is therefore taken away before
//! it is offered. What is left does not grow: some clock that the loop does not write is below its constant there.
//!
//! **Which loops.** Those that the path to a state ends with: if it was at the same discrete state before, the steps
//! since then are one. They are looked for when a discrete state is seen with a large clock, less often the more
//! often it is, and not many more steps are followed than states are stored: round a loop that can be pumped the search
//! comes again and again. That some loop is found in the end is what tests show and not proven; until one is, the
//! search goes on, and its limits end it.
//!
//! **Differences.** Where differences of `x` to other clocks are compared, all of `W`, and all that the loop makes of
//! it on the way, must lie on the side of each comparison on which larger values of `x` do; then the argument is the
//! same. If there is no end of such comparisons, nothing is pumped.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use tourbillon_base::Id;
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Federation};
use tourbillon_store::{NodeId, PassedWaiting};
use tourbillon_system::{Analysis, RuntimeError, System};
use tourbillon_zonegraph::{Abstraction, Options, SymbolicState, Write, ZoneGraph};

use super::record::StoredState;

/// How many steps a loop may have.
const STEPS_MAX: usize = 256;

/// How many loops through a state are tried.
const LOOPS_MAX: usize = 8;

/// How many pieces of a zone are followed round a loop.
const PIECES_MAX: usize = 8;

/// How often the part of a zone that a loop starts from is made smaller, to what it leads back to.
const TRIES_MAX: usize = 3;

/// How many steps may be followed before the search has stored anything.
const STEPS_FREE: u64 = 1024;

/// Finds loops that can be pumped.
pub(super) struct Pump<'s> {
    graph: ZoneGraph<'s>,
    /// The clocks that may grow without end.
    growing: Vec<Clock>,
    /// For each clock, the largest constant that it is compared with.
    ceilings: Vec<Option<Constant>>,
    diagonals: Vec<Constraint>,
    /// For each node, a hash of its discrete state.
    states: Vec<u64>,
    /// How often loops through a discrete state might have been looked for, by its hash.
    times: HashMap<u64, u32>,
    /// The limits that were found, by discrete state.
    limits: HashMap<Box<[i32]>, Vec<Dbm>>,
    /// Steps that were followed, and those that may be.
    spent: u64,
    allowed: u64,
}

impl<'s> Pump<'s> {
    /// Looks for loops round which one of these clocks grows, with the bounds of these options. The analysis is that
    /// of the model and the condition, in which the clocks have the constants that they are compared with.
    pub(super) fn new(system: &'s System, options: Options, analysis: &Analysis, tracked: &[Clock]) -> Self {
        let diagonals = analysis.diagonals.clone();
        let options =
            Options { abstraction: Abstraction::ExtraLuPlus, diagonals: diagonals.clone(), ..options };
        Self {
            growing: if analysis.diagonals_complete { tracked.to_vec() } else { Vec::new() },
            ceilings: system.dimension.iter().map(|clock| analysis.global.maximum(clock)).collect(),
            diagonals,
            states: Vec::new(),
            times: HashMap::new(),
            limits: HashMap::new(),
            graph: ZoneGraph::new(system, options),
            spent: 0,
            allowed: STEPS_FREE,
        }
    }

    /// The zone without an upper bound of some clock that a loop through this state leads to in the limit, if one is
    /// found.
    pub(super) fn limit(&mut self, stored: &StoredState<'_>) -> Option<Dbm> {
        self.allowed += 1;
        self.note(stored);
        let large: Vec<Clock> =
            self.growing.iter().copied().filter(|&clock| self.is_large(stored.zone, clock)).collect();
        if large.is_empty() || self.spent >= self.allowed || !self.is_due(stored.node) {
            return None;
        }
        for steps in self.loops(stored.list, stored.node) {
            // A loop along which the model fails is none; the search itself comes upon the failure.
            if let Ok(Some(limit)) = self.round(stored, &steps, &large) {
                self.limits.entry(self.discrete(stored.memory).into()).or_default().push(limit.clone());
                return Some(limit);
            }
            if self.spent >= self.allowed {
                return None;
            }
        }
        None
    }

    /// Whether loops through this discrete state are to be looked for: always at first, then less and less often. Which
    /// times that is must have nothing to do with the order in which its nodes come, or those of a loop may be missed
    /// each time; so it is drawn from their numbers.
    fn is_due(&mut self, node: NodeId) -> bool {
        let times = self.times.entry(self.states[node.index()]).or_default();
        *times += 1;
        let scrambled = (node.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        scrambled.is_multiple_of(u64::from(times.ilog2().pow(2)) + 1)
    }

    /// Notes which discrete state a node is of. Nodes are seen in the order of their numbers.
    fn note(&mut self, stored: &StoredState<'_>) {
        let mut hasher = DefaultHasher::new();
        self.discrete(stored.memory).hash(&mut hasher);
        self.states.resize(stored.node.index(), 0);
        self.states.push(hasher.finish());
    }

    /// The last steps that led to a node, as far back as it was at its discrete state before: each time that it was,
    /// the nearest first. States with equal hashes may differ, so that not all of these are loops.
    fn loops(&self, list: &dyn PassedWaiting, node: NodeId) -> Vec<Vec<u32>> {
        let (mut loops, mut steps) = (Vec::new(), Vec::new());
        let mut origin = list.origin(node);
        while let Some((Some(parent), step)) = origin
            && steps.len() < STEPS_MAX
            && loops.len() < LOOPS_MAX
        {
            steps.push(step);
            if self.states[parent.index()] == self.states[node.index()] {
                loops.push(steps.iter().rev().copied().collect());
            }
            origin = list.origin(parent);
        }
        loops
    }

    /// What of a zone lies in no limit, if some of it does and some does not.
    pub(super) fn trim(&self, memory: &[i32], zone: &Dbm) -> Option<Vec<Dbm>> {
        if self.limits.is_empty() {
            return None;
        }
        let limits = self.limits.get(self.discrete(memory))?;
        if limits.iter().any(|limit| limit.includes(zone)) {
            return None;
        }
        let mut rest = Federation::from(zone.clone());
        limits.iter().for_each(|limit| rest.subtract_zone(limit));
        Some(rest.zones().to_vec())
    }

    /// Whether a bound of the clock, or of its difference to another, is larger than any constant: such bounds grow
    /// round a loop. A clock whose bounds are all infinite has no reason to.
    fn is_large(&self, zone: &Dbm, clock: Clock) -> bool {
        let others = zone.dimension().iter().filter(|&other| other != clock).chain([Clock::REFERENCE]);
        let bounds = others.filter_map(|other| zone.bound(clock, other).constant());
        bounds.into_iter().any(|bound| Some(bound) > self.ceiling(clock))
    }

    /// What of the memory tells states apart.
    fn discrete<'m>(&self, memory: &'m [i32]) -> &'m [i32] {
        &memory[..self.graph.system().layout.fields()]
    }

    fn ceiling(&self, clock: Clock) -> Option<Constant> {
        self.ceilings[clock.index() - 1]
    }

    /// The limit of these steps, if they are a loop that one of the clocks grows round.
    fn round(
        &mut self,
        stored: &StoredState<'_>,
        steps: &[u32],
        large: &[Clock],
    ) -> Result<Option<Dbm>, RuntimeError> {
        let mut start = SymbolicState { memory: stored.memory.to_vec(), zone: stored.zone.clone() };
        let mut writes = Vec::new();
        let ends = self.follow(&start, steps, &[], Some(&mut writes))?;
        if !ends.iter().any(|end| self.discrete(&end.memory) == self.discrete(&start.memory)) {
            return Ok(None);
        }
        let untouched = |clock: &&Clock| !writes.iter().any(|writes| touches(writes, **clock));
        let Some(&clock) = large.iter().find(untouched) else { return Ok(None) };
        self.graph.prepare(&mut start)?;
        let sides = self.upper_sides(clock);
        if !self.raise(clock, &writes, &sides, &mut start.zone) {
            return Ok(None);
        }
        for _ in 0..TRIES_MAX {
            let ends = self.follow(&start, steps, &sides, None)?;
            if ends.iter().any(|end| self.grows(&end.zone, &start.zone, clock, stored.bounds)) {
                let mut limit = unbound(start.zone, clock);
                if self.diagonals.is_empty() {
                    limit.extra_lu_plus(stored.bounds);
                }
                return Ok(Some(limit));
            }
            let Some(end) = ends.into_iter().next() else { break };
            if !start.zone.intersect(&unbound(end.zone, clock)) {
                break;
            }
        }
        Ok(None)
    }

    /// Whether the end of a loop stands for its start with a clock made larger by some number.
    fn grows(&self, end: &Dbm, start: &Dbm, clock: Clock, bounds: &ClockBounds) -> bool {
        let least =
            |zone: &Dbm| zone.bound(Clock::REFERENCE, clock).constant().map_or(0, |least| -least.get());
        // No smaller number will do, since the end has nothing below its least value.
        let growth = (least(end) - least(start)).max(1);
        let mut larger = start.clone();
        let fits = Constant::new(growth.into()).is_ok_and(|growth| larger.assign(clock, clock, growth));
        let stands_for = |end: &Dbm| match self.diagonals.is_empty() {
            true => larger.is_simulated_lu(end, bounds),
            false => end.includes(&larger),
        };
        fits && !larger.overflowed() && stands_for(end)
    }

    /// Keeps the part of a zone in which a clock, and all clocks that are not written, are above their constants, and
    /// differences on these sides. Returns whether there is one.
    fn raise(&self, clock: Clock, writes: &[Vec<Write>], sides: &[Constraint], zone: &mut Dbm) -> bool {
        let is_written = |other| writes.iter().flatten().any(|&write| written(write) == other);
        let dimension = self.graph.system().dimension;
        let mut clocks = dimension.iter().filter(|&other| other == clock || !is_written(other));
        let is_above = |clock: Clock, zone: &mut Dbm| {
            let above = self.ceiling(clock).map(|ceiling| above(clock, ceiling));
            above.is_none_or(|above| above.is_some_and(|above| zone.constrain(above)))
        };
        clocks.all(|clock| is_above(clock, zone)) && sides.iter().all(|&side| zone.constrain(side))
    }

    /// For each comparison of a difference with this clock, the side on which larger values of it lie.
    fn upper_sides(&self, clock: Clock) -> Vec<Constraint> {
        let side = |diagonal: &Constraint| {
            if diagonal.left == clock { diagonal.complement() } else { Some(*diagonal) }
        };
        let speaks_of = |diagonal: &&Constraint| [diagonal.left, diagonal.right].contains(&clock);
        self.diagonals.iter().filter(speaks_of).filter_map(side).collect()
    }

    /// What steps lead to on these sides, by all pieces or the first of them; and what they do to clocks.
    fn follow(
        &mut self,
        start: &SymbolicState,
        steps: &[u32],
        sides: &[Constraint],
        mut writes: Option<&mut Vec<Vec<Write>>>,
    ) -> Result<Vec<SymbolicState>, RuntimeError> {
        let mut states = vec![start.clone()];
        for &step in steps {
            let mut next = Vec::new();
            for mut state in states {
                self.spent += 1;
                self.graph.prepare(&mut state)?;
                while let Some(place) = self.graph.next_named(&state, step)? {
                    if let Some(writes) = &mut writes {
                        writes.push(self.graph.timing(&state, place)?.writes);
                    }
                    self.graph.follow(&state, place, &mut |successor| {
                        let there = sides.iter().all(|&side| successor.zone.satisfies(side));
                        if there && next.len() < PIECES_MAX {
                            let (memory, zone) = (successor.memory.to_vec(), successor.zone.clone());
                            next.push(SymbolicState { memory, zone });
                        }
                    })?;
                }
            }
            states = next;
        }
        Ok(states)
    }
}

/// A zone without upper bounds of a clock.
fn unbound(zone: Dbm, clock: Clock) -> Dbm {
    let dimension = zone.dimension();
    let mut open = zone.into_open();
    open.relax(clock, Clock::REFERENCE);
    dimension.iter().for_each(|other| open.relax(clock, other));
    open.close().expect("bounds were only loosened")
}

/// Whether a step loses the value of a clock, or has given it to another, when it is done. It may add to it.
fn touches(writes: &[Write], clock: Clock) -> bool {
    let mut carriers = vec![clock];
    for &write in writes {
        let carries = matches!(write, Write::Assign(_, source, _) if carriers.contains(&source));
        carriers.retain(|&carrier| carrier != written(write));
        carriers.extend(carries.then(|| written(write)));
    }
    carriers != [clock]
}

const fn written(write: Write) -> Clock {
    match write {
        Write::Reset(clock, _) | Write::Assign(clock, ..) => clock,
    }
}

/// That a clock is above a constant by at least 1, where extrapolation sees that it is above; nothing if that is too
/// large.
fn above(clock: Clock, constant: Constant) -> Option<Constraint> {
    let next = Constant::new(-1 - i64::from(constant.get())).ok()?;
    Some(Constraint::new(Clock::REFERENCE, clock, Bound::weak(next)))
}
