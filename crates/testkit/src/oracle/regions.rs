//! One representative valuation of each region.
//!
//! Let `K` be the ceiling of single clocks, which need not be the same for all of them, and `M` that of differences, if any are compared. Two points are in
//! the same *region* `[AlurDill1994]` if
//!
//! 1. the same clocks are above `K`, and the others have the same integer parts;
//! 2. among these others, fractions are 0 for the same clocks and are in the same order;
//! 3. if differences are compared: each difference of two clocks, also of clocks above `K`, is the same integer
//!    from `-M` to `M`, or in the same open interval between two neighbours of these, or beyond the same end.
//!
//! *Claim.* Points of one region, with the same discrete state, can do the same up to regions: take the same
//! actions into the same regions, and wait into the same next region. So exploring one point of each finds
//! exactly the discrete states, and the truth of exactly the formulas, that can be reached.
//!
//! *Proof.* Every comparison in the model and its queries is with integers up to `K`, or for differences up to
//! `M`, so it is true of both points or of none; hence so are guards, invariants, formulas, and what depends on
//! their being false: who receives a broadcast, priorities, urgency.
//!
//! Settings lead to the same region. Set to 0 or an integer `c`, a clock has a known integer part and the
//! fraction 0. Its difference to another clock `y` is `c - y`, of which (1) tells all up to `y <= K`; above, `c -
//! y < c - K <= -M`, since `K` is chosen at least `M` plus the largest `c`. Set to `y` it has all that `y` has.
//! Set to `y` plus `c >= 0` without differences, its integer part follows if `y + c <= K`, and it is above `K`
//! in both points or in none. Set to `y` minus `c`, without differences, the ceiling of `y` is at least `c` higher
//! than its own (`ceilings.rs`): so if `y` is above its ceiling in both points, so is the clock, and if it is not, its
//! integer part follows, and whether it is negative.
//!
//! Where time ends before any clock gets above `K`, (1) and (2) tell all differences, and whatever is set to an integer or
//! to another clock plus an integer follows from them.
//!
//! Waiting changes no difference, so (3) stays. Of the clocks up to `K`, if any has the fraction 0, then the
//! next region is where all fractions have grown by less than what the largest lacks to 1, and a clock that was
//! at `K` is above; otherwise it is where those with the largest fraction are integers. Both depend on (1) and
//! (2) alone. If all clocks are above `K` there is no next region. Between a point and one of its next region
//! there are points of these two only, so that what is asked of all moments of a delay is asked of these two.
//!
//! *Which point.* Fractions are replaced by `1/m, 2/m, ...` in their order, those of clocks above `K` as well,
//! and gaps above `K` are closed. Neither changes the region: differences keep their integer parts, and whether
//! they are integers, since these depend on integer parts and the order of fractions alone. So numbers stay small:
//! values up to `n (K + 2)`, denominators up to `n + 1`, twice that while waiting.
//!
//! This fails for stopwatches, which are refused; and while time has no end, for clocks set to others minus
//! something in a circle, and for sums together with differences, for which reachability is not decidable
//! `[BouyerDufourdFleuryPetit2004]`.
//!
//! Cost: up to `n! 2^n (2K + 2)^n` regions for each discrete state.

use tourbillon_base::Rational;

use super::ceilings::Ceilings;
use super::{Time, close_gaps, floor, minus};

/// The regions of a model.
pub(super) struct Regions {
    pub(super) ceilings: Ceilings,
}

fn fraction(value: Rational) -> Rational {
    minus(value, Rational::from_integer(floor(value)))
}

/// The fractions that occur, without 0, in order.
fn fractions(clocks: impl Iterator<Item = Rational>) -> Vec<Rational> {
    let mut found: Vec<Rational> = clocks.map(fraction).filter(|&part| part != Rational::ZERO).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The place of a clock's fraction among those that occur; 0 if it has none.
fn rank(clock: Rational, fractions: &[Rational]) -> i64 {
    fractions.binary_search(&fraction(clock)).map_or(0, |place| place as i64 + 1)
}

impl Regions {
    fn is_above(&self, index: usize, clock: Rational) -> bool {
        clock > Rational::from_integer(self.ceilings.of_clock(index))
    }

    /// The clocks that are distinguished by themselves.
    fn low<'c>(&'c self, clocks: &'c [Rational]) -> impl Iterator<Item = Rational> + 'c {
        let low = move |&(index, &clock): &(usize, &Rational)| !self.is_above(index, clock);
        clocks.iter().enumerate().filter(low).map(|(_, &clock)| clock)
    }
}

impl Time for Regions {
    fn pause(&self, clocks: &[Rational]) -> Option<Rational> {
        let largest = self.low(clocks).map(fraction).max()?;
        let rest = minus(Rational::from_integer(1), largest);
        if self.low(clocks).any(Rational::is_integer) {
            Rational::new(rest.numerator(), 2 * rest.denominator())
        } else {
            Some(rest)
        }
    }

    fn normal(&self, clocks: &[Rational]) -> Vec<Rational> {
        let fractions = fractions(clocks.iter().copied());
        let parts = fractions.len() as i64 + 1;
        let even = |&clock: &Rational| {
            Rational::new(floor(clock) * parts + rank(clock, &fractions), parts).expect("a small number")
        };
        close_gaps(&clocks.iter().map(even).collect::<Vec<_>>(), self.ceilings.highest())
    }

    fn class(&self, clocks: &[Rational]) -> Vec<i64> {
        let fractions = fractions(self.low(clocks));
        let single = |(index, &clock): (usize, &Rational)| match self.is_above(index, clock) {
            true => [-1, -1],
            false => [floor(clock), rank(clock, &fractions)],
        };
        let mut class: Vec<i64> = clocks.iter().enumerate().flat_map(single).collect();
        if let Some(diagonal) = self.ceilings.diagonal {
            let pairs = (1..clocks.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
            class.extend(pairs.map(|(i, j)| interval(minus(clocks[i], clocks[j]), diagonal)));
        }
        class
    }
}

/// Twice the value if it is an integer up to the ceiling, the odd number between if it lies between two.
fn interval(difference: Rational, ceiling: i64) -> i64 {
    if difference > Rational::from_integer(ceiling) {
        2 * ceiling + 1
    } else if difference < Rational::from_integer(-ceiling) {
        -2 * ceiling - 1
    } else {
        2 * floor(difference) + i64::from(!difference.is_integer())
    }
}
