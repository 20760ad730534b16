//! Runs as files: written as JSON; read from that, from JSON reports, and from UPPAAL's symbolic traces.
//!
//! The schema has a name with a version, `tourbillon-run/1`; `docs/json.md` explains it. An edge is identified by its
//! process, its index, its source, its target and its synchronisation. If the edge at that index differs, the model has
//! changed, and the only edge that matches the rest is taken. Unknown fields are ignored, so that the same code reads
//! the runs inside a report.

use std::fmt;

use serde_json::{Map, Value, json};
use tourbillon_base::Rational;
use tourbillon_check::{Finish, Fired, Run, RunStep, schedule_actions};
use tourbillon_model::{Action, Edge, Model, Process};
use tourbillon_system::compile;

use super::delays::parse_number;
use super::ending::Ending;
use crate::lint::{LINT_SCHEMA, LINT_SCHEMA_1};
use crate::report_json::{CHECK_SCHEMA, CHECK_SCHEMA_1, finish_json, number, taken_json};
use crate::trace::{Trace, TraceStep};
use crate::xtr;

/// The name and version of the schema of runs.
pub const RUN_SCHEMA: &str = "tourbillon-run/1";

/// The name and version of the schema of replay reports.
pub const REPLAY_SCHEMA: &str = "tourbillon-replay/1";

/// A run that was read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedRun {
    /// The query or finding that it belongs to.
    pub name: Option<String>,
    /// The run; or why there is none, if the steps have no possible delays.
    pub run: Result<Run, String>,
    /// The end of a maximal run, if the file has one.
    pub ending: Option<Ending>,
}

/// Why a file is not a run of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunFileError {
    /// The position in the file.
    pub place: String,
    pub message: String,
}

impl fmt::Display for RunFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for RunFileError {}

type RunFileResult<T> = Result<T, RunFileError>;

/// A run as JSON; `ended` is the reason why a random walk ended early.
#[must_use]
pub fn run_json(model: &Model, trace: &Trace, ended: Option<&str>) -> Value {
    json!({
        "schema": RUN_SCHEMA,
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "model": model.name,
        "steps": trace.steps.iter().map(step_json).collect::<Vec<_>>(),
        "last_delay": trace.last_delay.to_string(),
        "finish": trace.finish.map(|finish| finish_json(finish, trace.loop_time())),
        "since": trace.since.map(number),
        "ended": ended,
    })
}

fn step_json(step: &TraceStep) -> Value {
    json!({
        "delay": step.delay.to_string(),
        "edges": step.edges.iter().map(taken_json).collect::<Vec<_>>(),
    })
}

/// The supported files, in words.
const KNOWN: &str = "supported are saved runs, JSON reports of check, lint and replay, and .xtr traces";

