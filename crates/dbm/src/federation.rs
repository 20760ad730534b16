//! Finite unions of zones.
//!
//! Zones are closed under intersection, but not under complement or union; deadlock and liveness need both.
//! A federation is a list of zones, possibly overlapping, that stands for their union; the empty list is
//! the empty set. Its list is not canonical: two federations are equal as sets iff each includes the other.
//!
//! Subtraction is the operation everything rests on. To take zone `B` from zone `A`, go through the minimal
//! constraints of `B` one by one: what violates the constraint is split off as one piece of the result, what
//! satisfies it is split on; what satisfies all of them lies in `B` and is dropped. The pieces are disjoint,
//! and using the minimal constraints keeps them few `[DavidHakanssonLarsenPettersson2006]`.
//!
//! Costs grow with the product of the list lengths, and subtraction can lengthen lists:
//! [`Federation::reduce`] shortens them again.

use std::fmt;

use crate::bound::Constant;
use crate::clock::{Clock, Constraint, Dimension};
use crate::dbm::{Dbm, Relation};

/// A finite union of zones of one dimension.
///
/// ```
/// use tourbillon_dbm::{Dbm, Dimension, Federation, parse_constraints};
///
/// let dimension = Dimension::of_clocks(1)?;
/// let mut middle = Dbm::universal(dimension);
/// for constraint in parse_constraints("x>=1, x<2", &["x"]).unwrap() {
///     assert!(middle.constrain(constraint));
/// }
/// let mut rest = Federation::from(Dbm::universal(dimension));
/// rest.subtract_zone(&middle);
/// assert_eq!(rest.to_string(), "{x1<1} or {x1>=2}");
/// # Ok::<(), tourbillon_dbm::Error>(())
/// ```
#[derive(Clone)]
pub struct Federation {
    dimension: Dimension,
    zones: Vec<Dbm>,
    /// Whether a zone that had overflowed was taken away, so that too little may be left.
    overflowed: bool,
}

impl Federation {
    #[must_use]
    pub const fn empty(dimension: Dimension) -> Self {
        Self { dimension, zones: Vec::new(), overflowed: false }
    }

    /// How many clocks it speaks of.
    #[must_use]
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Whether it has no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// The zones whose union it is.
    #[must_use]
    pub fn zones(&self) -> &[Dbm] {
        &self.zones
    }

    /// Whether a bound on the way here was too large to hold; see [`Dbm::overflowed`].
    #[must_use]
    pub fn overflowed(&self) -> bool {
        self.overflowed || self.zones.iter().any(Dbm::overflowed)
    }

    /// Adds a zone, unless one of the list includes it; drops those that it includes.
    ///
    /// # Panics
    /// If the dimensions differ, as for all operations on two operands.
    pub fn add(&mut self, zone: Dbm) {
        self.assert_dimension(zone.dimension());
        let mut kept = 0;
        while let Some(other) = self.zones.get(kept) {
            match zone.relation(other) {
                Relation::Equal | Relation::Subset => return,
                Relation::Superset => drop(self.zones.swap_remove(kept)),
                Relation::Different => kept += 1,
            }
        }
        self.zones.push(zone);
    }

    /// Adds all points of another federation.
    pub fn unite(&mut self, other: Self) {
        self.assert_dimension(other.dimension);
        self.overflowed |= other.overflowed;
        other.zones.into_iter().for_each(|zone| self.add(zone));
    }

    /// Keeps the points that satisfy a constraint.
    pub fn constrain(&mut self, constraint: Constraint) {
        self.zones.retain_mut(|zone| zone.constrain(constraint));
    }

    /// Keeps the points that lie in a zone.
    pub fn intersect_zone(&mut self, other: &Dbm) {
        self.assert_dimension(other.dimension());
        self.zones.retain_mut(|zone| zone.intersect(other));
    }

    /// Keeps the points that lie in both.
    pub fn intersect(&mut self, other: &Self) {
        self.assert_dimension(other.dimension);
        let mut result = Self::empty(self.dimension);
        result.overflowed = self.overflowed || other.overflowed;
        for zone in &other.zones {
            let mut part = self.clone();
            part.intersect_zone(zone);
            result.unite(part);
        }
        *self = result;
    }

    /// Takes away the points of a zone.
    pub fn subtract_zone(&mut self, other: &Dbm) {
        self.assert_dimension(other.dimension());
        self.overflowed |= other.overflowed();
        let minimal = other.minimal_constraints();
        let mut pieces = Vec::with_capacity(self.zones.len());
        for zone in self.zones.drain(..) {
            split_off(zone, other, &minimal, &mut pieces);
        }
        self.zones = pieces;
    }

    /// Takes away the points of another federation.
    pub fn subtract(&mut self, other: &Self) {
        self.assert_dimension(other.dimension);
        self.overflowed |= other.overflowed;
        for zone in &other.zones {
            self.subtract_zone(zone);
        }
    }

    /// Whether it includes all points of a zone, be it by several of its zones together.
    ///
    /// Yes is always right. If a piece of the zone has a bound too large to hold, the answer is no.
    #[must_use]
    pub fn includes_zone(&self, zone: &Dbm) -> bool {
        self.assert_dimension(zone.dimension());
        if self.zones.iter().any(|own| own.includes(zone)) {
            return true;
        }
        let mut rest = Self::from(zone.clone());
        for own in &self.zones {
            rest.subtract_zone(own);
            if rest.is_empty() {
                return true;
            }
        }
        false
    }

