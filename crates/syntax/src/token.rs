//! Tokens.
//!
//! One flat enum serves models, queries and the old syntax. Words that are keywords only in some places
//! (`deadlock`, `sup`, `control`, `query`, `dynamic`, …) are identifiers here and recognised by the parser where
//! they mean something, so that a model may still use them as names. `A`, `E`, `U` and the C keywords that the
//! language lacks (`break`, `switch`, …) are identifiers for the same reason: models in the wild have locations
//! called `continue`.
//!
//! A token with more than one reading is settled by the [lexer](crate::lexer).

use logos::{FilterResult, Lexer, Logos};

/// Why a piece of text is no token.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum LexError {
    /// A character that starts no token.
    #[default]
    Character,
    /// A `/*` without its `*/`.
    OpenComment,
    /// A `"` without its partner on the same line.
    OpenString,
}

/// The kind of a token. Its text is in the source.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\x0b\x0c\u{a0}\u{feff}]+")]
#[logos(skip r"\\\r?\n")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[repr(u8)]
pub(crate) enum TokenKind {
    #[regex(r"[a-zA-Z_][a-zA-Z0-9_$#]*")]
    Ident,
    #[regex(r"[0-9]+")]
    Int,
    #[regex(r"[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?")]
    #[regex(r"\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Float,
    #[token("\"", string)]
    Str,
    #[token("/*", block_comment)]
    Comment,

    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("?")]
    Question,
    #[token("'")]
    Prime,
    #[token("#")]
    Hash,

    #[token("->")]
    Arrow,
    #[token("-u->")]
    UncontrollableArrow,
    /// `-->`; two tokens outside queries.
    #[token("-->")]
    LeadsTo,

    #[token("=")]
    Assign,
    #[token(":=")]
    ColonAssign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("*=")]
    TimesAssign,
    #[token("/=")]
    DivideAssign,
    #[token("%=")]
    ModuloAssign,
    #[token("&=")]
    BitAndAssign,
    #[token("|=")]
    BitOrAssign,
    #[token("^=")]
    BitXorAssign,
    #[token("<<=")]
    ShiftLeftAssign,
    #[token(">>=")]
    ShiftRightAssign,

    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    #[token("!")]
    Bang,
    #[token("not")]
    Not,
    #[token("**")]
    Power,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("<?")]
    Minimum,
    #[token(">?")]
    Maximum,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    /// `=<`: the old spelling of `<=`.
    #[token("=<")]
    OldLessEqual,
    /// `=>`: the old spelling of `>=`.
    #[token("=>")]
    OldGreaterEqual,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("&")]
    BitAnd,
    #[token("^")]
    BitXor,
    #[token("|")]
    BitOr,
    #[token("&&")]
    AndAnd,
    #[token("and")]
    And,
    #[token("||")]
    OrOr,
    #[token("or")]
    Or,
    #[token("xor")]
    Xor,
    #[token("imply")]
    Imply,

    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("forall")]
    Forall,
    #[token("exists")]
    Exists,
    #[token("sum")]
    Sum,

    #[token("int")]
    KwInt,
    #[token("bool")]
    KwBool,
    #[token("clock")]
    KwClock,
    #[token("chan")]
    KwChan,
    #[token("double")]
    KwDouble,
    #[token("string")]
    KwString,
    #[token("void")]
    KwVoid,
    #[token("scalar")]
    KwScalar,
    #[token("struct")]
    KwStruct,
    #[token("const")]
    KwConst,
    #[token("meta")]
    KwMeta,
    #[token("urgent")]
    KwUrgent,
    #[token("broadcast")]
    KwBroadcast,
    #[token("hybrid")]
    KwHybrid,
    #[token("typedef")]
    KwTypedef,

    #[token("if")]
    KwIf,
    #[token("else")]
    KwElse,
    #[token("while")]
    KwWhile,
    #[token("do")]
    KwDo,
    #[token("for")]
    KwFor,
    #[token("return")]
    KwReturn,
    #[token("assert")]
    KwAssert,

    #[token("process")]
    KwProcess,
    #[token("state")]
    KwState,
    #[token("branchpoint")]
    KwBranchpoint,
    #[token("commit")]
    KwCommit,
    #[token("init")]
    KwInit,
    #[token("trans")]
    KwTrans,
    #[token("select")]
    KwSelect,
    #[token("guard")]
    KwGuard,
    #[token("sync")]
    KwSync,
    #[token("assign")]
    KwAssign,
    #[token("probability")]
    KwProbability,
    #[token("system")]
    KwSystem,
    #[token("priority")]
    KwPriority,
    #[token("default")]
    KwDefault,
    #[token("progress")]
    KwProgress,
    #[token("gantt")]
    KwGantt,
    #[token("before_update")]
    KwBeforeUpdate,
    #[token("after_update")]
    KwAfterUpdate,

    /// What cannot be read. It is reported by the lexer, and silently skipped wherever it can be.
    Unknown,
    /// The end of the text.
    End,
}

