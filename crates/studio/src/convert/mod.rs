//! From the façade's data to the types of the interface: the one place that knows both.
//!
//! | file | holds |
//! |---|---|
//! | `mod.rs` | numbers, axes, memory |
//! | `model.rs` | models that are opened, examined and written, with diagnostics at their places |
//! | `run.rs` | what runs find |
//! | `walk.rs` | where simulations are |

mod model;
mod run;
mod walk;

use tourbillon::Rational;

use crate::api::{Axis, AxisChoice, Number};

pub(crate) use model::{examined, opened, told, written};
pub(crate) use run::{GraphLimits, counts, coverage, finding, graph};
pub(crate) use walk::{trace, view};

/// A number, exactly and roughly.
pub(crate) fn number(number: Rational) -> Number {
    let value = number.numerator() as f64 / number.denominator() as f64;
    Number { exact: number.to_string(), value }
}

/// What can be chosen for a verification.
pub(crate) fn axes() -> Vec<Axis> {
    let choice = |choice: tourbillon::FormChoice| AxisChoice {
        name: choice.name.to_owned(),
        about: choice.about.to_owned(),
    };
    let axis = |option: tourbillon::FormOption| Axis {
        name: option.name.to_owned(),
        about: option.about.to_owned(),
        choices: option.choices.into_iter().map(choice).collect(),
    };
    tourbillon::form_options().into_iter().map(axis).collect()
}

/// How much memory the process has; 0 where that cannot be told.
pub(crate) fn rss_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
