//! Numbers that do not fit are refused, not rounded.

use tourbillon_base::Rational;
use tourbillon_replay::{Semantics, Violation};

use crate::shared::{ratio, uppaal};

#[test]
fn a_time_that_does_not_fit_is_refused() {
    let m = uppaal("clock x; process P() { state A; init A; } system P;");
    let semantics = Semantics::new(&m);
    let initial = semantics.initial().expect("a state");
    let late = semantics.delay(&initial, Rational::from_integer(i64::MAX)).expect("the last moment");
    assert_eq!(semantics.delay(&late, ratio(1, 1)), Err(Violation::TooPrecise));
    let fine = semantics.delay(&initial, ratio(1, i64::MAX)).expect("a moment");
    assert_eq!(semantics.delay(&fine, ratio(1, i64::MAX - 1)), Err(Violation::TooPrecise));
}
