//! Every combination of the axes answers every question alike, and what is merely a way to store things changes nothing.
//!
//! Three promises, on members of the families and on the examples:
//!
//! - a query has one answer, the expected one, whatever the abstraction, bounds, cover, order and way to wait;
//! - a full exploration reaches the same discrete states whatever these are, as far as it comes to an end;
//! - the forms of zones and of discrete states change no count at all, not even where a search is cut short.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_check::{
    Abstraction, Answer, BoundsScope, Committed, Cover, DiscreteForm, Job, Limits, Order, PlanRequest,
    Progress, Stats, TraceKind, Verdict, Why, ZoneForm, check,
};
use tourbillon_front_uppaal::lower::{Input, QueryInput, lower};
use tourbillon_front_uppaal::{LoadOptions, load};
use tourbillon_gen::family;
use tourbillon_model::Model;
use tourbillon_testkit::networks::uppaal_model;

/// Plans that visit much, or have no end, are cut short when they are seen to have visited more than this.
const VISITED_MAX: u64 = 250;

/// Whether a plan goes to its end: it visits few states, and knows every answer.
fn is_coarse(plan_request: &PlanRequest) -> bool {
    matches!(plan_request.abstraction, Some(Abstraction::ExtraLu | Abstraction::ExtraLuPlus))
        && plan_request.bounds != Some(BoundsScope::Global)
        && plan_request.cover != Some(Cover::Equality)
}

const FORMS: [(ZoneForm, DiscreteForm); 12] = [
    (ZoneForm::Plain, DiscreteForm::Plain),
    (ZoneForm::Plain, DiscreteForm::Shared),
    (ZoneForm::Shared, DiscreteForm::Plain),
    (ZoneForm::Shared, DiscreteForm::Bits),
    (ZoneForm::Plain, DiscreteForm::Digits),
    (ZoneForm::Shared, DiscreteForm::Tree),
    (ZoneForm::Bits, DiscreteForm::Bits),
    (ZoneForm::BitsShared, DiscreteForm::Tree),
    (ZoneForm::Digits, DiscreteForm::Digits),
    (ZoneForm::DigitsShared, DiscreteForm::Bits),
    (ZoneForm::Minimal, DiscreteForm::Plain),
    (ZoneForm::MinimalShared, DiscreteForm::Digits),
];

/// A plan is explored in every third form. The number of plans for each abstraction, scope and cover is no multiple of that, so that
/// each form meets each choice on every other axis.
const FORMS_APART: usize = 3;

const ORDERS: [Order; 9] = [
    Order::Bfs,
    Order::Dfs,
    Order::Random,
    Order::Topological,
    Order::Sweep,
    Order::Ranked,
    Order::RankedSweep,
    Order::Best,
    Order::Mixed,
];

/// M-extrapolations do not use guarded bounds.
fn scopes(abstraction: Abstraction) -> impl Iterator<Item = BoundsScope> {
    let is_m = matches!(abstraction, Abstraction::ExtraM | Abstraction::ExtraMPlus);
    let all = [BoundsScope::Global, BoundsScope::Local, BoundsScope::Guarded];
    all.into_iter().filter(move |&bounds| !is_m || bounds != BoundsScope::Guarded)
}

/// Every combination of what is not a form.
fn plans() -> Vec<PlanRequest> {
    use Abstraction::{ExtraLu, ExtraLuPlus, ExtraM, ExtraMPlus, None as Exact};
    let mut plans = Vec::new();
    for abstraction in [Exact, ExtraM, ExtraMPlus, ExtraLu, ExtraLuPlus] {
        for bounds in scopes(abstraction) {
            for cover in [Cover::Equality, Cover::Inclusion, Cover::Alu, Cover::Adaptive] {
                for order in ORDERS {
                    let ranked = matches!(order, Order::Ranked | Order::RankedSweep);
                    let waiting = [true, false].into_iter().filter(|on| *on || !ranked);
                    plans.extend(waiting.map(|waiting| PlanRequest {
                        abstraction: Some(abstraction),
                        bounds: Some(bounds),
                        cover: Some(cover),
                        order: Some(order),
                        waiting_inclusion: Some(waiting),
                        seed: 7,
                        store: Some(Committed::Stored),
                        ..PlanRequest::default()
                    }));
                }
            }
        }
    }
    assert!(
        !(plans.len() / ((2 + 2 + 3 * 3) * 4)).is_multiple_of(FORMS_APART),
        "an order meets a third of the forms"
    );
    plans
}

fn asked(model: &Model, queries: Option<&[usize]>, plan_request: &PlanRequest) -> Vec<Answer> {
    let stop = Arc::new(AtomicBool::new(false));
    let visited_max = if is_coarse(plan_request) { u64::MAX } else { VISITED_MAX };
    let mut watch = |progress: &Progress| stop.store(progress.stats.visited > visited_max, Ordering::Relaxed);
    let job = Job { model, queries, plan_request, limits: Limits::default(), stop: Some(&stop) };
    check(&job, &mut watch).unwrap_or_else(|error| panic!("{plan_request:?}: {error}"))
}

