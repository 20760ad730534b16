//! Lists that are rewritten in the smallest form in the middle of a search, and the smallest form from the beginning:
//! nothing but memory tells them from any other.

use tourbillon_base::SourceMap;
use tourbillon_check::{
    Answer, Cover, Job, Limits, Order, PlanRequest, PrepareError, RoundSizes, Stats, TraceKind, Verdict,
    WhenFull, check,
};
use tourbillon_gen::family;
use tourbillon_model::Model;

fn model(name: &str, n: u32) -> Model {
    let text = family(name).expect("a family").tck(n).expect("a member");
    let (model, diagnostics) = tourbillon_front_tchecker::load("family.tck", &text, &mut SourceMap::new());
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn explore(model: &Model, plan_request: &PlanRequest, memory: Option<u64>) -> Result<Answer, PrepareError> {
    let limits = Limits { memory_bytes: memory, ..Limits::default() };
    let mut answers = check(&Job { model, queries: None, plan_request, limits, stop: None }, &mut |_| {})?;
    Ok(answers.remove(0))
}

/// What does not depend on the form.
fn counts(stats: &Stats) -> [u64; 7] {
    let Stats { visited, stored, stored_max, transitions, covered, mistakes, discrete_states, .. } = *stats;
    [visited, stored, stored_max, transitions, covered, mistakes, discrete_states]
}

fn plans() -> Vec<PlanRequest> {
    let plain = PlanRequest { trace: TraceKind::None, ..PlanRequest::default() };
    vec![
        plain.clone(),
        PlanRequest { trace: TraceKind::Some, order: Some(Order::Dfs), ..plain.clone() },
        PlanRequest { cover: Some(Cover::Alu), waiting_inclusion: Some(false), ..plain.clone() },
        PlanRequest { cover: Some(Cover::Equality), order: Some(Order::Random), seed: 3, ..plain },
    ]
}

#[test]
fn packing_and_compact_forms_change_nothing_but_memory() {
    for (name, n) in [("fischer", 5), ("csmacd", 5), ("critical-region", 3), ("fddi", 5)] {
        let model = model(name, n);
        for plan_request in plans() {
            let usual = explore(&model, &plan_request, None).expect("it can be explored").stats;
            let smallest = PlanRequest { compact: true, ..plan_request.clone() };
            let compact = explore(&model, &smallest, None).expect("it can be explored").stats;
            assert_eq!(counts(&compact), counts(&usual), "{name} {n}, {plan_request:?}");
            assert!(compact.memory.total() < usual.memory.total(), "{name} {n}, {plan_request:?}");
            // Packing begins at half of it, and the two lists together fit.
            let limit = (usual.memory.total() as u64 * 13 / 10).max(1 << 18);
            let packing = PlanRequest { when_full: Some(WhenFull::Pack), ..plan_request.clone() };
            let packed = explore(&model, &packing, Some(limit)).expect("it can be explored");
            assert_eq!(packed.verdict, Verdict::Satisfied, "{name} {n}, {plan_request:?}: {:?}", packed.why);
            assert_eq!(counts(&packed.stats), counts(&usual), "{name} {n}, {plan_request:?}");
            if usual.memory.total() > 1 << 18 {
                assert!(packed.stats.is_packed, "{name} {n}, {plan_request:?}");
            }
        }
    }
}

#[test]
fn a_limit_that_stops_one_list_lets_a_packed_one_finish() {
    let model = model("fischer", 7);
    // Rounds would keep to the limit by having fewer candidates.
    let plain = PlanRequest { trace: TraceKind::None, order: Some(Order::Sweep), ..PlanRequest::default() };
    let usual = explore(&model, &plain, None).expect("it can be explored").stats;
    let limit = usual.memory.total() as u64 * 9 / 10;
    let stopped = explore(&model, &plain, Some(limit)).expect("it can be explored");
    assert_eq!(stopped.verdict, Verdict::Unknown);
    let packing = PlanRequest { when_full: Some(WhenFull::Pack), ..plain };
    let packed = explore(&model, &packing, Some(limit)).expect("it can be explored");
    assert_eq!((packed.verdict, packed.stats.is_packed), (Verdict::Satisfied, true));
    assert_eq!(counts(&packed.stats), counts(&usual));
    assert!((packed.stats.memory.total() as u64) < limit);
}

/// The list is divided before it is packed, or after. Both are the same for any number of threads.
#[test]
fn a_list_that_is_packed_between_rounds_does_not_depend_on_the_number_of_threads() {
    let model = model("fischer", 7);
    for (after, order) in [(0, Order::Sweep), (2000, Order::Bfs), (5000, Order::Topological)] {
        let explore = |threads, when_full, limit| {
            let plan_request = PlanRequest {
                trace: TraceKind::None,
                when_full,
                order: Some(order),
                threads: Some(threads),
                round_sizes: Some(RoundSizes { after, width: 256, chunk: 8 }),
                ..PlanRequest::default()
            };
            explore(&model, &plan_request, limit).expect("it can be explored")
        };
        let usual = explore(1, None, None).stats.memory.total() as u64;
        for percent in [40, 60, 90] {
            let answer = |threads| explore(threads, Some(WhenFull::Pack), Some(usual * percent / 100));
            let one = answer(1);
            if percent == 90 {
                assert!(one.stats.is_packed && one.rounds.is_some(), "{order:?}: {:?}", one.stats);
                assert_eq!(one.verdict, Verdict::Satisfied, "{order:?}: {:?}", one.why);
            }
            for threads in [2, 3, 7] {
                let other = answer(threads);
                let what = format!("{percent} %, {order:?}, {threads} threads");
                assert_eq!((&other.why, other.stats), (&one.why, one.stats), "{what}");
            }
        }
    }
}

#[test]
fn packing_takes_a_limit() {
    let model = model("fischer", 3);
    let packing = PlanRequest { when_full: Some(WhenFull::Pack), ..PlanRequest::default() };
    let refused = explore(&model, &packing, None).expect_err("there is no limit");
    assert!(refused.to_string().contains("--memory-limit"), "{refused}");
}

/// The first few nodes may take more than is allowed: then too the list is packed before the search gives up.
#[test]
fn a_limit_that_is_passed_at_once_is_no_reason_not_to_pack() {
    let model = model("fddi", 8);
    let packing =
        PlanRequest { when_full: Some(WhenFull::Pack), trace: TraceKind::None, ..PlanRequest::default() };
    let stats = explore(&model, &packing, Some(2000)).expect("it can be explored").stats;
    assert!(stats.is_packed, "{stats:?}");
}
