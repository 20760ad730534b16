//! From the answers of an engine to a report: plain data, with the names and source positions of the model.

use tourbillon_base::{Diagnostics, SourceMap};
use tourbillon_check::{Answer, Extreme, Measured, Value, Verdict, Why, Witness};
use tourbillon_model::{CellKind, Measure, Model, Query, QueryKind};

use crate::diagnose::{report_run_time_errors, too_many};
use crate::report::{
    AnswerSummary, Cause, ExtremeSummary, MeasureSummary, ModelSummary, QuerySummary, Report, Sense,
    SeveralSummary, sentence_of,
};
use crate::trace::{Purpose, RunView, TraceBuilder, source_place};

/// An answer, passed to the caller as soon as it is known.
#[derive(Debug)]
pub struct GivenAnswer<'a> {
    /// The answer, without runs.
    pub finding: &'a AnswerSummary,
    pub runs: &'a Runs<'a>,
    /// Run-time errors of the model that no earlier answer has reported.
    pub diagnostics: &'a Diagnostics,
}

/// The runs of an answer.
#[derive(Clone, Default, Debug)]
pub struct Runs<'a> {
    /// A witness or counterexample.
    pub trace: Option<RunView<'a>>,
    /// Runs along different paths, if several were requested; the first is `trace`.
    pub several: Vec<RunView<'a>>,
    /// For each measured expression, runs to its least and its greatest value.
    pub values: Vec<[Option<RunView<'a>>; 2]>,
}

/// Converts answers to report data, one by one.
pub(crate) struct AnswerReporter<'a> {
    model: &'a Model,
    sources: &'a SourceMap,
    trace_builder: TraceBuilder<'a>,
    told: Diagnostics,
    decided: DecidedQueries,
}

impl<'a> AnswerReporter<'a> {
    pub(crate) fn new(model: &'a Model, sources: &'a SourceMap) -> Self {
        let (told, decided) = (Diagnostics::default(), DecidedQueries::default());
        Self { model, sources, trace_builder: TraceBuilder::new(model, sources), told, decided }
    }

    pub(crate) fn give(&mut self, answer: &Answer, answered: &mut dyn FnMut(&GivenAnswer<'_>)) {
        let before = self.told.iter().count();
        report_run_time_errors(self.model, answer, &mut self.told);
        let mut diagnostics = Diagnostics::default();
        self.told.iter().skip(before).for_each(|told| diagnostics.push(told.clone()));
        let mut finding = finding(self.model, self.sources, answer);
        self.decided.note(&finding);
        self.decided.tell(&mut finding);
        let runs = runs(&self.trace_builder, self.model, answer);
        answered(&GivenAnswer { finding: &finding, runs: &runs, diagnostics: &diagnostics });
    }
}

/// The report of all answers.
pub(crate) fn report(model: &Model, sources: &SourceMap, answers: &[Answer]) -> Report {
    let trace_builder = TraceBuilder::new(model, sources);
    let mut diagnostics = Diagnostics::default();
    let mut results: Vec<AnswerSummary> = answers
        .iter()
        .map(|answer| {
            report_run_time_errors(model, answer, &mut diagnostics);
            let runs = runs(&trace_builder, model, answer);
            with_runs(finding(model, sources, answer), &runs)
        })
        .collect();
    let mut decided = DecidedQueries::default();
    results.iter().for_each(|result| decided.note(result));
    results.iter_mut().for_each(|result| decided.tell(result));
    Report {
        model: summary(model),
        plan: results.iter().find_map(|result| result.plan.clone()),
        results,
        diagnostics,
        peak_rss_bytes: None,
    }
}

/// The queries that have an answer although the model fails at run time.
#[derive(Default)]
struct DecidedQueries {
    /// The texts of the first ones.
    named: Vec<String>,
    /// The number of further ones.
    more: usize,
}

impl DecidedQueries {
    /// The maximum number of listed queries.
    const NAMED: usize = 3;

    fn note(&mut self, result: &AnswerSummary) {
        let Some(query) = result.query.as_ref().filter(|_| result.verdict != Verdict::Unknown) else {
            return;
        };
        if self.named.len() < Self::NAMED {
            let one_line = query.text.split_whitespace().collect::<Vec<_>>().join(" ");
            self.named.push(format!("`{one_line}`"));
        } else {
            self.more += 1;
        }
    }

