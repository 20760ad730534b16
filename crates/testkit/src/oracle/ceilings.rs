//! The largest constants that clocks are compared with or assigned.
//!
//! What a clock is compared with can be any expression on data; its range is computed from those of the
//! variables in it. All comparisons and settings that the model has are taken together, reachable or not, since
//! a ceiling may be too high and not too low.
//!
//! Where clocks are set to others minus something, one ceiling for all of them is not enough: after `x = y - 2`, whether
//! `x` is above its ceiling must be told by whether `y` is above its own, so that the ceiling of `y` is higher by 2. If such
//! updates lead round a circle there are no such ceilings. Then a model is judged only if time is bounded by an
//! invariant on a clock that nothing sets, at every location of some process: clocks never get above that bound and
//! what they are set to.

use tourbillon_base::Id;
use tourbillon_model::{
    BinaryOp, ClockAtom, ClockId, ClockPlace, Compare, ExprId, ExprKind, Guard, Model, Process, Root, UnaryOp,
};

/// The largest ceiling with which a search makes sense.
const CEILING_MAX: i64 = 64;

/// The constants of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ceilings {
    /// No single clock above this is distinguished from another.
    pub(super) single: i64,
    /// No difference of clocks beyond this, or below its negation, is distinguished from another; nothing if none is
    /// compared.
    pub(super) diagonal: Option<i64>,
    /// How much higher the ceilings of the first clocks are.
    pub(super) extra: [i64; CLOCKS_MAX],
}

/// How many clocks a model may have that sets some to others minus something.
const CLOCKS_MAX: usize = 8;

/// What was found so far.
#[derive(Default)]
struct CeilingSearch {
    single: i64,
    diagonal: Option<i64>,
    /// The largest number that a clock is set to.
    set: i64,
    /// The largest number that is added when a clock is set to another.
    added: i64,
    /// Which clocks are set to which, plus at least how much; nothing stands for any clock.
    copies: Vec<(Option<ClockId>, Option<ClockId>, i64)>,
    /// Which clocks are set to a number; nothing stands for any clock.
    targets: Vec<Option<ClockId>>,
}

impl Ceilings {
    /// Those of a model in which all clocks run, or why it has none.
    pub(super) fn of(model: &Model) -> Result<Self, &'static str> {
        let mut locations = model.processes.iter().flat_map(|process| &process.locations);
        if locations.any(|location| !location.rates.is_empty()) {
            return Err("clocks that stand still");
        }
        Self::of_constants(model)
    }

    /// Those of a model whether or not its clocks run all the time.
    pub(super) fn of_constants(model: &Model) -> Result<Self, &'static str> {
        let mut found = CeilingSearch::default();
        for process in &model.processes {
            for location in &process.locations {
                found.guard(model, &location.invariant)?;
            }
            process.edges.iter().try_for_each(|edge| found.guard(model, &edge.guard))?;
        }
        model.exprs.iter().try_for_each(|expr| found.expr(model, &expr.kind))?;
        if found.copies.iter().any(|&(_, _, least)| least < 0) {
            return found.falling(model);
        }
        found.ceilings()
    }

    /// That of one clock.
    pub(super) fn of_clock(&self, index: usize) -> i64 {
        self.single + self.extra.get(index).copied().unwrap_or(0)
    }

    /// The highest of all.
    pub(super) fn highest(&self) -> i64 {
        self.single + self.extra.into_iter().max().unwrap_or(0)
    }
}

/// The clock that is meant, if that is known without a state.
fn fixed(place: &ClockPlace) -> Option<ClockId> {
    match place.root {
        Root::Global(first) if place.indices.is_empty() => {
            Some(ClockId::from_index(first.index() + place.offset as usize))
        }
        _ => None,
    }
}

/// By when time ends: the bound of a clock that nothing sets in the invariant of every location of the process.
fn end_of_time(model: &Model, process: &Process, is_set: &dyn Fn(ClockId) -> bool) -> Option<i64> {
    let bound = |guard: &Guard| {
        let bounds = guard.clocks.iter().filter_map(|condition| {
            let atom = &condition.atom;
            let upper = matches!(atom.compare, Compare::Less | Compare::LessOrEqual | Compare::Equal);
            let own = atom.right.is_none() && condition.when.is_none() && upper;
            let clock = fixed(&atom.left).filter(|&clock| own && !is_set(clock));
            clock.and_then(|_| range(model, atom.bound)).map(|(_, max)| max)
        });
        bounds.min()
    };
    process.locations.iter().try_fold(0, |end, location| Some(end.max(bound(&location.invariant)?)))
}

