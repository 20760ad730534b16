//! `tourbillon watch`: checks a model again after every save, and reports which answers changed.
//!
//! The file is looked at a few times a second. Certificates stay in memory, so that a model is searched again only as far as an edit
//! makes it necessary (`tourbillon/src/cache.rs`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tourbillon::{
    Cache, CertificateMemory, PlanRequest, QuerySelection, Report, Request, Verdict, check, verdict_word,
};

use crate::check::{LimitOptions, reusable};
use crate::input::Files;
use crate::options::PlanOptions;
use crate::quantity::{count_text, time_text};
use crate::render::{self, Format};
use crate::report::{BOLD, GREEN, RED, YELLOW, styled};
use crate::{Failure, interrupt, out};

/// The arguments of `tourbillon watch`.
#[derive(clap::Args)]
#[command(after_help = "Ctrl-C ends it. Exit status: 0, or 2 if the model cannot be read at the start.")]
pub(crate) struct WatchArguments {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    plan: PlanOptions,
    #[command(flatten)]
    limits: LimitOptions,
    /// Check once, and end
    #[arg(long, hide = true)]
    once: bool,
}

/// How long the file is not looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// Runs `tourbillon watch`.
pub(crate) fn run(arguments: &WatchArguments) -> Result<(String, u8), Failure> {
    let stop = interrupt::flag();
    let store = CertificateMemory::default();
    let (mut seen, mut verdicts) = (None, BTreeMap::new());
    while !stop.load(Ordering::Relaxed) {
        let text = arguments.files.texts();
        // While an editor writes it, a file may be missing for a moment.
        match text {
            Err(failure) if seen.is_none() => return Err(failure),
            Ok(text) if seen.as_ref() != Some(&text) => {
                arguments.check(&text.0, &store, &stop, &mut verdicts)?;
                seen = Some(text);
            }
            _ => {}
        }
        if arguments.once {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    Ok((String::new(), 0))
}

impl WatchArguments {
    /// Checks the queries, and writes what changed since the last time.
    fn check(
        &self,
        text: &[u8],
        store: &CertificateMemory,
        stop: &Arc<AtomicBool>,
        verdicts: &mut BTreeMap<String, Verdict>,
    ) -> Result<(), Failure> {
        let started = Instant::now();
        let loaded = self.files.load()?;
        render::tell(&loaded.diagnostics, loaded.sources(), Format::Text);
        if loaded.model.is_none() {
            return Ok(());
        }
        let name = self.files.name();
        let plan_request =
            PlanRequest { overflow: self.files.overflow(), ..self.plan.plan_request_for(&loaded)? };
        let request = Request {
            queries: QuerySelection::Queries,
            plan_request: reusable(plan_request),
            limits: self.limits.limits(),
            stop: Some(stop),
            cache: Some(Cache { store, name: &name, text }),
            ..Request::default()
        };
        match check(&loaded, &request, &mut |_| {}) {
            Ok(report) => out(&written(&report, verdicts, started.elapsed())),
            Err(error) => match render::check_error(error, &loaded, Format::Text) {
                Failure::Reported => {}
                Failure::Message(message) => render::say(&format!("error: {message}\n")),
            },
        }
        Ok(())
    }
}

/// The summary of a report, with the answers that are new or changed.
fn written(report: &Report, verdicts: &mut BTreeMap<String, Verdict>, time: Duration) -> String {
    let mut text = String::new();
    let (mut reused, mut candidates) = (0, 0);
    for result in &report.results {
        let Some(query) = &result.query else { continue };
        if let Some(rechecked) = result.rechecked {
            (reused, candidates) = (reused + rechecked.reused, candidates + rechecked.candidates);
        }
        let now = colored(result.verdict);
        match verdicts.insert(query.text.clone(), result.verdict) {
            Some(before) if before == result.verdict => {}
            Some(before) => _ = writeln!(text, "{}: {} -> {now}", query.text, colored(before)),
            None => _ = writeln!(text, "{}: {now}", query.text),
        }
    }
    let words = [Verdict::Satisfied, Verdict::Violated, Verdict::Unknown].map(|verdict| {
        let count = report.results.iter().filter(|result| result.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {}", verdict_word(verdict)))
    });
    let mut parts: Vec<String> = words.into_iter().flatten().collect();
    parts.push(format!("in {}", time_text(time)));
    if candidates > 0 {
        parts.push(format!("reused {} of {} states", count_text(reused), count_text(candidates)));
    }
    let _ = writeln!(text, "{}", styled(BOLD, &parts.join(", ")));
    text
}

fn colored(verdict: Verdict) -> String {
    let color = match verdict {
        Verdict::Satisfied => GREEN,
        Verdict::Violated => RED,
        Verdict::Unknown => YELLOW,
    };
    styled(color, verdict_word(verdict))
}
