//! The text report: a header, an answer with its trace for each query, a summary.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use tourbillon::{
    AnswerSummary, Axis, CertifiedAnswer, Engine, GivenAnswer, Least, ModelSummary, Overflow, Plan, Purpose,
    QuerySummary, Rechecked, Run, RunView, Runs, SymmetryUse, Verdict, advice, verdict_word,
};

use super::{BOLD, DIM, GREEN, Out, RED, YELLOW, run, styled, table};
use crate::quantity::{bytes_text, count_text, time_text};

/// Optional parts of a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportDetail {
    /// The plan with its reasons.
    pub(crate) explain_plan: bool,
    /// All statistics.
    pub(crate) stats: bool,
    /// Long traces in full.
    pub(crate) full_trace: bool,
}

/// A report for people, written answer by answer.
pub(crate) struct TextReport {
    out: Out,
    detail: ReportDetail,
    model: ModelSummary,
    begun: bool,
    /// The plan that was explained last.
    explained: Option<Plan>,
    /// Runs to run-time errors, with the queries that they were shown for.
    failures: Vec<(Run, String)>,
    verdicts: [usize; 3],
    unexpected: usize,
    asks: bool,
    time: Duration,
}

impl TextReport {
    pub(crate) fn new(out: Out, detail: ReportDetail, model: ModelSummary) -> Self {
        let failures = Vec::new();
        let (verdicts, unexpected, time) = ([0; 3], 0, Duration::ZERO);
        Self {
            out,
            detail,
            model,
            begun: false,
            explained: None,
            failures,
            verdicts,
            unexpected,
            asks: false,
            time,
        }
    }

    /// Writes an answer, with the peak memory of the process so far.
    pub(crate) fn answer(&mut self, given: &GivenAnswer<'_>, peak_rss_bytes: Option<u64>) -> io::Result<()> {
        let GivenAnswer { finding: result, runs, .. } = *given;
        self.count(result);
        self.begin(result.plan.as_ref())?;
        self.explain(result)?;
        write!(self.out, "\n{}{}", answer(result), least_time(result))?;
        self.seal(result)?;
        self.values(result, runs)?;
        self.runs(result, runs)?;
        if let Some(several) = &result.several {
            writeln!(self.out, "    {}", several.sentence())?;
        }
        if self.detail.stats || result.query.is_none() {
            for line in table::numbers(result, peak_rss_bytes).into_iter().chain(table::ranks(&result.ranks))
            {
                writeln!(self.out, "    {line}")?;
            }
        }
        self.out.flush()
    }

    /// Writes the summary line, after what is said of certificates.
    pub(crate) fn finish(
        &mut self,
        peak_rss_bytes: Option<u64>,
        certificate: Option<&str>,
    ) -> io::Result<()> {
        self.begin(None)?;
        let words = [Verdict::Satisfied, Verdict::Violated, Verdict::Unknown].map(verdict_word);
        let counted = self.verdicts.iter().zip(words).filter(|(count, _)| **count > 0 && self.asks);
        let mut parts: Vec<String> = counted.map(|(count, word)| format!("{count} {word}")).collect();
        if self.unexpected > 0 {
            parts.push(format!("{} not as expected", self.unexpected));
        }
        parts.push(format!("in {}", time_text(self.time)));
        parts.extend(peak_rss_bytes.map(|bytes| format!("with {}", bytes_text(bytes))));
        if let Some(certificate) = certificate {
            writeln!(self.out, "\n{certificate}")?;
        }
        writeln!(self.out, "\n{}", parts.join(", "))?;
        self.out.flush()
    }

    fn count(&mut self, result: &AnswerSummary) {
        self.verdicts[match result.verdict {
            Verdict::Satisfied => 0,
            Verdict::Violated => 1,
            Verdict::Unknown => 2,
        }] += 1;
        self.asks |= result.query.is_some();
        self.unexpected += usize::from(result.as_expected() == Some(false));
        self.time += result.time;
    }

