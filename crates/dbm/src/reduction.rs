//! Shortest-path reduction: few constraints that mean the same as the whole matrix.
//!
//! Clocks at a fixed distance from each other (a cycle of weight zero leads through both) form classes.
//! Within a class a single cycle through its members, in the order of their indices, says everything. Between
//! classes it is enough to look at one representative of each: there no cycle has weight zero, so the edges
//! that no other path makes redundant are unique, and together they imply the rest
//! `[LarsenLarssonPetterssonYi1997]`. Dropping redundant edges without the classes would be wrong: on a zero
//! cycle each of two edges can make the other redundant.
//!
//! That clocks are not negative goes without saying, so `(0,j)` with `(≤,0)` is never among the result.
//!
//! Cubic in the number of classes, by the same loop as closing.

use tourbillon_base::Id;

use crate::bound::{Bound, INFINITY, ZERO, add};
use crate::clock::{Clock, Constraint};
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
        let reduction = Reduction::of(self);
        let is_needed =
            |&(i, j): &(usize, usize)| reduction.next_in_class[i] == j || reduction.is_needed(self, i, j);
        let needed = pairs(self.dimension().size())
            .filter(|&(i, j)| !goes_without_saying(self, i, j))
            .filter(is_needed);
        needed
            .map(|(i, j)| Constraint::new(Clock::from_index(i), Clock::from_index(j), self.raw_bound(i, j)))
            .collect()
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
pub(crate) struct Reduction {
    /// For each index the smallest of its class.
    representative: Vec<u16>,
    /// For each index the next of its class, after the last the first; itself if it is alone.
    next_in_class: Vec<usize>,
    /// For each pair of representatives the shortest path through a third one.
    detours: Vec<i32>,
}

impl Reduction {
    pub(crate) fn of(zone: &Dbm) -> Self {
        let representative = representatives(zone);
        let points: Vec<u16> = (0..).zip(&representative).filter(|&(i, &r)| i == r).map(|(i, _)| i).collect();
        let mut detours = vec![0; zone.raw().len()];
        kernels::shortest_detours(zone.raw(), zone.dimension().stride(), &points, &mut detours);
        Self { next_in_class: cycles(&representative), representative, detours }
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

    fn is_needed(&self, zone: &Dbm, i: usize, j: usize) -> bool {
        let bound = zone.entry(i, j);
        self.representative(i) == i
            && self.representative(j) == j
            && bound != INFINITY
            && self.detours[i * zone.dimension().stride() + j] > bound
    }
}

fn representatives(zone: &Dbm) -> Vec<u16> {
    let size = zone.dimension().size();
    let mut representative: Vec<u16> = (0..size as u16).collect();
    for j in 1..size {
        let at_fixed_distance = |&i: &usize| {
            usize::from(representative[i]) == i && add(zone.entry(i, j), zone.entry(j, i)) == ZERO
        };
        if let Some(i) = (0..j).find(at_fixed_distance) {
            representative[j] = i as u16;
        }
    }
    representative
}

/// Links each class into a cycle, in the order of the indices.
fn cycles(representative: &[u16]) -> Vec<usize> {
    let mut next: Vec<usize> = (0..representative.len()).collect();
    let mut last: Vec<usize> = next.clone();
    for (i, &first) in representative.iter().enumerate() {
        let first = usize::from(first);
        next[last[first]] = i;
        next[i] = first;
        last[first] = i;
    }
    next
}
