//! `tourbillon lint`: likely mistakes in a model, independent of its queries.
//!
//! Findings are the output of the command. The exit status is 1 if a finding is more than a note, else 3 if something
//! is unknown, else 0.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use tourbillon::{Diagnostics, LintReport, Loaded, PlanRequest, Request, is_finding, lint, lint_json};

use crate::answers::AnswerWriter;
use crate::check::{LimitOptions, ReportFormat, cancellation, peak_rss_bytes};
use crate::input::Files;
use crate::options::PlanOptions;
use crate::progress::ProgressLine;
use crate::render::Format;
use crate::report::ReportDetail;
use crate::watchdog::{self, Phase};
use crate::{Failure, INPUT_WRONG, interrupt, render, report};

/// The arguments of `tourbillon lint`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 nothing found; 1 findings; 2 the input is wrong; 3 nothing found, and not everything was \
                  checked. `lint --help` shows all options, in groups."
)]
pub(crate) struct LintArguments {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    plan: PlanOptions,
    #[command(flatten)]
    limits: LimitOptions,
    /// Report format
    #[arg(long, value_enum, default_value_t, help_heading = "Report")]
    format: Format,
    /// Print the plan of each exploration with its reasons
    #[arg(long, help_heading = "Report")]
    explain_plan: bool,
    /// Print long traces in full on terminals too
    #[arg(long, help_heading = "Report", hide_short_help = true)]
    full_trace: bool,
}

/// Some finding is more than a note.
const FOUND: u8 = 1;
/// No finding is more than a note, and not everything was checked.
const UNKNOWN: u8 = 3;

/// A model, with the options of lint.
pub(crate) struct LintTask<'a> {
    pub(crate) files: &'a Files,
    pub(crate) plan: &'a PlanOptions,
    pub(crate) limits: &'a LimitOptions,
    pub(crate) format: Format,
    pub(crate) detail: ReportDetail,
}

/// Runs `tourbillon lint`. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &LintArguments, started: Instant) -> Result<(String, u8), Failure> {
    let LintArguments { files, plan, limits, format, explain_plan, full_trace } = arguments;
    let full_trace = *full_trace || !std::io::IsTerminal::is_terminal(&std::io::stdout());
    let detail = ReportDetail { explain_plan: *explain_plan, stats: false, full_trace };
    run_task(&LintTask { files, plan, limits, format: *format, detail }, started)
}

/// Lints a model. Returns text for standard output, and the exit status.
pub(crate) fn run_task(task: &LintTask<'_>, started: Instant) -> Result<(String, u8), Failure> {
    task.run(started).map_err(|failure| render::failure(failure, task.format))
}

impl LintTask<'_> {
    fn run(&self, started: Instant) -> Result<(String, u8), Failure> {
        if self.plan.positions_file().is_some() {
            return Err("lint does not read a file of positions: leave --topological-order out"
                .to_owned()
                .into());
        }
        let stop = interrupt::flag();
        let limits = self.limits.limits();
        // The watchdog writes this report if it ends the command.
        let format = if self.format == Format::Json { ReportFormat::Json } else { ReportFormat::Text };
        let answers = Arc::new(Mutex::new(AnswerWriter::new(format, self.detail, Arc::clone(&stop))));
        let _watchdog = watchdog::watch(started, limits, &stop, &answers);
        let _installed = cancellation(limits).install();
        let loaded = self.files.load()?;
        let mut others = Diagnostics::default();
        loaded.diagnostics.iter().filter(|it| !is_finding(it)).for_each(|it| others.push(it.clone()));
        if loaded.model.is_none() || self.format == Format::Text {
            render::tell(&others, loaded.sources(), self.format);
        }
        let plan_request =
            PlanRequest { overflow: self.files.overflow(), ..self.plan.plan_request().clone() };
        let mut request = Request { plan_request, limits, stop: Some(&stop), ..Request::default() };
        request.limits.time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let report = self.explore(&loaded, &request)?;
        Ok((self.text(&loaded, &others, &report), status(&loaded, &report)))
    }

    fn explore(&self, loaded: &Loaded, request: &Request<'_>) -> Result<LintReport, Failure> {
        let mut progress = ProgressLine::new();
        watchdog::enter(Phase::Compiling);
        let report = lint(loaded, request, &mut |now| {
            watchdog::enter(Phase::Searching);
            progress.update(now);
        });
        drop(progress);
        interrupt::end_at_once();
        report.map_err(|error| match loaded.model {
            // The diagnostics have already been written.
            None => Failure::Reported,
            Some(_) => render::check_error(error, loaded, self.format),
        })
    }

    fn text(&self, loaded: &Loaded, others: &Diagnostics, report: &LintReport) -> String {
        let memory = peak_rss_bytes();
        match self.format {
            Format::Json => {
                let all = others.iter().chain(&report.diagnostics);
                format!("{:#}\n", lint_json(report, all, loaded.sources(), memory))
            }
            Format::Text => {
                render::tell(&report.diagnostics, loaded.sources(), Format::Text);
                report::lint(report, loaded.sources(), self.detail, memory)
            }
        }
    }
}

fn status(loaded: &Loaded, report: &LintReport) -> u8 {
    if loaded.diagnostics.has_errors() || report.diagnostics.has_errors() {
        INPUT_WRONG
    } else if report.count() > 0 {
        FOUND
    } else if !report.unknown.is_empty() {
        UNKNOWN
    } else {
        0
    }
}
