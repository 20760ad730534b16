//! Whether a predicate holds somewhere in a symbolic state, and where.
//!
//! Data is decided first: what remains is true, false, or a formula over clocks (the *residue*), with quantifiers
//! unfolded. Only a residue needs the zone; it is solved by trying the alternatives of each disjunction in
//! turn. Most predicates never get there, and most states fail on data. The first part of the zone that is found
//! will do, unless the earliest is asked for, or all of them: then all alternatives are tried. A deadlock is a set of clock values like
//! any other comparison, only one that is no zone.
//!
//! A constant of a predicate may be as large as a bound can be. Added to what the zone says, it then implies bounds that are
//! larger, which turns the zone into the universal one. Whether there is such a part is decided with wider numbers.

use tourbillon_base::Id as _;
use tourbillon_dbm::{Clock, Constraint, Dbm, Federation};
use tourbillon_system::{Formula, Gauge, Machine, Predicate, RuntimeError, System, constraints};

use crate::deadlock::Detector;
use crate::situation::Situation;
use crate::{guard, invariant};

/// How a predicate and a symbolic state meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Satisfaction {
    /// It holds nowhere in it.
    Nowhere,
    /// It holds everywhere in it, whatever the clocks.
    Everywhere,
    /// It holds in this part of it, and perhaps in others.
    Within(Dbm),
    /// It holds where the clocks of the zone satisfy these constraints. Together they imply bounds that no zone can hold, such
    /// as a clock that must be larger than the largest constant.
    Beyond(Vec<Constraint>),
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
pub struct PredicateEvaluator<'s> {
    pub(crate) system: &'s System,
    pub(crate) machine: Machine,
    pub(crate) locals: Vec<i32>,
    pub(crate) situation: Situation,
    /// The clock that should be as small as possible, if any.
    time: Option<Clock>,
    /// What `deadlock` is taken for, if that is known.
    deadlocked: Option<bool>,
    pub(crate) detector: Detector,
}

impl<'s> PredicateEvaluator<'s> {
    /// An evaluator of the states of a system.
    #[must_use]
    pub fn new(system: &'s System) -> Self {
        Self {
            system,
            machine: Machine::new(),
            locals: vec![0; system.frame_max()],
            situation: Situation::default(),
            time: None,
            deadlocked: None,
            detector: Detector::new(system),
        }
    }

    /// The same, which finds of all parts in which a predicate holds the one in which this clock can be smallest.
    #[must_use]
    pub fn preferring_early(self, time: Option<Clock>) -> Self {
        Self { time, ..self }
    }

    /// Takes `deadlock` for true or false in all states from now on: it is for the caller to know.
    pub fn suppose_deadlocked(&mut self, deadlocked: bool) {
        self.deadlocked = Some(deadlocked);
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
    ) -> Result<Satisfaction, RuntimeError> {
        let mut choice = Choice { time: self.time, best: None, beyond: None };
        let whole = self.each_part(predicate, memory, zone, &mut |part, asked| choice.offer(part, asked))?;
        let Choice { best, beyond, .. } = choice;
        Ok(match (best, beyond) {
            _ if whole => Satisfaction::Everywhere,
            (Some(part), _) => Satisfaction::Within(part),
            (None, Some(asked)) => Satisfaction::Beyond(asked),
            (None, None) => Satisfaction::Nowhere,
        })
    }

    /// Shows all parts of a symbolic state in which a predicate holds, its invariants with it, until one of them is
    /// answered with true. Parts may overlap. If it holds everywhere, whatever the clocks, no part is shown and true
    /// returned.
    ///
    /// # Errors
    /// If the model fails.
    pub fn meet_each(
        &mut self,
        predicate: &Predicate,
        memory: &[i32],
        zone: &Dbm,
        visit: &mut dyn FnMut(Dbm) -> bool,
    ) -> Result<bool, RuntimeError> {
        self.each_part(predicate, memory, zone, &mut |part, _| visit(part))
    }

    /// The same, with the constraints that make each part of the zone.
    fn each_part(
        &mut self,
        predicate: &Predicate,
        memory: &[i32],
        zone: &Dbm,
        visit: &mut Visit<'_>,
    ) -> Result<bool, RuntimeError> {
        self.make_room(predicate.frame);
        match self.residue(&predicate.formula, memory, zone)? {
            Residue::True => return Ok(true),
            Residue::False => {}
            residue => {
                if let Some(zone) = self.within_invariants(memory, zone)? {
                    let whole = zone.clone();
                    Solver { whole: &whole, visit }.solve(vec![&residue], zone, &[]);
                }
            }
        }
        Ok(false)
    }

