//! Valuations in multiples of a fraction, for networks with stopwatches.
//!
//! What such delays reach is reached. The rest is not decided by anything: reachability with stopwatches is undecidable
//! `[CassezLarsen2000]`. Without comparisons of differences, a clock beyond the ceiling is set to the first point above it:
//! it can do what it could before, by the same delays, whether it runs or stands. With them every point counts by
//! itself, and there may be no end of them.

use tourbillon_base::Rational;

use super::Time;
use super::ceilings::Ceilings;

/// Multiples of a fraction up to a ceiling, if there is one.
pub(super) struct Fractions {
    parts: i64,
    beyond: Option<Rational>,
}

impl Fractions {
    /// Multiples of one of so many parts of a unit.
    pub(super) fn new(ceilings: Ceilings, parts: i64) -> Self {
        let beyond = ceilings.diagonal.is_none().then(|| Rational::from_integer(ceilings.single + 1));
        Self { parts, beyond }
    }
}

impl Time for Fractions {
    fn pause(&self, _: &[Rational]) -> Option<Rational> {
        Rational::new(1, self.parts)
    }

    fn normal(&self, clocks: &[Rational]) -> Vec<Rational> {
        let within = |clock: Rational| self.beyond.map_or(clock, |beyond| clock.min(beyond));
        clocks.iter().map(|&clock| within(clock)).collect()
    }

    fn class(&self, clocks: &[Rational]) -> Vec<i64> {
        let parts = |clock: Rational| clock.numerator() * (self.parts / clock.denominator());
        self.normal(clocks).into_iter().map(parts).collect()
    }
}
