//! `tourbillon debug zone`: a calculator for zones.

use std::fmt::Write as _;

use tourbillon_base::Id;
use tourbillon_dbm::forms::{Bits, Codes, Digits, Form, Minimal};
use tourbillon_dbm::{Clock, ClockBounds, Constant, Constraint, Dbm, Dimension, parse_constraints};

const OPERATIONS: &str = "\
Operations:
  up, down             delay, inverse delay
  x:=3, x:=y, x:=y+2   set a clock
  free x               remove all constraints on a clock
  x-y<=3, y>2          intersect with constraints
  hull x<=5, y=0       the smallest zone that includes both
  extra-m x<5, y>3     extrapolate: upper bounds give the constants U, lower bounds give L, equations give both;
                       likewise extra-m+, extra-lu, extra-lu+

Example:
  tourbillon debug zone 'x=0, y=0' up 'x<=5' 'y:=0' up 'extra-lu+ x<5, y>3'";

/// The arguments of `tourbillon debug zone`.
#[derive(clap::Args)]
#[command(after_help = OPERATIONS)]
pub(crate) struct ZoneArguments {
    /// The zone to start from, as constraints such as `x<=5, y-x<3`; `true` for all valuations
    constraints: String,
    /// Operations, applied in order
    operations: Vec<String>,
    /// The clocks, in order [default: those that occur]
    #[arg(long, value_delimiter = ',')]
    clocks: Vec<String>,
}

/// Applies the operations and prints the zone after each.
pub(crate) fn run(arguments: &ZoneArguments) -> Result<String, String> {
    let names = clock_names(arguments);
    if let Some(name) = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name)) {
        return Err(format!("the clock `{}` is named twice", name.1));
    }
    let dimension = Dimension::of_clocks(names.len()).map_err(|error| error.to_string())?;
    let calculator = Calculator { names: &names, dimension };
    let steps = std::iter::once(&arguments.constraints).chain(&arguments.operations);
    let width = steps.clone().map(|step| step.chars().count()).max().unwrap_or(0);

    let mut report = String::new();
    let mut zone = Some(Dbm::universal(dimension));
    for step in steps {
        // After an empty zone, steps are still parsed, so that errors are found.
        let (operand, is_empty) =
            zone.map_or_else(|| (Dbm::universal(dimension), true), |zone| (zone, false));
        let result = calculator.step(step, operand).map_err(|problem| format!("`{step}`: {problem}"))?;
        zone = result.filter(|_| !is_empty);
        let text = zone.as_ref().map_or("empty".to_owned(), |zone| zone.display(&names).to_string());
        let _ = writeln!(report, "{step:<width$}   {text}");
    }
    if let Some(zone) = zone {
        calculator.describe(&zone, &mut report);
    }
    Ok(report)
}

/// The names given by `--clocks`, or all identifiers that are not operations, in the order of their first occurrence.
fn clock_names(arguments: &ZoneArguments) -> Vec<String> {
    if !arguments.clocks.is_empty() {
        return arguments.clocks.clone();
    }
    let reserved = ["true", "up", "down", "free", "hull", "extra-m", "extra-m+", "extra-lu", "extra-lu+"];
    let mut names: Vec<String> = Vec::new();
    for text in std::iter::once(&arguments.constraints).chain(&arguments.operations) {
        let operation = text.split_whitespace().next().filter(|word| reserved.contains(word)).unwrap_or("");
        let rest = text.trim_start().strip_prefix(operation).unwrap_or(text);
        for word in rest.split(|c: char| !(c.is_alphanumeric() || "_.[]()".contains(c))) {
            let is_name =
                word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !reserved.contains(&word);
            if is_name && !names.iter().any(|name| name == word) {
                names.push(word.to_owned());
            }
        }
    }
    names
}

struct Calculator<'a> {
    names: &'a [String],
    dimension: Dimension,
}

