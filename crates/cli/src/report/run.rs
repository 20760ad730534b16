//! A run, a line for each step: when, after which delay, who moves, over which channel, and what that changes.

use tourbillon::{Finish, Purpose, TakenEdge, Trace, TraceStep};

use super::table::columns;
use super::{DIM, styled};

/// How many steps are shown at each end of a long run.
const SHOWN: usize = 12;

/// The lines of a run: a heading, its steps, and the clocks at its end.
pub(crate) fn lines(trace: &Trace, full: bool) -> Vec<String> {
    let mut lines = vec![heading(trace)];
    let mut rows: Vec<Vec<String>> = vec![["time", "delay", "", "", ""].map(str::to_owned).to_vec()];
    rows.extend(trace.steps.iter().map(row));
    if let Some(from) = trace.loop_start() {
        mark_loop(&mut rows, from);
    } else if trace.last_delay != tourbillon::Rational::ZERO || trace.steps.is_empty() {
        rows.push(end_row(trace));
    }
    let mut steps = columns(&rows, &[true, true]);
    let hidden = steps.len().saturating_sub(2 * SHOWN + 1);
    if !full && hidden > SHOWN {
        let note = format!("... {hidden} more steps: --full-trace shows them");
        steps.splice(1 + SHOWN..1 + SHOWN + hidden, [note]);
    }
    steps[0] = styled(DIM, &steps[0]);
    lines.extend(steps.into_iter().map(|line| format!("  {line}")));
    lines.extend(finish(trace).map(|line| format!("  {line}")));
    let end = &trace.end;
    let places = end.locations.iter().map(|(process, location)| format!("{process}.{location}"));
    let clocks = end.clocks.iter().map(|(name, value)| format!("{name} = {value}"));
    for (what, list) in [("at the end", places.collect::<Vec<_>>()), ("clocks", clocks.collect())] {
        if !list.is_empty() {
            lines.push(format!("  {}", styled(DIM, &format!("{what}: {}", list.join(", ")))));
        }
    }
    lines
}

/// Marks the steps that are repeated, before what happens. There is a heading above them.
fn mark_loop(rows: &mut [Vec<String>], from: usize) {
    let last = rows.len() - 1;
    for (index, row) in rows.iter_mut().enumerate() {
        let mark = match index {
            0 => "",
            _ if index <= from => "",
            _ if from + 1 == last => "⟳",
            _ if index == from + 1 => "┌",
            _ if index == last => "└",
            _ => "│",
        };
        row.insert(2, mark.to_owned());
    }
}

/// How the run goes on for ever, or ends, in a line.
fn finish(trace: &Trace) -> Option<String> {
    let since =
        trace.since.map_or(String::new(), |since| format!(", and from time {since} on it does not follow"));
    let time = trace.loop_time().map_or(String::new(), |time| format!(", {time} long,"));
    let text = match trace.finish? {
        Finish::Repeats { .. } => format!("the marked part{time} repeats for ever"),
        Finish::Varies { .. } => {
            "the marked actions repeat for ever, perhaps with other delays each time".to_owned()
        }
        Finish::Waits => "then it waits for ever".to_owned(),
        Finish::Stuck => "then nothing can happen any more, and time cannot go on for ever".to_owned(),
    };
    Some(format!("{text}{since}"))
}

fn heading(trace: &Trace) -> String {
    let what = match trace.purpose {
        Purpose::Witness => "a run that shows it",
        Purpose::Counterexample => "a run that breaks it",
        Purpose::Failure => "the run that leads there",
        Purpose::Attains => "a run that has it",
        Purpose::Approaches => "a run that comes near it",
        Purpose::Grows => {
            "a run from whose end it goes on growing, by waiting or by repeating what was done last"
        }
    };
    let steps = match trace.steps.len() {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    };
    let time = trace.duration.map_or(String::new(), |time| format!(", in time {time}"));
    format!("{what}: {steps}{time}")
}

fn row(step: &TraceStep) -> Vec<String> {
    let edges: Vec<String> = step.edges.iter().map(edge).collect();
    let time = step.time.map_or_else(|| "?".to_owned(), |time| time.to_string());
    let changed: Vec<String> =
        step.after.variables.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    vec![time, delay(step.delay), edges.join(", "), sync(&step.edges), changed.join(", ")]
}

fn end_row(trace: &Trace) -> Vec<String> {
    let time = trace.duration.map_or_else(|| "?".to_owned(), |time| time.to_string());
    vec![time, delay(trace.last_delay), "(time passes)".to_owned(), String::new(), String::new()]
}

/// A delay, or nothing if no time passes.
fn delay(delay: tourbillon::Rational) -> String {
    if delay == tourbillon::Rational::ZERO { String::new() } else { format!("+{delay}") }
}

/// An edge with what was chosen for it: `Gate: Occ -> Stopping [e = 2]`.
pub(crate) fn edge(edge: &TakenEdge) -> String {
    let chosen: Vec<String> = edge.selects.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let chosen = if chosen.is_empty() { String::new() } else { format!(" [{}]", chosen.join(", ")) };
    format!("{}: {} -> {}{chosen}", edge.process, edge.source, edge.target)
}

/// What the edges of a step synchronise by, each once.
pub(crate) fn sync(edges: &[TakenEdge]) -> String {
    let mut names: Vec<String> = Vec::new();
    for sync in edges.iter().filter_map(|edge| edge.sync.as_ref()) {
        let receives = sync.direction == tourbillon::Direction::Receive;
        let name = format!("{}{}", sync.name, sync.direction.mark());
        // The sender comes first and says all that the receivers could.
        if (!receives || names.is_empty()) && !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}
