//! Template substitution: `$N` and `$I` become numbers.
//!
//! The alternative, a writer with a method for each kind of line, would make every family a program that has
//! to be run in one's head. This way the text of a model stays the text of a model.

/// The text with each of these names replaced by its number, in this order.
pub(crate) fn fill(text: &str, values: &[(&str, u32)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, &value.to_string()))
}

/// A piece of text for each process from `first` to `last`, which the text calls `$I`.
pub(crate) fn each(first: u32, last: u32, text: &str) -> String {
    (first..=last).map(|i| fill(text, &[("$I", i)])).collect()
}
