//! Suggestions: misspelt keywords, and words of C that the language lacks.
//!
//! A guess is made only where the text makes no sense otherwise, or hardly any, and then acted upon: the token
//! becomes the keyword, so that one misspelt letter costs one message. Names that a typedef has introduced are
//! never taken for anything else.

use tourbillon_base::Diagnostic;

use super::Parser;
use crate::codes;
use crate::token::TokenKind;
use crate::tree::Symbol;

/// Words of C that stand before or instead of a type, with what to write.
const FOREIGN_TYPES: &[(&str, &str)] = &[
    ("unsigned", "use a bounded integer, such as `int[0,255]`"),
    ("signed", "integers are signed unless their range says otherwise"),
    ("long", "integers have 32 bits at most: use `int`, or `double`"),
    ("short", "use `int`, or a bounded integer such as `int[-128,127]`"),
    ("char", "use a bounded integer, such as `int[0,255]`"),
    ("float", "use `double`"),
    ("static", "every variable of a template exists once in each process: leave the word out"),
    ("extern", "import functions with `import \"library\" { … };`"),
    ("volatile", "leave the word out"),
    ("inline", "leave the word out"),
    ("enum", "declare a constant for each value, and a type with `typedef int[0,n] name;`"),
];

/// Statements of C, with what to write.
const FOREIGN_STATEMENTS: &[(&str, &str)] = &[
    ("switch", "use `if` and `else if`"),
    ("break", "leave a loop by its condition, or by `return`"),
    ("continue", "put the rest of the loop's body into an `if`"),
    ("goto", "use `if` and loops"),
    ("case", "use `if` and `else if`"),
];

