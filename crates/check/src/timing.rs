//! From a path to a run: when each step is taken.
//!
//! The moments `t_0 = 0, t_1, …` of a path's steps are all there is to find. A clock that was last set at step `a`,
//! to the value `k`, shows `t - t_a + k` at the moment `t`: so every guard and invariant along the path bounds
//! the difference of two moments, and the whole path is one system of such bounds, whose least solution is a
//! longest path in a graph (Bellman and Ford). Nothing of the zones that led the search is needed, so nothing that
//! was abstracted can get in: what comes out satisfies every constraint of the path, and takes every step as
//! early as the path allows.
//!
//! Strict bounds are taken in a finer unit: in units of `1/n`, `t - u < c` is `t - u ≤ cn - 1`. With `n` one more than
//! the number of moments a solution exists if there is any; smaller units, which read better, are tried first.
//!
//! A clock that can stand still does not fit this scheme: paths of models with stopwatches may turn out to have no
//! such moments, or to need others, and the replay decides.

use tourbillon_base::{Id, Rational};
use tourbillon_dbm::{Bound, Clock, Constraint, Dimension};
use tourbillon_zonegraph::{Timing, Write};

/// `t_later - t_earlier` is within the bound; or with the two the other way round.
#[derive(Clone, Copy, Debug)]
struct Gap {
    left: u32,
    right: u32,
    bound: Bound,
}

/// What a clock shows: how long ago it was set, and to what.
#[derive(Clone, Copy)]
struct Setting {
    moment: u32,
    value: i32,
}

/// The system of bounds on moments.
struct Schedule {
    gaps: Vec<Gap>,
    clocks: Vec<Setting>,
    moments: u32,
}

/// Moments of the steps of a path, then that of its end; nothing if there are none, or numbers get too large.
///
/// `initial` is what the initial state asks, `steps` what each step does, `end` what must hold at the end.
pub(crate) fn moments(
    dimension: Dimension,
    initial: &Timing,
    steps: &[Timing],
    end: &[Constraint],
) -> Option<Vec<Rational>> {
    let start = Setting { moment: 0, value: 0 };
    let mut schedule = Schedule { gaps: Vec::new(), clocks: vec![start; dimension.size()], moments: 1 };
    schedule.require(&initial.entering)?;
    let mut may_wait = initial.may_wait;
    for step in steps {
        schedule.next_moment(may_wait);
        schedule.require(&step.leaving)?;
        step.writes.iter().try_for_each(|&write| schedule.write(write))?;
        schedule.require(&step.entering)?;
        may_wait = step.may_wait;
    }
    schedule.next_moment(may_wait);
    schedule.require(end)?;
    let (numerators, unit) = schedule.solve()?;
    numerators.iter().map(|&numerator| Rational::new(numerator, unit)).collect()
}

impl Schedule {
    /// The next moment is not before the last, and is the same if time cannot pass.
    fn next_moment(&mut self, may_wait: bool) {
        let (last, next) = (self.moments - 1, self.moments);
        self.moments += 1;
        self.gaps.push(Gap { left: last, right: next, bound: Bound::ZERO });
        if !may_wait {
            self.gaps.push(Gap { left: next, right: last, bound: Bound::ZERO });
        }
    }

    /// Constraints hold at the last moment.
    fn require(&mut self, constraints: &[Constraint]) -> Option<()> {
        for &Constraint { left, right, bound } in constraints {
            if bound.is_infinite() {
                continue;
            }
            // x - y is (t - a + k) - (t - b + l), that is b - a + k - l; the reference is t - t + 0.
            let (x, y) = (self.setting(left), self.setting(right));
            let shift =
                Bound::weak(tourbillon_dbm::Constant::new(i64::from(y.value) - i64::from(x.value)).ok()?);
            let bound = bound.checked_add(shift)?;
            self.gaps.push(Gap { left: y.moment, right: x.moment, bound });
        }
        Some(())
    }

    fn setting(&self, clock: Clock) -> Setting {
        if clock == Clock::REFERENCE {
            Setting { moment: self.moments - 1, value: 0 }
        } else {
            self.clocks[clock.index()]
        }
    }

    fn write(&mut self, write: Write) -> Option<()> {
        match write {
            Write::Reset(clock, value) => {
                self.clocks[clock.index()] = Setting { moment: self.moments - 1, value: value.get() };
            }
            Write::Assign(clock, source, value) => {
                let Setting { moment, value: old } = self.setting(source);
                self.clocks[clock.index()] = Setting { moment, value: old.checked_add(value.get())? };
                // A clock is never negative.
                let reference = Constraint::new(Clock::REFERENCE, clock, Bound::ZERO);
                self.require(&[reference])?;
            }
        }
        Some(())
    }

    /// The least solution, as numerators over a unit.
    fn solve(&self) -> Option<(Vec<i64>, i64)> {
        let finest = i64::from(self.moments) + 1;
        let readable = (0..).map(|exponent| 1i64 << exponent).take_while(|&unit| unit < finest.min(1 << 16));
        let tried = readable.map(|unit| (unit, PASSES_READABLE)).chain([(finest, self.moments as usize + 1)]);
        for (unit, passes) in tried {
            if let Some(numerators) = self.least(unit, passes)? {
                return Some((numerators, unit));
            }
        }
        None
    }

    /// The least solution in multiples of `1/unit`; the outer nothing if numbers get too large, the inner if there
    /// is none, or none was found in so many passes.
    #[expect(clippy::option_option, reason = "two reasons for nothing, of which one is final")]
    fn least(&self, unit: i64, passes: usize) -> Option<Option<Vec<i64>>> {
        let mut moments = vec![0i64; self.moments as usize];
        for _ in 0..passes {
            let mut settled = true;
            for gap in &self.gaps {
                let constant = i64::from(gap.bound.constant()?.get());
                let length = constant.checked_mul(unit)? - i64::from(gap.bound.is_strict());
                let least = moments[gap.left as usize].checked_sub(length)?;
                if moments[gap.right as usize] < least {
                    moments[gap.right as usize] = least;
                    settled = false;
                }
            }
            if moments[0] > 0 {
                return Some(None);
            }
            if settled {
                return Some(Some(moments));
            }
        }
        Some(None)
    }
}

/// How many passes a readable unit is worth.
const PASSES_READABLE: usize = 200;
