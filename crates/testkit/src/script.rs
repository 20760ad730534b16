//! Sequences of zone operations, written as bytes, and run on the zones under test and on the oracle at once.
//!
//! A random test draws the bytes, the fuzzer evolves them, and a regression is a file of them: all three end
//! here. Every string of bytes is a script, so no input is wasted. The first byte chooses the number of
//! clocks, from 1 to 6; the second whether constants are small or huge; after that each operation is a byte
//! that names it and the bytes it asks for, zeroes past the end. Four registers hold zones; operations work
//! on one of them, or on two.

use tourbillon_dbm::forms::{Bits, Codes, Digits, Form, Minimal};
use tourbillon_dbm::{Constant, Constraint, Dbm, Federation, Relation, parse_constraints};

use crate::bridge::{self, bound, clock, constant, difference};
use crate::naive::{Bound, Matrix};

const CLOCKS_MAX: usize = 6;
const CONSTANT_MAX: i64 = 12;
/// With constants that are multiples of this, sums soon pass the largest bound.
const LARGE_UNIT: i64 = 10_000_000;
const REGISTERS: usize = 4;

/// Runs a script to its end.
///
/// # Errors
/// With the operation at which zones and oracle disagree, and how.
pub fn run(bytes: &[u8]) -> Result<(), String> {
    let mut tape = Tape { bytes: bytes.iter(), unit: 1 };
    let clocks = 1 + tape.below(CLOCKS_MAX);
    tape.unit = if tape.below(8) == 7 { LARGE_UNIT } else { 1 };
    let mut machine = Machine::new(clocks, tape.unit != 1);
    let mut step = 0;
    while !tape.is_empty() {
        step += 1;
        let described =
            machine.step(&mut tape).map_err(|problem| format!("step {step}, {clocks} clocks: {problem}"))?;
        let told = |problem| format!("step {step}, {clocks} clocks, {described}: {problem}");
        if machine.huge && machine.zones[machine.last].overflowed() {
            return machine.check_overflow().map_err(told);
        }
        machine.check().map_err(told)?;
    }
    Ok(())
}

struct Tape<'a> {
    bytes: std::slice::Iter<'a, u8>,
    /// What constants are multiples of.
    unit: i64,
}

impl Tape<'_> {
    fn is_empty(&self) -> bool {
        self.bytes.len() == 0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0)) % end
    }

    fn constant(&mut self, low: i64) -> i64 {
        (low + self.below((CONSTANT_MAX - low + 1) as usize) as i64) * self.unit
    }

    fn bound(&mut self) -> Bound {
        let c = self.constant(-CONSTANT_MAX);
        if self.below(2) == 0 { Bound::weak(c) } else { Bound::strict(c) }
    }

    fn limits(&mut self, clocks: usize) -> Vec<Option<i64>> {
        let mut limits = vec![Some(0)];
        limits.extend((0..clocks).map(|_| (self.below(4) > 0).then(|| self.constant(0))));
        limits
    }
}

/// The registers, on both sides.
struct Machine {
    clocks: usize,
    /// Whether constants are huge, so that bounds may be too large to hold.
    huge: bool,
    zones: Vec<Dbm>,
    expected: Vec<Matrix>,
    /// The register that the last operation wrote.
    last: usize,
}

impl Machine {
    fn new(clocks: usize, huge: bool) -> Self {
        let dimension = bridge::dimension(clocks);
        Self {
            clocks,
            huge,
            zones: (0..REGISTERS)
                .map(|r| if r % 2 == 0 { Dbm::zero(dimension) } else { Dbm::universal(dimension) })
                .collect(),
            expected: (0..REGISTERS)
                .map(|r| if r % 2 == 0 { Matrix::zero(clocks + 1) } else { Matrix::universal(clocks + 1) })
                .collect(),
            last: 0,
        }
    }

