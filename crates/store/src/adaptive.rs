//! When the adaptive cover tests a_LU: as long as a_LU covers states that inclusion does not.
//!
//! a_LU stores a seventh of the states of some models and the same states in most others, where each of its tests costs
//! up to twice the time of the list (`bench/README.md`, "Cover relations"). Nothing in a model says beforehand which kind it is, so
//! the list measures. After [`MISSES`] tests in a row that covered nothing, the interval between two tests grows by [`GROWTH`], up to
//! [`INTERVAL_MAX`]; a test that covers its state sets it back to 1. So a model that a_LU never helps pays for one
//! offer in a thousand, and one where it helps late is noticed late.
//!
//! > **Invariant.** Whether a test is due depends on the outcomes of the tests before it alone: equal searches have equal
//! > counts.

/// The tests without success before the interval grows.
const MISSES: u32 = 64;
/// What the interval is multiplied with.
const GROWTH: u32 = 4;
/// The longest interval between two tests, in offers that inclusion does not cover.
const INTERVAL_MAX: u32 = 1 << 10;

/// The outcomes of a_LU tests so far, as far as the next one depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AdaptiveTests {
    /// Tests without success since the interval changed.
    misses: u32,
    /// A test takes place for one offer in so many.
    interval: u32,
    /// The offers before the next test.
    left: u32,
}

impl AdaptiveTests {
    pub(crate) const fn new() -> Self {
        Self { misses: 0, interval: 1, left: 0 }
    }

    /// Counts an offer that inclusion does not cover; returns whether a_LU is tested for it.
    #[inline]
    pub(crate) const fn is_due(&mut self) -> bool {
        let is_due = self.left == 0;
        self.left = self.left.saturating_sub(1);
        is_due
    }

    /// Whether a_LU is tested for the next offer that inclusion does not cover.
    #[inline]
    pub(crate) const fn is_next_due(&self) -> bool {
        self.left == 0
    }

    /// Records the outcome of a test that was due.
    pub(crate) const fn record(&mut self, covered: bool) {
        if covered {
            *self = Self::new();
            return;
        }
        self.misses += 1;
        if self.misses == MISSES && self.interval < INTERVAL_MAX {
            (self.misses, self.interval) = (0, GROWTH * self.interval);
        }
        self.left = self.interval - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of tests among so many offers, all with the same outcome.
    fn count(tests: &mut AdaptiveTests, offers: u32, covered: bool) -> u32 {
        let mut due = 0;
        for _ in 0..offers {
            if tests.is_due() {
                tests.record(covered);
                due += 1;
            }
        }
        due
    }

    #[test]
    fn every_offer_is_tested_while_tests_succeed() {
        let mut tests = AdaptiveTests::new();
        assert_eq!(count(&mut tests, 1_000, true), 1_000);
        assert_eq!(count(&mut tests, MISSES, false), MISSES);
    }

    #[test]
    fn tests_that_fail_become_rare() {
        let mut tests = AdaptiveTests::new();
        assert_eq!(count(&mut tests, MISSES, false), MISSES);
        assert_eq!(count(&mut tests, GROWTH * MISSES, false), MISSES);
        let _steps = count(&mut tests, 4 * MISSES * INTERVAL_MAX, false);
        assert_eq!(count(&mut tests, 1_000 * INTERVAL_MAX, false), 1_000);
    }

    #[test]
    fn one_success_is_enough_to_test_every_offer_again() {
        let mut tests = AdaptiveTests::new();
        let _steps = count(&mut tests, 4 * MISSES * INTERVAL_MAX, false);
        while !tests.is_due() {}
        tests.record(true);
        assert_eq!(count(&mut tests, 10, true), 10);
    }
}
