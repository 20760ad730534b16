//! Cover relations: when a stored state subsumes another one with the same discrete state.
//!
//! | relation | the stored zone `Z'` covers `Z` if | parameters |
//! |---|---|---|
//! | [`Equality`](Cover::Equality) | `Z = Z'` | none |
//! | [`Inclusion`](Cover::Inclusion) | `Z ⊆ Z'` | none |
//! | [`Alu`](Cover::Alu) | `Z ⊆ a_LU(Z')` `[HerbreteauSrivathsanWalukiewicz2012]` | the lower and upper bounds of each clock at the discrete state |
//! | [`Adaptive`](Cover::Adaptive) | `Z ⊆ Z'`, or in the list also `Z ⊆ a_LU(Z')`, where `adaptive.rs` says so | as a_LU |
//!
//! Inclusion is subsumption `[DawsTripakis1998]`. a_LU is the coarsest abstraction that is sound for lower and upper
//! bounds `[BehrmannBouyerLarsenPelanek2004]`; it is not convex, so it is not computed but only tested, in time
//! quadratic in the number of clocks.
//!
//! A relation is a preorder, and its parameters are a function of the discrete state: states that are compared with each
//! other have the same parameters. A new relation is a variant of [`Cover`], with its parameters as a variant of
//! [`CoverParameters`] if it has any, a line in [`Cover::covers`], which is its definition on matrices, and a line in each of
//! the two tests on stored zones.
//!
//! Zones are compared as they are stored. A zone that the store cannot encode, since it has a bound that no stored zone
//! has, is compared by the definition.

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_dbm::{ClockBounds, Dbm};

use crate::interface::StateRef;
use crate::node::{Cursor, Nodes};
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cover {
    Equality,
    /// The covering zone includes the covered one.
    Inclusion,
    /// a_LU of the covering zone includes the covered one.
    Alu,
    /// Inclusion; the exact list also tests a_LU as long as that covers states that inclusion does not.
    Adaptive,
}

/// The parameters of a cover relation, at one discrete state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoverParameters<'a> {
    /// For relations that have no parameters.
    None,
    /// For a_LU. Other relations ignore them.
    ClockBounds(&'a ClockBounds),
}

impl<'a> CoverParameters<'a> {
    /// The parameters of a_LU.
    ///
    /// # Panics
    /// If there are none.
    pub(crate) const fn clock_bounds(self) -> &'a ClockBounds {
        match self {
            Self::ClockBounds(bounds) => bounds,
            Self::None => panic!("a_LU needs the clock bounds of the discrete state"),
        }
    }
}

impl<'a> From<&'a ClockBounds> for CoverParameters<'a> {
    fn from(bounds: &'a ClockBounds) -> Self {
        Self::ClockBounds(bounds)
    }
}

impl Cover {
    /// Whether a zone covers another one: the definition.
    ///
    /// # Panics
    /// If parameters are missing, or the zones or the parameters differ in dimension.
    #[must_use]
    pub fn covers(self, larger: &Dbm, smaller: &Dbm, parameters: CoverParameters<'_>) -> bool {
        match self {
            Self::Equality => larger == smaller,
            Self::Inclusion | Self::Adaptive => larger.includes(smaller),
            Self::Alu => smaller.is_simulated_lu(larger, parameters.clock_bounds()),
        }
    }

    /// Whether offers need the parameters of their discrete state.
    #[must_use]
    pub const fn has_parameters(self) -> bool {
        matches!(self, Self::Alu | Self::Adaptive)
    }

    /// Prepares an encoded zone for [`is_covered_by`](Self::is_covered_by).
    pub(crate) fn prepare_covered(self, zones: &dyn ZoneStore, state: &StateRef<'_>, probe: &mut ZoneProbe) {
        if self == Self::Alu && probe.is_encoded {
            zones.prepare_floor(state.zone, state.parameters.clock_bounds(), probe);
        }
    }

    /// Whether a stored zone covers the encoded one.
    #[inline]
    pub(crate) fn is_covered_by(
        self,
        zones: &dyn ZoneStore,
        key: ZoneKey,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) -> bool {
        if !probe.is_encoded {
            let stored = probe.decoded(state.zone.dimension());
            zones.load(key, stored);
            return self.covers(stored, state.zone, state.parameters);
        }
        match self {
            Self::Equality => zones.is_equal(key, state.zone, probe),
            Self::Inclusion | Self::Adaptive => zones.includes(key, state.zone, probe),
            Self::Alu => zones.simulates(key, state.zone, state.parameters.clock_bounds(), probe),
        }
    }

    /// The first node of a list, from a node on, whose zone covers the encoded one.
    #[inline]
    pub(crate) fn find_covering(
        self,
        zones: &dyn ZoneStore,
        (nodes, first): (&Nodes, u32),
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) -> Option<u32> {
        if !probe.is_encoded {
            return nodes.find(first, |key| self.is_covered_by(zones, key, state, probe));
        }
        match self {
            Self::Inclusion if mutants::is(Mutant::InclusionReversed) => {
                nodes.find(first, |key| zones.is_included(key, state.zone, probe))
            }
            Self::Equality => zones.find_equal(nodes, first, state.zone, probe),
            Self::Inclusion | Self::Adaptive => zones.find_including(nodes, first, state.zone, probe),
            Self::Alu => {
                zones.find_simulating(nodes, first, state.zone, state.parameters.clock_bounds(), probe)
            }
        }
    }

