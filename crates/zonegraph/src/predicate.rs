//! Whether a predicate holds for some valuation of a symbolic state, and for which.
//!
//! Data is evaluated first: the result is true, false, or a formula over clocks (the *residue*), with quantifiers
//! unfolded. Only a residue needs the zone; it is solved by trying the disjuncts of each disjunction in turn. Most
//! predicates have no residue, and most states fail on data. The first part of the zone that satisfies the residue
//! suffices, unless the earliest or all of them are requested: then all disjuncts are tried. `deadlock` is a set of
//! valuations as a clock constraint is, but a federation.
//!
//! A constant of a predicate may be as large as a bound can be. Together with the bounds of the zone it may imply larger
//! ones, which turn the zone into the universal one (`Dbm::overflowed`). Emptiness is then decided in 64 bits.

use tourbillon_base::Id as _;
use tourbillon_base::mutants::{self, Mutant};
use tourbillon_dbm::{Clock, Constraint, Dbm, Federation};
use tourbillon_system::{Formula, Gauge, Machine, Predicate, RuntimeError, System, constraints};

use crate::deadlock::DeadlockDetector;
use crate::location_vector::LocationVector;
use crate::{guard, invariant};

/// For which valuations of a symbolic state a predicate holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Satisfaction {
    /// For none.
    Nowhere,
    /// For all, whatever the clocks.
    Everywhere,
    /// For those of this part of the zone, and perhaps others.
    Within(Dbm),
    /// For those that satisfy these constraints. Together with the zone they imply bounds that no zone can represent, such
    /// as a clock larger than the largest constant.
    Beyond(Vec<Constraint>),
}

/// A formula after its subformulas on data are evaluated.
enum Residue {
    True,
    False,
    Clock(Vec<Constraint>),
    /// The valuation is in the federation.
    Within(Federation),
    All(Vec<Self>),
    Any(Vec<Self>),
}

/// Evaluates predicates in symbolic states; reuses its memory.
#[derive(Debug)]
pub struct PredicateEvaluator<'s> {
    pub(crate) system: &'s System,
    pub(crate) machine: Machine,
    pub(crate) locals: Vec<i32>,
    pub(crate) locations: LocationVector,
    /// The clock that should be as small as possible, if any.
    time: Option<Clock>,
    /// The value of `deadlock`, if the caller has supplied it.
    deadlocked: Option<bool>,
    pub(crate) detector: DeadlockDetector,
}

impl<'s> PredicateEvaluator<'s> {
    /// An evaluator of the states of a system.
    #[must_use]
    pub fn new(system: &'s System) -> Self {
        Self {
            system,
            machine: Machine::new(),
            locals: vec![0; system.frame_max()],
            locations: LocationVector::default(),
            time: None,
            deadlocked: None,
            detector: DeadlockDetector::new(system),
        }
    }

    /// An evaluator that finds, of all parts in which a predicate holds, the one with the smallest value of this clock.
    #[must_use]
    pub fn preferring_early(self, time: Option<Clock>) -> Self {
        Self { time, ..self }
    }

    /// Supplies the value of `deadlock` for all evaluations from now on, instead of computing it.
    pub fn suppose_deadlocked(&mut self, deadlocked: bool) {
        self.deadlocked = Some(deadlocked);
    }

    /// For which valuations of a symbolic state a predicate and the invariants hold: an extrapolated zone can exceed the
    /// invariants.
    ///
    /// # Errors
    /// If the model fails.
    pub fn meet(
        &mut self,
        predicate: &Predicate,
        memory: &[i32],
        zone: &Dbm,
    ) -> Result<Satisfaction, RuntimeError> {
        let mut best_part = BestPart { time: self.time, best: None, beyond: None };
        let whole =
            self.each_part(predicate, memory, zone, &mut |part, asked| best_part.offer(part, asked))?;
        let BestPart { best, beyond, .. } = best_part;
        Ok(match (best, beyond) {
            _ if whole => Satisfaction::Everywhere,
            (Some(part), _) => Satisfaction::Within(part),
            (None, Some(asked)) => Satisfaction::Beyond(asked),
            (None, None) => Satisfaction::Nowhere,
        })
    }

    /// Calls `visit` with all parts of a symbolic state in which a predicate and the invariants hold, until it returns true.
    /// Parts may overlap. If the predicate holds whatever the clocks, `visit` is not called and the result is true.
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

    /// As [`meet_each`](Self::meet_each), with the constraints whose intersection with the zone is the part.
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

    /// Evaluates a gauge in a discrete state: its clock, if it measures one, and the value to be added to that. `frame`
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

    /// All parts of a symbolic state in which a predicate and the invariants hold; they may overlap. `None` if the predicate
    /// holds whatever the clocks.
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

    /// The intersection of a zone with the invariants, if it is not empty.
    fn within_invariants(&mut self, memory: &[i32], zone: &Dbm) -> Result<Option<Dbm>, RuntimeError> {
        let mut zone = zone.clone();
        self.locations.gather(self.system, memory);
        // The quantifiers of the predicate that surround `deadlock` keep their local cells.
        let (machine, locations, locals) = (&mut self.machine, &self.locations, &mut self.detector.locals);
        let non_empty = invariant::apply(self.system, machine, locations, memory, locals, &mut zone)?;
        Ok(non_empty.then_some(zone))
    }

    /// Evaluates the subformulas on data.
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
        let Self { system, machine, locations, detector, .. } = self;
        let deadlocked = detector.deadlocked(system, machine, locations, memory, &zone)?;
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

/// Adds an operand to a conjunction (`all`) or disjunction; false if that decides it.
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

/// The best part found so far: the first, or the earliest if a clock is to be small.
struct BestPart {
    time: Option<Clock>,
    best: Option<Dbm>,
    /// The constraints of the first part that no zone represents.
    beyond: Option<Vec<Constraint>>,
}

/// Is called with a part and its constraints; returns whether to stop.
type Visit<'v> = dyn FnMut(Dbm, &[Constraint]) -> bool + 'v;

/// Enumerates the parts of a zone that satisfy a residue, disjunct by disjunct.
struct Solver<'a, 'v> {
    whole: &'a Dbm,
    visit: &'a mut Visit<'v>,
}

impl Solver<'_, '_> {
    /// Visits the parts in which all pending residues hold, until a visit returns true. Returns whether one did. `zone` is the
    /// intersection of `whole` with `asked`.
    fn solve(&mut self, mut pending: Vec<&Residue>, mut zone: Dbm, asked: &[Constraint]) -> bool {
        let Some(next) = pending.pop() else {
            let empty = zone.overflowed() && !self.whole.overflowed() && is_empty(self.whole, asked);
            return !empty && (self.visit)(zone, asked);
        };
        match next {
            Residue::True => self.solve(pending, zone, asked),
            Residue::False => false,
            Residue::Clock(_) if mutants::is(Mutant::ClockPredicateFails) => false,
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

/// Whether the intersection of a zone with constraints is empty, however large the implied bounds are. Bounds are encoded
/// as in zones, `2c` for `< c` and `2c + 1` for `<= c`, in 64 bits, and closed by the algorithm of Floyd and Warshall.
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

impl BestPart {
    /// Keeps a part if it is better. Returns whether the search can stop.
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

#[cfg(test)]
mod tests;
