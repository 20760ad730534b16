//! Estimates of the states that a probabilistic passed list has omitted.
//!
//! Each look-up of a new state is a trial: the state is wrongly refused with some probability `p`, which the table
//! knows at that moment and which its kind derives (`bitstate.rs`, `compact.rs`). Wrong refusals cannot be observed and
//! counted, but correct insertions can. An insertion with probability `p` of refusal represents `1/(1 - p)` trials, of
//! which `p/(1 - p)` were refused: the expected value of that, counted only for insertions, is exactly `p` (the weights
//! of `[HorvitzThompson1952]`). So
//!
//! - the sum of `p/(1 - p)` is an unbiased estimate of the number of new states that were refused;
//! - the product of `(1 - p)^(1/(1 - p))` estimates the probability that none was refused.
//!
//! States that are reachable only through a refused state are omitted as well and are not in the sum, which counts only
//! direct refusals. The second estimate is not affected, since nothing is omitted unless some state is refused.
//!
//! Several passes with independent hash functions omit different states. A state is missing from all of them only if
//! each pass omitted some state: the product of their probabilities is a bound. The share of states that all passes
//! refuse is the product of the shares.

use super::{Insertion, Occupancy, WhenFull};

/// The fill of a probabilistic passed list, and estimates of omitted states.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Certainty {
    /// The number of passes.
    pub passes: u32,
    /// The number of bits or slots of the table.
    pub places: u64,
    /// The number of used ones; the maximum of several passes.
    pub taken: u64,
    /// The number of states that were found to be new; the maximum of several passes.
    pub states: u64,
    /// The number of states that were visited and not inserted, since the table was full.
    pub unentered: u64,
    /// Whether the search ended because the table was full.
    pub stopped: bool,
    /// The number of new states that the table took for known ones when they were inserted. They were visited. `None`
    /// if this cannot be observed.
    pub collisions: Option<u64>,
    /// The estimated share of new states that every pass refused directly.
    pub share: f64,
    /// The estimated probability that every pass omitted a state.
    pub probability: f64,
}

/// All fields are numbers other than NaN.
impl Eq for Certainty {}

impl Certainty {
    /// The expected number of new states that were refused directly. States behind them are not counted.
    #[must_use]
    pub fn omitted(&self) -> f64 {
        // The share is below 1, since an inserted state represents at most a million states.
        self.states as f64 * self.share / (1.0 - self.share)
    }

    /// The used fraction of the table, from 0 to 1.
    #[must_use]
    pub fn fill(&self) -> f64 {
        self.taken as f64 / self.places.max(1) as f64
    }

    /// The combination of two searches with independent hash functions.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            passes: self.passes + other.passes,
            places: self.places,
            taken: self.taken.max(other.taken),
            states: self.states.max(other.states),
            unentered: self.unentered + other.unentered,
            stopped: self.stopped || other.stopped,
            collisions: self.collisions.zip(other.collisions).map(|(one, two)| one + two),
            share: self.share * other.share,
            probability: self.probability * other.probability,
        }
    }
}

/// Larger probabilities count as this one. A table that refuses nearly everything is useless anyway, and the sums stay
/// in range.
const CHANCE_MAX: f64 = 1.0 - 1e-6;

/// The running sums.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Estimate {
    states: u64,
    omitted: f64,
    /// The logarithm of the probability that no state was omitted.
    log_sure: f64,
}

impl Estimate {
    /// Counts a state that was found to be new; it would have been refused with this probability.
    #[inline]
    pub(super) fn add(&mut self, chance: f64) {
        self.states += 1;
        if chance > 0.0 {
            let chance = chance.min(CHANCE_MAX);
            let stands_for = (1.0 - chance).recip();
            self.omitted += chance * stands_for;
            self.log_sure += stands_for * (-chance).ln_1p();
        }
    }

    pub(super) const fn states(&self) -> u64 {
        self.states
    }

    /// The estimated share of refused states.
    pub(super) fn share(&self) -> f64 {
        let all = self.states as f64 + self.omitted;
        if all > 0.0 { self.omitted / all } else { 0.0 }
    }

    /// The estimated probability that a state was refused.
    pub(super) fn probability(&self) -> f64 {
        // Avoids a negative zero.
        -self.log_sure.exp_m1() + 0.0
    }
}

/// The states that a table has, and what was estimated of those that it omitted.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct PassedCounts {
    pub(super) estimate: Estimate,
    /// The number of states in the table.
    pub(super) inserted: usize,
    pub(super) not_inserted: u64,
    collisions: u64,
    /// Whether the search ends because the table is full.
    pub(super) stopped: bool,
}

