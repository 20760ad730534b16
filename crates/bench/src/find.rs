//! `tourbillon-bench find`: how many states each order visits until it finds a state that `E<>` asks for.
//!
//! Each query that is satisfied is asked in each order alone, and in orders that are mixed. What is counted is visits, so that
//! nothing depends on the machine; a search is given up after a number of them. Beside the visits of the mixture there are two
//! ratios: to the better of the two orders that it is made of, which is at most 2 (`search/src/mixed.rs`), and to the best
//! of all orders here.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tourbillon::{
    Finding, Loaded, Order, PlanRequest, Progress, Question, Report, Request, TraceKind, Verdict, check,
};

use super::table::table;
use super::{DIFFERS, RecordFormat, note};
use crate::Failure;
use tourbillon_cli::quantity::count_text;

/// The arguments of `tourbillon-bench find`.
#[derive(clap::Args)]
pub(crate) struct FindArguments {
    /// Models with queries, or with a file of queries beside them that has the same name and ends in .q; those of the folder bench/find
    /// without any
    #[arg(value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// After how many visits a search is given up
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    visits: u64,
    /// What random choices are drawn from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The form of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// The orders that are tried alone.
const ORDERS: [Order; 5] = [Order::Bfs, Order::Dfs, Order::Best, Order::Sweep, Order::Random];

/// Where the models are that these figures are about.
const FOLDER: &str = "bench/find";

/// What a query came to.
struct FindRow {
    model: String,
    query: usize,
    text: String,
    /// For each order, its visits, if it found a state.
    alone: [Option<u64>; ORDERS.len()],
    mixed: u64,
    found_by: &'static str,
    descent_steps: u64,
    /// The orders that are mixed.
    members: [Order; 2],
}

impl FindRow {
    /// The fewest visits of some orders.
    fn fewest(&self, counts: impl Fn(Order) -> bool) -> Option<u64> {
        let alone = ORDERS.into_iter().zip(self.alone);
        alone.filter(|(order, _)| counts(*order)).filter_map(|(_, visited)| visited).min()
    }

    /// How many times the visits of the better of its members the mixture takes; nothing if neither found a state.
    fn to_members(&self) -> Option<f64> {
        Some(ratio(self.mixed, self.fewest(|order| self.members.contains(&order))?))
    }

    fn to_all(&self) -> Option<f64> {
        Some(ratio(self.mixed, self.fewest(|_| true)?))
    }
}

/// A state that is found without a visit is found so by all.
fn ratio(mixed: u64, alone: u64) -> f64 {
    if mixed == alone { 1.0 } else { mixed as f64 / alone as f64 }
}

/// Measures; text for standard output, and the exit status.
pub(crate) fn run(arguments: &FindArguments) -> Result<(String, u8), Failure> {
    let models =
        if arguments.models.is_empty() { models_of(Path::new(FOLDER))? } else { arguments.models.clone() };
    let mut rows = Vec::new();
    for path in &models {
        let loaded = load(path)?;
        let count = loaded.model.as_ref().map_or(0, |model| model.queries.len());
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for query in 0..count {
            note(&format!("{name} {}", query + 1));
            rows.extend(measure(arguments, &loaded, &name, query));
        }
    }
    let holds = rows.iter().all(|row| row.to_members().is_none_or(|ratio| ratio <= 2.0));
    let text = match arguments.format {
        RecordFormat::Text => text(&rows),
        RecordFormat::Json => format!("{:#}\n", json(&rows)),
    };
    Ok((text, if holds { 0 } else { DIFFERS }))
}

/// The models of a folder, by their names.
fn models_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let trouble =
        |error| format!("{}: {error}: name models, or run this where the project is", folder.display());
    let entries = std::fs::read_dir(folder).map_err(trouble)?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut models: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "xta")).collect();
    models.sort();
    Ok(models)
}

fn load(path: &Path) -> Result<Loaded, Failure> {
    let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let bytes = read(path)?;
    let beside = path.with_extension("q");
    let queries = if beside.is_file() { Some(read(&beside)?) } else { None };
    let queries = queries.iter().map(|bytes| ("queries", bytes.as_slice()));
    Ok(tourbillon::load_with_queries(&path.display().to_string(), &bytes, queries))
}

/// The row of a query; nothing if it is no `E<>`, or not satisfied as far as can be told.
fn measure(arguments: &FindArguments, loaded: &Loaded, model: &str, query: usize) -> Option<FindRow> {
    let found = asked(arguments, loaded, query, Order::Mixed)?;
    let text = found.query.as_ref().map_or(String::new(), |query| query.text.clone());
    let (Some(mixture), true) = (found.mixture, text.trim_start().starts_with("E<>")) else {
        return None;
    };
    let mut alone = [None; ORDERS.len()];
    for (order, slot) in ORDERS.into_iter().zip(&mut alone) {
        *slot = asked(arguments, loaded, query, order).map(|found| found.stats.visited);
    }
    Some(FindRow {
        model: model.to_owned(),
        query: query + 1,
        text,
        alone,
        mixed: found.stats.visited,
        found_by: mixture.found_by.map_or("", |by| by.name()),
        descent_steps: mixture.walk_steps,
        members: mixture.visited.map(|(order, _)| order),
    })
}

/// What is found in an order; nothing if it is not found within so many visits.
fn asked(arguments: &FindArguments, loaded: &Loaded, query: usize, order: Order) -> Option<Finding> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut watch =
        |progress: &Progress| stop.store(progress.stats.visited > arguments.visits, Ordering::Relaxed);
    let plan_request = PlanRequest {
        order: Some(order),
        trace: TraceKind::None,
        seed: arguments.seed,
        ..PlanRequest::default()
    };
    let question = Question::Some(vec![query]);
    let request = Request { question, plan_request, stop: Some(&stop), ..Request::default() };
    // What cannot be answered in this order is not found in it.
    let Report { results, .. } = check(loaded, &request, &mut watch).ok()?;
    results.into_iter().find(|result| result.verdict == Verdict::Satisfied)
}

fn text(rows: &[FindRow]) -> String {
    let count = |visited: Option<u64>| visited.map_or("-".to_owned(), count_text);
    let times = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
    let cells = |row: &FindRow| {
        let mut cells = vec![format!("{} {}", row.model, row.query)];
        cells.extend(row.alone.map(count));
        cells.extend([count(Some(row.mixed)), row.found_by.to_owned(), count(Some(row.descent_steps))]);
        cells.extend([times(row.to_members()), times(row.to_all())]);
        cells
    };
    let mut titles = vec!["model, query"];
    titles.extend(ORDERS.map(Order::name));
    titles.extend(["mixed", "found by", "descent steps", "to its better order", "to the best"]);
    table(&titles, &rows.iter().map(cells).collect::<Vec<_>>())
}

fn json(rows: &[FindRow]) -> Value {
    let row = |row: &FindRow| {
        let alone = ORDERS.into_iter().zip(row.alone);
        json!({
            "model": row.model,
            "number": row.query,
            "query": row.text,
            "visited": alone.map(|(order, visited)| (order.name().to_owned(), json!(visited))).collect::<serde_json::Map<_, _>>(),
            "mixed": row.mixed,
            "found_by": row.found_by,
            "descent_steps": row.descent_steps,
            "to_its_better_order": row.to_members(),
            "to_the_best": row.to_all(),
        })
    };
    Value::Array(rows.iter().map(row).collect())
}
