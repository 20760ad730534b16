//! Sorts of values: which values of an expression an automorphism renames, and to what.
//!
//! A *sort* is a partial injective map on values. Expressions whose values flow into each other, by assignment, comparison or
//! as an index, have one sort; it is the union of what their literals require. A sort is *plain* once something computes
//! with its values, orders them or tests them for truth: then every value must be mapped to itself.
//!
//! The rules are those of scalar sets `[IpDill1996]`, without the declaration.
//!
//! Sorts form a union-find forest with a trail, so that a failed attempt can be undone.

use std::collections::BTreeMap;

use tourbillon_base::define_id;
use tourbillon_model::{ExprId, Range};

use crate::conflict::{Conflict, Why};

define_id! {
    /// A sort of the forest.
    pub struct SortId;
}

/// The sort of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// Every value is mapped to itself.
    Plain,
    /// A literal and its image, of a sort that is not known yet.
    Literal(i32, i32),
    Of(SortId),
}

#[derive(Clone, Default, Debug)]
struct Node {
    parent: Option<SortId>,
    /// The expression that requires the values to be mapped to themselves, if one does.
    plain: Option<ExprId>,
    images: BTreeMap<i32, i32>,
    preimages: BTreeMap<i32, i32>,
}

/// The forest of sorts.
#[derive(Default, Debug)]
pub(crate) struct Sorts {
    nodes: tourbillon_base::IdVec<SortId, Node>,
    trail: Vec<Undo>,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Parent(SortId),
    Plain(SortId),
    Image(SortId, i32),
}

/// A moment to which the forest can be reset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SortMark {
    nodes: usize,
    trail: usize,
}

impl Sorts {
    pub(crate) fn fresh(&mut self) -> SortId {
        self.nodes.push(Node::default())
    }

    pub(crate) fn mark(&self) -> SortMark {
        SortMark { nodes: self.nodes.len(), trail: self.trail.len() }
    }

    pub(crate) fn reset(&mut self, mark: SortMark) {
        while self.trail.len() > mark.trail {
            match self.trail.pop() {
                Some(Undo::Parent(id)) => self.nodes[id].parent = None,
                Some(Undo::Plain(id)) => self.nodes[id].plain = None,
                Some(Undo::Image(id, from)) => {
                    if let Some(to) = self.nodes[id].images.remove(&from) {
                        self.nodes[id].preimages.remove(&to);
                    }
                }
                None => break,
            }
        }
        self.nodes.truncate(mark.nodes);
    }

    fn root(&self, mut id: SortId) -> SortId {
        while let Some(parent) = self.nodes[id].parent {
            id = parent;
        }
        id
    }

    /// Requires every value to be mapped to itself, because of this expression.
    pub(crate) fn make_plain(&mut self, sort: Sort, by: ExprId) -> Result<(), Conflict> {
        match sort {
            Sort::Plain => Ok(()),
            Sort::Literal(from, to) if from == to => Ok(()),
            Sort::Literal(from, to) => Err(Conflict::at(by, Why::Numbers(from, to))),
            Sort::Of(id) => {
                let root = self.root(id);
                if self.nodes[root].images.iter().any(|(from, to)| from != to) {
                    return Err(Conflict::at(by, Why::Computed));
                }
                if self.nodes[root].plain.is_none() {
                    self.nodes[root].plain = Some(by);
                    self.trail.push(Undo::Plain(root));
                }
                Ok(())
            }
        }
    }

    /// The number of requirements so far.
    pub(crate) fn facts(&self) -> usize {
        self.trail.len()
    }

    /// The image of a value, if there is a requirement.
    pub(crate) fn known(&self, sort: Sort, value: i32) -> Option<i32> {
        match sort {
            Sort::Plain => Some(value),
            Sort::Literal(from, to) => (from == value).then_some(to),
            Sort::Of(id) => {
                let node = &self.nodes[self.root(id)];
                node.plain.map(|_| value).or_else(|| node.images.get(&value).copied())
            }
        }
    }

