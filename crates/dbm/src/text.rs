//! Zones as text: `x-y<=3, y>2`, printed and parsed.
//!
//! Written are the constraints of the reduction, so that a zone of ten clocks fits on a line: clocks at a
//! fixed distance as equations, then what remains. A zone without constraints is `true`. Read is any list of
//! comparisons of a clock, or a difference of two, with a constant, separated by commas or `&&`.

use std::fmt;

use tourbillon_base::Id;

use crate::bound::{Bound, Constant};
use crate::clock::{Clock, Constraint};
use crate::dbm::Dbm;
use crate::reduction::Reduction;

impl Dbm {
    /// The zone as text, with these names for the clocks from 1 on. A clock without a name is called by its
    /// number, as in `x3`.
    pub fn display<'a, S: AsRef<str>>(&'a self, names: &'a [S]) -> ZoneText<'a, S> {
        ZoneText { zone: self, names }
    }
}

impl fmt::Debug for Dbm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let note = if self.overflowed() { " (overflowed)" } else { "" };
        write!(f, "{{{}}}{note}", self.display::<&str>(&[]))
    }
}

/// A zone with names for its clocks; prints as `x-y<=3, y>2`.
#[derive(Debug)]
pub struct ZoneText<'a, S> {
    zone: &'a Dbm,
    names: &'a [S],
}

impl<S: AsRef<str>> ZoneText<'_, S> {
    fn name(&self, index: usize) -> String {
        self.names.get(index - 1).map_or_else(|| format!("x{index}"), |name| name.as_ref().to_owned())
    }

    fn difference(&self, i: usize, j: usize) -> String {
        if j == 0 { self.name(i) } else { format!("{}-{}", self.name(i), self.name(j)) }
    }

    /// `x_i - x_j` within `bound`; as a lower bound the other way round where that reads better.
    fn inequality(&self, i: usize, j: usize, bound: Bound) -> String {
        let constant = bound.constant().unwrap_or_default();
        match (i, bound.is_strict()) {
            (0, true) => format!("{}>{}", self.name(j), constant.negated()),
            (0, false) => format!("{}>={}", self.name(j), constant.negated()),
            (_, true) if constant < Constant::ZERO => {
                format!("{}>{}", self.difference(j, i), constant.negated())
            }
            (_, false) if constant < Constant::ZERO => {
                format!("{}>={}", self.difference(j, i), constant.negated())
            }
            _ => format!("{}{bound}", self.difference(i, j)),
        }
    }

    /// That `x_i` and `x_j`, which may be the reference, are at a fixed distance.
    fn equation(&self, i: usize, j: usize) -> String {
        let constant = Bound::from_raw(self.zone.entry(i, j)).constant().unwrap_or_default();
        if constant < Constant::ZERO {
            format!("{}={}", self.difference(j, i), constant.negated())
        } else {
            format!("{}={constant}", self.difference(i, j))
        }
    }

    /// The constraints one by one; none if all clock values are in the zone.
    #[must_use]
    pub fn constraints(&self) -> Vec<String> {
        let reduction = Reduction::of(self.zone);
        let mut parts: Vec<(usize, usize, String)> = Vec::new();
        for i in 1..self.zone.dimension().size() {
            let j = reduction.representative(i);
            if j != i {
                parts.push((i, j, self.equation(i, j)));
            }
        }
        for (i, j, bound) in reduction.edges(self.zone) {
            parts.push((i.max(j), i.min(j), self.inequality(i, j, bound)));
        }
        parts.sort_by_key(|&(high, low, _)| (high, low));
        parts.into_iter().map(|(_, _, text)| text).collect()
    }
}

