//! Probabilistic passed lists, against the exact one: what they find is there, what they count is the same while they
//! make no mistake, and where they make some they say so.
//!
//! The number of random networks is a tenth of `TOURBILLON_NETWORKS` (default 3,000), the first seed `TOURBILLON_SEED`
//! (default 1).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_check::{
    Answer, Certainty, Committed, Cover, HashingRequest, Job, Limits, Order, PassedForm, PlanRequest,
    Progress, RoundSizes, Stats, TraceKind, Verdict, WhenFull, Why, check,
};
use tourbillon_gen::family;
use tourbillon_model::Model;
use tourbillon_testkit::networks::{Network, Shape, uppaal_model};

use crate::from_environment;

const TABLES: [PassedForm; 3] = [PassedForm::Bitstate, PassedForm::Compact, PassedForm::CompactZone];

/// A search that visits more than this is given up.
const VISITED_MAX: u64 = 20_000;

fn asked(
    model: &Model,
    queries: Option<&[usize]>,
    plan_request: &PlanRequest,
    limits: Limits,
) -> Vec<Answer> {
    let stop = Arc::new(AtomicBool::new(false));
    let job = Job { model, queries, plan_request, limits, stop: Some(&stop) };
    let mut watch = |progress: &Progress| stop.store(progress.stats.visited > VISITED_MAX, Ordering::Relaxed);
    check(&job, &mut watch).unwrap_or_else(|error| panic!("{plan_request:?}: {error}"))
}

fn answers(model: &Model, plan_request: &PlanRequest) -> Vec<Answer> {
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    asked(model, Some(&queries), plan_request, Limits::default())
}

fn explored(model: &Model, plan_request: &PlanRequest) -> Answer {
    asked(model, None, plan_request, Limits::default()).remove(0)
}

/// PlanRequest for a table that makes no mistake among a few thousand states.
fn sure(passed: PassedForm) -> PlanRequest {
    let table = match passed {
        PassedForm::Exact => HashingRequest::default(),
        PassedForm::Bitstate => HashingRequest {
            memory_bytes: Some(1 << 20),
            bits_per_state: Some(8),
            ..HashingRequest::default()
        },
        _ => HashingRequest {
            memory_bytes: Some(1 << 20),
            signature_bits: Some(62),
            ..HashingRequest::default()
        },
    };
    PlanRequest { passed, table, ..PlanRequest::default() }
}

/// PlanRequest for a table that is too small for most models.
fn tiny(passed: PassedForm, seed: u64) -> PlanRequest {
    let (bits_per_state, signature_bits, when_full) = match passed {
        PassedForm::Bitstate => (Some(1 + seed as u32 % 4), None, None),
        _ => (None, Some(1 + seed as u32 % 8), Some([WhenFull::Stop, WhenFull::Skip][seed as usize % 2])),
    };
    let passes = Some(1 + seed as u32 % 3);
    let table = HashingRequest { memory_bytes: Some(1), bits_per_state, signature_bits, passes };
    PlanRequest { passed, table, when_full, seed, ..PlanRequest::default() }
}

/// What must not depend on how visited states are kept.
fn counts(stats: &Stats) -> [u64; 7] {
    let Stats { visited, stored, stored_max, transitions, covered, mistakes, waiting, .. } = *stats;
    [visited, stored, stored_max, transitions, covered, mistakes, waiting]
}

fn certainty(answer: &Answer) -> Certainty {
    answer.stats.certainty.expect("it is a table")
}

