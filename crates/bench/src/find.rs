//! `tourbillon-bench find`: the visits of each search order until it finds a witness of `E<>`.
//!
//! Each satisfied query is checked in each order alone, and in the mixed order. Visits are counted, so that nothing
//! depends on the machine; a search is abandoned after a maximum number of visits. Two ratios follow: to the better of
//! the two component orders, which is at most 2 (`search/src/mixed.rs`), and to the best of all orders here.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tourbillon::{
    AnswerSummary, Loaded, Order, PlanRequest, Progress, QuerySelection, Report, Request, TraceKind, Verdict,
    check,
};

use super::table::table;
use super::{DIFFERS, RecordFormat, note};
use crate::Failure;
use tourbillon_cli::quantity::count_text;

/// The arguments of `tourbillon-bench find`.
#[derive(clap::Args)]
pub(crate) struct FindArguments {
    /// Models with queries, or with a .q file of the same name beside them [default: those in the folder bench/find]
    #[arg(value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Maximum number of visits of a search
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    visits: u64,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// The orders that are tried alone.
const ORDERS: [Order; 5] = [Order::Bfs, Order::Dfs, Order::Best, Order::Sweep, Order::Random];

/// The folder of the default models.
const FOLDER: &str = "bench/find";

/// The results of a query.
struct FindRow {
    model: String,
    query: usize,
    text: String,
    /// For each order, its visits, if it found a state.
    alone: [Option<u64>; ORDERS.len()],
    mixed: u64,
    found_by: &'static str,
    descent_steps: u64,
    /// The component orders.
    members: [Order; 2],
}

impl FindRow {
    /// The fewest visits of some orders.
    fn fewest(&self, counts: impl Fn(Order) -> bool) -> Option<u64> {
        let alone = ORDERS.into_iter().zip(self.alone);
        alone.filter(|(order, _)| counts(*order)).filter_map(|(_, visited)| visited).min()
    }

    /// The visits relative to the better component order; `None` if neither found a state.
    fn to_members(&self) -> Option<f64> {
        Some(ratio(self.mixed, self.fewest(|order| self.members.contains(&order))?))
    }

    fn to_all(&self) -> Option<f64> {
        Some(ratio(self.mixed, self.fewest(|_| true)?))
    }
}

/// A state that is found without a visit is found so by all orders.
fn ratio(mixed: u64, alone: u64) -> f64 {
    if mixed == alone { 1.0 } else { mixed as f64 / alone as f64 }
}

/// Measures. Returns text for standard output, and the exit status.
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

/// The row of a query; `None` if it is not an `E<>`, or no order finds a state.
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

/// The answer in an order; `None` if no state is found within the maximum number of visits.
fn asked(arguments: &FindArguments, loaded: &Loaded, query: usize, order: Order) -> Option<AnswerSummary> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut watch =
        |progress: &Progress| stop.store(progress.stats.visited > arguments.visits, Ordering::Relaxed);
    let plan_request = PlanRequest {
        order: Some(order),
        trace: TraceKind::None,
        seed: arguments.seed,
        ..PlanRequest::default()
    };
    let queries = QuerySelection::Some(vec![query]);
    let request = Request { queries, plan_request, stop: Some(&stop), ..Request::default() };
    // A query that is not supported in this order has no result.
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
