//! Least and greatest values of measured expressions, by regions.
//!
//! A clock that is distinguished up to a number `r` has in each region one integer value, or all values strictly between
//! two neighbouring integers, or any value above `r`. So the values that it has in all regions that can be reached, and
//! that satisfy a condition, are known exactly up to `r`, and of larger ones it is known that there are some. That is
//! the region graph of `regions.rs` with a ceiling of at least `r` for all clocks; no other argument is needed.
//!
//! Whether values above `r` have an end is not decided here.

use tourbillon_base::Rational;
use tourbillon_model::{Measure, Model, QueryKind};
use tourbillon_replay::{ConcreteState, Semantics};

use super::ceilings::Ceilings;
use super::regions::Regions;
use super::{Answer, Stop, floor, walk};

/// What a measure amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Span {
    /// The least value; none if no state counts.
    pub low: Option<Edge>,
    pub high: Option<Edge>,
}

/// One end of the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// Some state has this value.
    Attained(i64),
    /// States come arbitrarily close.
    Approached(i64),
    /// It is larger than what is distinguished.
    Beyond,
}

/// The least and greatest values of each measure of a query, where clocks are distinguished up to `reach`.
///
/// # Errors
/// If there are more than `states_max` states, or another reason why nothing is known.
///
/// # Panics
/// If the query asks for something else.
pub fn extremes(model: &Model, query: usize, reach: i64, states_max: usize) -> Result<Vec<Span>, Answer> {
    let ceilings = Ceilings::of(model).map_err(Answer::Unsupported)?;
    let ceilings = Ceilings { single: ceilings.single.max(reach), ..ceilings };
    let QueryKind::Bounds { condition, measures, .. } = &model.queries[query].kind else {
        panic!("a query for something else")
    };
    let frame = model.queries[query].frame;
    let semantics = Semantics::new(model);
    let mut spans = vec![Span::default(); measures.len()];
    walk(model, &Regions { ceilings }, states_max, &mut |state| {
        if condition.map_or(Ok(true), |condition| semantics.holds(condition, frame, state))? {
            for (span, measure) in spans.iter_mut().zip(measures) {
                let value = semantics.measured(measure, frame, state)?;
                span.add(value, is_told_apart(&semantics, measure, frame, state, ceilings.single)?);
            }
        }
        Ok(())
    })?;
    Ok(spans)
}

/// Whether what is measured is no clock, or one up to the ceiling.
fn is_told_apart(
    semantics: &Semantics<'_>,
    measure: &Measure,
    frame: u32,
    state: &ConcreteState,
    ceiling: i64,
) -> Result<bool, Stop> {
    let Measure::Clock(place, _) = measure else { return Ok(true) };
    let clock = semantics.measured(&Measure::Clock(place.clone(), None), frame, state)?;
    Ok(clock <= Rational::from_integer(ceiling))
}

impl Span {
    fn add(&mut self, value: Rational, told_apart: bool) {
        let whole = floor(value);
        let (low, high) = match (told_apart, value.is_integer()) {
            (false, _) => (Edge::Beyond, Edge::Beyond),
            (true, true) => (Edge::Attained(whole), Edge::Attained(whole)),
            (true, false) => (Edge::Approached(whole), Edge::Approached(whole + 1)),
        };
        if self.low.is_none_or(|known| low.as_low() < known.as_low()) {
            self.low = Some(low);
        }
        if self.high.is_none_or(|known| high.as_high() > known.as_high()) {
            self.high = Some(high);
        }
    }
}

impl Edge {
    /// A number that is smaller for the end of values that reach further down.
    const fn as_low(self) -> i64 {
        match self {
            Self::Attained(value) => 2 * value,
            Self::Approached(value) => 2 * value + 1,
            Self::Beyond => i64::MAX,
        }
    }

    /// A number that is larger for the end of values that reach further up.
    const fn as_high(self) -> i64 {
        match self {
            Self::Attained(value) => 2 * value,
            Self::Approached(value) => 2 * value - 1,
            Self::Beyond => i64::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::uppaal_model;

    #[test]
    fn values_are_known_up_to_the_reach() {
        let text = "clock x, y; int[0, 3] n; process P() { state A { x < 3 }, B { x <= 2 }; init A;\n\
            trans A -> B { guard x > 1; assign x = 0, n = 2; }; } system P;";
        let model =
            uppaal_model(text, "bounds{P.B}: x, y, y + n, n\nsup{x > 3}: x\nsup: y").expect("a model");
        let spans = |query, reach| extremes(&model, query, reach, 10_000).expect("a small model");
        let span = |low, high| Span { low: Some(low), high: Some(high) };
        let (x, n) = (span(Edge::Attained(0), Edge::Attained(2)), span(Edge::Attained(2), Edge::Attained(2)));
        let known = [
            x,
            span(Edge::Approached(1), Edge::Approached(5)),
            span(Edge::Approached(3), Edge::Approached(7)),
            n,
        ];
        assert_eq!(spans(0, 6), known);
        assert_eq!(spans(0, 4)[1].high, Some(Edge::Beyond));
        assert_eq!(spans(1, 6), [Span::default()]);
        assert_eq!(spans(2, 6)[0].high, Some(Edge::Approached(5)));
    }
}
