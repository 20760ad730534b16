//! Checking a loaded model: from a request to a report.
//!
//! Which questions are asked, in which way and within which limits is the request's; the engine answers, and what it
//! says is turned into plain data here, with the names and places of the model. What is wrong with the model and
//! shows only at run time becomes a diagnostic like all others, and the run that leads there is in the report.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tourbillon_base::{Diagnostic, Diagnostics, SourceMap};
use tourbillon_check::{
    Answer, Engine, Extreme, Job, Limits, Measured, Plan, PlanRequest, PrepareError, Progress, RuntimeError,
    Value, Verdict, Why, Witness, broken_at_start,
};
use tourbillon_cluster::RankStats;
use tourbillon_model::{
    Action, CellKind, ChannelKind, ChannelPlace, EvalErrorKind, Measure, Model, Query, QueryKind,
};

use crate::cluster::{Cluster, check_on_cluster};
use crate::labels::{with_accepting, with_labels};
use crate::load::Loaded;
use crate::report::{
    Cause, ExtremeSummary, Finding, MeasureSummary, ModelSummary, QuerySummary, Report, Sense,
    SeveralSummary, sentence_of,
};
use crate::trace::{Purpose, RunView, TraceBuilder, source_place};
use crate::{codes, engine};

/// What is asked, and how.
#[derive(Clone, Default, Debug)]
pub struct Request<'a> {
    /// What is asked.
    pub question: Question,
    /// How it is to be answered; what is left open is chosen.
    pub plan_request: PlanRequest,
    /// Within what.
    pub limits: Limits,
    /// A flag that ends it early.
    pub stop: Option<&'a Arc<AtomicBool>>,
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Question {
    /// All queries that were loaded with the model.
    #[default]
    Queries,
    /// Some of them, by their numbers from 0 on.
    Some(Vec<usize>),
    /// Whether a state can be reached that carries all of these labels.
    Labels(Vec<String>),
    /// Whether there is a run that comes back, again and again, to states that carry all labels of a set; to those of
    /// each set, if there are several.
    Accepting(Vec<Vec<String>>),
    /// Nothing: everything is visited and counted.
    Exploration,
}

