//! Random networks: the answers are those of the engine that keeps single states.
//!
//! Each network is explored, and each of its queries answered, under several plans. Verdicts and reasons must agree, and of
//! a full exploration the number of discrete states; with equality as cover, the pairs of a state and a zone are the nodes
//! of the other engine as well. Runs are replayed by what makes the answers: one that does not is an `unknown`, which counts
//! as wrong.
//!
//! The number of networks is `TOURBILLON_NETWORKS` (default 400), the first seed `TOURBILLON_SEED` (default 1).

use tourbillon_check::{
    Abstraction, Answer, BoundsScope, CheckError, Cover, Engine, Job, Limits, SetWishes, TraceKind, Why,
    Wishes,
};
use tourbillon_model::Model;
use tourbillon_testkit::networks::{Network, Shape};

/// An exploration that stores more than this is left out.
const STATES_MAX: u64 = 3_000;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Plans that between them use every choice that this engine has.
fn plans() -> Vec<Wishes> {
    let base = Wishes::default();
    let merging = SetWishes { merge: Some(true), ..SetWishes::default() };
    vec![
        base.clone(),
        Wishes { cover: Some(Cover::Equality), ..base.clone() },
        Wishes { cover: Some(Cover::Alu), trace: TraceKind::None, ..base.clone() },
        Wishes { abstraction: Some(Abstraction::ExtraM), bounds: Some(BoundsScope::Global), ..base.clone() },
        Wishes { abstraction: Some(Abstraction::ExtraLu), sets: merging, ..base.clone() },
        Wishes { cover: Some(Cover::Equality), sets: merging, ..base },
    ]
}

fn one_by_one(model: &Model, queries: Option<&[usize]>, wishes: &Wishes) -> Vec<Answer> {
    let wishes = &Wishes { sets: SetWishes::default(), ..wishes.clone() };
    let limits = Limits { states: Some(STATES_MAX), ..Limits::default() };
    let job = Job { model, queries, wishes, limits, stop: None };
    tourbillon_check::check(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{wishes:?}: {error}"))
}

/// The answers; nothing if the plan refuses what the model has.
fn in_sets(model: &Model, queries: Option<&[usize]>, wishes: &Wishes) -> Option<Vec<Answer>> {
    let wishes = &Wishes { engine: Engine::Symbolic, ..wishes.clone() };
    let job = Job { model, queries, wishes, limits: Limits::default(), stop: None };
    match tourbillon_symbolic::check(&job, &mut |_| {}) {
        Ok(answers) => Some(answers),
        Err(CheckError::Plan(_)) => None,
        Err(error) => panic!("{wishes:?}: {error}"),
    }
}

fn same(known: &Answer, found: &Answer) -> bool {
    known.verdict == found.verdict && std::mem::discriminant(&known.why) == std::mem::discriminant(&found.why)
}

/// What is wrong with the answers, if anything; and how many there were.
fn complaint(model: &Model, wishes: &Wishes) -> Result<usize, String> {
    let known = one_by_one(model, None, wishes).remove(0);
    if matches!(known.why, Why::Exhausted(_)) {
        return Ok(0);
    }
    let Some(found) = in_sets(model, None, wishes) else { return Ok(0) };
    let found = &found[0];
    if !same(&known, found) {
        return Err(format!("explored: {:?}, but {:?}", found.why, known.why));
    }
    if known.why == Why::Complete {
        if known.stats.discrete_states != found.stats.discrete_states {
            let counts = (found.stats.discrete_states, known.stats.discrete_states);
            return Err(format!("discrete states: {} but {}", counts.0, counts.1));
        }
        let sets = found.stats.sets.expect("it searched sets");
        let exact = wishes.cover == Some(Cover::Equality) && wishes.sets.merge.is_none();
        if exact && sets.pairs > known.stats.stored {
            return Err(format!("pairs: {} but {} nodes", sets.pairs, known.stats.stored));
        }
    }
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let known = one_by_one(model, Some(&queries), wishes);
    let Some(found) = in_sets(model, Some(&queries), wishes) else { return Ok(1) };
    let fails = known.iter().any(|answer| matches!(answer.why, Why::Failed(_)));
    let mut answered = 1;
    for (known, found) in known.iter().zip(&found) {
        // Where a model fails, either engine may come upon that first; and some questions are not for this one.
        let may_differ = fails || matches!(known.why, Why::Exhausted(_) | Why::Failed(_));
        if may_differ || matches!(found.why, Why::NotSupported(_)) {
            continue;
        }
        answered += 1;
        if !same(known, found) {
            let text = known.query.map(|index| &model.queries[index].text);
            return Err(format!("{text:?}: {:?}, but {:?}", found.why, known.why));
        }
        if wishes.trace != TraceKind::None && found.why == Why::Found && found.witness.is_none() {
            return Err("there is no run".to_owned());
        }
    }
    Ok(answered)
}

#[test]
fn sets_agree_with_single_states() {
    let networks = from_environment("TOURBILLON_NETWORKS", 400);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut answered = 0;
    for seed in first..first + networks {
        let (_, shape) = Shape::ALL[seed as usize % Shape::ALL.len()];
        let network = Network::random(seed, shape);
        let model = network.model().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        for wishes in plans() {
            match complaint(&model, &wishes) {
                Ok(answers) => answered += answers,
                Err(complaint) => panic!(
                    "TOURBILLON_SEED={seed} TOURBILLON_NETWORKS=1, {wishes:?}: {complaint}\n{}",
                    network.text()
                ),
            }
        }
    }
    assert!(answered as u64 >= 5 * networks, "only {answered} questions were answered");
}
