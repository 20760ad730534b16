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
//! `T` that once round takes: what happens at the moment `t` of the first lap happens again at `t + T`, `t + 2T`. Bounds
//! between two laps then say `t - u + nT ≤ c`. Laps are written out until clocks show the same lap by lap; a clock
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

/// `t_left + laps T - t_right` is within the bound.
#[derive(Clone, Copy, Debug)]
struct Gap {
    left: u32,
    right: u32,
    bound: Bound,
    laps: i32,
}

/// What a clock shows: how long ago it was set, and to what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Setting {
    moment: u32,
    /// In which lap; 0 before the cycle too.
    lap: i32,
    value: i32,
}

/// The system of bounds on moments.
struct Schedule {
    gaps: Vec<Gap>,
    clocks: Vec<Setting>,
    moments: u32,
    /// The moment at hand.
    now: u32,
    /// The lap at hand.
    lap: i32,
    /// The moment at which the cycle begins.
    head: Option<u32>,
}

/// A path to be timed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course<'a> {
    /// How many clocks there are.
    pub(crate) dimension: Dimension,
    /// What the initial state asks.
    pub(crate) initial: &'a Timing,
    /// What each step asks and does.
    pub(crate) steps: &'a [Cow<'a, Timing>],
}

impl Course<'_> {
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
        for lap in 0..=LAPS {
            schedule.begin_lap(lap);
            let before = schedule.clocks.clone();
            may_wait = schedule.pass(cycle, may_wait)?;
            if lap == LAPS && !schedule.is_as(&before) {
                return None;
            }
        }
        let (numerators, unit) = schedule.solve_repeating()?;
        rationals(&numerators, unit)
    }
}

/// How often the cycle is gone round before clocks are taken to show the same lap by lap. Twice is enough unless clocks
/// are copied from each other.
const LAPS: i32 = 3;

fn rationals(numerators: &[i64], unit: i64) -> Option<Vec<Rational>> {
    numerators.iter().map(|&numerator| Rational::new(numerator, unit)).collect()
}

