//! The models of `tourbillon-bench memory`, and how each is explored.
//!
//! Three correspond to rows of the paper's tables: Bang & Olufsen's protocol, and Fischer's with five and with six
//! processes. They are explored as in 2001, with one maximal constant for each clock (Extra_M, global bounds), which
//! also gives Fischer's protocol with five processes the size it had then. The paper's other models are not available.
//! All others are explored by Extra_LU+ with local bounds, breadth first, as in the other benchmarks: this is the
//! typical use today.
//!
//! Public models that are members of a family of `tourbillon gen` under another name are not here twice.

use std::path::{Path, PathBuf};

use super::super::Folder;
use super::super::rows::Effort;
use super::super::source::ModelSource;
use crate::Failure;

/// A model, and how it is explored.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct MemoryModel {
    source: ModelSource,
    /// The row of the paper's tables that it corresponds to.
    pub(super) seed: Option<&'static str>,
    pub(super) effort: Effort,
    /// The expected time of an exploration with equality, which may be much longer.
    pub(super) by_equality: Effort,
}

impl MemoryModel {
    const fn new(source: ModelSource, effort: Effort, by_equality: Effort) -> Self {
        Self { source, seed: None, effort, by_equality }
    }

    const fn seed(mut self, row: &'static str) -> Self {
        self.seed = Some(row);
        self
    }

    pub(super) fn name(&self) -> String {
        let own = self.source.name();
        if self.seed.is_some() { format!("{own}, extra-m") } else { own }
    }

    /// The extrapolation options.
    pub(super) const fn abstraction(&self) -> [&'static str; 4] {
        if self.seed.is_some() {
            ["--abstraction", "extra-m", "--bounds", "global"]
        } else {
            ["--abstraction", "extra-lu+", "--bounds", "local"]
        }
    }

    /// Its file: a member is written, a public model is searched for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn file(&self, folder: &Folder, public: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
        self.source.file(folder, public)
    }
}

pub(super) const MODELS: [MemoryModel; 15] = [
    MemoryModel::new(ModelSource::File("bando.xta"), Effort::Usual, Effort::Usual).seed("B&O"),
    MemoryModel::new(ModelSource::Member("fischer", 5), Effort::Usual, Effort::Usual).seed("Fischer 5"),
    MemoryModel::new(ModelSource::Member("fischer", 6), Effort::Long, Effort::Long).seed("Fischer 6"),
    MemoryModel::new(ModelSource::Member("fischer", 6), Effort::Quick, Effort::Quick),
    MemoryModel::new(ModelSource::Member("fischer", 8), Effort::Quick, Effort::Usual),
    MemoryModel::new(ModelSource::Member("fischer", 9), Effort::Usual, Effort::Usual),
    MemoryModel::new(ModelSource::Member("csmacd", 8), Effort::Quick, Effort::Usual),
    MemoryModel::new(ModelSource::Member("csmacd", 10), Effort::Usual, Effort::Long),
    MemoryModel::new(ModelSource::Member("fddi", 10), Effort::Quick, Effort::Usual),
    MemoryModel::new(ModelSource::Member("critical-region", 3), Effort::Quick, Effort::Usual),
    MemoryModel::new(ModelSource::Member("critical-region", 4), Effort::Usual, Effort::Long),
    MemoryModel::new(ModelSource::File("bando.xta"), Effort::Quick, Effort::Quick),
    MemoryModel::new(ModelSource::File("bocdp.xta"), Effort::Quick, Effort::Quick),
    MemoryModel::new(ModelSource::File("csma-10.xta"), Effort::Usual, Effort::Usual),
    MemoryModel::new(ModelSource::File("engine.xta"), Effort::Quick, Effort::Quick),
];

#[cfg(test)]
mod tests {
    use super::super::super::source::assert_known;
    use super::*;

    #[test]
    fn names_differ_and_members_exist() {
        assert_known(MODELS.map(|model| (model.name(), model.source)));
        assert!(MODELS.iter().all(|model| model.effort <= model.by_equality));
    }
}
