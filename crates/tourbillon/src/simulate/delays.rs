//! The choice of a delay among the possible ones, and the parsing of rational numbers.
//!
//! A delay is chosen so that the time at its end, since the start of the run, is a multiple of `1/n` for the smallest
//! possible power of two `n`. So the clock values of a long run stay readable, and fit into 64 bits unless the model
//! requires ever finer times.

use tourbillon_base::{Random, Rational};
use tourbillon_replay::Delays;

/// The finest unit that is tried is `1/2^UNITS`.
const UNITS: u32 = 40;

/// The range of random delays above their lower end if there is no upper end.
const REACH: i64 = 10;

/// Parses a number such as `3`, `5/2` or `2.5` exactly; `None` if it is malformed or too large.
///
/// ```
/// use tourbillon::{Rational, parse_number};
///
/// assert_eq!(parse_number("2.5"), Rational::new(5, 2));
/// assert_eq!(parse_number("5/2"), Rational::new(5, 2));
/// assert_eq!(parse_number("soon"), None);
/// ```
#[must_use]
pub fn parse_number(text: &str) -> Option<Rational> {
    let whole = |text: &str| -> Option<i64> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain { text.parse().ok() } else { None }
    };
    let text = text.trim();
    if let Some((above, below)) = text.split_once('/') {
        return Rational::new(whole(above.trim())?, whole(below.trim())?);
    }
    let Some((before, after)) = text.split_once('.') else {
        return Some(Rational::from_integer(whole(text)?));
    };
    let scale = 10i64.checked_pow(u32::try_from(after.len()).ok()?)?;
    if after.is_empty() || after.starts_with('-') || (before.is_empty() && after.is_empty()) {
        return None;
    }
    Rational::new(whole(&format!("{before}{after}"))?, scale)
}

/// The least of these delays; if the lower end is excluded, one shortly after it.
pub(super) fn earliest(when: &[Delays], now: Rational) -> Option<Rational> {
    let first = when.first()?;
    if first.from_included {
        return Some(first.from);
    }
    let on_grid = (0..UNITS).find_map(|exponent| {
        let grid = Grid::of(first, now, first.to, exponent)?;
        grid.delay(0)
    });
    on_grid.or_else(|| middle(first.from, first.to?))
}

/// A random delay. Ends of intervals are more frequent: errors of models are often there.
pub(super) fn any(when: &[Delays], now: Rational, random: &mut Random) -> Option<Rational> {
    let chosen = random.pick(when)?;
    match random.below(4) {
        0 if chosen.from_included => return Some(chosen.from),
        1 if chosen.to_included => return chosen.to,
        _ => {}
    }
    let limit = chosen.from.checked_add(Rational::from_integer(REACH))?;
    let to = Some(chosen.to.map_or(limit, |to| to.min(limit)));
    let coarsest = random.below(3) as u32;
    let grid = (coarsest..UNITS).find_map(|exponent| Grid::of(chosen, now, to, exponent));
    let on_grid = grid.and_then(|grid| grid.delay(random.below(grid.count)));
    let inner = on_grid.or_else(|| middle(chosen.from, to?));
    inner.filter(|&delay| chosen.contains(delay)).or_else(|| earliest(&[*chosen], now))
}

fn middle(from: Rational, to: Rational) -> Option<Rational> {
    let sum = from.checked_add(to)?;
    Rational::new(sum.numerator(), sum.denominator().checked_mul(2)?)
}

/// The times, in multiples of a unit, that some delays lead to; there is at least one.
struct Grid {
    now: Rational,
    first: i64,
    count: usize,
    unit: i64,
}

impl Grid {
    /// The times of some delays, up to another upper end, in the unit `1/2^exponent`.
    fn of(delays: &Delays, now: Rational, to: Option<Rational>, exponent: u32) -> Option<Self> {
        let unit = 1i64 << exponent;
        let start = now.checked_add(delays.from)?;
        let (floor, exact) = scaled(start, unit)?;
        let first = if exact && delays.from_included { floor } else { floor.checked_add(1)? };
        let last = match to {
            None => first,
            Some(to) => {
                let (floor, exact) = scaled(now.checked_add(to)?, unit)?;
                let included = delays.to_included || Some(to) != delays.to;
                if exact && !included { floor.checked_sub(1)? } else { floor }
            }
        };
        let count =
            usize::try_from(last.checked_sub(first)?.checked_add(1)?).ok().filter(|&count| count > 0)?;
        Some(Self { now, first, count, unit })
    }

    /// The delay to one of its times.
    fn delay(&self, index: usize) -> Option<Rational> {
        let moment = Rational::new(self.first.checked_add(i64::try_from(index).ok()?)?, self.unit)?;
        moment.checked_sub(self.now)
    }
}

/// The number of whole units in a number, and whether it is a multiple.
fn scaled(number: Rational, unit: i64) -> Option<(i64, bool)> {
    let product = i128::from(number.numerator()) * i128::from(unit);
    let denominator = i128::from(number.denominator());
    let floor = i64::try_from(product.div_euclid(denominator)).ok()?;
    Some((floor, product.rem_euclid(denominator) == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Rational {
        parse_number(text).expect("a number")
    }

    fn delays(text: &str) -> Delays {
        let inner = &text[1..text.len() - 1];
        let (from, to) = inner.split_once(',').expect("two ends");
        Delays {
            from: number(from),
            from_included: text.starts_with('['),
            to: parse_number(to),
            to_included: text.ends_with(']'),
        }
    }

    #[test]
    fn numbers_are_read_exactly_or_not_at_all() {
        for (text, value) in [("7", "7"), ("-3", "-3"), (" 10/4 ", "5/2"), ("0.125", "1/8"), ("-1.5", "-3/2")]
        {
            assert_eq!(parse_number(text).map(|number| number.to_string()).as_deref(), Some(value), "{text}");
        }
        for text in ["", "x", "1/0", "1.", ".", "1.-5", "+1", "1e3", "--1", "99999999999999999999", "1/2/3"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn the_earliest_delay_is_the_lower_end_or_a_readable_one_after_it() {
        let of = |text: &str, now: &str| earliest(&[delays(text)], number(now)).map(|it| it.to_string());
        assert_eq!(of("[2,5)", "0").as_deref(), Some("2"));
        assert_eq!(of("(2,5)", "0").as_deref(), Some("3"));
        assert_eq!(of("(2,3)", "0").as_deref(), Some("5/2"));
        assert_eq!(of("(2,)", "1/2").as_deref(), Some("5/2"));
        assert_eq!(of("(1/3,2/5)", "0").as_deref(), Some("3/8"));
        assert_eq!(earliest(&[], Rational::ZERO), None);
    }

    #[test]
    fn random_delays_are_among_those_asked_for() {
        let mut random = Random::from_seed(3);
        for text in ["[2,5)", "(2,5]", "(2,9/4)", "[3,3]", "(1/3,)", "[0,1/3]", "(5/7,6/7)"] {
            let when = delays(text);
            for _ in 0..200 {
                let delay = any(&[when], number("1/6"), &mut random).expect("a delay");
                assert!(when.contains(delay), "{delay} of {text}");
            }
        }
    }
}