    /// Writes the header before the first answer: the model, and the plan of that answer.
    fn begin(&mut self, plan: Option<&Plan>) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        write!(self.out, "{}", summary_line(&self.model, plan))
    }

    /// Explains the plan of an answer, if it differs from the last explained plan.
    fn explain(&mut self, result: &AnswerSummary) -> io::Result<()> {
        let Some(plan) = result.plan.as_ref().filter(|_| self.detail.explain_plan) else { return Ok(()) };
        if self.explained.as_ref() == Some(plan) {
            return Ok(());
        }
        let query = self.explained.as_ref().and(result.query.as_ref()).map(|query| query.text.clone());
        self.explained = Some(plan.clone());
        write!(self.out, "\n{}", plans_text(&[(query, plan.clone())]))
    }

    /// Writes that the checker of certificates accepts an answer.
    fn seal(&mut self, result: &AnswerSummary) -> io::Result<()> {
        if let Some(sha256) = &result.cached {
            writeln!(self.out, "    the model is unchanged since the certificate with sha256 {sha256}")?;
        }
        if let Some(Rechecked { candidates, reused, expanded, added }) = result.rechecked {
            let [reused, candidates, expanded, added] = [reused, candidates, expanded, added].map(count_text);
            writeln!(
                self.out,
                "    reused {reused} of {candidates} states of an earlier check; {expanded} expanded again; {added} new"
            )?;
        }
        let Some(CertifiedAnswer { report, bytes, time }) = &result.certified else { return Ok(()) };
        let counts = format!(
            "{} states and {} successors checked in {}, {}",
            count_text(report.entries),
            count_text(report.successors),
            time_text(*time),
            bytes_text(*bytes as u64)
        );
        writeln!(self.out, "    {}  {}", styled(GREEN, "certified"), styled(DIM, &counts))
    }

    /// Writes measured values, with a run for each.
    fn values(&mut self, result: &AnswerSummary, runs: &Runs<'_>) -> io::Result<()> {
        for (measure, ends) in result.values.iter().zip(&runs.values) {
            let line = measure.line().unwrap_or_else(|| match result.verdict {
                Verdict::Unknown => format!("the value of {} is unknown", measure.text),
                _ => {
                    format!("{} has no value: no reachable state satisfies the condition", measure.text)
                }
            });
            writeln!(self.out, "    {}", styled(BOLD, &line))?;
            ends.iter().flatten().try_for_each(|run| self.run("      ", run))?;
        }
        Ok(())
    }

    fn runs(&mut self, result: &AnswerSummary, runs: &Runs<'_>) -> io::Result<()> {
        let Some(run) = &runs.trace else { return Ok(()) };
        if run.head().purpose == Purpose::Failure {
            // Queries that share a search find the same run.
            if let Some((_, of)) = self.failures.iter().find(|(known, _)| run.is_same(known)) {
                return writeln!(self.out, "    the same run as for `{of}`");
            }
            let of = result.query.as_ref().map_or("the exploration", |query| &query.text);
            self.failures.push((run.run().clone(), one_line(of)));
        }
        let several = if runs.several.is_empty() { std::slice::from_ref(run) } else { &runs.several };
        several.iter().try_for_each(|run| self.run("    ", run))
    }

    fn run(&mut self, indent: &str, run: &RunView<'_>) -> io::Result<()> {
        let mut outcome = Ok(());
        run::for_each_line(run, self.detail.full_trace, &mut |line| {
            if outcome.is_ok() {
                outcome = writeln!(self.out, "{indent}{line}");
            }
        });
        outcome
    }
}

/// The name and size of the model, and the plan, in a line.
pub(super) fn summary_line(model: &ModelSummary, plan: Option<&Plan>) -> String {
    let plural =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let size = [
        plural(model.processes, "process", "processes"),
        plural(model.clocks, "clock", "clocks"),
        plural(model.variables, "variable", "variables"),
    ];
    let plan = plan.map_or(String::new(), |plan| format!(" · {}", plan_line(plan)));
    format!("{}  {}\n", styled(BOLD, &model.name), styled(DIM, &format!("{}{plan}", size.join(", "))))
}

/// A plan in a line.
pub(crate) fn plan_line(plan: &Plan) -> String {
    let choice = |axis: Axis| plan.choice(axis);
    if plan.engine == Engine::Symbolic {
        let [abstraction, bounds, cover] = [Axis::Abstraction, Axis::Bounds, Axis::Cover].map(choice);
        let merged = if plan.sets.merge { ", zones merged" } else { "" };
        return format!("symbolic, {abstraction}, {bounds} bounds, {cover}{merged}");
    }
    let mut line = format!(
        "{}, {} bounds, {}, {}, zones {}, discrete {}",
        choice(Axis::Abstraction),
        choice(Axis::Bounds),
        choice(Axis::Cover),
        choice(Axis::Order),
        choice(Axis::Zones),
        choice(Axis::Discrete),
    );
    line += match plan.symmetry {
        SymmetryUse::Off => "",
        SymmetryUse::Auto => ", symmetry",
        SymmetryUse::Scalar => ", symmetry of scalar sets",
    };
    if plan.engine == Engine::Cluster {
        line = format!("cluster by {}, {line}", choice(Axis::Layout));
    }
    if plan.table.is_some() {
        line += ", passed ";
        line += &choice(Axis::Passed);
    }
    if !plan.waiting_inclusion {
        line += ", no subsumption on the waiting list";
    }
    if plan.cycles.is_some() {
        line += ", cycles ";
        line += &choice(Axis::Cycles);
    }
    if plan.overflow == Overflow::Wrap {
        line += ", arithmetic wraps";
    }
    if plan.reduce {
        line += ", active clock reduction";
    }
    line
}

