//! Types and parameters.
//!
//! The old dialect differs here most: constants without a type, parameters in groups, by reference unless
//! constant. All of it is turned into the form of today, so that nobody after the parser knows two dialects.

use tourbillon_base::Diagnostic;

use super::Parser;
use crate::codes;
use crate::lexer::Dialect;
use crate::token::TokenKind;
use crate::tree::{Dimension, ExprId, Param, Type, TypeKind, TypePrefix, Variables};

impl Parser<'_> {
    /// A type with its prefixes.
    pub(super) fn ty(&mut self) -> Type {
        let start = self.start();
        let prefix = self.prefix();
        self.ty_after(start, prefix)
    }

    /// A type whose prefixes were read.
    pub(super) fn ty_after(&mut self, start: u32, prefix: TypePrefix) -> Type {
        let kind = self.nested(|parser| parser.type_kind(prefix)).unwrap_or(TypeKind::Error);
        Type { prefix, kind, span: self.span_from(start) }
    }

    pub(super) fn prefix(&mut self) -> TypePrefix {
        let mut prefix = TypePrefix::default();
        loop {
            let flag = match self.kind() {
                TokenKind::KwConst => &mut prefix.constant,
                TokenKind::KwMeta => &mut prefix.meta,
                TokenKind::KwUrgent => &mut prefix.urgent,
                TokenKind::KwBroadcast => &mut prefix.broadcast,
                TokenKind::KwHybrid => &mut prefix.hybrid,
                _ => return prefix,
            };
            *flag = true;
            self.bump();
        }
    }

    fn type_kind(&mut self, prefix: TypePrefix) -> TypeKind {
        if self.panicking {
            return TypeKind::Error;
        }
        self.foreign_type_words();
        if self.panicking {
            return TypeKind::Error;
        }
        match self.kind() {
            TokenKind::KwInt => self.int_type(),
            TokenKind::KwScalar => self.scalar_type(),
            TokenKind::KwStruct => self.struct_type(),
            TokenKind::KwBool => self.simple_type(TypeKind::Bool),
            TokenKind::KwClock => self.simple_type(TypeKind::Clock),
            TokenKind::KwChan => self.simple_type(TypeKind::Chan),
            TokenKind::KwDouble => self.simple_type(TypeKind::Double),
            TokenKind::KwString => self.simple_type(TypeKind::Str),
            TokenKind::KwVoid => self.simple_type(TypeKind::Void),
            TokenKind::Ident
                if prefix.constant && self.nth(1) != TokenKind::Ident && !self.at_reference() =>
            {
                self.const_without_type()
            }
            TokenKind::Ident => {
                let symbol = self.tree.intern(self.token_text(self.token()));
                self.simple_type(TypeKind::Named(symbol))
            }
            _ => {
                self.expected_with(codes::INCOMPLETE_TYPE, "a type", &[]);
                TypeKind::Error
            }
        }
    }

    fn simple_type(&mut self, kind: TypeKind) -> TypeKind {
        self.bump();
        kind
    }

    /// Whether `T &x` stands here.
    fn at_reference(&self) -> bool {
        self.nth(1) == TokenKind::BitAnd && self.nth(2) == TokenKind::Ident
    }

    /// `const N 5` or `const N = 5`: an integer, in the old dialect; a mistake since.
    fn const_without_type(&mut self) -> TypeKind {
        if self.dialect == Dialect::New {
            let name = self.token_text(self.token());
            let diagnostic =
                Diagnostic::error(codes::INCOMPLETE_TYPE, self.here(), "this constant has no type");
            self.report(diagnostic.help(format!("write `const int {name} = …`")));
        }
        TypeKind::Int(None)
    }

    /// `int`, `int[lower,upper]`.
    fn int_type(&mut self) -> TypeKind {
        self.bump();
        if !self.at(TokenKind::OpenBracket) {
            return TypeKind::Int(None);
        }
        let open = self.bump();
        let lower = self.expression();
        if !self.panicking && self.at(TokenKind::CloseBracket) {
            self.bump();
            return self.one_bound(open);
        }
        if !self.panicking {
            self.expect(TokenKind::Comma, "`,` and the upper bound");
        }
        let upper = self.expression();
        self.close(Some(open));
        TypeKind::Int(Some((lower, upper)))
    }

    /// `int[5]`: half a range, or an array's dimension before the name.
    fn one_bound(&mut self, open: crate::lexer::Token) -> TypeKind {
        let span = self.span_from(open.start);
        let inside = &self.text[span.range()];
        if self.at(TokenKind::Ident) {
            let name = self.token_text(self.token());
            let message = "the dimensions of an array follow its name";
            let diagnostic = Diagnostic::error(codes::DIMENSION_BEFORE_NAME, span, message);
            self.report(
                diagnostic.help(format!("write `int {name}{inside}`, or a range as `int[lower,upper]`")),
            );
        } else {
            let message = "a range needs a lower and an upper bound";
            let diagnostic = Diagnostic::error(codes::BAD_RANGE, span, message);
            self.report(diagnostic.help("write `int[lower,upper]`"));
        }
        TypeKind::Int(None)
    }

    fn scalar_type(&mut self) -> TypeKind {
        self.bump();
        let open = self.open(TokenKind::OpenBracket, "`[` and the size of the scalar set");
        let size = self.expression();
        if self.at(TokenKind::Comma) && !self.panicking {
            let message = "a scalar set has a size, not a range";
            let diagnostic = Diagnostic::error(codes::BAD_RANGE, self.here(), message);
            self.error(diagnostic.help("write `scalar[size]`"));
        }
        self.close(open);
        TypeKind::Scalar(size)
    }

    fn struct_type(&mut self) -> TypeKind {
        self.bump();
        let open = self.open(TokenKind::OpenBrace, "`{` and the fields");
        let mut fields = Vec::new();
        while !self.panicking && !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            let before = self.pos;
            fields.push(self.fields());
            if self.panicking && self.pos == before {
                break;
            }
        }
        self.close(open);
        TypeKind::Struct(fields)
    }

    /// `int a, b[3];` in a record.
    fn fields(&mut self) -> Variables {
        let start = self.start();
        let ty = self.ty();
        let names = self.comma_list(Self::declared);
        let span = self.span_from(start);
        self.semicolon("the field");
        Variables { ty, names, span }
    }

    /// `[3][T]`.
    pub(super) fn dimensions(&mut self) -> Vec<Dimension> {
        let mut dimensions = Vec::new();
        while !self.panicking && self.at(TokenKind::OpenBracket) {
            let open = self.bump();
            dimensions.push(match self.kind().starts_type() {
                true => Dimension::Type(self.ty()),
                false => Dimension::Size(self.size()),
            });
            self.close(Some(open));
        }
        dimensions
    }

    /// A size assigns nothing: in `a[3 = {1, 2, 3}` a bracket is missing.
    fn size(&mut self) -> ExprId {
        self.nested(Self::conditional).unwrap_or_else(|| self.error_expr(self.here()))
    }

    /// `(int a, T &b)`; nothing if there are no brackets.
    pub(super) fn bracketed_params(&mut self) -> Vec<Param> {
        let open = self.open(TokenKind::OpenParen, "`(` and the parameters");
        let params = match self.at(TokenKind::CloseParen) || self.panicking {
            true => Vec::new(),
            false => self.params(),
        };
        self.close(open);
        params
    }

    /// Parameters without brackets.
    pub(super) fn params(&mut self) -> Vec<Param> {
        match self.dialect {
            Dialect::New => self.comma_list(Self::param),
            Dialect::Old => self.old_params(),
        }
    }

    fn param(&mut self) -> Param {
        let start = self.start();
        let ty = self.ty();
        let by_reference = !self.panicking && self.eat(TokenKind::BitAnd);
        self.param_after(start, ty, by_reference)
    }

    fn param_after(&mut self, start: u32, ty: Type, by_reference: bool) -> Param {
        let name = self.name("the name of a parameter");
        let dimensions = self.dimensions();
        Param { ty, by_reference, name, dimensions, span: self.span_from(start) }
    }

    /// `int a, b; const n`: groups that share a type, by reference unless constant. A record is not shared: the
    /// old language has none, and copies of a large one would cost more than the text.
    fn old_params(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        loop {
            let start = self.start();
            let ty = self.ty();
            let by_reference = self.eat(TokenKind::BitAnd) || !ty.prefix.constant;
            params.push(self.param_after(start, ty.clone(), by_reference));
            let shared = !matches!(ty.kind, TypeKind::Struct(_));
            while shared
                && self.at(TokenKind::Comma)
                && self.nth(1) == TokenKind::Ident
                && self.nth(2) != TokenKind::Ident
            {
                self.bump();
                params.push(self.param_after(self.start(), ty.clone(), by_reference));
            }
            let more = matches!(self.kind(), TokenKind::Semicolon | TokenKind::Comma);
            if self.panicking || !more {
                return params;
            }
            self.bump();
            if matches!(self.kind(), TokenKind::CloseParen | TokenKind::End) {
                return params;
            }
        }
    }
}