impl Calculator<'_> {
    /// The zone after one operation; `None` if it is empty.
    fn step(&self, step: &str, mut zone: Dbm) -> Result<Option<Dbm>, String> {
        let (word, rest) = step.trim().split_once(' ').unwrap_or((step.trim(), ""));
        match (word, rest) {
            ("up", "") => zone.up(),
            ("down", "") => zone.down(),
            ("free", name) => zone.free(self.clock(name)?),
            ("hull", rest) => match self.constrain(rest, Dbm::universal(self.dimension))? {
                Some(other) => zone.hull(&other),
                None => return Err("the zone to include is empty".to_owned()),
            },
            ("extra-m", rest) => zone.extra_m(&self.bounds(rest)?),
            ("extra-m+", rest) => zone.extra_m_plus(&self.bounds(rest)?),
            ("extra-lu", rest) => zone.extra_lu(&self.bounds(rest)?),
            ("extra-lu+", rest) => zone.extra_lu_plus(&self.bounds(rest)?),
            _ => {
                return match step.split_once(":=") {
                    Some((left, right)) => self.assign(left, right, zone),
                    None => self.constrain(step, zone),
                };
            }
        }
        Ok(Some(zone))
    }

    fn assign(&self, left: &str, right: &str, mut zone: Dbm) -> Result<Option<Dbm>, String> {
        let clock = self.clock(left)?;
        let right = right.trim();
        let split = right
            .char_indices()
            .skip(1)
            .find(|&(_, c)| c == '+' || c == '-')
            .map_or(right.len(), |(at, _)| at);
        let (source, offset) = match constant(right) {
            Ok(value) => (Clock::REFERENCE, value),
            Err(_) if split == right.len() => (self.clock(right)?, Constant::ZERO),
            Err(_) => (self.clock(&right[..split])?, constant(&right[split..])?),
        };
        Ok(zone.assign(clock, source, offset).then_some(zone))
    }

    fn constrain(&self, text: &str, mut zone: Dbm) -> Result<Option<Dbm>, String> {
        let constraints = parse_constraints(text, self.names).map_err(|error| error.to_string())?;
        Ok(constraints.into_iter().all(|constraint| zone.constrain(constraint)).then_some(zone))
    }

    fn bounds(&self, text: &str) -> Result<ClockBounds, String> {
        let mut bounds = ClockBounds::none(self.dimension);
        for Constraint { left, right, bound } in
            parse_constraints(text, self.names).map_err(|error| error.to_string())?
        {
            let constant = bound.constant().unwrap_or_default();
            match (left == Clock::REFERENCE, right == Clock::REFERENCE) {
                (false, true) => bounds.raise_upper(left, constant),
                (true, false) => bounds.raise_lower(right, constant.negated()),
                _ => return Err("extrapolation uses bounds on single clocks, not on differences".to_owned()),
            }
        }
        Ok(bounds)
    }

    fn clock(&self, name: &str) -> Result<Clock, String> {
        let position = self.names.iter().position(|known| known == name.trim());
        let known =
            || format!("there is no clock `{}`; the clocks are {}", name.trim(), self.names.join(", "));
        position.map(|index| Clock::from_index(index + 1)).ok_or_else(known)
    }

    /// Prints the matrix, a valuation, and the sizes of the storage forms.
    fn describe(&self, zone: &Dbm, report: &mut String) {
        if zone.overflowed() {
            report.push_str("\nA bound overflowed: the zone is an over-approximation.\n");
        }
        report.push('\n');
        self.matrix(zone, report);
        let _ = writeln!(report, "\na point      {}", zone.pick());
        let largest = self
            .entries(zone)
            .filter_map(tourbillon_dbm::Bound::constant)
            .map(|c| c.get().abs())
            .max()
            .unwrap_or(0);
        let codes = Codes::uniform(Constant::new(largest.into()).unwrap_or(Constant::MAX));
        let plain = self.dimension.size() * self.dimension.size() * size_of::<i32>();
        let sizes = [
            ("bits", bytes(&Bits::new(self.dimension, codes.clone()), zone)),
            ("digits", bytes(&Digits::new(self.dimension, codes), zone)),
            ("minimal", bytes(&Minimal::new(self.dimension), zone)),
        ];
        let _ = write!(report, "bytes        plain {plain}");
        for (name, size) in sizes {
            let _ = write!(report, ", {name} {}", size.map_or("-".to_owned(), |size| size.to_string()));
        }
        let _ = writeln!(report, " (constants up to {largest})");
    }

    /// Prints the matrix: bounds on row minus column, with the reference clock as 0.
    fn matrix(&self, zone: &Dbm, report: &mut String) {
        let names: Vec<&str> = std::iter::once("0").chain(self.names.iter().map(String::as_str)).collect();
        let cells: Vec<String> = self.entries(zone).map(|bound| bound.to_string()).collect();
        let widest =
            names.iter().copied().chain(cells.iter().map(String::as_str)).map(|text| text.chars().count());
        let width = widest.max().unwrap_or(0);
        let _ = write!(report, "{:<width$}", "-");
        for name in &names {
            let _ = write!(report, "  {name:>width$}");
        }
        for (name, row) in names.iter().zip(cells.chunks(names.len())) {
            let _ = write!(report, "\n{name:<width$}");
            for cell in row {
                let _ = write!(report, "  {cell:>width$}");
            }
        }
        report.push('\n');
    }

    /// The bounds, row by row.
    fn entries<'z>(&self, zone: &'z Dbm) -> impl Iterator<Item = tourbillon_dbm::Bound> + use<'z> {
        let size = self.dimension.size();
        let clock = Clock::from_index;
        (0..size * size).map(move |entry| zone.bound(clock(entry / size), clock(entry % size)))
    }
}

