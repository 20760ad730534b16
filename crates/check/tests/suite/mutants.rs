//! Faults of the engine: the checker of certificates rejects what an engine with a fault certifies.
//!
//! Each fault (`tourbillon_base::mutants`) is selected while the engine answers the queries of some models: random networks of a
//! kind, or a model by hand where random networks seldom have what the fault needs. At least one of the certificates must be
//! rejected, for the reason in the table below. Without a fault the certificates of the same model are accepted, so that it is the
//! fault that is found. Many faults also lead to runs that do not replay, on which the engine's own assertions fail: such models are passed over.
//!
//! Conversely, whatever the fault, an answer whose certificate is accepted must be right by the region oracle. The number of networks for
//! this is `TOURBILLON_NETWORKS` (default 36), the first seed `TOURBILLON_SEED` (default 1). The long run is
//! `TOURBILLON_NETWORKS=1000 cargo test --release -p tourbillon-check --test suite mutants::`.
//!
//! `docs/certificate.md` has the table too. A seed is where a network was found that shows the fault; others are tried if it does not any
//! more.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_certify::Outcome;
use tourbillon_check::{Abstraction, Answer, Committed, Cover, PlanRequest, Verdict};
use tourbillon_model::{Language, Model};
use tourbillon_testkit::networks::{Network, Shape, uppaal_model};
use tourbillon_testkit::oracle;

use crate::certificates::{accepted, certified, examined};
use crate::{extremes, from_environment, liveness_random, symmetry};

/// How many seeds are tried after that of the table.
const SEEDS: u64 = 150;

/// How many states an oracle may store.
const STATES_MAX: usize = 6_000;

/// The models in which a fault is looked for.
#[derive(Clone, Copy, Debug)]
enum Models {
    /// Random networks, asked for reachability.
    Reach(Shape),
    /// Asked for infinite runs.
    Live(Shape),
    /// Asked for runs that visit locations infinitely often.
    Accepting(Shape),
    /// Asked for suprema and infima.
    Extremes(Shape),
    /// Networks of processes that differ in their number alone, or almost.
    Symmetric,
    /// A model and its query.
    Written(&'static str, &'static str),
}

use Models::{Accepting, Extremes, Live, Reach, Symmetric, Written};

/// How zones are covered, and what is stored.
#[derive(Clone, Copy, Debug)]
enum Plans {
    Default,
    /// By inclusion.
    Inclusion,
    /// By a_LU, without extrapolation.
    Alu,
    /// States with a committed location are not stored.
    Transient,
}

impl Plans {
    fn request(self, seed: u64) -> PlanRequest {
        let one = PlanRequest { seed, threads: Some(1), ..PlanRequest::default() };
        match self {
            Self::Default => one,
            Self::Inclusion => PlanRequest { cover: Some(Cover::Inclusion), ..one },
            Self::Alu => PlanRequest { cover: Some(Cover::Alu), abstraction: Some(Abstraction::None), ..one },
            Self::Transient => PlanRequest { store: Some(Committed::Transient), ..one },
        }
    }
}

/// A fault, and by what it is caught.
struct Row {
    mutant: Mutant,
    /// The name of the models, the models, and the first seed.
    models: (&'static str, Models, u64),
    plans: Plans,
    /// How the rejection begins.
    reason: &'static str,
}

const fn row(mutant: Mutant, models: (&'static str, Models, u64), plans: Plans, reason: &'static str) -> Row {
    Row { mutant, models, plans, reason }
}

const VALUES: Shape = Shape { values: true, ..Shape::STRICT };
const EVERYTHING: Shape =
    Shape { priorities: true, timed_receivers: true, values: true, starts: true, ..Shape::DIAGONALS };
const VECTORS: Shape = Shape { language: Language::TChecker, ..Shape::STRICT };

const INITIAL: &str = "the initial state is not covered";
const SUCCESSOR: &str = "a successor is not covered";
const START: &str = "states that satisfy the left side of `-->` are not covered";
const HOLDS: &str = "a state is one that the claim excludes";
const SIMULATION: &str = "the LU-bounds are not those of a simulation";
const ENDS: &str = "a maximal run can end where the claim excludes it";
const DIVERGES: &str = "time can diverge where the claim excludes it";
const RECURS: &str = "a run can visit every acceptance set at rank";

/// The edge of the first process is never enabled, that of the second is; the constants are the same, as those of symmetric
/// processes must be.
const UNLIKE: Models = Written(
    "clock x; int n;
     process P() { state A, B; init A; trans A -> B { guard x < 2 && x > 2; assign n = n + 1; }; }
     process Q() { state A, B; init A; trans A -> B { guard x <= 2 && x >= 2; assign n = n + 1; }; }
     system P, Q;",
    "A[] n == 0",
);

/// In the urgent location the edge is enabled for `x >= 2`, and never where `x` is smaller.
const URGENT: Models = Written(
    "clock x; process P() { state A, B; urgent B; init A;
         trans A -> A { }, A -> B { guard x <= 3; }, B -> A { guard x >= 2; }; } system P;",
    "A[] not deadlock",
);

/// Two ways into a committed location, with clock values of which each opens another way on.
const TWO_WAYS: Models = Written(
    "clock x; process P() { state A, B, C, D; commit B; init A;
         trans A -> B { guard x <= 1; }, A -> B { guard x >= 3; }, B -> C { guard x <= 1; }, B -> D { guard x >= 3; }; }
     system P;",
    "E<> P.C && x < 0",
);

