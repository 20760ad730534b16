//! Declarations.
//!
//! Variables and functions start alike; which one it is shows in the bracket after the name. Words that start a
//! declaration only now and then (`import`, `dynamic`) are examined together with what follows them.

use tourbillon_base::Diagnostic;

use super::Parser;
use crate::codes;
use crate::token::TokenKind;
use crate::tree::{
    ChannelPriority, ChannelRef, Decl, DeclaredName, DynamicTemplate, Function, Hook, Import,
    ImportedFunction, Name, Type, Variables,
};

/// What a name at the start of a declaration can be a misspelling of, if another name follows.
const BEFORE_NAME: &[TokenKind] = &[
    TokenKind::KwInt,
    TokenKind::KwBool,
    TokenKind::KwClock,
    TokenKind::KwChan,
    TokenKind::KwDouble,
    TokenKind::KwVoid,
    TokenKind::KwTypedef,
];

/// What it can be a misspelling of, if a type follows.
const BEFORE_TYPE: &[TokenKind] = &[
    TokenKind::KwTypedef,
    TokenKind::KwConst,
    TokenKind::KwMeta,
    TokenKind::KwUrgent,
    TokenKind::KwBroadcast,
    TokenKind::KwHybrid,
];

impl Parser<'_> {
    /// Declarations up to the end of the text, a closing brace or a section. In a process, `urgent A, B;` is a
    /// section; `sections` are the words that a misspelt one can stand for.
    pub(super) fn declarations(&mut self, sections: &[TokenKind]) -> Vec<Decl> {
        let mut declarations = Vec::new();
        loop {
            self.correct_declaration(sections);
            if matches!(self.kind(), TokenKind::End | TokenKind::CloseBrace)
                || self.kind().starts_section()
                || self.at_urgent_section()
            {
                return declarations;
            }
            let before = self.pos;
            declarations.extend(self.declaration());
            if self.panicking {
                self.recover_declaration();
            }
            if self.pos == before {
                self.bump();
            }
        }
    }

    /// Takes a misspelt keyword at the start of a declaration for what it should be: a type, a word before one,
    /// or one of these sections.
    pub(super) fn correct_declaration(&mut self, sections: &[TokenKind]) {
        if self.nth(1).starts_type() {
            self.correct(BEFORE_TYPE, 2);
        } else if self.nth(1) == TokenKind::Ident && !self.correct(sections, 1) {
            self.correct(BEFORE_NAME, 1);
        }
    }

    /// Whether `urgent A` of a process stands here, not `urgent chan` or `urgent T c`.
    pub(super) fn at_urgent_section(&self) -> bool {
        self.at(TokenKind::KwUrgent) && self.nth(1) == TokenKind::Ident && self.nth(2) != TokenKind::Ident
    }

    /// A declaration; nothing for a stray semicolon or what is no declaration.
    pub(super) fn declaration(&mut self) -> Option<Decl> {
        let declaration = self.any_declaration();
        self.lost &= declaration.is_none();
        declaration
    }

    fn any_declaration(&mut self) -> Option<Decl> {
        match self.kind() {
            TokenKind::Semicolon | TokenKind::Unknown => {
                self.bump();
                None
            }
            TokenKind::KwTypedef => Some(Decl::Typedef(self.typedef())),
            TokenKind::KwChan if self.nth(1) == TokenKind::KwPriority => {
                Some(Decl::ChannelPriority(self.channel_priority()))
            }
            TokenKind::KwBeforeUpdate => Some(Decl::BeforeUpdate(self.hook())),
            TokenKind::KwAfterUpdate => Some(Decl::AfterUpdate(self.hook())),
            TokenKind::Ident if self.at_word("import") && self.nth(1) == TokenKind::Str => {
                Some(Decl::Import(self.import()))
            }
            TokenKind::Ident if self.at_word("dynamic") && self.nth(1) == TokenKind::Ident => {
                Some(Decl::Dynamic(self.dynamic()))
            }
            kind if kind.starts_type() || self.at_named_type() => Some(self.typed_declaration()),
            TokenKind::Hash => {
                self.preprocessor_line();
                None
            }
            _ => {
                self.no_declaration();
                None
            }
        }
    }

    /// Whether a declaration with the name of a type stands here: two names in a row.
    pub(super) fn at_named_type(&self) -> bool {
        self.at(TokenKind::Ident)
            && (self.nth(1) == TokenKind::Ident || self.nth(1).starts_type() || self.at_word("enum"))
    }

    fn no_declaration(&mut self) {
        if std::mem::replace(&mut self.lost, true) {
            self.panicking = true;
            return;
        }
        let is_statement = self.kind().starts_statement()
            || (self.at(TokenKind::Ident) && crate::operator::AssignOp::of(self.nth(1)).is_some())
            || (self.at(TokenKind::Ident)
                && matches!(self.nth(1), TokenKind::OpenParen | TokenKind::Increment));
        if is_statement {
            let message = "statements are not allowed here, only declarations";
            let diagnostic = Diagnostic::error(codes::STATEMENT_OUTSIDE_FUNCTION, self.here(), message);
            self.error(diagnostic.help("put it into a function"));
        } else {
            self.expected("a declaration");
        }
    }

    /// Variables or a function.
    fn typed_declaration(&mut self) -> Decl {
        let start = self.start();
        let prefix = self.prefix();
        let after_prefix = self.pos;
        let ty = self.ty_after(start, prefix);
        let untyped = prefix.constant && self.pos == after_prefix;
        if untyped {
            return Decl::Variables(self.variables(start, ty, Self::old_constant));
        }
        let name_follows = self.at(TokenKind::Ident) || self.kind().is_keyword();
        if name_follows && self.nth(1) == TokenKind::OpenParen && !self.panicking {
            return Decl::Function(self.function(start, ty));
        }
        Decl::Variables(self.variables(start, ty, Self::declared))
    }

    fn variables(&mut self, start: u32, ty: Type, declared: fn(&mut Self) -> DeclaredName) -> Variables {
        let names = self.comma_list(declared);
        let span = self.span_from(start);
        self.semicolon("the declaration");
        Variables { ty, names, span }
    }

    /// `name[3] = init`.
    pub(super) fn declared(&mut self) -> DeclaredName {
        let start = self.start();
        let name = self.name("a name");
        let dimensions = self.dimensions();
        let assigned = !self.panicking && matches!(self.kind(), TokenKind::Assign | TokenKind::ColonAssign);
        let init = assigned.then(|| {
            self.bump();
            self.initialiser()
        });
        DeclaredName { name, dimensions, init, span: self.span_from(start) }
    }

    /// `N 5`: a constant of the old dialect. With an equals sign it is one of today that lacks its type.
    fn old_constant(&mut self) -> DeclaredName {
        let start = self.start();
        let name = self.name("the name of a constant");
        let dimensions = self.dimensions();
        if !self.panicking && matches!(self.kind(), TokenKind::Assign | TokenKind::ColonAssign) {
            self.bump();
        }
        let init = Some(self.initialiser());
        DeclaredName { name, dimensions, init, span: self.span_from(start) }
    }

    fn typedef(&mut self) -> Variables {
        let start = self.start();
        self.bump();
        let ty = self.ty();
        let variables = self.variables(start, ty, Self::type_name);
        self.typedefs.extend(variables.names.iter().map(|declared| declared.name.symbol));
        variables
    }

    fn type_name(&mut self) -> DeclaredName {
        let start = self.start();
        let name = self.name("a name for the type");
        let dimensions = self.dimensions();
        DeclaredName { name, dimensions, init: None, span: self.span_from(start) }
    }

    fn function(&mut self, start: u32, returns: Type) -> Function {
        let line = self.text[..start as usize].rfind('\n').map_or(0, |end| end + 1);
        let outer = self.function_indent.replace(start as usize - line);
        let name = self.name("the name of a function");
        let params = self.bracketed_params();
        let body = self.function_body();
        self.function_indent = outer;
        Function { returns, name, params, body, span: self.span_from(start) }
    }

    /// `chan priority a, b[0] < default < c;`.
    fn channel_priority(&mut self) -> ChannelPriority {
        let start = self.start();
        self.bump();
        self.bump();
        let mut groups = vec![self.comma_list(Self::channel_ref)];
        while !self.panicking && self.eat(TokenKind::Less) {
            groups.push(self.comma_list(Self::channel_ref));
        }
        let span = self.span_from(start);
        self.semicolon("the priorities");
        ChannelPriority { groups, span }
    }

    fn channel_ref(&mut self) -> ChannelRef {
        let span = self.here();
        if self.eat(TokenKind::KwDefault) {
            return ChannelRef::Default(span);
        }
        ChannelRef::Channel(self.postfix())
    }

    /// `before_update { e, e }`.
    fn hook(&mut self) -> Hook {
        let start = self.start();
        self.bump();
        let open = self.open(TokenKind::OpenBrace, "`{`");
        let mut updates = Vec::new();
        while !self.panicking && !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            updates.extend(self.comma_list(Self::expression));
            if !self.eat(TokenKind::Semicolon) {
                break;
            }
        }
        self.close(open);
        Hook { updates, span: self.span_from(start) }
    }

    /// `import "library" { int f(int x); };`.
    fn import(&mut self) -> Import {
        let start = self.start();
        self.bump();
        let token = self.bump();
        let library = Name { symbol: self.string_symbol(token), span: self.span_of(token) };
        let open = self.open(TokenKind::OpenBrace, "`{` and the functions");
        let mut functions = Vec::new();
        while !self.panicking && !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            functions.push(self.imported_function());
        }
        self.close(open);
        let span = self.span_from(start);
        self.eat(TokenKind::Semicolon);
        Import { library, functions, span }
    }

    fn imported_function(&mut self) -> ImportedFunction {
        let start = self.start();
        let alias = (self.at(TokenKind::Ident) && self.nth(1) == TokenKind::Assign).then(|| {
            let token = self.bump();
            self.bump();
            self.name_of(token)
        });
        let returns = self.ty();
        let name = self.name("the name of a function");
        let params = self.bracketed_params();
        let span = self.span_from(start);
        self.semicolon("the function");
        ImportedFunction { alias, returns, name, params, span }
    }

    fn dynamic(&mut self) -> DynamicTemplate {
        let start = self.start();
        self.bump();
        let name = self.name("the name of a template");
        let params = self.bracketed_params();
        let span = self.span_from(start);
        self.semicolon("the declaration");
        DynamicTemplate { name, params, span }
    }
}
