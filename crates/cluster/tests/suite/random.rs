//! Random networks, over simulated networks of ranks: the answers are those of the one-machine engine.
//!
//! Each network is explored, and each of its queries answered, by 1 to 5 ranks under a seed that decides which rank goes
//! when and which message arrives when. Verdicts must agree with those of one machine; so must the number of discrete
//! states, and with equality as cover all numbers of a full exploration. Runs are replayed by what makes the answers: one
//! that does not is an `unknown`, which counts as wrong. Half of the simulated networks move layers of spread diagrams all
//! the time.
//!
//! The number of networks is `TOURBILLON_NETWORKS` (default 400), the first seed `TOURBILLON_SEED` (default 1).

use tourbillon_check::{
    Abstraction, Answer, Committed, Cover, DiscreteForm, Engine, Job, Layout, Limits, Order, PlanRequest,
    TraceKind, Why, ZoneForm,
};
use tourbillon_cluster::{CpuTime, Ranks, check};
use tourbillon_model::Model;
use tourbillon_testkit::networks::{Network, Shape};

/// An exploration that stores more than this is left out.
const STATES_MAX: u64 = 3_000;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Plans that between them use every choice that the cluster has.
fn plans(seed: u64) -> Vec<PlanRequest> {
    let base = PlanRequest { seed, ..PlanRequest::default() };
    let equality = |order| PlanRequest { cover: Some(Cover::Equality), order: Some(order), ..base.clone() };
    let laid_out = |layout| PlanRequest { engine: Engine::Cluster, layout: Some(layout), ..base.clone() };
    vec![
        base.clone(),
        PlanRequest { zones: Some(ZoneForm::Plain), ..equality(Order::Bfs) },
        PlanRequest { discrete: Some(DiscreteForm::Tree), ..equality(Order::Dfs) },
        PlanRequest { cover: Some(Cover::Alu), order: Some(Order::Random), ..base.clone() },
        PlanRequest { cover: Some(Cover::Adaptive), order: Some(Order::Dfs), ..base.clone() },
        PlanRequest { trace: TraceKind::None, order: Some(Order::Topological), ..base.clone() },
        PlanRequest {
            waiting_inclusion: Some(false),
            zones: Some(ZoneForm::MinimalShared),
            cover: Some(Cover::Alu),
            ..base.clone()
        },
        PlanRequest {
            abstraction: Some(Abstraction::ExtraM),
            shuffle_edges: true,
            discrete: Some(DiscreteForm::Digits),
            zones: Some(ZoneForm::BitsShared),
            ..base.clone()
        },
        PlanRequest { order: Some(Order::Best), compact: true, ..base.clone() },
        laid_out(Layout::CddSpread),
        PlanRequest {
            order: Some(Order::Dfs),
            discrete: Some(DiscreteForm::Tree),
            ..laid_out(Layout::Groups(2))
        },
        PlanRequest { waiting_inclusion: Some(false), ..laid_out(Layout::Groups(3)) },
        PlanRequest { trace: TraceKind::None, ..laid_out(Layout::CddPerRank) },
    ]
}

