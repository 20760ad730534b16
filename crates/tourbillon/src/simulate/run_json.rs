//! Runs as files: written as JSON, read from that, from the report of a check, and from UPPAAL's symbolic traces.
//!
//! The schema has a name with a version, `tourbillon-run/1`; `docs/json.md` explains it. An edge is told by its process,
//! its place among the edges of that, and what it looks like: where it starts and leads, what it synchronises by. If
//! the edge at that place looks different, the model was changed since, and the only edge that does look so is
//! taken. Fields that are not known are passed over, so that the run inside the report of a check is read by the same
//! code.

use std::fmt;

use serde_json::{Map, Value, json};
use tourbillon_base::Rational;
use tourbillon_check::{Fired, Run, RunStep, schedule_actions};
use tourbillon_model::{Action, Edge, Model, Process};
use tourbillon_system::compile;

use super::delays::parse_number;
use crate::report_json::{CHECK_SCHEMA, edge_json};
use crate::trace::{Trace, TraceStep};
use crate::xtr;

/// The name and version of the schema.
pub const RUN_SCHEMA: &str = "tourbillon-run/1";

/// A run that was read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedRun {
    /// What it belongs to, such as a query.
    pub name: Option<String>,
    /// The run; or why there is none, if the steps that were read cannot be taken whatever the delays.
    pub run: Result<Run, String>,
}

/// Why a file is no run of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunFileError {
    /// Where in the file.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for RunFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for RunFileError {}

type Outcome<T> = Result<T, RunFileError>;

/// A run as JSON.
#[must_use]
pub fn run_json(model: &Model, trace: &Trace) -> Value {
    json!({
        "schema": RUN_SCHEMA,
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "model": model.name,
        "steps": trace.steps.iter().map(step_json).collect::<Vec<_>>(),
        "last_delay": trace.last_delay.to_string(),
    })
}

fn step_json(step: &TraceStep) -> Value {
    json!({
        "delay": step.delay.to_string(),
        "edges": step.edges.iter().map(edge_json).map(without_place).collect::<Vec<_>>(),
    })
}

/// Where an edge was written is of no use to a reader, and differs between machines.
fn without_place(mut edge: Value) -> Value {
    if let Some(fields) = edge.as_object_mut() {
        fields.shift_remove("place");
    }
    edge
}

/// The runs in a file: a saved run, all runs in the JSON report of a check, or a symbolic trace of UPPAAL's.
///
/// # Errors
/// If it is none of these, or tells of what the model does not have; with the place.
pub fn read_runs(model: &Model, bytes: &[u8]) -> Outcome<Vec<NamedRun>> {
    let text = std::str::from_utf8(bytes).map_err(|error| RunFileError {
        place: format!("byte {}", error.valid_up_to() + 1),
        message: "this is no text in UTF-8".to_owned(),
    })?;
    if text.trim_start().starts_with('{') {
        return read_json(model, text);
    }
    let actions = xtr::read(model, text)?;
    Ok(vec![NamedRun { name: None, run: scheduled(model, &actions) }])
}

fn scheduled(model: &Model, actions: &[Vec<Fired>]) -> Result<Run, String> {
    let (system, _) = compile(model, &[]).map_err(|error| error.to_string())?;
    schedule_actions(model, &system, actions).map(|witness| witness.run).map_err(|error| error.to_string())
}

fn read_json(model: &Model, text: &str) -> Outcome<Vec<NamedRun>> {
    let value: Value = serde_json::from_str(text).map_err(|error| RunFileError {
        place: format!("line {}, column {}", error.line(), error.column()),
        message: format!("this is no JSON: {error}"),
    })?;
    let reader = Reader { model };
    match value.get("schema").and_then(Value::as_str) {
        Some(RUN_SCHEMA) => {
            let run = reader.run(&value, &Path::default())?;
            Ok(vec![NamedRun { name: None, run: Ok(run) }])
        }
        Some(CHECK_SCHEMA) => reader.report(&value),
        Some(other) => Err(Path::default()
            .field("schema")
            .wrong(format!("`{other}` is not known: a run is {RUN_SCHEMA}, a report {CHECK_SCHEMA}"))),
        None => {
            Err(Path::default().wrong(format!("no run: there is no `schema`, which would be {RUN_SCHEMA}")))
        }
    }
}

/// Where in a JSON text, as a person would write it: `steps[3].edges[0]`.
#[derive(Clone, Default)]
struct Path(String);

impl Path {
    fn field(&self, name: &str) -> Self {
        Self(if self.0.is_empty() { name.to_owned() } else { format!("{}.{name}", self.0) })
    }

    fn item(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    fn wrong(&self, message: impl Into<String>) -> RunFileError {
        let place = if self.0.is_empty() { "at the top" } else { &self.0 };
        RunFileError { place: place.to_owned(), message: message.into() }
    }
}

struct Reader<'m> {
    model: &'m Model,
}

impl<'m> Reader<'m> {
    fn report(&self, value: &Value) -> Outcome<Vec<NamedRun>> {
        let mut runs = Vec::new();
        for (index, result) in list(value, "results", &Path::default())?.iter().enumerate() {
            if let Some(trace) = result.get("trace").filter(|trace| !trace.is_null()) {
                let path = Path::default().field("results").item(index).field("trace");
                let name = result.get("query").and_then(Value::as_str).map(str::to_owned);
                runs.push(NamedRun { name, run: Ok(self.run(trace, &path)?) });
            }
        }
        if runs.is_empty() {
            return Err(Path::default().field("results").wrong("this report has no run"));
        }
        Ok(runs)
    }

