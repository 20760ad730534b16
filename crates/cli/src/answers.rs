//! A report that is written answer by answer: each is flushed when it is known.
//!
//! Answers come in the order in which they are found, so that a slow query does not hold back a fast one.

use std::io::{self, BufWriter, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tourbillon::{
    AnswerSummary, Cause, Diagnostics, GivenAnswer, JsonReport, Loaded, ModelSummary, QuerySummary, Runs,
    SourceMap, Stats, Verdict,
};

use crate::INPUT_WRONG;
use crate::check::{ReportFormat, UNKNOWN, VIOLATED, peak_rss_bytes};
use crate::render::{self, Format};
use crate::report::{Out, ReportDetail, TextReport, VerifytaReport};

/// A report that is being written.
pub(crate) struct AnswerWriter {
    format: ReportFormat,
    detail: ReportDetail,
    writer: Option<ReportWriter>,
    /// The queries, and whether they have been answered.
    open: Vec<(Option<QuerySummary>, bool)>,
    has_errors: bool,
    any_violated: bool,
    any_unknown: bool,
    /// What is said of the file of certificates.
    certificate: Option<String>,
    /// The first write error.
    failed: Option<io::Error>,
    finished: bool,
    /// Set when the reader closes the pipe.
    stop: Arc<AtomicBool>,
}

enum ReportWriter {
    Text(Box<TextReport>),
    Verifyta(VerifytaReport),
    Json(Box<JsonReport<Out>>),
}

impl AnswerWriter {
    /// The flag is set when the reader closes the pipe.
    pub(crate) fn new(format: ReportFormat, detail: ReportDetail, stop: Arc<AtomicBool>) -> Self {
        let (any_violated, any_unknown, has_errors) = (false, false, false);
        Self {
            format,
            detail,
            writer: None,
            open: Vec::new(),
            has_errors,
            any_violated,
            any_unknown,
            certificate: None,
            failed: None,
            finished: false,
            stop,
        }
    }

    /// Says at the end what became of the file of certificates.
    pub(crate) fn note_certificate(&mut self, said: String) {
        self.certificate = Some(said);
    }

    /// Begins the report of a model.
    pub(crate) fn begin(
        &mut self,
        loaded: &Loaded,
        (model, query_summaries): (ModelSummary, Vec<Option<QuerySummary>>),
    ) {
        self.open = query_summaries.into_iter().map(|query| (query, false)).collect();
        self.has_errors |= loaded.diagnostics.has_errors();
        let mut writer = self.format.writer(self.detail, &model);
        if let ReportWriter::Json(json) = &mut writer {
            json.diagnose(&loaded.diagnostics, loaded.sources());
        }
        self.writer = Some(writer);
    }

    pub(crate) fn give(&mut self, given: &GivenAnswer<'_>, sources: &SourceMap) {
        self.tell(given.diagnostics, sources);
        let number = |query: &Option<QuerySummary>| query.as_ref().map(|query| query.number);
        let of = number(&given.finding.query);
        let open = self.open.iter_mut().find(|(query, answered)| number(query) == of && !answered);
        if let Some((_, answered)) = open {
            *answered = true;
        }
        self.write(given);
    }

    /// Writes the diagnostics of an answer to standard error, or into the report.
    pub(crate) fn tell(&mut self, diagnostics: &Diagnostics, sources: &SourceMap) {
        self.has_errors |= diagnostics.has_errors();
        match &mut self.writer {
            Some(ReportWriter::Json(json)) => json.diagnose(diagnostics, sources),
            _ => render::tell(diagnostics, sources, Format::Text),
        }
    }

    fn write(&mut self, given: &GivenAnswer<'_>) {
        self.any_violated |= given.finding.verdict == Verdict::Violated;
        self.any_unknown |= given.finding.verdict == Verdict::Unknown;
        let peak = peak_rss_bytes();
        let written = match &mut self.writer {
            None => Ok(()),
            Some(ReportWriter::Text(text)) => text.answer(given, peak),
            Some(ReportWriter::Verifyta(verifyta)) => verifyta.answer(given, peak),
            Some(ReportWriter::Json(json)) => json.answer(given, peak),
        };
        self.note(written);
    }

    /// Writes what comes after the last answer.
    ///
    /// # Errors
    /// If the report could not be written. A reader may close the pipe early.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.finished = true;
        if self.failed.is_none() {
            let written = match &mut self.writer {
                Some(ReportWriter::Text(text)) => text.finish(peak_rss_bytes(), self.certificate.as_deref()),
                Some(ReportWriter::Json(json)) => json.finish(),
                Some(ReportWriter::Verifyta(_)) | None => Ok(()),
            };
            self.note(written);
        }
        self.failed.take().filter(|error| error.kind() != ErrorKind::BrokenPipe).map_or(Ok(()), Err)
    }

    fn note(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.stop.store(true, Ordering::Relaxed);
            self.failed.get_or_insert(error);
        }
    }

    /// The exit status: wrong input first, then violations, then unknown verdicts.
    pub(crate) fn status(&self) -> u8 {
        match () {
            () if self.has_errors => INPUT_WRONG,
            () if self.any_violated => VIOLATED,
            () if self.any_unknown => UNKNOWN,
            () => 0,
        }
    }

    /// Finishes the report with every open query unknown, and returns the exit status.
    pub(crate) fn give_up(&mut self, why: Cause, doing: &str) -> u8 {
        if self.finished {
            return self.status();
        }
        let sentence = format!("{}, while {doing}", sentence(why));
        if self.writer.is_none() {
            self.any_unknown = true;
            if self.format.is_json() {
                let nothing = ModelSummary { name: String::new(), processes: 0, clocks: 0, variables: 0 };
                self.writer = Some(self.format.writer(self.detail, &nothing));
            }
            render::say(&format!("unknown: {sentence}\n"));
        }
        for (query, answered) in std::mem::take(&mut self.open) {
            if !answered {
                let finding = unknown(query, why, &sentence);
                let (runs, diagnostics) = (Runs::default(), Diagnostics::default());
                let given = GivenAnswer { finding: &finding, runs: &runs, diagnostics: &diagnostics };
                self.write(&given);
            }
        }
        // The exit status shows a failed write, too.
        let _ = self.finish();
        self.status()
    }
}