impl Parser<'_> {
    /// If the current token is a name within `distance` letters of one of these keywords, and not the name of a
    /// type: reports that and takes the keyword for it.
    pub(super) fn correct(&mut self, keywords: &[TokenKind], distance: usize) -> bool {
        let Some((kind, word)) = self.misspelt(keywords, distance) else { return false };
        let message = format!("{} looks like a misspelt keyword", self.found());
        let diagnostic = Diagnostic::error(codes::MISSPELT_KEYWORD, self.here(), message);
        self.report(diagnostic.help(format!("did you mean `{word}`?")));
        self.tokens[self.pos].kind = kind;
        true
    }

    pub(super) fn misspelt(
        &self,
        keywords: &[TokenKind],
        distance: usize,
    ) -> Option<(TokenKind, &'static str)> {
        if self.panicking || !self.at(TokenKind::Ident) {
            return None;
        }
        let text = self.token_text(self.token());
        if self.tree.symbol(text).is_some_and(|symbol| self.is_typedef(symbol)) {
            return None;
        }
        keywords
            .iter()
            .filter_map(|&kind| Some((kind, kind.word()?)))
            .filter(|(_, word)| word.len().abs_diff(text.len()) <= distance)
            .map(|(kind, word)| (edit_distance(text, word), kind, word))
            .filter(|&(found, _, word)| found <= distance && 2 * found < word.len())
            .min_by_key(|&(found, _, word)| (found, word.len().abs_diff(text.len())))
            .map(|(_, kind, word)| (kind, word))
    }

    /// For a name after an expression: the operator that was perhaps meant.
    pub(super) fn operator_hint(&self) -> Option<String> {
        let text = self.token_text(self.token());
        if !self.at(TokenKind::Ident) || text.len() > 8 {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let words = [("and", "and"), ("or", "or"), ("xor", "xor"), ("imply", "imply"), ("implies", "imply")];
        let close = words.iter().find(|&&(word, _)| edit_distance(&lower, word) <= word.len() / 3)?;
        Some(format!("did you mean `{}`?", close.1))
    }

    fn is_typedef(&self, symbol: Symbol) -> bool {
        self.typedefs.contains(&symbol)
    }

    /// Passes and reports words of C before a type; `unsigned int x` continues as `int x`.
    pub(super) fn foreign_type_words(&mut self) {
        while self.nth(1) == TokenKind::Ident
            || self.nth(1).starts_type()
            || self.nth(1) == TokenKind::OpenBrace
        {
            let Some(help) = self.foreign(FOREIGN_TYPES) else { return };
            self.report_foreign(help);
            if self.at_word("enum") {
                return self.skip_enum();
            }
            if self.nth(1) == TokenKind::Ident && self.nth(2) != TokenKind::Ident && !self.at_foreign_type(1)
            {
                let is_float = self.at_word("float");
                self.tokens[self.pos].kind = if is_float { TokenKind::KwDouble } else { TokenKind::KwInt };
                return;
            }
            self.bump();
        }
    }

    /// Passes `enum E { A, B }`, and takes its last token for `int` if a name follows.
    fn skip_enum(&mut self) {
        self.bump();
        if self.at(TokenKind::Ident) && self.nth(1) == TokenKind::OpenBrace {
            self.bump();
        }
        self.skip_block();
        if self.at(TokenKind::Ident) {
            self.pos -= 1;
            self.tokens[self.pos].kind = TokenKind::KwInt;
        } else {
            self.panicking = true;
        }
    }

    fn at_foreign_type(&self, ahead: usize) -> bool {
        let text = self.token_text(self.tokens[self.pos + ahead]);
        FOREIGN_TYPES.iter().any(|&(word, _)| word == text)
    }

    /// Passes and reports a statement of C.
    pub(super) fn foreign_statement(&mut self) -> bool {
        let plausible = matches!(
            self.nth(1),
            TokenKind::Semicolon
                | TokenKind::OpenParen
                | TokenKind::Ident
                | TokenKind::Int
                | TokenKind::CloseBrace
        );
        let Some(help) = self.foreign(FOREIGN_STATEMENTS).filter(|_| plausible) else { return false };
        self.report_foreign(help);
        self.bump();
        if self.at(TokenKind::OpenParen) {
            self.arguments();
            self.panicking = true;
            self.recover_statement();
            self.skip_block();
        } else {
            self.recover_statement();
        }
        true
    }

    /// Skips a block that is here without reading it.
    pub(super) fn skip_block(&mut self) {
        let mut braces = 0usize;
        loop {
            match self.kind() {
                TokenKind::OpenBrace => braces += 1,
                TokenKind::CloseBrace if braces > 0 => braces -= 1,
                TokenKind::End => return,
                _ if braces == 0 => return,
                _ => {}
            }
            self.bump();
            if braces == 0 {
                return;
            }
        }
    }

    fn foreign(&self, words: &[(&str, &'static str)]) -> Option<&'static str> {
        if self.panicking || !self.at(TokenKind::Ident) {
            return None;
        }
        let text = self.token_text(self.token());
        let declared = self.tree.symbol(text).is_some_and(|symbol| self.is_typedef(symbol));
        words.iter().find(|&&(word, _)| word == text && !declared).map(|&(_, help)| help)
    }

    fn report_foreign(&mut self, help: &str) {
        let message = format!("the language has no {}", self.found());
        self.report(Diagnostic::error(codes::NOT_IN_LANGUAGE, self.here(), message).help(help));
    }

    /// Passes and reports a line for the preprocessor of C.
    pub(super) fn preprocessor_line(&mut self) {
        let hash = self.bump();
        let mut words = Vec::new();
        while !self.at(TokenKind::End) && !self.starts_line() {
            let token = self.bump();
            words.push(self.token_text(token));
        }
        let span = self.span_from(hash.start);
        let diagnostic = Diagnostic::error(codes::PREPROCESSOR, span, "there is no preprocessor");
        self.report(match words[..] {
            ["define", name, value] => {
                diagnostic.help(format!("declare a constant: `const int {name} = {value};`"))
            }
            ["define", ..] => diagnostic.help("declare a constant or a function"),
            _ => diagnostic,
        });
    }
}

/// The longest word that distances are computed for; keywords are shorter.
const LONGEST: usize = 15;

/// The number of letters to insert, delete, replace or swap with a neighbour to get from one word to the other;
/// a large number if that is certainly more than 2. Rows of the table live on the stack: every declaration whose
/// type has a name asks for distances.
fn edit_distance(from: &str, to: &str) -> usize {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    if from.len().abs_diff(to.len()) > 2 || from.len().max(to.len()) > LONGEST {
        return usize::MAX;
    }
    let mut before_last = [0; LONGEST + 1];
    let mut last: [usize; LONGEST + 1] = std::array::from_fn(|column| column);
    for (i, &a) in from.iter().enumerate() {
        let mut row = [i + 1; LONGEST + 1];
        for (j, &b) in to.iter().enumerate() {
            let replaced = last[j] + usize::from(a != b);
            row[j + 1] = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == to[j - 1] && from[i - 1] == b {
                row[j + 1] = row[j + 1].min(before_last[j - 1] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn distances_count_letters() {
        let cases = [
            ("while", "while", 0),
            ("whlie", "while", 1),
            ("gaurd", "guard", 1),
            ("brodcast", "broadcast", 1),
        ];
        for (from, to, distance) in cases {
            assert_eq!(edit_distance(from, to), distance, "{from} {to}");
        }
        assert_eq!(edit_distance("statte", "state"), 1);
        assert_eq!(edit_distance("x", "state"), usize::MAX);
        assert_eq!(edit_distance(&"x".repeat(15), &"y".repeat(15)), 15);
        assert_eq!(edit_distance(&"x".repeat(16), &"x".repeat(16)), usize::MAX);
    }
}
