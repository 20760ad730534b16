//! Integer valuations, for networks with closed clock constraints only.
//!
//! *Claim.* If all comparisons of clocks in guards, invariants and the formula asked for are closed (`<=`, `>=`,
//! `==`, of clocks or differences, with integers), clocks are set to integers or to each other plus integers,
//! and no step depends on a comparison being false, then a discrete state with a point that satisfies the
//! formula can be reached if and only if it can with integer delays only `[HenzingerMannaPnueli1992]`.
//!
//! *Proof.* Take a run and its absolute times `t0 <= t1 <= ...` of steps and of its end; replace each `t` by
//! `floor(t)`. The value of a clock at some moment is `t - s + c`, with `s` the time when it, or the clock it was
//! copied from, was last set to an integer, and `c` an integer. So every comparison bounds `t - s`, from above or
//! below, by an integer `c`, for two times of the run; for differences of clocks as well, since there the present
//! time drops out. From `t <= s + c` follows `floor(t) <= floor(s) + c`, and likewise for the other. So all
//! comparisons that held still hold, at the same steps, with the same data. Invariants hold at both ends of each
//! delay and so all along it. A delay of 0 stays 0, so urgent and committed locations and urgent channels, whose
//! guards are on data here, are respected. The converse is immediate.
//!
//! *Limits.* A strict comparison can hold for fractions only (`0 < x < 1`). A broadcast whose receivers compare
//! clocks, a lower priority, and a clock in the guard of an urgent synchronisation all ask for a comparison to
//! be false, and the negation of a closed one is open.
//!
//! Integers above a ceiling are not distinguished. Without differences each clock is cut off there. With
//! differences the argument of `regions.rs` applies, of which this is the integer part; gaps between clocks are
//! closed instead.
//!
//! Cost: at most `(k + 2)^n` points for a discrete state without differences, `k` the ceiling.

use tourbillon_base::Rational;

use super::ceilings::Ceilings;
use super::{Time, close_gaps};

/// Integer points up to ceilings.
pub(super) struct Grid {
    pub(super) ceilings: Ceilings,
}

impl Time for Grid {
    fn pause(&self, _: &[Rational]) -> Option<Rational> {
        Some(Rational::from_integer(1))
    }

    fn normal(&self, clocks: &[Rational]) -> Vec<Rational> {
        let ceiling = self.ceilings.single;
        match self.ceilings.diagonal {
            Some(_) => close_gaps(clocks, ceiling),
            None => clocks.iter().map(|&clock| clock.min(Rational::from_integer(ceiling + 1))).collect(),
        }
    }

    fn class(&self, clocks: &[Rational]) -> Vec<i64> {
        self.normal(clocks).into_iter().map(Rational::numerator).collect()
    }
}
