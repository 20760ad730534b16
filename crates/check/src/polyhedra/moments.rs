//! The moments of the steps of a path, where clocks can stand still.
//!
//! The path is followed forwards with polyhedra: the set of clock values with which each state along it can be entered.
//! If the last one allows what is asked at the end, a point of it is taken, and the path is gone back from there: for
//! each step a point of the set before it and a delay are found that lead to the point after it, by a linear program
//! over the clocks and the delay. There is one, since the sets are exact. So no program grows with the length of the
//! path, as one over all delays of it would.
//!
//! Points are vertices of their sets where all constraints are closed, and have small denominators then. Strict
//! constraints ask for points inside; along many of them denominators grow, and may get too large.

use tourbillon_base::{Id, Rational};
use tourbillon_dbm::{Clock, Constraint, Dimension};
use tourbillon_zonegraph::{Timing, Write};

use super::polyhedron::Polyhedron;
use super::simplex::{Point, Row, solve};
use super::{Fits, TooLarge};
use crate::timing::PathTiming;

/// Moments of the steps, then that of the end, at which these constraints hold; nothing if there are none.
pub(crate) fn moments(course: &PathTiming<'_>, end: &[Constraint]) -> Fits<Option<Vec<Rational>>> {
    let end: Vec<Row> = Polyhedron::rows_of(course.dimension, end).collect();
    moments_to(course, &end)
}

/// The same for linear constraints of any form.
pub(super) fn moments_to(course: &PathTiming<'_>, end: &[Row]) -> Fits<Option<Vec<Rational>>> {
    let dimension = course.dimension;
    let mut start = Polyhedron::zero(dimension);
    for &write in &course.initial.writes {
        start.write(write)?;
    }
    let mut entries = vec![entered(start, course.initial)?];
    for (before, step) in states(course).zip(course.steps) {
        let mut set = last(&entries).clone();
        leave(&mut set, dimension, before, &step.leaving)?;
        for &write in &step.writes {
            set.write(write)?;
        }
        let set = entered(set, step)?;
        if set.is_empty()? {
            return Ok(None);
        }
        entries.push(set);
    }
    let Some(before) = states(course).last() else { return Ok(None) };
    let stop = Stop { dimension, before, set: last(&entries), leaving: end };
    let Some(found) = stop.solve(Vec::new())? else { return Ok(None) };
    let mut delays = vec![found.delay(dimension)];
    let mut target = found.clocks(dimension);
    for (index, step) in course.steps.iter().enumerate().rev() {
        let before = if index == 0 { course.initial } else { &course.steps[index - 1] };
        let leaving: Vec<Row> = Polyhedron::rows_of(dimension, &step.leaving).collect();
        let stop = Stop { dimension, before, set: &entries[index], leaving: &leaving };
        let Some(found) = stop.solve(arriving(dimension, before, &step.writes, &target)?)? else {
            return Ok(None);
        };
        delays.push(found.delay(dimension));
        target = found.clocks(dimension);
    }
    summed(delays.into_iter().rev()).map(Some)
}

/// The states in which time passes, as far as delays go: each as it is entered.
fn states<'a>(course: &PathTiming<'a>) -> impl Iterator<Item = &'a Timing> {
    [course.initial].into_iter().chain(course.steps.iter().map(|step| &**step))
}

fn last(entries: &[Polyhedron]) -> &Polyhedron {
    entries.last().expect("the first state is always there")
}

fn entered(mut set: Polyhedron, state: &Timing) -> Fits<Polyhedron> {
    set.constrain(&state.entering);
    set.reduce()?;
    Ok(set)
}

/// Waits in a state until constraints hold.
fn leave(set: &mut Polyhedron, dimension: Dimension, state: &Timing, leaving: &[Constraint]) -> Fits<()> {
    if state.may_wait {
        set.delay(&runs(dimension, state))?;
    }
    set.constrain(leaving);
    Ok(())
}

/// Which clocks run in a state.
pub(super) fn runs(dimension: Dimension, state: &Timing) -> Vec<bool> {
    dimension.iter().map(|clock| !state.standing.contains(&clock)).collect()
}

/// A stay in a state: a point with which it is entered, and a delay.
struct Stop<'a> {
    dimension: Dimension,
    before: &'a Timing,
    /// The points with which it is entered.
    set: &'a Polyhedron,
    /// What must hold when it is left.
    leaving: &'a [Row],
}

