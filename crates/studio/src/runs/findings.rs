//! The findings of runs, as the interface has them: summaries with run files and diagnostics at their places.

use serde_json::to_string;
use tourbillon::{
    AnswerSummary, Aspect, CertifiedAnswer, LintReport, Model, Report, Stats, Trace, ZoneGraph,
    ZoneGraphEdge, ZoneGraphNode, advice, run_json, verdict_word,
};

use crate::api::{self, CertifiedFinding, Counts, FoundRun, Number, PlanLine, ServerLimits};
use crate::examine::told;
use crate::models::StoredModel;

/// Why coverage is complete.
const EVERYTHING: &str = "all reachable states were visited";

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
pub(crate) fn finding(
    kept: &StoredModel,
    query: Option<u32>,
    found: &AnswerSummary,
    report: &Report,
) -> api::Finding {
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
                axis: reason.axis.name().to_owned(),
                choice: reason.choice.clone(),
                reason: reason.why.clone(),
            })
            .collect(),
        runs: model.map_or_else(Vec::new, |model| traces.map(|trace| found_run(model, trace)).collect()),
        certified: found.certified.as_ref().map(certified),
        diagnostics: told(&kept.sheet, &kept.loaded, &report.diagnostics),
    }
}

fn certified(answer: &CertifiedAnswer) -> CertifiedFinding {
    CertifiedFinding {
        states: answer.report.entries,
        successors: answer.report.successors,
        sha256: answer.report.sha256.clone(),
        bytes: answer.bytes as u64,
        seconds: answer.time.as_secs_f64(),
    }
}

fn found_run(model: &Model, trace: &Trace) -> FoundRun {
    FoundRun {
        purpose: trace.purpose.word().to_owned(),
        steps: trace.steps.len() as u32,
        duration: trace.duration.map(Number::from),
        file: to_string(&run_json(model, trace, None)).unwrap_or_default(),
    }
}

/// What an exploration reached.
pub(crate) fn coverage(kept: &StoredModel, report: &LintReport) -> api::Coverage {
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

/// How large a zone graph may be that is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GraphLimits {
    pub(crate) nodes: u32,
    edges: usize,
    bytes: usize,
    variables: usize,
}

impl GraphLimits {
    pub(crate) fn of(allowed: &ServerLimits) -> Self {
        Self {
            nodes: allowed.graph_nodes,
            edges: allowed.graph_edges as usize,
            bytes: usize::try_from(allowed.graph_bytes).unwrap_or(usize::MAX),
            variables: allowed.names as usize,
        }
    }
}

/// Cuts a zone graph to what is allowed: the first nodes, and the first edges between them.
pub(crate) fn cut(graph: &mut ZoneGraph, limits: GraphLimits) {
    graph.nodes.iter_mut().for_each(|node| node.variables.truncate(limits.variables));
    let mut room = limits.bytes;
    let nodes = fitting(&graph.nodes, &mut room, node_bytes);
    graph.edges.retain(|edge| edge.from.max(edge.to) < nodes);
    let edges = fitting(&graph.edges, &mut room, edge_bytes).min(limits.edges);
    if nodes < graph.nodes.len() || edges < graph.edges.len() {
        graph.complete = false;
        graph.why = "too large to be shown; the rest is left out".to_owned();
    }
    graph.nodes.truncate(nodes);
    graph.edges.truncate(edges);
    for node in &mut graph.nodes {
        node.covered_by = node.covered_by.filter(|&by| by < nodes);
    }
}

/// How many of the first have room, which is taken from them.
fn fitting<T>(all: &[T], room: &mut usize, bytes: fn(&T) -> usize) -> usize {
    let fits = |one: &&T| {
        let left = room.checked_sub(bytes(one));
        *room = left.unwrap_or(0);
        left.is_some()
    };
    all.iter().take_while(fits).count()
}

/// At most how long a node is as JSON, but for numbers that are unusually long.
fn node_bytes(node: &ZoneGraphNode) -> usize {
    let zone: usize = node.zone.iter().map(|text| text.len() + 3).sum();
    100 + 6 * (node.locations.len() + node.variables.len()) + zone
}

fn edge_bytes(edge: &ZoneGraphEdge) -> usize {
    60 + edge.label.len() + 12 * edge.taken.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(length: usize) -> ZoneGraph {
        let node = |_| ZoneGraphNode {
            locations: vec![0],
            variables: vec![1; 50],
            zone: vec!["x <= 5".to_owned()],
            covered_by: Some(length - 1),
            expanded: true,
        };
        let edge =
            |from| ZoneGraphEdge { from, to: from + 1, taken: vec![(0, 0)], label: "P: A → B".to_owned() };
        ZoneGraph {
            nodes: (0..length).map(node).collect(),
            edges: (0..length - 1).map(edge).collect(),
            complete: true,
            why: "all".to_owned(),
            stats: Stats::default(),
        }
    }

    #[test]
    fn a_graph_that_is_too_large_is_cut_and_says_so() {
        let limits = GraphLimits { nodes: 1000, edges: 1000, bytes: 1 << 20, variables: 10 };
        let graph = |mut graph: ZoneGraph, limits| {
            cut(&mut graph, limits);
            graph
        };
        let whole = graph(line(100), limits);
        assert_eq!((whole.nodes.len(), whole.edges.len(), whole.complete), (100, 99, true));
        assert!(whole.nodes.iter().all(|node| node.variables.len() == 10));
        let few = graph(line(100), GraphLimits { edges: 7, ..limits });
        assert_eq!((few.nodes.len(), few.edges.len(), few.complete), (100, 7, false));
        let small = graph(line(100), GraphLimits { bytes: 5000, ..limits });
        assert!(!small.complete && small.nodes.len() < 100 && small.why.contains("too large"));
        let last = small.nodes.len();
        assert!(small.edges.iter().all(|edge| edge.from.max(edge.to) < last));
        assert!(small.nodes.iter().all(|node| node.covered_by.is_none()));
        assert!(to_string(&small).expect("JSON").len() <= 5000 + 100);
    }
}
