//! What is known of what a table left out, without knowing what that is.
//!
//! Each new state that is looked up is a trial: it is refused with some chance `p`, which the table knows at that
//! moment and which its kind derives (`bitstate.rs`, `compact.rs`). A state that is refused is never seen to be
//! new, so the trials that went wrong cannot be counted. Those that went well can. One that went well with chance `p` of
//! going wrong stands for `1/(1 - p)` trials, of which `p/(1 - p)` went wrong: the expected value of that, counted only
//! when a trial goes well, is exactly `p` (the weights of `[HorvitzThompson1952]`). So
//!
//! - the sum of `p/(1 - p)` estimates, without bias, how many new states were refused;
//! - the product of `(1 - p)^(1/(1 - p))` estimates how likely it was that none would be.
//!
//! What lies behind a refused state and nowhere else is left out as well, and is not in the sum: it is about the states
//! that were directly refused. It need not be counted in the second figure, since nothing is left out unless something
//! is refused.
//!
//! Several passes with hash functions that are drawn independently leave out different states. Something is missing from
//! all of them only if each left something out: the product of their probabilities bounds that, whatever lies behind
//! what. Of the states, the share that all refuse is the product of the shares.

/// What is known of what a table left out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Certainty {
    /// How many searches this is about.
    pub passes: u32,
    /// How many bits, or slots, the table has.
    pub places: u64,
    /// How many of them are taken; of several passes, the most.
    pub taken: u64,
    /// How many states were seen to be new; of several passes, the most.
    pub states: u64,
    /// How many were visited and not entered, since the table was full.
    pub unentered: u64,
    /// Whether the search ended because of that.
    pub stopped: bool,
    /// Of the states that were known to be new when they were entered, how many the table took for known ones by then.
    /// They were visited all the same. Nothing where that cannot be seen.
    pub collisions: Option<u64>,
    /// The estimated share of states that were directly refused though they were new, by every pass.
    pub share: f64,
    /// The estimated probability that something was left out, by every pass.
    pub probability: f64,
}

/// No field is ever anything but a number.
impl Eq for Certainty {}

impl Certainty {
    /// How many new states were directly refused, as expected. What lies behind them is not counted.
    #[must_use]
    pub fn omitted(&self) -> f64 {
        // The share is below 1, since a state that was not refused stands for a million at most.
        self.states as f64 * self.share / (1.0 - self.share)
    }

    /// How much of the table is taken, from 0 to 1.
    #[must_use]
    pub fn fill(&self) -> f64 {
        self.taken as f64 / self.places.max(1) as f64
    }

    /// That of two searches for the same, with hash functions that have nothing to do with each other.
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

/// Chances beyond this count as this one. A table in which nearly all is taken for known is of no use anyway, and numbers
/// stay within what can be reckoned with.
const CHANCE_MAX: f64 = 1.0 - 1e-6;

/// The sums, as they are added up.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Estimate {
    states: u64,
    omitted: f64,
    /// The logarithm of the probability that nothing was left out.
    log_sure: f64,
}

impl Estimate {
    /// Counts a state that was seen to be new, though with this chance it would not have been.
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

    /// The estimated share of states that were refused.
    pub(super) fn share(&self) -> f64 {
        let all = self.states as f64 + self.omitted;
        if all > 0.0 { self.omitted / all } else { 0.0 }
    }

    /// The estimated probability that some were.
    pub(super) fn probability(&self) -> f64 {
        // Not a negative zero.
        -self.log_sure.exp_m1() + 0.0
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

    /// Trials with all kinds of chances, of which only those are told that went well: the others are estimated to within
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

    /// Where most are refused, the few that are not stand for them.
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
