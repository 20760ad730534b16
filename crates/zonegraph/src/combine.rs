//! Which combinations of edges a zone admits, where processes take part in a step by one of several edges or not at all.
//!
//! A receiver of a broadcast with a clock guard receives at some points of a zone and not at others, so that n receivers
//! have 2^n ways to take part or not. Few of them occur: clocks that run together pass their guards together. So the
//! zone decides, one process after the other. What is left of the zone when some have chosen is a *branch*, convex and
//! not empty; for the next process it is cut down to the guard of each of its edges, and to what lies outside all of
//! them, in convex pieces. A branch of which nothing is left is dropped at once, and with it all combinations that it
//! begins. Where all have chosen there is a transition, with the part of the zone in which exactly these edges are
//! taken: the same combination comes again for each convex piece.
//!
//! Branches wait on a stack, the first choice on top, so that transitions come one by one in the order of their ranks
//! and memory is that of one branch for each choice of each process. Every branch and every transition is counted as work
//! (`Choices::burn`); after a million transitions the answer is unknown.

use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_system::{Machine, RuntimeError, System};

use crate::enumerate::{Choices, Fired, Group, ORDINALS, Synchronisation, Transition, Transitions};
use crate::guard;

/// What is read.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) system: &'a System,
    pub(crate) memory: &'a [i32],
    pub(crate) zone: &'a Dbm,
    pub(crate) list: &'a Transitions,
}

/// Goes through the combinations of the synchronisations in a list.
#[derive(Debug)]
pub(crate) struct Combinations {
    /// How many synchronisations have been begun.
    begun: usize,
    branches: Vec<Branch>,
    /// What the processes that have chosen do.
    picked: Vec<Option<Fired>>,
    fired: Vec<Fired>,
    /// The rank of the last combination, and where it can be taken.
    pub(crate) rank: u64,
    pub(crate) zone: Dbm,
    work: Choices,
    constraints: Vec<Constraint>,
}

/// A part of the zone in which some processes have chosen.
#[derive(Debug)]
struct Branch {
    /// How many have, and what the last of them does.
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
        }
    }

    /// Begins with the first synchronisation.
    pub(crate) fn begin(&mut self) {
        self.begun = 0;
        self.branches.clear();
        self.work = Choices::default();
    }

    /// Goes on to the next combination, and says whether there is one. Parts of the zone that are not of interest
    /// are left out with all that begins there; so are synchronisations.
    pub(crate) fn advance(
        &mut self,
        source: Source<'_>,
        machine: &mut Machine,
        locals: &mut [i32],
        counts: impl Fn(&Synchronisation) -> bool,
        of_interest: impl Fn(&Dbm) -> bool,
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
            self.work.burn(1, first, synchronisation.what)?;
            if (synchronisation.committed && !may_go) || !of_interest(&branch.zone) {
                continue;
            }
            if level == groups.len() {
                self.work.burn(Choices::FOUND, first, synchronisation.what)?;
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

    /// The last combination.
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
        // The parts of the zone in which the process takes none of the edges so far.
        let mut left_out = Vec::new();
        for (choice, ready) in members.iter().enumerate() {
            self.gather(source, machine, locals, ready.fired)?;
            let whole = zone.clone();
            if choice == 0 {
                let inside = part(whole, &self.constraints, optional.then_some(&mut left_out));
                let taken = inside.filter(|_| ready.is_open());
                self.branches.extend(taken.map(|zone| child(choice, Some(ready.fired), zone)));
                continue;
            }
            let inside = part(whole, &self.constraints, None).filter(|_| ready.is_open());
            self.branches.extend(inside.map(|zone| child(choice, Some(ready.fired), zone)));
            for piece in std::mem::take(&mut left_out) {
                part(piece, &self.constraints, Some(&mut left_out));
            }
        }
        if !group.must_take {
            let pieces = left_out.into_iter().map(|zone| child(members.len(), None, zone));
            self.branches.extend(pieces);
        }
        self.branches[start..].reverse();
        Ok(())
    }

    /// Computes what an edge asks of clocks.
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

/// The part of a zone that satisfies all constraints; what lies outside is added in convex pieces if that is wanted.
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
            // They hold together nowhere: nothing need be cut.
            outside.truncate(start);
            outside.push(whole);
            return None;
        }
    }
    Some(zone)
}
