//! All diagnostic codes.

use tourbillon_base::{Code, CodeEntry};
use tourbillon_model::EvalErrorKind;

tourbillon_base::define_codes! {
    /// The codes of conversions and of run-time errors.
    pub(crate) const CODES;

    NOT_IN_UPPAAL = "C0001", "a construct that UPPAAL cannot express",
        "UPPAAL's processes synchronise in pairs or by broadcast. A synchronisation vector of three or more processes, or a \
         weak one, has no counterpart; the same holds for everything else that only TChecker's language has.";

    NOT_IN_MUNTAC = "C0002", "a construct that Muntac cannot express",
        "Muntac is a verified checker of certificates for a small language: variables of a range, guards that compare one variable or \
         clock with a constant, resets of clocks to 0, invariants on clocks, binary and broadcast channels, urgent and committed \
         locations. Selections, arrays, functions and other expressions on data are replaced by an edge for each combination of the \
         values that they depend on, if these are not too many. Everything else cannot be exported; `tourbillon certify` checks the \
         certificate all the same.";

    REJECTED = "C0101", "a certificate that is rejected",
        "A certificate is a set of states from which answers follow: it has the initial state, each successor of a state in it is \
         covered by states in it, and no state in it is one that an answer excludes. One of these conditions does not hold. The \
         message names the state and the transition. The file was changed, or written for another model, or the search that wrote \
         it is wrong: then please report it with the model.";

    DIVISION_BY_ZERO = "R0001", "a division by 0 at run time",
        "In a reachable state, an expression divides by 0 or takes a remainder of a division by 0. The run in the report \
         leads to it. No query can be answered beyond such a state, since its successors are undefined: guard the edge so \
         that it is not taken with a 0.";
    PAST_32_BITS = "R0002", "a result that exceeds 32 bits at run time",
        "Integers have 32 bits. In a reachable state, the result of an operation needs more. The run in the report leads to \
         it.\n\n\
         If the model relies on results that wrap, as in UPPAAL, say so: `--overflow wrap` on the command line, or `// \
         tourbillon: overflow wrap` in the declarations of the model (`# tourbillon: overflow wrap` in a file of TChecker's).";
    WRONG_SHIFT = "R0003", "a shift by too many bits at run time",
        "Integers have 32 bits and can be shifted by 0 to 31 bits. In a reachable state, a shift is outside this range. The \
         run in the report leads to it.";
    INDEX_OUTSIDE = "R0004", "an index outside its array at run time",
        "In a reachable state, an array is indexed outside its range. The run in the report leads to it. A condition that \
         keeps the index within the array must be on the left of `&&`, before the use of the index.";
    VALUE_OUTSIDE = "R0005", "a value outside its range at run time",
        "A variable such as `int[0,9] n` holds only values of its range. In a reachable state, it is assigned another one. \
         The run in the report leads to it. Either the range is too small, or the edge needs a guard.\n\n\
         In UPPAAL's language, variables without a range have 16 bits, -32768 to 32767.";
    NEGATIVE_CLOCK = "R0006", "a negative value assigned to a clock at run time",
        "Clocks are never negative. In a reachable state, the guards of a transition hold and one of its updates assigns a \
         negative value to a clock, such as `x = y - 3` where `y < 3`. The run in the report leads to it. In UPPAAL's \
         language that is an error of the model, like a value outside its range. Guard the edge so that it is taken only \
         where the value is not negative: `y >= 3`.\n\n\
         In TChecker's language it is no error: such a transition is enabled only where no clock becomes negative.";
    FALSE_ASSERTION = "R0007", "an assertion that is false at run time",
        "`assert` states a condition that must always hold at its place in a function. In a reachable state it does not. The \
         run in the report leads to it.";
    NO_VALUE = "R0008", "a function that ends without a value at run time",
        "A function with a result has to end with `return`. In a reachable state, one reaches its end without it. The run in the \
         report leads to it.";
    ENDLESS = "R0009", "a computation that does not terminate at run time",
        "Guards, updates and functions take no time and must terminate. One exceeds its limit on the number of operations: \
         most likely a loop does not terminate. The run in the report leads to the state in which it starts.";
    NOT_COMPUTABLE = "R0010", "an expression that cannot be evaluated at run time",
        "An expression refers to clocks or locations where these have no value, such as a comparison of clocks in an update.";
    NO_INITIAL_STATE = "R0011", "an initial state that violates an invariant",
        "With the initial values of clocks and variables, the invariant of an initial location does not hold. So the model \
         has no reachable state: every `A[]` is satisfied and every `E<>` is violated, which says nothing about the intended \
         system.";
    TOO_MANY_TRANSITIONS = "R0012", "a state with too many transitions",
        "The values of selections, and the edges by which the receivers of a broadcast or the participants of a \
         synchronisation vector can take part, multiply to more than a million transitions of one state. Combinations that \
         the clock values of the state exclude do not count. The model is not wrong, but the search cannot be completed, so \
         the answer is unknown. Restrict the selections, or give the receivers fewer edges, or guards that exclude each \
         other.";
    NOT_FOR_ZONES = "R0100", "a model that zones cannot represent",
        "A zone has bounds of clocks and of their differences, each up to 134217727, for at most 1023 clocks. This model has \
         more clocks, compares one with a larger number or sets it to one, compares clocks that are not known statically, or \
         compares them in the guard of an urgent synchronisation, so that urgency depends on them.";
}

