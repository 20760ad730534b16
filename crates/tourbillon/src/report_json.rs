//! A report as JSON. `docs/json.md` explains every field; a test compares the two.
//!
//! The schema has a name with a version, `tourbillon-check/2`. The version changes when a field is removed or changes
//! its meaning. Fields may be added at any time.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tourbillon_base::{Diagnostic, Rational, SourceMap};
use tourbillon_check::{
    AXES, Certainty, CertifiedAnswer, Finish, FoundBy, Known, Mixture, Moved, Plan, RankStats, RoundTimes,
    SetStats, Stats, TableKind, TableSettings, Value as Extremum, WhenFull,
};

use crate::certify;
use crate::json::{diagnostic_json, expectation};
use crate::report::{
    AnswerSummary, ExtremeSummary, MeasureSummary, ModelSummary, Report, SeveralSummary, passed_bytes,
    verdict_word,
};
use crate::trace::{Direction, SourcePlace, TakenEdge, Trace, TraceState, TraceStep, decimal};

/// The name and version of the schema.
pub const CHECK_SCHEMA: &str = "tourbillon-check/2";

/// The previous version of the schema: its steps have complete states.
pub(crate) const CHECK_SCHEMA_1: &str = "tourbillon-check/1";

/// A report, with diagnostics at their places in the sources: those of the report, and those that came before it.
#[must_use]
pub fn report_json<'d>(
    report: &Report,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &SourceMap,
) -> Value {
    json!({
        "schema": CHECK_SCHEMA,
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "model": model_json(&report.model),
        "plan": report.plan.as_ref().map(plan_json),
        "results": report
            .results
            .iter()
            .map(|result| result_json(result, report.plan.as_ref(), report.peak_rss_bytes))
            .collect::<Vec<_>>(),
        "diagnostics": diagnostics.into_iter().map(|it| diagnostic_json(it, sources)).collect::<Vec<_>>(),
    })
}

pub(crate) fn model_json(model: &ModelSummary) -> Value {
    json!({
        "name": model.name,
        "processes": model.processes,
        "clocks": model.clocks,
        "variables": model.variables,
    })
}

pub(crate) fn plan_json(plan: &Plan) -> Value {
    let reported = AXES.iter().filter(|info| info.in_json);
    let mut object: Map<String, Value> =
        reported.map(|info| (info.name.replace('-', "_"), Value::from(plan.choice(info.axis)))).collect();
    object
        .insert("table".to_owned(), plan.table.map_or(Value::Null, |table| table_json(&table, plan.passes)));
    object.insert("exact".to_owned(), (!plan.over_approximates).into());
    object.insert("seed".to_owned(), plan.seed.into());
    let reasons = plan
        .reasons
        .iter()
        .map(|reason| json!({"axis": reason.axis.name(), "choice": reason.choice, "why": reason.why}));
    object.insert("reasons".to_owned(), reasons.collect());
    Value::Object(object)
}

fn table_json(table: &TableSettings, passes: u32) -> Value {
    let (bits_per_state, signature_bits) = match table.kind {
        TableKind::Bits { per_state } => (Some(per_state), None),
        TableKind::Signatures { bits } | TableKind::SignaturesAndZones { bits } => (None, Some(bits)),
    };
    let when_full = match table.when_full {
        WhenFull::Stop | WhenFull::Pack => "stop",
        WhenFull::Skip => "skip",
    };
    json!({
        "memory_bytes": table.memory_bytes,
        "bits_per_state": bits_per_state,
        "signature_bits": signature_bits,
        "when_full": when_full,
        "passes": passes,
    })
}

