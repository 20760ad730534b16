//! A figure of a table, and its formatting.

use serde_json::{Value as Json, json};

use tourbillon_cli::quantity::count_text;

/// The value of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Value {
    Number(f64),
    /// The search did not end within its limits.
    Unfinished,
    /// It was not measured, or is meaningless.
    Absent,
}

/// The unit of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Seconds,
    Mebibytes,
    /// A ratio to another figure.
    Times,
    PerCent,
    PerMille,
    Bytes,
    Count,
}

impl Value {
    /// A figure computed from two others, if both are available.
    pub(crate) fn with(self, other: Self, compute: impl FnOnce(f64, f64) -> Self) -> Self {
        match (self, other) {
            (Self::Number(one), Self::Number(two)) => compute(one, two),
            (Self::Absent, _) | (_, Self::Absent) => Self::Absent,
            _ => Self::Unfinished,
        }
    }

    pub(crate) fn text(self, unit: Unit) -> String {
        match self {
            Self::Absent => "–".to_owned(),
            Self::Unfinished => "⊥".to_owned(),
            Self::Number(number) => number_text(number, unit),
        }
    }

    pub(crate) fn json(self) -> Json {
        match self {
            Self::Absent => Json::Null,
            Self::Unfinished => json!("unfinished"),
            Self::Number(number) => json!(number),
        }
    }
}

fn number_text(number: f64, unit: Unit) -> String {
    if unit == Unit::Count {
        return count_text(number as u64);
    }
    let decimals = match unit {
        Unit::Seconds if number < 0.9995 => 3,
        Unit::Seconds | Unit::Times | Unit::PerMille => 2,
        Unit::Mebibytes if number < 9.995 => 2,
        Unit::Mebibytes | Unit::PerCent | Unit::Bytes => 1,
        Unit::Count => 0,
    };
    let text = format!("{number:.decimals$}");
    // A number that rounds to zero has no sign.
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_as_their_unit_asks() {
        let text = |number, unit| Value::Number(number).text(unit);
        assert_eq!(text(0.0124, Unit::Seconds), "0.012");
        assert_eq!(text(12.344, Unit::Seconds), "12.34");
        assert_eq!(text(1.2345, Unit::Mebibytes), "1.23");
        assert_eq!(text(123.45, Unit::Mebibytes), "123.5");
        assert_eq!(text(-0.001, Unit::PerMille), "0.00");
        assert_eq!(text(-14.31, Unit::PerCent), "-14.3");
        assert_eq!(text(12_345.0, Unit::Count), "12,345");
        assert_eq!(Value::Absent.text(Unit::Times), "–");
        assert_eq!(Value::Unfinished.text(Unit::Times), "⊥");
    }

    #[test]
    fn what_is_not_there_has_no_ratio() {
        let ratio = |one: Value, two: Value| one.with(two, |one, two| Value::Number(one / two));
        assert_eq!(ratio(Value::Number(1.0), Value::Number(4.0)), Value::Number(0.25));
        assert_eq!(ratio(Value::Unfinished, Value::Number(4.0)), Value::Unfinished);
        assert_eq!(ratio(Value::Unfinished, Value::Absent), Value::Absent);
    }
}
