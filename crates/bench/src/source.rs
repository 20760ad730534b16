//! The sources of models: families, and public files.

use std::path::{Path, PathBuf};

use super::Folder;
use crate::Failure;

/// The source of a model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ModelSource {
    /// A member of a family.
    Member(&'static str, u32),
    /// A public model file.
    File(&'static str),
}

impl ModelSource {
    pub(super) fn name(self) -> String {
        match self {
            Self::Member(family, n) => format!("{family} {n}"),
            Self::File(name) => name.trim_end_matches(".xta").to_owned(),
        }
    }

    /// Its file: a member is written, a public model is searched for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn file(self, folder: &Folder, public: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
        match self {
            Self::Member(family, n) => {
                let family = tourbillon::family(family).map_err(|error| error.to_string())?;
                folder.member(family, n).map(Some)
            }
            Self::File(name) => Ok(public.map(|folder| folder.join(name)).filter(|path| path.is_file())),
        }
    }
}

/// The folder of public models: the given one, or the one beside this project if there is one.
///
/// # Errors
/// If the given one is not a folder.
pub(super) fn public_folder(given: Option<&PathBuf>) -> Result<Option<PathBuf>, Failure> {
    match given {
        Some(folder) if folder.is_dir() => Ok(Some(folder.clone())),
        Some(folder) => Err(format!("{}: no such folder", folder.display())),
        None => Ok(Some(PathBuf::from("../shared/models/uppaal")).filter(|folder| folder.is_dir())),
    }
}

/// Checks that the names of models differ, and that the members of families exist.
#[cfg(test)]
pub(super) fn assert_known(models: impl IntoIterator<Item = (String, ModelSource)>) {
    let mut names = Vec::new();
    for (name, source) in models {
        assert!(!names.contains(&name), "{name} occurs twice");
        if let ModelSource::Member(family, n) = source {
            assert!(tourbillon::family(family).expect("a family").tck(n).is_ok(), "{name}");
        }
        names.push(name);
    }
}
