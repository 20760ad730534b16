//! Diagnostic codes of the semantics of models and queries.
//!
//! `M01..` is about names, `M02..` about types, `M03..` about declarations and functions, `M04..` about
//! clocks and channels, `M05..` about templates and the system, `M06..` about queries, `M07..` about what is
//! not supported, `M08..` are warnings.

use tourbillon_base::Code;

/// What is reported of something that fails should it be evaluated, and is no matter where it never is.
pub(super) const FAIL_WHEN_EVALUATED: &[Code] = &[INDEX_OUT_OF_RANGE, ALWAYS_FAILS];

/// What depends on the values of parameters, and means nothing where these are made up.
pub(super) const DEPEND_ON_VALUES: &[Code] = &[
    WRONG_TYPE,
    NOT_CONSTANT,
    BAD_RANGE,
    INDEX_OUT_OF_RANGE,
    BAD_INITIALISER,
    OUT_OF_RANGE,
    MODEL_TOO_LARGE,
    NEEDS_REFERENCE,
    ALWAYS_FAILS,
];

tourbillon_base::define_codes! {
    /// Every code of this part.
    pub const CODES;

    UNKNOWN_NAME = "M0101", "a name that is not declared",
        "Every name must be declared before it is used: in the same block, function or template, or globally. Names of a \
         process are reached from a query as `P.x`. Locations of a template are not variables and can be named in queries only.";
    DECLARED_TWICE = "M0102", "a name that is declared twice",
        "Within one scope (the global declarations, a template, a function, a block) a name can be declared once. A name of \
         an outer scope may be declared again inside; it is then hidden there.";
    WRONG_KIND = "M0103", "a name of another kind",
        "The name is declared, but as something else than what is needed here: a type, a template, a function, a channel.";
    UNKNOWN_FIELD = "M0104", "a field that does not exist",
        "A record has the fields of its type; a process has its locations, variables and clocks.";

    WRONG_TYPE = "M0201", "a value of another type",
        "An expression has a type, and operators, assignments and parameters accept only some. Integers and Booleans can \
         stand for each other; scalars can only be compared for equality and used as indices of arrays over the same set; \
         whole arrays and records can be assigned, compared and passed if their types agree.";
    NOT_CONSTANT = "M0202", "a value that is not constant",
        "Sizes of arrays, bounds of ranges, initial values and arguments of templates are computed once, before anything \
         happens: they can use constants, parameters of the template and functions of these, but no variable.";
    BAD_RANGE = "M0203", "a range or size that makes no sense",
        "A range goes from its smaller to its larger end, an array or scalar set has at least one element, and a variable \
         does not take more cells than there can be.";
    INDEX_OUT_OF_RANGE = "M0204", "an index outside the array",
        "The index is known and the array has no such element: should it ever be looked up, the check stops there. A warning, \
         since what stands around it may see to it that this never happens.";
    NOT_ASSIGNABLE = "M0205", "something that cannot be assigned to",
        "Assigned are variables, elements and fields of them, and clocks. Constants, parameters of templates passed by value, \
         selected and quantified names keep their value.";
    BAD_INITIALISER = "M0206", "an initial value of another shape",
        "A list in braces has one value for each element of the array, or for each field of the record in order or by name.";
    OUT_OF_RANGE = "M0207", "a constant outside the range it is for",
        "The value is known and does not fit what it initialises or is passed for. A constant that is passed to a template is \
         passed on with a warning, since public models do that.";
    MODEL_TOO_LARGE = "M0208", "more than can be handled",
        "The model has more cells of data, clocks, channels or processes than there can be, or a quantifier over clocks \
         has more cases than can be written out.";

    SIDE_EFFECT = "M0301", "a change where none is allowed",
        "Guards, invariants, queries, synchronisations and the like are only looked at: they cannot assign variables, and \
         cannot call functions that do.";
    RECURSION = "M0302", "a function that calls itself",
        "Functions cannot be recursive, directly or by way of others: a function can call those declared before it. Use a loop.";
    WRONG_ARGUMENTS = "M0303", "another number of arguments",
        "A function, template or process takes as many arguments as it has parameters.";
    MISSING_RETURN = "M0304", "a function that may end without a value",
        "A function with a result has to return one on every path to its end.";
    BAD_RETURN = "M0305", "a return that does not fit",
        "A function of type `void` returns nothing, any other a value of its type.";
    NEEDS_REFERENCE = "M0306", "an argument that must be a variable",
        "For a parameter with `&`, a variable of the same type is passed, or an element of one: the function or template \
         changes or watches the original.";

    CLOCK_CONDITION = "M0401", "a condition on clocks that is not possible here",
        "Zones are convex, so guards and invariants are conjunctions: clocks are compared with integers by `<`, `<=`, `==`, \
         `>=`, `>` (no `==` in invariants), joined by `&&`, and possibly by `||` or `imply` with a condition that has no \
         clocks. `!=`, negation and disjunctions of comparisons are possible in queries only; in a model, write several edges.";
    CLOCK_AS_VALUE = "M0402", "a clock where a number is needed",
        "The value of a clock is not a number that can be stored or computed with: it can be compared with integers, set to \
         an integer, and in queries be measured by `sup` and `inf`.";
    BAD_RATE = "M0403", "a rate that is not possible here",
        "The rate of a clock is given in an invariant as `x' == 0` or `x' == 1` (or an expression with such a value), joined \
         with other conditions by `&&`.";
    BAD_CHANNEL = "M0404", "a synchronisation that does not fit",
        "A synchronisation is a channel, or an element of an array of channels, followed by `!` or `?`.";
    CLOCK_MUST_BE_REFERENCE = "M0405", "a clock or channel passed by value",
        "Clocks and channels cannot be copied: parameters of these types need `&`.";

    UNKNOWN_LOCATION = "M0501", "a location that does not exist",
        "The edge, the initial location or a list of urgent or committed locations names a location that the template does not have.";
    NO_INITIAL = "M0502", "a template without initial location",
        "Every template that is used needs an initial location.";
    BAD_SYSTEM = "M0503", "a system line that does not fit",
        "The system line lists templates and processes made from them, each once, and there is one such line. Parameters that \
         are still open there must be passed by value and have a bounded type; one process is made for each combination.";
    URGENT_AND_COMMITTED = "M0504", "a location that is both urgent and committed",
        "A committed location is more than urgent. Keep one of the two.";
    BAD_PRIORITY = "M0505", "priorities that do not fit",
        "Channel priorities are declared once, globally; each channel has one.";

    BAD_QUERY = "M0601", "a query that does not fit",
        "What is asked of states is a condition without side effects; `deadlock` can be asked for in `E<>` and `A[]` only; \
         `sup`, `inf` and `bounds` measure integers and clocks.";

    UNSUPPORTED = "M0701", "something that is not supported",
        "Statistical, game and hybrid features are recognised and refused where an answer would depend on them. Where it \
         does not (probabilities, exponential rates, Gantt charts), they are passed over with a note.";
    IGNORED = "M0702", "something that makes no difference",
        "It is accepted and passed over, since no symbolic answer depends on it.";

    UNUSED = "M0801", "a name that is never used",
        "It is declared and nothing refers to it. A clock or variable that is never read makes no difference to any answer.";
    HIDDEN_NAME = "M0802", "a name that hides another",
        "A name of an outer scope has the same name and cannot be reached here. That is legal, and often a mistake.";
    STRICT_INVARIANT = "M0803", "a strict bound in an invariant",
        "With `x < 5` as an invariant there is no last moment at which the location can be left, which is legal and often not meant.";
    ALWAYS_FAILS = "M0804", "something that fails whenever it happens",
        "The operation divides by 0, or leaves 32 bits or a range, whatever the state: should it ever be carried out, the \
         check stops there.";
    NO_EFFECT = "M0806", "an update that does nothing",
        "A comparison where something should be done: `v == 1` looks whether `v` is 1, and `v = 1` makes it so.";
    URGENT_CLOCK_GUARD = "M0805", "a clock guard on an urgent synchronisation",
        "No time may pass while an urgent synchronisation is possible. With a comparison of clocks in its guard, the moment at \
         which it becomes possible is not always well-defined; UPPAAL's documentation forbids it. Such a model is not checked, \
         unless only receivers of broadcasts compare clocks, which do not keep anybody from sending.";
}
