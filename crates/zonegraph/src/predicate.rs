//! Whether a predicate holds somewhere in a symbolic state, and where.
//!
//! Data is decided first: what remains is true, false, or a formula over clocks (the *residue*), with quantifiers
//! unfolded. Only a residue needs the zone; it is solved by trying the alternatives of each disjunction in
//! turn. Most predicates never get there, and most states fail on data. The first part of the zone that is found
//! will do, unless the earliest is asked for: then all alternatives are tried. A deadlock is a set of clock values like
//! any other comparison, only one that is no zone.

use tourbillon_dbm::{Clock, Constraint, Dbm, Federation};
use tourbillon_system::{Formula, Machine, Predicate, RuntimeError, System, constraints};

use crate::deadlock::Detector;
use crate::situation::Situation;
use crate::{guard, invariant};

/// How a predicate and a symbolic state meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// It holds nowhere in it.
    Nowhere,
    /// It holds everywhere in it, whatever the clocks.
    Everywhere,
    /// It holds in this part of it, and perhaps in others.
    Within(Dbm),
}

/// What is left of a formula when data is known.
enum Residue {
    True,
    False,
    Clock(Vec<Constraint>),
    /// The clocks are somewhere in there.
    Within(Federation),
    All(Vec<Self>),
    Any(Vec<Self>),
}

/// Decides predicates, with memory that it keeps.
#[derive(Debug)]
pub struct Judge<'s> {
    pub(crate) system: &'s System,
    pub(crate) machine: Machine,
    pub(crate) locals: Vec<i32>,
    pub(crate) situation: Situation,
    /// The clock that should be as small as possible, if any.
    time: Option<Clock>,
    pub(crate) detector: Detector,
}

impl<'s> Judge<'s> {
    /// A judge of the states of a system.
    #[must_use]
    pub fn new(system: &'s System) -> Self {
        Self {
            system,
            machine: Machine::new(),
            locals: vec![0; system.frame_max()],
            situation: Situation::default(),
            time: None,
            detector: Detector::new(system),
        }
    }

    /// The same, which finds of all parts in which a predicate holds the one in which this clock can be smallest.
    #[must_use]
    pub fn preferring_early(self, time: Option<Clock>) -> Self {
        Self { time, ..self }
    }

    /// Where in a symbolic state a predicate holds, its invariants with it: an extrapolated zone can exceed
    /// them.
    ///
    /// # Errors
    /// If the model fails.
    pub fn meet(
        &mut self,
        predicate: &Predicate,
        memory: &[i32],
        zone: &Dbm,
    ) -> Result<Meeting, RuntimeError> {
        let residue = self.data(predicate, memory, zone)?;
        match residue {
            Residue::True => Ok(Meeting::Everywhere),
            Residue::False => Ok(Meeting::Nowhere),
            residue => {
                let Some(zone) = self.within_invariants(memory, zone)? else { return Ok(Meeting::Nowhere) };
                let mut choice = Choice { time: self.time, best: None };
                each_part(vec![&residue], zone, &mut |part| choice.offer(part));
                Ok(choice.best.map_or(Meeting::Nowhere, Meeting::Within))
            }
        }
    }

    /// All parts of a symbolic state in which a predicate holds, its invariants with it; they may overlap. Nothing
    /// means that it holds everywhere, whatever the clocks.
    ///
    /// # Errors
    /// If the model fails.
    pub fn parts(
        &mut self,
        predicate: &Predicate,
        memory: &[i32],
        zone: &Dbm,
    ) -> Result<Option<Vec<Dbm>>, RuntimeError> {
        let residue = self.data(predicate, memory, zone)?;
        match residue {
            Residue::True => Ok(None),
            Residue::False => Ok(Some(Vec::new())),
            residue => {
                let mut parts = Federation::empty(zone.dimension());
                if let Some(zone) = self.within_invariants(memory, zone)? {
                    each_part(vec![&residue], zone, &mut |part| {
                        parts.add(part);
                        false
                    });
                }
                Ok(Some(parts.zones().to_vec()))
            }
        }
    }

    /// What is left of a predicate when data is known.
    fn data(&mut self, predicate: &Predicate, memory: &[i32], zone: &Dbm) -> Result<Residue, RuntimeError> {
        let frame = predicate.frame as usize;
        if self.locals.len() < frame {
            self.locals.resize(frame, 0);
        }
        self.residue(&predicate.formula, memory, zone)
    }

    /// The part of a zone that lies within the invariants, if there is one.
    fn within_invariants(&mut self, memory: &[i32], zone: &Dbm) -> Result<Option<Dbm>, RuntimeError> {
        let mut zone = zone.clone();
        self.situation.gather(self.system, memory);
        let (machine, situation, locals) = (&mut self.machine, &self.situation, &mut self.locals);
        let inhabited = invariant::apply(self.system, machine, situation, memory, locals, &mut zone)?;
        Ok(inhabited.then_some(zone))
    }