/// The runs in a file: a saved run, all runs in a JSON report of a check, a lint or a replay, or a symbolic trace of
/// UPPAAL.
///
/// # Errors
/// If it is none of these, or does not match the model; with the position.
pub fn read_runs(model: &Model, bytes: &[u8]) -> RunFileResult<Vec<NamedRun>> {
    let text = std::str::from_utf8(bytes).map_err(|error| RunFileError {
        place: format!("byte {}", error.valid_up_to() + 1),
        message: "the file is not UTF-8 text".to_owned(),
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().chars().next() {
        Some('{') => read_json(model, text),
        Some(first) if first.is_ascii_digit() || "-.;".contains(first) => {
            let run = scheduled(model, &xtr::read(model, text)?);
            Ok(vec![NamedRun { name: None, run, ending: None }])
        }
        Some(_) => Err(no_run(format!("the file has no run: {KNOWN}"))),
        None => Err(no_run(format!("the file is empty: {KNOWN}"))),
    }
}

fn no_run(message: String) -> RunFileError {
    RunFileError { place: "line 1, column 1".to_owned(), message }
}

fn scheduled(model: &Model, actions: &[Vec<Fired>]) -> Result<Run, String> {
    let (system, _) = compile(model, &[]).map_err(|error| error.to_string())?;
    schedule_actions(model, &system, actions).map(|witness| witness.run).map_err(|error| error.to_string())
}

fn read_json(model: &Model, text: &str) -> RunFileResult<Vec<NamedRun>> {
    let value: Value = serde_json::from_str(text).map_err(|error| RunFileError {
        place: format!("line {}, column {}", error.line(), error.column()),
        message: format!("invalid JSON: {error}"),
    })?;
    let reader = RunReader { model };
    match value.get("schema").and_then(Value::as_str) {
        Some(RUN_SCHEMA) => Ok(vec![reader.named(&value, None, &JsonPath::default())?]),
        Some(CHECK_SCHEMA | CHECK_SCHEMA_1) => reader.report(&value),
        Some(LINT_SCHEMA | LINT_SCHEMA_1) => reader.lint_findings(&value),
        Some(REPLAY_SCHEMA) => reader.replayed(&value),
        Some(other) => {
            Err(JsonPath::default().field("schema").wrong(format!("unknown schema `{other}`: {KNOWN}")))
        }
        None => Err(JsonPath::default().wrong(format!("the field `schema` is missing: {KNOWN}"))),
    }
}

/// A position in a JSON text: `steps[3].edges[0]`.
#[derive(Clone, Default)]
struct JsonPath(String);

impl JsonPath {
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

struct RunReader<'m> {
    model: &'m Model,
}

impl<'m> RunReader<'m> {
    fn report(&self, value: &Value) -> RunFileResult<Vec<NamedRun>> {
        let mut runs = Vec::new();
        let all = JsonPath::default().field("results");
        for (index, result) in list(value, "results", &JsonPath::default())?.iter().enumerate() {
            let (query, path) = (result.get("query").and_then(Value::as_str), all.item(index));
            self.answer(result, query, &path, &mut runs)?;
        }
        some(runs, &all)
    }

    /// The runs of one answer. The first of `traces` is `trace`.
    fn answer(
        &self,
        result: &Value,
        query: Option<&str>,
        path: &JsonPath,
        runs: &mut Vec<NamedRun>,
    ) -> RunFileResult<()> {
        let named = |what: &str| match query {
            Some(query) => format!("{query} ({what})"),
            None => what.to_owned(),
        };
        if let Some(trace) = non_null(result, "trace") {
            runs.push(self.named(trace, query.map(str::to_owned), &path.field("trace"))?);
        }
        for (index, trace) in items(result, "traces").enumerate().skip(1) {
            let path = path.field("traces").item(index);
            runs.push(self.named(trace, Some(named(&format!("run {}", index + 1))), &path)?);
        }
        for (index, value) in items(result, "values").enumerate() {
            let measure = value.get("measure").and_then(Value::as_str).unwrap_or_default();
            for (end, word) in [("low", "least"), ("high", "greatest")] {
                if let Some(trace) = non_null(value, end).and_then(|extreme| non_null(extreme, "trace")) {
                    let path = path.field("values").item(index).field(end).field("trace");
                    runs.push(self.named(trace, Some(named(&format!("{word} {measure}"))), &path)?);
                }
            }
        }
        Ok(())
    }

    fn lint_findings(&self, value: &Value) -> RunFileResult<Vec<NamedRun>> {
        let mut runs = Vec::new();
        let all = JsonPath::default().field("findings");
        for (index, finding) in list(value, "findings", &JsonPath::default())?.iter().enumerate() {
            if let Some(trace) = non_null(finding, "trace") {
                let message = finding.get("diagnostic").and_then(|it| it.get("message"));
                let name = message.and_then(Value::as_str).map(str::to_owned);
                runs.push(self.named(trace, name, &all.item(index).field("trace"))?);
            }
        }
        if let Some(trace) = non_null(value, "failure") {
            let name = Some("the model fails after this".to_owned());
            runs.push(self.named(trace, name, &JsonPath::default().field("failure"))?);
        }
        some(runs, &all)
    }

    fn replayed(&self, value: &Value) -> RunFileResult<Vec<NamedRun>> {
        let mut runs = Vec::new();
        let all = JsonPath::default().field("runs");
        for (index, replayed) in list(value, "runs", &JsonPath::default())?.iter().enumerate() {
            if let Some(run) = non_null(replayed, "run") {
                let name = replayed.get("name").and_then(Value::as_str).map(str::to_owned);
                runs.push(self.named(run, name, &all.item(index).field("run"))?);
            }
        }
        some(runs, &all)
    }

    fn named(&self, value: &Value, name: Option<String>, path: &JsonPath) -> RunFileResult<NamedRun> {
        let run = self.run(value, path)?;
        let ending = ending(value, &run, path)?;
        Ok(NamedRun { name, run: Ok(run), ending })
    }

    fn run(&self, value: &Value, path: &JsonPath) -> RunFileResult<Run> {
        let mut steps = Vec::new();
        for (index, step) in list(value, "steps", path)?.iter().enumerate() {
            let path = path.field("steps").item(index);
            let edges = list(step, "edges", &path)?.iter().enumerate();
            let action = edges.map(|(index, edge)| self.fired(edge, &path.field("edges").item(index)));
            steps.push(RunStep {
                delay: delay(step, "delay", &path)?,
                action: action.collect::<RunFileResult<Vec<_>>>()?,
            });
        }
        Ok(Run { steps, last_delay: delay(value, "last_delay", path)? })
    }

    fn fired(&self, value: &Value, path: &JsonPath) -> RunFileResult<Fired> {
        let name = text(value, "process", path)?;
        let process = self.model.processes.enumerate().find(|(_, process)| process.name == name);
        let Some((id, process)) = process else {
            return Err(path.field("process").wrong(format!("the model has no process `{name}`")));
        };
        let looks = EdgePattern::of(value, path)?;
        let index = value.get("edge").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let edge = self.edge(process, index, &looks).map_err(|message| path.wrong(message))?;
        let selects = selects(&process.edges[edge], looks.selects, path)?;
        Ok(Fired { process: id, edge, selects })
    }

    /// The edge at this index if it matches, else the only one that does.
    fn edge(
        &self,
        process: &'m Process,
        index: Option<usize>,
        looks: &EdgePattern<'_>,
    ) -> Result<usize, String> {
        let fits = |edge: &Edge| looks.fit(self.model, process, edge);
        if let Some(index) = index.filter(|&index| process.edges.get(index).is_some_and(fits)) {
            return Ok(index);
        }
        let mut others = process.edges.iter().enumerate().filter(|(_, edge)| fits(edge));
        let what = format!("edge of `{}` from `{}` to `{}`", process.name, looks.source, looks.target);
        match (others.next(), others.next()) {
            (Some((index, _)), None) => Ok(index),
            (Some(_), Some(_)) => {
                Err(format!("there are several such edges, and none at this index: {what}"))
            }
            (None, _) => Err(format!("the model has no {what}")),
        }
    }
}

/// The features by which an edge is identified.
struct EdgePattern<'v> {
    source: &'v str,
    target: &'v str,
    /// The channel or event, and the direction; `None` if it is not given.
    sync: Option<Option<(&'v str, &'v str)>>,
    selects: Option<&'v Map<String, Value>>,
}

impl<'v> EdgePattern<'v> {
    fn of(value: &'v Value, path: &JsonPath) -> RunFileResult<Self> {
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

/// Whether an edge synchronises like this; the state decides which channel of an array it is.
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

fn selects(edge: &Edge, chosen: Option<&Map<String, Value>>, path: &JsonPath) -> RunFileResult<Vec<i32>> {
    let value = |name: &str| chosen?.get(name)?.as_i64().and_then(|value| i32::try_from(value).ok());
    let all = edge.selects.iter().map(|select| {
        let missing = || path.field("selects").wrong(format!("the value of `{}` is missing", select.name));
        value(&select.name).ok_or_else(missing)
    });
    all.collect()
}

/// A field, unless it is `null`.
fn non_null<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name).filter(|field| !field.is_null())
}

/// The items of a list; empty if there is no such list.
fn items<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// The runs, or an error if there are none.
fn some(runs: Vec<NamedRun>, path: &JsonPath) -> RunFileResult<Vec<NamedRun>> {
    if runs.is_empty() { Err(path.wrong("the report has no run")) } else { Ok(runs) }
}

/// The end of a run, if it is given.
fn ending(value: &Value, run: &Run, path: &JsonPath) -> RunFileResult<Option<Ending>> {
    let Some(told) = non_null(value, "finish") else { return Ok(None) };
    let path_of = path.field("finish");
    let from = || {
        let from = told.get("from").and_then(Value::as_u64).and_then(|from| usize::try_from(from).ok());
        let wrong = || path_of.field("from").wrong("not the index of a step of the run");
        from.filter(|&from| from < run.steps.len()).ok_or_else(wrong)
    };
    let finish = match text(told, "kind", &path_of)? {
        "repeats" => Finish::Repeats { from: from()? },
        "varies" => Finish::Varies { from: from()? },
        "waits" => Finish::Waits,
        "stuck" => Finish::Stuck,
        other => return Err(path_of.field("kind").wrong(format!("unknown kind `{other}`"))),
    };
    let since = non_null(value, "since").map(|_| delay(value, "since", path)).transpose()?;
    Ok(Some(Ending { finish, since }))
}

fn list<'v>(value: &'v Value, name: &str, path: &JsonPath) -> RunFileResult<&'v Vec<Value>> {
    value.get(name).and_then(Value::as_array).ok_or_else(|| path.field(name).wrong("a list is missing"))
}

fn text<'v>(value: &'v Value, name: &str, path: &JsonPath) -> RunFileResult<&'v str> {
    value.get(name).and_then(Value::as_str).ok_or_else(|| path.field(name).wrong("a string is missing"))
}

/// A delay: a text such as `5/2`, or an object with such a text as in reports.
fn delay(value: &Value, name: &str, path: &JsonPath) -> RunFileResult<Rational> {
    let path = path.field(name);
    let told = value.get(name).map(|value| value.get("exact").unwrap_or(value));
    let told =
        told.and_then(Value::as_str).ok_or_else(|| path.wrong("a delay such as \"5/2\" is missing"))?;
    parse_number(told).ok_or_else(|| path.wrong(format!("`{told}` is not a number such as 3 or 5/2")))
}
