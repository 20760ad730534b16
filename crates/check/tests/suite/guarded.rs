//! Guarded bounds: what they save on a model made for it, and that random networks are a test of them.

use tourbillon_check::{BoundsScope, Job, Limits, PlanRequest, Stats, Verdict, check, clock_bounds};
use tourbillon_model::Model;
use tourbillon_testkit::networks::{Network, Shape, uppaal_model};

fn answered(model: &Model, bounds: BoundsScope) -> (Verdict, Stats) {
    let plan_request = PlanRequest { bounds: Some(bounds), ..PlanRequest::default() };
    let job = Job {
        model,
        queries: Some(&[0]),
        plan_request: &plan_request,
        limits: Limits::default(),
        stop: None,
    };
    let answer = check(&job, &mut |_| {}).expect("a model").remove(0);
    (answer.verdict, answer.stats)
}

/// `x` is compared with 500 only after an edge that needs `x <= 5`: ticks of `y` beyond 5 make no difference.
#[test]
fn constants_behind_an_upper_bound_do_not_count() {
    let model = uppaal_model(
        "clock x, y; process P() { state A { y <= 1 }, B, C; init A; trans A -> A { guard y == 1; assign y = 0; }, \
         A -> B { guard x <= 5; }, B -> C { guard x >= 500; }; } system P;",
        "E<> P.C && y < 400",
    )
    .expect("a model");
    let (local, guarded) = (answered(&model, BoundsScope::Local), answered(&model, BoundsScope::Guarded));
    assert_eq!((local.0, guarded.0), (Verdict::Violated, Verdict::Violated));
    assert!(local.1.visited > 500 && guarded.1.visited < 50, "{local:?}, {guarded:?}");
}

/// The tests of `random.rs` compare guarded bounds with the region oracle; many of their networks have some of their own.
#[test]
fn many_random_networks_have_smaller_guarded_bounds() {
    let shapes = [
        Shape::STRICT,
        Shape::DIAGONALS,
        Shape { values: true, ..Shape::STRICT },
        Shape { priorities: true, ..Shape::STRICT },
    ];
    for shape in shapes {
        let differs = |seed: &u64| {
            let model = Network::random(*seed, shape).model().expect("a network");
            clock_bounds(&model).is_ok_and(|analysis| analysis.guarded != analysis.local)
        };
        let number = (1..=200).filter(differs).count();
        assert!(number >= 40, "{shape:?}: {number} of 200");
    }
}
