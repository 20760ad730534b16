//! `tourbillon check`: questions in, a report out, and the exit status that sums it up.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use clap::ValueEnum;
use tourbillon::{
    Cancellation, Cause, Diagnostics, GivenAnswer, Limits, Loaded, PlanRequest, Progress, Question, Report,
    Request, Runs, check_each, lost_on_cluster, plans, questions,
};

use crate::answers::Answers;
use crate::input::Files;
use crate::options::PlanOptions;
use crate::progress::ProgressLine;
use crate::render::Format;
use crate::watchdog::{self, Phase};
use crate::{Failure, cluster, fault, interrupt, quantity, render, report, sanity};

/// The arguments of `tourbillon check`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    plan: PlanOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    ranks: cluster::RankOptions,
    /// The form of the report
    #[arg(long, value_enum, default_value_t, help_heading = "Report")]
    format: ReportFormat,
    /// Print the plan with its reasons, before the answers
    #[arg(long, help_heading = "Report")]
    explain_plan: bool,
    /// Print all numbers of each search
    #[arg(long, conflicts_with = "sanity", help_heading = "Report")]
    stats: bool,
    /// Show long runs in full, on terminals too
    #[arg(long, help_heading = "Report")]
    full_trace: bool,
}

/// What is asked.
#[derive(clap::Args)]
#[command(next_help_heading = "Questions")]
pub(crate) struct Asked {
    /// A query, instead of those in the model; as often as needed
    #[arg(short, long = "query", value_name = "QUERY")]
    query: Vec<String>,
    /// Ask for a state that carries all of these labels
    #[arg(long, value_delimiter = ',', value_name = "LABELS", conflicts_with = "query")]
    labels: Vec<String>,
    /// Ask for a run that comes back, again and again, to states that carry all of these labels; if given several times,
    /// to states of each kind
    #[arg(long, value_name = "LABELS", conflicts_with_all = ["query", "labels"])]
    accepting: Vec<String>,
    /// Ask nothing: visit everything and report the numbers
    #[arg(long, conflicts_with_all = ["query", "labels", "accepting", "traces"])]
    explore: bool,
    /// Ask nothing: look for what is wrong with the model itself, such as edges that are never taken
    #[arg(long, conflicts_with_all = ["query", "labels", "accepting", "explore", "traces"])]
    sanity: bool,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
struct LimitOptions {
    /// Stop when the command has allocated this much memory, such as 500M or 4G; on a cluster of processes, each of them
    #[arg(long, value_parser = quantity::bytes, value_name = "BYTES")]
    memory_limit: Option<u64>,
    /// Stop when this much time has passed since the command began, such as 60s or 2h
    #[arg(long, value_parser = quantity::time, value_name = "TIME")]
    time_limit: Option<std::time::Duration>,
    /// Stop when this many states are stored
    #[arg(long, value_name = "N")]
    state_limit: Option<u64>,
}

impl LimitOptions {
    fn limits(&self) -> Limits {
        Limits { states: self.state_limit, memory_bytes: self.memory_limit, time: self.time_limit }
    }
}

/// The form of a report.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    #[default]
    Text,
    /// For programs: docs/json.md explains it
    Json,
    /// For programs that read while it runs: a line of JSON for each answer
    Jsonl,
    /// In the style of verifyta's output, for scripts that read that
    Verifyta,
}

/// `tourbillon debug plan`.
#[derive(clap::Args)]
pub(crate) struct Plan {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    plan: PlanOptions,
}

impl Arguments {
    /// The model's name as it was given, for messages.
    pub(crate) fn model(&self) -> String {
        self.files.model.display().to_string()
    }
}

/// Some query is violated.
pub(crate) const VIOLATED: u8 = 1;
/// Some verdict is unknown, and none is violated.
pub(crate) const UNKNOWN: u8 = 3;

/// Checks; everything is written as it comes. The exit status.
pub(crate) fn run(arguments: &Arguments, started: Instant) -> Result<(String, u8), Failure> {
    answer(arguments, started).map_err(|failure| render::failure(failure, arguments.format.of_messages()))
}

