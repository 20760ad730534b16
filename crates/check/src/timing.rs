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
//! the number of moments a solution exists if there is any; the smallest power of two that has one reads better. What
//! has a solution in units of `1/n` has one in units of `1/2n`, so that power is found by bisection.
//!
//! **Cost.** Most bounds lead from a moment to a later one, the others from a moment to an earlier one. Moments are put
//! off in sweeps over those that have changed, by turns forward along the first kind and backward along the second
//! `[Yen1970]`: the number of sweeps is how often a longest path changes its direction, not how many bounds it has, so
//! that a run of many steps is timed in about linear time.
//!
//! **Cycles.** A run that goes round a cycle for ever with the same delays each time has one more unknown, the time
//! `T` that once round takes: what happens at the moment `t` of the first iteration happens again at `t + T`, `t + 2T`. Bounds
//! between two iterations then say `t - u + nT ≤ c`. Laps are written out until clocks show the same iteration by iteration; a clock
//! that the cycle never sets grows by `T` each time, so that what bounds it from above leaves only `T = 0`. For
//! a given `T` it is the same system as before; if that has no solution, the bounds that contradict each other add
//! up to one on `T`, which tells how much larger it must be. The least `T` is found that way in a few rounds, or that
//! there is none: some cycles can be gone round for ever, but with other delays each time.
//!
//! A clock that can stand still does not fit this scheme: paths of models with stopwatches may turn out to have no
//! such moments, or to need others, and the replay decides.

use std::borrow::Cow;
use std::collections::BinaryHeap;

use tourbillon_base::{Id, Rational, cancellation};
use tourbillon_dbm::{Bound, Clock, Constraint, Dimension};
use tourbillon_zonegraph::{Timing, Write};

/// `t_left + iterations T - t_right` is within the bound.
#[derive(Clone, Copy, Debug)]
struct DifferenceBound {
    left: u32,
    right: u32,
    bound: Bound,
    iterations: i32,
}

/// What a clock shows: how long ago it was set, and to what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ClockValue {
    moment: u32,
    /// In which iteration; 0 before the cycle too.
    iteration: i32,
    value: i32,
}

/// The system of bounds on moments.
struct Schedule {
    bounds: Vec<DifferenceBound>,
    clocks: Vec<ClockValue>,
    moments: u32,
    /// The moment at hand.
    now: u32,
    /// The iteration at hand.
    iteration: i32,
    /// The moment at which the cycle begins.
    head: Option<u32>,
}

/// A path to be timed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathTiming<'a> {
    /// How many clocks there are.
    pub(crate) dimension: Dimension,
    /// What the initial state asks.
    pub(crate) initial: &'a Timing,
    /// What each step asks and does.
    pub(crate) steps: &'a [Cow<'a, Timing>],
}

impl PathTiming<'_> {
    /// Moments of the steps, then that of the end, at which these constraints hold; nothing if there are none, or
    /// numbers get too large.
    pub(crate) fn moments(&self, end: &[Constraint]) -> Option<Vec<Rational>> {
        let mut schedule = Schedule::new(self)?;
        let may_wait = schedule.pass(self.steps, self.initial.may_wait)?;
        schedule.next_moment(may_wait);
        schedule.require(end)?;
        let (numerators, unit) = schedule.solve()?;
        rationals(&numerators, unit)
    }

    /// Moments of the steps such that those from `head` on, of which there is at least one, can be taken again and
    /// again with the same delays; nothing if there are none or none were found. The last step leads to where the
    /// step before `head` led, or to the initial state.
    pub(crate) fn repeating_moments(&self, head: usize) -> Option<Vec<Rational>> {
        let mut schedule = Schedule::new(self)?;
        let (stem, cycle) = self.steps.split_at(head);
        let mut may_wait = schedule.pass(stem, self.initial.may_wait)?;
        schedule.head = Some(schedule.now);
        for iteration in 0..=ITERATIONS {
            schedule.begin_iteration(iteration);
            let before = schedule.clocks.clone();
            may_wait = schedule.pass(cycle, may_wait)?;
            if iteration == ITERATIONS && !schedule.repeats(&before) {
                return None;
            }
        }
        let (numerators, unit) = schedule.solve_repeating()?;
        rationals(&numerators, unit)
    }
}

/// How often the cycle is gone round before clocks are taken to show the same iteration by iteration. Twice is enough unless clocks
/// are copied from each other.
const ITERATIONS: i32 = 3;

