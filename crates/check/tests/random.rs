//! Random networks: every plan against every other, and all against an oracle that shares nothing with them.
//!
//! Each network is explored by regions (`tourbillon_testkit::oracle`), and each of its queries is answered under a
//! set of plans that between them use every abstraction, bound, cover, form and order. Verdicts must agree with
//! the oracle, the discrete states of a full exploration must be the oracle's, runs must replay (a run that does
//! not is an `unknown`, which counts as wrong), and the shortest and fastest runs must not be beaten by others.
//!
//! The number of networks is `TOURBILLON_NETWORKS` (default 3,000 in all), the first seed
//! `TOURBILLON_SEED` (default 1). The long run is
//! `TOURBILLON_NETWORKS=100000 cargo test --release -p tourbillon-check --test random`.

use tourbillon_base::Rational;
use tourbillon_check::{
    Abstraction, Answer, BoundsScope, Cover, DiscreteForm, Job, Limits, Order, TraceKind, Verdict, Why, Wishes,
    ZoneForm, check,
};
use tourbillon_model::{Language, Model};
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::{self, Reached};

/// How many states the oracle may store before a network is left out.
const STATES_MAX: usize = 20_000;

/// A search without an end is one that stores more than this.
const STORED_MAX: u64 = 20_000;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Plans that between them use every choice on every axis.
fn plans(seed: u64) -> Vec<Wishes> {
    let base = Wishes { seed, ..Wishes::default() };
    let with = |change: &dyn Fn(&mut Wishes)| {
        let mut wishes = base.clone();
        change(&mut wishes);
        wishes
    };
    let mut plans = vec![
        with(&|w| w.trace = TraceKind::Shortest),
        with(&|w| w.trace = TraceKind::Fastest),
        with(&|w| w.cover = Some(Cover::Alu)),
        with(&|w| {
            w.cover = Some(Cover::Alu);
            w.abstraction = Some(Abstraction::None);
            w.zones = Some(ZoneForm::Plain);
        }),
        with(&|w| {
            w.cover = Some(Cover::Equality);
            w.order = Some(Order::Dfs);
            w.discrete = Some(DiscreteForm::Shared);
        }),
        with(&|w| {
            w.order = Some(Order::Random);
            w.waiting_inclusion = Some(false);
            w.discrete = Some(DiscreteForm::Plain);
        }),
        with(&|w| {
            w.order = Some(Order::Dfs);
            w.trace = TraceKind::None;
            w.zones = Some(ZoneForm::Plain);
        }),
        with(&|w| {
            w.cover = Some(Cover::Alu);
            w.bounds = Some(BoundsScope::Global);
            w.waiting_inclusion = Some(false);
            w.order = Some(Order::Random);
        }),
    ];
    for abstraction in [Abstraction::ExtraM, Abstraction::ExtraMPlus, Abstraction::ExtraLu, Abstraction::ExtraLuPlus] {
        for bounds in [BoundsScope::Global, BoundsScope::Local] {
            plans.push(with(&|w| {
                w.abstraction = Some(abstraction);
                w.bounds = Some(bounds);
            }));
        }
    }
    plans
}

