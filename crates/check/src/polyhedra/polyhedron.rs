//! A convex set of clock valuations, given by linear constraints, some of them strict.
//!
//! Clocks are at least 0, which is implicit in the list of constraints. Intersection adds constraints; a reset and a delay eliminate a
//! variable by the method of Fourier and Motzkin, which pairs lower with upper bounds. Redundant constraints are removed after that,
//! by one linear program each, so that constraints do not multiply from step to step.
//!
//! A delay with the rates `r` leads from `u` to `u + t r` for some `t ≥ 0`. A constraint whose sum does not decrease along `r` still
//! holds afterwards; one whose sum decreases does not, but in each pair with one whose sum increases the time `t` cancels out, and
//! that combination holds.

use tourbillon_base::Id;
use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dimension};
use tourbillon_zonegraph::Write;

use super::simplex::{Point, Row, gcd, solve};
use super::{Fits, TooLarge};

/// The largest coefficient and constant of a constraint: the sum of as many as there can be clocks still fits.
const LARGEST: i64 = 1 << 52;

/// A set of clock valuations, which may be empty.
#[derive(Clone, Debug)]
pub(super) struct Polyhedron {
    clocks: usize,
    rows: Vec<Row>,
}

impl Polyhedron {
    /// The valuations that satisfy constraints.
    pub(super) fn of(dimension: Dimension, constraints: &[Constraint]) -> Self {
        Self { clocks: dimension.clocks(), rows: Self::rows_of(dimension, constraints).collect() }
    }

    /// The valuation in which all clocks are 0.
    pub(super) fn zero(dimension: Dimension) -> Self {
        let mut zero = Self { clocks: dimension.clocks(), rows: Vec::new() };
        for clock in 0..zero.clocks {
            let row = zero.unit(clock, -1);
            zero.rows.push(row);
        }
        zero
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The constraint that a multiple of a clock is at least 0.
    fn unit(&self, clock: usize, factor: i64) -> Row {
        let mut coefficients = vec![0; self.clocks];
        coefficients[clock] = factor;
        Row { coefficients, constant: 0, strict: false }
    }

    /// Constraints on differences as rows over clocks; infinite bounds are omitted.
    pub(super) fn rows_of(
        dimension: Dimension,
        constraints: &[Constraint],
    ) -> impl Iterator<Item = Row> + '_ {
        constraints.iter().filter_map(move |constraint| row_of(dimension.clocks(), constraint))
    }

    /// Intersects the set with constraints.
    pub(super) fn constrain(&mut self, constraints: &[Constraint]) {
        let clocks = self.clocks;
        self.rows.extend(constraints.iter().filter_map(|constraint| row_of(clocks, constraint)));
    }

    /// A point of the set; none if it is empty.
    pub(super) fn point(&self) -> Fits<Option<Point>> {
        solve(self.clocks, &self.rows)
    }

    pub(super) fn is_empty(&self) -> Fits<bool> {
        Ok(self.point()?.is_none())
    }