fn rationals(numerators: &[i64], unit: i64) -> Option<Vec<Rational>> {
    numerators.iter().map(|&numerator| Rational::new(numerator, unit)).collect()
}

impl Schedule {
    fn new(course: &PathTiming<'_>) -> Option<Self> {
        let start = ClockValue { moment: 0, iteration: 0, value: 0 };
        let clocks = vec![start; course.dimension.size()];
        let mut schedule = Self { bounds: Vec::new(), clocks, moments: 1, now: 0, iteration: 0, head: None };
        course.initial.writes.iter().try_for_each(|&write| schedule.write(write))?;
        schedule.require(&course.initial.entering)?;
        Some(schedule)
    }

    /// Adds what steps ask. Returns whether time can pass after them.
    fn pass(&mut self, steps: &[Cow<'_, Timing>], mut may_wait: bool) -> Option<bool> {
        for step in steps {
            self.next_moment(may_wait);
            self.require(&step.leaving)?;
            step.writes.iter().try_for_each(|&write| self.write(write))?;
            self.require(&step.entering)?;
            may_wait = step.may_wait;
        }
        Some(may_wait)
    }

    /// The next moment is not before the last, and is the same if time cannot pass.
    fn next_moment(&mut self, may_wait: bool) {
        let (last, last_lap) = match self.head {
            // The first step of a iteration comes after the last of the iteration before.
            Some(head) if self.iteration > 0 && self.now == head => (self.moments - 1, self.iteration - 1),
            _ => (self.now, self.iteration),
        };
        self.now += 1;
        self.moments = self.moments.max(self.now + 1);
        let next = self.now;
        let iterations = last_lap - self.iteration;
        self.bounds.push(DifferenceBound { left: last, right: next, bound: Bound::ZERO, iterations });
        if !may_wait {
            self.bounds.push(DifferenceBound {
                left: next,
                right: last,
                bound: Bound::ZERO,
                iterations: -iterations,
            });
        }
    }

    /// Goes back to the head of the cycle, for another iteration.
    fn begin_iteration(&mut self, iteration: i32) {
        self.iteration = iteration;
        self.now = self.head.unwrap_or(self.now);
    }

    /// Whether clocks show what they did a iteration ago.
    fn repeats(&self, before: &[ClockValue]) -> bool {
        let same = |(now, before): (&ClockValue, &ClockValue)| {
            let shift = i32::from(self.is_repeated(now.moment));
            *now == ClockValue { iteration: before.iteration + shift, ..*before }
        };
        self.clocks.iter().zip(before).skip(1).all(same)
    }

    /// Whether a moment comes again in each iteration.
    fn is_repeated(&self, moment: u32) -> bool {
        self.head.is_some_and(|head| moment > head)
    }

    /// Constraints hold at the last moment.
    fn require(&mut self, constraints: &[Constraint]) -> Option<()> {
        for &Constraint { left, right, bound } in constraints {
            if bound.is_infinite() {
                continue;
            }
            // x - y is (t - a + k) - (t - b + l), that is b - a + k - l; the reference is t - t + 0.
            let (x, y) = (self.clock_value(left), self.clock_value(right));
            let shift =
                Bound::weak(tourbillon_dbm::Constant::new(i64::from(y.value) - i64::from(x.value)).ok()?);
            let bound = bound.checked_add(shift)?;
            self.bounds.push(DifferenceBound {
                left: y.moment,
                right: x.moment,
                bound,
                iterations: y.iteration - x.iteration,
            });
            if self.iteration == ITERATIONS && self.is_repeated(y.moment) && !self.is_repeated(x.moment) {
                self.forbid_growth();
            }
        }
        Some(())
    }

    /// Something that grows by `T` each time round is bounded from above: so `T` is 0.
    fn forbid_growth(&mut self) {
        let Some(head) = self.head else { return };
        self.bounds.push(DifferenceBound {
            left: self.moments - 1,
            right: head,
            bound: Bound::ZERO,
            iterations: 0,
        });
    }

    fn clock_value(&self, clock: Clock) -> ClockValue {
        if clock == Clock::REFERENCE {
            ClockValue { moment: self.now, iteration: self.iteration, value: 0 }
        } else {
            self.clocks[clock.index()]
        }
    }

    fn write(&mut self, write: Write) -> Option<()> {
        match write {
            Write::Reset(clock, value) => {
                self.clocks[clock.index()] =
                    ClockValue { moment: self.now, iteration: self.iteration, value: value.get() };
            }
            Write::Assign(clock, source, value) => {
                let clock_value = self.clock_value(source);
                let value = clock_value.value.checked_add(value.get())?;
                self.clocks[clock.index()] = ClockValue { value, ..clock_value };
                // A clock is never negative.
                let reference = Constraint::new(Clock::REFERENCE, clock, Bound::ZERO);
                self.require(&[reference])?;
            }
        }
        Some(())
    }

    /// The least solution, as numerators over a unit.
    fn solve(&self) -> Option<(Vec<i64>, i64)> {
        let bounds = BoundsByMoment::new(self);
        if let Solution::Moments(numerators) = self.solve_in_unit(&bounds, 1, 0)? {
            return Some((numerators, 1));
        }
        let finest = i64::from(self.moments) + 1;
        let Solution::Moments(mut best) = self.solve_in_unit(&bounds, finest, 0)? else { return None };
        let mut unit = finest;
        // Without a solution: the first exponent. Untried: those between the two.
        let (mut without, mut untried) = (0, READABLE_MAX.min(finest.ilog2()) + 1);
        while without + 1 < untried {
            let exponent = without.midpoint(untried);
            match self.solve_in_unit(&bounds, 1 << exponent, 0)? {
                Solution::Moments(numerators) => {
                    (best, unit, untried) = (numerators, 1 << exponent, exponent);
                }
                Solution::Conflict { .. } | Solution::NotFound => without = exponent,
            }
        }
        Some((best, unit))
    }

    /// The solution with the least `T`, and the least of those.
    fn solve_repeating(mut self) -> Option<(Vec<i64>, i64)> {
        let (head, last) = (self.head?, self.moments - 1);
        self.bounds.push(DifferenceBound { left: head, right: last, bound: Bound::ZERO, iterations: 1 });
        self.bounds.push(DifferenceBound { left: last, right: head, bound: Bound::ZERO, iterations: -1 });
        let finest = i64::from(self.moments) + 1;
        let bounds = BoundsByMoment::new(&self);
        for unit in UNITS.into_iter().chain([finest, 2 * finest, 6 * finest]) {
            let mut period = 0;
            for _ in 0..ROUNDS {
                match self.solve_in_unit(&bounds, unit, period)? {
                    Solution::Moments(numerators) => return Some((numerators, unit)),
                    Solution::Conflict { excess, iterations } if iterations < 0 => {
                        let least = (excess + (-iterations - 1)).div_euclid(-iterations);
                        if least <= period {
                            break;
                        }
                        period = least;
                    }
                    Solution::Conflict { .. } | Solution::NotFound => break,
                }
            }
        }
        None
    }

    /// Looks for the least solution in multiples of `1/unit`, with `T` given in these; nothing if numbers get too
    /// large.
    fn solve_in_unit(&self, bounds: &BoundsByMoment, unit: i64, period: i64) -> Option<Solution> {
        let mut moments = vec![0i64; self.moments as usize];
        // By which difference each moment was put off last.
        let mut causes: Vec<Option<u32>> = vec![None; moments.len()];
        let mut sweeps = [Sweep::new(true, moments.len()), Sweep::new(false, moments.len())];
        for pass in 0..=2 * moments.len() {
            if !cancellation::work(self.bounds.len() as u32) {
                return None;
            }
            let forward = pass % 2 == 0;
            while let Some(moment) = sweeps[pass % 2].next() {
                for &index in bounds.leaving(moment, forward) {
                    let difference = &self.bounds[index as usize];
                    let least = moments[moment as usize].checked_add(difference.weight(unit, period)?)?;
                    if moments[difference.right as usize] < least {
                        moments[difference.right as usize] = least;
                        causes[difference.right as usize] = Some(index);
                        sweeps.iter_mut().for_each(|sweep| sweep.add(difference.right));
                    }
                }
                if causes[moment as usize].is_some_and(|cause| self.bounds[cause as usize].left == moment) {
                    return self.conflict_at(&causes, moment, unit);
                }
            }
            let solved = sweeps.iter().all(Sweep::is_empty);
            if (moments[0] > 0 || (pass % 16 == 15 && !solved))
                && let Some(conflict) = self.conflict(&causes, unit)
            {
                return Some(conflict);
            }
            if solved {
                return Some(Solution::Moments(moments));
            }
        }
        Some(self.conflict(&causes, unit).unwrap_or(Solution::NotFound))
    }

    /// Bounds that put a moment off in favour of itself, or the start, if there are any by now.
    fn conflict(&self, causes: &[Option<u32>], unit: i64) -> Option<Solution> {
        let mut seen = vec![0u32; causes.len()];
        for first in 0..causes.len() as u32 {
            let mut at = first;
            while seen[at as usize] == 0 {
                seen[at as usize] = first + 1;
                let Some(cause) = causes[at as usize] else { break };
                at = self.bounds[cause as usize].left;
            }
            if seen[at as usize] == first + 1 && causes[at as usize].is_some() {
                return self.conflict_at(causes, at, unit);
            }
        }
        causes[0].and_then(|_| self.conflict_at(causes, 0, unit))
    }

    /// The sum of the bounds that put this moment off, back to itself or to a moment that nothing put off.
    fn conflict_at(&self, causes: &[Option<u32>], start: u32, unit: i64) -> Option<Solution> {
        let (mut excess, mut iterations, mut at) = (0i64, 0i64, start);
        while let Some(cause) = causes[at as usize] {
            let difference = &self.bounds[cause as usize];
            excess = excess.checked_add(difference.weight(unit, 0)?)?;
            iterations += i64::from(difference.iterations);
            at = difference.left;
            if at == start {
                break;
            }
        }
        Some(Solution::Conflict { excess, iterations })
    }
}

/// The bounds that leave each moment: those to later moments and to itself, then those to earlier ones.
struct BoundsByMoment {
    bounds: Vec<u32>,
    /// For each moment, where its bounds of the two kinds begin.
    starts: Vec<[u32; 2]>,
}

impl BoundsByMoment {
    fn new(schedule: &Schedule) -> Self {
        let kind = |difference: &DifferenceBound| usize::from(difference.right < difference.left);
        let mut starts = vec![[0u32; 2]; schedule.moments as usize + 1];
        for difference in &schedule.bounds {
            starts[difference.left as usize][kind(difference)] += 1;
        }
        let mut sum = 0;
        for start in starts.as_flattened_mut() {
            (*start, sum) = (sum, sum + *start);
        }
        let mut bounds = vec![0; schedule.bounds.len()];
        let mut next = starts.clone();
        for (index, difference) in (0u32..).zip(&schedule.bounds) {
            let place = &mut next[difference.left as usize][kind(difference)];
            bounds[*place as usize] = index;
            *place += 1;
        }
        Self { bounds, starts }
    }