    /// Does one operation on both sides and says which, or how the outcomes differ.
    fn step(&mut self, tape: &mut Tape<'_>) -> Result<String, String> {
        let operation = tape.below(20);
        let r = tape.below(REGISTERS);
        let x = 1 + tape.below(self.clocks);
        self.last = r;
        match operation {
            0 | 1 => {
                self.zones[r].up();
                self.expected[r] = self.expected[r].up();
                Ok("up".to_owned())
            }
            2 => {
                self.zones[r].down();
                self.expected[r] = self.expected[r].down();
                Ok("down".to_owned())
            }
            3 => {
                self.zones[r].free(clock(x));
                self.expected[r] = self.expected[r].free(x);
                Ok(format!("free x{x}"))
            }
            4 | 5 => {
                let c = tape.constant(0);
                self.zones[r].reset(clock(x), constant(c));
                self.expected[r] = self.expected[r].reset(x, c);
                Ok(format!("x{x} := {c}"))
            }
            6 => self.assign(r, x, tape),
            7..=10 => self.constrain(r, tape),
            11 => self.intersect(r, tape.below(REGISTERS)),
            12 => {
                let other = self.zones[tape.below(REGISTERS)].clone();
                self.zones[r].hull(&other);
                self.expected[r] = self.expected[r].hull(&bridge::matrix(&other));
                Ok("hull".to_owned())
            }
            13..=15 => Ok(self.extrapolate(r, tape)),
            16 => self.before(r, x, tape),
            17 => self.subtract(r, tape.below(REGISTERS), tape.below(8)),
            18 => self.relate(r, tape.below(REGISTERS)),
            _ => {
                let other = tape.below(REGISTERS);
                let copy = self.zones[other].clone();
                self.zones[r].copy_from(&copy);
                self.expected[r] = self.expected[other].clone();
                Ok("copy".to_owned())
            }
        }
    }

    fn assign(&mut self, r: usize, x: usize, tape: &mut Tape<'_>) -> Result<String, String> {
        let (y, c) = (1 + tape.below(self.clocks), tape.constant(-CONSTANT_MAX));
        let described = format!("x{x} := x{y} + {c}");
        let result = self.expected[r].assign(x, y, c);
        let non_empty = self.zones[r].assign(clock(x), clock(y), constant(c));
        self.keep_if(r, non_empty, result, described)
    }

    fn constrain(&mut self, r: usize, tape: &mut Tape<'_>) -> Result<String, String> {
        let (i, j) = (tape.below(self.clocks + 1), tape.below(self.clocks + 1));
        let limit = tape.bound();
        let described = format!("x{i}-x{j} within {limit:?}");
        let constraint = Constraint::new(clock(i), clock(j), bound(limit));
        let result = self.expected[r].constrain(i, j, limit);
        if self.zones[r].admits(constraint) == result.is_empty() {
            return Err(format!("{described}: admits says {}", !result.is_empty()));
        }
        if self.zones[r].satisfies(constraint) != result.equals(&self.expected[r]) {
            return Err(format!("{described}: satisfies says {}", self.zones[r].satisfies(constraint)));
        }
        let non_empty = self.zones[r].constrain(constraint);
        self.keep_if(r, non_empty, result, described)
    }

    /// Takes the oracle's result if it is not empty; then and only then the zone must have said so too.
    fn keep_if(
        &mut self,
        r: usize,
        non_empty: bool,
        result: Matrix,
        described: String,
    ) -> Result<String, String> {
        if non_empty == result.is_empty() {
            return Err(format!("{described}: non-empty is {non_empty}"));
        }
        // Where an empty result is refused, a part of the constraint may have been applied: only `assign` of
        // a negative offset has parts, and it cuts first and cannot fail after.
        if non_empty {
            self.expected[r] = result;
        }
        Ok(described)
    }

    fn intersect(&mut self, r: usize, other: usize) -> Result<String, String> {
        let result = self.expected[r].intersect(&self.expected[other]);
        let operand = self.zones[other].clone();
        let non_empty = self.zones[r].intersect(&operand);
        if non_empty == result.is_empty() {
            return Err(format!("intersect: non-empty is {non_empty}"));
        }
        self.expected[r] = if non_empty { result } else { Matrix::zero(self.clocks + 1) };
        Ok("intersect".to_owned())
    }

