//! The attributes of a declaration, known and unknown ones.
//!
//! TChecker ignores what it does not know. A guard that vanishes because `provided` was misspelt makes every
//! answer wrong, so a key that was probably meant to count is an error here; one that was not, such as a
//! colour or a position that some other tool keeps in the file, is a warning.

use std::collections::HashSet;

use tourbillon_base::{Diagnostic, Diagnostics};

use crate::codes;
use crate::lines::{Attribute, Declaration, Word};
use crate::names::nearest;

const LOCATION_KEYS: &[&str] = &["initial", "labels", "invariant", "urgent", "committed"];
const EDGE_KEYS: &[&str] = &["provided", "do"];

/// Words that other tools use, or that people expect, with the key they stand for.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("guard", "provided"),
    ("when", "provided"),
    ("if", "provided"),
    ("condition", "provided"),
    ("update", "do"),
    ("updates", "do"),
    ("reset", "do"),
    ("resets", "do"),
    ("assign", "do"),
    ("assignment", "do"),
    ("action", "do"),
    ("effect", "do"),
    ("inv", "invariant"),
    ("while", "invariant"),
    ("init", "initial"),
    ("start", "initial"),
    ("commit", "committed"),
    ("label", "labels"),
    ("accepting", "labels"),
];

/// What a location's attributes say.
#[derive(Clone, Default, Debug)]
pub(crate) struct LocationAttributes<'t> {
    pub(crate) initial: bool,
    pub(crate) urgent: bool,
    pub(crate) committed: bool,
    pub(crate) labels: Vec<String>,
    pub(crate) invariant: Vec<Word<'t>>,
}

/// What an edge's attributes say.
#[derive(Clone, Default, Debug)]
pub(crate) struct EdgeAttributes<'t> {
    pub(crate) provided: Vec<Word<'t>>,
    pub(crate) statements: Vec<Word<'t>>,
}

impl<'t> LocationAttributes<'t> {
    pub(crate) fn new(attributes: &[Attribute<'t>], out: &mut Diagnostics) -> Self {
        let mut all = Self::default();
        let mut seen = HashSet::new();
        for attribute in attributes {
            match attribute.key.text {
                "initial" => all.initial |= mark(attribute, out),
                "urgent" => all.urgent |= mark(attribute, out),
                "committed" => all.committed |= mark(attribute, out),
                "labels" => add_labels(&mut all.labels, &mut seen, attribute, out),
                "invariant" => all.invariant.extend(value(attribute, out)),
                _ => unknown(attribute, "location", LOCATION_KEYS, out),
            }
        }
        all
    }
}

impl<'t> EdgeAttributes<'t> {
    pub(crate) fn new(attributes: &[Attribute<'t>], out: &mut Diagnostics) -> Self {
        let mut all = Self::default();
        for attribute in attributes {
            match attribute.key.text {
                "provided" => all.provided.extend(value(attribute, out)),
                "do" => all.statements.extend(value(attribute, out)),
                _ => unknown(attribute, "edge", EDGE_KEYS, out),
            }
        }
        all
    }
}

/// Says of each attribute that it means nothing here.
pub(crate) fn none_expected(declaration: &Declaration<'_>, out: &mut Diagnostics) {
    for attribute in &declaration.attributes {
        unknown(attribute, declaration.keyword.text, &[], out);
    }
}

/// A key that needs no value.
fn mark(attribute: &Attribute<'_>, out: &mut Diagnostics) -> bool {
    if !attribute.value.text.is_empty() {
        let key = attribute.key.text;
        let message = format!("the value of `{key}` is ignored: the location is {key} whatever stands here");
        let diagnostic = Diagnostic::warning(codes::IGNORED_VALUE, attribute.value.span, message);
        out.push(diagnostic.help(format!("write `{key}:`, or remove it")));
    }
    true
}

/// A value that must not be empty.
fn value<'t>(attribute: &Attribute<'t>, out: &mut Diagnostics) -> Option<Word<'t>> {
    if attribute.value.text.is_empty() {
        let message = format!("`{}` has no value", attribute.key.text);
        let diagnostic = Diagnostic::error(codes::EMPTY_VALUE, attribute.key.span, message);
        out.push(diagnostic.help("remove the attribute, or give it a value"));
        return None;
    }
    Some(attribute.value)
}

fn add_labels<'t>(
    labels: &mut Vec<String>,
    seen: &mut HashSet<&'t str>,
    attribute: &Attribute<'t>,
    out: &mut Diagnostics,
) {
    for label in attribute.value.text.split(',').map(str::trim) {
        let message = if label.is_empty() {
            "a label without a name".to_owned()
        } else if !seen.insert(label) {
            format!("the label `{label}` is repeated")
        } else {
            labels.push(label.to_owned());
            continue;
        };
        out.push(Diagnostic::warning(
            codes::REPEATED_LABEL,
            attribute.key.span.to(attribute.value.span),
            message,
        ));
    }
}

fn unknown(attribute: &Attribute<'_>, what: &str, keys: &[&'static str], out: &mut Diagnostics) {
    let key = attribute.key.text;
    let article = if what.starts_with(['e', 'i']) { "an" } else { "a" };
    let error = |message: String, help: String| {
        Diagnostic::error(codes::MISSPELT_ATTRIBUTE, attribute.key.span, message).help(help)
    };
    let none = format!("{article} {what} has no attribute `{key}`");
    let other = OTHER_WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(key)).map(|(_, meant)| *meant);
    let meant = nearest(key, keys.iter().copied()).or(other.filter(|meant| keys.contains(meant)));
    out.push(if let Some(meant) = meant {
        error(none, format!("did you mean `{meant}`?"))
    } else if LOCATION_KEYS.contains(&key) {
        error(none, format!("`{key}` is an attribute of locations"))
    } else if EDGE_KEYS.contains(&key) {
        error(none, format!("`{key}` is an attribute of edges"))
    } else {
        let message = format!("the attribute `{key}` means nothing here and is ignored");
        Diagnostic::warning(codes::UNKNOWN_ATTRIBUTE, attribute.key.span, message)
    });
}