impl PassedCounts {
    /// Counts an insertion in a table with so many places. With [`WhenFull::Skip`], as many states as it has places are visited
    /// although they are not inserted.
    pub(super) fn count(&mut self, insertion: Insertion, when_full: WhenFull, places: u64) {
        match insertion {
            Insertion::Inserted => self.inserted += 1,
            Insertion::Collided => {
                self.inserted += 1;
                self.collisions += 1;
            }
            Insertion::Full => {
                self.stopped |= when_full != WhenFull::Skip || self.not_inserted >= places;
            }
            Insertion::Interrupted => {}
        }
    }

    /// The fill of the table, and the estimates. Collisions are observed if every popped state was new when it was offered.
    pub(super) fn certainty(
        &self,
        Occupancy { places, taken }: Occupancy,
        sees_collisions: bool,
    ) -> Certainty {
        Certainty {
            passes: 1,
            places,
            taken,
            states: self.estimate.states(),
            unentered: self.not_inserted,
            stopped: self.stopped,
            collisions: sees_collisions.then_some(self.collisions),
            share: self.estimate.share(),
            probability: self.estimate.probability(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    fn of(estimate: Estimate) -> Certainty {
        Certainty {
            passes: 1,
            places: 100,
            taken: 50,
            states: estimate.states(),
            unentered: 0,
            stopped: false,
            collisions: Some(1),
            share: estimate.share(),
            probability: estimate.probability(),
        }
    }

    #[test]
    fn nothing_is_left_out_where_nothing_can_be() {
        let mut estimate = Estimate::default();
        assert_eq!((estimate.share(), estimate.probability()), (0.0, 0.0));
        estimate.add(0.0);
        let certainty = of(estimate);
        assert_eq!((certainty.states, certainty.omitted(), certainty.probability), (1, 0.0, 0.0));
    }

    /// Trials with various probabilities, of which only insertions are counted: the refusals are estimated to within
    /// three standard deviations, averaged over many rounds.
    #[test]
    fn what_went_wrong_is_known_from_what_went_well() {
        let (mut wrong, mut estimated, mut none, mut sure) = (0u32, 0.0, 0u32, 0.0);
        for seed in 0..400 {
            let mut random = Random::from_seed(seed);
            let mut estimate = Estimate::default();
            let mut refused = 0;
            for trial in 0..1000 {
                let chance = 0.004 * f64::from(trial) / 1000.0;
                if (random.next_u64() as f64) < chance * u64::MAX as f64 {
                    refused += 1;
                } else {
                    estimate.add(chance);
                }
            }
            wrong += refused;
            none += u32::from(refused == 0);
            estimated += of(estimate).omitted();
            sure += 1.0 - estimate.probability();
        }
        // Two in each round; the square root of 800 is 28, and 54 rounds without any have a deviation of 7.
        assert!((f64::from(wrong) - estimated).abs() < 85.0, "{wrong} refused, {estimated} estimated");
        assert!((f64::from(none) - sure).abs() < 21.0, "{none} rounds without any, {sure} estimated");
    }

    /// If most trials are refused, the few insertions represent them.
    #[test]
    fn large_chances_are_estimated_too() {
        let mut random = Random::from_seed(9);
        let (mut estimate, mut refused) = (Estimate::default(), 0.0);
        for _ in 0..100_000 {
            if random.below(10) < 9 {
                refused += 1.0;
            } else {
                estimate.add(0.9);
            }
        }
        let omitted = of(estimate).omitted();
        assert!((omitted - refused).abs() < 0.05 * refused, "{refused} refused, {omitted} estimated");
    }

    #[test]
    fn all_numbers_are_finite() {
        let mut estimate = Estimate::default();
        for _ in 0..1000 {
            estimate.add(1.0);
        }
        let certainty = of(estimate);
        assert!(certainty.omitted() > 1e8 && certainty.omitted().is_finite(), "{}", certainty.omitted());
        assert_eq!(certainty.probability, 1.0);
    }

    #[test]
    fn passes_multiply() {
        let mut estimate = Estimate::default();
        for _ in 0..100 {
            estimate.add(0.01);
        }
        let one = of(estimate);
        let both = one.and(&one);
        assert_eq!((both.passes, both.states, both.collisions), (2, 100, Some(2)));
        assert!((both.probability - one.probability * one.probability).abs() < 1e-12);
        assert!((one.omitted() - 1.0).abs() < 0.02, "{}", one.omitted());
        assert!((both.omitted() - 0.01).abs() < 0.001, "{}", both.omitted());
    }
}