fn constant(text: &str) -> Result<Constant, String> {
    let digits: String = text.trim().trim_start_matches('+').split_whitespace().collect();
    let value: i64 = digits.parse().map_err(|_| format!("`{digits}` is not a whole number"))?;
    Constant::new(value).map_err(|error| error.to_string())
}

fn bytes<F: Form>(form: &F, zone: &Dbm) -> Option<usize> {
    let mut words = Vec::new();
    form.encode(zone, &mut words).ok().map(|()| size_of_val(&words[..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_with(steps: &[&str]) -> Result<String, String> {
        let mut steps = steps.iter().map(|step| (*step).to_owned());
        let constraints = steps.next().unwrap_or_default();
        run(&ZoneArguments { constraints, operations: steps.collect(), clocks: Vec::new() })
    }

    #[test]
    fn each_operation_is_printed() {
        let report = run_with(&["x=0, y=0", "up", "x<=5", "y:=0", "up", "x:=y+2", "x<1"]).unwrap();
        let lines: Vec<&str> = report.lines().collect();
        let expected = [
            "x=0, y=0   x=0, y=0",
            "up         y-x=0",
            "x<=5       x<=5, y-x=0",
            "y:=0       x<=5, y=0",
            "up         x-y<=5, y-x<=0",
            "x:=y+2     x>=2, x-y=2",
            "x<1        empty",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn the_zone_at_the_end_is_described() {
        assert!(run_with(&["P(1).x<5", "P(1).x := P(1).x - 2"]).unwrap().contains("P(1).x<3"));
        let report = run_with(&["x>1, x<=3, y=2"]).unwrap();
        for part in ["x>1, x<=3, y=2", "a point      (2, 2)", "bytes        plain 36, bits ", "<=-2"] {
            assert!(report.contains(part), "no `{part}` in\n{report}");
        }
    }

    #[test]
    fn wrong_input_is_explained() {
        let error = |steps: &[&str]| run_with(steps).unwrap_err();
        assert_eq!(error(&["x<=5", "free z=3"]), "`free z=3`: there is no clock `z=3`; the clocks are x, z");
        assert!(error(&["x<0", "garbage !!"]).contains("garbage"));
        let twice = ZoneArguments {
            constraints: "x<5".into(),
            operations: vec![],
            clocks: vec!["x".into(), "x".into()],
        };
        assert_eq!(run(&twice).unwrap_err(), "the clock `x` is named twice");
        let named = ZoneArguments {
            constraints: "x<5".into(),
            operations: vec!["x:=q".into()],
            clocks: vec!["x".into()],
        };
        assert_eq!(run(&named).unwrap_err(), "`x:=q`: there is no clock `q`; the clocks are x");
        assert_eq!(error(&["x<5", "x<"]), "`x<`: column 3: expected a whole number");
        assert!(error(&["x-y<5", "extra-m x-y<3"]).contains("not on differences"));
        assert!(error(&["x<999999999999"]).contains("too large for a clock bound"));
        assert!(error(&["x<1", "x:=99999999999999999999"]).contains("x:="));
    }
}
