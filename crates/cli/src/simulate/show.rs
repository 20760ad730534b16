//! Simulations for people: what happened, what that changed, and what can happen next.

use std::collections::HashMap;

use tourbillon::{Choice, Delays, Move, Situation, SourcePlace, Stuck, TakenEdge, Trace, TraceState};

use crate::report::{BOLD, DIM, RED, YELLOW, columns, edge, lines, styled, sync};

/// How many steps are listed: selections can make thousands.
const SHOWN: usize = 200;

/// How many failures are told.
const FAILING_SHOWN: usize = 10;

/// The steps of a run, a line each, and where it ends.
pub(super) fn run(trace: &Trace) -> String {
    let steps = match trace.steps.len() {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    };
    let time = trace.duration.map_or(String::new(), |time| format!(", in time {time}"));
    let lines = lines(trace, true).into_iter().skip(1);
    lines.fold(format!("{steps}{time}\n"), |text, line| text + &line + "\n")
}

/// What happened last, and what can happen next.
pub(super) fn moved(situation: &Situation, last: Option<&Move>) -> String {
    let Some(last) = last else { return everything(situation) };
    let mut text = format!("{}{}\n", heading(situation), styled(BOLD, &happened(last)));
    text += &clocks(situation);
    text + &future(situation)
}

/// All there is to say about the present state.
pub(super) fn everything(situation: &Situation) -> String {
    let TraceState { locations, variables, .. } = &situation.state;
    let places: Vec<String> = locations.iter().map(|(process, place)| format!("{process}.{place}")).collect();
    let values: Vec<String> = variables.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let mut text = format!("{}\n", heading(situation).trim_end_matches([':', ' ']));
    text += &list("at", &places);
    text += &list("with", &values);
    text += &clocks(situation);
    text + &future(situation)
}

/// A move in a few words: `P: A -> B  go!  n = 1`.
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

fn heading(situation: &Situation) -> String {
    let step = if situation.step == situation.steps {
        format!("step {}", situation.step)
    } else {
        format!("step {} of {}", situation.step, situation.steps)
    };
    let time = situation.time.map_or(String::new(), |time| format!(", time {time}"));
    format!("{}: ", styled(DIM, &format!("{step}{time}")))
}

fn clocks(situation: &Situation) -> String {
    if let Some(zone) = &situation.zone {
        return list("zone", std::slice::from_ref(zone));
    }
    let clocks = situation.state.clocks.iter().map(|(name, value)| format!("{name} = {value}"));
    list("clocks", &clocks.collect::<Vec<_>>())
}

fn list(what: &str, items: &[String]) -> String {
    if items.is_empty() { String::new() } else { format!("  {what}: {}\n", items.join(", ")) }
}

/// The steps that can be taken, how much time can pass, and whether that is all.
fn future(situation: &Situation) -> String {
    let mut rows: Vec<Vec<String>> = situation.choices.iter().zip(1..).take(SHOWN).map(row).collect();
    tell_apart(&mut rows, &situation.choices);
    if situation.choices.len() > SHOWN {
        let rest = format!("... up to {}: any of them can be taken", situation.choices.len());
        rows.push(["", "", &rest, ""].map(str::to_owned).to_vec());
    }
    if let Some(patience) = situation.patience.filter(|_| situation.stuck.is_none()) {
        rows.push(["-", &patience.to_string(), "time passes", ""].map(str::to_owned).to_vec());
    }
    let mut text: String = columns(&rows, &[true]).iter().map(|line| format!("  {line}\n")).collect();
    for failing in situation.failures.iter().take(FAILING_SHOWN) {
        text += &format!("  {}\n", styled(RED, &failing.to_string()));
    }
    if situation.failures.len() > FAILING_SHOWN {
        text += &format!("  ... {} more go wrong\n", situation.failures.len() - FAILING_SHOWN);
    }
    if let Some(stuck) = situation.stuck {
        text += &format!("  {}\n", styled(YELLOW, &stuck_text(stuck, situation)));
    }
    text
}

fn row((choice, number): (&Choice, usize)) -> Vec<String> {
    let delays: Vec<String> = choice.delays.iter().map(Delays::to_string).collect();
    let when = choice.zone.clone().unwrap_or_else(|| delays.join(" or "));
    let edges: Vec<String> = choice.edges.iter().map(edge).collect();
    vec![number.to_string(), when, edges.join(", "), sync(&choice.edges)]
}

/// Where steps read the same, adds where the edges are written, if that is what tells them apart.
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

/// Where the edges of a step are written: `line 5, column 7`, or the element of an XML file.
fn places(choice: &Choice) -> String {
    let place = |edge: &TakenEdge| match &edge.place {
        SourcePlace { element: Some(element), .. } => element.clone(),
        SourcePlace { line, column, .. } => format!("line {line}, column {column}"),
    };
    choice.edges.iter().map(place).collect::<Vec<_>>().join("; ")
}

/// Why no step can be taken, in a sentence.
pub(super) fn why_not_on(situation: &Situation) -> String {
    let stuck = situation.stuck.map(|stuck| stuck_text(stuck, situation));
    stuck.or(situation.failures.first().map(ToString::to_string)).unwrap_or_default()
}

/// Why it does not go on, in a sentence.
fn stuck_text(stuck: Stuck, situation: &Situation) -> String {
    match (stuck, situation.patience) {
        (Stuck::Deadlock, None) => "deadlock: no step is possible anywhere in this zone".to_owned(),
        (Stuck::Deadlock, Some(_)) => {
            "deadlock: no step is possible, now or later; time can diverge".to_owned()
        }
        (Stuck::TimeLock, None) => {
            "time-lock: no step is possible anywhere in this zone, and time stops".to_owned()
        }
        (Stuck::TimeLock, patience) => {
            let how = match patience {
                Some(Delays { from, to: Some(to), .. }) if from == to => "no time can pass".to_owned(),
                Some(Delays { to: Some(to), to_included: true, .. }) => format!("no more than {to} can pass"),
                Some(Delays { to: Some(to), .. }) => format!("less than {to} can pass"),
                _ => "time stops".to_owned(),
            };
            format!("time-lock: no step is possible, now or later, and {how}")
        }
    }
}