    /// The first node of a list from a cursor on whose zone the encoded one covers. None of them covers the encoded one.
    #[inline]
    pub(crate) fn find_covered(
        self,
        zones: &dyn ZoneStore,
        nodes: &Nodes,
        cursor: Cursor,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) -> Option<Cursor> {
        match self {
            Self::Equality => None,
            Self::Inclusion | Self::Adaptive => zones.find_included(nodes, cursor, state.zone, probe),
            Self::Alu => {
                zones.find_simulated(nodes, cursor, state.zone, state.parameters.clock_bounds(), probe)
            }
        }
    }

    /// Prepares an encoded zone for [`covers_stored`](Self::covers_stored).
    pub(crate) fn prepare_covering(self, zones: &dyn ZoneStore, state: &StateRef<'_>, probe: &mut ZoneProbe) {
        if self == Self::Alu {
            zones.prepare_ceiling(state.zone, state.parameters.clock_bounds(), probe);
        }
    }

    /// Whether the encoded zone covers a stored one that does not cover it.
    #[inline]
    pub(crate) fn covers_stored(
        self,
        zones: &dyn ZoneStore,
        key: ZoneKey,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) -> bool {
        debug_assert!(probe.is_encoded, "a zone that is about to be saved is encoded");
        match self {
            Self::Equality => false,
            Self::Inclusion | Self::Adaptive => zones.is_included(key, state.zone, probe),
            Self::Alu => zones.is_simulated(key, state.zone, state.parameters.clock_bounds(), probe),
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::{Id, Random};
    use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dimension};

    use super::*;
    use crate::settings::ZoneForm;
    use crate::zones::new_zone_store;

    const COVERS: [Cover; 4] = [Cover::Equality, Cover::Inclusion, Cover::Alu, Cover::Adaptive];

    fn dimension() -> Dimension {
        Dimension::of_clocks(2).expect("few clocks")
    }

    fn constant(value: i64) -> Constant {
        Constant::new(value).expect("a small constant")
    }

    /// `x <= bound`, larger with larger bounds.
    fn up_to(bound: i64) -> Dbm {
        let mut zone = Dbm::universal(dimension());
        assert!(zone.constrain(Constraint::upper(Clock::from_index(1), Bound::weak(constant(bound)))));
        zone
    }

    /// The bounds `L(x) = U(x) = 3`, and none for the other clock.
    fn bounds() -> ClockBounds {
        let mut bounds = ClockBounds::none(dimension());
        bounds.raise(Clock::from_index(1), constant(3));
        bounds
    }

    #[test]
    fn relations_are_as_they_are_defined() {
        let bounds = bounds();
        let covers = |cover: Cover, larger, smaller| {
            cover.covers(&up_to(larger), &up_to(smaller), CoverParameters::ClockBounds(&bounds))
        };
        // Beyond 3, no guard distinguishes values: `x <= 5` simulates `x <= 9`, and `x <= 2` does not simulate `x <=
        // 3`.
        for (larger, smaller, expected) in [
            (2, 2, [true, true, true, true]),
            (4, 2, [false, true, true, true]),
            (2, 3, [false, false, false, false]),
            (5, 9, [false, false, true, false]),
        ] {
            assert_eq!(COVERS.map(|cover| covers(cover, larger, smaller)), expected, "{larger}, {smaller}");
        }
    }

    #[test]
    #[should_panic(expected = "a_LU needs the clock bounds of the discrete state")]
    fn a_lu_has_parameters() {
        let _covers = Cover::Alu.covers(&up_to(1), &up_to(1), CoverParameters::None);
    }

    /// Compares the tests on stored zones with the definition, in every form, including zones that the store cannot
    /// encode.
    #[test]
    fn stored_zones_are_compared_by_the_definition() {
        let (bounds, random) = (bounds(), &mut Random::from_seed(1));
        for form in ZoneForm::ALL {
            let (mut zones, mut probe) = (new_zone_store(form, dimension()), ZoneProbe::default());
            let mut stored = Vec::new();
            let mut refused = 0;
            for _ in 0..200 {
                let largest = if random.one_in(8) { 20_000 } else { 12 };
                let zone = up_to(random.within(0..=largest).into());
                let parameters = CoverParameters::ClockBounds(&bounds);
                let state = StateRef { discrete: &[], zone: &zone, parameters };
                let agree = |zones: &dyn ZoneStore, probe: &mut ZoneProbe| {
                    for cover in COVERS {
                        cover.prepare_covered(zones, &state, probe);
                        for (key, larger) in &stored {
                            let found = cover.is_covered_by(zones, *key, &state, probe);
                            assert_eq!(found, cover.covers(larger, &zone, parameters), "{form:?}, {cover:?}");
                        }
                    }
                };
                if !zones.encode(&zone, &mut probe) {
                    refused += 1;
                    agree(&*zones, &mut probe);
                }
                zones.encode_extending(&zone, &mut probe);
                agree(&*zones, &mut probe);
                for cover in [Cover::Inclusion, Cover::Alu] {
                    cover.prepare_covering(&*zones, &state, &mut probe);
                    for (key, smaller) in &stored {
                        let found = cover.covers_stored(&*zones, *key, &state, &mut probe);
                        assert_eq!(found, cover.covers(&zone, smaller, parameters), "{form:?}, {cover:?}");
                    }
                }
                stored.push((zones.save(&zone, &probe), zone));
            }
            let minimal = matches!(form, ZoneForm::Minimal | ZoneForm::MinimalShared);
            assert!(refused > 0 || minimal, "{form:?}: every zone could be encoded");
        }
    }
}