/// The code of a run-time error.
pub(crate) const fn run_time(kind: EvalErrorKind) -> Code {
    match kind {
        EvalErrorKind::DivisionByZero => DIVISION_BY_ZERO,
        EvalErrorKind::Overflow => PAST_32_BITS,
        EvalErrorKind::Shift(_) => WRONG_SHIFT,
        EvalErrorKind::Index(..) => INDEX_OUTSIDE,
        EvalErrorKind::Range(..) => VALUE_OUTSIDE,
        EvalErrorKind::NegativeClock { .. } => NEGATIVE_CLOCK,
        EvalErrorKind::ClockTooLarge(_) => NOT_FOR_ZONES,
        EvalErrorKind::Assertion => FALSE_ASSERTION,
        EvalErrorKind::NoValue => NO_VALUE,
        EvalErrorKind::TooLong | EvalErrorKind::Cancelled => ENDLESS,
        EvalErrorKind::TooMany(..) => TOO_MANY_TRANSITIONS,
        EvalErrorKind::NotKnown => NOT_COMPUTABLE,
    }
}

/// A remedy for a run-time error, if an option of the command line is one.
pub(crate) const fn remedy(kind: EvalErrorKind) -> Option<&'static str> {
    match kind {
        EvalErrorKind::Overflow => {
            Some("if results that exceed 32 bits should wrap, as in UPPAAL: --overflow wrap")
        }
        _ => None,
    }
}

/// All diagnostic codes, in order.
#[must_use]
pub fn all_codes() -> Vec<CodeEntry> {
    let tables = [
        CODES,
        crate::lint::codes::CODES,
        tourbillon_syntax::codes::CODES,
        tourbillon_front_uppaal::codes::CODES,
        tourbillon_front_uppaal::lower::codes::CODES,
        tourbillon_front_tchecker::codes::CODES,
    ];
    let mut all: Vec<CodeEntry> = tables.into_iter().flatten().copied().collect();
    all.sort_by_key(|entry| entry.code);
    all
}

/// The explanation of a code, in upper or lower case.
#[must_use]
pub fn explain(name: &str) -> Option<CodeEntry> {
    all_codes().into_iter().find(|entry| entry.code.name().eq_ignore_ascii_case(name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_means_two_things() {
        assert_eq!(tourbillon_base::faults(&all_codes()), [""; 0]);
        assert!(all_codes().len() > 60);
    }

    #[test]
    fn codes_are_found_by_name() {
        assert_eq!(explain(" m0101 ").map(|entry| entry.title), Some("a name that is not declared"));
        assert!(explain("X9999").is_none());
    }
}