    /// Whether the point is in the set.
    pub(super) fn contains(&self, point: &Point) -> Fits<bool> {
        for row in &self.rows {
            if !point.satisfies(row)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the set includes another one.
    pub(super) fn includes(&self, other: &Self) -> Fits<bool> {
        for row in &self.rows {
            if !other.implies(row)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a constraint holds in the whole set.
    fn implies(&self, row: &Row) -> Fits<bool> {
        let outside = negated(row)?;
        Ok(solve(self.clocks, self.rows.iter().chain(std::iter::once(&outside)))?.is_none())
    }

    /// The difference of two sets: disjoint, non-empty parts.
    pub(super) fn without(&self, other: &Self) -> Fits<Vec<Self>> {
        let (mut parts, mut rest) = (Vec::new(), self.clone());
        for row in &other.rows {
            let mut outside = rest.clone();
            outside.rows.push(negated(row)?);
            if !outside.is_empty()? {
                parts.push(outside);
                rest.rows.push(row.clone());
            }
        }
        Ok(parts)
    }

    /// Intersects the set with another one.
    pub(super) fn intersect(&mut self, other: &Self) {
        self.rows.extend_from_slice(&other.rows);
    }

    /// Whether a clock is above a constant in the whole set.
    pub(super) fn is_above(&self, clock: Clock, constant: Constant) -> Fits<bool> {
        match row_of(self.clocks, &above(clock, constant)) {
            Some(row) => self.implies(&row),
            None => Ok(false),
        }
    }

    /// Applies a write to a clock.
    pub(super) fn write(&mut self, write: Write) -> Fits<()> {
        match write {
            Write::Reset(clock, value) => {
                self.free(clock)?;
                self.fix(clock, None, value);
            }
            Write::Assign(clock, source, value) if clock == source => self.shift(clock, value)?,
            Write::Assign(clock, source, value) => {
                self.free(clock)?;
                self.fix(clock, Some(source), value);
            }
        }
        Ok(())
    }

    /// Removes all constraints on a clock.
    pub(super) fn free(&mut self, clock: Clock) -> Fits<()> {
        let variable = clock.index() - 1;
        let bound = self.unit(variable, 1);
        self.rows.push(bound);
        let rows = std::mem::take(&mut self.rows);
        let (some, rest): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| row.coefficients[variable] != 0);
        self.rows = rest;
        if let Some(equal) = equality(&some) {
            for row in &some {
                let (factor, other) = (equal.coefficients[variable], row.coefficients[variable]);
                // One of the two directions of the equality cancels the clock.
                let direction = if (factor > 0) == (other > 0) { reversed(equal)? } else { equal.clone() };
                self.rows.extend(cancelled(row, other.checked_abs(), &direction, factor.checked_abs())?);
            }
        } else {
            self.pair(&some, |row| row.coefficients[variable])?;
        }
        self.reduce()
    }

    /// Lets time pass: clocks for which `runs` grow alike.
    pub(super) fn delay(&mut self, runs: &[bool]) -> Fits<()> {
        self.travel(runs, 1)
    }

    /// The points from which a delay leads into the set.
    pub(super) fn past(&mut self, runs: &[bool]) -> Fits<()> {
        self.travel(runs, -1)
    }

    /// Lets time pass, or go back where `sign` is -1.
    fn travel(&mut self, runs: &[bool], sign: i64) -> Fits<()> {
        for (clock, _) in runs.iter().enumerate().filter(|(_, runs)| **runs) {
            let bound = self.unit(clock, 1);
            self.rows.push(bound);
        }
        let growth = |row: &Row| {
            let growing = row.coefficients.iter().zip(runs).filter(|(_, runs)| **runs);
            sign * growing.map(|(&coefficient, _)| coefficient).sum::<i64>()
        };
        let rows = std::mem::take(&mut self.rows);
        let some: Vec<Row> = rows.iter().filter(|row| growth(row) != 0).cloned().collect();
        self.rows = rows.into_iter().filter(|row| growth(row) >= 0).collect();
        self.pair(&some, growth)?;
        self.reduce()
    }

    /// Adds each combination of a constraint that grows with one that falls in which neither is left.
    fn pair(&mut self, rows: &[Row], growth: impl Fn(&Row) -> i64) -> Fits<()> {
        for up in rows.iter().filter(|row| growth(row) > 0) {
            for down in rows.iter().filter(|row| growth(row) < 0) {
                let combined = cancelled(up, Some(growth(up)), down, growth(down).checked_neg())?;
                self.rows.extend(combined);
            }
        }
        Ok(())
    }

    /// A clock that is free has this value from now on, above that of another one.
    fn fix(&mut self, clock: Clock, source: Option<Clock>, value: Constant) {
        let source = source.unwrap_or(Clock::REFERENCE);
        let (up, down) = (Bound::weak(value), Bound::weak(value.negated()));
        self.constrain(&[Constraint::new(clock, source, up), Constraint::new(source, clock, down)]);
    }

    /// Adds a number to a clock; what would make it negative is cut off.
    fn shift(&mut self, clock: Clock, value: Constant) -> Fits<()> {
        let variable = clock.index() - 1;
        let bound = self.unit(variable, 1);
        self.rows.push(bound);
        for row in &mut self.rows {
            let change = row.coefficients[variable].checked_mul(value.get().into());
            row.constant = change.and_then(|change| row.constant.checked_sub(change)).ok_or(TooLarge)?;
        }
        Ok(())
    }

    /// Removes constraints that the others imply.
    pub(super) fn reduce(&mut self) -> Fits<()> {
        self.rows.retain(|row| !is_trivial(row));
        self.keep_tightest();
        let mut index = self.rows.len();
        while index > 0 {
            index -= 1;
            let row = self.rows.swap_remove(index);
            if !self.implies(&row)? {
                self.rows.push(row);
                let last = self.rows.len() - 1;
                self.rows.swap(index, last);
            }
        }
        Ok(())
    }

    /// Of constraints that differ in their constants only, keeps the tightest.
    fn keep_tightest(&mut self) {
        self.rows.sort_by(|a, b| {
            (&a.coefficients, a.constant, !a.strict).cmp(&(&b.coefficients, b.constant, !b.strict))
        });
        self.rows.dedup_by(|row, tighter| row.coefficients == tighter.coefficients);
    }
}

/// That a clock is above a constant.
pub(super) const fn above(clock: Clock, constant: Constant) -> Constraint {
    Constraint::new(Clock::REFERENCE, clock, Bound::strict(constant.negated()))
}

/// That a clock is not above a constant.
pub(super) const fn not_above(clock: Clock, constant: Constant) -> Constraint {
    Constraint::new(clock, Clock::REFERENCE, Bound::weak(constant))
}

/// `left - right` within a bound: the bound minus the difference is at least 0.
fn row_of(clocks: usize, &Constraint { left, right, bound }: &Constraint) -> Option<Row> {
    let constant = bound.constant()?.get().into();
    let mut coefficients = vec![0; clocks];
    if left != Clock::REFERENCE {
        coefficients[left.index() - 1] -= 1;
    }
    if right != Clock::REFERENCE {
        coefficients[right.index() - 1] += 1;
    }
    Some(Row { coefficients, constant, strict: bound.is_strict() })
}

/// What holds where a constraint does not.
fn negated(row: &Row) -> Fits<Row> {
    Ok(Row { strict: !row.strict, ..reversed(row)? })
}

/// The same with the opposite sign of everything.
fn reversed(row: &Row) -> Fits<Row> {
    let coefficients = row.coefficients.iter().map(|value| value.checked_neg()).collect::<Option<_>>();
    let constant = row.constant.checked_neg();
    coefficients
        .zip(constant)
        .map(|(coefficients, constant)| Row { coefficients, constant, strict: row.strict })
        .ok_or(TooLarge)
}

/// A constraint whose opposite is there as well.
fn equality(rows: &[Row]) -> Option<&Row> {
    rows.iter().filter(|row| !row.strict).find(|row| {
        let opposes = |other: &Row| {
            !other.strict
                && other.constant.checked_neg() == Some(row.constant)
                && other.coefficients.iter().zip(&row.coefficients).all(|(a, b)| a.checked_neg() == Some(*b))
        };
        rows.iter().any(opposes)
    })
}

/// `other_weight * one + one_weight * other`, in lowest terms; nothing if that says nothing.
fn cancelled(
    one: &Row,
    one_weight: Option<i64>,
    other: &Row,
    other_weight: Option<i64>,
) -> Fits<Option<Row>> {
    let (a, b) = other_weight.zip(one_weight).ok_or(TooLarge)?;
    let sum = |x: i64, y: i64| i128::from(a) * i128::from(x) + i128::from(b) * i128::from(y);
    let wide: Vec<i128> =
        one.coefficients.iter().zip(&other.coefficients).map(|(&x, &y)| sum(x, y)).collect();
    let constant = sum(one.constant, other.constant);
    let divisor = wide.iter().fold(constant, |a, &b| gcd(a, b)).max(1);
    let narrow = |value: i128| {
        let narrow = i64::try_from(value / divisor).ok().filter(|value| (-LARGEST..=LARGEST).contains(value));
        narrow.ok_or(TooLarge)
    };
    let row = Row {
        coefficients: wide.into_iter().map(narrow).collect::<Fits<_>>()?,
        constant: narrow(constant)?,
        strict: one.strict || other.strict,
    };
    Ok((!is_trivial(&row)).then_some(row))
}

/// Whether a constraint holds whatever the clocks: they are at least 0.
fn is_trivial(row: &Row) -> bool {
    let enough = row.constant > 0 || row.constant == 0 && !row.strict;
    enough && row.coefficients.iter().all(|&coefficient| coefficient >= 0)
}