/// An answer, with its plan unless it is the common one.
pub(crate) fn result_json(
    result: &AnswerSummary,
    common: Option<&Plan>,
    peak_rss_bytes: Option<u64>,
) -> Value {
    let query = result.query.as_ref();
    let own_plan = result.plan.as_ref().filter(|&plan| common != Some(plan));
    let several = result.several.as_ref();
    let traces = several.map_or(&[][..], |several| &several.traces);
    json!({
        "number": query.map(|query| query.number + 1),
        "query": query.map(|query| &query.text),
        "comment": query.map(|query| &query.comment),
        "place": query.map(|query| &query.place),
        "expected": expectation(query.and_then(|query| query.expected)),
        "verdict": verdict_word(result.verdict),
        "reason": result.reason.word(),
        "why": result.why,
        "plan": own_plan.map(plan_json),
        "mixed": result.mixture.as_ref().map(mixture_json),
        "rounds": result.rounds.as_ref().map(rounds_json),
        "reused": result.reused,
        "cached": result.cached,
        "rechecked": result.rechecked.map(|it| {
            json!({
                "candidates": it.candidates, "reused": it.reused, "expanded": it.expanded, "added": it.added
            })
        }),
        "certified": result.certified.as_ref().map(certified_json),
        "least_time": result.least_time.map(|it| json!({"value": it.value, "attained": !it.excluded})),
        "stats": search_json(&result.stats, result.time, peak_rss_bytes),
        "ranks": result.ranks.iter().map(rank_json).collect::<Vec<_>>(),
        "values": result.values.iter().map(measure_json).collect::<Vec<_>>(),
        "trace": result.trace.as_ref().map(trace_json),
        "traces": traces.iter().map(trace_json).collect::<Vec<_>>(),
        "other_traces": several.map(SeveralSummary::others_word),
    })
}

/// The alternating orders of a mixed search.
fn certified_json(certified: &CertifiedAnswer) -> Value {
    let mut object = certify::report_json(&certified.report);
    object["bytes"] = certified.bytes.into();
    object["time_s"] = certified.time.as_secs_f64().into();
    object
}

fn mixture_json(mixture: &Mixture) -> Value {
    let visited = mixture.visited.iter().map(|(order, visited)| (order.name().to_owned(), json!(visited)));
    json!({
        "found_by": mixture.found_by.map(FoundBy::name),
        "visited": visited.collect::<Map<_, _>>(),
        "descent_steps": mixture.walk_steps,
    })
}

/// The rounds of a search, and the times of their phases.
fn rounds_json(rounds: &RoundTimes) -> Value {
    json!({
        "threads": rounds.threads,
        "rounds": rounds.rounds,
        "nodes": rounds.nodes,
        "candidates": rounds.candidates,
        "select_s": rounds.select.as_secs_f64(),
        "expand_s": rounds.expand.as_secs_f64(),
        "intern_s": rounds.intern.as_secs_f64(),
        "insert_s": rounds.insert.as_secs_f64(),
        "finish_s": rounds.finish.as_secs_f64(),
    })
}

/// The statistics of a rank.
fn rank_json(rank: &RankStats) -> Value {
    json!({
        "rank": rank.rank,
        "visited": rank.stats.visited,
        "stored": rank.stats.stored,
        "transitions": rank.stats.transitions,
        "states_sent": rank.states_sent,
        "states_dropped": rank.states_dropped,
        "messages": rank.messages(),
        "bytes": rank.bytes(),
        "cpu_s": rank.cpu.map(|time| time.as_secs_f64()),
        "load": rank.load(),
        "memory_bytes": rank.stats.memory.total(),
        "zone_bytes": rank.stats.memory.zones,
        "moved": moved_json(&rank.moved),
    })
}

/// The levels of a diagram that a rank moved.
fn moved_json(moved: &Moved) -> Value {
    json!({
        "rounds": moved.rounds,
        "levels": moved.layers,
        "nodes": moved.nodes,
        "bytes": moved.bytes,
        "zone_bytes_before": moved.bytes_before,
        "zone_bytes_after": moved.bytes_after,
    })
}

fn measure_json(measure: &MeasureSummary) -> Value {
    json!({
        "measure": measure.text,
        "low": measure.low.as_ref().map(extreme_json),
        "high": measure.high.as_ref().map(extreme_json),
    })
}

