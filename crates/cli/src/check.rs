//! `tourbillon check` and `tourbillon explore`: from a model to a report and an exit status.

use std::cell::RefCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use tourbillon::{
    Cache, Cancellation, Cause, CertificateFile, CheckError, Committed, Cover, Diagnostics, GivenAnswer,
    Limits, Loaded, Mpi, Plan, PlanRequest, Progress, QuerySelection, Report, Request, Runs, check_each,
    lost_on_cluster, plans, query_summaries,
};

use crate::answers::AnswerWriter;
use crate::cache::CertificateFolder;
use crate::input::{Files, ModelFile};
use crate::lint::LintTask;
use crate::options::PlanOptions;
use crate::progress::ProgressLine;
use crate::render::Format;
use crate::watchdog::{self, Phase, Watchdog};
use crate::{Failure, cluster, fault, interrupt, lint, quantity, render, report};

/// The arguments of `tourbillon check`.
#[derive(clap::Args)]
#[command(after_help = "`check --help` shows all options, in groups.")]
#[command(after_long_help = "")]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    queries: QueryOptions,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    certificate: CertificateOptions,
    #[command(flatten)]
    report: ReportOptions,
}

/// The arguments of `tourbillon explore`.
#[derive(clap::Args)]
#[command(after_help = "`explore --help` shows all options, in groups.")]
#[command(after_long_help = "")]
pub(crate) struct ExploreArguments {
    #[command(flatten)]
    model: ModelFile,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    report: ReportOptions,
}

/// The arguments of `tourbillon debug plan`.
#[derive(clap::Args)]
pub(crate) struct PlanArguments {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    queries: QueryOptions,
    #[command(flatten)]
    plan: PlanOptions,
}

#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Queries")]
pub(crate) struct QueryOptions {
    /// Query to check instead of those in the model; may be repeated
    #[arg(short, long = "query", value_name = "QUERY")]
    query: Vec<String>,
    /// Reachability of a state that has all of these labels
    #[arg(long, value_delimiter = ',', value_name = "LABELS", conflicts_with = "query")]
    labels: Vec<String>,
    /// Büchi acceptance: a run that visits states with all of these labels infinitely often; each repetition adds an
    /// acceptance set
    #[arg(long, value_name = "LABELS", conflicts_with_all = ["query", "labels"], hide_short_help = true)]
    accepting: Vec<String>,
    // `explore` and `lint` were options of `check` before they were commands.
    #[arg(long, hide = true, conflicts_with_all = ["query", "labels", "accepting", "traces"])]
    explore: bool,
    #[arg(long, hide = true, conflicts_with_all = ["query", "labels", "accepting", "explore", "traces"])]
    sanity: bool,
}

