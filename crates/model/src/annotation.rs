//! Annotations: comments of a model that set options of this program.
//!
//! A model for several tools can hold what concerns one of them in a comment, which the others pass over:
//! `// tourbillon: overflow wrap` in UPPAAL's language, `# tourbillon: overflow wrap` in TChecker's. The text here is
//! that of the comment without its marks.

use crate::network::Overflow;

impl Overflow {
    /// The name of each meaning, as annotations have it.
    pub const NAMES: [(&'static str, Self); 2] = [("error", Self::Error), ("wrap", Self::Wrap)];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Wrap => "wrap",
        }
    }

    /// What a line of a comment says about results that exceed 32 bits; nothing if it is no annotation, and what is wrong if it
    /// seems to be meant as one.
    ///
    /// ```
    /// use tourbillon_model::Overflow;
    ///
    /// assert_eq!(Overflow::annotated(" tourbillon: overflow wrap"), Some(Ok(Overflow::Wrap)));
    /// assert_eq!(Overflow::annotated(" the overflow of the tank"), None);
    /// assert!(Overflow::annotated("tourbillon: overflow wraps").is_some_and(|read| read.is_err()));
    /// ```
    #[must_use]
    pub fn annotated(line: &str) -> Option<Result<Self, String>> {
        let line = line.trim();
        let (head, rest) = line.split_once(':').unwrap_or(("", line));
        let words: Vec<&str> = line.split([':', ' ', '\t']).filter(|word| !word.is_empty()).collect();
        let is_meant = head.trim().eq_ignore_ascii_case("tourbillon");
        let is_like_one = words.len() == 3 && words[1] == "overflow" && starts_alike(words[0]);
        if head.trim() == "tourbillon" {
            let rest: Vec<&str> = rest.split_whitespace().collect();
            let named = Self::NAMES.iter().find(|(name, _)| rest == ["overflow", name]);
            if let Some((_, overflow)) = named {
                return Some(Ok(*overflow));
            }
        }
        let help = || "there are `tourbillon: overflow error` and `tourbillon: overflow wrap`".to_owned();
        (is_meant || is_like_one).then(|| Err(help()))
    }
}

/// Whether a word begins as the name of the program does, in whatever case.
fn starts_alike(word: &str) -> bool {
    word.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("tour"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_told_from_comments_and_from_mistakes() {
        for (name, overflow) in Overflow::NAMES {
            assert_eq!(overflow.name(), name);
            assert_eq!(
                Overflow::annotated(&format!("\ttourbillon :  overflow  {name} ")),
                Some(Ok(overflow))
            );
        }
        for comment in ["", "overflow wrap", "a tourbillon turns", "note: overflow wrap", "tour overflow"] {
            assert_eq!(Overflow::annotated(comment), None, "{comment}");
        }
        for mistake in [
            "tourbillon:",
            "tourbillon: wrap",
            "tourbillon: overflow",
            "tourbillon: overflow Wrap",
            "tourbillon: overflow wrap please",
            "Tourbillon: overflow wrap",
            "tourbilon: overflow wrap",
            "tourbillon overflow wrap",
        ] {
            assert!(matches!(Overflow::annotated(mistake), Some(Err(_))), "{mistake}");
        }
    }
}
