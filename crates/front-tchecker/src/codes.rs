//! Diagnostic codes of TChecker files, and of writing them.
//!
//! `T00..` is about lines and their fields, `T01..` about attributes, `T02..` about expressions and
//! statements as text, `T03..` about names, `T04..` about types and values, `T05..` about processes and
//! synchronisation, `T06..` are warnings about what is never used or never happens, `T09..` is about writing
//! a model as TChecker text.

tourbillon_base::define_codes! {
    /// Every code of this crate.
    pub const CODES;

    STRANGE_CHARACTER = "T0001", "a character that has no meaning here",
        "Outside braces a line consists of names, integers and the signs `:`, `@` and `?`; in expressions and statements there are \
         the operators of arithmetic and comparison, `&&`, `!`, brackets, `=` and `;`. Everything is ASCII; anything goes in \
         comments, which start with `#`.";
    EXPECTED = "T0002", "something else was expected",
        "The line does not have the form of its declaration. The message says what could have stood at this place; the help \
         shows the whole form.";
    UNKNOWN_DECLARATION = "T0003", "a line that is no declaration",
        "Each line declares one thing and starts with `system`, `process`, `event`, `clock`, `int`, `location`, `edge` or `sync`, \
         and a colon.";
    FIELD_COUNT = "T0004", "too few or too many fields",
        "The fields of a declaration are separated by colons, and each kind of declaration has a fixed number of them: \
         `system:NAME`, `process:NAME`, `event:NAME`, `clock:SIZE:NAME`, `int:SIZE:MIN:MAX:INITIAL:NAME`, \
         `location:PROCESS:NAME`, `edge:PROCESS:SOURCE:TARGET:EVENT`. Only `sync` has as many as there are participants.";
    RESERVED_WORD = "T0005", "a reserved word used as a name",
        "The words that start declarations cannot be names, and the words `if`, `then`, `else`, `end`, `while`, `do`, `local` and \
         `nop` cannot name what is used in expressions.";
    INTEGER_TOO_LARGE = "T0006", "an integer that does not fit in 32 bits",
        "Integers are 32 bits wide. In expressions a minus sign is an operator, so the smallest number is written \
         `-2147483647 - 1` there.";
    TRAILING_TEXT = "T0007", "text after the end of a declaration",
        "A declaration ends with its line. Attributes are the only thing that may continue on the next one.";
    SYSTEM_LINE = "T0008", "the system line is missing, late or repeated",
        "The first declaration of a file is `system:NAME`, and it is the only one of its kind.";

    UNCLOSED_BRACE = "T0101", "attributes that are not closed",
        "Attributes stand in braces after a declaration: `{key: value : key: value}`. They may continue on the next lines, so \
         everything up to the next closing brace belongs to them. A line that looks like a declaration ends them here.";
    ATTRIBUTE_FORM = "T0102", "attributes that are not pairs of a key and a value",
        "Attributes are pairs: a key, a colon, a value; pairs are separated by colons too. Also a key that needs no value \
         needs its colon: `{initial:}`. A value contains none of `:`, `{`, `}` and `#`.";
    COMMENT_IN_BRACES = "T0103", "a comment inside attributes",
        "Attributes cannot contain comments: `#` is not allowed between braces. Put the comment before or after the declaration.";
    MISSPELT_ATTRIBUTE = "T0104", "an attribute that looks like a misspelt one",
        "TChecker ignores attributes that it does not know, so a misspelt `provided` makes a guard vanish and the answers wrong. \
         A key that resembles one that counts here, that counts for another kind of declaration, or that another tool uses for \
         the same purpose is therefore an error. Locations have `initial`, `labels`, `invariant`, `urgent` and `committed`; edges \
         have `provided` and `do`.";
    UNKNOWN_ATTRIBUTE = "T0105", "an attribute without a meaning",
        "The attribute is not one of those that count for this declaration, nor similar to one, and is ignored.";
    IGNORED_VALUE = "T0106", "a value that is ignored",
        "`initial`, `urgent` and `committed` hold as soon as they are there, whatever their value: `urgent: 0` is urgent too. To \
         make a location not urgent, remove the attribute.";
    EMPTY_VALUE = "T0107", "a value is missing",
        "`invariant`, `provided`, `do` and `labels` need a value. A guard that always holds is written by leaving `provided` away.";

    SYNTAX = "T0201", "an expression or statement that cannot be read",
        "The text does not follow the grammar here. Expressions are comparisons of terms joined with `&&`; terms have `+ - * / %`, \
         elements of arrays and `(if condition then term else term)`. Statements are assignments, `nop`, `local v`, \
         `local v = term`, `local v[size]`, `if .. then .. else .. end` and `while .. do .. end`, separated by `;`.";
    NESTING = "T0202", "nested too deeply",
        "Brackets, conditions and loops can be nested 200 levels deep, and an expression can have 1000 operators on one path. People \
         do not write more; a program that does should introduce intermediate variables.";
    NOT_IN_LANGUAGE = "T0203", "an operator that the language lacks",
        "There is no disjunction, no increment, no compound assignment, no shift and no operation on bits. `a || b` between \
         conditions on integers is written `(if a then 1 else b)`; in a guard, two edges are often clearer.";
    DOTTED_NAME = "T0204", "a name with a dot in an expression",
        "Names may contain dots where they are declared, but not in expressions and statements, so such a variable can be declared \
         and never used. Choose a name without dots.";
    ASSIGNMENT_OR_COMPARISON = "T0205", "an assignment where a condition is expected, or the reverse",
        "`=` assigns and is for statements; `==` compares and is for conditions.";
    CHAINED_COMPARISON = "T0206", "comparisons that cannot be chained",
        "`a < b <= c` means `a < b && b <= c`. Only two comparisons can be chained, and only with `<` and `<=`.";
    NEGATION = "T0207", "a negation of more than one condition",
        "`!` stands before a number or one comparison, and covers the whole of it: `!a == b` means `!(a == b)`. It cannot stand before \
         a conjunction or chained comparisons, since there is no disjunction in the language.";
    CONDITION_AS_NUMBER = "T0208", "a condition where a number is expected",
        "The result of a comparison is no number that can be computed with. Write `(if a == b then 1 else 0)`.";

    UNDECLARED = "T0301", "a name that is not declared",
        "Processes, locations and events are declared on a line before the one that uses them, variables and clocks anywhere in the \
         file. All names are global, except locations, which belong to their process, and local variables, which exist up to the \
         end of the block that declares them.";
    DUPLICATE = "T0302", "a name that is declared twice",
        "Clocks and integer variables share one space of names; processes, events, and the locations of each process have one of \
         their own. A local variable must not have the name of another variable or clock that exists at its place.";
    OUT_OF_SCOPE = "T0303", "a local variable used outside its block",
        "A local variable exists from its declaration up to the end of the `then`, `else` or `do` block, or of the whole statement, \
         that it stands in. Declare it before the block to use it after it.";
    ARRAY_AS_VALUE = "T0304", "an array where one element is expected",
        "Arrays are not assigned, compared or computed with as a whole; choose an element: `a[0]`.";

    EMPTY_RANGE = "T0401", "a range without a number",
        "The least value of an integer variable must not be greater than its greatest.";
    INITIAL_OUT_OF_RANGE = "T0402", "an initial value outside the range",
        "The initial value of an integer variable must be between its least and its greatest value, both included.";
    BAD_SIZE = "T0403", "a size that no array can have",
        "A variable that is no array has size 1. All integer variables together can have 2^20 elements, all clocks together 2^14, the \
         local variables of one edge 2^16; the size of a local array is a constant expression.";
    INDEX_OUT_OF_BOUNDS = "T0404", "an index outside the array",
        "The elements of an array of size n are numbered from 0 to n-1.";
    DIVISION_BY_ZERO = "T0405", "a division by zero",
        "The divisor is always 0, so the expression never has a value.";
    CLOCK_AS_NUMBER = "T0406", "a clock where a number is expected",
        "The value of a clock is a real number that no expression can read. A clock, or the difference of two, can be compared with a \
         term in a guard or an invariant, and can be assigned to a clock.";
    CLOCK_COMPARISON = "T0407", "clocks compared in a way that is not possible",
        "On one side of a comparison stands a clock or the difference of two clocks, on the other a term without clocks; or a single \
         clock on each side. Numbers go to the side without clocks: `x + 1 < 5` is written `x < 5 - 1`.";
    NOT_CONVEX = "T0408", "a condition on clocks that is no zone",
        "Sets of clock values are kept as zones, which are convex: a conjunction of comparisons. `x != 5` means `x < 5` or `x > 5`, and \
         a disjunction of clock comparisons is not convex. Write one edge for each case. `!` before a comparison of clocks is \
         not allowed either: reverse the comparison.";
    CLOCK_IN_STATEMENT = "T0409", "a clock compared inside a statement or a conditional term",
        "Conditions of `if` and `while`, and those of conditional terms, choose what is computed and so have to have one answer, while a \
         symbolic state holds many values of a clock at once. Put the comparison into the guard, with one edge for each case.";
    CLOCK_ASSIGNMENT = "T0410", "an assignment that clocks do not allow",
        "A clock is set to a term (`x = t`), to a clock (`x = y`), or to a clock plus a term (`x = y + t`).";
    NEGATIVE_CLOCK = "T0411", "a clock set to a negative value",
        "Clocks are never negative.";
    VALUE_OUT_OF_RANGE = "T0412", "a value that the variable cannot have",
        "The value is a constant outside the range of the variable, so the statement can never be executed. What happens if it is \
         reached is the same as for any value out of range that is computed: TChecker stops there with an error.";
    OVERFLOW = "T0413", "a constant beyond 32 bits",
        "Arithmetic is done with 32 bits; this constant expression leaves them. TChecker wraps around silently; here it is an error, at the \
         latest when the expression is evaluated.";

    NO_INITIAL = "T0501", "a process that starts nowhere",
        "Each process has an initial location, marked with `{initial:}`; without one there is no initial state at all.";
    SEVERAL_INITIAL = "T0502", "several initial locations",
        "TChecker explores from every combination of initial locations. Here a process has one. Add a location that is `initial` and \
         `committed`, with an edge to each of them: what can happen afterwards is the same, and the choice is the first step of a trace.";
    TWICE_IN_VECTOR = "T0503", "a process twice in one synchronisation",
        "A process takes at most one edge in a step, so it can stand at most once in a `sync` line.";
    LONELY_VECTOR = "T0504", "a synchronisation with one member",
        "An event that a process takes alone needs no `sync` line. The line is kept: it lets the process take the event alone even if \
         other lines name it with partners.";
    REPEATED_VECTOR = "T0505", "a synchronisation that is declared twice",
        "The same participants with the same events are listed on an earlier line. The repetition changes nothing and is ignored; \
         TChecker refuses the file.";
    GUARDED_WEAK_EVENT = "T0506", "a guard on an edge that is synchronised weakly",
        "`P@e?` means that P takes part if it can. Whether it can has to depend on its location only: if it depended on values of clocks, \
         the states in which the others go without P would not form a zone. So no edge of P with the event e may have a guard, \
         other than a constant one, as soon as one `sync` line names `P@e?`. Move the condition to another participant, or \
         make the synchronisation strong and add an edge for the case that the condition does not hold.";

    UNUSED = "T0601", "something that is never used",
        "The name is declared and never used. An unused clock makes every zone larger.";
    UNREACHABLE_LOCATION = "T0602", "a location that cannot be reached",
        "No sequence of edges leads there from the initial location of the process, whatever the guards are.";
    NO_PARTNER = "T0603", "a synchronisation that can never happen",
        "A participant of the `sync` line has no edge with this event. If it takes part strongly, the line never applies, and the other \
         participants can take their edges only if another line names them.";
    ENDLESS_LOOP = "T0604", "a loop that does not end",
        "Nothing in the loop changes what its condition reads, so it ends at once or never.";
    NEGATED_COMPARISON = "T0605", "a negation that covers a comparison",
        "`!a == b` is read as `!(a == b)`, other than in C. Write the brackets, or `a != b`.";
    BLOCKED_EDGE = "T0606", "an edge that can never be taken",
        "Each `sync` line that names this event for this process has another participant without an edge for its event, and an event \
         that some line names is never taken alone.";
    REPEATED_LABEL = "T0607", "a label without a name, or repeated",
        "Labels are a list of names separated by commas. Names that are empty or repeated add nothing.";

    UNKNOWN_ANNOTATION = "T0608", "an annotation that is not known",
        "A comment that begins with `tourbillon:` says something to this program that other tools pass over. There is one \
         such annotation, on a line of its own: `# tourbillon: overflow wrap` lets results past 32 bits wrap, as \
         `--overflow wrap` does, and `# tourbillon: overflow error` makes them errors, as they are without it. A comment \
         that is neither, but looks as if it should be, has no effect.";
    CONFLICTING_ANNOTATIONS = "T0609", "annotations that say the opposite of each other",
        "One comment says `tourbillon: overflow wrap`, another one `tourbillon: overflow error`. Leave one of them out.";

    CANNOT_WRITE = "T0901", "something that TChecker's language cannot express",
        "The language has processes, bounded integers, clocks, events and synchronisation vectors, and no templates, channels, functions \
         or priorities. Much of that can be translated: binary channels, selections, urgent and committed locations, functions without a \
         result, conditions with `||` on integers. What cannot is named, with its place in the model.";
    TOO_LARGE_TO_WRITE = "T0902", "a translation that would be too large",
        "Selections, quantifiers and arrays of channels are written out, one edge for each combination of values. Beyond 100,000 edges, or \
         a million characters for one expression, the translation is refused.";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_explained() {
        assert_eq!(tourbillon_base::faults(super::CODES), [""; 0]);
    }
}