    /// Requires a value to be mapped to another.
    pub(crate) fn bind(&mut self, id: SortId, from: i32, to: i32, by: ExprId) -> Result<(), Conflict> {
        let root = self.root(id);
        let node = &mut self.nodes[root];
        if let Some(plain) = node.plain {
            return if from == to { Ok(()) } else { Err(Conflict::at(plain, Why::Computed)) };
        }
        match (node.images.get(&from), node.preimages.get(&to)) {
            (None, None) => {
                node.images.insert(from, to);
                node.preimages.insert(to, from);
                self.trail.push(Undo::Image(root, from));
                Ok(())
            }
            (Some(&known), _) if known == to => Ok(()),
            _ => Err(Conflict::at(by, Why::Different)),
        }
    }

    /// Requires two expressions to have one sort, and returns it.
    pub(crate) fn unify(&mut self, one: Sort, other: Sort, by: ExprId) -> Result<Sort, Conflict> {
        match (one, other) {
            (Sort::Plain, sort) | (sort, Sort::Plain) => self.make_plain(sort, by).map(|()| Sort::Plain),
            (Sort::Of(id), Sort::Literal(from, to)) | (Sort::Literal(from, to), Sort::Of(id)) => {
                self.bind(id, from, to, by).map(|()| Sort::Of(id))
            }
            (Sort::Literal(a, b), Sort::Literal(..)) => {
                let id = self.fresh();
                self.bind(id, a, b, by)?;
                self.unify(Sort::Of(id), other, by)
            }
            (Sort::Of(one), Sort::Of(other)) => self.join(one, other, by).map(Sort::Of),
        }
    }

    fn join(&mut self, one: SortId, other: SortId, by: ExprId) -> Result<SortId, Conflict> {
        let (one, other) = (self.root(one), self.root(other));
        let (winner, loser) = (one.min(other), one.max(other));
        if winner == loser {
            return Ok(winner);
        }
        if let Some(plain) = self.nodes[loser].plain {
            self.make_plain(Sort::Of(winner), plain)?;
        }
        let images: Vec<(i32, i32)> =
            self.nodes[loser].images.iter().map(|(&from, &to)| (from, to)).collect();
        for (from, to) in images {
            self.bind(winner, from, to, by)?;
        }
        self.nodes[loser].parent = Some(winner);
        self.trail.push(Undo::Parent(loser));
        Ok(winner)
    }

    /// The permutation of values that a sort requires; values that nothing is required of stay, or close a cycle.
    pub(crate) fn values(&self, sort: Sort) -> ValueMap {
        match sort {
            Sort::Plain => ValueMap::default(),
            Sort::Literal(from, to) => ValueMap::closing(&BTreeMap::from([(from, to)])),
            Sort::Of(id) => ValueMap::closing(&self.nodes[self.root(id)].images),
        }
    }
}

/// A permutation of finitely many integers; the others stay.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ValueMap {
    /// The values that are moved, with their images, by value.
    moved: Vec<(i32, i32)>,
}

impl ValueMap {
    /// The permutation that extends an injective map: the end of each of its chains is mapped to the beginning.
    fn closing(images: &BTreeMap<i32, i32>) -> Self {
        let mut moved: Vec<(i32, i32)> =
            images.iter().filter(|(from, to)| from != to).map(|(&from, &to)| (from, to)).collect();
        let targets: std::collections::BTreeSet<i32> = images.values().copied().collect();
        for &start in images.keys().filter(|start| !targets.contains(start)) {
            let mut end = start;
            while let Some(&next) = images.get(&end) {
                end = next;
            }
            moved.push((end, start));
        }
        moved.sort_unstable();
        Self { moved }
    }