/// A network's complaint, if its plans disagree.
fn complaint(network: &Network) -> Option<String> {
    let model = network.model().unwrap_or_else(|error| panic!("{error}"));
    let seed = network.seed;
    let order = [Order::Bfs, Order::Dfs, Order::Random][seed as usize % 3];
    let waiting_inclusion = Some(!seed.is_multiple_of(4));
    let covers = [Cover::Equality, Cover::Inclusion, Cover::Alu];
    for passed in TABLES {
        for cover in covers {
            if cover != Cover::Equality && passed != PassedForm::CompactZone {
                continue;
            }
            let common = |plan_request: PlanRequest| PlanRequest {
                cover: Some(cover),
                order: Some(order),
                waiting_inclusion,
                seed,
                ..plan_request
            };
            let exact = explored(&model, &common(PlanRequest::default()));
            let tabled = explored(&model, &common(sure(passed)));
            if counts(&exact.stats) != counts(&tabled.stats) {
                return Some(format!("{passed:?}, {cover:?}: {:?}\nexact: {:?}", tabled.stats, exact.stats));
            }
            let right = match (&exact.why, &tabled.why) {
                (Why::Complete, Why::MayOmit(_)) => tabled.verdict == Verdict::Unknown,
                (Why::Complete, Why::Complete) => exact.stats.stored == 0,
                (exact, tabled) => exact == tabled,
            };
            if !right {
                return Some(format!("{passed:?}, {cover:?}: {:?}\nexact: {:?}", tabled.why, exact.why));
            }
        }
    }
    let exact = answers(&model, &PlanRequest::default());
    for passed in TABLES {
        let trace = if seed.is_multiple_of(2) { TraceKind::Some } else { TraceKind::None };
        for plan_request in [sure(passed), tiny(passed, seed)] {
            let order = if seed.is_multiple_of(5) { Order::Mixed } else { order };
            let plan_request = PlanRequest { trace, order: Some(order), waiting_inclusion, ..plan_request };
            let answers = answers(&model, &plan_request);
            // A verdict before the limit counts, but its run is not computed.
            let stopped = answers.iter().any(|answer| matches!(answer.why, Why::Exhausted(_)));
            for (expected, answer) in exact.iter().zip(answers) {
                if !is_sound(expected, &answer, stopped || trace == TraceKind::None) {
                    return Some(format!(
                        "{plan_request:?}\n{:?} because {:?}, but {:?} because {:?}",
                        answer.verdict, answer.why, expected.verdict, expected.why
                    ));
                }
            }
        }
    }
    None
}

/// In rounds of a few states: answers are sound, and neither they nor any count depend on the number of threads.
fn complaint_in_rounds(network: &Network) -> Option<String> {
    let model = network.model().unwrap_or_else(|error| panic!("{error}"));
    let seed = network.seed;
    let exact = answers(&model, &PlanRequest::default());
    let sizes = [(0, 4, 1), (2, 3, 2), (5, 1000, 16)][seed as usize % 3];
    let (after, width, chunk) = sizes;
    let order = [Order::Bfs, Order::Sweep, Order::Mixed, Order::Topological][seed as usize % 4];
    let store = [Committed::Stored, Committed::Transient, Committed::Adaptive][seed as usize / 4 % 3];
    for passed in TABLES {
        for plan_request in [sure(passed), tiny(passed, seed)] {
            let [one, three] = [1, 3].map(|threads| {
                let plan_request = PlanRequest {
                    threads: Some(threads),
                    round_sizes: Some(RoundSizes { after, width, chunk }),
                    order: Some(order),
                    store: Some(store),
                    ..plan_request.clone()
                };
                answers(&model, &plan_request)
            });
            let stopped = one.iter().any(|answer| matches!(answer.why, Why::Exhausted(_)));
            for ((one, three), exact) in one.iter().zip(&three).zip(&exact) {
                let observed = |answer: &Answer| (answer.verdict, answer.why.clone(), answer.stats);
                if !stopped && (observed(one) != observed(three) || one.witness != three.witness) {
                    return Some(format!("{plan_request:?}\none thread: {one:?}\nthree: {three:?}"));
                }
                if !is_sound(exact, one, stopped) {
                    return Some(format!(
                        "{plan_request:?}\nin rounds {:?} because {:?}, but {:?} because {:?}",
                        one.verdict, one.why, exact.verdict, exact.why
                    ));
                }
            }
        }
    }
    None
}

/// Whether an answer by a table goes with the exact one: the same if something was found, and no answer if not.
fn is_sound(exact: &Answer, tabled: &Answer, may_lack_run: bool) -> bool {
    match &tabled.why {
        Why::Found => {
            let has_run = tabled.witness.is_some() || may_lack_run;
            // The exact search may fail, or be given up, before it comes to what the other found.
            let same =
                tabled.verdict == exact.verdict || matches!(exact.why, Why::Failed(_) | Why::Exhausted(_));
            tabled.verdict != Verdict::Unknown && has_run && same
        }
        Why::Complete => exact.why == Why::Complete && tabled.verdict == exact.verdict,
        Why::MayOmit(certainty) => {
            tabled.verdict == Verdict::Unknown && (0.0..=1.0).contains(&certainty.probability)
        }
        Why::TableFull(certainty) => tabled.verdict == Verdict::Unknown && certainty.stopped,
        Why::Failed(_) => matches!(exact.why, Why::Failed(_) | Why::Found),
        Why::Exhausted(_) => true,
        _ => false,
    }
}