    /// What is left of a formula when data is known.
    fn residue(&mut self, formula: &Formula, memory: &[i32], zone: &Dbm) -> Result<Residue, RuntimeError> {
        match formula {
            Formula::Data { code, negated } => {
                let holds = self.machine.test(&self.system.program, *code, memory, &mut self.locals)?;
                Ok(if holds != *negated { Residue::True } else { Residue::False })
            }
            Formula::Clock(atom) => {
                let (machine, locals) = (&mut self.machine, &mut self.locals);
                let (left, right, bound) = guard::resolve(self.system, machine, atom, memory, locals)?;
                Ok(Residue::Clock(constraints(left, right, atom.compare, bound).collect()))
            }
            Formula::Deadlock { negated } => self.deadlock(*negated, memory, zone),
            Formula::All(parts) | Formula::Any(parts) => {
                let all = matches!(formula, Formula::All(_));
                let mut left = Vec::new();
                for part in parts {
                    if !add(all, self.residue(part, memory, zone)?, &mut left) {
                        return Ok(if all { Residue::False } else { Residue::True });
                    }
                }
                Ok(join(all, left))
            }
            Formula::Quantified { all, local, range, body } => {
                let mut left = Vec::new();
                for value in range.values() {
                    self.locals[*local as usize] = value;
                    if !add(*all, self.residue(body, memory, zone)?, &mut left) {
                        return Ok(if *all { Residue::False } else { Residue::True });
                    }
                }
                Ok(join(*all, left))
            }
        }
    }

    fn deadlock(&mut self, negated: bool, memory: &[i32], zone: &Dbm) -> Result<Residue, RuntimeError> {
        let Some(zone) = self.within_invariants(memory, zone)? else { return Ok(Residue::False) };
        let Self { system, machine, situation, detector, .. } = self;
        let deadlocked = detector.deadlocked(system, machine, situation, memory, &zone)?;
        let part = if negated {
            let mut rest = Federation::from(zone);
            rest.subtract(&deadlocked);
            rest
        } else {
            deadlocked
        };
        Ok(if part.is_empty() { Residue::False } else { Residue::Within(part) })
    }
}

/// Adds a part to a conjunction or disjunction; false if that decides it.
fn add(all: bool, part: Residue, left: &mut Vec<Residue>) -> bool {
    match (part, all) {
        (Residue::True, true) | (Residue::False, false) => true,
        (Residue::False, true) | (Residue::True, false) => false,
        (part, _) => {
            left.push(part);
            true
        }
    }
}

fn join(all: bool, mut left: Vec<Residue>) -> Residue {
    match (left.len(), all) {
        (0, true) => Residue::True,
        (0, false) => Residue::False,
        (1, _) => left.swap_remove(0),
        (_, true) => Residue::All(left),
        (_, false) => Residue::Any(left),
    }
}

/// The best part of a zone so far.
struct Choice {
    time: Option<Clock>,
    best: Option<Dbm>,
}

/// Visits the parts of a zone in which all that is pending holds, until one is enough. Returns whether one was.
fn each_part(mut pending: Vec<&Residue>, mut zone: Dbm, visit: &mut impl FnMut(Dbm) -> bool) -> bool {
    let Some(next) = pending.pop() else { return visit(zone) };
    match next {
        Residue::True => each_part(pending, zone, visit),
        Residue::False => false,
        Residue::Clock(constraints) => {
            let left = constraints.iter().all(|&constraint| zone.constrain(constraint));
            left && each_part(pending, zone, visit)
        }
        Residue::Within(federation) => federation.zones().iter().any(|part| {
            let mut zone = zone.clone();
            zone.intersect(part) && each_part(pending.clone(), zone, visit)
        }),
        Residue::All(parts) => {
            pending.extend(parts);
            each_part(pending, zone, visit)
        }
        Residue::Any(parts) => parts.iter().any(|part| {
            let pending = pending.iter().copied().chain([part]).collect();
            each_part(pending, zone.clone(), visit)
        }),
    }
}

impl Choice {
    /// Takes a part if it is better. Returns whether no other need be tried.
    fn offer(&mut self, part: Dbm) -> bool {
        let Some(time) = self.time else {
            self.best = Some(part);
            return true;
        };
        // A larger bound on `0 - time` is an earlier moment.
        let earliest = |zone: &Dbm| zone.bound(Clock::REFERENCE, time);
        if self.best.as_ref().is_none_or(|best| earliest(&part) > earliest(best)) {
            self.best = Some(part);
        }
        false
    }
}