/// Plans with their reasons, each with its query; equal plans once.
pub(crate) fn plans_text(plans: &[(Option<String>, Plan)]) -> String {
    let mut out = String::new();
    for (index, (query, plan)) in plans.iter().enumerate() {
        let heading = query.as_deref().map_or(String::new(), |query| format!("{}\n", styled(BOLD, query)));
        out += &heading;
        if index > 0 && plans[index - 1].1 == *plan {
            out += "  as before\n";
            continue;
        }
        let rows: Vec<Vec<String>> = plan
            .reasons
            .iter()
            .map(|reason| [reason.axis.name(), &reason.choice, &reason.why].map(str::to_owned).to_vec())
            .collect();
        for line in table::columns(&rows, &[]) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

fn answer(result: &AnswerSummary) -> String {
    let mark = match result.verdict {
        Verdict::Satisfied => styled(GREEN, "✓"),
        Verdict::Violated => styled(RED, "✗"),
        Verdict::Unknown => styled(YELLOW, "?"),
    };
    let title = result.query.as_ref().map_or("all reachable states", |query| &query.text);
    let mut out = format!("{mark} {}\n", styled(BOLD, &one_line(title)));
    if let Some(comment) =
        result.query.as_ref().map(|query| one_line(&query.comment)).filter(|c| !c.is_empty())
    {
        let _ = writeln!(out, "    {}", styled(DIM, &comment));
    }
    let _ = writeln!(out, "    {}", outcome(result));
    for next in advice(result) {
        let _ = writeln!(out, "    {}", styled(DIM, &format!("try: {next}")));
    }
    out
}

/// The minimal time to the goal, in a line, if it is known.
fn least_time(result: &AnswerSummary) -> String {
    result.least_time.map_or(String::new(), |Least { value, excluded }| match excluded {
        false => format!("    no run is faster than {value}\n"),
        true => format!("    every run takes more than {value}; the infimum is {value}\n"),
    })
}

/// Verdict, expectation and cost in a line.
fn outcome(result: &AnswerSummary) -> String {
    let (word, style) = match result.verdict {
        Verdict::Satisfied => ("satisfied", GREEN),
        Verdict::Violated => ("violated", RED),
        Verdict::Unknown => ("unknown", YELLOW),
    };
    let word = if result.query.is_none() && result.verdict == Verdict::Satisfied { "complete" } else { word };
    let mut line = styled(style, word);
    if result.verdict == Verdict::Unknown {
        let _ = write!(line, ": {}", result.why);
    }
    line += &expectation(result);
    if result.plan.is_some() {
        let [stored, visited] = [result.stats.stored, result.stats.visited].map(count_text);
        let mut cost = match &result.stats.sets {
            Some(sets) => format!("{stored} zones, {} state-zone pairs, ", count_text(sets.pairs)),
            None => format!("{stored} stored, {visited} visited, "),
        };
        cost += &time_text(result.time);
        if let Some(found_by) = result.mixture.and_then(|mixture| mixture.found_by) {
            let _ = write!(cost, ", found by {}", found_by.name());
        }
        if result.reused > 0 {
            let _ = write!(cost, ", reusing {} stored states", count_text(result.reused));
        }
        let _ = write!(line, "  {}", styled(DIM, &cost));
    }
    line
}

fn expectation(result: &AnswerSummary) -> String {
    match (result.as_expected(), result.query.as_ref().and_then(expected_word)) {
        (Some(true), _) => ", as expected".to_owned(),
        (Some(false), Some(word)) => format!(", {}", styled(RED, &format!("EXPECTED {word}"))),
        _ => String::new(),
    }
}

fn expected_word(query: &QuerySummary) -> Option<&'static str> {
    use tourbillon::Expectation;
    query.expected.map(|expected| match expected {
        Expectation::Satisfied => "satisfied",
        Expectation::Violated => "violated",
        Expectation::Unknown => "unknown",
        Expectation::Refused => "refused",
    })
}

/// Text on one line, with line ends and the surrounding white space as single spaces.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