fn answer(arguments: &Arguments, started: Instant) -> Result<(String, u8), Failure> {
    let world = cluster::world(arguments.plan.is_cluster(), &arguments.ranks)?;
    let stop = interrupt::flag();
    if world.is_some() {
        interrupt::heed_mpirun(&stop);
    }
    let launcher = arguments.ranks.launcher();
    let loss = match launcher.map(|launcher| cluster::launch(launcher, &stop)).transpose()? {
        // The first rank has said everything there is to say.
        Some(cluster::Launched::Ended { output, said, status }) => {
            render::say(&said);
            return Ok((output, status));
        }
        Some(cluster::Launched::Lost(loss)) => Some(loss),
        None => None,
    };
    let limits = arguments.limits.limits();
    let answers = Arc::new(Mutex::new(Answers::new(arguments.format, look(arguments), Arc::clone(&stop))));
    // Ranks that are processes end together, in their own way.
    let watchdog = world.is_none().then(|| watchdog::watch(started, limits, &stop, &answers));
    let memory_bytes_max = limits.memory_bytes.map(watchdog::allocated_bytes_max);
    let _limited = Cancellation { memory_bytes_max, ..Cancellation::default() }.install();
    let mut request = Request {
        question: Question::Exploration,
        plan_request: PlanRequest { overflow: arguments.files.overflow, ..arguments.plan.plan_request() },
        limits,
        stop: Some(&stop),
        cluster: cluster::cluster(world.as_ref(), &arguments.ranks),
    };
    if arguments.asked.sanity {
        let findings = lint(arguments, &request, started);
        drop(watchdog);
        return findings;
    }
    let (loaded, question) = prepare(&arguments.files, &arguments.asked, arguments.format.of_messages())?;
    if question == Question::Exploration && arguments.plan.several_runs() {
        return Err("--traces shows runs to what is asked for, and nothing is asked".to_owned().into());
    }
    request.question = question;
    request.plan_request =
        PlanRequest { overflow: arguments.files.overflow, ..arguments.plan.wishes_for(&loaded)? };
    let troubled = |trouble| render::trouble(trouble, &loaded, arguments.format.of_messages());
    let asked = questions(&loaded, &request).map_err(troubled)?;
    lock(&answers).begin(&loaded, asked);
    if let Some(loss) = &loss {
        let report = lost_on_cluster(&loaded, &request, loss.rank, &loss.how).map_err(troubled)?;
        give_all(&mut lock(&answers), &loaded, &report);
    } else {
        watchdog::enter(Phase::Compiling);
        request.limits.time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let progress = RefCell::new(ProgressLine::new());
        let mut observe = |now: &Progress| {
            watchdog::enter(Phase::Searching);
            progress.borrow_mut().update(now);
        };
        let mut give = |given: &GivenAnswer<'_>| {
            watchdog::enter(Phase::Reporting);
            progress.borrow_mut().clear();
            lock(&answers).give(given, loaded.sources());
            watchdog::enter(Phase::Compiling);
        };
        let mut work =
            || cluster::guarded(world.as_ref(), || check_each(&loaded, &request, &mut observe, &mut give));
        let checked = match catch_unwind(AssertUnwindSafe(&mut work)) {
            Ok(checked) => checked,
            // Libraries know no other way to say that there can be no more threads.
            Err(_) if fault::is_refusal(&fault::last()) => {
                let status = lock(&answers).give_up(Cause::MemoryRefused, watchdog::doing());
                return Ok((String::new(), status));
            }
            Err(panic) => resume_unwind(panic),
        };
        drop(progress);
        // On other ranks than the first there is nothing to say.
        if !checked.map_err(troubled)? {
            return Ok((String::new(), 0));
        }
    }
    // What is left is to write the last lines, which need not be finished.
    interrupt::end_at_once();
    let mut answers = lock(&answers);
    drop(watchdog);
    answers.finish().map_err(|error| format!("the output cannot be written: {error}"))?;
    Ok((String::new(), answers.status()))
}

