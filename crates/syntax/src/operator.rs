//! Operators and their precedence.
//!
//! | level | operators | associates |
//! |---|---|---|
//! | [`POSTFIX`] | `()` `[]` `.` `'` `++` `--` after the operand | left |
//! | [`PREFIX`] | `++` `--` `!` `not` `-` `+` before the operand | right |
//! | 15 | `**` | left |
//! | 14 | `*` `/` `%` | left |
//! | 13 | `+` `-` | left |
//! | 12 | `<<` `>>` | left |
//! | 11 | `<?` `>?` | left |
//! | 10 | `<` `<=` `>=` `>` | left |
//! | 9 | `==` `!=` | left |
//! | 8, 7, 6 | `&`, `^`, `\|` | left |
//! | 5 | `&&` `and` | left |
//! | 4 | `\|\|` `or` `xor` `imply` | left |
//! | [`CONDITIONAL`] | `? :` | right |
//! | [`ASSIGNMENT`] | `=` `:=` `+=` … | right |
//! | [`QUANTIFIER`] | `forall` `exists` `sum` `foreach` | as far right as possible |
//!
//! `or`, `xor` and `imply` share a level, unlike in logic books: `a imply b or c` is `(a imply b) or c`.

use crate::token::TokenKind;

/// How tightly an operator binds; more is tighter.
pub type Level = u8;

/// The level of quantifiers.
pub const QUANTIFIER: Level = 1;
/// The level of assignments.
pub const ASSIGNMENT: Level = 2;
/// The level of the conditional.
pub const CONDITIONAL: Level = 3;
/// The level of prefix operators.
pub const PREFIX: Level = 16;
/// The level of what follows its operand.
pub const POSTFIX: Level = 17;
/// The level of what needs no brackets anywhere.
pub const ATOM: Level = 18;

macro_rules! operators {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// How it is written.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }
    };
}

operators! {
    /// An operator between two operands, associating to the left.
    BinaryOp {
        Power "**",
        Multiply "*",
        /// Integer quotient.
        Divide "/",
        Modulo "%",
        Add "+",
        Subtract "-",
        /// Bits to the left.
        ShiftLeft "<<",
        /// Bits to the right.
        ShiftRight ">>",
        /// The smaller of two.
        Minimum "<?",
        /// The larger of two.
        Maximum ">?",
        Less "<",
        LessEqual "<=",
        GreaterEqual ">=",
        Greater ">",
        Equal "==",
        NotEqual "!=",
        BitAnd "&",
        /// One bit and not the other.
        BitXor "^",
        BitOr "|",
        /// Conjunction: `&&` or `and`.
        And "&&",
        /// Disjunction: `||` or `or`.
        Or "||",
        Xor "xor",
        Imply "imply",
    }
}

operators! {
    /// An operator before or after one operand.
    UnaryOp {
        /// Negation of a number.
        Negate "-",
        /// A number as it is.
        Plus "+",
        /// Negation of a condition: `!` or `not`.
        Not "!",
        /// Adds one; the value is the new one.
        PreIncrement "++",
        /// Takes one away; the value is the new one.
        PreDecrement "--",
        /// Adds one; the value is the old one.
        PostIncrement "++",
        /// Takes one away; the value is the old one.
        PostDecrement "--",
        /// The rate of a clock.
        Rate "'",
    }
}

operators! {
    /// An operator that changes its left operand.
    AssignOp {
        /// `=` or `:=`.
        Set "=",
        Add "+=",
        Subtract "-=",
        Multiply "*=",
        Divide "/=",
        Modulo "%=",
        /// Keeps the common bits.
        BitAnd "&=",
        /// Adds the other's bits.
        BitOr "|=",
        /// Flips the other's bits.
        BitXor "^=",
        /// Shifts to the left.
        ShiftLeft "<<=",
        /// Shifts to the right.
        ShiftRight ">>=",
    }
}

operators! {
    /// What binds a name in an expression.
    QuantifierOp {
        Forall "forall",
        Exists "exists",
        /// The sum over all values.
        Sum "sum",
        /// For each process of a dynamic template.
        Foreach "foreach",
    }
}