    fn extrapolate(&mut self, r: usize, tape: &mut Tape<'_>) -> String {
        let (lower, upper) = (tape.limits(self.clocks), tape.limits(self.clocks));
        let maximum: Vec<Option<i64>> = lower.iter().zip(&upper).map(|(&l, &u)| l.max(u)).collect();
        let bounds = bridge::clock_bounds(&lower, &upper);
        let (zone, expected) = (&mut self.zones[r], &mut self.expected[r]);
        let name = match tape.below(5) {
            0 => {
                zone.extra_m(&bounds);
                *expected = expected.extra_m(&maximum);
                "extra-m"
            }
            1 => {
                zone.extra_m_plus(&bounds);
                *expected = expected.extra_m_plus(&maximum);
                "extra-m+"
            }
            2 => {
                zone.extra_lu(&bounds);
                *expected = expected.extra_lu(&lower, &upper);
                "extra-lu"
            }
            3 => {
                zone.extra_lu_plus(&bounds);
                *expected = expected.extra_lu_plus(&lower, &upper);
                "extra-lu+"
            }
            _ => {
                zone.free_inactive(&bounds);
                let inactive = (1..=self.clocks).filter(|&x| maximum[x].is_none());
                *expected = inactive.fold(expected.clone(), |matrix, x| matrix.free(x));
                "free inactive"
            }
        };
        format!("{name} L {lower:?} U {upper:?}")
    }

    /// Predecessors, by their formulas: what the update leads into the zone is where it has that value,
    /// whatever it was.
    fn before(&mut self, r: usize, x: usize, tape: &mut Tape<'_>) -> Result<String, String> {
        let y = tape.below(self.clocks + 1);
        let c = tape.constant(if y == 0 { 0 } else { -CONSTANT_MAX });
        let (zone, expected) = (self.zones[r].clone(), &self.expected[r]);
        let result = if y == 0 {
            expected.constrain(x, 0, Bound::weak(c)).constrain(0, x, Bound::weak(-c)).free(x)
        } else if y == x {
            expected.assign(x, x, -c)
        } else {
            expected.constrain(x, y, Bound::weak(c)).constrain(y, x, Bound::weak(-c)).free(x)
        };
        let before = match y {
            0 => zone.before_reset(clock(x), constant(c)),
            y => zone.before_assign(clock(x), clock(y), constant(c)),
        };
        match before {
            None if result.is_empty() => {}
            Some(before) if !result.is_empty() => {
                self.zones[r] = before;
                self.expected[r] = result;
            }
            _ => return Err(format!("before x{x} := x{y} + {c}: one side is empty")),
        }
        Ok(format!("before x{x} := x{y} + {c}"))
    }

    /// Subtraction, checked by what defines it: the pieces lie in the one, not in the other, are disjoint,
    /// and with the other cover the one. A piece becomes the register's new zone.
    fn subtract(&mut self, r: usize, other: usize, piece: usize) -> Result<String, String> {
        let (zone, taken) = (self.zones[r].clone(), self.zones[other].clone());
        let mut rest = Federation::from(zone.clone());
        rest.subtract_zone(&taken);
        if self.huge && rest.overflowed() {
            return Ok("subtract".to_owned());
        }
        let disjoint = |a: &Dbm, b: &Dbm| bridge::matrix(a).intersect(&bridge::matrix(b)).is_empty();
        for (index, a) in rest.zones().iter().enumerate() {
            let apart = disjoint(a, &taken) && rest.zones()[..index].iter().all(|b| disjoint(a, b));
            if !apart || !zone.includes(a) {
                return Err(format!("subtract: piece {a:?} of {zone:?} minus {taken:?}"));
            }
        }
        if self.huge {
            // Inclusion in a union errs on the side of no where pieces overflow.
            return Ok("subtract".to_owned());
        }
        let mut whole = rest.clone();
        whole.add(taken.clone());
        if !whole.includes_zone(&zone) || rest.is_empty() != taken.includes(&zone) {
            return Err(format!("subtract: {zone:?} minus {taken:?} gives {rest}"));
        }
        whole.reduce();
        if !whole.includes_zone(&zone) || !whole.includes_zone(&taken) {
            return Err(format!("reduce: {zone:?} and {taken:?} become {whole}"));
        }
        if let Some(kept) = rest.zones().get(piece) {
            self.zones[r] = kept.clone();
            self.expected[r] = bridge::matrix(kept);
        }
        Ok("subtract".to_owned())
    }