    /// What a gauge shows in a discrete state: a clock, if it measures one, and what is to be added to that. `frame`
    /// is the number of local cells that it needs.
    ///
    /// # Errors
    /// If the model fails.
    pub fn read(
        &mut self,
        gauge: &Gauge,
        frame: u32,
        memory: &[i32],
    ) -> Result<(Option<Clock>, i32), RuntimeError> {
        self.make_room(frame);
        let Self { system, machine, locals, .. } = self;
        let clock =
            gauge.clock.map(|clock| guard::clock(system, machine, clock, memory, locals)).transpose()?;
        let data = gauge.data.map(|code| machine.read(&system.program, code, memory, locals)).transpose()?;
        Ok((clock, data.unwrap_or(0)))
    }

    fn make_room(&mut self, frame: u32) {
        if self.locals.len() < frame as usize {
            self.locals.resize(frame as usize, 0);
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
        let mut parts = Federation::empty(zone.dimension());
        let whole = self.meet_each(predicate, memory, zone, &mut |part| {
            parts.add(part);
            false
        })?;
        Ok((!whole).then(|| parts.zones().to_vec()))
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
            Formula::Deadlock { negated } => match self.deadlocked {
                Some(deadlocked) if deadlocked != *negated => Ok(Residue::True),
                Some(_) => Ok(Residue::False),
                None => self.deadlock(*negated, memory, zone),
            },
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
    /// The constraints of the first part that is no zone.
    beyond: Option<Vec<Constraint>>,
}

/// What is shown a part, and the constraints that make it; answers whether no other is wanted.
type Visit<'v> = dyn FnMut(Dbm, &[Constraint]) -> bool + 'v;

/// Shows the parts of a zone in which something holds.
struct Solver<'a, 'v> {
    whole: &'a Dbm,
    visit: &'a mut Visit<'v>,
}

impl Solver<'_, '_> {
    /// Shows the parts in which all that is pending holds, until one is answered with true. Returns whether one was. The
    /// zone is what these constraints leave of the whole.
    fn solve(&mut self, mut pending: Vec<&Residue>, mut zone: Dbm, asked: &[Constraint]) -> bool {
        let Some(next) = pending.pop() else {
            let empty = zone.overflowed() && !self.whole.overflowed() && is_empty(self.whole, asked);
            return !empty && (self.visit)(zone, asked);
        };
        match next {
            Residue::True => self.solve(pending, zone, asked),
            Residue::False => false,
            Residue::Clock(constraints) => {
                let left = constraints.iter().all(|&constraint| zone.constrain(constraint));
                left && self.solve(pending, zone, &[asked, constraints].concat())
            }
            Residue::Within(federation) => federation.zones().iter().any(|part| {
                let mut zone = zone.clone();
                zone.intersect(part)
                    && self.solve(pending.clone(), zone, &[asked, &part.minimal_constraints()].concat())
            }),
            Residue::All(parts) => {
                pending.extend(parts);
                self.solve(pending, zone, asked)
            }
            Residue::Any(parts) => parts.iter().any(|part| {
                let pending = pending.iter().copied().chain([part]).collect();
                self.solve(pending, zone.clone(), asked)
            }),
        }
    }
}

/// Whether constraints leave nothing of a zone, however large the bounds are that they imply. Bounds are written as in
/// zones, `2c` for `< c` and `2c + 1` for `<= c`, in 64 bits, and shortest paths are computed (Floyd and Warshall).
fn is_empty(zone: &Dbm, asked: &[Constraint]) -> bool {
    let size = zone.dimension().size();
    let mut bounds: Vec<Vec<Option<i64>>> = vec![vec![None; size]; size];
    for &Constraint { left, right, bound } in zone.minimal_constraints().iter().chain(asked) {
        let Some(constant) = bound.constant() else { continue };
        let bound = 2 * i64::from(constant.get()) + i64::from(!bound.is_strict());
        let known = &mut bounds[left.index()][right.index()];
        *known = Some(known.map_or(bound, |known| known.min(bound)));
    }
    // No clock is negative.
    for bound in &mut bounds[0] {
        *bound = Some(bound.map_or(1, |known| known.min(1)));
    }
    for through in 0..size {
        let onwards = bounds[through].clone();
        for row in &mut bounds {
            let Some(first) = row[through] else { continue };
            for (bound, second) in row.iter_mut().zip(&onwards) {
                let Some(second) = *second else { continue };
                let sum = first + second - ((first | second) & 1);
                *bound = Some(bound.map_or(sum, |known| known.min(sum)));
            }
        }
        if bounds.iter().enumerate().any(|(clock, row)| row[clock].is_some_and(|around| around < 1)) {
            return true;
        }
    }
    false
}

impl Choice {
    /// Takes a part if it is better. Returns whether no other need be tried.
    fn offer(&mut self, part: Dbm, asked: &[Constraint]) -> bool {
        if part.overflowed() {
            self.beyond.get_or_insert_with(|| asked.to_vec());
            return self.time.is_none();
        }
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
