//! Processes of textual models: sections, locations, edges and their labels.
//!
//! Sections are accepted in any order, with a message if it is not the right one, since people who reorder them
//! mean what they write. Lists continue after a mistake in an item, and an item that has a name is kept: a location
//! that is missing from the tree would make every edge to it seem wrong.

use tourbillon_base::{Diagnostic, Span};

use super::Parser;
use crate::codes;
use crate::lexer::Dialect;
use crate::token::TokenKind;
use crate::tree::{Edge, Location, Name, Param, Template};

/// The names of the sections in the order in which they come.
const SECTIONS: &[&str] =
    &["declarations", "`state`", "`branchpoint`", "`commit` and `urgent`", "`init`", "`trans`"];

/// The words that start sections.
const SECTION_WORDS: &[TokenKind] = &[
    TokenKind::KwState,
    TokenKind::KwBranchpoint,
    TokenKind::KwCommit,
    TokenKind::KwUrgent,
    TokenKind::KwInit,
    TokenKind::KwTrans,
];

const LABELS: &[TokenKind] = &[
    TokenKind::KwSelect,
    TokenKind::KwGuard,
    TokenKind::KwSync,
    TokenKind::KwAssign,
    TokenKind::KwProbability,
];

impl Parser<'_> {
    /// `process P(…) { … }`.
    pub(super) fn template(&mut self) -> Template {
        let start = self.start();
        self.bump();
        let errors_before = self.out.error_count();
        let name = self.name("the name of the process");
        let params = self.template_params();
        let mut template = self.empty_template(name, params);
        if self.at(TokenKind::OpenBrace) {
            self.panicking = false;
        }
        let open = self.open(TokenKind::OpenBrace, "`{` and the body of the process");
        if open.is_some() {
            self.template_body(&mut template);
            self.close(open);
        }
        template.span = self.span_from(start);
        let cut_short = self.section_rank().is_some();
        if self.out.error_count() == errors_before && !cut_short {
            self.check_sections(&template);
        }
        template
    }

    fn empty_template(&self, name: Name, params: Vec<Param>) -> Template {
        Template {
            name,
            params,
            declarations: Vec::new(),
            locations: Vec::new(),
            branchpoints: Vec::new(),
            committed: Vec::new(),
            urgent: Vec::new(),
            init: None,
            edges: Vec::new(),
            span: name.span,
        }
    }

    /// The old dialect needs no brackets where there are no parameters.
    fn template_params(&mut self) -> Vec<Param> {
        if self.at(TokenKind::OpenBrace) && !self.panicking {
            if self.dialect == Dialect::New {
                let message = "expected `(` and the parameters, found `{`";
                let diagnostic = Diagnostic::error(codes::EXPECTED, self.here(), message);
                self.report(diagnostic.help("write `()`; only the old dialect leaves the brackets out"));
            }
            return Vec::new();
        }
        self.bracketed_params()
    }

    fn check_sections(&mut self, template: &Template) {
        let (message, help) = match (template.locations.is_empty(), template.init) {
            (true, Some(_)) => ("this process has no locations", "list them: `state A, B;`"),
            (false, None) => ("this process has no initial location", "name it: `init A;`"),
            _ => return,
        };
        let diagnostic = Diagnostic::error(codes::MISSING_SECTION, template.name.span, message);
        self.report(diagnostic.help(help));
    }

    fn template_body(&mut self, template: &mut Template) {
        let mut reached = 0;
        loop {
            let before = self.pos;
            let (here, declared) = (self.here(), template.declarations.len());
            template.declarations.extend(self.declarations(SECTION_WORDS));
            if template.declarations.len() > declared {
                self.check_order(&mut reached, 0, here);
            }
            if !self.section(template, &mut reached) {
                return;
            }
            if self.pos == before {
                self.bump();
            }
        }
    }

    /// A section; false where the process ends.
    fn section(&mut self, template: &mut Template, reached: &mut usize) -> bool {
        let here = self.here();
        let Some(rank) = self.section_rank() else { return false };
        self.check_order(reached, rank, here);
        let section = self.bump().kind;
        match section {
            TokenKind::KwState => self.list_into(&mut template.locations, Self::location),
            TokenKind::KwBranchpoint => self.list_into(&mut template.branchpoints, Self::branchpoint),
            TokenKind::KwCommit => self.list_into(&mut template.committed, Self::location_name),
            TokenKind::KwUrgent => self.list_into(&mut template.urgent, Self::location_name),
            TokenKind::KwInit => template.init = self.location_name(),
            _ => self.edges(&mut template.edges),
        }
        self.semicolon("this section");
        if self.panicking {
            self.recover_declaration();
        }
        true
    }

    /// The place of the section that starts here in the order of sections.
    fn section_rank(&self) -> Option<usize> {
        Some(match self.kind() {
            TokenKind::KwState => 1,
            TokenKind::KwBranchpoint => 2,
            TokenKind::KwCommit => 3,
            TokenKind::KwUrgent if self.at_urgent_section() => 3,
            TokenKind::KwInit => 4,
            TokenKind::KwTrans => 5,
            _ => return None,
        })
    }

    fn check_order(&mut self, reached: &mut usize, rank: usize, here: Span) {
        let repeatable = rank == 0 || rank == 3;
        if rank < *reached || (rank == *reached && !repeatable) {
            let message = match rank == *reached {
                true => format!("a second {} section", SECTIONS[rank]),
                false => format!("{} must come before {}", SECTIONS[rank], SECTIONS[*reached]),
            };
            let order = "a process has declarations, state, branchpoint, commit and urgent, init, trans";
            self.report(Diagnostic::error(codes::SECTION_ORDER, here, message).help(order));
        }
        *reached = rank.max(*reached);
    }

    /// Items separated by commas. After a mistake in one, the next is looked for: behind a comma, or at a name
    /// that starts a line. What has a name is kept, or its uses would seem wrong as well.
    fn list_into<T>(&mut self, items: &mut Vec<T>, mut item: impl FnMut(&mut Self) -> Option<T>) {
        loop {
            let before = self.pos;
            items.extend(item(self));
            if !self.panicking && self.closes_item() {
                self.unmatched();
            }
            let recovered = self.panicking;
            if recovered && self.next_item(before) {
                continue;
            }
            if !self.eat(TokenKind::Comma) {
                self.panicking = recovered && !self.at(TokenKind::Semicolon);
                return;
            }
        }
    }

    /// Recovers in a list; true if an item starts here. A single token that stands before an item is passed.
    fn next_item(&mut self, before: usize) -> bool {
        let separates = matches!(self.kind(), TokenKind::Comma | TokenKind::Semicolon | TokenKind::OpenBrace);
        let stray = !separates && !self.kind().is_closing() && !self.kind().is_keyword();
        if self.pos == before && stray && self.nth(1) == TokenKind::Ident {
            self.bump();
            self.panicking = false;
        } else {
            self.recover_list_item();
        }
        self.at(TokenKind::Ident)
    }

    fn location_name(&mut self) -> Option<Name> {
        self.optional_name("the name of a location")
    }

    fn branchpoint(&mut self) -> Option<Name> {
        self.optional_name("the name of a branch point")
    }

    fn optional_name(&mut self, what: &str) -> Option<Name> {
        let name = self.name(what);
        (!name.span.is_empty()).then_some(name)
    }

    /// `A`, `A { invariant }`, `A { invariant; rate }`.
    fn location(&mut self) -> Option<Location> {
        let start = self.start();
        let name = self.location_name()?;
        let mut location = Location { name, invariant: None, rate: None, span: name.span };
        if self.at(TokenKind::OpenBrace) {
            let open = self.bump();
            if !matches!(self.kind(), TokenKind::Semicolon | TokenKind::CloseBrace) {
                location.invariant = Some(self.condition("an invariant"));
            }
            if !self.panicking && self.eat(TokenKind::Semicolon) && !self.at_end_of_location() {
                location.rate = Some(self.ratio());
                self.eat(TokenKind::Semicolon);
            }
            self.close(Some(open));
        } else if !self.at_end_of_item() {
            self.expected("`{`, `,` or `;`");
        }
        location.span = self.span_from(start);
        Some(location)
    }

    /// Whether what stands here ends an item of a list, or starts something new.
    fn at_end_of_item(&self) -> bool {
        let ends = matches!(
            self.kind(),
            TokenKind::Comma | TokenKind::Semicolon | TokenKind::CloseBrace | TokenKind::End
        );
        ends || self.kind().is_keyword() || self.starts_line()
    }

    fn at_end_of_location(&self) -> bool {
        self.at(TokenKind::CloseBrace) || self.section_rank().is_some()
    }

    fn edges(&mut self, edges: &mut Vec<Edge>) {
        if matches!(self.kind(), TokenKind::Semicolon | TokenKind::CloseBrace) {
            return;
        }
        let mut source = edges.last().map(|edge| edge.source);
        loop {
            self.list_into(edges, |parser| parser.edge(&mut source));
            if self.panicking || !self.missing_comma() {
                return;
            }
        }
    }

    /// Whether the next edge follows without a comma.
    fn missing_comma(&mut self) -> bool {
        let arrow = matches!(self.nth(1), TokenKind::Arrow | TokenKind::UncontrollableArrow);
        if !self.at(TokenKind::Ident) || !arrow {
            return false;
        }
        let message = "missing `,` between two edges";
        self.report(Diagnostic::error(codes::EXPECTED, self.after_previous(), message));
        true
    }

    /// `A -> B { labels }`, or `-> B { labels }` from the same source as the edge before.
    fn edge(&mut self, source: &mut Option<Name>) -> Option<Edge> {
        let start = self.start();
        if !matches!(self.kind(), TokenKind::Arrow | TokenKind::UncontrollableArrow) {
            *source = self.location_name().or(*source);
        } else if source.is_none() {
            let message = "the first edge must name its source";
            self.report(Diagnostic::error(codes::NO_SOURCE, self.here(), message));
        }
        let controllable = !self.at(TokenKind::UncontrollableArrow);
        if !self.panicking && !self.eat(TokenKind::UncontrollableArrow) {
            self.expect(TokenKind::Arrow, "`->`");
        }
        let target = self.name("the name of a location");
        let mut edge = Edge {
            source: source.unwrap_or(target),
            target,
            controllable,
            select: Vec::new(),
            guard: None,
            sync: None,
            assign: Vec::new(),
            probability: None,
            span: target.span,
        };
        self.bracketed_labels(&mut edge);
        edge.span = self.span_from(start);
        let named = source.is_some() && !target.span.is_empty();
        named.then_some(edge)
    }

    /// `{ labels }`. A brace is taken to be there if labels follow, or if the next edge does.
    fn bracketed_labels(&mut self, edge: &mut Edge) {
        if self.kind().starts_label() && !self.panicking {
            let message = format!("expected `{{` and the labels of the edge, found {}", self.found());
            self.report(Diagnostic::error(codes::EXPECTED, self.here(), message));
            self.labels(edge);
            self.eat(TokenKind::CloseBrace);
            return;
        }
        let open = self.open(TokenKind::OpenBrace, "`{` and the labels of the edge");
        if open.is_some() {
            self.labels(edge);
        }
        self.close(open);
        if self.at_next_edge() {
            self.panicking = false;
        }
    }

    fn labels(&mut self, edge: &mut Edge) {
        let mut seen: [Option<Span>; 5] = [None; 5];
        while !self.at_end_of_labels() {
            self.correct(LABELS, 2);
            let Some(index) = LABELS.iter().position(|&label| self.at(label)) else {
                self.expected("`select`, `guard`, `sync`, `assign`, `probability` or `}`");
                self.bump();
                self.recover_label();
                continue;
            };
            if let Some(first) = seen[index].replace(self.here()) {
                let message = format!("a second `{}` on this edge", self.token_text(self.token()));
                let diagnostic = Diagnostic::error(codes::LABEL_TWICE, self.here(), message);
                self.report(diagnostic.label(first, "the first one is here"));
            }
            self.bump();
            self.label(edge, LABELS[index]);
            self.semicolon("this label");
            if self.panicking {
                self.recover_label();
            }
        }
    }

    fn at_end_of_labels(&self) -> bool {
        matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End)
            || self.kind().starts_section()
            || self.at_next_edge()
    }

    /// Whether a comma and another edge stand here.
    pub(super) fn at_next_edge(&self) -> bool {
        let is_arrow = |kind| matches!(kind, TokenKind::Arrow | TokenKind::UncontrollableArrow);
        let named = self.nth(1) == TokenKind::Ident && is_arrow(self.nth(2));
        self.at(TokenKind::Comma) && (named || is_arrow(self.nth(1)))
    }

    fn label(&mut self, edge: &mut Edge, label: TokenKind) {
        match label {
            TokenKind::KwSelect => edge.select = self.comma_list(Self::binder),
            TokenKind::KwGuard => edge.guard = Some(self.condition("a guard")),
            TokenKind::KwSync => edge.sync = Some(self.synchronisation()),
            TokenKind::KwAssign => edge.assign = self.comma_list(Self::expression),
            _ => edge.probability = Some(self.expression()),
        }
    }

    /// After a mistake in a label: behind its semicolon, or to the next label or the end of them.
    fn recover_label(&mut self) {
        self.panicking = false;
        while !self.at_end_of_labels() && !self.kind().starts_label() {
            if self.bump().kind == TokenKind::Semicolon {
                return;
            }
        }
    }
}
