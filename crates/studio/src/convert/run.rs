//! What runs find.

use serde_json::to_string;
use tourbillon::{
    Aspect, Finding, Model, Purpose, Report, SanityReport, Stats, Trace, ZoneGraph, ZoneGraphEdge,
    ZoneGraphNode, advice, run_json, verdict_word,
};

use super::{number, told};
use crate::api::{self, Counts, FoundRun, PlanLine};
use crate::models::Kept;

/// Why coverage is complete.
const EVERYTHING: &str = "everything that can be reached was visited";

/// Counts of a search.
pub(crate) fn counts(stats: &Stats) -> Counts {
    let memory = &stats.memory;
    Counts {
        visited: stats.visited,
        stored: stats.stored,
        waiting: stats.waiting,
        transitions: stats.transitions,
        passed_bytes: (memory.total() - memory.waiting) as u64,
        waiting_bytes: memory.waiting as u64,
    }
}

/// The answer to a query.
pub(crate) fn finding(kept: &Kept, query: Option<u32>, found: &Finding, report: &Report) -> api::Finding {
    let model = kept.loaded.model.as_ref();
    let of_values = found.values.iter().flat_map(|value| value.low.iter().chain(&value.high));
    let several = found.several.as_ref().map_or(&[][..], |several| &several.traces);
    let single = found.trace.iter().filter(|_| several.is_empty());
    let traces = single.chain(several).chain(of_values.filter_map(|extreme| extreme.trace.as_ref()));
    let plan = found.plan.iter().flat_map(|plan| &plan.reasons);
    api::Finding {
        query,
        verdict: verdict_word(found.verdict).to_owned(),
        as_expected: found.as_expected(),
        reason: found.reason.word().to_owned(),
        why: found.why.clone(),
        advice: advice(found),
        values: found.values.iter().filter_map(tourbillon::MeasureSummary::line).collect(),
        seconds: found.time.as_secs_f64(),
        counts: counts(&found.stats),
        plan: plan
            .map(|reason| PlanLine {
                axis: reason.axis.to_owned(),
                choice: reason.choice.clone(),
                reason: reason.why.clone(),
            })
            .collect(),
        runs: model.map_or_else(Vec::new, |model| traces.map(|trace| found_run(model, trace)).collect()),
        diagnostics: told(&kept.sheet, &kept.loaded, &report.diagnostics),
    }
}

fn found_run(model: &Model, trace: &Trace) -> FoundRun {
    let purpose = match trace.purpose {
        Purpose::Witness => "witness",
        Purpose::Counterexample => "counterexample",
        Purpose::Failure => "failure",
        Purpose::Attains => "attains",
        Purpose::Approaches => "approaches",
        Purpose::Grows => "grows",
    };
    FoundRun {
        purpose: purpose.to_owned(),
        steps: trace.steps.len() as u32,
        duration: trace.duration.map(number),
        file: to_string(&run_json(model, trace, None)).unwrap_or_default(),
    }
}

/// What an exploration reached.
pub(crate) fn coverage(kept: &Kept, report: &SanityReport) -> api::Coverage {
    let told_one = |diagnostic| told(&kept.sheet, &kept.loaded, [diagnostic]).remove(0);
    let model = kept.loaded.model.as_ref();
    let reach = report.unknown.iter().find(|open| open.aspect == Aspect::Reach);
    let stats = report.explorations.first().map_or_else(Stats::default, |first| first.stats);
    api::Coverage {
        complete: reach.is_none(),
        why: reach.map_or_else(|| EVERYTHING.to_owned(), |open| open.why.clone()),
        locations: report.reached.clone(),
        edges: report.taken.clone(),
        findings: report
            .findings
            .iter()
            .map(|finding| api::CoverageFinding {
                told: told_one(&finding.diagnostic),
                possible: finding.possible,
                run: model.zip(finding.trace.as_ref()).map(|(model, trace)| found_run(model, trace)),
            })
            .collect(),
        counts: counts(&stats),
    }
}

/// A zone graph.
pub(crate) fn graph(graph: ZoneGraph) -> api::Graph {
    let index = |index: usize| index as u32;
    let node = |node: ZoneGraphNode| api::GraphNode {
        locations: node.locations.into_iter().map(index).collect(),
        variables: node.variables,
        zone: node.zone,
        covered_by: node.covered_by.map(index),
        expanded: node.expanded,
    };
    let edge = |edge: ZoneGraphEdge| api::GraphEdge {
        from: index(edge.from),
        to: index(edge.to),
        taken: edge.taken.into_iter().map(|(process, edge)| [index(process), index(edge)]).collect(),
        label: edge.label,
    };
    api::Graph {
        nodes: graph.nodes.into_iter().map(node).collect(),
        edges: graph.edges.into_iter().map(edge).collect(),
        complete: graph.complete,
        why: graph.why,
    }
}
