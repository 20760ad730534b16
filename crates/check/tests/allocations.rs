//! The search asks the allocator for nothing per successor: what it needs grows in chunks, and rarely.
//!
//! Compiling a model and making a plan allocate as they like, so each exploration is counted twice: once stopped after
//! the first state, which is what comes before the search, and once to its end. The difference is the search's.

use tourbillon_check::{
    Cover, DiscreteForm, Job, Limits, Order, PlanRequest, RoundSizes, Stats, TraceKind, Verdict, ZoneForm,
    check,
};
use tourbillon_gen::family;
use tourbillon_model::Model;
use tourbillon_testkit::counting::{self, Counting};
use tourbillon_testkit::networks::{tchecker_model, uppaal_model};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Explores, within a limit of states if there is one; how often that calls the allocator.
fn counted(model: &Model, plan_request: &PlanRequest, states: Option<u64>) -> (u64, Stats) {
    let limits = Limits { states, ..Limits::default() };
    let job = Job { model, queries: None, plan_request, limits, stop: None };
    let before = counting::calls();
    let answers = check(&job, &mut |_| {}).expect("a family can be compiled");
    let calls = counting::calls() - before;
    assert_eq!(answers[0].verdict == Verdict::Unknown, states.is_some(), "{plan_request:?}");
    (calls, answers[0].stats)
}

/// How often the search of a full exploration calls the allocator, and what it counts.
fn of_search(model: &Model, plan_request: &PlanRequest) -> (u64, Stats) {
    let (before, _) = counted(model, plan_request, Some(1));
    let (calls, stats) = counted(model, plan_request, None);
    (calls.saturating_sub(before), stats)
}

const DISCRETE: [DiscreteForm; 5] =
    [DiscreteForm::Bits, DiscreteForm::Plain, DiscreteForm::Digits, DiscreteForm::Shared, DiscreteForm::Tree];

/// Every form and order, with runs and without; and every cover and way to wait, in the usual form.
fn plans() -> Vec<PlanRequest> {
    let mut plans = Vec::new();
    // Every form of zones with all forms of discrete states in turn, and the other way round.
    for (at, zones) in ZoneForm::ALL.into_iter().enumerate() {
        for discrete in [DISCRETE[at % DISCRETE.len()], DISCRETE[(at + 2) % DISCRETE.len()]] {
            for order in [
                Order::Bfs,
                Order::Dfs,
                Order::Random,
                Order::Topological,
                Order::Sweep,
                Order::Ranked,
                Order::RankedSweep,
            ] {
                let (zones, discrete, order) = (Some(zones), Some(discrete), Some(order));
                let base = PlanRequest { zones, discrete, order, seed: 1, ..PlanRequest::default() };
                plans.extend(
                    [TraceKind::None, TraceKind::Some].map(|trace| PlanRequest { trace, ..base.clone() }),
                );
            }
        }
    }
    for cover in [Cover::Equality, Cover::Inclusion, Cover::Alu, Cover::Adaptive] {
        for waiting in [true, false] {
            let (cover, waiting_inclusion) = (Some(cover), Some(waiting));
            plans.push(PlanRequest {
                cover,
                waiting_inclusion,
                order: Some(Order::Sweep),
                trace: TraceKind::None,
                ..PlanRequest::default()
            });
        }
    }
    plans
}

/// In rounds, each chunk of 32 states has an observer, and each phase has the locks of all shards.
fn judge_rounds() {
    let family = family("csmacd").expect("a family");
    let model = tchecker_model(&family.tck(6).expect("a member")).expect("a model");
    let sizes = RoundSizes { after: 0, ..RoundSizes::default() };
    let cover = Some(Cover::Equality);
    let plan_request =
        PlanRequest { round_sizes: Some(sizes), threads: Some(1), cover, ..PlanRequest::default() };
    let (calls, stats) = of_search(&model, &plan_request);
    let chunks = stats.visited / sizes.chunk as u64;
    assert!(chunks > 100, "{chunks}");
    assert!(calls < 3_000 + 10 * chunks, "{calls} calls of the allocator for {chunks} chunks");
}

/// Two members of each family, of which the second has many times the transitions of the first.
const MEMBERS: [(&str, u32, u32); 4] =
    [("fischer", 5, 6), ("csmacd", 4, 6), ("train-gate", 3, 4), ("critical-region", 2, 3)];

/// What a search may ask for in all. Tables grow by a factor, an eighth for the tight ones, so that their number is a
/// logarithm. Each of the 64 transient states of an expansion has two vectors, which are used again. So has each of the 512 places
/// for location vectors: locations, invariants of two kinds, clock bounds.
const CALLS_MAX: u64 = 350 + 2 * 64 + 4 * 512;

/// One test, since others would run beside it and be counted.
#[test]
fn nothing_is_allocated_per_successor() {
    for (name, small, large) in MEMBERS {
        let family = family(name).expect("a family");
        let tck = |n| tchecker_model(&family.tck(n).expect("a member")).expect("a model");
        let xta = |n| uppaal_model(&family.xta(n).expect("a member"), "").expect("a model");
        let (tchecker, uppaal) = ([tck(small), tck(large)], [xta(small), xta(large)]);
        for plan_request in plans() {
            judge(name, &tchecker, &plan_request);
        }
        // The default plan, state by state.
        judge(name, &uppaal, &PlanRequest { order: Some(Order::Sweep), ..PlanRequest::default() });
    }
    judge_rounds();
}

fn judge(name: &str, members: &[Model; 2], plan_request: &PlanRequest) {
    let [(few, small), (many, large)] = members.each_ref().map(|model| of_search(model, plan_request));
    let (few_computed, many_computed) = (small.transitions, large.transitions);
    assert!(
        many_computed > 3 * few_computed,
        "{name} does not grow: {few_computed}, {many_computed} transitions"
    );
    // By a_LU, nodes that wait unseen need their bounds later. Each set of bounds is kept, once.
    let keeps_bounds = plan_request.cover.is_some_and(Cover::has_parameters)
        && plan_request.waiting_inclusion == Some(false);
    let most = if keeps_bounds { CALLS_MAX + large.discrete_states } else { CALLS_MAX };
    assert!(
        many < most,
        "{name}, {plan_request:?}: {many} calls of the allocator for {many_computed} transitions"
    );
    assert!(
        keeps_bounds || many * few_computed * 2 < few * many_computed,
        "{name}, {plan_request:?}: {few} calls for {few_computed} transitions, {many} for {many_computed}"
    );
}