    fn run(&self, value: &Value, path: &Path) -> Outcome<Run> {
        let mut steps = Vec::new();
        for (index, step) in list(value, "steps", path)?.iter().enumerate() {
            let path = path.field("steps").item(index);
            let edges = list(step, "edges", &path)?.iter().enumerate();
            let action = edges.map(|(index, edge)| self.fired(edge, &path.field("edges").item(index)));
            steps.push(RunStep {
                delay: delay(step, "delay", &path)?,
                action: action.collect::<Outcome<Vec<_>>>()?,
            });
        }
        Ok(Run { steps, last_delay: delay(value, "last_delay", path)? })
    }

    fn fired(&self, value: &Value, path: &Path) -> Outcome<Fired> {
        let name = text(value, "process", path)?;
        let process = self.model.processes.enumerate().find(|(_, process)| process.name == name);
        let Some((id, process)) = process else {
            return Err(path.field("process").wrong(format!("the model has no process `{name}`")));
        };
        let looks = Looks::of(value, path)?;
        let index = value.get("edge").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let edge = self.edge(process, index, &looks).map_err(|message| path.wrong(message))?;
        let selects = selects(&process.edges[edge], looks.selects, path)?;
        Ok(Fired { process: id, edge, selects })
    }

    /// The edge at this place if it looks so, or the only one that does.
    fn edge(&self, process: &'m Process, index: Option<usize>, looks: &Looks<'_>) -> Result<usize, String> {
        let fits = |edge: &Edge| looks.fit(self.model, process, edge);
        if let Some(index) = index.filter(|&index| process.edges.get(index).is_some_and(fits)) {
            return Ok(index);
        }
        let mut others = process.edges.iter().enumerate().filter(|(_, edge)| fits(edge));
        let what = format!("edge of `{}` from `{}` to `{}`", process.name, looks.source, looks.target);
        match (others.next(), others.next()) {
            (Some((index, _)), None) => Ok(index),
            (Some(_), Some(_)) => Err(format!("there is more than one such {what}, and none at its place")),
            (None, _) => Err(format!("the model has no such {what}")),
        }
    }
}

/// What an edge looks like.
struct Looks<'v> {
    source: &'v str,
    target: &'v str,
    /// The channel or event, and the direction; none if it is not told.
    sync: Option<Option<(&'v str, &'v str)>>,
    selects: Option<&'v Map<String, Value>>,
}

impl<'v> Looks<'v> {
    fn of(value: &'v Value, path: &Path) -> Outcome<Self> {
        let sync = value.get("sync").map(|sync| {
            let part = |name: &str| sync.get(name).and_then(Value::as_str);
            part("name").zip(part("direction"))
        });
        Ok(Self {
            source: text(value, "source", path)?,
            target: text(value, "target", path)?,
            sync,
            selects: value.get("selects").and_then(Value::as_object),
        })
    }

    fn fit(&self, model: &Model, process: &Process, edge: &Edge) -> bool {
        let chosen = self.selects.map_or(0, Map::len);
        process.locations[edge.source].name == self.source
            && process.locations[edge.target].name == self.target
            && edge.selects.len() == chosen
            && self.sync.is_none_or(|sync| synchronises(model, edge, sync))
    }
}

/// Whether an edge synchronises so; which channel of an array is decided by the state.
fn synchronises(model: &Model, edge: &Edge, sync: Option<(&str, &str)>) -> bool {
    let of_array = |name: &str| name.split('[').next().unwrap_or_default().to_owned();
    let own = match &edge.action {
        Action::Internal => None,
        Action::Event(event) => Some((model.events[*event].name.clone(), "event")),
        Action::Send(place) => Some((of_array(&model.channels[place.first].name), "send")),
        Action::Receive(place) => Some((of_array(&model.channels[place.first].name), "receive")),
    };
    match (own, sync) {
        (None, None) => true,
        (Some((own, way)), Some((name, direction))) => {
            way == direction && (own == name || own == of_array(name))
        }
        _ => false,
    }
}

fn selects(edge: &Edge, chosen: Option<&Map<String, Value>>, path: &Path) -> Outcome<Vec<i32>> {
    let value = |name: &str| chosen?.get(name)?.as_i64().and_then(|value| i32::try_from(value).ok());
    let all = edge.selects.iter().map(|select| {
        let missing = || path.field("selects").wrong(format!("no number is given for `{}`", select.name));
        value(&select.name).ok_or_else(missing)
    });
    all.collect()
}

fn list<'v>(value: &'v Value, name: &str, path: &Path) -> Outcome<&'v Vec<Value>> {
    value.get(name).and_then(Value::as_array).ok_or_else(|| path.field(name).wrong("a list is missing"))
}

fn text<'v>(value: &'v Value, name: &str, path: &Path) -> Outcome<&'v str> {
    value.get(name).and_then(Value::as_str).ok_or_else(|| path.field(name).wrong("a text is missing"))
}

/// A delay: a text such as `5/2`, or an object with such a text as reports have it.
fn delay(value: &Value, name: &str, path: &Path) -> Outcome<Rational> {
    let path = path.field(name);
    let told = value.get(name).map(|value| value.get("exact").unwrap_or(value));
    let told =
        told.and_then(Value::as_str).ok_or_else(|| path.wrong("a delay such as \"5/2\" is missing"))?;
    parse_number(told).ok_or_else(|| path.wrong(format!("`{told}` is no number such as 3 or 5/2")))
}