    /// Whether it includes all points of another federation.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        self.assert_dimension(other.dimension);
        other.zones.iter().all(|zone| self.includes_zone(zone))
    }

    /// Whether the two have the same points.
    #[must_use]
    pub fn same_set(&self, other: &Self) -> bool {
        self.includes(other) && other.includes(self)
    }

    /// The same set with fewer zones: pairs whose hull adds no point are merged, and zones that the others
    /// cover together are dropped. Not a minimum, which is hard to find.
    pub fn reduce(&mut self) {
        while self.merge_one_pair() {}
        let mut index = 0;
        while index < self.zones.len() {
            let zone = self.zones.swap_remove(index);
            if !self.includes_zone(&zone) {
                self.zones.push(zone);
                let last = self.zones.len() - 1;
                self.zones.swap(index, last);
                index += 1;
            }
        }
    }

    /// Replaces two zones by their hull, if some pair allows it.
    fn merge_one_pair(&mut self) -> bool {
        for i in 0..self.zones.len() {
            for j in 0..i {
                let mut hull = self.zones[i].clone();
                hull.hull(&self.zones[j]);
                let mut added = Self::from(hull.clone());
                added.subtract_zone(&self.zones[i]);
                added.subtract_zone(&self.zones[j]);
                if added.is_empty() {
                    self.zones.swap_remove(i);
                    self.zones.swap_remove(j);
                    self.add(hull);
                    return true;
                }
            }
        }
        false
    }
}

/// Time and updates, forwards and backwards.
impl Federation {
    pub fn up(&mut self) {
        self.map(|mut zone| {
            zone.up();
            Some(zone)
        });
    }

    /// The points from which some delay leads into the set.
    pub fn down(&mut self) {
        self.map(|mut zone| {
            zone.down();
            Some(zone)
        });
    }

    /// Forgets the value of a clock.
    ///
    /// # Panics
    /// As [`Dbm::free`].
    pub fn free(&mut self, clock: Clock) {
        self.map(|mut zone| {
            zone.free(clock);
            Some(zone)
        });
    }

    /// The points from which `clock := value` leads into the set.
    ///
    /// # Panics
    /// As [`Dbm::before_reset`].
    pub fn before_reset(&mut self, clock: Clock, value: Constant) {
        self.map(|zone| zone.before_reset(clock, value));
    }

    /// The points from which `clock := source + offset` leads into the set.
    ///
    /// # Panics
    /// As [`Dbm::before_assign`].
    pub fn before_assign(&mut self, clock: Clock, source: Clock, offset: Constant) {
        self.map(|zone| zone.before_assign(clock, source, offset));
    }

    /// The points from which some delay leads into the set and no delay up to and including that one leads
    /// into `bad`.
    ///
    /// With one zone `b` to avoid, those are the points that reach `g` and never reach `b` at all, and those
    /// that reach a point of `g` from which `b` is still to come but has not begun: `(g↓ − b↓) ∪ ((g ∩ b↓) −
    /// b)↓`. A point avoids a union iff it can avoid each zone of it on the way to one and the same goal
    /// zone, which holds since goal zones are convex `[CassezDavidFleuryLarsenLime2005]`.
    #[must_use]
    pub fn delays_into_avoiding(&self, bad: &Self) -> Self {
        self.assert_dimension(bad.dimension);
        let mut result = Self::empty(self.dimension);
        for good in &self.zones {
            let mut avoiding = Self::from(good.clone());
            avoiding.down();
            for bad in &bad.zones {
                avoiding.intersect(&avoiding_one(good, bad));
            }
            result.unite(avoiding);
        }
        result
    }

    fn map(&mut self, operation: impl FnMut(Dbm) -> Option<Dbm>) {
        let zones = std::mem::take(&mut self.zones);
        zones.into_iter().filter_map(operation).for_each(|zone| self.add(zone));
    }

    fn assert_dimension(&self, dimension: Dimension) {
        assert_eq!(self.dimension, dimension, "federations of different dimensions");
    }
}

/// Appends the pieces of `zone` outside `other`, whose minimal constraints are given.
fn split_off(mut zone: Dbm, other: &Dbm, minimal: &[Constraint], pieces: &mut Vec<Dbm>) {
    if minimal.iter().any(|&constraint| !zone.admits(constraint)) {
        pieces.push(zone);
        return;
    }
    if other.includes(&zone) {
        return;
    }
    for &constraint in minimal {
        let Some(contrary) = constraint.complement() else { continue };
        let mut outside = zone.clone();
        if outside.constrain(contrary) {
            pieces.push(outside);
        }
        if !zone.constrain(constraint) {
            return;
        }
    }
}

/// The points that can delay into `good` without meeting `bad`, both single zones.
fn avoiding_one(good: &Dbm, bad: &Dbm) -> Federation {
    let mut before_bad = bad.clone();
    before_bad.down();
    let mut before_good = good.clone();
    before_good.down();

    let mut never = Federation::from(before_good);
    never.subtract_zone(&before_bad);

    let mut not_yet = Federation::from(good.clone());
    not_yet.intersect_zone(&before_bad);
    not_yet.subtract_zone(bad);
    not_yet.down();

    never.unite(not_yet);
    never
}

impl From<Dbm> for Federation {
    fn from(zone: Dbm) -> Self {
        Self { dimension: zone.dimension(), zones: vec![zone], overflowed: false }
    }
}

impl fmt::Display for Federation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_empty() { "false" } else { "" })?;
        for (index, zone) in self.zones.iter().enumerate() {
            write!(f, "{}{zone:?}", if index == 0 { "" } else { " or " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Federation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
