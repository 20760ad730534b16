//! A report in the style of verifyta's output: the lines that scripts look for.
//!
//! As there, answers go to standard output and runs to standard error. A run is a list of states and transitions,
//! with exact clock values instead of zones. Each answer that is neither yes nor no is followed by its reason.

use std::fmt::Write as _;

use tourbillon::{
    Cause, Finding, Finish, MeasureSummary, Plan, Purpose, Report, Trace, TraceKind, TraceState, TraceStep,
    Verdict,
};

/// The answers, and the runs.
pub(crate) fn verifyta(report: &Report) -> (String, String) {
    let mut out = report.plan.as_ref().map_or(String::new(), options);
    let mut runs = String::new();
    for (number, result) in (1..).zip(&report.results) {
        let place = result.query.as_ref().map_or("line 1", |query| &query.place);
        let _ = writeln!(out, "\nVerifying formula {number} at {place}");
        let _ = writeln!(out, " -- Formula {}.", verdict(result));
        if result.verdict == Verdict::Unknown {
            let _ = writeln!(out, " -- {}.", result.why);
        }
        out += &values(result);
        let _ = writeln!(out, " -- States stored : {} states", result.stats.stored);
        let _ = writeln!(out, " -- States explored : {} states", result.stats.visited);
        let _ = writeln!(out, " -- CPU user time used : {} ms", result.time.as_millis());
        if let Some(bytes) = report.peak_rss_bytes {
            let _ = writeln!(out, " -- Resident memory used : {} KiB", bytes / 1024);
        }
        let extremes = result.values.iter().flat_map(|measure| measure.low.iter().chain(&measure.high));
        let first = result.trace.as_slice();
        let traces = result.several.as_ref().map_or(first, |several| &several.traces);
        runs.extend(extremes.filter_map(|extreme| extreme.trace.as_ref()).chain(traces).map(run));
    }
    (out, runs)
}

/// The values of `sup`, `inf` and `bounds`: a line that says which, and one for each that there is.
fn values(result: &Finding) -> String {
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
    let order = match plan.choice("order").as_str() {
        "bfs" => "breadth first".to_owned(),
        "dfs" => "depth first".to_owned(),
        other => other.to_owned(),
    };
    format!(
        "Options for the verification:\n  Generating {trace} trace\n  Search order is {order}\n  Seed is {}\n",
        plan.seed
    )
}

/// What is certain; and if nothing is, which way the doubt goes.
fn verdict(result: &Finding) -> &'static str {
    let invariantly = result.query.as_ref().is_some_and(|query| query.sense.is_universal());
    match (result.verdict, result.reason) {
        (Verdict::Satisfied, _) => "is satisfied",
        (Verdict::Violated, _) => "is NOT satisfied",
        (Verdict::Unknown, Cause::NotSupported | Cause::Refused) => "MAY be satisfied",
        // A state that may not be there speaks for `E<>`; states that were not visited speak for `A[]`.
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

fn run(trace: &Trace) -> String {
    let mut out = format!("\n{}", showing(trace));
    let mut variables = trace.initial.variables.clone();
    state(&mut out, &trace.initial, &variables);
    for step in &trace.steps {
        delay(&mut out, step.delay);
        transitions(&mut out, step);
        for (name, value) in &step.after.variables {
            variables.iter_mut().filter(|(known, _)| known == name).for_each(|(_, old)| *old = *value);
        }
        state(&mut out, &step.after, &variables);
    }
    delay(&mut out, trace.last_delay);
    out += &finish(trace);
    out
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
