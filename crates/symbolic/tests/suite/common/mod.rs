//! How answers of the two engines are compared.
//!
//! A model is explored, and each of its queries answered, by both engines under one plan. Verdicts and reasons must agree,
//! and of a full exploration the number of discrete states; with equality as cover, there are no more pairs of a state and
//! a zone than the other engine has nodes. Runs are replayed by what makes the answers: one that does not is an `unknown`,
//! which counts as wrong.

use tourbillon_check::{
    Abstraction, Answer, BddRequest, BoundsScope, Committed, Cover, Engine, Job, Limits, PlanRequest,
    PrepareError, TraceKind, Why,
};
use tourbillon_model::Model;

/// An exploration that stores more than this is left out.
const STATES_MAX: u64 = 3_000;
/// What diagrams may take, after which a network is left out as well.
const DIAGRAM_BYTES: u64 = 4 << 20;

/// A number that the environment may set.
pub(crate) fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Plans that between them use every choice that this engine has.
pub(crate) fn plans() -> Vec<PlanRequest> {
    // What does not fit into this takes longer than it is worth here, and so does another order of variables.
    let alone =
        BddRequest { memory_bytes: Some(DIAGRAM_BYTES), reorder: Some(false), ..BddRequest::default() };
    let merging = BddRequest { merge: Some(true), ..alone };
    let base = PlanRequest { sets: alone, ..PlanRequest::default() };
    vec![
        base.clone(),
        PlanRequest { cover: Some(Cover::Equality), ..base.clone() },
        PlanRequest { cover: Some(Cover::Alu), trace: TraceKind::None, ..base.clone() },
        PlanRequest {
            abstraction: Some(Abstraction::ExtraM),
            bounds: Some(BoundsScope::Global),
            ..base.clone()
        },
        PlanRequest { abstraction: Some(Abstraction::ExtraLu), sets: merging, ..base.clone() },
        PlanRequest { cover: Some(Cover::Equality), sets: merging, ..base },
    ]
}

/// The answers of the engine that keeps single states; nothing if zones cannot hold the model.
fn one_by_one(model: &Model, queries: Option<&[usize]>, plan_request: &PlanRequest) -> Option<Vec<Answer>> {
    let (sets, store) = (BddRequest::default(), Some(Committed::Stored));
    let plan_request = &PlanRequest { sets, store, ..plan_request.clone() };
    let limits = Limits { states: Some(STATES_MAX), ..Limits::default() };
    let job = Job { model, queries, plan_request, limits, stop: None };
    match tourbillon_check::check(&job, &mut |_| {}) {
        Ok(answers) => Some(answers),
        Err(PrepareError::Model { .. }) => None,
        Err(error) => panic!("{plan_request:?}: {error}"),
    }
}

/// The answers; nothing if the plan refuses what the model has, or zones cannot hold it.
fn in_sets(model: &Model, queries: Option<&[usize]>, plan_request: &PlanRequest) -> Option<Vec<Answer>> {
    let plan_request = &PlanRequest { engine: Engine::Symbolic, ..plan_request.clone() };
    let job = Job { model, queries, plan_request, limits: Limits::default(), stop: None };
    tourbillon_symbolic::check(&job, &mut |_| {}).ok()
}

fn is_exhausted(answer: &Answer) -> bool {
    matches!(answer.why, Why::Exhausted(_))
}

fn same(known: &Answer, found: &Answer) -> bool {
    known.verdict == found.verdict && std::mem::discriminant(&known.why) == std::mem::discriminant(&found.why)
}

/// What is wrong with the answers, if anything; and how many there were.
fn complaint(model: &Model, plan_request: &PlanRequest) -> Result<usize, String> {
    let Some(known) = one_by_one(model, None, plan_request) else { return Ok(0) };
    let known = &known[0];
    if is_exhausted(known) {
        return Ok(0);
    }
    let Some(found) = in_sets(model, None, plan_request) else { return Ok(0) };
    let found = &found[0];
    if is_exhausted(found) {
        return Ok(0);
    }
    if !same(known, found) {
        return Err(format!("explored: {:?}, but {:?}", found.why, known.why));
    }
    if known.why == Why::Complete {
        if known.stats.discrete_states != found.stats.discrete_states {
            let counts = (found.stats.discrete_states, known.stats.discrete_states);
            return Err(format!("discrete states: {} but {}", counts.0, counts.1));
        }
        let sets = found.stats.sets.expect("it searched sets");
        let exact = plan_request.cover == Some(Cover::Equality) && plan_request.sets.merge != Some(true);
        if exact && sets.pairs > known.stats.stored {
            return Err(format!("pairs: {} but {} nodes", sets.pairs, known.stats.stored));
        }
    }
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let Some(known) = one_by_one(model, Some(&queries), plan_request) else {
        return match in_sets(model, Some(&queries), plan_request) {
            None => Ok(1),
            Some(_) => Err("zones cannot hold what is asked, but it was answered".to_owned()),
        };
    };
    let Some(found) = in_sets(model, Some(&queries), plan_request) else { return Ok(1) };
    let mut answered = 1;
    for (known, found) in known.iter().zip(&found) {
        let pair = [&known.why, &found.why];
        // Where something fails and something is found, either engine may come upon the one or the other first.
        let fails = pair.iter().any(|why| matches!(why, Why::Failed(_)));
        let may_differ = fails && pair.iter().all(|why| matches!(why, Why::Failed(_) | Why::Found));
        let unanswered =
            is_exhausted(known) || is_exhausted(found) || matches!(found.why, Why::NotSupported(_));
        if may_differ || unanswered {
            continue;
        }
        answered += 1;
        if !same(known, found) {
            let text = known.query.map(|index| &model.queries[index].text);
            return Err(format!("{text:?}: {:?}, but {:?}", found.why, known.why));
        }
        let lacks_run = |answer: &Answer| answer.why == Why::Found && answer.witness.is_none();
        if plan_request.trace != TraceKind::None && lacks_run(found) {
            // The memory of the BDDs may be full when the run is computed: then the verdict stands alone. More is enough.
            let sets = BddRequest { memory_bytes: Some(16 * DIAGRAM_BYTES), ..plan_request.sets };
            let queries: Vec<usize> = found.query.into_iter().collect();
            let again = in_sets(model, Some(&queries), &PlanRequest { sets, ..plan_request.clone() });
            if again.is_none_or(|answers| answers.iter().any(lacks_run)) {
                return Err("there is no run".to_owned());
            }
        }
    }
    Ok(answered)
}

/// The same; a panic is a complaint, so that the caller can tell what led to it.
pub(crate) fn complaint_or_panic(model: &Model, plan_request: &PlanRequest) -> Result<usize, String> {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| complaint(model, plan_request)));
    caught.unwrap_or_else(|_| Err("it panicked".to_owned()))
}
