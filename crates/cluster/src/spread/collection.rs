//! How the first rank of a group finds out what is in use: mark and sweep over all bands (`[ThomsenKristensen2002]`,
//! section 7.4).
//!
//! Owners send the handles that they have when nothing of theirs is on its way. So when all have, nothing is on its way
//! at all, and what these handles lead to is everything that anybody can ask for.

use tourbillon_dd::Handle;

use super::wire::handles;
use crate::message::Reader;

/// What is known of what is in use.
#[derive(Debug)]
pub(super) struct Collection {
    owners: usize,
    /// How many have not said yet; nothing if there is no collection.
    missing: Option<usize>,
    roots: Vec<Handle>,
}

impl Collection {
    /// For so many owners.
    pub(super) const fn new(owners: usize) -> Self {
        Self { owners, missing: None, roots: Vec::new() }
    }

    /// Begins one; not if there is one already.
    pub(super) fn begin(&mut self) -> bool {
        let begins = self.missing.is_none();
        self.missing.get_or_insert(self.owners);
        begins
    }

    /// Takes in what an owner has. Returns what all have, if it was the last.
    pub(super) fn gather(&mut self, reader: &mut Reader<'_>) -> Option<Vec<Handle>> {
        handles(reader, &mut self.roots);
        let missing = self.missing.as_mut().expect("owners tell what they are asked for");
        *missing -= 1;
        (*missing == 0).then(|| std::mem::take(&mut self.roots))
    }

    /// It is over.
    pub(super) fn end(&mut self) {
        self.missing = None;
    }
}
