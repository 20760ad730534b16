//! TChecker's text to a model, and back.
//!
//! ```text
//! text ──lines──▶ declarations ──declare──▶ skeleton ──formula, lower, perform──▶ Model ──analyse──▶ Model + Diagnostics
//! Model ──write──▶ text, or what the language cannot express
//! ```
//!
//! A `.tck` file is written in two languages: lines with fields (`lines.rs`), and inside the values of some
//! attributes expressions and statements (`formula.rs`). The crate reports everything that is wrong, each
//! mistake where it was made, and never fails in another way; it does no I/O. There is a model if and only if
//! there is no error.
//!
//! What this crate refuses although TChecker takes it: several initial locations of one process, comparisons
//! of clocks in conditions that choose what a statement computes, and attributes that look like misspelt
//! ones. What it takes although TChecker does not: brackets in more places, a clock plus a term in either
//! order, a local variable of the same name in both branches of an `if`, a `sync` line that repeats another.
//!
//! The participants of a vector stay in the order of their `sync` line, which is the order of their updates
//! in TChecker.

mod analyse;
mod annotation;
mod attributes;
mod braces;
pub mod codes;
mod declare;
mod formula;
mod lines;
mod lower;
mod names;
mod perform;
mod token;
mod tree;
mod write;

use tourbillon_base::{Diagnostics, SourceId, SourceMap};
use tourbillon_model::{Model, Overflow};

pub use write::write;

/// Adds a text to the sources under this name, and reads it.
///
/// ```
/// use tourbillon_base::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let text = "system:S\nevent:e\nclock:1:x\nprocess:P\nlocation:P:a{initial:}\nedge:P:a:a:e{provied: x>1}\n";
/// let (model, diagnostics) = tourbillon_front_tchecker::load("s.tck", text, &mut sources);
/// assert!(model.is_none());
/// assert_eq!(diagnostics.as_slice()[0].message, "an edge has no attribute `provied`");
/// assert_eq!(diagnostics.as_slice()[0].help, ["did you mean `provided`?"]);
/// ```
pub fn load(name: &str, text: &str, sources: &mut SourceMap) -> (Option<Model>, Diagnostics) {
    let source = sources.add_file(name, text);
    read(source, sources)
}

/// Reads a text that is in the sources already. There is a model if there is no error; warnings may be there
/// all the same. Diagnostics are in the order of the text.
#[must_use]
pub fn read(source: SourceId, sources: &SourceMap) -> (Option<Model>, Diagnostics) {
    read_as(source, sources, None)
}

/// The same, where results that exceed 32 bits are treated like this, if it is given, whatever the text says of them.
#[must_use]
pub fn read_as(
    source: SourceId,
    sources: &SourceMap,
    overflow: Option<Overflow>,
) -> (Option<Model>, Diagnostics) {
    let text = sources.text(source);
    let mut diagnostics = Diagnostics::default();
    let annotated = annotation::overflow(text, source, &mut diagnostics);
    let declarations = lines::declarations(text, source, &mut diagnostics);
    let mut front = declare::ModelBuilder::new(text, source, &mut diagnostics);
    front.model.overflow = overflow.or(annotated).unwrap_or_default();
    front.declare(&declarations);
    front.lower();
    front.analyse();
    let model = front.model;
    diagnostics.sort();
    let model = (!diagnostics.has_errors()).then_some(model);
    (model, diagnostics)
}
