//! Diagnostics of the user's input, as data.
//!
//! A diagnostic has a [`Code`], a message, the place it is about, further places with what each has to do
//! with it, and help. It is data: rendering it as text or JSON is left to user interfaces,
//! and they need the [`SourceMap`](crate::SourceMap) for it. Codes are declared with
//! [`define_codes!`](crate::define_codes), which asks for a title and an explanation, so that no code is
//! without them; [`faults`] finds codes that are declared twice or badly, and each crate that declares codes
//! has a test that there are none.

use std::fmt;

use crate::Span;

/// The name of a kind of diagnostic, such as `S0102`: stable, so that it can be looked up and searched for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// The code with this name. Use [`define_codes!`](crate::define_codes), which also asks for its
    /// explanation.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// What there is to know about a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeEntry {
    pub code: Code,
    /// A line that names the mistake.
    pub title: &'static str,
    /// What it means, why it is one, and what to do: paragraphs of text.
    pub explanation: &'static str,
}

/// Declares codes as constants, and a table of them with their titles and explanations.
///
/// ```
/// tourbillon_base::define_codes! {
///     /// The codes of clock-making.
///     pub const CODES;
///     BROKEN_SPRING = "W0001", "the spring is broken", "A watch without a spring does not go.";
/// }
/// assert_eq!(BROKEN_SPRING.to_string(), "W0001");
/// assert_eq!(CODES[0].title, "the spring is broken");
/// ```
#[macro_export]
macro_rules! define_codes {
    (
        $(#[$meta:meta])* $vis:vis const $table:ident;
        $($name:ident = $code:literal, $title:literal, $explanation:expr;)*
    ) => {
        $(
            #[doc = concat!("`", $code, "`: ", $title, ".")]
            $vis const $name: $crate::Code = $crate::Code::new($code);
        )*
        $(#[$meta])*
        $vis const $table: &[$crate::CodeEntry] = &[
            $($crate::CodeEntry { code: $name, title: $title, explanation: $explanation },)*
        ];
    };
}

/// What is wrong with a table of codes: names that repeat, that are not a capital and four digits, or that
/// lack a title or an explanation.
#[must_use]
pub fn faults(entries: &[CodeEntry]) -> Vec<String> {
    let mut faults = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let (capital, digits) = entry.code.name().split_at(1);
        let formed =
            capital.bytes().all(|b| b.is_ascii_uppercase()) && digits.bytes().all(|b| b.is_ascii_digit());
        if !formed || digits.len() != 4 {
            faults.push(format!("{} is not a capital and four digits", entry.code));
        }
        if entries[..index].iter().any(|earlier| earlier.code == entry.code) {
            faults.push(format!("{} is declared twice", entry.code));
        }
        if entry.title.is_empty() || entry.explanation.is_empty() {
            faults.push(format!("{} has no title or no explanation", entry.code));
        }
    }
    faults
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Information that needs no change of the model.
    Note,
    /// Perhaps not what was meant; never stops a check.
    Warning,
    /// The input is wrong.
    Error,
}

/// One thing to tell the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Which kind it is.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong here, in a line without a full stop.
    pub message: String,
    pub primary: Span,
    /// Other places that have to do with it, and what.
    pub labels: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    pub fn error(code: Code, primary: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, primary, message)
    }

    pub fn warning(code: Code, primary: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, primary, message)
    }

    pub fn note(code: Code, primary: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, primary, message)
    }

    fn new(severity: Severity, code: Code, primary: Span, message: impl Into<String>) -> Self {
        Self { code, severity, message: message.into(), primary, labels: Vec::new(), help: Vec::new() }
    }

    /// Adds a place that has to do with it.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
}

/// Collects diagnostics. Errors past a cap are counted, not kept: the thousandth is useless, and a file of
/// random bytes must not fill the memory with them. Warnings and notes have a cap of the same size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    cap: usize,
    errors: usize,
    others: usize,
}

impl Diagnostics {
    /// How many errors are kept unless another number is requested.
    pub const DEFAULT_CAP: usize = 100;

    /// An empty collection that keeps this many errors.
    #[must_use]
    pub const fn with_cap(cap: usize) -> Self {
        Self { list: Vec::new(), cap, errors: 0, others: 0 }
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        let seen = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning | Severity::Note => &mut self.others,
        };
        *seen += 1;
        if *seen <= self.cap {
            self.list.push(diagnostic);
        }
    }

    /// Those that were kept, in the order in which they came.
    #[must_use]
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Those that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Whether nothing was reported.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many errors there were, kept or not.
    #[must_use]
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether there was an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The line that tells of the errors that were not kept, if there are any.
    #[must_use]
    pub fn hidden(&self) -> Option<String> {
        match self.errors.saturating_sub(self.cap) {
            0 => None,
            1 => Some("1 more error is not shown".to_owned()),
            more => Some(format!("{more} more errors are not shown")),
        }
    }

    /// Sorts by place: source, then offset. Those at one place stay in the order in which they came.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|diagnostic| (diagnostic.primary.source, diagnostic.primary.start));
    }
}

impl Default for Diagnostics {
    fn default() -> Self {
        Self::with_cap(Self::DEFAULT_CAP)
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Id, SourceId};

    crate::define_codes! {
        /// Codes for these tests.
        const CODES;
        LATE = "T0001", "it is late", "The hand is behind the hour.";
        EARLY = "T0002", "it is early", "The hand is before the hour.";
    }

    fn span(start: u32) -> Span {
        Span::new(SourceId::from_index(0), start, start + 1)
    }

    #[test]
    fn a_diagnostic_is_built_up() {
        let diagnostic =
            Diagnostic::error(LATE, span(3), "too late").label(span(1), "since here").help("wind it");
        assert_eq!(diagnostic.code.name(), "T0001");
        assert_eq!(diagnostic.labels, [(span(1), "since here".to_owned())]);
        assert_eq!(diagnostic.help, ["wind it"]);
        assert!(Severity::Error > Severity::Warning);
    }

    #[test]
    fn faults_of_a_table_are_found() {
        assert_eq!(faults(CODES), [""; 0]);
        let twice = [CODES[0], CODES[0], CodeEntry { code: Code::new("t12"), title: "", explanation: "" }];
        let expected = [
            "T0001 is declared twice",
            "t12 is not a capital and four digits",
            "t12 has no title or no explanation",
        ];
        assert_eq!(faults(&twice), expected);
    }

    #[test]
    fn errors_past_the_cap_are_counted() {
        let mut all = Diagnostics::with_cap(2);
        for start in (0..5).rev() {
            all.push(Diagnostic::error(EARLY, span(start), "early"));
            all.push(Diagnostic::warning(LATE, span(start), "late"));
        }
        assert_eq!((all.as_slice().len(), all.error_count()), (4, 5));
        assert_eq!(all.hidden().as_deref(), Some("3 more errors are not shown"));
        all.sort();
        assert_eq!(all.iter().map(|d| d.primary.start).collect::<Vec<_>>(), [3, 3, 4, 4]);
    }
}
