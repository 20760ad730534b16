//! Acceleration of cycles along which a clock grows without bound.
//!
//! A clock `x` whose `L` is infinite has ever larger upper bounds along a cycle that takes time and does not reset it. The limit of
//! such a cycle is one zone, in which `x` has no upper bound. If that zone is stored, it covers all zones of the cycle, and the
//! exploration terminates: the acceleration of Karp and Miller `[KarpMiller1969]`, for clocks.
//!
//! **The test.** Let `Z` be the zone of a state, `W` the part of it in which `x`, and every clock that the cycle does not write, is
//! above all constants of the model and the condition. Let the cycle assign to `x` only `x` plus a constant of at least 0, and assign
//! `x` to no other clock; and let `F(W)` be the abstracted successor of `W` along the cycle. If `F(W)`, or a_LU of it, includes `W`
//! with `x` larger by some `d > 0`, then `x` is unbounded at this discrete state while the other clocks are as in `W`. If it does
//! not, `W` is intersected with `F(W)` without the bounds of `x`, and tested again.
//!
//! **Proof.** Write `w + k` for a valuation `w` with `x` larger by `kd`. Claim: for each `k` and each `w` in `W`, `k` iterations of
//! the cycle, from a reachable valuation that simulates one of `W`, reach a valuation that simulates `w + k`. For `k = 1` that is the
//! test: a valuation of an abstracted zone is simulated by a reachable one. For `k + 1`: `w + 1` is simulated by a valuation `v` that
//! is reached from some `u` in `W` by one iteration. Above all constants no comparison distinguishes `u` from `u + k`, and `x` is
//! read nowhere else, so the cycle leads from `u + k` to `v + k`. By the claim for `k`, a valuation that simulates `u + k` is reached;
//! so one that simulates `v + k` is reached, which simulates `w + k + 1`. In the simulation `x` never shrinks, since `L` is infinite.
//! Therefore every valuation of the zone `W` without upper bounds of `x` is simulated by a reachable one, which is all that a zone of
//! the search promises.
//!
//! **Symmetry** is not used here. The proof would hold for paths of representatives, if every automorphism maps `x` to itself: take the
//! automorphisms as transitions, which neither read nor write `x`. But on random networks some searches did not end: the cycles at the end
//! of a path of representatives permute the other clocks, and the test failed for each of them. So another search, without
//! acceleration, uses symmetry and threads, and both alternate (`alternation.rs`).
//!
//! **The rest.** The zones of the cycle still grow: they include valuations outside `W`, which the limit does not cover. So a zone is
//! offered without the part that a limit includes. The rest does not grow: some clock that the cycle does not write is below its
//! constant there.
//!
//! **Which cycles.** Those at the end of the path to a state: if the path visits the same discrete state before, the transitions
//! between are a cycle. The test is made when a discrete state has a large clock, less often the more often it does, and follows about
//! as many transitions as states are stored. That a cycle that grows is found eventually is observed in tests, not proven; until one
//! is found the exploration continues, and its limits end it.
//!
//! **Diagonals.** If differences of `x` and other clocks are compared, `W` and its successors along the cycle must satisfy, for each
//! comparison, the side on which larger values of `x` lie; then the proof is the same. If there are infinitely many such comparisons,
//! no cycle is accelerated.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use tourbillon_base::Id;
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Federation};
use tourbillon_store::{NodeId, PassedWaiting};
use tourbillon_system::{Analysis, RuntimeError, System};
use tourbillon_zonegraph::{Abstraction, Options, SymbolicState, Write, ZoneGraph};

use super::observer::StoredState;

/// The maximum number of transitions of a cycle.
const STEPS_MAX: usize = 256;

/// The maximum number of cycles through a state that are tested.
const LOOPS_MAX: usize = 8;

/// The maximum number of pieces of a zone that are followed along a cycle.
const PIECES_MAX: usize = 8;

