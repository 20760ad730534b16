//! Which combinations of edges a zone admits, where each process takes part by one of several edges or not at all.
//!
//! A receiver of a broadcast with a clock guard receives at some valuations of a zone and not at others, so that n
//! receivers have 2^n combinations. Few of them are feasible: clocks that run together satisfy their guards together.
//! So the zone is split by one process after the other. The part of the zone in which some processes have chosen is a
//! *branch*, convex and non-empty. For the next process it is intersected with the guard of each of its edges, and with
//! the complement of all of them, as convex parts. An empty branch is dropped at once, with all combinations that it
//! begins. When all processes have chosen there is a transition, with the part of the zone in which exactly these
//! edges are taken: a combination occurs once for each convex part.
//!
//! Branches are on a stack, the first choice on top, so that transitions come one by one in the order of their ranks
//! and memory is that of one branch for each choice of each process. Every branch and every transition is counted as work
//! (`Choices::count_work`); after a million transitions the verdict is unknown.

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_system::{Machine, RuntimeError, System};

use crate::enumerate::{Choices, Fired, Group, ORDINALS, Synchronisation, Transition, Transitions};
use crate::guard;

/// The prepared state whose combinations are enumerated, with its list of transitions.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) system: &'a System,
    pub(crate) memory: &'a [i32],
    pub(crate) zone: &'a Dbm,
    pub(crate) list: &'a Transitions,
}

/// An iterator over the feasible combinations of the synchronisations in a list.
#[derive(Debug)]
pub(crate) struct Combinations {
    /// The number of synchronisations begun so far.
    begun: usize,
    branches: Vec<Branch>,
    /// The choices of the current branch, one for each process that has chosen; none for a process that does not take part.
    picked: Vec<Option<Fired>>,
    fired: Vec<Fired>,
    /// The rank of the last combination, and the part of the zone in which exactly its edges are taken.
    pub(crate) rank: u64,
    pub(crate) zone: Dbm,
    work: Choices,
    constraints: Vec<Constraint>,
    /// Whether only the edges that are wanted are chosen, if the list is restricted to some.
    narrowed: bool,
}

/// A part of the zone in which the first processes have chosen.
#[derive(Debug)]
struct Branch {
    /// The number of processes that have, and the choice of the last.
    level: usize,
    last: Option<Fired>,
    /// The rank of their choices, modulo [`ORDINALS`].
    rank: u64,
    /// Whether one of them leaves a committed location.
    committed: bool,
    zone: Dbm,
}

impl Combinations {
    pub(crate) fn new(system: &System) -> Self {
        Self {
            begun: 0,
            branches: Vec::new(),
            picked: Vec::new(),
            fired: Vec::new(),
            rank: 0,
            zone: Dbm::zero(system.dimension),
            work: Choices::default(),
            constraints: Vec::new(),
            narrowed: true,
        }
    }

    /// All combinations, even if the list is restricted to wanted edges: those that are not followed may block others.
    pub(crate) fn of_all_edges(system: &System) -> Self {
        Self { narrowed: false, ..Self::new(system) }
    }

    /// Restarts with the first synchronisation.
    pub(crate) fn begin(&mut self) {
        self.begun = 0;
        self.branches.clear();
        self.work = Choices::default();
    }

    /// Advances to the next combination; returns false after the last. Synchronisations for which `counts` is false are
    /// skipped, and so are branches whose zone is not `of_interest`, or whose choices `may_follow` rejects.
    pub(crate) fn advance(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        counts: impl Fn(&Synchronisation) -> bool,
        of_interest: impl Fn(&Dbm) -> bool,
        may_follow: impl Fn(&Synchronisation, &[Option<Fired>]) -> bool,
    ) -> Result<bool, RuntimeError> {
        loop {
            let Some(branch) = self.branches.pop() else {
                let Some(next) = source.list.synchronisations.get(self.begun) else { return Ok(false) };
                self.begun += 1;
                if counts(next) {
                    let zone = source.zone.clone();
                    self.branches.push(Branch { level: 0, last: None, rank: 0, committed: false, zone });
                }
                continue;
            };
            let Branch { level, last, rank, committed, .. } = branch;
            self.picked.truncate(level.saturating_sub(1));
            if level > 0 {
                self.picked.push(last);
            }
            let synchronisation = self.current(source.list);
            let groups = source.list.groups(synchronisation);
            let first = &source.system.edges[source.list.members(&groups[0])[0].fired.edge];
            let may_go = committed || groups[level..].iter().any(|group| group.committed);
            self.work.count_work(1, first, synchronisation.what)?;
            let wanted = of_interest(&branch.zone) && may_follow(synchronisation, &self.picked);
            if (synchronisation.committed && !may_go) || !wanted {
                continue;
            }
            if level == groups.len() {
                self.work.count_work(Choices::FOUND, first, synchronisation.what)?;
                self.fired.clear();
                self.fired.extend(self.picked.iter().flatten());
                (self.rank, self.zone) = (rank, branch.zone);
                return Ok(true);
            }
            self.choose(source, machine, locals, &groups[level], branch)?;
        }
    }

