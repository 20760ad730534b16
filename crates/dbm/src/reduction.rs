//! Shortest-path reduction: the few constraints that mean the same as the whole matrix.
//!
//! Clocks at a fixed distance from each other (a cycle of weight zero leads through both) form classes.
//! Within a class a single cycle through its members, in the order of their indices, says everything. Between classes it is enough
//! to look at one representative of each: there no cycle has weight zero, so the edges that no other path
//! makes redundant are unique, and together they imply the rest `[LarsenLarssonPetterssonYi1997]`. Dropping
//! redundant edges without the classes would be wrong: on a zero cycle each of two edges can make the other
//! redundant.
//!
//! That clocks are not negative goes without saying, so `(0,j)` with `(≤,0)` is never among the result.
//!
//! Cubic in the number of classes, with infinite entries skipped.

use tourbillon_base::Id;

use crate::bound::{Bound, INFINITY, ZERO, add};
use crate::clock::{Clock, Constraint};
use crate::dbm::Dbm;

impl Dbm {
    /// The fewest constraints of this matrix that imply all others, given that clocks are not negative. They depend
    /// on the zone only.
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
        let mut edges = Vec::new();
        let classes = Classes::of(self);
        classes.cycles(|i, j| edges.push((i, j)));
        classes.between(self, |i, j| edges.push((i, j)));
        edges.retain(|&(i, j)| !(i == 0 && self.entry(i, j) == ZERO));
        edges.sort_unstable();
        edges.into_iter().map(|(i, j)| self.constraint(i, j)).collect()
    }

    pub(crate) fn constraint(&self, i: usize, j: usize) -> Constraint {
        Constraint::new(Clock::from_index(i), Clock::from_index(j), Bound::from_raw(self.entry(i, j)))
    }
}

/// The clocks of a zone, the reference among them, in classes of those at fixed distances.
pub(crate) struct Classes {
    /// For each index the smallest of its class.
    representative: Vec<usize>,
}

impl Classes {
    pub(crate) fn of(zone: &Dbm) -> Self {
        let mut representative: Vec<usize> = (0..zone.dimension().size()).collect();
        for j in 0..representative.len() {
            let at_fixed_distance =
                |&i: &usize| representative[i] == i && add(zone.entry(i, j), zone.entry(j, i)) == ZERO;
            if let Some(i) = (0..j).find(at_fixed_distance) {
                representative[j] = i;
            }
        }
        Self { representative }
    }

    /// The smallest index of the class of `i`.
    pub(crate) fn representative(&self, i: usize) -> usize {
        self.representative[i]
    }

    /// The edges of the cycle through each class with more than one member.
    fn cycles(&self, mut edge: impl FnMut(usize, usize)) {
        let size = self.representative.len();
        for (first, &representative) in self.representative.iter().enumerate() {
            if first != representative {
                continue;
            }
            let mut last = first;
            for next in (first + 1..size).filter(|&i| self.representative[i] == first) {
                edge(last, next);
                last = next;
            }
            if last != first {
                edge(last, first);
            }
        }
    }

    /// The finite edges between representatives that no path through a third one makes redundant.
    pub(crate) fn between(&self, zone: &Dbm, mut edge: impl FnMut(usize, usize)) {
        let chosen: Vec<usize> =
            (0..self.representative.len()).filter(|&i| self.representative[i] == i).collect();
        for &i in &chosen {
            for &j in &chosen {
                let bound = zone.entry(i, j);
                let redundant =
                    |&k: &usize| k != i && k != j && add(zone.entry(i, k), zone.entry(k, j)) <= bound;
                if i != j && bound != INFINITY && !chosen.iter().any(redundant) {
                    edge(i, j);
                }
            }
        }
    }
}