impl BinaryOp {
    /// How tightly it binds.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::Power => 15,
            Self::Multiply | Self::Divide | Self::Modulo => 14,
            Self::Add | Self::Subtract => 13,
            Self::ShiftLeft | Self::ShiftRight => 12,
            Self::Minimum | Self::Maximum => 11,
            Self::Less | Self::LessEqual | Self::GreaterEqual | Self::Greater => 10,
            Self::Equal | Self::NotEqual => 9,
            Self::BitAnd => 8,
            Self::BitXor => 7,
            Self::BitOr => 6,
            Self::And => 5,
            Self::Or | Self::Xor | Self::Imply => 4,
        }
    }

    /// Whether it yields a truth value of two numbers.
    #[must_use]
    pub const fn is_comparison(self) -> bool {
        matches!(self.level(), 9 | 10)
    }

    /// The operator that a token is.
    pub(crate) const fn of(token: TokenKind) -> Option<Self> {
        Some(match token {
            TokenKind::Power => Self::Power,
            TokenKind::Star => Self::Multiply,
            TokenKind::Slash => Self::Divide,
            TokenKind::Percent => Self::Modulo,
            TokenKind::Plus => Self::Add,
            TokenKind::Minus => Self::Subtract,
            TokenKind::ShiftLeft => Self::ShiftLeft,
            TokenKind::ShiftRight => Self::ShiftRight,
            TokenKind::Minimum => Self::Minimum,
            TokenKind::Maximum => Self::Maximum,
            TokenKind::Less => Self::Less,
            TokenKind::LessEqual | TokenKind::OldLessEqual => Self::LessEqual,
            TokenKind::GreaterEqual | TokenKind::OldGreaterEqual => Self::GreaterEqual,
            TokenKind::Greater => Self::Greater,
            TokenKind::Equal => Self::Equal,
            TokenKind::NotEqual => Self::NotEqual,
            TokenKind::BitAnd => Self::BitAnd,
            TokenKind::BitXor => Self::BitXor,
            TokenKind::BitOr => Self::BitOr,
            TokenKind::AndAnd | TokenKind::And => Self::And,
            TokenKind::OrOr | TokenKind::Or => Self::Or,
            TokenKind::Xor => Self::Xor,
            TokenKind::Imply => Self::Imply,
            _ => return None,
        })
    }
}

impl UnaryOp {
    /// Whether it stands after its operand.
    #[must_use]
    pub const fn is_postfix(self) -> bool {
        matches!(self, Self::PostIncrement | Self::PostDecrement | Self::Rate)
    }

    /// The operator that a token before an operand is.
    pub(crate) const fn prefix(token: TokenKind) -> Option<Self> {
        Some(match token {
            TokenKind::Minus => Self::Negate,
            TokenKind::Plus => Self::Plus,
            TokenKind::Bang | TokenKind::Not => Self::Not,
            TokenKind::Increment => Self::PreIncrement,
            TokenKind::Decrement => Self::PreDecrement,
            _ => return None,
        })
    }

    /// The operator that a token after an operand is.
    pub(crate) const fn postfix(token: TokenKind) -> Option<Self> {
        Some(match token {
            TokenKind::Increment => Self::PostIncrement,
            TokenKind::Decrement => Self::PostDecrement,
            TokenKind::Prime => Self::Rate,
            _ => return None,
        })
    }
}

impl AssignOp {
    /// The operator that a token is.
    pub(crate) const fn of(token: TokenKind) -> Option<Self> {
        Some(match token {
            TokenKind::Assign | TokenKind::ColonAssign => Self::Set,
            TokenKind::PlusAssign => Self::Add,
            TokenKind::MinusAssign => Self::Subtract,
            TokenKind::TimesAssign => Self::Multiply,
            TokenKind::DivideAssign => Self::Divide,
            TokenKind::ModuloAssign => Self::Modulo,
            TokenKind::BitAndAssign => Self::BitAnd,
            TokenKind::BitOrAssign => Self::BitOr,
            TokenKind::BitXorAssign => Self::BitXor,
            TokenKind::ShiftLeftAssign => Self::ShiftLeft,
            TokenKind::ShiftRightAssign => Self::ShiftRight,
            _ => return None,
        })
    }
}