impl Schedule {
    fn new(course: &Course<'_>) -> Option<Self> {
        let start = Setting { moment: 0, lap: 0, value: 0 };
        let clocks = vec![start; course.dimension.size()];
        let mut schedule = Self { gaps: Vec::new(), clocks, moments: 1, now: 0, lap: 0, head: None };
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
            // The first step of a lap comes after the last of the lap before.
            Some(head) if self.lap > 0 && self.now == head => (self.moments - 1, self.lap - 1),
            _ => (self.now, self.lap),
        };
        self.now += 1;
        self.moments = self.moments.max(self.now + 1);
        let next = self.now;
        let laps = last_lap - self.lap;
        self.gaps.push(Gap { left: last, right: next, bound: Bound::ZERO, laps });
        if !may_wait {
            self.gaps.push(Gap { left: next, right: last, bound: Bound::ZERO, laps: -laps });
        }
    }

    /// Goes back to the head of the cycle, for another lap.
    fn begin_lap(&mut self, lap: i32) {
        self.lap = lap;
        self.now = self.head.unwrap_or(self.now);
    }

    /// Whether clocks show what they did a lap ago.
    fn is_as(&self, before: &[Setting]) -> bool {
        let same = |(now, before): (&Setting, &Setting)| {
            let shift = i32::from(self.is_repeated(now.moment));
            *now == Setting { lap: before.lap + shift, ..*before }
        };
        self.clocks.iter().zip(before).skip(1).all(same)
    }

    /// Whether a moment comes again in each lap.
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
            let (x, y) = (self.setting(left), self.setting(right));
            let shift =
                Bound::weak(tourbillon_dbm::Constant::new(i64::from(y.value) - i64::from(x.value)).ok()?);
            let bound = bound.checked_add(shift)?;
            self.gaps.push(Gap { left: y.moment, right: x.moment, bound, laps: y.lap - x.lap });
            if self.lap == LAPS && self.is_repeated(y.moment) && !self.is_repeated(x.moment) {
                self.forbid_growth();
            }
        }
        Some(())
    }

    /// Something that grows by `T` each time round is bounded from above: so `T` is 0.
    fn forbid_growth(&mut self) {
        let Some(head) = self.head else { return };
        self.gaps.push(Gap { left: self.moments - 1, right: head, bound: Bound::ZERO, laps: 0 });
    }

    fn setting(&self, clock: Clock) -> Setting {
        if clock == Clock::REFERENCE {
            Setting { moment: self.now, lap: self.lap, value: 0 }
        } else {
            self.clocks[clock.index()]
        }
    }

    fn write(&mut self, write: Write) -> Option<()> {
        match write {
            Write::Reset(clock, value) => {
                self.clocks[clock.index()] = Setting { moment: self.now, lap: self.lap, value: value.get() };
            }
            Write::Assign(clock, source, value) => {
                let setting = self.setting(source);
                let value = setting.value.checked_add(value.get())?;
                self.clocks[clock.index()] = Setting { value, ..setting };
                // A clock is never negative.
                let reference = Constraint::new(Clock::REFERENCE, clock, Bound::ZERO);
                self.require(&[reference])?;
            }
        }
        Some(())
    }

    /// The least solution, as numerators over a unit.
    fn solve(&self) -> Option<(Vec<i64>, i64)> {
        let gaps = GapsOfMoments::new(self);
        if let Settled::Moments(numerators) = self.settle(&gaps, 1, 0)? {
            return Some((numerators, 1));
        }
        let finest = i64::from(self.moments) + 1;
        let Settled::Moments(mut best) = self.settle(&gaps, finest, 0)? else { return None };
        let mut unit = finest;
        // Without a solution: the first exponent. Untried: those between the two.
        let (mut without, mut untried) = (0, READABLE_MAX.min(finest.ilog2()) + 1);
        while without + 1 < untried {
            let exponent = without.midpoint(untried);
            match self.settle(&gaps, 1 << exponent, 0)? {
                Settled::Moments(numerators) => {
                    (best, unit, untried) = (numerators, 1 << exponent, exponent);
                }
                Settled::Conflict { .. } | Settled::NotYet => without = exponent,
            }
        }
        Some((best, unit))
    }

    /// The solution with the least `T`, and the least of those.
    fn solve_repeating(mut self) -> Option<(Vec<i64>, i64)> {
        let (head, last) = (self.head?, self.moments - 1);
        self.gaps.push(Gap { left: head, right: last, bound: Bound::ZERO, laps: 1 });
        self.gaps.push(Gap { left: last, right: head, bound: Bound::ZERO, laps: -1 });
        let finest = i64::from(self.moments) + 1;
        let gaps = GapsOfMoments::new(&self);
        for unit in UNITS.into_iter().chain([finest, 2 * finest, 6 * finest]) {
            let mut period = 0;
            for _ in 0..ROUNDS {
                match self.settle(&gaps, unit, period)? {
                    Settled::Moments(numerators) => return Some((numerators, unit)),
                    Settled::Conflict { excess, laps } if laps < 0 => {
                        let least = (excess + (-laps - 1)).div_euclid(-laps);
                        if least <= period {
                            break;
                        }
                        period = least;
                    }
                    Settled::Conflict { .. } | Settled::NotYet => break,
                }
            }
        }
        None
    }

    /// Looks for the least solution in multiples of `1/unit`, with `T` given in these; nothing if numbers get too
    /// large.
    fn settle(&self, gaps: &GapsOfMoments, unit: i64, period: i64) -> Option<Settled> {
        let mut moments = vec![0i64; self.moments as usize];
        // By which gap each moment was put off last.
        let mut causes: Vec<Option<u32>> = vec![None; moments.len()];
        let mut sweeps = [Sweep::new(true, moments.len()), Sweep::new(false, moments.len())];
        for pass in 0..=2 * moments.len() {
            if !cancellation::work(self.gaps.len() as u32) {
                return None;
            }
            let forward = pass % 2 == 0;
            while let Some(moment) = sweeps[pass % 2].next() {
                for &index in gaps.leaving(moment, forward) {
                    let gap = &self.gaps[index as usize];
                    let least = moments[moment as usize].checked_add(gap.weight(unit, period)?)?;
                    if moments[gap.right as usize] < least {
                        moments[gap.right as usize] = least;
                        causes[gap.right as usize] = Some(index);
                        sweeps.iter_mut().for_each(|sweep| sweep.add(gap.right));
                    }
                }
                if causes[moment as usize].is_some_and(|cause| self.gaps[cause as usize].left == moment) {
                    return self.around(&causes, moment, unit);
                }
            }
            let settled = sweeps.iter().all(Sweep::is_empty);
            if (moments[0] > 0 || (pass % 16 == 15 && !settled))
                && let Some(conflict) = self.conflict(&causes, unit)
            {
                return Some(conflict);
            }
            if settled {
                return Some(Settled::Moments(moments));
            }
        }
        Some(self.conflict(&causes, unit).unwrap_or(Settled::NotYet))
    }

    /// Bounds that put a moment off in favour of itself, or the start, if there are any by now.
    fn conflict(&self, causes: &[Option<u32>], unit: i64) -> Option<Settled> {
        let mut seen = vec![0u32; causes.len()];
        for first in 0..causes.len() as u32 {
            let mut at = first;
            while seen[at as usize] == 0 {
                seen[at as usize] = first + 1;
                let Some(cause) = causes[at as usize] else { break };
                at = self.gaps[cause as usize].left;
            }
            if seen[at as usize] == first + 1 && causes[at as usize].is_some() {
                return self.around(causes, at, unit);
            }
        }
        causes[0].and_then(|_| self.around(causes, 0, unit))
    }

    /// The sum of the bounds that put this moment off, back to itself or to a moment that nothing put off.
    fn around(&self, causes: &[Option<u32>], start: u32, unit: i64) -> Option<Settled> {
        let (mut excess, mut laps, mut at) = (0i64, 0i64, start);
        while let Some(cause) = causes[at as usize] {
            let gap = &self.gaps[cause as usize];
            excess = excess.checked_add(gap.weight(unit, 0)?)?;
            laps += i64::from(gap.laps);
            at = gap.left;
            if at == start {
                break;
            }
        }
        Some(Settled::Conflict { excess, laps })
    }
}

