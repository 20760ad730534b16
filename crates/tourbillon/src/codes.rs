//! The codes of diagnostics, all together.

use tourbillon_base::CodeEntry;

tourbillon_base::define_codes! {
    /// The codes of conversions.
    pub(crate) const CODES;

    NOT_IN_UPPAAL = "C0001", "something that UPPAAL cannot express",
        "UPPAAL's processes synchronise in pairs, or one with all that can. A synchronisation vector of three and more \
         processes, or a weak one, has no counterpart; neither has anything else that only TChecker's language has.";
}

/// Every code that a diagnostic can have, in order.
#[must_use]
pub fn all_codes() -> Vec<CodeEntry> {
    let tables = [
        CODES,
        tourbillon_syntax::codes::CODES,
        tourbillon_front_uppaal::codes::CODES,
        tourbillon_front_uppaal::lower::codes::CODES,
        tourbillon_front_tchecker::codes::CODES,
    ];
    let mut all: Vec<CodeEntry> = tables.into_iter().flatten().copied().collect();
    all.sort_by_key(|entry| entry.code);
    all
}

/// What is to be known about the code with this name, in whatever case it is written.
#[must_use]
pub fn explain(name: &str) -> Option<CodeEntry> {
    all_codes().into_iter().find(|entry| entry.code.name().eq_ignore_ascii_case(name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_means_two_things() {
        assert_eq!(tourbillon_base::faults(&all_codes()), [""; 0]);
        assert!(all_codes().len() > 60);
    }

    #[test]
    fn codes_are_found_by_name() {
        assert_eq!(explain(" m0101 ").map(|entry| entry.title), Some("a name that is not declared"));
        assert!(explain("X9999").is_none());
    }
}
