//! Certificates of random networks: whatever the plan, an answer by exhaustion has one, and the checker accepts it.
//!
//! The checker shares no code with the engine but the model and the interpreter of its expressions, so that this compares two
//! semantics. The number of networks is `TOURBILLON_NETWORKS` (default 1,000 in all), the first seed `TOURBILLON_SEED` (default 1), and
//! each is checked under `TOURBILLON_PLANS` of the plans of the other random tests (default 3). The long run is
//! `TOURBILLON_NETWORKS=100000 cargo test --release -p tourbillon-check --test suite certificates::`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_certify::format::FormatError;
use tourbillon_certify::{Options, Outcome, StateText, certify};
use tourbillon_check::{
    Abstraction, Answer, CertificateFile, Job, Limits, PlanRequest, Progress, RoundSizes, SymmetryUse, Why,
    check,
};
use tourbillon_model::{Language, Model, QueryKind};
use tourbillon_testkit::networks::{Network, Shape, uppaal_model};

use crate::{extremes, from_environment, liveness_random, random, symmetry, window};

/// How many plans each network is checked with.
const PLANS: u64 = 3;

/// A search that visits more than this is given up.
const VISITED_MAX: u64 = 3_000;

/// Answers all queries of a model, with certificates; nothing if the request cannot be combined with them.
pub(crate) fn certified(model: &Model, plan_request: &PlanRequest) -> Option<Vec<Answer>> {
    let plan_request = &PlanRequest { certificate: true, ..plan_request.clone() };
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let stop = Arc::new(AtomicBool::new(false));
    let job =
        Job { model, queries: Some(&queries), plan_request, limits: Limits::default(), stop: Some(&stop) };
    let mut watch = |progress: &Progress| stop.store(progress.stats.visited > VISITED_MAX, Ordering::Relaxed);
    check(&job, &mut watch).ok()
}

/// The certificate of an answer as a file.
pub(crate) fn file_of(model: &Model, answer: &Answer) -> Option<Vec<u8>> {
    let mut file = CertificateFile::default();
    file.add(&model.queries[answer.query?].text, answer.certificate.as_ref()?);
    let mut bytes = Vec::new();
    file.write(model, &mut bytes).expect("memory can be written");
    Some(bytes)
}

/// Whether an answer follows from a closed set of states. A value such as 0 for the infimum of a clock needs none.
fn is_by_exhaustion(model: &Model, answer: &Answer) -> bool {
    let is_bounds = matches!(model.queries[answer.query.expect("a query")].kind, QueryKind::Bounds { .. });
    answer.why == Why::Complete && (!is_bounds || answer.certificate.is_some())
}

/// What the checker says of an answer by exhaustion; nothing of another answer, or one that the plan does not certify. `None`
/// within if it has no certificate.
pub(crate) fn examined(model: &Model, answer: &Answer) -> Option<Option<Result<Outcome, FormatError>>> {
    if !is_by_exhaustion(model, answer) || !answer.plan.as_ref().is_some_and(|plan| plan.certifies) {
        return None;
    }
    let query = &model.queries[answer.query.expect("a query")];
    let claims = answer.certificate.as_ref().map_or(0, |certificate| certificate.claims.len());
    let file = file_of(model, answer);
    Some(file.map(|file| certify(model, &vec![query; claims], &file, &Options::default())))
}

/// What the checker says against the answers of one plan; else the number of answers that it accepts.
pub(crate) fn accepted(model: &Model, plan_request: &PlanRequest) -> Result<u64, String> {
    let mut count = 0;
    for answer in certified(model, plan_request).unwrap_or_default() {
        let Some(outcome) = examined(model, &answer) else { continue };
        let query = &model.queries[answer.query.expect("a query")];
        let wrong = |what: &str| Err(format!("{plan_request:?}\n{}: {what}", query.text));
        let Some(outcome) = outcome else { return wrong("no certificate") };
        match outcome {
            Ok(Outcome::Accepted(_)) => count += 1,
            Ok(Outcome::Rejected(rejection)) => {
                let state = |it: &Option<StateText>| it.as_ref().map_or(String::new(), StateText::to_string);
                let (from, to) = (state(&rejection.state), state(&rejection.successor));
                let why = rejection.reason.explain(model);
                return wrong(&format!("{why}\nfrom {from}\nto {to}\n{:?}", rejection.transition));
            }
            Ok(Outcome::Unknown(why)) => return wrong(&format!("unknown: {why}")),
            Err(error) => return wrong(&format!("the file cannot be read: {error}")),
        }
    }
    Ok(count)
}