    #[must_use]
    pub fn get(&self, value: i32) -> i32 {
        self.moved.binary_search_by_key(&value, |&(from, _)| from).map_or(value, |index| self.moved[index].1)
    }

    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.moved.is_empty()
    }

    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut moved: Vec<(i32, i32)> = self.moved.iter().map(|&(from, to)| (to, from)).collect();
        moved.sort_unstable();
        Self { moved }
    }

    /// The permutation that applies another one first.
    #[must_use]
    pub fn after(&self, first: &Self) -> Self {
        let mut values: Vec<i32> = self.moved.iter().chain(&first.moved).map(|&(from, _)| from).collect();
        values.sort_unstable();
        values.dedup();
        let images = values.into_iter().map(|value| (value, self.get(first.get(value))));
        Self { moved: images.filter(|(from, to)| from != to).collect() }
    }

    /// The values that are moved, with their images.
    #[must_use]
    pub fn moved(&self) -> &[(i32, i32)] {
        &self.moved
    }

    /// Whether the values of a range are mapped to values of the range.
    #[must_use]
    pub fn keeps(&self, range: Range) -> bool {
        self.moved.iter().all(|&(from, to)| range.contains(from) == range.contains(to))
    }

    /// Whether every value of a range is mapped to itself.
    #[must_use]
    pub fn fixes(&self, range: Range) -> bool {
        self.moved.iter().all(|&(from, _)| !range.contains(from))
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Id;

    use super::*;

    const BY: fn() -> ExprId = || ExprId::from_index(0);

    #[test]
    fn sorts_that_flow_together_have_the_images_of_both() {
        let mut sorts = Sorts::default();
        let (one, other) = (sorts.fresh(), sorts.fresh());
        sorts.bind(one, 1, 2, BY()).unwrap();
        sorts.bind(other, 2, 1, BY()).unwrap();
        sorts.unify(Sort::Of(one), Sort::Of(other), BY()).unwrap();
        assert_eq!(sorts.values(Sort::Of(other)).moved(), [(1, 2), (2, 1)]);
        assert!(sorts.bind(other, 1, 3, BY()).is_err(), "1 has another image");
        assert!(sorts.bind(one, 3, 2, BY()).is_err(), "2 has another preimage");
    }

    #[test]
    fn a_value_that_is_computed_with_stays() {
        let mut sorts = Sorts::default();
        let sort = sorts.fresh();
        sorts.make_plain(Sort::Of(sort), BY()).unwrap();
        assert!(sorts.bind(sort, 1, 1, BY()).is_ok());
        assert!(sorts.bind(sort, 1, 2, BY()).is_err());
        let moved = sorts.fresh();
        sorts.bind(moved, 1, 2, BY()).unwrap();
        assert!(sorts.unify(Sort::Of(moved), Sort::Of(sort), BY()).is_err());
        assert!(sorts.unify(Sort::Plain, Sort::Literal(1, 2), BY()).is_err());
    }

    #[test]
    fn a_failed_attempt_is_undone() {
        let mut sorts = Sorts::default();
        let one = sorts.fresh();
        sorts.bind(one, 1, 2, BY()).unwrap();
        let mark = sorts.mark();
        let other = sorts.fresh();
        sorts.bind(other, 2, 3, BY()).unwrap();
        sorts.unify(Sort::Of(one), Sort::Of(other), BY()).unwrap();
        sorts.reset(mark);
        assert_eq!(sorts.values(Sort::Of(one)).moved(), [(1, 2), (2, 1)]);
        assert!(sorts.bind(one, 2, 4, BY()).is_ok(), "2 is free again");
    }

    #[test]
    fn chains_are_closed() {
        let map = ValueMap::closing(&BTreeMap::from([(1, 2), (2, 3), (5, 5)]));
        assert_eq!([1, 2, 3, 4, 5].map(|value| map.get(value)), [2, 3, 1, 4, 5]);
        assert!(map.keeps(Range { min: 1, max: 3 }) && !map.keeps(Range { min: 1, max: 2 }));
        assert!(map.fixes(Range { min: 4, max: 9 }) && !map.fixes(Range { min: 3, max: 4 }));
    }
}
