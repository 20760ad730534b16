//! Names that Muntac can read: letters, digits and underscores, each once.

use std::collections::BTreeSet;

#[derive(Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name that is like this one and was not given before.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut stem: String = name.trim_end_matches([')', ']']).chars().map(plain).collect();
        if !stem.starts_with(|c: char| c.is_ascii_alphabetic()) {
            stem.insert(0, 'n');
        }
        let mut number = 1;
        let mut unique = stem.clone();
        while !self.taken.insert(unique.clone()) {
            number += 1;
            unique = format!("{stem}_{number}");
        }
        unique
    }
}