/// The same for some of these plans, and with symmetry and threads.
fn complaint(model: &Model, plans: Vec<PlanRequest>, seed: u64, count: &mut u64) -> Option<String> {
    let narrow = RoundSizes { after: 2, width: 3, chunk: 1 };
    let plain = PlanRequest { seed, ..PlanRequest::default() };
    let others = [
        plain.clone(),
        PlanRequest { symmetry: SymmetryUse::Off, threads: Some(2), round_sizes: Some(narrow), ..plain },
    ];
    let plans = window(plans, seed, PLANS).into_iter().chain(others);
    let plans = plans.filter(|plan_request| plan_request.abstraction != Some(Abstraction::None));
    for plan_request in plans {
        match accepted(model, &plan_request) {
            Ok(accepted) => *count += accepted,
            Err(what) => return Some(what),
        }
    }
    None
}

/// Certificates of the queries of a share of the networks, and shrinks the first network with a complaint.
fn judge(
    name: &str,
    share: u64,
    shape: Shape,
    model: impl Fn(&Network) -> Model,
    plans: impl Fn(u64) -> Vec<PlanRequest>,
) {
    let networks = (from_environment("TOURBILLON_NETWORKS", 1_000) * share).div_ceil(100);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut count = 0;
    for seed in first..first + networks {
        let network = Network::random(seed, shape);
        if complaint(&model(&network), plans(seed), seed, &mut count).is_some() {
            let wrong = |smaller: &Network| complaint(&model(smaller), plans(seed), seed, &mut 0);
            // The queries of `sup` need something to measure.
            let small = network.shrink(|smaller| !smaller.clocks.is_empty() && wrong(smaller).is_some());
            let what = wrong(&small).expect("it was shrunk so that something stays wrong");
            panic!("{name}, seed {seed}:\n{}\n{}\n{what}", small.text(), small.query_text());
        }
    }
    assert!(count >= networks, "{name}: only {count} answers of {networks} networks have certificates");
}

fn judge_reachability(name: &str, share: u64, shape: Shape) {
    let model =
        |network: &Network| network.model_with_questions(false).unwrap_or_else(|error| panic!("{error}"));
    judge(name, share, shape, model, random::plans);
}

fn judge_liveness(name: &str, share: u64, shape: Shape) {
    let model =
        |network: &Network| network.model_with_questions(true).unwrap_or_else(|error| panic!("{error}"));
    judge(name, share, Shape { liveness: true, ..shape }, model, |seed| liveness_random::plans(false, seed));
}

fn judge_extremes(name: &str, share: u64, shape: Shape) {
    let model =
        |network: &Network| extremes::random::model(network).unwrap_or_else(|error| panic!("{error}"));
    judge(name, share, shape, model, extremes::plans);
}

#[test]
fn plain_and_strict_networks() {
    judge_reachability("plain", 10, Shape::PLAIN);
    judge_reachability("strict", 10, Shape::STRICT);
}

#[test]
fn networks_with_other_clock_values() {
    judge_reachability("diagonals", 5, Shape::DIAGONALS);
    judge_reachability("values", 5, Shape { values: true, ..Shape::STRICT });
    judge_reachability("starts", 5, Shape::STARTS);
    judge_reachability("falling", 5, Shape::FALLING);
    judge_reachability("falling vectors", 5, Shape::FALLING_VECTORS);
}

#[test]
fn networks_with_priorities_and_timed_receivers() {
    judge_reachability("priorities", 5, Shape { priorities: true, ..Shape::STRICT });
    judge_reachability("receivers", 5, Shape { timed_receivers: true, ..Shape::STRICT });
    judge_reachability("many receivers", 5, Shape::RANKED_CROWDS);
    judge_reachability("vectors", 5, Shape { language: Language::TChecker, ..Shape::STRICT });
    let all =
        Shape { priorities: true, timed_receivers: true, values: true, starts: true, ..Shape::DIAGONALS };
    judge_reachability("everything", 5, all);
}

#[test]
fn deadlocks() {
    judge_reachability("deadlocks", 10, Shape { deadlocks: true, ..Shape::STRICT });
}

#[test]
fn liveness() {
    judge_liveness("plain", 10, Shape::PLAIN);
    judge_liveness("strict", 10, Shape::STRICT);
    judge_liveness("priorities", 5, Shape { priorities: true, timed_receivers: true, ..Shape::STRICT });
    judge_liveness("values", 5, Shape { values: true, ..Shape::STRICT });
}

#[test]
fn suprema_and_infima() {
    judge_extremes("plain", 5, Shape { clocks_max: 2, ..Shape::PLAIN });
    judge_extremes("strict", 5, Shape { clocks_max: 2, ..Shape::STRICT });
}

/// Representatives are closed under the permutations of the certificate.
#[test]
fn symmetric_networks() {
    let networks = from_environment("TOURBILLON_NETWORKS", 1_000) / 10;
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut count = 0;
    for seed in first..first + networks {
        for (text, queries) in symmetry::texts(seed) {
            let model = uppaal_model(&text, &queries).expect("a model");
            match accepted(&model, &PlanRequest { seed, ..PlanRequest::default() }) {
                Ok(accepted) => count += accepted,
                Err(what) => panic!("seed {seed}:\n{text}\n{queries}\n{what}"),
            }
        }
    }
    assert!(count >= networks, "only {count} answers of {networks} networks have certificates");
}
