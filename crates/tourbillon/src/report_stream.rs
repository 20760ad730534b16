//! A report as JSON, written answer by answer. Only its plan and its diagnostics are kept in memory, and one step of a
//! run at a time. The output equals that of `report_json.rs`; a test compares the two.
//!
//! There are two forms. One is a single document, which is valid after [`JsonReport::finish`]; the command calls it
//! unless it is killed. The other is one line for each answer, each a document of its own, which is valid whatever
//! follows.

use std::io::{self, Write};

use serde_json::{Map, Value, json};
use tourbillon_base::{Diagnostic, SourceMap};
use tourbillon_check::Plan;

use crate::answered::{GivenAnswer, Runs};
use crate::json::diagnostic_json;
use crate::report::{AnswerSummary, ModelSummary};
use crate::report_json::{
    CHECK_SCHEMA, EdgePlaces, extreme_json, head_json, model_json, plan_json, result_json, step_json,
};
use crate::trace::RunView;

/// Writes a report as JSON.
#[derive(Debug)]
pub struct JsonReport<W> {
    out: W,
    /// Whether each answer is a line of its own.
    lines: bool,
    model: Value,
    answers: usize,
    plan: Option<Plan>,
    diagnostics: Vec<Value>,
}

/// An object whose fields are written one by one.
struct Object<'w> {
    out: &'w mut dyn Write,
    /// The text between fields.
    gap: &'static str,
    any: bool,
}

impl<'w> Object<'w> {
    fn open(out: &'w mut dyn Write, gap: &'static str) -> io::Result<Self> {
        out.write_all(b"{")?;
        Ok(Self { out, gap, any: false })
    }

    fn name(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        let comma = if self.any { "," } else { "" };
        self.any = true;
        write!(self.out, "{comma}{}\"{name}\":", self.gap)?;
        Ok(&mut *self.out)
    }

    fn field(&mut self, name: &str, value: &Value) -> io::Result<()> {
        serde_json::to_writer(self.name(name)?, value).map_err(io::Error::from)
    }

    fn fields(&mut self, value: Value) -> io::Result<()> {
        let Value::Object(fields) = value else { return Ok(()) };
        fields.iter().try_for_each(|(name, value)| self.field(name, value))
    }

    fn close(self) -> io::Result<()> {
        write!(self.out, "{}}}", self.gap)
    }
}

impl<W: Write> JsonReport<W> {
    /// A report of a model, in one document or, with `lines`, in one line for each answer.
    pub fn new(out: W, lines: bool, model: &ModelSummary) -> Self {
        let model = model_json(model);
        Self { out, lines, model, answers: 0, plan: None, diagnostics: Vec::new() }
    }

    pub fn into_inner(self) -> W {
        self.out
    }

    /// Adds diagnostics, which are written at the end of the report.
    pub fn diagnose<'d>(&mut self, all: impl IntoIterator<Item = &'d Diagnostic>, sources: &SourceMap) {
        self.diagnostics.extend(all.into_iter().map(|it| diagnostic_json(it, sources)));
    }

    /// Writes an answer, with the peak memory of the process so far.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn answer(&mut self, given: &GivenAnswer<'_>, peak_rss_bytes: Option<u64>) -> io::Result<()> {
        if self.lines {
            return self.line(given, peak_rss_bytes);
        }
        self.plan = self.plan.take().or_else(|| given.finding.plan.clone());
        self.begin()?;
        let comma = if self.answers > 0 { "," } else { "" };
        writeln!(self.out, "{comma}")?;
        self.answers += 1;
        let result = Object::open(&mut self.out, "\n")?;
        write_result(result, given, self.plan.as_ref(), peak_rss_bytes)?;
        self.out.flush()
    }

    fn line(&mut self, given: &GivenAnswer<'_>, peak_rss_bytes: Option<u64>) -> io::Result<()> {
        let mut line = Object::open(&mut self.out, "")?;
        line.field("schema", &CHECK_SCHEMA.into())?;
        line.field("model", &self.model["name"])?;
        write_result(line, given, None, peak_rss_bytes)?;
        self.answers += 1;
        self.out.write_all(b"\n")?;
        self.out.flush()
    }

    /// Writes the fields before the first answer.
    fn begin(&mut self) -> io::Result<()> {
        if self.answers > 0 {
            return Ok(());
        }
        let mut top = Object::open(&mut self.out, "\n")?;
        top.field("schema", &CHECK_SCHEMA.into())?;
        top.field("tourbillon", &env!("CARGO_PKG_VERSION").into())?;
        top.field("model", &self.model)?;
        top.name("results")?.write_all(b"[")
    }

    /// Ends the document. A report in lines ends with a line of diagnostics, if there are any.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        if self.lines {
            if !self.diagnostics.is_empty() {
                let line = json!({"schema": CHECK_SCHEMA, "diagnostics": self.diagnostics});
                serde_json::to_writer(&mut self.out, &line)?;
                self.out.write_all(b"\n")?;
            }
            return self.out.flush();
        }
        self.begin()?;
        self.out.write_all(b"\n]")?;
        let mut rest = Object { out: &mut self.out, gap: "\n", any: true };
        rest.field("plan", &self.plan.as_ref().map_or(Value::Null, plan_json))?;
        rest.field("diagnostics", &Value::from(std::mem::take(&mut self.diagnostics)))?;
        rest.close()?;
        self.out.write_all(b"\n")?;
        self.out.flush()
    }
}

