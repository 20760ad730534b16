//! Counting what is stored: against what a search says of itself, and by hand.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tourbillon_base::SourceMap;
use tourbillon_check::{
    Abstraction, Census, CensusError, Committed, Cover, Exhausted, Job, Limits, PassedForm, PlanRequest,
    ZoneForm, census, check,
};
use tourbillon_model::Model;
use tourbillon_testkit::networks::uppaal_model;

fn job<'a>(model: &'a Model, plan_request: &'a PlanRequest) -> Job<'a> {
    Job { model, queries: None, plan_request, limits: Limits::default(), stop: None }
}

fn counted(model: &Model, plan_request: &PlanRequest) -> Census {
    census(&job(model, plan_request)).unwrap_or_else(|error| panic!("{error}"))
}

fn member(family: &str, n: u32) -> Model {
    let family = tourbillon_gen::family(family).expect("a family");
    let text = family.tck(n).expect("a member");
    let (model, diagnostics) = tourbillon_front_tchecker::load("family.tck", &text, &mut SourceMap::new());
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// With zones shared, the store counts what differs, too.
#[test]
fn counts_are_those_of_the_search() {
    for (family, n) in [("fischer", 4), ("csmacd", 5), ("fddi", 3), ("critical-region", 2)] {
        let model = member(family, n);
        for cover in [Cover::Equality, Cover::Inclusion, Cover::Alu, Cover::Adaptive] {
            let plan_request = PlanRequest {
                zones: Some(ZoneForm::Shared),
                cover: Some(cover),
                store: Some(Committed::Stored),
                ..PlanRequest::default()
            };
            let stats =
                check(&job(&model, &plan_request), &mut |_| {}).expect("a family can be explored")[0].stats;
            let census = counted(&model, &plan_request);
            let of_search = (stats.stored, stats.discrete_states, stats.distinct_zones);
            assert_eq!((census.nodes, census.discrete_states, census.zones), of_search, "{family} {n}");
            let plain = PlanRequest { zones: Some(ZoneForm::Plain), ..plan_request };
            assert_eq!(counted(&model, &plain), census, "{family} {n}");
        }
    }
}

/// Two clocks, so six pairs; two locations, and a variable with three values out of 201, of which the network has these
/// four combinations.
#[test]
fn bits_are_those_worked_out_by_hand() {
    let model = uppaal_model(
        "clock x, y; int[-100,100] v;
         process P() {
             state A { x <= 1 && y <= 1 }, B;
             init A;
             trans A -> B { guard x == 1; assign v = 5; }, A -> B { guard x == 1; assign v = 7; },
                   B -> A { guard v == 5; assign v = 7, x = 0, y = 0; };
         }
         system P;",
        "",
    )
    .expect("a model");
    let plan_request =
        PlanRequest { abstraction: Some(Abstraction::None), reduce: Some(false), ..PlanRequest::default() };
    let census = counted(&model, &plan_request);
    // (A, 0), (B, 5), (B, 7), (A, 7).
    assert_eq!((census.nodes, census.discrete_states), (4, 4));
    assert!((census.range_bits - 402_f64.log2()).abs() < 1e-9, "{census:?}");
    assert!((census.value_bits - 6_f64.log2()).abs() < 1e-9, "{census:?}");
    // In A: x = y <= 1, which is three constraints. In B: x = y >= 1, as many. Two bounds on differences, and 1, -1.
    assert_eq!((census.zones, census.constraints, census.bounds), (2, 6, 3));
    assert!((census.bits.discrete - 15_f64.log2()).abs() < 1e-9, "{census:?}");
    assert_eq!(census.bits.counts, 0.0);
    assert!((census.bits.choices - 4.0).abs() < 1e-9, "{census:?}");
    let zone = 7_f64.log2() + 20_f64.log2() + 3.0 * 3_f64.log2();
    assert!((census.bits.zones - (2.0 * zone - 1.0)).abs() < 1e-9, "{census:?}");
}

#[test]
fn what_ends_early_is_counted_so_far_and_what_is_not_kept_is_not_counted() {
    let model = member("fischer", 6);
    let plan_request = PlanRequest::default();
    let limits = Limits { states: Some(10), ..Limits::default() };
    let limited = census(&Job { limits, ..job(&model, &plan_request) }).expect("a census");
    assert_eq!(limited.unfinished, Some(Exhausted::States));
    assert!((10..1000).contains(&limited.nodes), "{limited:?}");
    let stop = Arc::new(AtomicBool::new(true));
    let interrupted = census(&Job { stop: Some(&stop), ..job(&model, &plan_request) }).expect("a census");
    assert_eq!((interrupted.unfinished, interrupted.nodes), (Some(Exhausted::Interrupted), 1));
    assert_eq!(counted(&model, &plan_request).unfinished, None);
    let plan_request = PlanRequest { passed: PassedForm::Compact, ..PlanRequest::default() };
    assert_eq!(census(&job(&model, &plan_request)), Err(CensusError::NotKept));
}