fn answers(model: &Model, wishes: &Wishes) -> Vec<Answer> {
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let limits = Limits { states: Some(STORED_MAX), ..Limits::default() };
    let job = Job { model, queries: Some(&queries), wishes, limits, stop: None };
    check(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{wishes:?}: {error}"))
}

/// What is wrong with the engine's answers; nothing if nothing is.
fn complaint(network: &Network) -> Option<String> {
    let model = network.model().unwrap_or_else(|error| panic!("{error}"));
    match oracle::by_regions(&model, STATES_MAX) {
        oracle::Answer::Reached(reached) => complaint_of_plans(&model, &reached, network.seed),
        oracle::Answer::Error(_) => crashes(&model, network.seed),
        oracle::Answer::NoInitialState | oracle::Answer::TooLarge | oracle::Answer::Unsupported(_) => None,
    }
}

/// A model that fails at run time: some plans find a state before they meet the failure, none is wrong.
fn crashes(model: &Model, seed: u64) -> Option<String> {
    for wishes in plans(seed) {
        for answer in answers(model, &wishes) {
            let sound = match (&answer.verdict, &answer.why) {
                (Verdict::Unknown, Why::Failed(_) | Why::Exhausted(_)) => true,
                (Verdict::Unknown, _) => false,
                (_, Why::Found) => true,
                // Everything was visited: the failure is in another query, or is one of a guard nobody asked.
                (_, _) => true,
            };
            if !sound {
                return Some(format!("{wishes:?}: {:?} because {:?}", answer.verdict, answer.why));
            }
        }
    }
    None
}

fn complaint_of_plans(model: &Model, reached: &Reached, seed: u64) -> Option<String> {
    let mut best: Vec<Option<(usize, Rational)>> = vec![None; model.queries.len()];
    for (number, wishes) in plans(seed).iter().enumerate() {
        for answer in answers(model, wishes) {
            let query = answer.query.expect("a query was asked");
            if matches!(answer.why, Why::Exhausted(_)) && wishes.abstraction == Some(Abstraction::None) {
                continue;
            }
            let Some(expected) = reached.verdicts[query] else { continue };
            let expected = if expected { Verdict::Satisfied } else { Verdict::Violated };
            if answer.verdict != expected {
                let text = &model.queries[query].text;
                return Some(format!(
                    "{wishes:?}\n{text}: {:?} because {:?}, but {expected:?}",
                    answer.verdict, answer.why
                ));
            }
            if answer.why == Why::Found && wishes.trace != TraceKind::None {
                let witness = answer.witness.as_ref().expect("a run was asked for");
                let steps = witness.run.steps.len();
                let time = duration(&witness.run)?;
                let (fewest, least) = best[query].get_or_insert((steps, time));
                match wishes.trace {
                    TraceKind::Fastest if number == 1 => *least = time,
                    _ => {}
                }
                if steps < *fewest || (number > 1 && time < *least) {
                    return Some(format!(
                        "{wishes:?}\n{steps} steps in {time}, better than {fewest} and {least}"
                    ));
                }
            }
        }
    }
    None
}

fn duration(run: &tourbillon_check::Run) -> Option<Rational> {
    let delays = run.steps.iter().map(|step| step.delay).chain([run.last_delay]);
    delays.into_iter().try_fold(Rational::from_integer(0), Rational::checked_add)
}

/// Runs a share of the networks, and shrinks the first that is wrong.
fn judge(name: &str, shape: Shape, share: u64) {
    let networks = (from_environment("TOURBILLON_NETWORKS", 3_000) * share).div_ceil(100);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut judged = 0;
    for seed in first..first + networks {
        let network = Network::random(seed, shape);
        if complaint(&network).is_some() {
            let small = network.shrink(|smaller| complaint(smaller).is_some());
            let what = complaint(&small).expect("it was shrunk so that something stays wrong");
            panic!("{name}, seed {seed}:\n{}\n{}\n{what}", small.text(), small.query_text());
        }
        judged += 1;
    }
    assert_eq!(judged, networks);
}

#[test]
fn plain_networks() {
    judge("plain", Shape::PLAIN, 15);
}

#[test]
fn strict_comparisons() {
    judge("strict", Shape::STRICT, 20);
}

#[test]
fn diagonals() {
    judge("diagonals", Shape::DIAGONALS, 15);
}

#[test]
fn clocks_set_to_values_and_to_each_other() {
    judge("values", Shape { values: true, ..Shape::STRICT }, 10);
}

#[test]
fn diagonals_with_clocks_set_to_values_and_to_each_other() {
    judge("diagonals and values", Shape { values: true, ..Shape::DIAGONALS }, 5);
}

#[test]
fn priorities() {
    judge("priorities", Shape { priorities: true, ..Shape::STRICT }, 10);
}

#[test]
fn receivers_with_clock_guards() {
    judge("receivers", Shape { timed_receivers: true, ..Shape::STRICT }, 10);
}

#[test]
fn models_that_fail() {
    judge("errors", Shape { errors: true, ..Shape::STRICT }, 5);
}

#[test]
fn synchronisation_vectors() {
    judge("vectors", Shape { language: Language::TChecker, ..Shape::STRICT }, 10);
}