fn write_result(
    mut object: Object<'_>,
    given: &GivenAnswer<'_>,
    common: Option<&Plan>,
    peak_rss_bytes: Option<u64>,
) -> io::Result<()> {
    let GivenAnswer { finding, runs, .. } = given;
    let Value::Object(mut small) = result_json(finding, common, peak_rss_bytes) else { return Ok(()) };
    for run in ["trace", "traces", "values"] {
        small.shift_remove(run);
    }
    object.fields(Value::Object(small))?;
    write_values(object.name("values")?, finding, runs)?;
    write_runs(&mut object, runs)?;
    object.close()
}

fn write_values(out: &mut dyn Write, finding: &AnswerSummary, runs: &Runs<'_>) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, (measure, ends)) in finding.values.iter().zip(&runs.values).enumerate() {
        out.write_all(if index > 0 { b"," } else { b"" })?;
        let mut object = Object::open(out, "")?;
        object.field("measure", &measure.text.as_str().into())?;
        for (name, extreme, run) in [("low", &measure.low, &ends[0]), ("high", &measure.high, &ends[1])] {
            let Some(extreme) = extreme else {
                object.field(name, &Value::Null)?;
                continue;
            };
            let Value::Object(mut small) = extreme_json(extreme) else { continue };
            small.shift_remove("trace");
            let mut inner = Object::open(object.name(name)?, "")?;
            inner.fields(Value::Object(small))?;
            write_optional(&mut inner, run.as_ref())?;
            inner.close()?;
        }
        object.close()?;
    }
    out.write_all(b"]")
}

fn write_runs(object: &mut Object<'_>, runs: &Runs<'_>) -> io::Result<()> {
    write_optional(object, runs.trace.as_ref())?;
    let gap = object.gap;
    let out = object.name("traces")?;
    out.write_all(b"[")?;
    for (index, run) in runs.several.iter().enumerate() {
        out.write_all(if index > 0 { b"," } else { b"" })?;
        write_run(out, gap, run)?;
    }
    out.write_all(b"]")
}

fn write_optional(object: &mut Object<'_>, run: Option<&RunView<'_>>) -> io::Result<()> {
    let gap = object.gap;
    match run {
        Some(run) => write_run(object.name("trace")?, gap, run),
        None => object.field("trace", &Value::Null),
    }
}

fn write_run(out: &mut dyn Write, gap: &'static str, run: &RunView<'_>) -> io::Result<()> {
    let head = run.head();
    let mut object = Object::open(out, "")?;
    let small: Map<String, Value> = head_json(&head, run.loop_time());
    object.fields(Value::Object(small))?;
    let steps = object.name("steps")?;
    steps.write_all(b"[")?;
    let mut places = EdgePlaces::default();
    let mut outcome = Ok(());
    let mut any = false;
    let complete = run.for_each_step(&mut |step| {
        if outcome.is_err() {
            return;
        }
        places.note(step);
        let comma = if any { "," } else { "" };
        any = true;
        outcome = write!(steps, "{comma}{gap}")
            .and_then(|()| serde_json::to_writer(&mut *steps, &step_json(step)).map_err(io::Error::from));
    });
    outcome?;
    steps.write_all(b"]")?;
    object.field("complete", &complete.into())?;
    object.field("places", &places.json())?;
    object.close()
}