    fn relate(&mut self, r: usize, other: usize) -> Result<String, String> {
        let (one, two) = (&self.zones[r], &self.zones[other]);
        let (a, b) = (&self.expected[r], &self.expected[other]);
        let expected = match (b.includes(a), a.includes(b)) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, true) => Relation::Superset,
            (false, false) => Relation::Different,
        };
        let agree = one.relation(two) == expected
            && one.includes(two) == a.includes(b)
            && two.includes(one) == b.includes(a)
            && (one == two) == (expected == Relation::Equal);
        if agree {
            Ok("relate".to_owned())
        } else {
            Err(format!("relation of {one:?} and {two:?} is not {expected:?}"))
        }
    }

    /// A zone that has overflowed ends the script. It includes what it should be, and is one that can be
    /// worked with.
    fn check_overflow(&self) -> Result<(), String> {
        let (zone, expected) = (&self.zones[self.last], &self.expected[self.last]);
        let found = bridge::matrix(zone);
        if !found.is_closed() || !found.includes(expected) || !zone.contains(&zone.pick()) {
            return Err(format!("overflowed to {zone:?}, which should include {expected}"));
        }
        Ok(())
    }

    /// What must hold of a zone whatever made it.
    fn check(&self) -> Result<(), String> {
        let (zone, expected) = (&self.zones[self.last], &self.expected[self.last]);
        if let Some(difference) = difference(zone, expected) {
            return Err(difference);
        }
        if zone.overflowed() {
            return Err("overflow with small constants".to_owned());
        }
        let point = zone.pick();
        if !zone.contains(&point) {
            return Err(format!("picked {point} is not in {zone:?}"));
        }
        self.check_text(zone)?;
        self.check_forms(zone)
    }

    fn check_text(&self, zone: &Dbm) -> Result<(), String> {
        let names: Vec<String> = (1..=self.clocks).map(|x| format!("x{x}")).collect();
        let text = zone.display(&names).to_string();
        let constraints = parse_constraints(&text, &names).map_err(|error| format!("{text}: {error}"))?;
        let minimal = zone.minimal_constraints();
        for constraints in [&constraints, &minimal] {
            let mut read = Dbm::universal(zone.dimension());
            let non_empty = constraints.iter().all(|&constraint| read.constrain(constraint));
            if !non_empty || read != *zone && !read.overflowed() {
                return Err(format!("{text} read back is {read:?}"));
            }
        }
        Ok(())
    }

    fn check_forms(&self, zone: &Dbm) -> Result<(), String> {
        let codes = Codes::uniform(Constant::from(300));
        check_form("bits", &Bits::new(zone.dimension(), codes.clone()), zone, &self.zones)?;
        check_form("digits", &Digits::new(zone.dimension(), codes), zone, &self.zones)?;
        check_form("minimal", &Minimal::new(zone.dimension()), zone, &self.zones)
    }
}

/// Checks that a form gives the zone back, and agrees with plain inclusion of each of the others in both
/// directions.
///
/// # Errors
/// With the zones on which it does not. A zone that the form refuses is passed over.
pub fn check_form<F: Form>(name: &str, form: &F, zone: &Dbm, others: &[Dbm]) -> Result<(), String> {
    let mut words = Vec::new();
    if form.encode(zone, &mut words).is_err() {
        return if words.is_empty() { Ok(()) } else { Err(format!("{name}: words of a refused zone")) };
    }
    let mut decoded = Dbm::zero(zone.dimension());
    form.decode(&words, &mut decoded);
    if decoded != *zone {
        return Err(format!("{name}: {zone:?} decodes as {decoded:?}"));
    }
    for other in others {
        let includes = form.includes(&words, other);
        let is_included = form.is_included(&words, other, &mut decoded);
        if includes != zone.includes(other) || is_included != other.includes(zone) {
            return Err(format!(
                "{name}: {zone:?} includes {other:?}: {includes}, is included: {is_included}"
            ));
        }
    }
    Ok(())
}
