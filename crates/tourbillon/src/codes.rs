//! The codes of diagnostics, all together.

use tourbillon_base::{Code, CodeEntry};
use tourbillon_model::EvalErrorKind;

tourbillon_base::define_codes! {
    /// The codes of conversions, and of what shows only when a model runs.
    pub(crate) const CODES;

    NOT_IN_UPPAAL = "C0001", "something that UPPAAL cannot express",
        "UPPAAL's processes synchronise in pairs, or one with all that can. A synchronisation vector of three and more \
         processes, or a weak one, has no counterpart; neither has anything else that only TChecker's language has.";

    DIVISION_BY_ZERO = "R0001", "a division by 0 at run time",
        "In a state that can be reached, something is divided by 0, or a remainder of a division by 0 is taken. The run \
         in the report leads there. No query can be answered past such a state, since what comes after it has no \
         meaning: guard the edge so that it is not taken with a 0.";
    PAST_32_BITS = "R0002", "a number past 32 bits at run time",
        "Numbers have 32 bits. In a state that can be reached, the result of an operation needs more. The run in the \
         report leads there.\n\n\
         If the model relies on results that wrap, as UPPAAL's do, say so: `--overflow wrap` on the command line, or \
         `// tourbillon: overflow wrap` in the declarations of the model (`# tourbillon: overflow wrap` in a file of \
         TChecker's).";
    WRONG_SHIFT = "R0003", "a shift by too many bits at run time",
        "Numbers have 32 bits and can be shifted by 0 to 31 of them. In a state that can be reached, something is \
         shifted by another number. The run in the report leads there.";
    INDEX_OUTSIDE = "R0004", "an index outside its array at run time",
        "In a state that can be reached, the index of an array is not one of its indices. The run in the report leads \
         there. A guard that keeps the index within the array must come before what uses it, on the left of `&&`.";
    VALUE_OUTSIDE = "R0005", "a value outside its range at run time",
        "A variable such as `int[0,9] n` holds values of its range only. In a state that can be reached, it is given \
         another one. The run in the report leads there. Either the range is too small, or the edge needs a guard.\n\n\
         Variables without a range have that of 16 bits, -32768 to 32767, in UPPAAL's language.";
    NEGATIVE_CLOCK = "R0006", "a negative value assigned to a clock at run time",
        "No clock is negative. In a state that can be reached, a step has its guards satisfied and an update of it assigns a \
         negative value to a clock, such as `x = y - 3` where `y < 3`. The run in the report leads there. In UPPAAL's \
         language that is an error of the model, as a value outside its range is. Guard the edge so that it is taken \
         only where the value is not negative: `y >= 3`.\n\n\
         In TChecker's language it is no error: there, such a step can be taken only where no clock gets negative.";
    FALSE_ASSERTION = "R0007", "an assertion that is false at run time",
        "`assert` stands in a function for what should always hold there. In a state that can be reached it does not. \
         The run in the report leads there.";
    NO_VALUE = "R0008", "a function that ends without a value at run time",
        "A function with a result has to end with `return`. In a state that can be reached, one comes to its end \
         without. The run in the report leads there.";
    ENDLESS = "R0009", "a computation that does not end at run time",
        "Guards, updates and functions are computed within one moment and have to end. One does not within the number \
         of operations that it is given: most likely a loop has no end. The run in the report leads to the state in \
         which it begins.";
    NOT_COMPUTABLE = "R0010", "something that cannot be computed at run time",
        "An expression asks of clocks or locations where these have no value, such as a comparison of clocks in an \
         update.";
    NO_INITIAL_STATE = "R0011", "an initial state that breaks an invariant",
        "When clocks and variables have their initial values, the invariant of an initial location does not \
         hold. So the model has no state at all: every `A[]` is satisfied and every `E<>` is violated, which says \
         nothing about the system that is meant.";
    TOO_MANY_TRANSITIONS = "R0012", "a state with too many transitions",
        "The values of selections, and the edges by which the receivers of a broadcast or the participants of a \
         synchronisation vector can take part, multiply to more than a million transitions of one state. Combinations \
         that no clock values of the state allow do not count. The model is not wrong, but the work cannot be finished, \
         so that the answer is unknown. Narrow the selections, or give the receivers fewer edges, or guards that do not \
         hold independently of each other.";
    NOT_FOR_ZONES = "R0100", "a model that zones cannot hold",
        "A zone holds the bounds of clocks and of their differences, each up to 134217727, and of at most 1023 clocks. \
         This model has more clocks, compares one with a larger number or sets it to one, compares clocks where it cannot be decided \
         beforehand which, or compares them in the guard of an urgent synchronisation, so that when time stops depends \
         on them.";
}

/// The code of what went wrong at run time.
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

/// What to do about what went wrong at run time, where an option of the command line concerns it.
pub(crate) const fn remedy(kind: EvalErrorKind) -> Option<&'static str> {
    match kind {
        EvalErrorKind::Overflow => {
            Some("if results past 32 bits are meant to wrap, as they do in UPPAAL: --overflow wrap")
        }
        _ => None,
    }
}

/// Every code that a diagnostic can have, in order.
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

/// What is to be known about the code with this name, in whatever case it is written.
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