    /// Adds the decided queries to the explanation of a query that is unknown because the model fails.
    fn tell(&self, result: &mut AnswerSummary) {
        if self.named.is_empty() || !matches!(result.reason, Cause::ModelFails | Cause::ModelMayFail) {
            return;
        }
        let more = if self.more == 0 { String::new() } else { format!(" and {} more", self.more) };
        result.why.push_str(&format!("; other queries have answers: {}{more}", self.named.join(", ")));
    }
}

/// The name and size of a model.
pub(crate) fn summary(model: &Model) -> ModelSummary {
    ModelSummary {
        name: model.name.clone(),
        processes: model.processes.len(),
        clocks: model.clocks.len(),
        variables: model.cells.iter().filter(|cell| cell.kind == CellKind::State).count(),
    }
}

/// An answer without its runs.
fn finding(model: &Model, sources: &SourceMap, answer: &Answer) -> AnswerSummary {
    let query = answer.query.map(|index| &model.queries[index]);
    let sense = query.map(|query| Sense::of(&query.kind));
    let refused = query.is_some_and(|query| query.kind == QueryKind::Refused);
    let extreme = |it: &Extreme| ExtremeSummary { value: it.value, known: it.known, trace: None };
    AnswerSummary {
        query: answer.query.map(|index| query_summary(model, index, sources)),
        verdict: answer.verdict,
        reason: if refused { Cause::Refused } else { Cause::of(&answer.why) },
        why: match &answer.why {
            Why::TooMany(error) => too_many(model, error),
            why => sentence_of(model, why, sense),
        },
        plan: answer.plan.clone(),
        stats: answer.stats,
        ranks: answer.ranks.clone(),
        time: answer.time,
        mixture: answer.mixture,
        rounds: answer.rounds,
        cached: answer.cached.clone(),
        rechecked: answer.rechecked,
        reused: answer.reused,
        least_time: answer.least_time,
        values: measures(query)
            .iter()
            .zip(&answer.values)
            .map(|(measure, found)| MeasureSummary {
                text: model.measure_text(measure),
                low: found.low.as_ref().map(extreme),
                high: found.high.as_ref().map(extreme),
            })
            .collect(),
        trace: None,
        several: answer.several.as_ref().map(|several| SeveralSummary {
            traces: Vec::new(),
            count: several.witnesses.len(),
            others: several.others,
        }),
        certificate: answer.certificate.clone(),
        certified: answer.certified.clone(),
    }
}

pub(crate) fn query_summary(model: &Model, number: usize, sources: &SourceMap) -> QuerySummary {
    let query = &model.queries[number];
    QuerySummary {
        number,
        text: query.text.clone(),
        comment: query.comment.clone(),
        expected: query.expected,
        sense: Sense::of(&query.kind),
        place: query_place(query, sources),
    }
}

/// The runs of an answer.
fn runs<'a>(trace_builder: &'a TraceBuilder<'a>, model: &Model, answer: &'a Answer) -> Runs<'a> {
    let sense = answer.query.map(|index| Sense::of(&model.queries[index].kind));
    let purpose = match (&answer.why, sense) {
        (Why::Failed(_), _) => Purpose::Failure,
        (_, Some(sense)) if sense.is_universal() => Purpose::Counterexample,
        _ => Purpose::Witness,
    };
    let view = |witness: &'a Witness| RunView { trace_builder, purpose, witness };
    let extreme = |extreme: &'a Extreme| {
        let purpose = match extreme.value {
            Value::Infinite => Purpose::Grows,
            Value::Approached(_) => Purpose::Approaches,
            Value::Attained(_) | Value::None => Purpose::Attains,
        };
        extreme.witness.as_ref().map(|witness| RunView { trace_builder, purpose, witness })
    };
    let ends = |found: &'a Measured| [&found.low, &found.high].map(|it| it.as_ref().and_then(extreme));
    Runs {
        trace: answer.witness.as_ref().map(view),
        several: answer.several.iter().flat_map(|several| several.witnesses.iter().map(view)).collect(),
        values: answer.values.iter().map(ends).collect(),
    }
}

/// An answer with its runs.
fn with_runs(mut finding: AnswerSummary, runs: &Runs<'_>) -> AnswerSummary {
    let told = |run: &RunView<'_>| run.trace();
    finding.trace = runs.trace.as_ref().map(told);
    if let Some(several) = &mut finding.several {
        several.traces = runs.several.iter().map(told).collect();
    }
    for (measure, [low, high]) in finding.values.iter_mut().zip(&runs.values) {
        for (extreme, run) in [(&mut measure.low, low), (&mut measure.high, high)] {
            if let Some(extreme) = extreme {
                extreme.trace = run.as_ref().map(told);
            }
        }
    }
    finding
}

fn measures(query: Option<&Query>) -> &[Measure] {
    match query.map(|query| &query.kind) {
        Some(QueryKind::Bounds { measures, .. }) => measures,
        _ => &[],
    }
}

fn query_place(query: &Query, sources: &SourceMap) -> String {
    if query.span.is_empty() {
        // The query was made from labels and has no source position.
        return "command line".to_owned();
    }
    let place = source_place(sources, query.span);
    place.element.unwrap_or_else(|| format!("line {}", place.line))
}
