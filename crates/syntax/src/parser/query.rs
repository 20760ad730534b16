//! Queries.
//!
//! What symbolic analysis answers is parsed in full. Statistical, game and learning queries are recognised by
//! their first words; what they say is kept as text, since nothing here could make use of its structure, and a
//! message about the feature is better than one about a detail of its syntax.

use tourbillon_base::Diagnostic;

use super::Parser;
use crate::codes;
use crate::token::TokenKind;
use crate::tree::{ExprId, ExtremumOp, Feature, Name, PathQuantifier, Query, QueryKind};

impl Parser<'_> {
    /// A text that is one query.
    pub(crate) fn query_text(&mut self) -> Query {
        let query = self.query();
        self.end_of("a query");
        query
    }

    /// `query { … }` in a model.
    pub(super) fn query_block(&mut self) -> Query {
        self.bump();
        let open = self.bump();
        let was_query = std::mem::replace(&mut self.query, true);
        let query = self.query();
        self.query = was_query;
        self.eat(TokenKind::Semicolon);
        self.close(Some(open));
        query
    }

    fn query(&mut self) -> Query {
        let start = self.start();
        let kind = self.nested(Self::query_kind).unwrap_or(QueryKind::Error);
        let under = self.under();
        Query { kind, under, span: self.span_from(start) }
    }

    fn query_kind(&mut self) -> QueryKind {
        if self.at_query_end() {
            return QueryKind::Empty;
        }
        if let Some(feature) = self.feature() {
            return self.special(feature);
        }
        if let Some(quantifier) = self.path_quantifier() {
            self.pos += 3;
            return QueryKind::Path { quantifier, predicate: self.predicate() };
        }
        if let Some(op) = self.extremum() {
            return self.extremum_query(op);
        }
        if self.at_word("strategy") && self.nth(1) == TokenKind::Ident {
            return self.strategy();
        }
        self.leads_to()
    }

    fn at_query_end(&self) -> bool {
        matches!(self.kind(), TokenKind::End | TokenKind::CloseBrace)
    }

    /// `A[]`, `E<>`, `E[]` or `A<>`, if one stands here: three tokens.
    pub(super) fn path_quantifier(&self) -> Option<PathQuantifier> {
        if !self.at(TokenKind::Ident) {
            return None;
        }
        match (self.token_text(self.token()), self.nth(1), self.nth(2)) {
            ("A", TokenKind::OpenBracket, TokenKind::CloseBracket) => Some(PathQuantifier::AllAlways),
            ("E", TokenKind::OpenBracket, TokenKind::CloseBracket) => Some(PathQuantifier::ExistsAlways),
            ("A", TokenKind::Less, TokenKind::Greater) => Some(PathQuantifier::AllEventually),
            ("E", TokenKind::Less, TokenKind::Greater) => Some(PathQuantifier::ExistsEventually),
            _ => None,
        }
    }

    fn predicate(&mut self) -> ExprId {
        let predicate = self.expression();
        self.refuse_assignment(predicate, "a query");
        predicate
    }

    fn extremum(&self) -> Option<ExtremumOp> {
        let op = match self.token_text(self.token()) {
            "sup" => ExtremumOp::Supremum,
            "inf" => ExtremumOp::Infimum,
            "bounds" => ExtremumOp::Bounds,
            _ => return None,
        };
        matches!(self.nth(1), TokenKind::Colon | TokenKind::OpenBrace).then_some(op)
    }

    /// `sup{p}: e, f`.
    fn extremum_query(&mut self, op: ExtremumOp) -> QueryKind {
        self.bump();
        let condition = self.at(TokenKind::OpenBrace).then(|| {
            let open = self.bump();
            let condition = self.predicate();
            self.close(Some(open));
            condition
        });
        if !self.panicking {
            self.expect(TokenKind::Colon, "`:` and expressions");
        }
        QueryKind::Extremum { op, condition, exprs: self.comma_list(Self::expression) }
    }

    /// `strategy S = query`.
    fn strategy(&mut self) -> QueryKind {
        self.bump();
        let name = self.name("the name of a strategy");
        if !self.eat(TokenKind::ColonAssign) {
            self.expect(TokenKind::Assign, "`=` and a query");
        }
        let mut query = self.query();
        if let QueryKind::Empty = query.kind {
            self.expected("a query");
            query.kind = QueryKind::Error;
        }
        QueryKind::Strategy { name, query: Box::new(query) }
    }

    /// `p --> q`. Without the arrow it is no query.
    fn leads_to(&mut self) -> QueryKind {
        let start = self.start();
        let from = self.expression();
        if self.panicking {
            return QueryKind::Error;
        }
        if !self.at_leads_to() {
            let diagnostic = Diagnostic::error(
                codes::NO_QUANTIFIER,
                self.span_from(start),
                "this query has no path quantifier",
            );
            let help = "start with `A[]` (always), `E<>` (possible), `E[]` or `A<>`, or write `p --> q`";
            self.report(diagnostic.help(help));
            return QueryKind::Error;
        }
        self.refuse_assignment(from, "a query");
        if !self.eat(TokenKind::LeadsTo) {
            self.pos += 2;
        }
        QueryKind::LeadsTo { from, to: self.predicate() }
    }

    /// `under S`.
    fn under(&mut self) -> Option<Name> {
        if self.panicking || !self.at_word("under") {
            return None;
        }
        self.bump();
        Some(self.name("the name of a strategy"))
    }

    /// What a query needs beyond symbolic analysis, by the words it starts with.
    fn feature(&self) -> Option<Feature> {
        use TokenKind::*;
        let next = self.nth(1);
        if self.at(OpenBrace) {
            let after = self.pos + self.group_length(0);
            let word = self.tokens.get(after).map(|&token| self.token_text(token));
            return word.filter(|&word| word == "control").map(|_| Feature::PartialObservationGame);
        }
        if !self.at(Ident) {
            return None;
        }
        let feature = match (self.token_text(self.token()), next) {
            ("Pr", OpenBracket | OpenParen) => Feature::Probability,
            ("E", OpenBracket)
                if self.nth(2) != CloseBracket && self.nth(1 + self.group_length(1)) == OpenParen =>
            {
                Feature::ExpectedValue
            }
            ("simulate", OpenBracket | Int | OpenBrace) => Feature::Simulation,
            ("control", Colon) => Feature::Game,
            ("control_t", Star) => Feature::TimeOptimalGame,
            ("E", Less) if self.nth(2) == Greater && self.word_at(3) == "control" => Feature::CooperativeGame,
            ("minE" | "maxE" | "minPr" | "maxPr", OpenParen | OpenBracket) => Feature::Learning,
            ("imitate", OpenParen | OpenBracket | OpenBrace | Ident) => Feature::Imitation,
            ("saveStrategy", OpenParen) => Feature::SaveStrategy,
            ("loadStrategy", OpenParen | OpenBrace) => Feature::LoadStrategy,
            ("sat", Colon) => Feature::Scenario,
            _ => return None,
        };
        Some(feature)
    }

    fn word_at(&self, ahead: usize) -> &str {
        self.tokens.get(self.pos + ahead).map_or("", |&token| self.token_text(token))
    }

    /// The number of tokens of the bracketed group that starts `ahead` places from here; to the end if it is
    /// not closed.
    fn group_length(&self, ahead: usize) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.tokens[self.pos + ahead..].iter().enumerate() {
            if token.kind.closing().is_some() {
                depth += 1;
            } else if token.kind.is_closing() {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                return index + 1;
            }
        }
        self.tokens.len() - self.pos - ahead
    }

    /// Passes the rest of the query, up to `under S` at its end or the brace that closes it.
    fn special(&mut self, feature: Feature) -> QueryKind {
        let mut words: Vec<&str> = Vec::new();
        let mut braces = 0usize;
        while !self.at(TokenKind::End) {
            match self.kind() {
                TokenKind::CloseBrace if braces == 0 => break,
                TokenKind::CloseBrace => braces -= 1,
                TokenKind::OpenBrace => braces += 1,
                TokenKind::Ident if self.at_final_under() => break,
                _ => {}
            }
            let token = self.bump();
            words.push(self.token_text(token));
        }
        let text = self.tree.intern(&words.join(" "));
        QueryKind::Special { feature, text }
    }

    fn at_final_under(&self) -> bool {
        self.at_word("under")
            && self.nth(1) == TokenKind::Ident
            && matches!(self.nth(2), TokenKind::End | TokenKind::CloseBrace)
    }
}
