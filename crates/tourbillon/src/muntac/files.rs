//! The text files of Muntac: the network with its formula, and the numbers of names. Both are JSON.
//!
//! Muntac's parser tries one alternative after the other, so that each level of parentheses multiplies its time: there are no more
//! of them than needed. A hyphen between two names would be part of a name: operators have spaces around them.

use serde_json::{Map, Value, json};
use tourbillon_base::Id;
use tourbillon_model::{CellId, Compare, LocationId, LocationKind};

use super::edges::{ClockTest, PlainEdge, Relation, Term, Test};
use super::formula::Formula;
use super::network::{Label, Network};

pub(super) fn model_text(network: &Network<'_>, excluded: &Formula) -> String {
    let range = |(id, name): &(CellId, String)| {
        let cell = &network.model.cells[*id];
        let [low, high] =
            [cell.range.min, cell.range.max].map(|end| i64::from(end) - i64::from(cell.initial));
        format!("{name}[{low}:{high}]")
    };
    let vars: Vec<String> = network.cells.iter().map(range).collect();
    // A list of clocks has at least one.
    let clocks: Vec<&str> = network.clocks.iter().map(|(_, name)| name.as_str()).collect();
    let clocks = if clocks.is_empty() { "unused".to_owned() } else { clocks.join(", ") };
    let names = process_names(network);
    let automata = network.automata.iter().zip(network.model.processes.ids()).zip(&names);
    let automata = automata.map(|((automaton, id), name)| {
        let process = &network.model.processes[id];
        let initial = process.initial.index();
        let of_kind = |kinds: &[LocationKind]| -> Vec<usize> {
            let is_one = |place: usize| kinds.contains(&process.locations[LocationId::from_index(place)].kind);
            (0..automaton.locations.len()).filter(|&place| is_one(place)).collect()
        };
        json!({
            "name": name,
            "initial": initial,
            // Muntac lets time pass in a committed location unless it is urgent too.
            "committed": of_kind(&[LocationKind::Committed]),
            "urgent": of_kind(&[LocationKind::Committed, LocationKind::Urgent]),
            "nodes": automaton.locations.iter().enumerate().map(|(place, name)| json!({
                "id": place,
                "name": name,
                "invariant": joined(automaton.invariants[LocationId::from_index(place)].iter().map(|test| clock_text(network, test))),
            })).collect::<Vec<_>>(),
            "edges": automaton.edges.iter().map(|(edge, label)| edge_json(network, edge, *label)).collect::<Vec<_>>(),
        })
    });
    let automata: Vec<Value> = automata.collect();
    let is_used = |channel: usize| {
        let mut edges = network.automata.iter().flat_map(|automaton| &automaton.edges);
        edges.any(|(_, label)| [Label::In(channel), Label::Out(channel)].contains(label))
    };
    let channels = network.channels.iter().enumerate();
    let broadcast =
        channels.filter(|(index, it)| it.is_broadcast && is_used(*index)).map(|(_, it)| it.name.as_str());
    let text = json!({
        "clocks": clocks,
        "vars": vars.join(", "),
        "broadcast": broadcast.collect::<Vec<_>>(),
        "formula": format!("E<> {}", formula_text(network, &names, excluded)),
        "automata": automata,
    });
    format!("{text:#}\n")
}

/// The numbers of processes, locations, variables and clocks; the reference clock has the number 0.
pub(super) fn renaming_text(network: &Network<'_>) -> String {
    let numbered = |names: Vec<&str>, first: usize| -> Map<String, Value> {
        names.into_iter().enumerate().map(|(index, name)| (name.to_owned(), json!(index + first))).collect()
    };
    let names = process_names(network);
    let locations = network.automata.iter().zip(&names).map(|(automaton, name)| {
        let places = 0..automaton.locations.len();
        (name.clone(), Value::Object(places.map(|place| (place.to_string(), json!(place))).collect()))
    });
    let text = json!({
        "processes": numbered(names.iter().map(String::as_str).collect(), 0),
        "locations": locations.collect::<Map<_, _>>(),
        "vars": numbered(network.cells.iter().map(|(_, name)| name.as_str()).collect(), 0),
        "clocks": numbered(network.clocks.iter().map(|(_, name)| name.as_str()).collect(), 1),
    });
    format!("{text:#}\n")
}

fn process_names(network: &Network<'_>) -> Vec<String> {
    let mut names = super::names::Names::default();
    network.automata.iter().map(|automaton| names.unique(&automaton.name)).collect()
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" && ")
}

fn edge_json(network: &Network<'_>, edge: &PlainEdge, label: Label) -> Value {
    let tests = edge.tests.iter().map(|test| test_text(network, test, true));
    let clocks = edge.clocks.iter().map(|test| clock_text(network, test));
    let resets = edge.resets.iter().map(|clock| {
        let name = network.clocks.iter().find(|(id, _)| id == clock).map_or("", |(_, name)| name);
        format!("{name} := 0")
    });
    let updates = edge.updates.iter().map(|(cell, term)| update_text(network, *cell, term));
    let name = |channel: usize| &network.channels[channel].name;
    json!({
        "source": edge.source.index(),
        "target": edge.target.index(),
        "guard": joined(clocks.chain(tests)),
        "label": match label {
            Label::Silent => String::new(),
            Label::In(channel) => format!("{}?", name(channel)),
            Label::Out(channel) => format!("{}!", name(channel)),
        },
        "update": resets.chain(updates).collect::<Vec<_>>().join(", "),
    })
}

