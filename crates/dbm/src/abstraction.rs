//! Abstractions: extrapolations and simulations by the constants of a model.
//!
//! An extrapolation is an operation: it enlarges a zone to one of finitely many. A simulation is a relation:
//! zones stay exact, and only the question whether one covers another is answered up to it. Coarser
//! from left to right:
//!
//! ```text
//!   Z  ⊆  Extra_M  ⊆  Extra_M+, Extra_LU  ⊆  Extra_LU+  ⊆  a_LU
//! ```
//!
//! All are sound for reachability in models without diagonal constraints `[BehrmannBouyerLarsenPelanek2004]`,
//! `[HerbreteauSrivathsanWalukiewicz2012]`; with them, none is `[Bouyer2003]`. M-based ones preserve
//! deadlocks, LU-based ones do not. It is for the caller to choose; here each is only what its definition
//! says.

use crate::bounds::ClockBounds;
use crate::dbm::Dbm;
use crate::kernels::{self, Extrapolation};

impl Dbm {
    /// Extra_M, by the larger of `L` and `U` of each clock.
    ///
    /// # Panics
    /// If the dimensions differ, as for all abstractions.
    pub fn extra_m(&mut self, bounds: &ClockBounds) {
        self.extrapolate(Extrapolation::Plain, bounds, bounds.raw_maximum(), bounds.raw_maximum());
    }

    /// Extra_M+, by the larger of `L` and `U` of each clock.
    pub fn extra_m_plus(&mut self, bounds: &ClockBounds) {
        self.extrapolate(Extrapolation::Plus, bounds, bounds.raw_maximum(), bounds.raw_maximum());
    }

    /// Extra_LU.
    pub fn extra_lu(&mut self, bounds: &ClockBounds) {
        self.extrapolate(Extrapolation::Plain, bounds, bounds.raw_lower(), bounds.raw_upper());
    }

    /// Extra_LU+.
    #[inline]
    pub fn extra_lu_plus(&mut self, bounds: &ClockBounds) {
        self.extrapolate(Extrapolation::Plus, bounds, bounds.raw_lower(), bounds.raw_upper());
    }

    /// Whether this zone is included in a_LU of the other.
    #[must_use]
    pub fn is_simulated_lu(&self, other: &Self, bounds: &ClockBounds) -> bool {
        self.is_simulated(other, bounds, bounds.raw_lower(), bounds.raw_upper())
    }

    /// Whether this zone is included in a_M of the other, by the larger of `L` and `U` of each clock.
    #[must_use]
    pub fn is_simulated_m(&self, other: &Self, bounds: &ClockBounds) -> bool {
        self.is_simulated(other, bounds, bounds.raw_maximum(), bounds.raw_maximum())
    }

    /// Frees the clocks about which nothing is ever asked.
    pub fn free_inactive(&mut self, bounds: &ClockBounds) {
        self.assert_bounds(bounds);
        for clock in self.dimension.iter() {
            if bounds.is_inactive(clock) {
                self.free(clock);
            }
        }
    }

    /// Extrapolates and closes again. The shortest paths of the result lead through clocks with both limits
    /// only, and through the reference:
    ///
    /// - A clock without `L` has nothing but infinity in its row.
    /// - A clock `k` without `U` has infinity in its column, but for `(0,k)`, which is `(≤,0)`. A path from
    ///   the reference through `k` to `j` therefore weighs what `(k,j)` weighs, and `(0,j)` is at most that:
    ///   it was before, since `x_k` is not negative, and each rule that raises `(0,j)` raises `(k,j)` at
    ///   least as far.
    ///
    /// In Fischer's protocol no clock has both, and closing is quadratic.
    #[inline]
    fn extrapolate(&mut self, shape: Extrapolation, bounds: &ClockBounds, lower: &[i32], upper: &[i32]) {
        self.assert_bounds(bounds);
        let stride = self.dimension.stride();
        if kernels::extrapolate(self.raw_mut(), stride, shape, lower, upper) {
            let non_empty =
                self.close_with(|matrix, stride| kernels::close_through(matrix, stride, lower, upper));
            debug_assert!(non_empty, "an extrapolation only enlarges");
        }
    }

    fn is_simulated(&self, other: &Self, bounds: &ClockBounds, lower: &[i32], upper: &[i32]) -> bool {
        self.assert_same_dimension(other);
        self.assert_bounds(bounds);
        kernels::simulated(self.raw(), other.raw(), self.dimension.stride(), lower, upper)
    }

    fn assert_bounds(&self, bounds: &ClockBounds) {
        assert_eq!(self.dimension, bounds.dimension(), "a zone and bounds of different dimensions");
    }
}