pub(crate) fn extreme_json(extreme: &ExtremeSummary) -> Value {
    let (kind, value) = match extreme.value {
        Extremum::None => ("none", None),
        Extremum::Attained(value) => ("attained", Some(value)),
        Extremum::Approached(value) => ("approached", Some(value)),
        Extremum::Infinite => ("infinite", None),
    };
    let known = match extreme.known {
        Known::Exactly => "exactly",
        Known::SoFar => "so-far",
        Known::NotBeyond => "not-beyond",
        Known::Nothing => "nothing",
    };
    json!({"kind": kind, "value": value, "known": known, "trace": extreme.trace.as_ref().map(trace_json)})
}

/// The statistics of a search.
pub(crate) fn search_json(stats: &Stats, time: Duration, peak_rss_bytes: Option<u64>) -> Value {
    json!({
        "visited": stats.visited,
        "stored": stats.stored,
        "stored_max": stats.stored_max,
        "transitions": stats.transitions,
        "covered": stats.covered,
        "transient": stats.transient,
        "mistakes": stats.mistakes,
        "rank_visits": stats.rank_visits,
        "waiting": stats.waiting,
        "discrete_states": stats.discrete_states,
        "distinct_zones": stats.distinct_zones,
        "packed": stats.is_packed,
        "time_s": time.as_secs_f64(),
        "peak_rss_bytes": peak_rss_bytes,
        "passed_bytes": passed_bytes(stats),
        "waiting_bytes": stats.memory.waiting,
        "bytes_per_node": passed_bytes(stats) as f64 / stats.stored.max(1) as f64,
        "memory": {
            "discrete": stats.memory.discrete,
            "zones": stats.memory.zones,
            "table": stats.memory.table,
            "nodes": stats.memory.nodes,
            "waiting": stats.memory.waiting,
            "parents": stats.memory.parents,
        },
        "certainty": stats.certainty.as_ref().map(certainty_json),
        "sets": stats.sets.as_ref().map(sets_json),
    })
}

/// The statistics of a symbolic search.
fn sets_json(sets: &SetStats) -> Value {
    json!({
        "steps": sets.steps,
        "pairs": sets.pairs,
        "nodes": sets.nodes,
        "nodes_max": sets.nodes_max,
        "actions": sets.actions,
        "classes": sets.classes,
        "bits": sets.bits,
        "collections": sets.collections,
        "reorderings": sets.reorderings,
    })
}

fn certainty_json(certainty: &Certainty) -> Value {
    json!({
        "passes": certainty.passes,
        "places": certainty.places,
        "taken": certainty.taken,
        "fill": certainty.fill(),
        "states": certainty.states,
        "unentered": certainty.unentered,
        "collisions": certainty.collisions,
        "omitted": certainty.omitted(),
        "probability": certainty.probability,
    })
}

pub(crate) fn trace_json(trace: &Trace) -> Value {
    let mut object = head_json(trace, trace.loop_time());
    let mut places = EdgePlaces::default();
    trace.steps.iter().for_each(|step| places.note(step));
    object.insert("steps".to_owned(), trace.steps.iter().map(step_json).collect());
    object.insert("complete".to_owned(), true.into());
    object.insert("places".to_owned(), places.json());
    Value::Object(object)
}