impl Stop<'_> {
    /// The clocks on entry, then the delay, such that other constraints on these hold as well.
    fn solve(&self, mut rows: Vec<Row>) -> Fits<Option<Point>> {
        rows.extend(self.set.rows().iter().map(|row| {
            let mut row = row.clone();
            row.coefficients.push(0);
            row
        }));
        let runs = runs(self.dimension, self.before);
        rows.extend(self.leaving.iter().cloned().map(|mut row| {
            let growth = row.coefficients.iter().zip(&runs).filter(|(_, runs)| **runs);
            let growth = growth.map(|(&coefficient, _)| coefficient).sum();
            row.coefficients.push(growth);
            row
        }));
        let variables = self.dimension.clocks() + 1;
        if !self.before.may_wait {
            let mut coefficients = vec![0; variables];
            coefficients[variables - 1] = -1;
            rows.push(Row { coefficients, constant: 0, strict: false });
        }
        solve(variables, &rows)
    }
}

/// What the clocks show after writes: a number, and what another showed before.
#[derive(Clone, Copy)]
struct Shown {
    source: Option<Clock>,
    value: i64,
}

/// That the clocks on entry to a state, after a delay in it and these writes, are at a point.
fn arriving(dimension: Dimension, state: &Timing, writes: &[Write], target: &Point) -> Fits<Vec<Row>> {
    let mut shown: Vec<Shown> =
        dimension.iter().map(|clock| Shown { source: Some(clock), value: 0 }).collect();
    let place = |clock: Clock| clock.index() - 1;
    let mut rows = Vec::new();
    let runs = runs(dimension, state);
    // A clock and what is added to it, times a factor.
    let row = |shown: Shown, factor: i64| {
        let mut coefficients = vec![0; dimension.clocks() + 1];
        if let Some(source) = shown.source {
            coefficients[place(source)] = factor;
            coefficients[dimension.clocks()] = if runs[place(source)] { factor } else { 0 };
        }
        let constant = shown.value.checked_mul(factor).ok_or(TooLarge)?;
        Ok(Row { coefficients, constant, strict: false })
    };
    for &write in writes {
        match write {
            Write::Reset(clock, value) => {
                shown[place(clock)] = Shown { source: None, value: value.get().into() };
            }
            Write::Assign(clock, source, value) => {
                let Shown { source, value: before } = shown[place(source)];
                shown[place(clock)] = Shown { source, value: before + i64::from(value.get()) };
                rows.push(row(shown[place(clock)], 1)?);
            }
        }
    }
    let denominator = i64::try_from(target.denominator).map_err(|_| TooLarge)?;
    for (&shown, &numerator) in shown.iter().zip(&target.numerators) {
        let numerator = i64::try_from(numerator).map_err(|_| TooLarge)?;
        for (factor, numerator) in [(denominator, numerator), (-denominator, -numerator)] {
            let row = row(shown, factor)?;
            let constant = row.constant.checked_sub(numerator).ok_or(TooLarge)?;
            rows.push(Row { constant, ..row });
        }
    }
    Ok(rows)
}

impl Point {
    /// The delay, which comes after the clocks.
    fn delay(&self, dimension: Dimension) -> (i128, i128) {
        (self.numerators[dimension.clocks()], self.denominator)
    }

    /// The clocks alone.
    fn clocks(&self, dimension: Dimension) -> Self {
        Self { numerators: self.numerators[..dimension.clocks()].to_vec(), denominator: self.denominator }
            .reduced()
    }
}

/// The moments at which delays are over, the start first.
fn summed(delays: impl Iterator<Item = (i128, i128)>) -> Fits<Vec<Rational>> {
    let mut moments = vec![Rational::ZERO];
    let mut moment = Rational::ZERO;
    for (numerator, denominator) in delays {
        let divisor = super::simplex::gcd(numerator, denominator);
        let narrow = |value: i128| i64::try_from(value / divisor).ok();
        let delay = narrow(numerator)
            .zip(narrow(denominator))
            .and_then(|(numerator, denominator)| Rational::new(numerator, denominator));
        moment = delay.and_then(|delay| moment.checked_add(delay)).ok_or(TooLarge)?;
        moments.push(moment);
    }
    Ok(moments)
}