fn on_one_machine(model: &Model, queries: Option<&[usize]>, plan_request: &PlanRequest) -> Vec<Answer> {
    let limits = Limits { states: Some(STATES_MAX), ..Limits::default() };
    let job = Job { model, queries, plan_request, limits, stop: None };
    tourbillon_check::check(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{plan_request:?}: {error}"))
}

fn on_ranks(
    model: &Model,
    queries: Option<&[usize]>,
    plan_request: &PlanRequest,
    ranks: Ranks<'_>,
) -> Vec<Answer> {
    let job = Job { model, queries, plan_request, limits: Limits::default(), stop: None };
    check(&job, ranks, CpuTime::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{plan_request:?}: {error}"))
        .expect("the first rank is here")
}

/// What is wrong with the answers of some ranks, if anything. Counts layers that moved.
fn complaint(
    model: &Model,
    plan_request: &PlanRequest,
    ranks: usize,
    seed: u64,
    moved: &mut u64,
) -> Option<String> {
    let ranks = Ranks::Simulated { ranks, seed };
    // A rank stores all states.
    let store = Some(Committed::Stored);
    let alone = &PlanRequest { engine: Engine::Zones, layout: None, store, ..plan_request.clone() };
    let known = on_one_machine(model, None, alone).remove(0);
    if matches!(known.why, Why::Exhausted(_)) {
        return None;
    }
    let found = on_ranks(model, None, plan_request, ranks).remove(0);
    *moved += found.ranks.iter().map(|rank| rank.moved.layers).sum::<u64>();
    let same = |pair: (&Why, &Why)| std::mem::discriminant(pair.0) == std::mem::discriminant(pair.1);
    if !same((&known.why, &found.why)) || known.verdict != found.verdict {
        return Some(format!("explored: {:?}, but {:?}", found.why, known.why));
    }
    let fails_somewhere = matches!(known.why, Why::Failed(_));
    if known.why == Why::Complete {
        let counts = |answer: &Answer| {
            let stats = &answer.stats;
            let all = [stats.discrete_states, stats.stored, stats.visited, stats.transitions];
            all[..if plan_request.cover == Some(Cover::Equality) { 4 } else { 1 }].to_vec()
        };
        if counts(&known) != counts(&found) {
            return Some(format!("counted {:?}, but {:?}", counts(&found), counts(&known)));
        }
        let stats = &found.stats;
        // A model without an initial state has nothing at all.
        let initial = u64::from(stats.discrete_states > 0);
        if plan_request.waiting_inclusion != Some(false)
            && stats.stored + stats.covered != stats.transitions + initial
        {
            return Some(format!("numbers do not add up: {stats:?}"));
        }
        if found.ranks.iter().map(|rank| rank.stats.stored).sum::<u64>() != stats.stored {
            return Some("the ranks' numbers do not add up".to_owned());
        }
    }
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let known = on_one_machine(model, Some(&queries), alone);
    let found = on_ranks(model, Some(&queries), plan_request, ranks);
    let fails = fails_somewhere || known.iter().any(|answer| matches!(answer.why, Why::Failed(_)));
    for (known, found) in known.iter().zip(&found) {
        // Where a model fails, either engine may come upon that first.
        let may_differ = fails || matches!(known.why, Why::Exhausted(_) | Why::Failed(_));
        if !may_differ && (known.verdict != found.verdict || !same((&known.why, &found.why))) {
            let text = known.query.map(|index| &model.queries[index].text);
            return Some(format!("{text:?}: {:?}, but {:?}", found.why, known.why));
        }
        let shows = plan_request.trace != TraceKind::None && found.why == Why::Found;
        if shows && found.witness.is_none() {
            return Some("there is no run".to_owned());
        }
    }
    None
}

#[test]
fn ranks_agree_with_one_machine() {
    let networks = from_environment("TOURBILLON_NETWORKS", 400);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut moved = 0;
    for seed in first..first + networks {
        let (_, shape) = Shape::ALL[seed as usize % Shape::ALL.len()];
        let network = Network::random(seed, shape);
        let model = network.model().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        for (number, plan_request) in plans(seed).iter().enumerate() {
            let ranks = 1 + (seed as usize + number) % 5;
            if let Some(complaint) =
                complaint(&model, plan_request, ranks, seed ^ (number as u64) << 32, &mut moved)
            {
                panic!(
                    "TOURBILLON_SEED={seed} TOURBILLON_NETWORKS=1, {ranks} ranks, {plan_request:?}: {complaint}\n{}",
                    network.text()
                );
            }
        }
    }
    // Some networks have one clock, hence nothing to move.
    assert!(networks < 20 || moved > networks, "only {moved} layers moved in {networks} networks");
}

/// One network over very many schedules, and over threads.
#[test]
fn no_schedule_matters() {
    let network = Network::random(from_environment("TOURBILLON_SEED", 7), Shape::STRICT);
    let model = network.model().unwrap_or_else(|error| panic!("{error}"));
    let plan_request = PlanRequest { cover: Some(Cover::Equality), ..PlanRequest::default() };
    for seed in 0..1_000 {
        let complaint = complaint(&model, &plan_request, 2 + seed as usize % 4, seed, &mut 0);
        assert_eq!(complaint, None, "schedule {seed}");
    }
    let known = on_one_machine(&model, None, &plan_request).remove(0);
    for ranks in 1..=4 {
        let found = on_ranks(&model, None, &plan_request, Ranks::Threads(ranks)).remove(0);
        let counts = |stats: tourbillon_check::Stats| (stats.stored, stats.visited, stats.transitions);
        assert_eq!(counts(found.stats), counts(known.stats), "{ranks} threads");
    }
}

/// The same, with layers of a diagram that move at any time.
#[test]
fn no_schedule_matters_where_layers_move() {
    let network = Network::random(24, Shape::PLAIN);
    let model = network.model().unwrap_or_else(|error| panic!("{error}"));
    let layouts = [Layout::CddSpread, Layout::Groups(2)];
    let mut moved = 0;
    for seed in 0..400 {
        let layout = Some(layouts[seed as usize % 2]);
        let plan_request = PlanRequest { engine: Engine::Cluster, layout, ..PlanRequest::default() };
        let complaint = complaint(&model, &plan_request, 2 + seed as usize % 4, seed, &mut moved);
        assert_eq!(complaint, None, "schedule {seed}");
    }
    assert!(moved > 4_000, "only {moved} layers moved");
}