/// A run without its steps.
pub(crate) fn head_json(trace: &Trace, loop_time: Option<Rational>) -> Map<String, Value> {
    let fields = [
        ("purpose", trace.purpose.word().into()),
        ("duration", trace.duration.map_or(Value::Null, number)),
        ("initial", state_json(&trace.initial)),
        ("last_delay", number(trace.last_delay)),
        ("end", state_json(&trace.end)),
        ("finish", trace.finish.map_or(Value::Null, |finish| finish_json(finish, loop_time))),
        ("since", trace.since.map_or(Value::Null, number)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The source positions of the edges of a run, each once, in the order of first use.
#[derive(Default, Debug)]
pub(crate) struct EdgePlaces {
    known: BTreeSet<(usize, usize)>,
    places: Vec<Value>,
}

impl EdgePlaces {
    pub(crate) fn note(&mut self, step: &TraceStep) {
        for edge in &step.edges {
            if self.known.insert((edge.process_index, edge.index)) {
                let mut place = source_place_json(&edge.place);
                place["process"] = (&*edge.process).into();
                place["edge"] = edge.index.into();
                self.places.push(place);
            }
        }
    }

    pub(crate) fn json(self) -> Value {
        self.places.into()
    }
}

pub(crate) fn finish_json(finish: Finish, loop_time: Option<Rational>) -> Value {
    let word = match finish {
        Finish::Repeats { .. } => "repeats",
        Finish::Varies { .. } => "varies",
        Finish::Waits => "waits",
        Finish::Stuck => "stuck",
    };
    let from = match finish {
        Finish::Repeats { from } | Finish::Varies { from } => Some(from),
        Finish::Waits | Finish::Stuck => None,
    };
    json!({"kind": word, "from": from, "time": loop_time.map(number)})
}

/// A step, with its changes.
pub(crate) fn step_json(step: &TraceStep) -> Value {
    let TraceState { locations, variables, clocks, .. } = &step.after;
    let moved = step.moved.iter().map(|&process| &locations[process]);
    let set = step.set_clocks.iter().map(|&clock| &clocks[clock]);
    let locations: Map<String, Value> = moved.map(|(name, at)| (name.to_string(), (&**at).into())).collect();
    let variables: Map<String, Value> =
        variables.iter().map(|(name, value)| (name.to_string(), Value::from(*value))).collect();
    let clocks: Map<String, Value> = set.map(|(name, value)| (name.to_string(), number(*value))).collect();
    json!({
        "delay": number(step.delay),
        "time": step.time.map(number),
        "edges": step.edges.iter().map(taken_json).collect::<Vec<_>>(),
        "changes": {"locations": locations, "variables": variables, "clocks": clocks},
    })
}

/// An edge of a transition, with its source position.
pub(crate) fn edge_json(edge: &TakenEdge) -> Value {
    let mut taken = taken_json(edge);
    taken["place"] = source_place_json(&edge.place);
    taken
}

pub(crate) fn taken_json(edge: &TakenEdge) -> Value {
    let sync = edge.sync.as_ref().map(|sync| {
        let direction = match sync.direction {
            Direction::Send => "send",
            Direction::Receive => "receive",
            Direction::Event => "event",
        };
        json!({"name": sync.name, "direction": direction})
    });
    let selects: Map<String, Value> =
        edge.selects.iter().map(|(name, value)| (name.clone(), Value::from(*value))).collect();
    json!({
        "process": &*edge.process,
        "edge": edge.index,
        "source": &*edge.source,
        "target": &*edge.target,
        "sync": sync,
        "selects": selects,
    })
}

pub(crate) fn source_place_json(place: &SourcePlace) -> Value {
    let SourcePlace { file, line, column, element } = place;
    json!({"file": file, "line": line, "column": column, "element": element})
}

pub(crate) fn state_json(state: &TraceState) -> Value {
    let locations: Map<String, Value> =
        state.locations.iter().map(|(process, at)| (process.to_string(), Value::from(&**at))).collect();
    let variables: Map<String, Value> =
        state.variables.iter().map(|(name, value)| (name.to_string(), Value::from(*value))).collect();
    let clocks: Map<String, Value> =
        state.clocks.iter().map(|(name, value)| (name.to_string(), number(*value))).collect();
    json!({"locations": locations, "variables": variables, "clocks": clocks})
}

/// An exact number with its decimal text.
pub(crate) fn number(number: Rational) -> Value {
    json!({"exact": number.to_string(), "decimal": decimal(number)})
}
