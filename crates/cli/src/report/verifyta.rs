//! A report in verifyta's output format, for scripts that read it.
//!
//! As in verifyta, answers go to standard output and runs to standard error. A run is a list of states and transitions,
//! with exact clock values instead of zones. An answer that is neither yes nor no is followed by its reason.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use tourbillon::{
    AnswerSummary, Axis, Cause, Finish, GivenAnswer, MeasureSummary, Plan, Purpose, RunView, Trace,
    TraceKind, TraceState, TraceStep, Verdict,
};

use super::Out;

/// A report that is written answer by answer.
pub(crate) struct VerifytaReport {
    out: Out,
    runs: Out,
    begun: bool,
}

impl VerifytaReport {
    pub(crate) fn new(out: Out, runs: Out) -> Self {
        Self { out, runs, begun: false }
    }

    /// Writes an answer and its runs, with the peak memory of the process so far.
    pub(crate) fn answer(&mut self, given: &GivenAnswer<'_>, peak_rss_bytes: Option<u64>) -> io::Result<()> {
        let (out, result) = (&mut self.out, given.finding);
        if !std::mem::replace(&mut self.begun, true) {
            write!(out, "{}", result.plan.as_ref().map_or(String::new(), options))?;
        }
        let number = result.query.as_ref().map_or(1, |query| query.number + 1);
        let place = result.query.as_ref().map_or("line 1", |query| &query.place);
        writeln!(out, "\nVerifying formula {number} at {place}")?;
        writeln!(out, " -- Formula {}.", verdict(result))?;
        if result.verdict == Verdict::Unknown {
            writeln!(out, " -- {}.", result.why)?;
        }
        write!(out, "{}", values(result))?;
        writeln!(out, " -- States stored : {} states", result.stats.stored)?;
        writeln!(out, " -- States explored : {} states", result.stats.visited)?;
        writeln!(out, " -- CPU user time used : {} ms", result.time.as_millis())?;
        if let Some(bytes) = peak_rss_bytes {
            writeln!(out, " -- Resident memory used : {} KiB", bytes / 1024)?;
        }
        out.flush()?;
        let first = given.runs.trace.as_slice();
        let several = if given.runs.several.is_empty() { first } else { &given.runs.several };
        let ends = given.runs.values.iter().flatten().flatten();
        ends.chain(several).try_for_each(|shown| run(&mut self.runs, shown))?;
        self.runs.flush()
    }
}

/// The values of `sup`, `inf` and `bounds`: a heading, and a line for each value.
fn values(result: &AnswerSummary) -> String {
    let Some(first) = result.values.first() else { return String::new() };
    let word = match (&first.low, &first.high) {
        (None, _) => "sup",
        (_, None) => "inf",
        _ => "bounds",
    };
    let lines = result.values.iter().filter_map(MeasureSummary::line);
    format!("{word}:\n") + &lines.map(|line| format!(" {line}\n")).collect::<String>()
}

fn options(plan: &Plan) -> String {
    let trace = match plan.trace {
        TraceKind::None => "no",
        TraceKind::Some => "some",
        TraceKind::Shortest => "shortest",
        TraceKind::Fastest => "fastest",
    };
    let order = match plan.choice(Axis::Order).as_str() {
        "bfs" => "breadth first".to_owned(),
        "dfs" => "depth first".to_owned(),
        other => other.to_owned(),
    };
    format!(
        "Options for the verification:\n  Generating {trace} trace\n  Search order is {order}\n  Seed is {}\n",
        plan.seed
    )
}

/// The verdict; if it is unknown, the direction of the doubt.
fn verdict(result: &AnswerSummary) -> &'static str {
    let invariantly = result.query.as_ref().is_some_and(|query| query.sense.is_universal());
    match (result.verdict, result.reason) {
        (Verdict::Satisfied, _) => "is satisfied",
        (Verdict::Violated, _) => "is NOT satisfied",
        (Verdict::Unknown, Cause::NotSupported | Cause::Refused) => "MAY be satisfied",
        // A state that may be unreachable supports `E<>`; unvisited states support `A[]`.
        (Verdict::Unknown, Cause::NotReplayed) if invariantly => "MAY NOT be satisfied",
        (Verdict::Unknown, Cause::NotReplayed) => "MAY be satisfied",
        (Verdict::Unknown, _) if invariantly => "MAY be satisfied",
        (Verdict::Unknown, _) => "MAY NOT be satisfied",
    }
}

fn showing(trace: &Trace) -> &'static str {
    match trace.purpose {
        Purpose::Counterexample => "Showing counter example.\n",
        _ => "Showing example trace.\n",
    }
}

fn run(out: &mut Out, run: &RunView<'_>) -> io::Result<()> {
    let head = run.head();
    let mut text = format!("\n{}", showing(&head));
    let mut variables = head.initial.variables.clone();
    state(&mut text, &head.initial, &variables);
    let mut outcome = Ok(());
    let complete = run.for_each_step(&mut |step| {
        if outcome.is_err() {
            return;
        }
        delay(&mut text, step.delay);
        transitions(&mut text, step);
        for (&variable, (_, value)) in step.after.variable_indices.iter().zip(&step.after.variables) {
            variables[variable].1 = *value;
        }
        state(&mut text, &step.after, &variables);
        outcome = out.write_all(text.as_bytes());
        text.clear();
    });
    outcome?;
    if complete {
        delay(&mut text, head.last_delay);
        text += &finish(&head);
    } else {
        text += "\nThe run is truncated here: a limit was reached.\n";
    }
    out.write_all(text.as_bytes())
}

fn finish(trace: &Trace) -> String {
    match (trace.finish, trace.loop_start()) {
        (Some(Finish::Waits), _) => "\nDelay: infinite\n".to_owned(),
        (_, Some(from)) => format!("\nThe run repeats from transition {} on.\n", from + 1),
        _ => String::new(),
    }
}

fn state(out: &mut String, state: &TraceState, variables: &[(std::sync::Arc<str>, i32)]) {
    let places: Vec<String> = state.locations.iter().map(|(process, at)| format!("{process}.{at}")).collect();
    let clocks = state.clocks.iter().map(|(name, value)| format!("{name}={value}"));
    let values: Vec<String> =
        variables.iter().map(|(name, value)| format!("{name}={value}")).chain(clocks).collect();
    let _ = writeln!(out, "\nState:\n( {} )\n{}", places.join(" "), values.join(" "));
}

fn delay(out: &mut String, delay: tourbillon::Rational) {
    if delay != tourbillon::Rational::ZERO {
        let _ = writeln!(out, "\nDelay: {delay}");
    }
}

fn transitions(out: &mut String, step: &TraceStep) {
    out.push_str("\nTransitions:\n");
    for edge in &step.edges {
        let (process, source, target) = (&edge.process, &edge.source, &edge.target);
        let sync = edge
            .sync
            .as_ref()
            .map_or_else(|| "tau".to_owned(), |sync| format!("{}{}", sync.name, sync.direction.mark()));
        let _ = writeln!(out, "  {process}.{source}->{process}.{target} {{ {sync} }}");
    }
}
