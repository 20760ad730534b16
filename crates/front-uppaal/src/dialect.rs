//! Detection of the dialect: UPPAAL 3.4 or current.
//!
//! Nothing in a file says it, so both are tried. A file called `.ta` is tried in the old language first, any other in
//! that of today; if that goes without an error, it is that. Otherwise the other language is tried, and taken if it
//! has fewer errors. One exception protects users of today from being told about a language they never heard of: a
//! text that uses what only today's language has (functions, typedefs, records, `select`, quantifiers, constants with
//! a type) is never read as an old one, so that a comma instead of `&&` in such a model is explained as the mistake
//! it is. That a file was taken as old is noted, at the first place that makes no sense today.

use tourbillon_base::{Diagnostic, Diagnostics, Id, Severity, SourceMap};
use tourbillon_syntax::tree::{Decl, ExprId, ExprKind, Item, Model, Tree, TypeKind, Variables};
use tourbillon_syntax::{Dialect, Reader};

use crate::codes;
use crate::document::DocumentQuery;
use crate::layout::Layout;

/// What was read in one dialect.
#[derive(Debug)]
pub(crate) struct DialectReading {
    pub(crate) dialect: Dialect,
    pub(crate) tree: Tree,
    pub(crate) model: Model,
    pub(crate) layout: Layout,
    pub(crate) queries: Vec<DocumentQuery>,
}

/// Reads in the given dialect, or in the one that suits the text. What was wrong is added to the diagnostics.
pub(crate) fn choose<'a>(
    sources: &'a SourceMap,
    dialect: Option<Dialect>,
    old_first: bool,
    out: &mut Diagnostics,
    parse: impl Fn(&mut Reader<'a>, Dialect) -> (Model, Layout, Vec<DocumentQuery>),
) -> DialectReading {
    let attempt = |dialect| {
        let mut reader = Reader::new(sources, dialect);
        let (model, layout, queries) = parse(&mut reader, dialect);
        (DialectReading { dialect, tree: reader.tree, model, layout, queries }, reader.diagnostics)
    };
    let (first, second) = match old_first {
        true => (Dialect::Old, Dialect::New),
        false => (Dialect::New, Dialect::Old),
    };
    let (mut chosen, mut wrong) = attempt(dialect.unwrap_or(first));
    let never_old =
        |attempt: &DialectReading| attempt.dialect == Dialect::Old && is_of_today(sources, attempt);
    if dialect.is_none() && (wrong.has_errors() || never_old(&chosen)) {
        let (other, other_wrong) = attempt(second);
        let fewer = other_wrong.error_count() < wrong.error_count();
        if never_old(&chosen) || (fewer && !never_old(&other)) {
            note_old(second, &wrong, out);
            (chosen, wrong) = (other, other_wrong);
        }
    }
    for diagnostic in &wrong {
        out.push(diagnostic.clone());
    }
    chosen
}

fn note_old(dialect: Dialect, today: &Diagnostics, out: &mut Diagnostics) {
    let first = today.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    if let Some(first) = first.filter(|_| dialect == Dialect::Old) {
        let message = "the model is read in the syntax of UPPAAL 3.4";
        let reason = format!("in that of today: {}", first.message);
        out.push(Diagnostic::note(codes::OLD_DIALECT, first.primary, message).label(first.primary, reason));
    }
}

/// Whether a text uses what the old language lacks.
fn is_of_today(sources: &SourceMap, attempt: &DialectReading) -> bool {
    let quantifier = |index| matches!(attempt.tree[ExprId::from_index(index)].kind, ExprKind::Quantifier(_));
    let item = |item: &Item| match item {
        Item::Decl(declaration) => is_declaration_of_today(sources, declaration),
        Item::Template(template) => {
            template.declarations.iter().any(|declaration| is_declaration_of_today(sources, declaration))
                || template.edges.iter().any(|edge| !edge.select.is_empty())
        }
        _ => false,
    };
    attempt.model.items.iter().any(item) || (0..attempt.tree.len()).any(quantifier)
}

fn is_declaration_of_today(sources: &SourceMap, declaration: &Decl) -> bool {
    match declaration {
        Decl::Variables(Variables { ty, .. }) => {
            let typed_constant = ty.prefix.constant && sources.snippet(ty.span).trim() != "const";
            typed_constant || matches!(ty.kind, TypeKind::Struct(_))
        }
        _ => true,
    }
}