impl<S: AsRef<str>> fmt::Display for ZoneText<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.constraints();
        f.write_str(if parts.is_empty() { "true" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// Text that is not a list of constraints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where, in characters from 1.
    pub column: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads constraints such as `x-y<=3, y>2, x==1` over the named clocks.
///
/// # Errors
/// If the text is anything else, with the column of the first thing that does not fit.
///
/// ```
/// use tourbillon_dbm::parse_constraints;
///
/// assert_eq!(parse_constraints("x-y<=3 && y==2", &["x", "y"]).unwrap().len(), 3);
/// let error = parse_constraints("x<=5, z>1", &["x", "y"]).unwrap_err();
/// assert_eq!(error.to_string(), "column 7: no clock is called `z` (there are x, y)");
/// ```
pub fn parse_constraints<S: AsRef<str>>(text: &str, names: &[S]) -> Result<Vec<Constraint>, ParseError> {
    let mut reader = ConstraintReader { text, position: 0, names };
    let mut constraints = Vec::new();
    if reader.take("true") && reader.at_end() {
        return Ok(constraints);
    }
    reader.position = 0;
    while !reader.at_end() {
        reader.comparison(&mut constraints)?;
        if reader.take(",") || reader.take("&&") {
            if reader.at_end() {
                return Err(reader.error("expected another constraint".to_owned()));
            }
        } else if !reader.at_end() {
            return Err(reader.error("expected `,` or the end".to_owned()));
        }
    }
    Ok(constraints)
}

struct ConstraintReader<'a, S> {
    text: &'a str,
    position: usize,
    names: &'a [S],
}

impl<S: AsRef<str>> ConstraintReader<'_, S> {
    fn rest(&mut self) -> &str {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start().len();
        &self.text[self.position..]
    }

    fn at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.position += if found { token.len() } else { 0 };
        found
    }

    fn error(&mut self, message: String) -> ParseError {
        self.rest();
        ParseError { column: self.text[..self.position].chars().count() + 1, message }
    }

    fn comparison(&mut self, constraints: &mut Vec<Constraint>) -> Result<(), ParseError> {
        let left = self.clock()?;
        let right = if self.take("-") { self.clock()? } else { Clock::REFERENCE };
        let operators = ["<=", ">=", "==", "<", ">", "="];
        let Some(operator) = operators.into_iter().find(|operator| self.take(operator)) else {
            return Err(self.error("expected a comparison: <, <=, =, >= or >".to_owned()));
        };
        let constant = self.constant()?;
        let (above, below) = (Constraint::new(left, right, Bound::weak(constant)), constant.negated());
        match operator {
            "<" => constraints.push(Constraint::new(left, right, Bound::strict(constant))),
            "<=" => constraints.push(above),
            ">" => constraints.push(Constraint::new(right, left, Bound::strict(below))),
            ">=" => constraints.push(Constraint::new(right, left, Bound::weak(below))),
            _ => constraints.extend([above, Constraint::new(right, left, Bound::weak(below))]),
        }
        Ok(())
    }

    fn clock(&mut self) -> Result<Clock, ParseError> {
        let is_part = |c: char| c.is_alphanumeric() || "_.[]()".contains(c);
        let rest = self.rest();
        let word = rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())].to_owned();
        if word.is_empty() {
            return Err(self.error("expected the name of a clock".to_owned()));
        }
        let Some(index) = self.names.iter().position(|name| name.as_ref() == word) else {
            let known: Vec<&str> = self.names.iter().map(AsRef::as_ref).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let message = format!("no clock is called `{word}` (there are {known})");
            return Err(self.error(message));
        };
        self.position += word.len();
        Ok(Clock::from_index(index + 1))
    }

    fn constant(&mut self) -> Result<Constant, ParseError> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - sign);
        let Ok(value) = rest[..sign + digits].parse::<i64>() else {
            return Err(self.error("expected a whole number".to_owned()));
        };
        let constant = Constant::new(value).map_err(|error| self.error(error.to_string()))?;
        self.position += sign + digits;
        Ok(constant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dimension;

    fn zone(text: &str) -> Dbm {
        let mut zone = Dbm::universal(Dimension::of_clocks(3).unwrap());
        for constraint in parse_constraints(text, &["x", "y", "z"]).unwrap() {
            assert!(zone.constrain(constraint), "{text} is empty");
        }
        zone
    }

    #[test]
    fn what_is_written_is_what_is_needed() {
        for (text, expected) in [
            ("", "true"),
            ("true", "true"),
            ("x>=0", "true"),
            ("x<=5, y-x<3, x-y<0", "x<=5, x-y<0, y-x<3"),
            ("x-y<=3, y>2", "y>2, x-y<=3"),
            ("x=2, y=2", "x=2, y=2"),
            ("y-x==4, z>=1", "y-x=4, z>=1"),
            ("x<=1, y<=1, x-y<=1", "x<=1, y<=1"),
            ("x-y>=2", "x-y>=2"),
        ] {
            let written = zone(text).display(&["x", "y", "z"]).to_string();
            assert_eq!(zone(&written), zone(text), "{written}");
            assert_eq!(written, expected);
        }
    }

    #[test]
    fn errors_have_a_column() {
        let error = |text: &str| parse_constraints(text, &["x", "y"]).unwrap_err().to_string();
        assert_eq!(error("x<=5 y>1"), "column 6: expected `,` or the end");
        assert_eq!(error("x 5"), "column 3: expected a comparison: <, <=, =, >= or >");
        assert_eq!(error("x<"), "column 3: expected a whole number");
        assert_eq!(error("x<1,"), "column 5: expected another constraint");
        assert_eq!(error("x<=99999999999999999999"), "column 4: expected a whole number");
        assert!(error("x<=999999999999").starts_with("column 4: the constant 999999999999 is too large"));
        assert_eq!(error("é"), "column 1: no clock is called `é` (there are x, y)");
        assert_eq!(error("x<=1, <3"), "column 7: expected the name of a clock");
    }
}
