//! A report for people: a header, an answer with its run for each question, a summary.

use std::fmt::Write as _;

use tourbillon::{
    Engine, Finding, Least, ModelSummary, Plan, Purpose, QuerySummary, Report, Verdict, advice, verdict_word,
};

use super::{BOLD, DIM, GREEN, RED, YELLOW, run, styled, table};
use crate::quantity::{bytes_text, count_text, time_text};

/// What is shown beside the answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// The plan with its reasons.
    pub(crate) explain_plan: bool,
    /// All numbers.
    pub(crate) stats: bool,
    /// Long runs in full.
    pub(crate) full_trace: bool,
}

/// A report as text.
pub(crate) fn text(report: &Report, look: Look) -> String {
    let mut out = summary_line(&report.model, report.plan.as_ref());
    if look.explain_plan {
        out += &explained(report);
    }
    for (index, result) in report.results.iter().enumerate() {
        out.push('\n');
        out += &answer(result);
        out += &least_time(result);
        out += &values(result, look.full_trace);
        // Where a model fails, all questions that share a search come upon the same run.
        let known = report.results[..index].iter().find(|before| before.trace == result.trace);
        match (&result.trace, known) {
            (Some(trace), Some(before)) if trace.purpose == Purpose::Failure => {
                let of = before.query.as_ref().map_or("everything", |query| &query.text);
                let _ = writeln!(out, "    the run of `{}` leads there", one_line(of));
            }
            (Some(trace), _) => {
                let traces = result.several.as_ref().map_or(std::slice::from_ref(trace), |it| &it.traces);
                let lines = traces.iter().flat_map(|trace| run::lines(trace, look.full_trace));
                out.extend(lines.map(|line| format!("    {line}\n")));
            }
            (None, _) => {}
        }
        if let Some(several) = &result.several {
            let _ = writeln!(out, "    {}", several.sentence());
        }
        if look.stats || result.query.is_none() {
            for line in table::numbers(result, report).into_iter().chain(table::ranks(&result.ranks)) {
                let _ = writeln!(out, "    {line}");
            }
        }
    }
    out.push('\n');
    out += &summary(report);
    out
}

/// What was checked, how large it is, and the plan, in a line.
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
    let choice = |axis: &str| plan.choice(axis);
    if plan.engine == Engine::Symbolic {
        let [abstraction, bounds, cover] = ["abstraction", "bounds", "cover"].map(choice);
        let merged = if plan.sets.merge { ", zones with equal sets made one" } else { "" };
        return format!("sets of discrete states, {abstraction}, {bounds} bounds, {cover}{merged}");
    }
    let mut line = format!(
        "{}, {} bounds, {}, {}, zones {}, discrete {}",
        choice("abstraction"),
        choice("bounds"),
        choice("cover"),
        choice("order"),
        choice("zones"),
        choice("discrete"),
    );
    if plan.engine == Engine::Cluster {
        line = format!("cluster by {}, {line}", choice("layout"));
    }
    if plan.table.is_some() {
        line += ", passed ";
        line += &choice("passed");
    }
    if !plan.waiting_inclusion {
        line += ", no inclusion on waiting";
    }
    if plan.cycles.is_some() {
        line += ", cycles ";
        line += &choice("cycles");
    }
    if plan.reduce {
        line += ", inactive clocks forgotten";
    }
    line
}

/// The plan with its reasons; those of questions that have another one, too.
fn explained(report: &Report) -> String {
    let mut plans: Vec<(Option<String>, Plan)> = Vec::new();
    for result in &report.results {
        let Some(plan) = &result.plan else { continue };
        if plans.last().is_none_or(|(_, last)| last != plan) {
            plans.push((result.query.as_ref().map(|query| query.text.clone()), plan.clone()));
        }
    }
    if plans.len() == 1 {
        plans[0].0 = None;
    }
    format!("\n{}", plans_text(&plans))
}

/// Plans with their reasons, each with the question it is for; equal ones that follow each other once.
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
            .map(|reason| [reason.axis, &reason.choice, &reason.why].map(str::to_owned).to_vec())
            .collect();
        for line in table::columns(&rows, &[]) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

fn answer(result: &Finding) -> String {
    let mark = match result.verdict {
        Verdict::Satisfied => styled(GREEN, "✓"),
        Verdict::Violated => styled(RED, "✗"),
        Verdict::Unknown => styled(YELLOW, "?"),
    };
    let question = result.query.as_ref().map_or("everything that can be reached", |query| &query.text);
    let mut out = format!("{mark} {}\n", styled(BOLD, &one_line(question)));
    if let Some(comment) =
        result.query.as_ref().map(|query| one_line(&query.comment)).filter(|c| !c.is_empty())
    {
        let _ = writeln!(out, "    {}", styled(DIM, &comment));
    }
    let _ = writeln!(out, "    {}", outcome(result));
    for next in advice(result) {
        let _ = writeln!(out, "    {}", styled(DIM, &format!("to try next: {next}")));
    }
    out
}

/// The least time after which it happens, in a line, if it is known.
fn least_time(result: &Finding) -> String {
    result.least_time.map_or(String::new(), |Least { value, excluded }| match excluded {
        false => format!("    no run is faster than {value}\n"),
        true => format!("    every run takes more than {value}, by as little as you like\n"),
    })
}

/// What was measured, with a run for each value.
fn values(result: &Finding, full: bool) -> String {
    let mut out = String::new();
    for measure in &result.values {
        let line = measure.line().unwrap_or_else(|| match result.verdict {
            Verdict::Unknown => format!("{} has no known value", measure.text),
            _ => format!("{} has no value: no state that can be reached meets the condition", measure.text),
        });
        let _ = writeln!(out, "    {}", styled(BOLD, &line));
        for extreme in measure.low.iter().chain(&measure.high) {
            let lines = extreme.trace.iter().flat_map(|trace| run::lines(trace, full));
            out.extend(lines.map(|line| format!("      {line}\n")));
        }
    }
    out
}

/// Verdict, expectation and cost in a line.
fn outcome(result: &Finding) -> String {
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
            Some(sets) => format!("{stored} zones, {} states with them, ", count_text(sets.pairs)),
            None => format!("{stored} stored, {visited} visited, "),
        };
        cost += &time_text(result.time);
        if result.reused > 0 {
            let _ = write!(cost, ", going on from {}", count_text(result.reused));
        }
        let _ = write!(line, "  {}", styled(DIM, &cost));
    }
    line
}

fn expectation(result: &Finding) -> String {
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

fn summary(report: &Report) -> String {
    let count = |verdict| report.results.iter().filter(|result| result.verdict == verdict).count();
    let verdicts = [Verdict::Satisfied, Verdict::Violated, Verdict::Unknown];
    let mut parts: Vec<String> = verdicts
        .into_iter()
        .filter(|&verdict| count(verdict) > 0 && report.results.iter().any(|result| result.query.is_some()))
        .map(|verdict| format!("{} {}", count(verdict), verdict_word(verdict)))
        .collect();
    let unexpected = report.results.iter().filter(|result| result.as_expected() == Some(false)).count();
    if unexpected > 0 {
        parts.push(format!("{unexpected} not as expected"));
    }
    let time: std::time::Duration = report.results.iter().map(|result| result.time).sum();
    parts.push(format!("in {}", time_text(time)));
    parts.extend(report.peak_rss_bytes.map(|bytes| format!("with {}", bytes_text(bytes))));
    format!("{}\n", parts.join(", "))
}

/// Text with its line ends and what surrounds them as single spaces.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
