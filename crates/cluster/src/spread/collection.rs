//! The roots of a collection, on the first rank of a group: mark and sweep over all bands (`[ThomsenKristensen2002]`, section 7.4).
//!
//! Owners send their handles when none of their queries is in transit. So when all have sent them, no query is in transit at all, and
//! the nodes reachable from these handles are all nodes in use.

use std::ops::Range;

use tourbillon_dd::Handle;

use super::wire::handles;
use crate::message::Reader;

/// The handles in use, as far as they are known.
#[derive(Debug)]
pub(super) struct Collection {
    owners: usize,
    is_on: bool,
    /// The owners that have sent their handles, with the ranges of these in `roots`.
    said: Vec<(usize, Range<usize>)>,
    roots: Vec<Handle>,
}

impl Collection {
    pub(super) const fn new(owners: usize) -> Self {
        Self { owners, is_on: false, said: Vec::new(), roots: Vec::new() }
    }

    /// Begins a collection. Returns false if one is running.
    pub(super) fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.is_on, true)
    }

    /// Adds the handles of an owner. Returns all handles after the last owner.
    pub(super) fn gather(&mut self, from: usize, reader: &mut Reader<'_>) -> Option<Vec<Handle>> {
        let start = self.roots.len();
        let count = handles(reader, &mut self.roots);
        self.said.push((from, start..start + count));
        (self.said.len() == self.owners).then(|| std::mem::take(&mut self.roots))
    }

    /// Ends the collection. Returns the range of handles of each owner.
    pub(super) fn end(&mut self) -> Vec<(usize, Range<usize>)> {
        self.is_on = false;
        std::mem::take(&mut self.said)
    }
}