const ROWS: &[Row] = &[
    row(Mutant::LowerTooSmall, ("strict", Reach(Shape::STRICT), 1), Plans::Alu, SUCCESSOR),
    row(Mutant::UpperTooSmall, ("strict", Reach(Shape::STRICT), 1), Plans::Alu, SUCCESSOR),
    row(Mutant::LowerUpperExchanged, ("strict", Reach(Shape::STRICT), 19), Plans::Alu, SUCCESSOR),
    row(Mutant::ExtrapolationCuts, ("strict", Reach(Shape::STRICT), 1), Plans::Inclusion, SUCCESSOR),
    row(Mutant::GuardBoundsForgotten, ("strict", Reach(Shape::STRICT), 1), Plans::Default, SIMULATION),
    row(Mutant::InvariantBoundsForgotten, ("strict", Reach(Shape::STRICT), 10), Plans::Default, SIMULATION),
    row(
        Mutant::FailingBoundsForgotten,
        ("timed receivers", Reach(Shape::TIMED_RECEIVERS), 48),
        Plans::Default,
        SIMULATION,
    ),
    row(Mutant::CopiedBoundsForgotten, ("falling", Reach(Shape::FALLING), 3), Plans::Default, SIMULATION),
    row(Mutant::LastTransitionSkipped, ("strict", Reach(Shape::STRICT), 1), Plans::Default, SUCCESSOR),
    row(Mutant::ReceiverForgotten, ("values", Reach(VALUES), 2), Plans::Default, SUCCESSOR),
    row(Mutant::CombinationForgotten, ("crowds", Reach(Shape::RANKED_CROWDS), 3), Plans::Default, SUCCESSOR),
    row(Mutant::SelectionForgotten, ("everything", Reach(EVERYTHING), 7), Plans::Default, SUCCESSOR),
    row(Mutant::WeakParticipantForgotten, ("vectors", Reach(VECTORS), 12), Plans::Default, SUCCESSOR),
    row(Mutant::CommittedTooStrict, ("everything", Reach(EVERYTHING), 17), Plans::Default, SUCCESSOR),
    row(Mutant::BlockedBeyondGuard, ("priorities", Reach(Shape::PRIORITIES), 19), Plans::Default, SUCCESSOR),
    row(Mutant::BlockedBeyondInvariant, ("everything", Reach(EVERYTHING), 7), Plans::Default, SUCCESSOR),
    row(Mutant::WeakBoundStrict, ("plain", Reach(Shape::PLAIN), 3), Plans::Default, SUCCESSOR),
    row(Mutant::WeakLowerBoundStrict, ("plain", Reach(Shape::PLAIN), 3), Plans::Default, SUCCESSOR),
    row(Mutant::DataComparisonStrict, ("strict", Reach(Shape::STRICT), 12), Plans::Default, SUCCESSOR),
    row(Mutant::ClockPredicateFails, ("strict", Reach(Shape::STRICT), 1), Plans::Default, HOLDS),
    row(Mutant::DeadlockDelays, ("by hand", URGENT, 1), Plans::Default, HOLDS),
    row(Mutant::ResetOffByOne, ("strict", Reach(Shape::STRICT), 1), Plans::Default, SUCCESSOR),
    row(Mutant::ResetOfFirstClock, ("strict", Reach(Shape::STRICT), 1), Plans::Default, SUCCESSOR),
    row(Mutant::CopyWithoutOffset, ("falling", Reach(Shape::FALLING), 43), Plans::Default, SUCCESSOR),
    row(Mutant::ReceiverUpdatedFirst, ("values", Reach(VALUES), 19), Plans::Default, SUCCESSOR),
    row(Mutant::InitialValueForgotten, ("starts", Reach(Shape::STARTS), 15), Plans::Default, INITIAL),
    row(
        Mutant::DelayForgotten,
        ("extremes", Extremes(Shape { clocks_max: 2, ..Shape::STRICT }), 1),
        Plans::Default,
        HOLDS,
    ),
    row(
        Mutant::UrgentWithoutReceiver,
        ("timed receivers", Reach(Shape::TIMED_RECEIVERS), 2),
        Plans::Default,
        SUCCESSOR,
    ),
    row(Mutant::InclusionReversed, ("strict", Reach(Shape::STRICT), 19), Plans::Inclusion, SUCCESSOR),
    row(Mutant::InclusionIgnoresRow, ("strict", Reach(Shape::STRICT), 19), Plans::Inclusion, SUCCESSOR),
    row(Mutant::TransientDropped, ("strict", Reach(Shape::STRICT), 10), Plans::Transient, SUCCESSOR),
    row(Mutant::TransientZonesConfused, ("by hand", TWO_WAYS, 1), Plans::Transient, SUCCESSOR),
    row(Mutant::ClockConstraintsUnverified, ("by hand", UNLIKE, 1), Plans::Default, SUCCESSOR),
    row(Mutant::UpdatesUnverified, ("symmetric", Symmetric, 4), Plans::Default, SUCCESSOR),
    row(Mutant::ClocksNotPermuted, ("symmetric", Symmetric, 8), Plans::Default, SUCCESSOR),
    row(Mutant::SkippedWhateverZone, ("symmetric", Symmetric, 5), Plans::Default, SUCCESSOR),
    row(Mutant::ComponentsReversed, ("liveness", Live(Shape::STRICT), 3), Plans::Default, SUCCESSOR),
    row(Mutant::ComponentsConfused, ("acceptance", Accepting(Shape::STRICT), 1), Plans::Default, RECURS),
    row(Mutant::RedTooEarly, ("liveness", Live(Shape::STRICT), 3), Plans::Default, SUCCESSOR),
    row(Mutant::SubsumptionEdgeForgotten, ("liveness", Live(VALUES), 52), Plans::Default, SUCCESSOR),
    row(Mutant::StayForgotten, ("liveness", Live(Shape::STRICT), 2), Plans::Default, INITIAL),
    row(Mutant::DivergenceForgotten, ("liveness", Live(Shape::STRICT), 6), Plans::Default, DIVERGES),
    row(Mutant::StuckForgotten, ("liveness", Live(Shape::STRICT), 5), Plans::Default, ENDS),
    row(Mutant::PremiseForgotten, ("liveness", Live(Shape::STRICT), 2), Plans::Default, START),
];