/// Reads the rest of a block comment, which logos cannot express without a backward search.
fn block_comment(lexer: &mut Lexer<'_, TokenKind>) -> FilterResult<(), LexError> {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            FilterResult::Error(LexError::OpenComment)
        }
    }
}

/// Reads the rest of a string, up to the quote that closes it on the same line.
fn string(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), LexError> {
    let rest = lexer.remainder();
    let end = rest.find(['"', '\n']).unwrap_or(rest.len());
    let closed = rest[end..].starts_with('"');
    lexer.bump(end + usize::from(closed));
    if closed { Ok(()) } else { Err(LexError::OpenString) }
}

/// Every word that is reserved, with its token. The order is that of the manual's tables, not of the alphabet.
pub(crate) const KEYWORDS: &[(&str, TokenKind)] = {
    use TokenKind::*;
    &[
        ("not", Not),
        ("and", And),
        ("or", Or),
        ("xor", Xor),
        ("imply", Imply),
        ("true", True),
        ("false", False),
        ("forall", Forall),
        ("exists", Exists),
        ("sum", Sum),
        ("int", KwInt),
        ("bool", KwBool),
        ("clock", KwClock),
        ("chan", KwChan),
        ("double", KwDouble),
        ("string", KwString),
        ("void", KwVoid),
        ("scalar", KwScalar),
        ("struct", KwStruct),
        ("const", KwConst),
        ("meta", KwMeta),
        ("urgent", KwUrgent),
        ("broadcast", KwBroadcast),
        ("hybrid", KwHybrid),
        ("typedef", KwTypedef),
        ("if", KwIf),
        ("else", KwElse),
        ("while", KwWhile),
        ("do", KwDo),
        ("for", KwFor),
        ("return", KwReturn),
        ("assert", KwAssert),
        ("process", KwProcess),
        ("state", KwState),
        ("branchpoint", KwBranchpoint),
        ("commit", KwCommit),
        ("init", KwInit),
        ("trans", KwTrans),
        ("select", KwSelect),
        ("guard", KwGuard),
        ("sync", KwSync),
        ("assign", KwAssign),
        ("probability", KwProbability),
        ("system", KwSystem),
        ("priority", KwPriority),
        ("default", KwDefault),
        ("progress", KwProgress),
        ("gantt", KwGantt),
        ("before_update", KwBeforeUpdate),
        ("after_update", KwAfterUpdate),
    ]
};

impl TokenKind {
    /// Whether it is a word that cannot be a name.
    pub(crate) fn is_keyword(self) -> bool {
        KEYWORDS.iter().any(|&(_, kind)| kind == self)
    }

    /// The word that is this token, if it is a reserved one.
    pub(crate) fn word(self) -> Option<&'static str> {
        KEYWORDS.iter().find(|&&(_, kind)| kind == self).map(|&(word, _)| word)
    }

    /// Whether a type can start with it, apart from a name.
    pub(crate) fn starts_type(self) -> bool {
        use TokenKind::*;
        self.is_type_prefix()
            || matches!(
                self,
                KwInt | KwBool | KwClock | KwChan | KwDouble | KwString | KwVoid | KwScalar | KwStruct
            )
    }

    /// Whether it is a word that stands before a type.
    pub(crate) fn is_type_prefix(self) -> bool {
        use TokenKind::*;
        matches!(self, KwConst | KwMeta | KwUrgent | KwBroadcast | KwHybrid)
    }

    /// Whether it only ever starts a section of a model, so that recovery may stop there.
    pub(crate) fn starts_section(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            KwProcess
                | KwState
                | KwCommit
                | KwInit
                | KwTrans
                | KwBranchpoint
                | KwSystem
                | KwProgress
                | KwGantt
        )
    }

    /// Whether it is the first word of a label on an edge.
    pub(crate) fn starts_label(self) -> bool {
        use TokenKind::*;
        matches!(self, KwSelect | KwGuard | KwSync | KwAssign | KwProbability)
    }

    /// Whether a statement can start with it and nothing else can.
    pub(crate) fn starts_statement(self) -> bool {
        use TokenKind::*;
        matches!(self, KwIf | KwElse | KwWhile | KwDo | KwFor | KwReturn | KwAssert)
    }

    /// The bracket that closes this one.
    pub(crate) fn closing(self) -> Option<Self> {
        match self {
            Self::OpenParen => Some(Self::CloseParen),
            Self::OpenBracket => Some(Self::CloseBracket),
            Self::OpenBrace => Some(Self::CloseBrace),
            _ => None,
        }
    }

    /// Whether it closes a bracket.
    pub(crate) fn is_closing(self) -> bool {
        matches!(self, Self::CloseParen | Self::CloseBracket | Self::CloseBrace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_keywords_is_what_the_lexer_reads() {
        for &(word, kind) in KEYWORDS {
            assert_eq!(TokenKind::lexer(word).next(), Some(Ok(kind)), "{word}");
            assert_eq!(kind.word(), Some(word));
        }
        assert!(!TokenKind::Ident.is_keyword());
    }
}
