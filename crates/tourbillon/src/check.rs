//! Checking a loaded model: from a request to a report.
//!
//! The request has the properties, the plan and the limits. An engine answers (`engine.rs`). Its answers become plain
//! data with the names and source positions of the model (`answered.rs`), and diagnostics (`diagnose.rs`).

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tourbillon_base::{Diagnostic, Diagnostics};
use tourbillon_check::{Answer, Job, Limits, Plan, PlanRequest, PrepareError, Progress, limits_left};

use crate::answered::{AnswerReporter, GivenAnswer, query_summary, report, summary};
use crate::cache::{Cache, KnownAnswers};
use crate::certify::{CertifyRequest, certify_answer};
use crate::cluster::Cluster;
use crate::labels::{with_accepting, with_labels};
use crate::load::Loaded;
use crate::report::{ModelSummary, QuerySummary, Report};
use crate::{codes, engine};

/// What to check, by which plan, and within which limits.
#[derive(Clone, Default, Debug)]
pub struct Request<'a> {
    pub queries: QuerySelection,
    /// The plan options; the planner chooses those that are not given.
    pub plan_request: PlanRequest,
    pub limits: Limits,
    /// Stops the search when it is set.
    pub stop: Option<&'a Arc<AtomicBool>>,
    /// The ranks of a distributed search; by default a thread for each core.
    pub cluster: Cluster<'a>,
    /// Whether answers by exhaustion are checked with their certificates.
    pub certify: bool,
    /// Answers of earlier checks. The plan must have certificates, of states that zones include and without transient states.
    pub cache: Option<Cache<'a>>,
}

/// The properties to check.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum QuerySelection {
    /// All queries of the loaded model.
    #[default]
    Queries,
    /// Some of these queries, by index.
    Some(Vec<usize>),
    /// Whether a state is reachable that has all of these labels.
    Labels(Vec<String>),
    /// Büchi acceptance: whether a run visits states with all labels of each set infinitely often.
    Accepting(Vec<Vec<String>>),
    /// No property: the whole state space is explored.
    Exploration,
}

/// Why there is no report.
#[derive(Clone, Debug)]
pub enum CheckError {
    /// The model is wrong.
    Model(Diagnostics),
    /// The request cannot be executed.
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

/// Checks the properties of a request. `observe` is called from time to time with the progress. On ranks of a cluster
/// other than the first, the report has no results.
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
    with_job(loaded, request, |job| {
        let mut answers = Vec::new();
        answer_each(job, request, observe, &mut |answer| answers.push(answer))?;
        answers.sort_by_key(|answer| answer.query);
        Ok(report(job.model, loaded.sources(), &answers))
    })
}

/// Checks the properties of a request and passes each answer on as soon as it is known, without storing it. Answers
/// come in the order in which they are found, not in the order of the queries. Returns whether this process has
/// answers: ranks of a cluster other than the first have none.
///
/// # Errors
/// As [`check`]. Answers that were given before stand.
pub fn check_each(
    loaded: &Loaded,
    request: &Request<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(&GivenAnswer<'_>),
) -> Result<bool, CheckError> {
    with_job(loaded, request, |job| {
        let mut reporter = AnswerReporter::new(job.model, loaded.sources());
        let mut give = |answer: Answer| reporter.give(&answer, answered);
        Ok(answer_each(job, request, observe, &mut give)?)
    })
}

/// Answers the queries of a job: from the cache, if there is one and the model is unchanged, else by a search. Answers are certified, if that
/// is requested. Returns whether this process has answers.
fn answer_each(
    job: &Job<'_>,
    request: &Request<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<bool, PrepareError> {
    let threads = request.plan_request.threads.map(|threads| threads as usize);
    let started = Instant::now();
    let certify_request =
        || CertifyRequest { threads, limits: limits_left(request.limits, started), stop: request.stop };
    let certify = request.certify.then(certify_request);
    let cache = request.cache.filter(|_| job.queries.is_some());
    let KnownAnswers { answers, open, candidates } =
        cache.map_or_else(KnownAnswers::default, |cache| cache.known(job, certify.as_ref()));
    answers.into_iter().for_each(&mut *answered);
    if cache.is_some() && open.is_empty() {
        return Ok(true);
    }
    let job = Job { queries: if cache.is_some() { Some(&open) } else { job.queries }, ..*job };
    engine::check_each(&job, &request.cluster, &candidates, observe, &mut |mut answer| {
        if request.certify {
            certify_answer(job.model, &mut answer, &certify_request());
        }
        if let Some(cache) = &cache {
            cache.keep(job.model, &answer);
        }
        answered(answer);
    })
}

/// The size of the model, and the queries of a request; `None` stands for a full exploration.
///
/// # Errors
/// If the model is wrong, or what is asked for is not possible.
pub fn query_summaries(
    loaded: &Loaded,
    request: &Request<'_>,
) -> Result<(ModelSummary, Vec<Option<QuerySummary>>), CheckError> {
    with_job(loaded, request, |job| {
        let summary_of = |&index: &usize| Some(query_summary(job.model, index, loaded.sources()));
        let query_summaries =
            job.queries.map_or_else(|| vec![None], |all| all.iter().map(summary_of).collect());
        Ok((summary(job.model), query_summaries))
    })
}

/// The plan of each query of a request, without a search. The query is `None` for a full exploration. Queries that are
/// not supported are omitted.
///
/// # Errors
/// As [`check`].
pub fn plans(loaded: &Loaded, request: &Request<'_>) -> Result<Vec<(Option<String>, Plan)>, CheckError> {
    with_job(loaded, request, |job| {
        let plans = tourbillon_check::planned(job)?;
        Ok(plans
            .into_iter()
            .map(|(query, plan)| (query.map(|index| job.model.queries[index].text.clone()), plan))
            .collect())
    })
}

pub(crate) fn with_job<T>(
    loaded: &Loaded,
    request: &Request<'_>,
    run: impl FnOnce(&Job<'_>) -> Result<T, CheckError>,
) -> Result<T, CheckError> {
    let Some(model) = &loaded.model else { return Err(CheckError::Model(loaded.diagnostics.clone())) };
    if let Some(overflow) = request.plan_request.overflow.filter(|&overflow| overflow != model.overflow) {
        let (asked, read) = (overflow.name(), model.overflow.name());
        return Err(CheckError::Request(format!("the model was read with --overflow {read}, not {asked}")));
    }
    let labelled;
    let (model, queries): (_, Option<Vec<usize>>) = match &request.queries {
        QuerySelection::Queries => (model, Some((0..model.queries.len()).collect())),
        QuerySelection::Some(queries) => {
            if let Some(query) = queries.iter().find(|&&query| query >= model.queries.len()) {
                return Err(CheckError::Request(format!("there is no query {}", query + 1)));
            }
            (model, Some(queries.clone()))
        }
        QuerySelection::Exploration => (model, None),
        QuerySelection::Labels(labels) => {
            labelled = with_labels(model, labels).map_err(CheckError::Request)?;
            (&labelled, Some(vec![0]))
        }
        QuerySelection::Accepting(sets) => {
            labelled = with_accepting(model, sets).map_err(CheckError::Request)?;
            (&labelled, Some(vec![0]))
        }
    };
    let Request { plan_request, limits, stop, .. } = request;
    run(&Job { model, queries: queries.as_deref(), plan_request, limits: *limits, stop: *stop })
}
