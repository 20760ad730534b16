//! Whole textual models, and the system section: instances, the system line and what follows it.

use tourbillon_base::Diagnostic;

use super::Parser;
use crate::codes;
use crate::token::TokenKind;
use crate::tree::{
    Binder, Gantt, GanttBar, GanttRow, Instance, Io, Item, Model, Name, Progress, ProgressMeasure, SystemLine,
};

impl Parser<'_> {
    /// A whole textual model.
    pub(crate) fn model_text(&mut self) -> Model {
        let model = self.system_text();
        let has_system = model.items.iter().any(|item| matches!(item, Item::System(_)));
        if !has_system && self.out.error_count() == self.errors_before {
            let diagnostic =
                Diagnostic::error(codes::MISSING_SYSTEM, self.here(), "the system line is missing");
            self.report(diagnostic.help("end the model with `system` and the processes that run"));
        }
        model
    }

    /// The system section of a model: everything that a textual model can hold.
    pub(crate) fn system_text(&mut self) -> Model {
        let mut items = Vec::new();
        while !self.at(TokenKind::End) {
            let before = self.pos;
            self.correct_declaration(&[TokenKind::KwProcess, TokenKind::KwSystem]);
            let item = self.item();
            self.lost &= item.is_none();
            items.extend(item);
            if self.panicking {
                self.recover_declaration();
            }
            if self.pos == before {
                self.bump();
            }
        }
        Model { items }
    }

    fn item(&mut self) -> Option<Item> {
        if self.kind().starts_section() {
            self.lost = false;
        }
        match self.kind() {
            TokenKind::KwProcess => Some(Item::Template(self.template())),
            TokenKind::KwSystem => Some(Item::System(self.system_line())),
            TokenKind::KwProgress => Some(Item::Progress(self.progress())),
            TokenKind::KwGantt => Some(Item::Gantt(self.gantt())),
            TokenKind::Ident if self.at_word("query") && self.nth(1) == TokenKind::OpenBrace => {
                Some(Item::Query(self.query_block()))
            }
            TokenKind::Ident if self.at_io() => Some(Item::Io(self.io())),
            TokenKind::Ident if self.at_instance() => Some(Item::Instance(self.instance())),
            TokenKind::CloseBrace => {
                self.unmatched();
                None
            }
            kind if kind.starts_section() || self.at_urgent_section() => {
                self.lost_section();
                None
            }
            _ => self.declaration().map(Item::Decl),
        }
    }

    /// `Q = P(…)` or `Q(…) = P(…)`.
    fn at_instance(&self) -> bool {
        matches!(self.nth(1), TokenKind::Assign | TokenKind::ColonAssign | TokenKind::OpenParen)
    }

    /// A section of a process outside one: a brace too many has closed it. The rest of the process is skipped.
    fn lost_section(&mut self) {
        let message = format!("`{}` stands outside a process", self.token_text(self.token()));
        let diagnostic = Diagnostic::error(codes::EXPECTED, self.here(), message);
        self.report(diagnostic.help("is there a `}` too many before it?"));
        while !matches!(
            self.kind(),
            TokenKind::End
                | TokenKind::KwProcess
                | TokenKind::KwSystem
                | TokenKind::KwProgress
                | TokenKind::KwGantt
        ) {
            self.bump();
        }
    }

    fn instance(&mut self) -> Instance {
        let start = self.start();
        let name = self.name("the name of an instance");
        let params = match self.at(TokenKind::OpenParen) {
            true => self.bracketed_params(),
            false => Vec::new(),
        };
        if !self.panicking && !self.eat(TokenKind::ColonAssign) {
            self.expect(TokenKind::Assign, "`=` and a template with its arguments");
        }
        let template = self.name("the name of a template");
        let args = self.arguments();
        let span = self.span_from(start);
        self.semicolon("the instance");
        Instance { name, params, template, args, span }
    }

    /// `system A, B < C;`.
    fn system_line(&mut self) -> SystemLine {
        let start = self.start();
        self.bump();
        let mut groups = vec![self.comma_list(Self::process_name)];
        while !self.panicking && self.eat(TokenKind::Less) {
            groups.push(self.comma_list(Self::process_name));
        }
        let span = self.span_from(start);
        self.semicolon("the system line");
        SystemLine { groups, span }
    }

    fn process_name(&mut self) -> Name {
        let name = self.name("the name of a process");
        if self.at(TokenKind::OpenParen) && !self.panicking {
            let start = self.start();
            self.arguments();
            let text = self.tree.name(name).to_owned();
            let span = self.span_from(start);
            let arguments = &self.text[span.range()];
            let message = "the system line cannot give arguments";
            let diagnostic = Diagnostic::error(codes::SYSTEM_ARGUMENTS, span, message);
            let help = format!("declare an instance, `{text}1 = {text}{arguments};`, and list `{text}1`");
            self.report(diagnostic.help(help));
        }
        name
    }

    fn at_io(&self) -> bool {
        let named = self.at_word("IO") && self.nth(1) == TokenKind::Ident;
        named && matches!(self.nth(2), TokenKind::OpenBrace | TokenKind::OpenParen)
    }

    /// `IO P { a, b }`.
    fn io(&mut self) -> Io {
        let start = self.start();
        self.bump();
        let process = self.name("the name of a process");
        let args = match self.at(TokenKind::OpenParen) {
            true => self.arguments(),
            false => Vec::new(),
        };
        let open = self.open(TokenKind::OpenBrace, "`{` and channels");
        let channels = match self.at(TokenKind::CloseBrace) || self.panicking {
            true => Vec::new(),
            false => self.comma_list(Self::postfix),
        };
        self.close(open);
        Io { process, args, channels, span: self.span_from(start) }
    }

    /// `progress { e; g : e; }`.
    fn progress(&mut self) -> Progress {
        let start = self.start();
        self.bump();
        let open = self.open(TokenKind::OpenBrace, "`{` and progress measures");
        let mut measures = Vec::new();
        while !self.panicking && !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            measures.push(self.progress_measure());
        }
        self.close(open);
        let span = self.span_from(start);
        self.eat(TokenKind::Semicolon);
        Progress { measures, span }
    }

    fn progress_measure(&mut self) -> ProgressMeasure {
        let first = self.expression();
        let guarded = !self.panicking && self.eat(TokenKind::Colon);
        let (guard, measure) = match guarded {
            true => (Some(first), self.expression()),
            false => (None, first),
        };
        self.semicolon("the measure");
        ProgressMeasure { guard, measure }
    }

    /// `gantt { row; row; }`.
    fn gantt(&mut self) -> Gantt {
        let start = self.start();
        self.bump();
        let open = self.open(TokenKind::OpenBrace, "`{` and the rows of the chart");
        let mut rows = Vec::new();
        while !self.panicking && !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            rows.push(self.gantt_row());
        }
        self.close(open);
        let span = self.span_from(start);
        self.eat(TokenKind::Semicolon);
        Gantt { rows, span }
    }

    /// `Name(i : T): condition -> colour, condition -> colour;`.
    fn gantt_row(&mut self) -> GanttRow {
        let name = self.name("the name of a row");
        let params = match self.at(TokenKind::OpenParen) && !self.panicking {
            true => self.bracketed_binders(),
            false => Vec::new(),
        };
        if !self.panicking {
            self.expect(TokenKind::Colon, "`:` and the bars of the row");
        }
        let bars = self.comma_list(Self::gantt_bar);
        self.semicolon("the row");
        GanttRow { name, params, bars }
    }

    fn bracketed_binders(&mut self) -> Vec<Binder> {
        let open = self.open(TokenKind::OpenParen, "`(`");
        let binders = match self.at(TokenKind::CloseParen) || self.panicking {
            true => Vec::new(),
            false => self.comma_list(Self::binder),
        };
        self.close(open);
        binders
    }

    fn gantt_bar(&mut self) -> GanttBar {
        let mut binders = Vec::new();
        if !self.panicking && self.eat(TokenKind::KwFor) {
            binders = self.bracketed_binders();
        }
        let condition = self.expression();
        if !self.panicking {
            self.expect(TokenKind::Arrow, "`->` and a colour");
        }
        GanttBar { binders, condition, colour: self.expression() }
    }
}