    /// The synchronisation that the last combination belongs to.
    pub(crate) fn current<'l>(&self, list: &'l Transitions) -> &'l Synchronisation {
        &list.synchronisations[self.begun - 1]
    }

    /// The last combination as a transition, with its priority.
    pub(crate) fn transition<'t>(&'t self, system: &System, list: &'t Transitions) -> Transition<'t> {
        list.combined(system, self.current(list), &self.fired)
    }

    /// The edges of the last combination.
    pub(crate) fn fired(&self) -> &[Fired] {
        &self.fired
    }

    /// Adds a branch for each choice of the next process.
    fn choose(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        group: &Group,
        branch: Branch,
    ) -> Result<(), RuntimeError> {
        let start = self.branches.len();
        let members = source.list.members(group);
        let Branch { level, rank, committed, zone, .. } = branch;
        let child = |choice: usize, last: Option<Fired>, zone: Dbm| Branch {
            level: level + 1,
            last,
            rank: (rank * u64::from(group.choices) + choice as u64) % ORDINALS,
            committed: committed || (group.committed && last.is_some()),
            zone,
        };
        let optional = group.is_optional();
        // The part of the zone in which none of the edges so far is enabled, as convex zones.
        let mut left_out = Vec::new();
        for (choice, candidate) in members.iter().enumerate() {
            self.gather(source, machine, locals, candidate.fired)?;
            let whole = zone.clone();
            if choice == 0 {
                let inside = part(whole, &self.constraints, optional.then_some(&mut left_out));
                let taken = inside.filter(|_| !self.narrowed || candidate.is_open());
                self.branches.extend(taken.map(|zone| child(choice, Some(candidate.fired), zone)));
                continue;
            }
            let inside = part(whole, &self.constraints, None);
            let taken = inside.filter(|_| !self.narrowed || candidate.is_open());
            self.branches.extend(taken.map(|zone| child(choice, Some(candidate.fired), zone)));
            for piece in std::mem::take(&mut left_out) {
                part(piece, &self.constraints, Some(&mut left_out));
            }
        }
        if !(self.narrowed && group.must_take || mutants::is(Mutant::CombinationForgotten)) {
            let pieces = left_out.into_iter().map(|zone| child(members.len(), None, zone));
            self.branches.extend(pieces);
        }
        self.branches[start..].reverse();
        Ok(())
    }

    /// Evaluates the clock guard of an edge.
    fn gather(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        fired: Fired,
    ) -> Result<(), RuntimeError> {
        self.constraints.clear();
        let edge = &source.system.edges[fired.edge];
        if edge.clocks.is_true() {
            return Ok(());
        }
        for (&(local, _), &value) in edge.selects.iter().zip(source.list.selected(fired, source.system)) {
            locals[local as usize] = value;
        }
        guard::each(source.system, machine, &edge.clocks, source.memory, locals, &mut |constraint| {
            self.constraints.push(constraint);
            true
        })?;
        Ok(())
    }
}

/// The part of a zone that satisfies all constraints, if there is one. The rest of the zone is added to `outside` as
/// disjoint convex parts, if that is given.
fn part(mut zone: Dbm, constraints: &[Constraint], outside: Option<&mut Vec<Dbm>>) -> Option<Dbm> {
    let Some(outside) = outside else {
        return constraints.iter().all(|&constraint| zone.constrain(constraint)).then_some(zone);
    };
    if constraints.iter().all(|&constraint| zone.satisfies(constraint)) {
        return Some(zone);
    }
    if constraints.iter().any(|&constraint| !zone.admits(constraint)) {
        outside.push(zone);
        return None;
    }
    let (start, whole) = (outside.len(), zone.clone());
    for &constraint in constraints {
        let Some(contrary) = constraint.complement() else { continue };
        let mut piece = zone.clone();
        if piece.constrain(contrary) {
            outside.push(piece);
        }
        if !zone.constrain(constraint) {
            // The conjunction is unsatisfiable in the zone: one part instead of several.
            outside.truncate(start);
            outside.push(whole);
            return None;
        }
    }
    Some(zone)
}

#[cfg(test)]
mod tests;