/// What does not depend on how things are stored.
fn counts(stats: &Stats) -> [u64; 9] {
    let Stats {
        visited,
        stored,
        stored_max,
        transitions,
        covered,
        mistakes,
        rank_visits,
        waiting,
        discrete_states,
        ..
    } = *stats;
    [visited, stored, stored_max, transitions, covered, mistakes, rank_visits, waiting, discrete_states]
}

/// Explores in some of the forms, others for each plan; all must count the same. Returns the discrete states, if the search came
/// to an end.
fn explored(name: &str, model: &Model, plan: usize, plan_request: &PlanRequest) -> Option<u64> {
    let mut first = None;
    let forms = FORMS.iter().skip(plan % FORMS_APART).step_by(FORMS_APART);
    for &(zones, discrete) in forms {
        let (zones, discrete) = (Some(zones), Some(discrete));
        let plan_request = PlanRequest { zones, discrete, trace: TraceKind::None, ..plan_request.clone() };
        let answer = asked(model, None, &plan_request).remove(0);
        let found = (counts(&answer.stats), answer.why);
        let first = first.get_or_insert_with(|| found.clone());
        assert_eq!(found, *first, "{name}: {plan_request:?} counts what no other form does");
    }
    let (counts, why) = first.expect("there are forms");
    if why != Why::Complete {
        assert!(
            !is_coarse(plan_request) && matches!(why, Why::Exhausted(_)),
            "{name}: {plan_request:?} ends by {why:?}"
        );
        return None;
    }
    let [_, stored, _, transitions, covered, _, _, waiting, discrete_states] = counts;
    assert_eq!((stored + covered, waiting), (transitions + 1, 0), "{name}: {plan_request:?}");
    Some(discrete_states)
}

/// A model, and the answers that are expected.
struct Case {
    name: String,
    model: Model,
    expected: Vec<Verdict>,
}

/// Every plan on a model. Queries are asked in one form each, which is another one from plan to plan.
fn judge(case: &Case) {
    let Case { name, model, expected } = case;
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let mut reached = None;
    for (plan, plan_request) in plans().iter().enumerate() {
        if let Some(states) = explored(name, model, plan, plan_request) {
            assert_eq!(
                states,
                *reached.get_or_insert(states),
                "{name}: {plan_request:?} reaches other discrete states"
            );
        }
        let (zones, discrete) = FORMS[plan % FORMS.len()];
        let plan_request =
            PlanRequest { zones: Some(zones), discrete: Some(discrete), ..plan_request.clone() };
        for (answer, &expected) in asked(model, Some(&queries), &plan_request).iter().zip(expected) {
            // A question of another kind has its own tests.
            let left_out = match answer.why {
                Why::Exhausted(_) => !is_coarse(&plan_request),
                Why::NotSupported(_) => true,
                _ => false,
            };
            let query = &model.queries[answer.query.expect("a query was asked")].text;
            assert!(
                left_out || answer.verdict == expected,
                "{name}: {plan_request:?}: {query}: {:?}",
                answer.why
            );
        }
    }
}

fn verdict(holds: bool) -> Verdict {
    if holds { Verdict::Satisfied } else { Verdict::Violated }
}

fn member(name: &str, n: u32) -> Case {
    let family = family(name).expect("a family");
    let queries = family.queries(n).expect("a member");
    let lines: String = queries.iter().map(|query| format!("{}\n", query.formula)).collect();
    let model = uppaal_model(&family.xta(n).expect("a member"), &lines).expect("a model");
    let expected = queries.iter().map(|query| verdict(query.expected.expect("an answer is known")));
    Case { name: format!("{name} {n}"), model, expected: expected.collect() }
}

fn example(name: &str) -> Case {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (document, mut diagnostics) = load(name, &bytes, &LoadOptions::default());
    let queries = document.queries.iter().map(|query| QueryInput {
        query: &query.query,
        text: document.sources.snippet(query.formula).to_owned(),
        comment: String::new(),
        expected: None,
        broken: false,
    });
    let queries: Vec<QueryInput<'_>> = queries.collect();
    let input = Input { name, tree: &document.tree, model: &document.model, queries: &queries };
    let model = lower(&input, &mut diagnostics).unwrap_or_else(|| panic!("{name}: {diagnostics:?}"));
    let expected = document.queries.iter().map(|query| {
        let outcome = query.expect.as_ref().and_then(|expect| expect.outcome.as_deref());
        verdict(outcome.expect("an answer is known") == "success")
    });
    Case { name: name.to_owned(), model, expected: expected.collect() }
}

#[test]
fn members_of_families_are_explored_alike() {
    let members = [
        ("fischer", 3),
        ("csmacd", 3),
        ("fddi", 3),
        ("critical-region", 2),
        ("lynch", 3),
        ("train-gate", 3),
        ("dining-philosophers", 3),
        ("bridge", 3),
        ("blow-up", 4),
    ];
    for (name, n) in members {
        judge(&member(name, n));
    }
}

/// Those of the examples that are small; the others would take long by a hundred plans.
#[test]
fn examples_are_explored_alike() {
    let names =
        ["fischer.xml", "csmacd.xml", "scheduler.xml", "speed-trap.xml", "two-doors.xml", "watchdog.xml"];
    for name in names {
        judge(&example(name));
    }
}
