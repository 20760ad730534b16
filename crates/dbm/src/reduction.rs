//! Shortest-path reduction: the minimal constraint form of a matrix.
//!
//! Clocks at a fixed distance from each other (a cycle of weight zero leads through both) form classes.
//! Within a class a single cycle through its members, in the order of their indices, says everything. Between
//! classes it is enough to look at one representative of each: there no cycle has weight zero, so the edges
//! that no other path makes redundant are unique, and together they imply the rest
//! `[LarsenLarssonPetterssonYi1997]`. Dropping redundant edges without the classes would be wrong: on a zero
//! cycle each of two edges can make the other redundant.
//!
//! That clocks are not negative is implicit, so `(0,j)` with `(≤,0)` is never among the result.
//!
//! Cubic in the number of classes, by the same loop as closing.

use tourbillon_base::Id;

use crate::bound::{Bound, INFINITY, ZERO, add};
use crate::clock::{Clock, Constraint, Dimension};
use crate::dbm::Dbm;
use crate::kernels;

impl Dbm {
    /// A few constraints of this matrix that imply all others, given that clocks are not negative. They
    /// depend on the zone only. Without those that say no more than that, they are the fewest.
    ///
    /// ```
    /// use tourbillon_dbm::{Dbm, Dimension};
    ///
    /// let zone = Dbm::zero(Dimension::of_clocks(3)?);
    /// assert_eq!(zone.minimal_constraints().len(), 3);
    /// # Ok::<(), tourbillon_dbm::Error>(())
    /// ```
    #[must_use]
    pub fn minimal_constraints(&self) -> Vec<Constraint> {
        let constraint =
            |(i, j, raw)| Constraint::new(Clock::from_index(i), Clock::from_index(j), Bound::from_raw(raw));
        Reduction::of(self).constraints(self).map(constraint).collect()
    }

    fn raw_bound(&self, i: usize, j: usize) -> Bound {
        Bound::from_raw(self.entry(i, j))
    }
}

/// All pairs of different points, row by row.
fn pairs(size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..size).flat_map(move |i| (0..size).map(move |j| (i, j))).filter(|(i, j)| i != j)
}

/// Whether the bound says no more than that a clock is not negative.
fn goes_without_saying(zone: &Dbm, i: usize, j: usize) -> bool {
    i == 0 && zone.entry(i, j) == ZERO
}

/// The classes of a zone's clocks, the reference among them, and the ways round the edges between classes.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    /// For each index the smallest of its class.
    representative: Vec<u16>,
    /// For each index the next of its class, after the last the first; itself if it is alone.
    next_in_class: Vec<u16>,
    /// For each index that is the smallest of its class, the largest of it.
    last_of_class: Vec<u16>,
    points: Vec<u16>,
    /// For each pair of representatives the shortest path through a third one.
    detours: Vec<i32>,
}

impl Reduction {
    pub(crate) fn of(zone: &Dbm) -> Self {
        let mut reduction = Self::new(zone.dimension());
        reduction.reduce(zone);
        reduction
    }

    /// Room for the reduction of zones of this dimension.
    pub(crate) fn new(dimension: Dimension) -> Self {
        let room = || Vec::with_capacity(dimension.size());
        Self {
            representative: room(),
            next_in_class: room(),
            last_of_class: room(),
            points: room(),
            detours: vec![0; dimension.size() * dimension.stride()],
        }
    }

    /// Looks at another zone of the same dimension.
    pub(crate) fn reduce(&mut self, zone: &Dbm) {
        find_representatives(zone, &mut self.representative);
        self.link_cycles();
        self.points.clear();
        self.points.extend((0..).zip(&self.representative).filter(|&(i, &r)| i == r).map(|(i, _)| i));
        kernels::shortest_detours(zone.raw(), zone.dimension().stride(), &self.points, &mut self.detours);
    }

    /// Links each class into a cycle, in the order of the indices.
    fn link_cycles(&mut self) {
        let Self { representative, next_in_class: next, last_of_class: last, .. } = self;
        next.clear();
        next.extend(0..representative.len() as u16);
        last.clone_from(next);
        for (i, &first) in (0..).zip(&*representative) {
            next[usize::from(last[usize::from(first)])] = i;
            next[usize::from(i)] = first;
            last[usize::from(first)] = i;
        }
    }

    /// The smallest index of the class of `i`.
    pub(crate) fn representative(&self, i: usize) -> usize {
        self.representative[i].into()
    }

    /// The edges between representatives that no detour makes redundant and that do not go without saying.
    pub(crate) fn edges(&self, zone: &Dbm) -> impl Iterator<Item = (usize, usize, Bound)> {
        let needed =
            |&(i, j): &(usize, usize)| self.is_needed(zone, i, j) && !goes_without_saying(zone, i, j);
        pairs(self.representative.len()).filter(needed).map(|(i, j)| (i, j, zone.raw_bound(i, j)))
    }

    /// The constraints that imply all others, row by row, as row, column and raw bound.
    pub(crate) fn constraints(&self, zone: &Dbm) -> impl Iterator<Item = (usize, usize, i32)> {
        let size = self.representative.len();
        let rows = (0..size).filter(move |&i| i == 0 || leads_somewhere(zone, i));
        rows.flat_map(move |i| {
            let next = usize::from(self.next_in_class[i]);
            let kept = move |&j: &usize| i != j && (next == j || self.is_needed(zone, i, j));
            let kept = (0..size).filter(kept).map(move |j| (i, j, zone.entry(i, j)));
            kept.filter(|&(i, _, raw)| i != 0 || raw != ZERO)
        })
    }

    fn is_needed(&self, zone: &Dbm, i: usize, j: usize) -> bool {
        let bound = zone.entry(i, j);
        bound != INFINITY
            && self.representative(i) == i
            && self.representative(j) == j
            && self.detours[i * zone.dimension().stride() + j] > bound
    }
}

/// Whether a clock has a finite bound against anything but itself.
fn leads_somewhere(zone: &Dbm, i: usize) -> bool {
    let stride = zone.dimension().stride();
    zone.raw()[i * stride..][..stride].iter().filter(|&&raw| raw != INFINITY).count() > 1
}

/// Clocks without upper bounds are at no fixed distance from anything, and most have none.
fn find_representatives(zone: &Dbm, representative: &mut Vec<u16>) {
    let size = zone.dimension().size();
    representative.clear();
    representative.extend(0..size as u16);
    for j in (1..size).filter(|&j| leads_somewhere(zone, j)) {
        let at_fixed_distance = |&i: &usize| {
            usize::from(representative[i]) == i && add(zone.entry(i, j), zone.entry(j, i)) == ZERO
        };
        if let Some(i) = (0..j).find(at_fixed_distance) {
            representative[j] = i as u16;
        }
    }
}