impl Models {
    fn of_seed(self, seed: u64) -> Vec<Model> {
        let asked = |shape, liveness| {
            let network = Network::random(seed, Shape { liveness, ..shape });
            network.model_with_questions(liveness).unwrap_or_else(|error| panic!("{error}"))
        };
        let written =
            |text: &str, queries: &str| uppaal_model(text, queries).unwrap_or_else(|error| panic!("{error}"));
        match self {
            Reach(shape) => vec![asked(shape, false)],
            Live(shape) => vec![asked(shape, true)],
            Accepting(shape) => vec![liveness_random::acceptance_model(&Network::random(seed, shape)).0],
            Extremes(shape) => vec![extremes::random::model(&Network::random(seed, shape)).expect("a model")],
            Symmetric => symmetry::texts(seed).iter().map(|(text, queries)| written(text, queries)).collect(),
            Written(text, query) => vec![written(text, query)],
        }
    }
}

/// The answers of an engine with a fault; none if it panics.
fn answers(model: &Model, mutant: Mutant, plan_request: &PlanRequest) -> Vec<Answer> {
    let work = || mutants::with(mutant, || certified(model, plan_request));
    catch_unwind(AssertUnwindSafe(work)).ok().flatten().unwrap_or_default()
}

/// Why their certificates are rejected.
fn rejections(model: &Model, mutant: Mutant, plan_request: &PlanRequest) -> Vec<String> {
    let answers = answers(model, mutant, plan_request);
    let outcomes = answers.iter().filter_map(|answer| examined(model, answer).flatten());
    outcomes
        .filter_map(|outcome| match outcome.expect("it can be read, whatever the engine has done") {
            Outcome::Rejected(rejection) => Some(rejection.reason.explain(model)),
            Outcome::Accepted(_) | Outcome::Unknown(_) => None,
        })
        .collect()
}