/// The report, whoever wrote to it last.
fn lock(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the report of a search whose processes came to a bad end.
fn give_all(answers: &mut Answers, loaded: &Loaded, report: &Report) {
    answers.tell(&report.diagnostics, loaded.sources());
    for finding in &report.results {
        let (runs, diagnostics) = (Runs::default(), Diagnostics::default());
        let given = GivenAnswer { finding, runs: &runs, diagnostics: &diagnostics };
        answers.give(&given, loaded.sources());
    }
}

fn lint(arguments: &Arguments, request: &Request<'_>, started: Instant) -> Result<(String, u8), Failure> {
    if arguments.format == ReportFormat::Verifyta {
        return Err("verifyta has no words for what --sanity finds: use --format text or json"
            .to_owned()
            .into());
    }
    if arguments.format == ReportFormat::Jsonl {
        return Err("--sanity gives one report and not several answers: use --format text or json"
            .to_owned()
            .into());
    }
    if arguments.plan.positions_file().is_some() {
        return Err("--sanity takes no file of locations: leave --topological-order out".to_owned().into());
    }
    let (format, look) = (arguments.format.of_messages(), look(arguments));
    sanity::run(&arguments.files, request, started, sanity::Shown { format, look, peak_rss_bytes })
}

/// The plan of each question, with its reasons.
pub(crate) fn plan(arguments: &Plan) -> Result<String, Failure> {
    if arguments.asked.sanity {
        return Err("the plan of --sanity is told by check --sanity --explain-plan".to_owned().into());
    }
    let (loaded, question) = prepare(&arguments.files, &arguments.asked, Format::Text)?;
    let plan_request =
        PlanRequest { overflow: arguments.files.overflow, ..arguments.plan.wishes_for(&loaded)? };
    let request = Request { question, plan_request, ..Request::default() };
    let plans =
        plans(&loaded, &request).map_err(|trouble| render::trouble(trouble, &loaded, Format::Text))?;
    Ok(report::plans_text(&plans))
}

/// What would be done, in a line, for a message about a fault; nothing if that fails as well.
pub(crate) fn plan_line(arguments: &Arguments) -> Option<String> {
    if arguments.asked.sanity {
        return None;
    }
    let (loaded, question) = prepare(&arguments.files, &arguments.asked, Format::Text).ok()?;
    let plan_request =
        PlanRequest { overflow: arguments.files.overflow, ..arguments.plan.wishes_for(&loaded).ok()? };
    let request = Request { question, plan_request, ..Request::default() };
    plans(&loaded, &request).ok()?.first().map(|(_, plan)| report::plan_line(plan))
}

/// Reads the model and finds out what is asked of it. What there is to say about it is told, but for programs: they
/// find it in the report, if there is one.
fn prepare(files: &Files, asked: &Asked, format: Format) -> Result<(Loaded, Question), Failure> {
    let Asked { query, labels, accepting, explore, .. } = asked;
    if files.is_tchecker() && (files.queries.is_some() || !query.is_empty()) {
        return Err("TChecker's language has no queries: ask with --labels or --accepting".to_owned().into());
    }
    let own =
        files.queries.is_none() && query.is_empty() && labels.is_empty() && accepting.is_empty() && !explore;
    let loaded = if own { files.load()? } else { files.load_only(query)? };
    if loaded.model.is_none() || format == Format::Text {
        render::tell(&loaded.diagnostics, loaded.sources(), format);
    }
    let Some(model) = &loaded.model else { return Err(Failure::Told) };
    let question = if !labels.is_empty() {
        Question::Labels(labels.clone())
    } else if !accepting.is_empty() {
        let set = |labels: &String| labels.split(',').map(|label| label.trim().to_owned()).collect();
        Question::Accepting(accepting.iter().map(set).collect())
    } else if *explore {
        Question::Exploration
    } else if model.queries.is_empty() && !query.is_empty() {
        return Err("the query given by -q is empty".to_owned().into());
    } else if model.queries.is_empty() {
        let how = if files.is_tchecker() { "--labels" } else { "-q or a file of queries" };
        let name = files.model.display();
        render::say(&format!("note: nothing is asked of {name}, so it is explored; ask with {how}\n\n"));
        Question::Exploration
    } else {
        Question::Queries
    };
    Ok((loaded, question))
}

fn look(arguments: &Arguments) -> report::Look {
    report::Look {
        explain_plan: arguments.explain_plan,
        stats: arguments.stats,
        full_trace: arguments.full_trace || !std::io::IsTerminal::is_terminal(&std::io::stdout()),
    }
}

impl ReportFormat {
    /// How to tell what is wrong with the model.
    fn of_messages(self) -> Format {
        if self.is_json() { Format::Json } else { Format::Text }
    }

    /// Whether it is for programs.
    pub(crate) const fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Jsonl)
    }
}

/// The most memory that this process has had, where the system says so.
pub(crate) fn peak_rss_bytes() -> Option<u64> {
    status_bytes("VmHWM:")
}

/// The memory that this process has now, where the system says so.
pub(crate) fn rss_bytes() -> Option<u64> {
    status_bytes("VmRSS:")
}

fn status_bytes(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
