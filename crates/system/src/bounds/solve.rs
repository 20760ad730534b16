//! The least fixpoint of the constraints between clock bounds, as longest paths.
//!
//! A node is a location and a clock, its value a limit, lower or upper: both obey the same constraints, so
//! this runs once for each. Seeds are what is asked at the location itself. Constraints have the form
//! `limit(l, y) >= limit(m, x) - c`: over an edge from `l` to `m` that gives `x` the value of `y + c`, and,
//! since a clock is shared, from every location `m` of every other process if an edge leaving `l` does so.
//! What is not changed by an edge is the case `x = y`, `c = 0`; it binds the edge's own process only, since
//! the others stay where they are and keep their limits.
//!
//! Guarded bounds reduce what passes over an edge that bounds the clock from above (`guarded.rs`).
//!
//! A cycle along which values grow has no finite solution: `x := y - 1` here and `y := x` there ask about
//! larger and larger values. Such a walk is recognised by being longer than there are nodes: each node that
//! it visits twice had a smaller value the first time, or it would not have been updated, so the cycle
//! between is one that grows. Its nodes become unbounded, as does every limit beyond what zones can hold.
//!
//! Cost: where no shift is negative no limit grows on its way, and the node with the largest limit is final
//! `[Dijkstra1959]`: each node is visited once, in that order. With negative shifts nodes are visited first come, first
//! served, at most the number of nodes times that of constraints. What a location asks of all others that copy a clock
//! is passed on only if no location of its process has asked as much, and not two of others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tourbillon_base::Id;
use tourbillon_base::mutants::{self, Mutant};
use tourbillon_dbm::Constant;
use tourbillon_model::ClockId;

use super::Side;
use super::effect::{Effect, Origin, UNBOUNDED};
use super::guarded::UpperBounds;

/// The index of a location among those of all processes.
pub(super) type LocationIndex = usize;

/// The clock effects of an edge.
pub(super) struct ClockEdge {
    pub(super) process: usize,
    pub(super) source: LocationIndex,
    pub(super) target: LocationIndex,
    pub(super) effect: Effect,
    /// The upper bounds of clocks where it is taken.
    pub(super) bounded: UpperBounds,
}

/// How limits pass over edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Propagation {
    /// The limits pass unchanged.
    Full,
    /// Reduced by the upper bounds of the edge, as limits of this side.
    Guarded(Side),
}

impl Propagation {
    /// What passes of a limit on a clock that the edge leaves alone and bounds from above; -1 if nothing does.
    fn reduced(self, limit: i64, bound: i64) -> i64 {
        match self {
            Self::Full => limit,
            Self::Guarded(Side::Lower) => limit.min(bound),
            Self::Guarded(Side::Upper) => -1,
        }
    }
}

pub(super) struct Constraints<'a> {
    steps: &'a [ClockEdge],
    clocks: usize,
    /// The process of each location.
    owner: &'a [usize],
    /// The edges that lead to each location.
    incoming: Vec<Vec<usize>>,
    /// For each clock, the edges that assign it the value of another clock, or a smaller value of its own.
    copies: Vec<Vec<CopyConstraint>>,
    /// Whether a bound can grow along a path.
    growing: bool,
}

/// `limit(source, clock) >= limit(m, x) - shift` for locations `m` of other processes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CopyConstraint {
    process: usize,
    source: LocationIndex,
    clock: ClockId,
    shift: i64,
}

impl<'a> Constraints<'a> {
    pub(super) fn new(steps: &'a [ClockEdge], owner: &'a [usize], clocks: usize) -> Self {
        let mut incoming = vec![Vec::new(); owner.len()];
        let mut copies = vec![Vec::new(); clocks];
        let mut growing = false;
        for (index, step) in steps.iter().enumerate() {
            incoming[step.target].push(index);
            for target in step.effect.changed() {
                copies[target.index()].extend(foreign_copies(step, target));
                growing |= step.effect.origins(target).any(|(_, shift)| shift.min < 0);
            }
        }
        copies.iter_mut().for_each(|list: &mut Vec<CopyConstraint>| {
            list.sort_unstable();
            list.dedup();
        });
        Self { steps, clocks, owner, incoming, copies, growing }
    }

    /// The least bounds that satisfy all constraints and are at least the seeds, for each location and clock. -1 stands
    /// for no bound, [`UNBOUNDED`] for an unbounded one.
    pub(super) fn solve(
        &self,
        seeds: &[(LocationIndex, ClockId, i64)],
        propagation: Propagation,
    ) -> Vec<i64> {
        self.work(seeds, propagation).values
    }