/// Options of commands that search.
#[derive(clap::Args)]
struct SearchArguments {
    #[command(flatten)]
    plan: PlanOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    ranks: cluster::RankOptions,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitOptions {
    /// Stop when this much memory is allocated, such as 500M or 4G; on a cluster of processes, in each of them
    #[arg(long, value_parser = quantity::bytes, value_name = "BYTES")]
    memory_limit: Option<u64>,
    /// Stop when this much time has passed since the command started, such as 60s or 2h
    #[arg(long, value_parser = quantity::time, value_name = "TIME")]
    time_limit: Option<Duration>,
    /// Stop when this many states are stored
    #[arg(long, value_name = "N", hide_short_help = true)]
    state_limit: Option<u64>,
}

impl LimitOptions {
    pub(crate) fn limits(&self) -> Limits {
        let &Self { memory_limit, time_limit, state_limit } = self;
        Limits { states: state_limit, memory_bytes: memory_limit, time: time_limit }
    }
}

#[derive(clap::Args, Clone, Copy)]
#[command(next_help_heading = "Report")]
struct ReportOptions {
    /// Report format
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    /// Print the plan of each search with its reasons
    #[arg(long)]
    explain_plan: bool,
    /// Print all statistics of each search
    #[arg(long)]
    stats: bool,
    /// Print long traces in full on terminals too
    #[arg(long, hide_short_help = true)]
    full_trace: bool,
}

#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Certificates")]
struct CertificateOptions {
    /// Write a certificate of all answers by exhaustion to this file; `certify` checks it
    #[arg(long, value_name = "FILE", conflicts_with = "explore", hide_short_help = true)]
    certificate: Option<PathBuf>,
    /// Check the certificate of each answer by exhaustion at once, by an independent checker
    #[arg(long, conflicts_with = "explore", hide_short_help = true)]
    certify: bool,
    /// Keep certificates in this folder: an unchanged model is answered at once, a changed one from the states of the last check
    #[arg(long, value_name = "DIR", conflicts_with = "explore", hide_short_help = true)]
    cache: Option<PathBuf>,
}

impl CertificateOptions {
    /// The request of plan options with what certificates need.
    fn applied(&self, plan_request: PlanRequest) -> PlanRequest {
        match self {
            Self { cache: Some(_), .. } => reusable(plan_request),
            Self { certify: false, certificate: None, .. } => plan_request,
            _ => PlanRequest { certificate: true, ..plan_request },
        }
    }
}

/// With certificates whose states can be reused after an edit: closed by inclusion, with all transient states.
pub(crate) fn reusable(plan_request: PlanRequest) -> PlanRequest {
    let cover = plan_request.cover.or(Some(Cover::Inclusion));
    let store = plan_request.store.or(Some(Committed::Stored));
    PlanRequest { certificate: true, cover, store, ..plan_request }
}

/// The form of a report.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    #[default]
    Text,
    /// For programs, as documented in docs/json.md
    Json,
    /// JSON lines: one line for each answer, as soon as it is known
    Jsonl,
    /// In the style of verifyta, for scripts that read its output
    Verifyta,
}

/// Some query is violated.
pub(crate) const VIOLATED: u8 = 1;
/// Some verdict is unknown, and none is violated.
pub(crate) const UNKNOWN: u8 = 3;

/// A model, queries, and how they are checked.
struct CheckTask<'a> {
    files: &'a Files,
    queries: &'a QueryOptions,
    search: &'a SearchArguments,
    certificate: &'a CertificateOptions,
    report: ReportOptions,
}

/// Runs `tourbillon check`. Answers are written as they come; returns the exit status.
pub(crate) fn run(arguments: &CheckArguments, started: Instant) -> Result<(String, u8), Failure> {
    let CheckArguments { files, queries, search, certificate, report } = arguments;
    if queries.sanity {
        return lint::run_task(&lint_task(arguments)?, started);
    }
    let report = *report;
    CheckTask { files, queries, search, certificate, report }.run(started)
}

pub(crate) fn explore(arguments: &ExploreArguments, started: Instant) -> Result<(String, u8), Failure> {
    let (files, queries) = explored(arguments);
    let (search, report) = (&arguments.search, arguments.report);
    let certificate = &CertificateOptions::default();
    CheckTask { files: &files, queries: &queries, search, certificate, report }.run(started)
}

fn explored(arguments: &ExploreArguments) -> (Files, QueryOptions) {
    let files = Files::without_queries(arguments.model.clone());
    (files, QueryOptions { explore: true, ..QueryOptions::default() })
}

/// `check --sanity` as a task of `lint`.
fn lint_task(arguments: &CheckArguments) -> Result<LintTask<'_>, Failure> {
    let CheckArguments { files, search, report, .. } = arguments;
    let format = report.format.of_messages();
    if matches!(report.format, ReportFormat::Verifyta | ReportFormat::Jsonl) {
        let message = "lint writes one report, as text or JSON: use --format text or json".to_owned();
        return Err(render::failure(message.into(), format));
    }
    if report.stats {
        return Err(render::failure("lint has no --stats".to_owned().into(), format));
    }
    cluster::world(search.plan.is_cluster(), &search.ranks)?;
    let SearchArguments { plan, limits, .. } = search;
    Ok(LintTask { files, plan, limits, format, detail: report.detail() })
}