/// The gaps that leave each moment: those to later moments and to itself, then those to earlier ones.
struct GapsOfMoments {
    gaps: Vec<u32>,
    /// For each moment, where its gaps of the two kinds begin.
    starts: Vec<[u32; 2]>,
}

impl GapsOfMoments {
    fn new(schedule: &Schedule) -> Self {
        let kind = |gap: &Gap| usize::from(gap.right < gap.left);
        let mut starts = vec![[0u32; 2]; schedule.moments as usize + 1];
        for gap in &schedule.gaps {
            starts[gap.left as usize][kind(gap)] += 1;
        }
        let mut sum = 0;
        for start in starts.as_flattened_mut() {
            (*start, sum) = (sum, sum + *start);
        }
        let mut gaps = vec![0; schedule.gaps.len()];
        let mut next = starts.clone();
        for (index, gap) in (0u32..).zip(&schedule.gaps) {
            let place = &mut next[gap.left as usize][kind(gap)];
            gaps[*place as usize] = index;
            *place += 1;
        }
        Self { gaps, starts }
    }

    /// The gaps from a moment to later ones, or to earlier ones.
    fn leaving(&self, moment: u32, forward: bool) -> &[u32] {
        let [later, earlier] = self.starts[moment as usize];
        let next = self.starts[moment as usize + 1][0];
        let range = if forward { later..earlier } else { earlier..next };
        &self.gaps[range.start as usize..range.end as usize]
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
enum Settled {
    /// This one.
    Moments(Vec<i64>),
    /// There is none, since it would take `excess + laps T ≤ 0`.
    Conflict { excess: i64, laps: i64 },
    /// Not found in so many passes.
    NotYet,
}

impl Gap {
    /// How much later than the left moment the right one must be.
    fn weight(&self, unit: i64, period: i64) -> Option<i64> {
        let constant = i64::from(self.bound.constant()?.get());
        let length = constant.checked_mul(unit)? - i64::from(self.bound.is_strict());
        i64::from(self.laps).checked_mul(period)?.checked_sub(length)
    }
}

/// The largest power of two that counts as a readable unit, as an exponent.
const READABLE_MAX: u32 = 15;

/// In how many parts a unit of time is cut, in this order, to find delays that can be repeated.
const UNITS: [i64; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/// How often `T` is put up before a unit is given up.
const ROUNDS: usize = 64;
