//! A run, a line for each step: time, delay, edges, channel, and changed variables.

use tourbillon::{Finish, Purpose, Rational, RunView, TakenEdge, Trace, TraceStep};

use super::table::Widths;
use super::{DIM, styled};

/// The number of steps shown at each end of a long run.
const SHOWN: usize = 12;

/// Passes the steps of a run to a function, one by one. Returns whether all were passed.
type EachStep<'a> = dyn Fn(&mut dyn FnMut(&TraceStep)) -> bool + 'a;

/// A run to print: everything except its steps, the number of its steps, and an iterator over them.
struct ShownRun<'a> {
    head: &'a Trace,
    count: usize,
    loop_time: Option<Rational>,
    steps: &'a EachStep<'a>,
}

/// The lines of a run: a heading, its steps, and the clock values at its end.
pub(crate) fn lines(trace: &Trace, full: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let steps = |visit: &mut dyn FnMut(&TraceStep)| {
        trace.steps.iter().for_each(visit);
        true
    };
    let shown =
        ShownRun { head: trace, count: trace.steps.len(), loop_time: trace.loop_time(), steps: &steps };
    show(&shown, full, &mut |line| lines.push(line));
    lines
}

/// Passes the lines of a run to a function, one by one, while the run is computed.
pub(crate) fn for_each_line(run: &RunView<'_>, full: bool, line: &mut dyn FnMut(String)) {
    let (head, steps) = (run.head(), |visit: &mut dyn FnMut(&TraceStep)| run.for_each_step(visit));
    let shown = ShownRun { head: &head, count: run.len(), loop_time: run.loop_time(), steps: &steps };
    show(&shown, full, line);
}

/// Prints a run in two passes: the first one determines the widths of the columns.
fn show(run: &ShownRun<'_>, full: bool, line: &mut dyn FnMut(String)) {
    let &ShownRun { head, count, loop_time, steps } = run;
    line(heading(head, count));
    let loops = head.loop_start();
    let top: Vec<String> = ["time", "delay", "", "", ""].map(str::to_owned).to_vec();
    let end = (loops.is_none() && (head.last_delay != Rational::ZERO || count == 0)).then(|| end_row(head));
    let rows = count + usize::from(end.is_some());
    let hidden = rows.saturating_sub(2 * SHOWN);
    let hides = !full && hidden > SHOWN;
    let is_shown = |row: usize| !hides || row < SHOWN || row >= SHOWN + hidden;
    let marked = |index: usize, mut row: Vec<String>| {
        if let Some(from) = loops {
            row.insert(2, mark(index, from, count).to_owned());
        }
        row
    };
    // The heading precedes the first step.
    let top = marked(0, top);
    let mut widths = Widths::of(&top);
    let mut index = 0;
    steps(&mut |step| {
        index += 1;
        widths.widen(&marked(index, row(step)));
    });
    end.iter().for_each(|end| widths.widen(end));
    let right = [true, true];
    line(format!("  {}", styled(DIM, &widths.line(&top, &right))));
    index = 0;
    let complete = steps(&mut |step| {
        if is_shown(index) {
            line(format!("  {}", widths.line(&marked(index + 1, row(step)), &right)));
        } else if index == SHOWN {
            line(format!("  ... {hidden} more steps: --full-trace shows them"));
        }
        index += 1;
    });
    if !complete {
        line(format!("  ... {} more steps, cut off by a limit", count - index.min(count)));
    }
    end.iter().for_each(|end| line(format!("  {}", widths.line(end, &right))));
    finish(head, loop_time).into_iter().for_each(|text| line(format!("  {text}")));
    let end = &head.end;
    let places = end.locations.iter().map(|(process, location)| format!("{process}.{location}"));
    let clocks = end.clocks.iter().map(|(name, value)| format!("{name} = {value}"));
    for (what, list) in [("at the end", places.collect::<Vec<_>>()), ("clocks", clocks.collect())] {
        if !list.is_empty() {
            line(format!("  {}", styled(DIM, &format!("{what}: {}", list.join(", ")))));
        }
    }
}

/// The mark of a repeated step. The first step has number 1.
const fn mark(step: usize, from: usize, last: usize) -> &'static str {
    match step {
        _ if step <= from => "",
        _ if from + 1 == last => "⟳",
        _ if step == from + 1 => "┌",
        _ if step == last => "└",
        _ => "│",
    }
}

/// The end of a maximal run or its cycle, in a line.
fn finish(trace: &Trace, loop_time: Option<Rational>) -> Option<String> {
    let since = trace.since.map_or(String::new(), |since| {
        format!("; from time {since} on, the right side of `-->` never holds")
    });
    let time = loop_time.map_or(String::new(), |time| format!(", {time} long,"));
    let text = match trace.finish? {
        Finish::Repeats { .. } => format!("the marked steps{time} repeat forever"),
        Finish::Varies { .. } => {
            "the marked actions repeat forever, possibly with different delays".to_owned()
        }
        Finish::Waits => "then time diverges without a transition".to_owned(),
        Finish::Stuck => "then no transition is possible, and time cannot diverge".to_owned(),
    };
    Some(format!("{text}{since}"))
}

fn heading(trace: &Trace, count: usize) -> String {
    let what = match trace.purpose {
        Purpose::Witness => "witness",
        Purpose::Counterexample => "counterexample",
        Purpose::Failure => "run to the error",
        Purpose::Attains => "run that attains the value",
        Purpose::Approaches => "run that approaches the value",
        Purpose::Grows => {
            "run after which the value grows without bound, by delays or by repeating the last steps"
        }
    };
    let steps = match count {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    };
    let time = trace.duration.map_or(String::new(), |time| format!(", duration {time}"));
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

/// A delay; empty if no time passes.
fn delay(delay: Rational) -> String {
    if delay == Rational::ZERO { String::new() } else { format!("+{delay}") }
}

/// An edge with its selections: `Gate: Occ -> Stopping [e = 2]`.
pub(crate) fn edge(edge: &TakenEdge) -> String {
    let chosen: Vec<String> = edge.selects.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let chosen = if chosen.is_empty() { String::new() } else { format!(" [{}]", chosen.join(", ")) };
    format!("{}: {} -> {}{chosen}", edge.process, edge.source, edge.target)
}

/// The channels and events on which the edges of a step synchronise, each once.
pub(crate) fn sync(edges: &[TakenEdge]) -> String {
    let mut names: Vec<String> = Vec::new();
    for sync in edges.iter().filter_map(|edge| edge.sync.as_ref()) {
        let receives = sync.direction == tourbillon::Direction::Receive;
        let name = format!("{}{}", sync.name, sync.direction.mark());
        // The sender comes first; receivers add nothing.
        if (!receives || names.is_empty()) && !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}
