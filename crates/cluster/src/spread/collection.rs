//! How the first rank of a group finds out what is in use: mark and sweep over all bands (`[ThomsenKristensen2002]`,
//! section 7.4).
//!
//! Owners send the handles that they have when nothing of theirs is on its way. So when all have, nothing is on its way
//! at all, and what these handles lead to is everything that anybody can ask for.

use std::ops::Range;

use tourbillon_dd::Handle;

use super::wire::handles;
use crate::message::Reader;

/// What is known of what is in use.
#[derive(Debug)]
pub(super) struct Collection {
    owners: usize,
    /// Whether there is one.
    is_on: bool,
    /// Who has said, and which of the handles are whose.
    said: Vec<(usize, Range<usize>)>,
    roots: Vec<Handle>,
}

impl Collection {
    /// For so many owners.
    pub(super) const fn new(owners: usize) -> Self {
        Self { owners, is_on: false, said: Vec::new(), roots: Vec::new() }
    }

    /// Begins one; not if there is one already.
    pub(super) fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.is_on, true)
    }

    /// Takes in what an owner has. Returns what all have, if it was the last.
    pub(super) fn gather(&mut self, from: usize, reader: &mut Reader<'_>) -> Option<Vec<Handle>> {
        let start = self.roots.len();
        let count = handles(reader, &mut self.roots);
        self.said.push((from, start..start + count));
        (self.said.len() == self.owners).then(|| std::mem::take(&mut self.roots))
    }

    /// It is over. Returns which of all handles were whose.
    pub(super) fn end(&mut self) -> Vec<(usize, Range<usize>)> {
        self.is_on = false;
        std::mem::take(&mut self.said)
    }
}
