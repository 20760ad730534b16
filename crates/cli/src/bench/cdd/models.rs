//! The models of `tourbillon bench cdd`: families with many zones for each discrete state and families with few, and public
//! models.

use std::path::{Path, PathBuf};

use super::super::Folder;
use super::super::rows::Effort;
use crate::Failure;

/// A model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Model {
    source: Source,
    pub(super) effort: Effort,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    /// A member of a family.
    Member(&'static str, u32),
    /// A file among the public models.
    File(&'static str),
}

impl Model {
    const fn member(family: &'static str, n: u32, effort: Effort) -> Self {
        Self { source: Source::Member(family, n), effort }
    }

    const fn file_named(name: &'static str, effort: Effort) -> Self {
        Self { source: Source::File(name), effort }
    }

    /// Its name in the tables.
    pub(super) fn name(&self) -> String {
        match self.source {
            Source::Member(family, n) => format!("{family} {n}"),
            Source::File(name) => name.trim_end_matches(".xta").to_owned(),
        }
    }

    /// Its file: a member is written, a public model is looked for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn file(&self, folder: &Folder, public: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
        match self.source {
            Source::Member(family, n) => {
                let family = tourbillon::family(family).map_err(|error| error.to_string())?;
                folder.member(family, n).map(Some)
            }
            Source::File(name) => Ok(public.map(|folder| folder.join(name)).filter(|path| path.is_file())),
        }
    }
}

/// All of them.
pub(super) const MODELS: [Model; 22] = [
    Model::member("fischer", 6, Effort::Quick),
    Model::member("fischer", 7, Effort::Quick),
    Model::member("fischer", 8, Effort::Usual),
    Model::member("fischer", 9, Effort::Usual),
    Model::member("csmacd", 6, Effort::Quick),
    Model::member("csmacd", 8, Effort::Usual),
    Model::member("csmacd", 9, Effort::Usual),
    Model::member("csmacd", 10, Effort::Long),
    Model::member("critical-region", 3, Effort::Quick),
    Model::member("critical-region", 4, Effort::Usual),
    Model::member("critical-region-exclusive", 3, Effort::Quick),
    Model::member("critical-region-exclusive", 4, Effort::Usual),
    Model::member("critical-region-exclusive", 5, Effort::Long),
    Model::member("corsso", 2, Effort::Quick),
    Model::member("corsso", 3, Effort::Usual),
    Model::member("train-gate", 5, Effort::Usual),
    Model::member("flexray", 5, Effort::Usual),
    Model::member("fddi", 5, Effort::Quick),
    Model::file_named("bando.xta", Effort::Usual),
    Model::file_named("bocdp.xta", Effort::Usual),
    Model::file_named("csma-10.xta", Effort::Long),
    Model::file_named("engine.xta", Effort::Quick),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_members_exist() {
        let names: Vec<String> = MODELS.iter().map(Model::name).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name} is there twice");
        }
        for model in MODELS {
            if let Source::Member(family, n) = model.source {
                assert!(tourbillon::family(family).expect("a family").tck(n).is_ok(), "{model:?}");
            }
        }
    }
}