    fn work(&self, seeds: &[(LocationIndex, ClockId, i64)], propagation: Propagation) -> Worklist {
        let nodes = self.owner.len() * self.clocks;
        let mut work = Worklist {
            clocks: self.clocks,
            propagation,
            values: vec![-1; nodes],
            lengths: vec![0; nodes],
            queued: vec![false; nodes],
            queue: BinaryHeap::new(),
            growing: self.growing,
            pushed: 0,
            visits: 0,
            shared: vec![[(-1, usize::MAX); 2]; self.clocks],
        };
        for &(place, clock, limit) in seeds {
            work.raise(place, clock, limit, 0);
        }
        while let Some((_, _, node)) = work.queue.pop() {
            if std::mem::replace(&mut work.queued[node], false) {
                self.visit(node, &mut work);
            }
        }
        work
    }

    fn visit(&self, node: usize, work: &mut Worklist) {
        let (place, clock) = (node / self.clocks, ClockId::from_index(node % self.clocks));
        let (value, length) = (work.values[node], work.lengths[node] + 1);
        work.visits += 1;
        for &index in &self.incoming[place] {
            let step = &self.steps[index];
            if let Some(bound) = step.bounded.get(clock).filter(|_| !step.effect.changes(clock)) {
                work.raise(step.source, clock, work.propagation.reduced(value, bound), length);
                continue;
            }
            for (origin, shift) in step.effect.origins(clock) {
                if let Origin::Clock(before) = origin
                    && (before == clock || !mutants::is(Mutant::CopiedBoundsForgotten))
                {
                    work.raise(step.source, before, minus(value, shift.min), length);
                }
            }
        }
        if self.copies[clock.index()].is_empty() || !work.share(clock, value, self.owner[place]) {
            return;
        }
        for copy in &self.copies[clock.index()] {
            if copy.process != self.owner[place] {
                work.raise(copy.source, copy.clock, minus(value, copy.shift), length);
            }
        }
    }
}

fn foreign_copies(step: &ClockEdge, target: ClockId) -> impl Iterator<Item = CopyConstraint> {
    let &ClockEdge { process, source, .. } = step;
    step.effect.origins(target).filter_map(move |(origin, shift)| match origin {
        Origin::Clock(clock) if clock != target || shift.min < 0 => {
            Some(CopyConstraint { process, source, clock, shift: shift.min })
        }
        _ => None,
    })
}

fn minus(limit: i64, shift: i64) -> i64 {
    if limit >= UNBOUNDED { UNBOUNDED } else { limit - shift }
}

struct Worklist {
    clocks: usize,
    propagation: Propagation,
    values: Vec<i64>,
    /// The length of the path that gave each node its value.
    lengths: Vec<usize>,
    queued: Vec<bool>,
    /// Nodes with their bound, or 0 if bounds can grow; among equal bounds first in, first out. A node that was raised
    /// while it waited occurs again.
    queue: BinaryHeap<(i64, Reverse<usize>, usize)>,
    growing: bool,
    /// The number of pushes.
    pushed: usize,
    visits: usize,
    /// For each clock, the two largest bounds that were propagated to copies in other processes, with their processes,
    /// which differ.
    shared: Vec<[(i64, usize); 2]>,
}

impl Worklist {
    fn raise(&mut self, place: LocationIndex, clock: ClockId, limit: i64, length: usize) {
        let node = place * self.clocks + clock.index();
        let grows = length >= self.values.len() && limit > self.values[node];
        let limit = if grows || limit > i64::from(Constant::MAX.get()) { UNBOUNDED } else { limit };
        if limit <= self.values[node] {
            return;
        }
        (self.values[node], self.lengths[node]) = (limit, length);
        if !std::mem::replace(&mut self.queued[node], true) || !self.growing {
            let key = if self.growing { 0 } else { limit };
            self.queue.push((key, Reverse(self.pushed), node));
            self.pushed += 1;
        }
    }

    /// Whether a bound of a process exceeds those propagated to copies in other processes before.
    fn share(&mut self, clock: ClockId, limit: i64, process: usize) -> bool {
        let [first, second] = &mut self.shared[clock.index()];
        if limit <= second.0 || (first.1 == process && limit <= first.0) {
            return false;
        }
        if first.1 == process || limit > first.0 {
            if first.1 != process {
                *second = *first;
            }
            *first = (limit, process);
        } else {
            *second = (limit, process);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(places: usize) -> Vec<ClockEdge> {
        let step = |source| ClockEdge {
            process: 0,
            source,
            target: source + 1,
            effect: Effect::nothing(),
            bounded: UpperBounds::default(),
        };
        (0..places - 1).map(step).collect()
    }

    /// Every location has a larger bound than the previous one, so the last one decides about all.
    #[test]
    fn a_limit_is_passed_on_once_wherever_it_comes_from() {
        let places = 10_000;
        let (steps, owner) = (chain(places), vec![0; places]);
        let constraints = Constraints::new(&steps, &owner, 1);
        let seeds: Vec<_> = (0..places).map(|place| (place, ClockId::from_index(0), place as i64)).collect();
        for seeds in [seeds.clone(), seeds.into_iter().rev().collect()] {
            let work = constraints.work(&seeds, Propagation::Full);
            assert_eq!(work.values, vec![places as i64 - 1; places]);
            assert_eq!(work.visits, places);
        }
    }
}
