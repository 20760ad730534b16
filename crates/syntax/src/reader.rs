//! Entry points: whole files and fragments, parsed into one tree.
//!
//! A [`Reader`] holds what all pieces of a model share: the tree that they go into, the diagnostics and the
//! dialect. Texts come from a [`SourceMap`], so that every span can be led back to its file. Nothing here fails:
//! each function returns what could be understood, and what could not is in the diagnostics.

use std::collections::HashSet;

use tourbillon_base::{Diagnostics, SourceId, SourceMap};

use crate::lexer::{Dialect, LexerContext};
use crate::parser::{Parser, Session};
use crate::query_file;
use crate::tree::{Binder, Decl, ExprId, Model, Param, Query, QueryFile, Symbol, Sync, Tree};

/// Reads texts into a tree.
///
/// ```
/// use tourbillon_base::SourceMap;
/// use tourbillon_syntax::{Dialect, Reader};
///
/// let mut sources = SourceMap::new();
/// let file = sources.add_file("guard", "x <= 5 && !busy");
/// let mut reader = Reader::new(&sources, Dialect::New);
/// let guard = reader.guard(file).unwrap();
/// assert!(reader.diagnostics.is_empty());
/// assert_eq!(tourbillon_syntax::print::expr(&reader.tree, guard), "x <= 5 && !busy");
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    pub tree: Tree,
    /// What was wrong with it.
    pub diagnostics: Diagnostics,
    sources: &'a SourceMap,
    dialect: Dialect,
    typedefs: HashSet<Symbol>,
}

impl<'a> Reader<'a> {
    /// A reader of texts in this dialect.
    #[must_use]
    pub fn new(sources: &'a SourceMap, dialect: Dialect) -> Self {
        Self {
            tree: Tree::new(),
            diagnostics: Diagnostics::default(),
            sources,
            dialect,
            typedefs: HashSet::new(),
        }
    }

    /// A whole textual model: `.xta`, or `.ta` in the old dialect.
    pub fn model(&mut self, source: SourceId) -> Model {
        self.parser(source).model_text()
    }

    /// The `<declaration>` of a model or template.
    pub fn declarations(&mut self, source: SourceId) -> Vec<Decl> {
        self.parser(source).declarations_text()
    }

    /// The `<parameter>` of a template.
    pub fn parameters(&mut self, source: SourceId) -> Vec<Param> {
        self.parser(source).parameters_text()
    }

    /// The select label of an edge.
    pub fn select(&mut self, source: SourceId) -> Vec<Binder> {
        self.parser(source).select_text()
    }

    /// The guard of an edge; nothing if the text is empty. Conditions joined with commas, in the old dialect,
    /// are read as a conjunction.
    pub fn guard(&mut self, source: SourceId) -> Option<ExprId> {
        self.parser(source).condition_text("a guard")
    }

    /// The invariant of a location, rates included; nothing if the text is empty.
    pub fn invariant(&mut self, source: SourceId) -> Option<ExprId> {
        self.parser(source).condition_text("an invariant")
    }

    /// The synchronisation of an edge; nothing if the text is empty.
    pub fn synchronisation(&mut self, source: SourceId) -> Option<Sync> {
        self.parser(source).synchronisation_text()
    }

    /// The updates of an edge.
    pub fn assignments(&mut self, source: SourceId) -> Vec<ExprId> {
        self.parser(source).assignments_text()
    }

    /// The weight of a branch, or the exponential rate of a location; nothing if the text is empty.
    pub fn rate(&mut self, source: SourceId) -> Option<ExprId> {
        self.parser(source).rate_text()
    }

    /// The `<system>` section, or the `<instantiation>` before it.
    pub fn system(&mut self, source: SourceId) -> Model {
        self.parser(source).system_text()
    }

    pub fn query(&mut self, source: SourceId) -> Query {
        let text = self.sources.text(source);
        self.piece(source, 0..text.len(), true).query_text()
    }

    /// A `.q` file.
    pub fn query_file(&mut self, source: SourceId) -> QueryFile {
        query_file::read(self, source)
    }

    fn parser(&mut self, source: SourceId) -> Parser<'_> {
        let text = self.sources.text(source);
        self.piece(source, 0..text.len(), false)
    }

    pub(crate) fn piece(
        &mut self,
        source: SourceId,
        range: std::ops::Range<usize>,
        query: bool,
    ) -> Parser<'_> {
        let Self { tree, diagnostics: out, typedefs, sources, dialect } = self;
        let session = Session { tree, out, typedefs, dialect: *dialect };
        let lexis = LexerContext { source, query };
        Parser::new(session, sources.text(source), range, lexis)
    }

    pub(crate) fn text(&self, source: SourceId) -> &'a str {
        self.sources.text(source)
    }
}
