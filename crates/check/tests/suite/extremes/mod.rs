//! `sup`, `inf` and `bounds`: what is known of small models by hand, and of random ones by regions.
//!
//! Every case is asked with plans that between them use every choice on every axis, and all must agree. Every value has
//! a run, which the checker replays and reads the measure off; here the runs are only counted.

mod alternation;
mod by_hand;
pub(crate) mod random;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_check::{
    Abstraction, Answer, BoundsScope, Cover, DiscreteForm, Extreme, Job, Known, Limits, Measured, Order,
    PlanRequest, Progress, RoundSizes, TraceKind, Value, ZoneForm, check,
};
use tourbillon_model::Model;

/// A search that visits more than this has no end.
const VISITED_MAX: u64 = 20_000;

/// Plans that between them use every choice on every axis, but for exact zones.
pub(crate) fn plans(seed: u64) -> Vec<PlanRequest> {
    let base = PlanRequest { seed, ..PlanRequest::default() };
    let mut plans = vec![
        base.clone(),
        PlanRequest { trace: TraceKind::Shortest, cover: Some(Cover::Equality), ..base.clone() },
        PlanRequest { trace: TraceKind::Fastest, zones: Some(ZoneForm::Plain), ..base.clone() },
        PlanRequest { trace: TraceKind::None, order: Some(Order::Dfs), ..base.clone() },
        PlanRequest { cover: Some(Cover::Alu), discrete: Some(DiscreteForm::Plain), ..base.clone() },
        PlanRequest {
            order: Some(Order::Random),
            waiting_inclusion: Some(false),
            reduce: Some(true),
            ..base.clone()
        },
        PlanRequest {
            cover: Some(Cover::Alu),
            order: Some(Order::Dfs),
            bounds: Some(BoundsScope::Global),
            discrete: Some(DiscreteForm::Shared),
            ..base.clone()
        },
        PlanRequest {
            threads: Some(2),
            round_sizes: Some(RoundSizes { after: 0, width: 3, chunk: 1 }),
            ..base.clone()
        },
        PlanRequest {
            threads: Some(3),
            round_sizes: Some(RoundSizes { after: 4, width: 8, chunk: 2 }),
            cover: Some(Cover::Alu),
            ..base.clone()
        },
    ];
    plans.extend(in_alternation(seed));
    for abstraction in [Abstraction::ExtraM, Abstraction::ExtraMPlus, Abstraction::ExtraLu] {
        for bounds in [BoundsScope::Global, BoundsScope::Local] {
            plans.push(PlanRequest { abstraction: Some(abstraction), bounds: Some(bounds), ..base.clone() });
        }
    }
    plans
}

/// Plans under which small searches for suprema of clocks go on in two.
pub(crate) fn in_alternation(seed: u64) -> [PlanRequest; 2] {
    let after = seed % 5;
    let in_rounds = |width, chunk| PlanRequest {
        threads: Some(1 + (seed % 3) as u32),
        round_sizes: Some(RoundSizes { after, width, chunk }),
        seed,
        ..PlanRequest::default()
    };
    let fine = PlanRequest { order: Some(Order::Bfs), cover: Some(Cover::Equality), ..in_rounds(1, 1) };
    [in_rounds(5, 2), fine]
}

/// The answer to one query; a search without end is interrupted.
pub(crate) fn ask(model: &Model, query: usize, plan_request: &PlanRequest) -> Answer {
    let stop = Arc::new(AtomicBool::new(false));
    let job =
        Job { model, queries: Some(&[query]), plan_request, limits: Limits::default(), stop: Some(&stop) };
    let mut watch = |progress: &Progress| stop.store(progress.stats.visited > VISITED_MAX, Ordering::Relaxed);
    check(&job, &mut watch).unwrap_or_else(|error| panic!("{plan_request:?}: {error}")).remove(0)
}

/// Values as text: `[2, 5)` is attained at 2 and approached at 5, `~` is what is not known, `_` what was not asked.
pub(crate) fn text(values: &[Measured]) -> String {
    let measures = values.iter().map(|Measured { low, high }| {
        format!("{}, {}", end(low.as_ref(), ['[', '('], true), end(high.as_ref(), [']', ')'], false))
    });
    measures.collect::<Vec<_>>().join(" ")
}

fn end(extreme: Option<&Extreme>, [closed, open]: [char; 2], low: bool) -> String {
    let Some(extreme) = extreme else { return "_".to_owned() };
    let (value, bracket) = match extreme.value {
        Value::None => ("none".to_owned(), open),
        Value::Attained(value) => (value.to_string(), closed),
        Value::Approached(value) => (value.to_string(), open),
        Value::Infinite => ("inf".to_owned(), open),
    };
    let doubt = if extreme.known == Known::Exactly { "" } else { "~" };
    if low { format!("{bracket}{doubt}{value}") } else { format!("{doubt}{value}{bracket}") }
}

/// Whether each value has the run that was asked for.
pub(crate) fn has_runs(answer: &Answer, plan_request: &PlanRequest) -> bool {
    let extremes = answer.values.iter().flat_map(|measured| [&measured.low, &measured.high]).flatten();
    extremes.into_iter().all(|extreme| {
        extreme.witness.is_some() == (plan_request.trace != TraceKind::None && extreme.value != Value::None)
    })
}
