//! Simulations as text: the last step, its changes, and the enabled steps.

use std::collections::HashMap;

use tourbillon::{
    Choice, DeadlockKind, Delays, Move, SimulationState, SourcePlace, TakenEdge, Trace, TraceState,
};

use crate::report::{BOLD, DIM, RED, YELLOW, columns, edge, lines, styled, sync};

/// The maximum number of listed steps: selections can produce thousands.
const SHOWN: usize = 200;

/// The maximum number of listed failures.
const FAILING_SHOWN: usize = 10;

/// The steps of a run, a line for each, and its end.
pub(super) fn run(trace: &Trace) -> String {
    let steps = match trace.steps.len() {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    };
    let time = trace.duration.map_or(String::new(), |time| format!(", duration {time}"));
    let lines = lines(trace, true).into_iter().skip(1);
    lines.fold(format!("{steps}{time}\n"), |text, line| text + &line + "\n")
}

/// The last step, and the enabled steps.
pub(super) fn moved(current: &SimulationState, last: Option<&Move>) -> String {
    let Some(last) = last else { return everything(current) };
    let mut text = format!("{}{}\n", heading(current), styled(BOLD, &happened(last)));
    text += &clocks(current);
    text + &enabled_steps(current)
}

/// The whole current state, and the enabled steps.
pub(super) fn everything(current: &SimulationState) -> String {
    let TraceState { locations, variables, .. } = &current.state;
    let places: Vec<String> = locations.iter().map(|(process, place)| format!("{process}.{place}")).collect();
    let values: Vec<String> = variables.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let mut text = format!("{}\n", heading(current).trim_end_matches([':', ' ']));
    text += &list("at", &places);
    text += &list("with", &values);
    text += &clocks(current);
    text + &enabled_steps(current)
}

/// A step in a line: `P: A -> B  go!  n = 1`.
pub(super) fn happened(last: &Move) -> String {
    let mut parts = Vec::new();
    let delay = last.delay.filter(|&delay| delay != tourbillon::Rational::ZERO || last.edges.is_empty());
    parts.extend(delay.map(|delay| format!("+{delay}")));
    let edges: Vec<String> = last.edges.iter().map(edge).collect();
    let changed: Vec<String> = last.changed.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    parts.extend([edges.join(", "), sync(&last.edges), changed.join(", ")]);
    parts.retain(|part| !part.is_empty());
    parts.join("  ")
}

fn heading(current: &SimulationState) -> String {
    let step = if current.step == current.steps {
        format!("step {}", current.step)
    } else {
        format!("step {} of {}", current.step, current.steps)
    };
    let time = current.time.map_or(String::new(), |time| format!(", time {time}"));
    format!("{}: ", styled(DIM, &format!("{step}{time}")))
}

fn clocks(current: &SimulationState) -> String {
    if let Some(zone) = &current.zone {
        return list("zone", std::slice::from_ref(zone));
    }
    let clocks = current.state.clocks.iter().map(|(name, value)| format!("{name} = {value}"));
    list("clocks", &clocks.collect::<Vec<_>>())
}

fn list(what: &str, items: &[String]) -> String {
    if items.is_empty() { String::new() } else { format!("  {what}: {}\n", items.join(", ")) }
}

/// The enabled steps, the possible delays, and deadlocks.
fn enabled_steps(current: &SimulationState) -> String {
    let mut rows: Vec<Vec<String>> = current.choices.iter().zip(1..).take(SHOWN).map(row).collect();
    tell_apart(&mut rows, &current.choices);
    if current.choices.len() > SHOWN {
        let rest = format!("... {} in all; each can be taken by its number", current.choices.len());
        rows.push(["", "", &rest, ""].map(str::to_owned).to_vec());
    }
    if let Some(patience) = current.patience.filter(|_| current.stuck.is_none()) {
        rows.push(["-", &patience.to_string(), "time passes", ""].map(str::to_owned).to_vec());
    }
    let mut text: String = columns(&rows, &[true]).iter().map(|line| format!("  {line}\n")).collect();
    for failing in current.failures.iter().take(FAILING_SHOWN) {
        text += &format!("  {}\n", styled(RED, &failing.to_string()));
    }
    if current.failures.len() > FAILING_SHOWN {
        text += &format!("  ... {} more fail\n", current.failures.len() - FAILING_SHOWN);
    }
    if let Some(stuck) = current.stuck {
        text += &format!("  {}\n", styled(YELLOW, &stuck_text(stuck, current)));
    }
    text
}

fn row((choice, number): (&Choice, usize)) -> Vec<String> {
    let delays: Vec<String> = choice.delays.iter().map(Delays::to_string).collect();
    let when = choice.zone.clone().unwrap_or_else(|| delays.join(" or "));
    let edges: Vec<String> = choice.edges.iter().map(edge).collect();
    vec![number.to_string(), when, edges.join(", "), sync(&choice.edges)]
}

/// Adds the source positions of edges to steps with equal texts, if their edges differ.
fn tell_apart(rows: &mut [Vec<String>], choices: &[Choice]) {
    let key = |row: &Vec<String>| (row[2].clone(), row[3].clone());
    let mut alike: HashMap<(String, String), Vec<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        alike.entry(key(row)).or_default().push(index);
    }
    for indices in alike.into_values().filter(|indices| indices.len() > 1) {
        let edges = |index: usize| choices[index].edges.iter().map(|edge| edge.index);
        if indices.iter().any(|&index| !edges(index).eq(edges(indices[0]))) {
            for index in indices {
                rows[index].push(places(&choices[index]));
            }
        }
    }
}

/// The source positions of the edges of a step: `line 5, column 7`, or the element of an XML file.
fn places(choice: &Choice) -> String {
    let place = |edge: &TakenEdge| match &edge.place {
        SourcePlace { element: Some(element), .. } => element.clone(),
        SourcePlace { line, column, .. } => format!("line {line}, column {column}"),
    };
    choice.edges.iter().map(place).collect::<Vec<_>>().join("; ")
}

/// Why no step can be taken, in a sentence.
pub(super) fn why_ended(current: &SimulationState) -> String {
    let stuck = current.stuck.map(|stuck| stuck_text(stuck, current));
    stuck.or(current.failures.first().map(ToString::to_string)).unwrap_or_default()
}

/// The kind of deadlock, in a sentence.
fn stuck_text(stuck: DeadlockKind, current: &SimulationState) -> String {
    match (stuck, current.patience) {
        (DeadlockKind::Deadlock, None) => "deadlock: no step is possible anywhere in this zone".to_owned(),
        (DeadlockKind::Deadlock, Some(_)) => {
            "deadlock: no step is possible, now or later; time can diverge".to_owned()
        }
        (DeadlockKind::Timelock, None) => {
            "timelock: no step is possible anywhere in this zone, and time cannot diverge".to_owned()
        }
        (DeadlockKind::Timelock, patience) => {
            let how = match patience {
                Some(Delays { from, to: Some(to), .. }) if from == to => "no time can pass".to_owned(),
                Some(Delays { to: Some(to), to_included: true, .. }) => format!("no more than {to} can pass"),
                Some(Delays { to: Some(to), .. }) => format!("less than {to} can pass"),
                _ => "time cannot diverge".to_owned(),
            };
            format!("timelock: no step is possible, now or later, and {how}")
        }
    }
}