/// Why there is no report.
#[derive(Clone, Debug)]
pub enum CheckError {
    /// The model is wrong.
    Model(Diagnostics),
    /// What was asked for is not possible.
    Request(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(diagnostics) => {
                let messages: Vec<&str> = diagnostics.iter().map(|it| it.message.as_str()).collect();
                f.write_str(&messages.join("\n"))
            }
            Self::Request(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for CheckError {}

impl From<PrepareError> for CheckError {
    fn from(error: PrepareError) -> Self {
        match error {
            PrepareError::Model { span, message } => {
                let mut diagnostics = Diagnostics::default();
                diagnostics.push(Diagnostic::error(codes::NOT_FOR_ZONES, span, message));
                Self::Model(diagnostics)
            }
            PrepareError::Plan(refusal) => Self::Request(refusal.to_string()),
        }
    }
}

/// Answers what is asked of a model. `observe` is called now and then. If several ranks are to search, there is one for each
/// core, as threads; for others see [`check_on_cluster`].
///
/// ```
/// use tourbillon::{Request, Verdict, check, load_with_queries};
///
/// let text = b"clock x; process P() { state A { x < 3 }, B; init A; trans A -> B { guard x > 2; }; } system P;";
/// let loaded = load_with_queries("p.xta", text, [("p.q", b"E<> P.B\n".as_slice())]);
/// let report = check(&loaded, &Request::default(), &mut |_| {})?;
/// assert_eq!(report.results[0].verdict, Verdict::Satisfied);
/// let run = report.results[0].trace.as_ref().expect("a witness");
/// assert_eq!(run.steps[0].delay.to_string(), "5/2");
/// # Ok::<(), tourbillon::CheckError>(())
/// ```
///
/// # Errors
/// If the model is wrong, or what is asked for is not possible.
pub fn check(
    loaded: &Loaded,
    request: &Request<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Report, CheckError> {
    if request.plan_request.engine == Engine::Cluster {
        let report = check_on_cluster(loaded, request, &Cluster::default(), observe)?;
        return Ok(report.expect("the first of several threads is this one"));
    }
    with_job(loaded, request, |job, model| {
        let mut answers = Vec::new();
        answer_each(job, request.plan_request.engine, observe, &mut |answer| {
            answers.push((answer, Vec::new()))
        })?;
        answers.sort_by_key(|(answer, _)| answer.query);
        Ok(report(model, loaded.sources(), answers))
    })
}

/// Answers what is asked of a model, and hands each answer on as soon as it is known, without keeping it. Answers come in the
/// order in which they are found, which need not be that of the queries. If several ranks are to search see
/// [`check_each_on_cluster`](crate::check_each_on_cluster).
///
/// # Errors
/// As [`check`]. Answers that were given before stand.
pub fn check_each(
    loaded: &Loaded,
    request: &Request<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(&GivenAnswer<'_>),
) -> Result<(), CheckError> {
    with_job(loaded, request, |job, model| {
        let mut giver = Giver::new(model, loaded.sources());
        let mut give = |answer: Answer| giver.give(&answer, Vec::new(), answered);
        Ok(answer_each(job, request.plan_request.engine, observe, &mut give)?)
    })
}

/// Answers by the engine that is asked for, or is best.
fn answer_each(
    job: &Job<'_>,
    engine: Engine,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), PrepareError> {
    if engine == Engine::Symbolic {
        tourbillon_symbolic::check_each(job, observe, answered)
    } else if engine::choose(job, observe, answered)? {
        Ok(())
    } else {
        tourbillon_check::check_each(job, observe, answered)
    }
}

/// What is asked of a model: how large it is, and each question; none for a full exploration.
///
/// # Errors
/// If the model is wrong, or what is asked for is not possible.
pub fn questions(
    loaded: &Loaded,
    request: &Request<'_>,
) -> Result<(ModelSummary, Vec<Option<QuerySummary>>), CheckError> {
    with_job(loaded, request, |job, model| {
        let summary_of = |&index: &usize| Some(query_summary(model, index, loaded.sources()));
        let questions = job.queries.map_or_else(|| vec![None], |all| all.iter().map(summary_of).collect());
        Ok((summary(model), questions))
    })
}

/// An answer as it is given.
#[derive(Debug)]
pub struct GivenAnswer<'a> {
    /// The answer, without runs.
    pub finding: &'a Finding,
    /// Its runs.
    pub runs: &'a Runs<'a>,
    /// What it shows to be wrong with the model, that no answer before it did.
    pub diagnostics: &'a Diagnostics,
}

/// The runs of an answer.
#[derive(Clone, Default, Debug)]
pub struct Runs<'a> {
    /// A run that shows it.
    pub trace: Option<RunView<'a>>,
    /// Runs along different paths, if several were asked for; the first is the one above.
    pub several: Vec<RunView<'a>>,
    /// For each measure, runs to its least and its greatest value.
    pub values: Vec<[Option<RunView<'a>>; 2]>,
}

/// Makes of answers what is given.
pub(crate) struct Giver<'a> {
    model: &'a Model,
    sources: &'a SourceMap,
    trace_builder: TraceBuilder<'a>,
    told: Diagnostics,
    answered: Answered,
}

impl<'a> Giver<'a> {
    pub(crate) fn new(model: &'a Model, sources: &'a SourceMap) -> Self {
        let (trace_builder, told, answered) =
            (TraceBuilder::new(model, sources), Diagnostics::default(), Answered::default());
        Self { model, sources, trace_builder, told, answered }
    }

    pub(crate) fn give(
        &mut self,
        answer: &Answer,
        ranks: Vec<RankStats>,
        answered: &mut dyn FnMut(&GivenAnswer<'_>),
    ) {
        let before = self.told.iter().count();
        tell_of(self.model, answer, &mut self.told);
        let mut diagnostics = Diagnostics::default();
        self.told.iter().skip(before).for_each(|told| diagnostics.push(told.clone()));
        let mut finding = Finding { ranks, ..finding(self.model, self.sources, answer) };
        self.answered.note(&finding);
        self.answered.tell(&mut finding);
        let runs = runs(&self.trace_builder, self.model, answer);
        answered(&GivenAnswer { finding: &finding, runs: &runs, diagnostics: &diagnostics });
    }
}

/// What an answer shows to be wrong with the model.
fn tell_of(model: &Model, answer: &Answer, diagnostics: &mut Diagnostics) {
    match &answer.why {
        Why::Complete if answer.stats.stored == 0 => tell_no_state(model, diagnostics),
        Why::Failed(error) => tell_failure(model, error, answer.witness.is_some(), diagnostics),
        Why::MayFail(error) => tell_doubt(model, error, diagnostics),
        Why::TooMany(error) => tell_too_many(model, error, diagnostics),
        _ => {}
    }
}

/// How each question would be answered, without answering it: the text of the query, none for a full exploration, and
/// the plan. Questions that are not answered at all are left out.
///
/// # Errors
/// As [`check`].
pub fn plans(loaded: &Loaded, request: &Request<'_>) -> Result<Vec<(Option<String>, Plan)>, CheckError> {
    with_job(loaded, request, |job, model| {
        let plans = tourbillon_check::planned(job)?;
        Ok(plans
            .into_iter()
            .map(|(query, plan)| (query.map(|index| model.queries[index].text.clone()), plan))
            .collect())
    })
}

pub(crate) fn with_job<T>(
    loaded: &Loaded,
    request: &Request<'_>,
    run: impl FnOnce(&Job<'_>, &Model) -> Result<T, CheckError>,
) -> Result<T, CheckError> {
    let Some(model) = &loaded.model else { return Err(CheckError::Model(loaded.diagnostics.clone())) };
    if let Some(overflow) = request.plan_request.overflow.filter(|&overflow| overflow != model.overflow) {
        let (asked, read) = (overflow.name(), model.overflow.name());
        return Err(CheckError::Request(format!("the model was read with --overflow {read}, not {asked}")));
    }
    let labelled;
    let (model, queries): (_, Option<Vec<usize>>) = match &request.question {
        Question::Queries => (model, Some((0..model.queries.len()).collect())),
        Question::Some(queries) => {
            if let Some(query) = queries.iter().find(|&&query| query >= model.queries.len()) {
                return Err(CheckError::Request(format!("there is no query {}", query + 1)));
            }
            (model, Some(queries.clone()))
        }
        Question::Exploration => (model, None),
        Question::Labels(labels) => {
            labelled = with_labels(model, labels).map_err(CheckError::Request)?;
            (&labelled, Some(vec![0]))
        }
        Question::Accepting(sets) => {
            labelled = with_accepting(model, sets).map_err(CheckError::Request)?;
            (&labelled, Some(vec![0]))
        }
    };
    let Request { plan_request, limits, stop, .. } = request;
    run(&Job { model, queries: queries.as_deref(), plan_request, limits: *limits, stop: *stop }, model)
}

/// What is reported of answers, and of what each rank did for them.
pub(crate) fn report(model: &Model, sources: &SourceMap, answers: Vec<(Answer, Vec<RankStats>)>) -> Report {
    let trace_builder = TraceBuilder::new(model, sources);
    let mut diagnostics = Diagnostics::default();
    let mut results: Vec<Finding> = answers
        .into_iter()
        .map(|(answer, ranks)| {
            tell_of(model, &answer, &mut diagnostics);
            let runs = runs(&trace_builder, model, &answer);
            with_runs(Finding { ranks, ..finding(model, sources, &answer) }, &runs)
        })
        .collect();
    let mut answered = Answered::default();
    results.iter().for_each(|result| answered.note(result));
    results.iter_mut().for_each(|result| answered.tell(result));
    Report {
        model: summary(model),
        plan: results.iter().find_map(|result| result.plan.clone()),
        results,
        diagnostics,
        peak_rss_bytes: None,
    }
}

/// The queries that are answered although the model fails.
#[derive(Default)]
struct Answered {
    /// The first of them.
    named: Vec<String>,
    /// How many others there are.
    more: usize,
}

impl Answered {
    /// How many are named.
    const NAMED: usize = 3;

    fn note(&mut self, result: &Finding) {
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

    /// Lets a query that is open because the model fails say which others are answered.
    fn tell(&self, result: &mut Finding) {
        if self.named.is_empty() || !matches!(result.reason, Cause::ModelFails | Cause::ModelMayFail) {
            return;
        }
        let more = if self.more == 0 { String::new() } else { format!(" and {} more", self.more) };
        result.why.push_str(&format!("; answered all the same: {}{more}", self.named.join(", ")));
    }
}

/// What a model is called, and how large it is.
pub(crate) fn summary(model: &Model) -> ModelSummary {
    ModelSummary {
        name: model.name.clone(),
        processes: model.processes.len(),
        clocks: model.clocks.len(),
        variables: model.cells.iter().filter(|cell| cell.kind == CellKind::State).count(),
    }
}

/// Without any state every answer is empty: nobody means that.
pub(crate) fn tell_no_state(model: &Model, diagnostics: &mut Diagnostics) {
    let Some((process, location)) = broken_at_start(model) else { return };
    let process = &model.processes[process];
    let location = &process.locations[location];
    let message = format!(
        "`{}` begins at `{}`, whose invariant does not hold then: the model has no state at all",
        process.name, location.name
    );
    tell_once(Diagnostic::warning(codes::NO_INITIAL_STATE, location.span, message), diagnostics);
}

/// Questions that share a search share its failures: each is told once.
pub(crate) fn tell_failure(
    model: &Model,
    error: &RuntimeError,
    has_run: bool,
    diagnostics: &mut Diagnostics,
) {
    let message = format!("the model fails here at run time: {}", error.kind.explain(model));
    let mut failure = Diagnostic::error(codes::run_time(error.kind), error.span, message);
    if let EvalErrorKind::NegativeClock { source: Some(source), value, .. } = error.kind {
        let (name, least) = (&model.clocks[source].name, i64::from(value).abs());
        failure = failure.help(format!("guard the edge with `{name} >= {least}`"));
    }
    if has_run {
        failure = failure.help("the report has a run that leads there");
    }
    if let Some(remedy) = codes::remedy(error.kind) {
        failure = failure.help(remedy);
    }
    tell_once(failure, diagnostics);
}

/// A failure that only an over-approximation knows of is no mistake of the model until a run shows it.
pub(crate) fn tell_doubt(model: &Model, error: &RuntimeError, diagnostics: &mut Diagnostics) {
    let message = format!("the model may fail here at run time: {}", error.kind.explain(model));
    let mut doubt = Diagnostic::warning(codes::run_time(error.kind), error.span, message)
        .help("clocks that stand still are over-approximated, so that this is not certain");
    if let Some(remedy) = codes::remedy(error.kind) {
        doubt = doubt.help(remedy);
    }
    tell_once(doubt, diagnostics);
}

/// Work that cannot be finished is no mistake of the model.
pub(crate) fn tell_too_many(model: &Model, error: &RuntimeError, diagnostics: &mut Diagnostics) {
    let told = Diagnostic::warning(codes::run_time(error.kind), error.span, too_many(model, error));
    tell_once(told, diagnostics);
}

/// What has too many combinations, and how many: of an edge by its channel.
pub(crate) fn too_many(model: &Model, error: &RuntimeError) -> String {
    let edges =
        || model.processes.iter().flat_map(|process| process.edges.iter().map(move |it| (process, it)));
    let Some((process, edge)) = edges().find(|(_, edge)| edge.span == error.span) else {
        return error.kind.to_string();
    };
    let channel = |place: &ChannelPlace| {
        let name = &model.channels[place.first].name;
        name.split('[').next().unwrap_or(name).to_owned()
    };
    let what = match &edge.action {
        Action::Send(place) if model.channels[place.first].kind == ChannelKind::Broadcast => {
            format!("the broadcast on `{}`", channel(place))
        }
        Action::Send(place) => format!("sending on `{}`", channel(place)),
        Action::Receive(place) => format!("receiving on `{}`", channel(place)),
        Action::Event(event) => format!("the event `{}`", model.events[*event].name),
        Action::Internal => "an edge".to_owned(),
    };
    format!("{what} of `{}` has {}", process.name, error.kind)
}

fn tell_once(told: Diagnostic, diagnostics: &mut Diagnostics) {
    let same = |known: &Diagnostic| (known.code, known.primary) == (told.code, told.primary);
    if !diagnostics.iter().any(same) {
        diagnostics.push(told);
    }
}

/// An answer without its runs.
fn finding(model: &Model, sources: &SourceMap, answer: &Answer) -> Finding {
    let query = answer.query.map(|index| &model.queries[index]);
    let sense = query.map(|query| Sense::of(&query.kind));
    let refused = query.is_some_and(|query| query.kind == QueryKind::Refused);
    let extreme = |it: &Extreme| ExtremeSummary { value: it.value, known: it.known, trace: None };
    Finding {
        query: answer.query.map(|index| query_summary(model, index, sources)),
        verdict: answer.verdict,
        reason: if refused { Cause::Refused } else { Cause::of(&answer.why) },
        why: match &answer.why {
            Why::TooMany(error) => too_many(model, error),
            why => sentence_of(model, why, sense),
        },
        plan: answer.plan.clone(),
        stats: answer.stats,
        ranks: Vec::new(),
        time: answer.time,
        mixture: answer.mixture,
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
    }
}

fn query_summary(model: &Model, number: usize, sources: &SourceMap) -> QuerySummary {
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
fn with_runs(mut finding: Finding, runs: &Runs<'_>) -> Finding {
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
        // Nobody wrote it: it was made from labels.
        return "command line".to_owned();
    }
    let place = source_place(sources, query.span);
    place.element.unwrap_or_else(|| format!("line {}", place.line))
}