impl CheckTask<'_> {
    fn run(&self, started: Instant) -> Result<(String, u8), Failure> {
        self.check(started).map_err(|failure| render::failure(failure, self.report.format.of_messages()))
    }

    fn check(&self, started: Instant) -> Result<(String, u8), Failure> {
        let format = self.report.format;
        let SearchArguments { plan, ranks, .. } = self.search;
        let world = cluster::world(plan.is_cluster(), ranks)?;
        let stop = interrupt::flag();
        if world.is_some() {
            interrupt::heed_mpirun(&stop);
        }
        let launched = ranks.launcher().map(|launcher| cluster::launch(launcher, &stop)).transpose()?;
        let loss = match launched {
            // The first rank has written the report.
            Some(cluster::LaunchOutcome::Ended { output, said, status }) => {
                render::say(&said);
                return Ok((output, status));
            }
            Some(cluster::LaunchOutcome::Lost(loss)) => Some(loss),
            None => None,
        };
        let answers = AnswerWriter::new(format, self.report.detail(), Arc::clone(&stop));
        let answers = Arc::new(Mutex::new(answers));
        let limits = self.search.limits.limits();
        // Ranks that are processes end together, by MPI.
        let watchdog = world.is_none().then(|| watchdog::watch(started, limits, &stop, &answers));
        let _installed = cancellation(limits).install();
        let (loaded, queries) = prepare(self.files, self.queries, format.of_messages())?;
        if queries == QuerySelection::Exploration && plan.asks_for_several_traces() {
            return Err("--traces needs a query: an exploration has no traces".to_owned().into());
        }
        let overflow = self.files.overflow();
        let plan_request = PlanRequest { overflow, ..plan.plan_request_for(&loaded)? };
        let plan_request = self.certificate.applied(plan_request);
        let folder = self.certificate.cache.as_deref().map(CertificateFolder::new).transpose()?;
        let (name, text) = (self.files.name(), self.files.text()?);
        let cache = folder.as_ref().map(|store| Cache { store, name: &name, text: &text });
        let cluster = cluster::cluster(world.as_ref(), ranks);
        let certify = self.certificate.certify;
        let mut request =
            Request { queries, plan_request, limits, stop: Some(&stop), cluster, certify, cache };
        let failed = |error| render::check_error(error, &loaded, format.of_messages());
        let asked = query_summaries(&loaded, &request).map_err(failed)?;
        lock(&answers).begin(&loaded, asked);
        if let Some(loss) = &loss {
            let report = lost_on_cluster(&loaded, &request, loss.rank, &loss.how).map_err(failed)?;
            give_all(&mut lock(&answers), &loaded, &report);
        } else {
            request.limits.time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
            let mut file = CertificateFile::default();
            match Self::search(&loaded, &request, world.as_ref(), &answers, &mut file) {
                SearchEnd::Done(Ok(true)) => {}
                // Ranks other than the first have nothing to report.
                SearchEnd::Done(Ok(false)) => return Ok((String::new(), 0)),
                SearchEnd::Done(Err(error)) => return Err(failed(error)),
                SearchEnd::OutOfMemory => {
                    let status = lock(&answers).give_up(Cause::MemoryRefused, watchdog::doing());
                    return Ok((String::new(), status));
                }
            }
            if let Some(path) = &self.certificate.certificate {
                lock(&answers).note_certificate(write_certificate(path, &loaded, &file)?);
            }
        }
        finish(&answers, watchdog)
    }

    /// Answers all queries. Returns whether this process reports.
    fn search(
        loaded: &Loaded,
        request: &Request<'_>,
        world: Option<&Mpi>,
        answers: &Mutex<AnswerWriter>,
        file: &mut CertificateFile,
    ) -> SearchEnd {
        watchdog::enter(Phase::Compiling);
        let progress = RefCell::new(ProgressLine::new());
        let mut observe = |now: &Progress| {
            watchdog::enter(Phase::Searching);
            progress.borrow_mut().update(now);
        };
        let mut give = |given: &GivenAnswer<'_>| {
            watchdog::enter(Phase::Reporting);
            progress.borrow_mut().clear();
            if let (Some(query), Some(certificate)) = (&given.finding.query, &given.finding.certificate) {
                file.add(&query.text, certificate);
            }
            lock(answers).give(given, loaded.sources());
            watchdog::enter(Phase::Compiling);
        };
        let mut work = || cluster::guarded(world, || check_each(loaded, request, &mut observe, &mut give));
        match catch_unwind(AssertUnwindSafe(&mut work)) {
            Ok(checked) => SearchEnd::Done(checked),
            // Some libraries panic if no thread can be created.
            Err(_) if fault::is_refusal(&fault::last()) => SearchEnd::OutOfMemory,
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// Writes the certificates of all answers to a file. Returns what is said of it.
fn write_certificate(path: &Path, loaded: &Loaded, file: &CertificateFile) -> Result<String, Failure> {
    let (name, claims) = (path.display(), file.claims());
    let Some(model) = loaded.model.as_ref().filter(|_| claims > 0) else {
        return Ok(format!("{name} is not written: no answer has a certificate"));
    };
    let failed = |error: io::Error| Failure::Message(format!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    file.write(model, &mut bytes).and_then(|()| std::fs::write(path, &bytes)).map_err(failed)?;
    let (size, sha256) = (quantity::bytes_text(bytes.len() as u64), tourbillon::sha256(&bytes));
    Ok(format!("certificate: {name}, {size}, {claims} claims, sha256 {sha256}"))
}

/// The end of a search.
enum SearchEnd {
    /// Whether this process reports, or why no search was made.
    Done(Result<bool, CheckError>),
    /// The operating system refused to allocate memory.
    OutOfMemory,
}

/// A cancellation that stops a search when its allocations exceed the memory limit.
pub(crate) fn cancellation(limits: Limits) -> Cancellation {
    let memory_bytes_max = limits.memory_bytes.map(watchdog::allocated_bytes_max);
    Cancellation { memory_bytes_max, ..Cancellation::default() }
}

/// Writes the last lines. Ctrl-C may interrupt it.
fn finish(answers: &Mutex<AnswerWriter>, watchdog: Option<Watchdog>) -> Result<(String, u8), Failure> {
    interrupt::end_at_once();
    let mut answers = lock(answers);
    drop(watchdog);
    answers.finish().map_err(|error| format!("the output cannot be written: {error}"))?;
    Ok((String::new(), answers.status()))
}

fn lock(answers: &Mutex<AnswerWriter>) -> MutexGuard<'_, AnswerWriter> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the report of a cluster that lost a process.
fn give_all(answers: &mut AnswerWriter, loaded: &Loaded, report: &Report) {
    answers.tell(&report.diagnostics, loaded.sources());
    for finding in &report.results {
        let (runs, diagnostics) = (Runs::default(), Diagnostics::default());
        let given = GivenAnswer { finding, runs: &runs, diagnostics: &diagnostics };
        answers.give(&given, loaded.sources());
    }
}

/// Runs `tourbillon debug plan`: the plan of each query, with its reasons.
pub(crate) fn plan(arguments: &PlanArguments) -> Result<String, Failure> {
    if arguments.queries.sanity {
        return Err("debug plan does not show the plan of lint: use lint --explain-plan".to_owned().into());
    }
    let (loaded, plans) = planned(&arguments.files, &arguments.queries, &arguments.plan)?;
    let plans = plans.map_err(|error| render::check_error(error, &loaded, Format::Text))?;
    Ok(report::plans_text(&plans))
}

/// A model with the plan of each query.
type Planned = (Loaded, Result<Vec<(Option<String>, Plan)>, CheckError>);

fn planned(files: &Files, queries: &QueryOptions, options: &PlanOptions) -> Result<Planned, Failure> {
    let (loaded, queries) = prepare(files, queries, Format::Text)?;
    let plan_request = PlanRequest { overflow: files.overflow(), ..options.plan_request_for(&loaded)? };
    let plans = plans(&loaded, &Request { queries, plan_request, ..Request::default() });
    Ok((loaded, plans))
}

/// The plan in one line, for the message about an internal error; `None` if planning fails as well.
fn plan_line(files: &Files, queries: &QueryOptions, options: &PlanOptions) -> Option<String> {
    let plans = planned(files, queries, options).ok()?.1.ok()?;
    plans.first().map(|(_, plan)| report::plan_line(plan))
}

impl CheckArguments {
    /// The name of the model as it was given, for messages.
    pub(crate) fn model(&self) -> String {
        self.files.name()
    }

    pub(crate) fn plan_line(&self) -> Option<String> {
        let is_lint = self.queries.sanity;
        (!is_lint).then(|| plan_line(&self.files, &self.queries, &self.search.plan)).flatten()
    }
}

impl ExploreArguments {
    /// The name of the model as it was given, for messages.
    pub(crate) fn model(&self) -> String {
        self.model.name()
    }

    pub(crate) fn plan_line(&self) -> Option<String> {
        let (files, queries) = explored(self);
        plan_line(&files, &queries, &self.search.plan)
    }
}

/// Loads the model and determines its queries. Diagnostics are written to standard error, or into the report if it is
/// JSON.
fn prepare(
    files: &Files,
    queries: &QueryOptions,
    format: Format,
) -> Result<(Loaded, QuerySelection), Failure> {
    let QueryOptions { query, labels, accepting, explore, .. } = queries;
    if files.is_tchecker() && (files.queries.is_some() || !query.is_empty()) {
        return Err("TChecker's language has no queries: use --labels or --accepting".to_owned().into());
    }
    let own =
        files.queries.is_none() && query.is_empty() && labels.is_empty() && accepting.is_empty() && !explore;
    let loaded = if own { files.load()? } else { files.load_only(query)? };
    if loaded.model.is_none() || format == Format::Text {
        render::tell(&loaded.diagnostics, loaded.sources(), format);
    }
    let Some(model) = &loaded.model else { return Err(Failure::Reported) };
    let queries = if !labels.is_empty() {
        QuerySelection::Labels(labels.clone())
    } else if !accepting.is_empty() {
        let set = |labels: &String| labels.split(',').map(|label| label.trim().to_owned()).collect();
        QuerySelection::Accepting(accepting.iter().map(set).collect())
    } else if *explore {
        QuerySelection::Exploration
    } else if model.queries.is_empty() && !query.is_empty() {
        return Err("the query given by -q is empty".to_owned().into());
    } else if model.queries.is_empty() {
        let how = if files.is_tchecker() { "--labels" } else { "-q or a file of queries" };
        let name = files.name();
        render::say(&format!("note: {name} has no queries and is explored; give queries with {how}\n\n"));
        QuerySelection::Exploration
    } else {
        QuerySelection::Queries
    };
    Ok((loaded, queries))
}

impl ReportOptions {
    fn detail(&self) -> report::ReportDetail {
        report::ReportDetail {
            explain_plan: self.explain_plan,
            stats: self.stats,
            full_trace: self.full_trace || !io::IsTerminal::is_terminal(&io::stdout()),
        }
    }
}

impl ReportFormat {
    /// The format of diagnostics that goes with this report format.
    fn of_messages(self) -> Format {
        if self.is_json() { Format::Json } else { Format::Text }
    }

    /// Whether a program reads the report.
    pub(crate) const fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Jsonl)
    }
}

/// The peak resident memory of this process, if the system reports it.
pub(crate) fn peak_rss_bytes() -> Option<u64> {
    status_bytes("VmHWM:")
}

/// The current resident memory of this process, if the system reports it.
pub(crate) fn rss_bytes() -> Option<u64> {
    status_bytes("VmRSS:")
}

fn status_bytes(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