/// The maximum number of tests of a cycle, with smaller parts of a zone.
const TRIES_MAX: usize = 3;

/// The number of transitions that may be followed before the search has stored a state.
const STEPS_FREE: u64 = 1024;

/// Finds cycles that can be accelerated.
pub(super) struct Acceleration<'s> {
    graph: ZoneGraph<'s>,
    /// The clocks that may grow without bound.
    growing: Vec<Clock>,
    /// For each clock, the largest constant that it is compared with.
    constants: Vec<Option<Constant>>,
    diagonals: Vec<Constraint>,
    /// For each node, a hash of its discrete state.
    states: Vec<u64>,
    /// The number of stored states with a large clock, by the hash of their discrete state.
    times: HashMap<u64, u32>,
    /// The limits of accelerated cycles, by discrete state.
    limits: HashMap<Box<[i32]>, Vec<Dbm>>,
    /// The transitions that were followed, and the maximum.
    spent: u64,
    allowed: u64,
}

impl<'s> Acceleration<'s> {
    /// Accelerates cycles along which one of these clocks grows, with the bounds of these options. The analysis of the
    /// model and the condition has the constants that the clocks are compared with.
    pub(super) fn new(system: &'s System, options: Options, analysis: &Analysis, tracked: &[Clock]) -> Self {
        let diagonals = analysis.diagonals.clone();
        let options =
            Options { abstraction: Abstraction::ExtraLuPlus, diagonals: diagonals.clone(), ..options };
        Self {
            growing: if analysis.diagonals_complete { tracked.to_vec() } else { Vec::new() },
            constants: system.dimension.iter().map(|clock| analysis.global.maximum(clock)).collect(),
            diagonals,
            states: Vec::new(),
            times: HashMap::new(),
            limits: HashMap::new(),
            graph: ZoneGraph::new(system, options),
            spent: 0,
            allowed: STEPS_FREE,
        }
    }

    /// The limit of a cycle through this state, in which some clock has no upper bound, if one is found.
    pub(super) fn limit(&mut self, stored: &StoredState<'_>) -> Option<Dbm> {
        self.allowed += 1;
        self.note(stored);
        let large: Vec<Clock> =
            self.growing.iter().copied().filter(|&clock| self.is_large(stored.zone, clock)).collect();
        if large.is_empty() || self.spent >= self.allowed || !self.is_due(stored.node) {
            return None;
        }
        for steps in self.loops(stored.list, stored.node) {
            // A failure along the cycle is reported by the search itself.
            if let Ok(Some(limit)) = self.limit_of(stored, &steps, &large) {
                self.limits.entry(self.discrete(stored.memory).into()).or_default().push(limit.clone());
                return Some(limit);
            }
            if self.spent >= self.allowed {
                return None;
            }
        }
        None
    }