fn judge(name: &str, shape: Shape, share: u64) {
    let networks = (from_environment("TOURBILLON_NETWORKS", 3_000) * share).div_ceil(1000);
    let first = from_environment("TOURBILLON_SEED", 1);
    for seed in first..first + networks {
        let network = Network::random(seed, shape);
        let complaint = |network: &Network| complaint(network).or_else(|| complaint_in_rounds(network));
        if complaint(&network).is_some() {
            let small = network.shrink(|smaller| complaint(smaller).is_some());
            let what = complaint(&small).expect("it was shrunk so that something stays wrong");
            panic!("{name}, seed {seed}:\n{}\n{}\n{what}", small.text(), small.query_text());
        }
    }
}

#[test]
fn plain_networks() {
    judge("plain", Shape::PLAIN, 40);
}

#[test]
fn everything_at_once() {
    let shape = Shape { priorities: true, timed_receivers: true, values: true, ..Shape::DIAGONALS };
    judge("everything", shape, 30);
}

#[test]
fn models_that_fail() {
    judge("errors", Shape { errors: true, ..Shape::STRICT }, 15);
}

#[test]
fn deadlocks() {
    judge("deadlocks", Shape { deadlocks: true, ..Shape::STRICT }, 15);
}

/// Fischer's protocol with so many processes, and questions about it.
fn fischer(n: u32, queries: &str) -> Model {
    let text = family("fischer").and_then(|family| family.xta(n)).expect("a member");
    uppaal_model(&text, queries).expect("a model")
}

/// States that are left out, by many hash functions in tables that are too small, beside how many are estimated. What lies
/// behind a refused state is left out with it, so that the estimate is a lower one; on Fischer's protocol little does.
#[test]
fn what_is_left_out_is_as_much_as_estimated() {
    let model = fischer(6, "");
    let exact = |cover| {
        let plan_request =
            PlanRequest { cover: Some(cover), trace: TraceKind::None, ..PlanRequest::default() };
        explored(&model, &plan_request).stats.visited
    };
    let equality = exact(Cover::Equality);
    let cases = [
        (PassedForm::Bitstate, 16 << 10, Some(1), None),
        (PassedForm::Bitstate, 8 << 10, Some(3), None),
        (PassedForm::Compact, 8 << 10, None, Some(7)),
        (PassedForm::Compact, 16 << 10, None, Some(5)),
    ];
    for (passed, memory, bits_per_state, signature_bits) in cases {
        let (mut left_out, mut estimated) = (0.0, 0.0);
        for seed in 0..20 {
            let table =
                HashingRequest { memory_bytes: Some(memory), bits_per_state, signature_bits, passes: None };
            let (cover, trace) = (Some(Cover::Equality), TraceKind::None);
            let answer = explored(
                &model,
                &PlanRequest { passed, table, seed, cover, trace, ..PlanRequest::default() },
            );
            assert!(matches!(answer.why, Why::MayOmit(_)), "{:?}", answer.why);
            left_out += (equality - answer.stats.visited) as f64;
            estimated += certainty(&answer).omitted();
        }
        assert!(
            (0.8 * estimated..6.0 * estimated).contains(&left_out),
            "{passed:?}: {left_out} left out, {estimated} refused by estimate"
        );
    }
}

#[test]
fn passes_find_what_one_search_leaves_out() {
    let model = fischer(5, "");
    let table = |passes| HashingRequest {
        memory_bytes: Some(4 << 10),
        bits_per_state: Some(1),
        passes: Some(passes),
        ..HashingRequest::default()
    };
    let run = |passes| {
        let plan_request =
            PlanRequest { passed: PassedForm::Bitstate, table: table(passes), ..PlanRequest::default() };
        let answer = explored(&model, &plan_request);
        (certainty(&answer), answer.stats.visited)
    };
    let ((one, visited_by_one), (three, visited_by_three)) = (run(1), run(3));
    assert_eq!((one.passes, three.passes), (1, 3));
    assert!(visited_by_three >= visited_by_one && three.states >= one.states);
    assert!(three.probability <= one.probability && three.omitted() < 0.5 * one.omitted());
}

/// Each query has a search of its own, and answers what it would alone.
#[test]
fn queries_do_not_share_a_table() {
    let model = fischer(3, "E<> id == 3\nA[] id <= 2\nE<> id == 1 && Process(1).critical\nE<> id > 9\n");
    for passed in TABLES {
        let answers = answers(&model, &sure(passed));
        let verdicts: Vec<Verdict> = answers.iter().map(|answer| answer.verdict).collect();
        use Verdict::{Satisfied, Unknown, Violated};
        assert_eq!(verdicts, [Satisfied, Violated, Satisfied, Unknown], "{passed:?}");
        assert!(answers.iter().all(|answer| answer.reused == 0));
        assert!(answers[..3].iter().all(|answer| answer.witness.is_some()));
    }
}