impl CeilingSearch {
    fn guard(&mut self, model: &Model, guard: &Guard) -> Result<(), &'static str> {
        guard.clocks.iter().try_for_each(|condition| self.atom(model, &condition.atom))
    }

    fn expr(&mut self, model: &Model, kind: &ExprKind) -> Result<(), &'static str> {
        match kind {
            ExprKind::Clock(atom) => self.atom(model, atom),
            ExprKind::SetClock { target, source, value } => {
                let (min, max) =
                    range(model, *value).ok_or("a clock set to something that is not bounded")?;
                match source {
                    Some(source) => {
                        self.added = self.added.max(max);
                        self.copies.push((fixed(target), fixed(source), min));
                    }
                    None => {
                        self.set = self.set.max(max);
                        self.targets.push(fixed(target));
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn atom(&mut self, model: &Model, atom: &ClockAtom) -> Result<(), &'static str> {
        let (min, max) = range(model, atom.bound).ok_or("a clock compared with something not bounded")?;
        let largest = min.abs().max(max.abs());
        match atom.right {
            Some(_) => self.diagonal = Some(self.diagonal.unwrap_or(0).max(largest)),
            None => self.single = self.single.max(largest),
        }
        Ok(())
    }

    /// With differences, the value of a clock decides what its difference to one that is set will be.
    fn ceilings(self) -> Result<Ceilings, &'static str> {
        if self.diagonal.is_some() && self.added > 0 {
            return Err("differences compared, and clocks set to others plus something");
        }
        let single = self.diagonal.map_or(self.single, |diagonal| self.single.max(diagonal + self.set));
        if single > CEILING_MAX {
            return Err("large constants");
        }
        Ok(Ceilings { single, diagonal: self.diagonal, extra: [0; CLOCKS_MAX] })
    }

    /// The same where some clocks are set to others minus something.
    fn falling(self, model: &Model) -> Result<Ceilings, &'static str> {
        let targets = || self.copies.iter().map(|copy| copy.0).chain(self.targets.iter().copied());
        let is_set = |clock: ClockId| targets().any(|target| target.is_none_or(|target| target == clock));
        let end = model.processes.iter().filter_map(|process| end_of_time(model, process, &is_set)).min();
        if let Some(end) = end.filter(|_| self.added <= 0) {
            let single = self.single.max(end + self.set).max(self.diagonal.unwrap_or(0));
            return Ok(Ceilings { single, diagonal: self.diagonal, extra: [0; CLOCKS_MAX] });
        }
        if self.diagonal.is_some() || model.clocks.len() > CLOCKS_MAX {
            return Err("clocks set to others minus something, with differences or too many of them");
        }
        let mut extra = [0; CLOCKS_MAX];
        for _ in 0..=CLOCKS_MAX {
            let before = extra;
            for &(target, source, least) in &self.copies {
                let (Some(target), Some(source)) = (target, source) else {
                    return Err("clocks of an array set to others minus something");
                };
                let raised: i64 = extra[target.index()] - least;
                extra[source.index()] = extra[source.index()].max(raised);
            }
            if extra == before {
                return Ok(Ceilings { single: self.single, diagonal: None, extra });
            }
        }
        Err("clocks set to others minus something in a circle")
    }
}

/// The smallest and the largest value that an expression can have, or numbers beyond them.
fn range(model: &Model, expr: ExprId) -> Option<(i64, i64)> {
    let hull = |values: &[i64]| Some((*values.iter().min()?, *values.iter().max()?));
    match &model.exprs[expr].kind {
        ExprKind::Int(value) => Some((i64::from(*value), i64::from(*value))),
        ExprKind::Load(place) => Some((i64::from(place.range.min), i64::from(place.range.max))),
        ExprKind::Unary(UnaryOp::Negate, operand) => range(model, *operand).map(|(min, max)| (-max, -min)),
        ExprKind::Unary(UnaryOp::Not | UnaryOp::Truth, _) => Some((0, 1)),
        ExprKind::Conditional(_, yes, no) => {
            let (yes, no) = (range(model, *yes)?, range(model, *no)?);
            hull(&[yes.0, yes.1, no.0, no.1])
        }
        ExprKind::Binary(op, left, right) => {
            let ((a, b), (c, d)) = (range(model, *left)?, range(model, *right)?);
            match op {
                BinaryOp::Add => Some((a + c, b + d)),
                BinaryOp::Subtract => Some((a - d, b - c)),
                BinaryOp::Multiply => hull(&[a * c, a * d, b * c, b * d]),
                BinaryOp::Minimum => Some((a.min(c), b.min(d))),
                BinaryOp::Maximum => Some((a.max(c), b.max(d))),
                _ => None,
            }
        }
        _ => None,
    }
}
