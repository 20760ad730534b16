//! Diagnostic codes of the text of models and queries.
//!
//! `S00..` is about characters and words, `S01..` about grammar in general, `S02..` about expressions, `S03..`
//! about declarations and functions, `S04..` about templates and the system, `S05..` about queries.

tourbillon_base::define_codes! {
    /// Every code of this crate.
    pub const CODES;

    STRANGE_CHARACTER = "S0001", "a character that starts no word",
        "The language is written in ASCII outside comments and strings. Typographic quotes, dashes and signs such as \
         \u{2264} often come from a word processor: write `<=` instead of \u{2264}, `-` instead of a dash. One message \
         is given for a whole run of such characters.";
    OPEN_COMMENT = "S0002", "a comment that is never closed",
        "A comment that starts with `/*` ends at the first `*/`; comments do not nest. The message points at the place \
         where the comment begins, since everything after it was swallowed.";
    OPEN_STRING = "S0003", "a string that is not closed",
        "A string starts and ends with a double quote, on one line.";
    INTEGER_TOO_LARGE = "S0004", "an integer that does not fit in 32 bits",
        "Integers are 32 bits wide: -2147483648 to 2147483647. The number 2147483648 can be written only directly \
         after a minus sign.";
    OLD_COMPARISON = "S0005", "a comparison in the spelling of UPPAAL 3.4",
        "Up to UPPAAL 3.4, `=<` and `=>` were other spellings of `<=` and `>=`. The operator is taken as that; choose \
         the old dialect to read such a model without this message, or change the text.";
    FLOAT_TOO_LARGE = "S0006", "a floating-point number out of range",
        "Floating-point numbers have 64 bits; this one is larger than the largest of them.";
    PREPROCESSOR = "S0007", "there is no preprocessor",
        "Lines such as `#define N 5` or `#include` are for C. Declare a constant with `const int N = 5;`, and a macro \
         with arguments as a function.";

    EXPECTED = "S0101", "something else was expected",
        "The text does not follow the grammar here. The message says what could have stood at this place and what \
         was found. Often the mistake is a little earlier: look at the line before, too. After the message, reading \
         goes on at the next place where a part of the model can start, so that other mistakes are found as well.";
    MISSING_SEMICOLON = "S0102", "a missing semicolon",
        "Declarations, statements, the labels of an edge in textual models and the sections of a process end with \
         `;`. The message points at the place where it should have been. Reading goes on as if it were there.";
    UNCLOSED_BRACKET = "S0103", "a bracket that is not closed",
        "Every `(`, `[` and `{` needs its partner. The message points at the place where the partner was missed at \
         the latest, and at the bracket that is open there.";
    UNMATCHED_BRACKET = "S0104", "a closing bracket without an opening one",
        "No bracket is open here that this one could close.";
    MISSPELT_KEYWORD = "S0105", "a word that looks like a misspelt keyword",
        "The text makes no sense with this word as a name, and would with a keyword that differs from it by a letter \
         or two. The keyword is assumed for the rest of the reading.";
    RESERVED_WORD = "S0106", "a reserved word used as a name",
        "Some words have a meaning of their own and cannot name a variable, a function, a location or a process. \
         Choose another name, for instance with an underscore after it.";
    NESTING = "S0107", "nested too deeply",
        "Expressions, types and statements can be nested in each other 200 levels deep. People do not write more; a \
         program that does should introduce functions or intermediate variables. Chains such as `a && b && c` and \
         `else if` are not nested and can be of any length.";
    TRAILING_TEXT = "S0108", "text after the end",
        "A label, a query or a system section holds one thing; here something follows it. In a guard, conditions are \
         joined with `&&`; with commas only in the old dialect.";
    NOT_IN_LANGUAGE = "S0109", "a word of C that the language lacks",
        "Functions are written much as in C, but there is no `switch`, `break`, `continue`, `goto`, `unsigned`, \
         `long`, `enum` and so on. Use `if` and `else`, a Boolean variable that ends a loop, `return`, bounded \
         integers such as `int[0,255]`, and constants.";

    ASSIGNMENT_AS_CONDITION = "S0201", "an assignment where a condition is expected",
        "A guard, an invariant, a condition of a query or the condition of an `if` or loop must not change anything. \
         `=` assigns; `==` compares.";
    MISSING_OPERAND = "S0202", "an expression is missing",
        "An operator, a bracket or a keyword needs an expression here.";
    EMPTY_BRACKETS = "S0203", "an index is missing",
        "An element of an array is chosen with an expression in square brackets.";
    BITWISE_AS_LOGICAL = "S0204", "a bitwise operator between conditions",
        "`&` and `|` work on the bits of integers and bind tighter than `&&` and `||`; between comparisons, the \
         logical operators are almost always meant. This is a warning: the text is legal.";

    LATE_DECLARATION = "S0301", "a declaration after a statement",
        "In the body of a function and in every block, all declarations come before the first statement.";
    INCOMPLETE_TYPE = "S0302", "a type is missing",
        "A declaration starts with a type. Since UPPAAL 4.0, constants have one too: `const int N = 5;`.";
    BAD_RANGE = "S0303", "a range that is not a lower and an upper bound",
        "A bounded integer is written `int[lower,upper]`, and a scalar set `scalar[size]`.";
    DIMENSION_BEFORE_NAME = "S0304", "array brackets before the name",
        "The dimensions of an array follow its name: `int a[3];`, not `int[3] a;`.";
    ELSE_WITHOUT_IF = "S0305", "an `else` without an `if`",
        "An `else` belongs to the `if` whose statement ends just before it. Several statements need braces, and no \
         semicolon may stand between a closing brace and `else`.";
    STATEMENT_OUTSIDE_FUNCTION = "S0306", "a statement outside a function",
        "Only declarations can stand here. Statements stand in the body of a function; what happens at the start can \
         be written in the initialisers of variables.";
    NESTED_FUNCTION = "S0307", "a function inside a function",
        "Functions are declared in the global or in a template's declarations, never inside another function.";

    SECTION_ORDER = "S0401", "a section out of order or repeated",
        "A process consists of declarations, `state`, `branchpoint`, `commit` and `urgent`, `init` and `trans`, in \
         this order, each at most once except `commit` and `urgent`. The section is read as if it stood in its place.";
    MISSING_SECTION = "S0402", "a section of the process is missing",
        "A process with locations (`state`) has an initial one (`init`), which is one of them.";
    LABEL_TWICE = "S0403", "a label repeated",
        "An edge has at most one label of each kind. Join guards with `&&` and updates with commas.";
    SYNC_MARK = "S0404", "the mark of a synchronisation in the wrong place",
        "A synchronisation ends with `!` to send or `?` to receive: `c!`, `c[i]?`. The mark before the channel is \
         read as if it stood after it.";
    SYSTEM_ARGUMENTS = "S0405", "arguments on the system line",
        "The system line lists names. An instance with arguments is declared before it: `P1 = P(1);`. A template with \
         free parameters of a bounded type can be listed by its name and stands for all its instances.";
    MISSING_SYSTEM = "S0406", "the system line is missing",
        "A model ends with `system`, the processes that run, and a semicolon.";
    NO_SOURCE = "S0407", "an edge without a source",
        "In a list of edges, `-> B { … }` stands for a further edge from the same source as the one before it; the \
         first edge has to name its source.";

    NO_QUANTIFIER = "S0501", "a query without a path quantifier",
        "A query asks for a state (`E<> p`), for all states (`A[] p`), for a path on which p always holds (`E[] p`), \
         for all paths leading to p (`A<> p`), or for a response (`p --> q`). Bounds are asked for with `sup: e`, \
         `inf: e` and `bounds: e`.";
    NESTED_QUANTIFIER = "S0502", "a path quantifier inside a formula",
        "Path quantifiers stand at the start of a query only; formulas are not nested. `A[] (p imply A<> q)` is \
         written `p --> q`.";
    BAD_EXPECTATION = "S0503", "an expectation that cannot be read",
        "After `EXPECT:` in a comment stand, separated by commas and without spaces, the expected answer (`T`, `F`, \
         `MT`, `MF`, `E` or a number), a time such as `10s` or `500ms` and a memory size such as `50MB`.";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_explained() {
        assert_eq!(tourbillon_base::faults(super::CODES), [""; 0]);
    }
}
