//! `tourbillon check --sanity`: what looks wrong with a model, whatever is asked of it.
//!
//! Findings are what the command is asked for, so they are its output and not messages beside it. The exit status is 1
//! if there is a finding that is more than a note, else 3 if something is not known, else 0.

use std::time::Instant;

use tourbillon::{Diagnostics, LintReport, Loaded, Request, is_finding, lint, lint_json};

use crate::input::Files;
use crate::progress::ProgressLine;
use crate::render::Format;
use crate::watchdog::{self, Phase};
use crate::{Failure, INPUT_WRONG, interrupt, render, report};

/// Something looks wrong.
const FOUND: u8 = 1;
/// Nothing does, and not everything is known.
const UNKNOWN: u8 = 3;

/// How a report is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// For people, or for programs.
    pub(crate) format: Format,
    /// What is shown beside the findings.
    pub(crate) look: report::Look,
    /// The most memory that this process has had, asked for when it is known.
    pub(crate) peak_rss_bytes: fn() -> Option<u64>,
}

/// Looks for what is wrong; text for standard output, and the exit status.
pub(crate) fn run(
    files: &Files,
    request: &Request<'_>,
    started: Instant,
    shown: Shown,
) -> Result<(String, u8), Failure> {
    let loaded = files.load()?;
    let mut others = Diagnostics::default();
    loaded.diagnostics.iter().filter(|it| !is_finding(it)).for_each(|it| others.push(it.clone()));
    if loaded.model.is_none() || shown.format == Format::Text {
        render::tell(&others, loaded.sources(), shown.format);
    }
    let mut progress = ProgressLine::new();
    let mut request = request.clone();
    request.limits.time = request.limits.time.map(|time| time.saturating_sub(started.elapsed()));
    watchdog::enter(Phase::Compiling);
    let looked = lint(&loaded, &request, &mut |now| {
        watchdog::enter(Phase::Searching);
        progress.update(now);
    });
    drop(progress);
    interrupt::end_at_once();
    let found = looked.map_err(|trouble| match loaded.model {
        // What is wrong with it was told.
        None => Failure::Told,
        Some(_) => render::trouble(trouble, &loaded, shown.format),
    })?;
    let memory = (shown.peak_rss_bytes)();
    let text = match shown.format {
        Format::Json => {
            let all = others.iter().chain(&found.diagnostics);
            format!("{:#}\n", lint_json(&found, all, loaded.sources(), memory))
        }
        Format::Text => {
            render::tell(&found.diagnostics, loaded.sources(), Format::Text);
            report::sanity(&found, loaded.sources(), shown.look, memory)
        }
    };
    Ok((text, status(&loaded, &found)))
}

fn status(loaded: &Loaded, found: &LintReport) -> u8 {
    if loaded.diagnostics.has_errors() || found.diagnostics.has_errors() {
        INPUT_WRONG
    } else if found.count() > 0 {
        FOUND
    } else if !found.unknown.is_empty() {
        UNKNOWN
    } else {
        0
    }
}