    /// Whether cycles through this discrete state are tested: always at first, then less and less often. The choice
    /// must not depend on the order of its nodes, or those of one cycle could always be missed; so it is pseudorandom
    /// in their ids.
    fn is_due(&mut self, node: NodeId) -> bool {
        let times = self.times.entry(self.states[node.index()]).or_default();
        *times += 1;
        let scrambled = (node.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        scrambled.is_multiple_of(u64::from(times.ilog2().pow(2)) + 1)
    }

    /// Stores the hash of the discrete state of a node. Nodes are stored in the order of their ids.
    fn note(&mut self, stored: &StoredState<'_>) {
        let mut hasher = DefaultHasher::new();
        self.discrete(stored.memory).hash(&mut hasher);
        self.states.resize(stored.node.index(), 0);
        self.states.push(hasher.finish());
    }

    /// The cycles at the end of the path to a node: the transitions since each earlier visit of its discrete state, the
    /// shortest first. Discrete states with equal hashes may differ, so not all of these are cycles.
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

    /// Whether some cycle was accelerated.
    pub(super) fn has_limits(&self) -> bool {
        !self.limits.is_empty()
    }

    /// The part of a zone outside all limits, if no limit includes the zone.
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

    /// Whether a finite bound of the clock, or of its difference to another, exceeds the constants: such bounds grow
    /// along a cycle.
    fn is_large(&self, zone: &Dbm, clock: Clock) -> bool {
        let others = zone.dimension().iter().filter(|&other| other != clock).chain([Clock::REFERENCE]);
        let bounds = others.filter_map(|other| zone.bound(clock, other).constant());
        bounds.into_iter().any(|bound| Some(bound) > self.constant_of(clock))
    }

    /// The part of the memory that is the discrete state.
    fn discrete<'m>(&self, memory: &'m [i32]) -> &'m [i32] {
        &memory[..self.graph.system().layout.fields()]
    }

    fn constant_of(&self, clock: Clock) -> Option<Constant> {
        self.constants[clock.index() - 1]
    }

    /// The limit of these transitions, if they are a cycle along which one of the clocks grows.
    fn limit_of(
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

    /// Whether the end of a cycle simulates its start with a larger value of a clock.
    fn grows(&self, end: &Dbm, start: &Dbm, clock: Clock, bounds: &ClockBounds) -> bool {
        let least =
            |zone: &Dbm| zone.bound(Clock::REFERENCE, clock).constant().map_or(0, |least| -least.get());
        // A smaller number is impossible: the end has no valuation below its least value.
        let growth = (least(end) - least(start)).max(1);
        let mut larger = start.clone();
        let fits = Constant::new(growth.into()).is_ok_and(|growth| larger.assign(clock, clock, growth));
        let simulates = |end: &Dbm| match self.diagonals.is_empty() {
            true => larger.is_simulated_lu(end, bounds),
            false => end.includes(&larger),
        };
        fits && !larger.overflowed() && simulates(end)
    }

    /// Constrains a zone to the part in which a clock, and all clocks that are not written, are above their constants,
    /// and to these sides of diagonals. Returns whether it is non-empty.
    fn raise(&self, clock: Clock, writes: &[Vec<Write>], sides: &[Constraint], zone: &mut Dbm) -> bool {
        let is_written = |other| writes.iter().flatten().any(|&write| written(write) == other);
        let dimension = self.graph.system().dimension;
        let mut clocks = dimension.iter().filter(|&other| other == clock || !is_written(other));
        let is_above = |clock: Clock, zone: &mut Dbm| {
            let above = self.constant_of(clock).map(|constant| above(clock, constant));
            above.is_none_or(|above| above.is_some_and(|above| zone.constrain(above)))
        };
        clocks.all(|clock| is_above(clock, zone)) && sides.iter().all(|&side| zone.constrain(side))
    }

    /// For each diagonal with this clock, the side on which its larger values lie.
    fn upper_sides(&self, clock: Clock) -> Vec<Constraint> {
        let side = |diagonal: &Constraint| {
            if diagonal.left == clock { diagonal.complement() } else { Some(*diagonal) }
        };
        let mentions = |diagonal: &&Constraint| [diagonal.left, diagonal.right].contains(&clock);
        self.diagonals.iter().filter(mentions).filter_map(side).collect()
    }

    /// The successors along transitions that satisfy these sides, up to a maximum number of pieces; and the writes to clocks.
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
                        let is_inside = sides.iter().all(|&side| successor.zone.satisfies(side));
                        if is_inside && next.len() < PIECES_MAX {
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

/// Whether writes overwrite a clock or copy it to another. They may add to it.
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

/// The constraint that a clock exceeds a constant by at least 1, where extrapolation distinguishes it; `None` if it is
/// too large.
fn above(clock: Clock, constant: Constant) -> Option<Constraint> {
    let next = Constant::new(-1 - i64::from(constant.get())).ok()?;
    Some(Constraint::new(Clock::REFERENCE, clock, Bound::weak(next)))
}