fn clock_text(network: &Network<'_>, test: &ClockTest) -> String {
    let name = network.clocks.iter().find(|(id, _)| *id == test.clock).map_or("", |(_, name)| name);
    let compare = match test.compare {
        Compare::Less => "<",
        Compare::LessOrEqual => "<=",
        Compare::Equal => "==",
        Compare::GreaterOrEqual => ">=",
        Compare::Greater => ">",
    };
    format!("{name} {compare} {}", test.value)
}

/// The name of a variable, and its initial value in the model.
fn variable<'n>(network: &'n Network<'_>, cell: CellId) -> (&'n str, i64) {
    let name = network.cells.iter().find(|(id, _)| *id == cell).map_or("", |(_, name)| name);
    (name, network.model.cells[cell].initial.into())
}

/// A test; there is no operator for inequality. In a conjunction it needs parentheses.
fn test_text(network: &Network<'_>, test: &Test, in_and: bool) -> String {
    let (name, initial) = variable(network, test.cell);
    let value = i64::from(test.value) - initial;
    let one = |relation: &str| format!("{name} {relation} {value}");
    match test.relation {
        Relation::Less => one("<"),
        Relation::LessOrEqual => one("<="),
        Relation::Equal => one("=="),
        Relation::GreaterOrEqual => one(">="),
        Relation::Greater => one(">"),
        Relation::NotEqual if in_and => format!("({} || {})", one("<"), one(">")),
        Relation::NotEqual => format!("{} || {}", one("<"), one(">")),
    }
}

fn update_text(network: &Network<'_>, cell: CellId, term: &Term) -> String {
    let (name, initial) = variable(network, cell);
    let shifted = match (term, initial) {
        (_, 0) => term_text(network, term),
        (Term::Constant(value), _) => (value - initial).to_string(),
        // The same variable with a constant: what is added cancels out.
        (Term::Binary(op @ ('+' | '-'), left, right), _)
            if **left == Term::Cell(cell) && is_constant(right) =>
        {
            format!("{name} {op} {}", term_text(network, right))
        }
        _ => format!("{} - {}", term_text(network, term), parenthesised(initial)),
    };
    format!("{name} := {shifted}")
}

fn is_constant(term: &Term) -> bool {
    matches!(term, Term::Constant(_))
}

fn parenthesised(value: i64) -> String {
    if value < 0 { format!("({value})") } else { value.to_string() }
}

fn term_text(network: &Network<'_>, term: &Term) -> String {
    match term {
        Term::Constant(value) => value.to_string(),
        Term::Cell(cell) => match variable(network, *cell) {
            (name, 0) => name.to_owned(),
            (name, initial) => format!("({name} + {})", parenthesised(initial)),
        },
        Term::Binary(op, left, right) => {
            let [left, right] = [left, right].map(|side| match &**side {
                Term::Binary(..) => format!("({})", term_text(network, side)),
                Term::Constant(value) => parenthesised(*value),
                Term::Cell(_) => term_text(network, side),
            });
            format!("{left} {op} {right}")
        }
    }
}

fn formula_text(network: &Network<'_>, processes: &[String], formula: &Formula) -> String {
    // Muntac does not know the variables that no edge mentions; these never change.
    let known = formula.map(&|part| match part {
        Formula::Test(test) if network.cells.iter().all(|(id, _)| *id != test.cell) => {
            Formula::Constant(test.relation.holds(network.model.cells[test.cell].initial, test.value))
        }
        other => other.clone(),
    });
    match known {
        Formula::Constant(value) => {
            // There are no constants in formulas.
            let here = format!("{}.{}", processes[0], network.automata[0].locations[0]);
            if value { format!("{here} || !({here})") } else { format!("{here} && !({here})") }
        }
        other => part_text(network, processes, &other, false),
    }
}

fn part_text(network: &Network<'_>, processes: &[String], formula: &Formula, in_and: bool) -> String {
    match formula {
        Formula::Constant(_) => unreachable!("constants were removed"),
        Formula::At(process, location, wanted) => {
            let automaton = &network.automata[process.index()];
            let name = &automaton.locations[location.index()];
            let at = format!("{}.{name}", processes[process.index()]);
            if *wanted { at } else { format!("!({at})") }
        }
        Formula::Test(test) => test_text(network, test, in_and),
        Formula::And(parts) => joined(parts.iter().map(|part| part_text(network, processes, part, true))),
        Formula::Or(parts) => {
            let parts: Vec<String> =
                parts.iter().map(|part| part_text(network, processes, part, false)).collect();
            if in_and { format!("({})", parts.join(" || ")) } else { parts.join(" || ") }
        }
    }
}