/// Whether the models of a seed show the fault; without it, their certificates are accepted.
fn is_caught(row: &Row, seed: u64) -> bool {
    let plan_request = row.plans.request(seed);
    row.models.1.of_seed(seed).iter().any(|model| {
        let reasons = rejections(model, row.mutant, &plan_request);
        let caught = reasons.iter().any(|reason| reason.starts_with(row.reason));
        if caught && let Err(what) = accepted(model, &plan_request) {
            panic!("{:?}, seed {seed}: rejected without a fault too: {what}", row.mutant);
        }
        caught
    })
}

#[test]
fn faults_are_caught() {
    for row in ROWS {
        let (name, _, first) = row.models;
        let found = (first..first + SEEDS).any(|seed| is_caught(row, seed));
        assert!(found, "{:?}: not caught by {name} from seed {first} on: {}", row.mutant, row.reason);
    }
}

/// What an oracle says of each query; nothing where it cannot tell.
fn verdicts(model: &Model, liveness: bool) -> Vec<Option<bool>> {
    if liveness {
        return oracle::liveness::verdicts(model, false, STATES_MAX).unwrap_or_default();
    }
    match oracle::by_regions(model, STATES_MAX) {
        oracle::Answer::Reached(reached) => reached.verdicts,
        _ => Vec::new(),
    }
}

/// Whatever the fault, an answer whose certificate is accepted is right.
#[test]
fn accepted_answers_are_right() {
    let networks = from_environment("TOURBILLON_NETWORKS", 36) / 3;
    let first = from_environment("TOURBILLON_SEED", 1);
    let (mut right, mut wrong) = (0, 0);
    let all = Shape { deadlocks: true, ..EVERYTHING };
    for (models, liveness) in [(Reach(Shape::STRICT), false), (Reach(all), false), (Live(VALUES), true)] {
        for seed in first..first + networks {
            let model = &models.of_seed(seed)[0];
            let verdicts = verdicts(model, liveness);
            for &mutant in Mutant::ALL {
                for answer in answers(model, mutant, &Plans::Default.request(seed)) {
                    let truth = answer.query.and_then(|query| *verdicts.get(query)?);
                    let (Some(truth), Some(Some(outcome))) = (truth, examined(model, &answer)) else {
                        continue;
                    };
                    let is_right =
                        answer.verdict == if truth { Verdict::Satisfied } else { Verdict::Violated };
                    let is_accepted = matches!(outcome, Ok(Outcome::Accepted(_)));
                    assert!(is_right || !is_accepted, "{mutant:?}, {models:?}, seed {seed}: {answer:?}");
                    right += u64::from(is_right);
                    wrong += u64::from(!is_right);
                }
            }
        }
    }
    assert!(right >= 50 * networks && wrong >= 3 * networks, "{right} right answers, {wrong} wrong ones");
}

/// L that is too small only makes the zones of an extrapolation larger: the answers are right, and the checker need not believe in any
/// constants. (U that is too small is a fault there too: a zone need not be closed under delays then, as the checker takes it
/// to be.)
#[test]
fn larger_zones_are_accepted() {
    let mut count = 0;
    for seed in 1..100 {
        let (model, plan_request) = (&Reach(Shape::STRICT).of_seed(seed)[0], Plans::Inclusion.request(seed));
        for answer in answers(model, Mutant::LowerTooSmall, &plan_request) {
            let Some(outcome) = examined(model, &answer) else { continue };
            assert!(matches!(outcome, Some(Ok(Outcome::Accepted(_)))), "seed {seed}: {outcome:?}");
            count += 1;
        }
    }
    assert!(count >= 100, "only {count} answers have certificates");
}

/// Each fault has a row, here and in the documentation.
#[test]
fn the_table_is_complete() {
    let mut rows: Vec<Mutant> = ROWS.iter().map(|row| row.mutant).collect();
    rows.sort_unstable();
    assert_eq!(rows, Mutant::ALL);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/certificate.md");
    let documentation = std::fs::read_to_string(path).expect("the documentation");
    let line = |row: &Row| format!("| {} | {} | {} |\n", row.mutant.what(), row.models.0, row.reason);
    let missing: String = ROWS.iter().map(line).filter(|line| !documentation.contains(line)).collect();
    assert!(missing.is_empty(), "not in the table of docs/certificate.md:\n{missing}");
}