#[test]
fn a_full_table_is_told() {
    let model = fischer(6, "");
    for passed in [PassedForm::Compact, PassedForm::CompactZone] {
        for when_full in [WhenFull::Stop, WhenFull::Skip] {
            let table = HashingRequest { memory_bytes: Some(2 << 10), ..HashingRequest::default() };
            let plan_request =
                PlanRequest { passed, table, when_full: Some(when_full), ..PlanRequest::default() };
            let answer = explored(&model, &plan_request);
            let Why::TableFull(certainty) = answer.why else { panic!("{passed:?}: {:?}", answer.why) };
            assert_eq!((answer.verdict, certainty.stopped), (Verdict::Unknown, true));
            assert!(answer.stats.waiting > 0 && certainty.fill() > 0.9, "{certainty:?}");
            assert_eq!(certainty.unentered > 0, when_full == WhenFull::Skip, "{certainty:?}");
        }
    }
}

#[test]
fn a_table_beyond_the_limit_on_memory_is_refused() {
    let model = fischer(2, "");
    for (limit, memory) in [(Some(1 << 20), None), (None, Some(u64::MAX))] {
        let table = HashingRequest { memory_bytes: memory, ..HashingRequest::default() };
        let plan_request = PlanRequest { passed: PassedForm::Compact, table, ..PlanRequest::default() };
        let limits = Limits { memory_bytes: limit, ..Limits::default() };
        let job = Job { model: &model, queries: None, plan_request: &plan_request, limits, stop: None };
        let error = check(&job, &mut |_| {}).expect_err("too much memory").to_string();
        assert!(error.contains("--passed-memory"), "{error}");
    }
}

/// The families, in rounds: full tables, and tables whose estimates are not 0.
#[test]
fn large_searches_in_rounds_do_not_depend_on_the_number_of_threads() {
    let model = fischer(6, "");
    for passed in TABLES {
        for (memory, when_full) in [(2 << 10, Some(WhenFull::Skip)), (2 << 10, None), (24 << 10, None)] {
            let when_full = when_full.filter(|_| passed != PassedForm::Bitstate);
            let signature_bits = (passed != PassedForm::Bitstate).then_some(9);
            let table =
                HashingRequest { memory_bytes: Some(memory), signature_bits, ..HashingRequest::default() };
            let [one, two, seven] = [1, 2, 7].map(|threads| {
                let sizes = RoundSizes { after: 100, width: 200, chunk: 8 };
                let (threads, round_sizes) = (Some(threads), Some(sizes));
                explored(
                    &model,
                    &PlanRequest { passed, table, when_full, threads, round_sizes, ..PlanRequest::default() },
                )
            });
            assert!(one.rounds.is_some_and(|times| times.rounds > 2), "{passed:?}");
            assert_eq!((&one.why, one.stats), (&two.why, two.stats), "{passed:?}");
            assert_eq!((&one.why, one.stats), (&seven.why, seven.stats), "{passed:?}");
            let Certainty { unentered, stopped, places, .. } = certainty(&one);
            assert_eq!(
                stopped,
                memory == 2 << 10 && passed != PassedForm::Bitstate,
                "{passed:?}: {:?}",
                one.why
            );
            // Those of the last round, or as many as the table has places and those of the last round.
            let least = if when_full.is_some() { places } else { u64::from(stopped) };
            assert!((least..=least + 1000).contains(&unentered), "{passed:?}: {unentered}");
        }
    }
}

/// The limit on memory counts the table and what waits.
#[test]
fn a_limit_on_memory_holds() {
    let model = fischer(7, "");
    let table = HashingRequest { memory_bytes: Some(100 << 10), ..HashingRequest::default() };
    let plan_request = PlanRequest { passed: PassedForm::Bitstate, table, ..PlanRequest::default() };
    let limits = Limits { memory_bytes: Some(150 << 10), ..Limits::default() };
    let answer = asked(&model, None, &plan_request, limits).remove(0);
    assert!(matches!(answer.why, Why::Exhausted(_)), "{:?}", answer.why);
    assert!((150 << 10..400 << 10).contains(&answer.stats.memory.total()), "{:?}", answer.stats.memory);
}