fn sentence(why: Cause) -> &'static str {
    match why {
        Cause::TimeLimit => "the time limit was reached",
        Cause::MemoryLimit => "the memory limit was reached",
        Cause::MemoryRefused => "the operating system refused to allocate memory",
        _ => "interrupted",
    }
}

fn unknown(query: Option<QuerySummary>, reason: Cause, why: &str) -> AnswerSummary {
    AnswerSummary {
        query,
        verdict: Verdict::Unknown,
        reason,
        why: why.to_owned(),
        plan: None,
        stats: Stats::default(),
        ranks: Vec::new(),
        time: Duration::ZERO,
        cached: None,
        rechecked: None,
        reused: 0,
        least_time: None,
        values: Vec::new(),
        trace: None,
        several: None,
        mixture: None,
        rounds: None,
        certificate: None,
        certified: None,
    }
}

impl ReportFormat {
    fn writer(self, detail: ReportDetail, model: &ModelSummary) -> ReportWriter {
        let plain = || -> Out { BufWriter::new(Box::new(io::stdout())) };
        match self {
            Self::Text => ReportWriter::Text(Box::new(TextReport::new(
                BufWriter::new(Box::new(anstream::stdout())),
                detail,
                model.clone(),
            ))),
            Self::Verifyta => ReportWriter::Verifyta(VerifytaReport::new(
                plain(),
                BufWriter::new(Box::new(render::Messages)),
            )),
            Self::Json | Self::Jsonl => {
                ReportWriter::Json(Box::new(JsonReport::new(plain(), self == Self::Jsonl, model)))
            }
        }
    }
}