    /// The bounds from a moment to later ones, or to earlier ones.
    fn leaving(&self, moment: u32, forward: bool) -> &[u32] {
        let [later, earlier] = self.starts[moment as usize];
        let next = self.starts[moment as usize + 1][0];
        let range = if forward { later..earlier } else { earlier..next };
        &self.bounds[range.start as usize..range.end as usize]
    }
}

/// The moments that have changed since a sweep was there, in its order.
struct Sweep {
    forward: bool,
    /// Moments as keys that are largest where the sweep comes first.
    queue: BinaryHeap<u32>,
    queued: Vec<bool>,
}

impl Sweep {
    /// With all moments.
    fn new(forward: bool, moments: usize) -> Self {
        let queue = (0..moments as u32).map(|moment| if forward { !moment } else { moment });
        Self { forward, queue: queue.collect(), queued: vec![true; moments] }
    }

    fn add(&mut self, moment: u32) {
        if !std::mem::replace(&mut self.queued[moment as usize], true) {
            self.queue.push(if self.forward { !moment } else { moment });
        }
    }

    fn next(&mut self) -> Option<u32> {
        let key = self.queue.pop()?;
        let moment = if self.forward { !key } else { key };
        self.queued[moment as usize] = false;
        Some(moment)
    }

    fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

/// What comes of looking for a solution.
enum Solution {
    /// This one.
    Moments(Vec<i64>),
    /// There is none, since it would take `excess + iterations T ≤ 0`.
    Conflict { excess: i64, iterations: i64 },
    /// Not found in so many passes.
    NotFound,
}

impl DifferenceBound {
    /// How much later than the left moment the right one must be.
    fn weight(&self, unit: i64, period: i64) -> Option<i64> {
        let constant = i64::from(self.bound.constant()?.get());
        let length = constant.checked_mul(unit)? - i64::from(self.bound.is_strict());
        i64::from(self.iterations).checked_mul(period)?.checked_sub(length)
    }
}

/// The largest power of two that counts as a readable unit, as an exponent.
const READABLE_MAX: u32 = 15;

/// In how many parts a unit of time is cut, in this order, to find delays that can be repeated.
const UNITS: [i64; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/// How often `T` is put up before a unit is given up.
const ROUNDS: usize = 64;
