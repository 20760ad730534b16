//! `tourbillon-bench order`: the mistakes of each search order, compared with a paper.
//!
//! | file | holds |
//! |---|---|
//! | `paper.rs` | Table 1 of `[HerbreteauTran2015]`, and the model of each row |
//! | `search.rs` | one search by one order |
//! | `compare.rs` | which figures must agree with the paper's |
//!
//! All figures except the time are exact: counts depend only on the model, the order of its edges and the search order.
//! So one run of each search suffices.

mod compare;
mod paper;
mod search;

use std::path::Path;
use std::time::Duration;

use compare::{FigureComparison, OrderColumn, compare};
use paper::{ORDERS, PaperOrder, PaperRow, TABLE};
use search::OrderSearch;
use serde_json::{Map, Value, json};

use super::rows::Effort;
use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, note, own_program, peers};
use crate::Failure;
use tourbillon_cli::quantity::{self, count_text};

/// The arguments of `tourbillon-bench order`.
#[derive(clap::Args)]
pub(crate) struct OrderArguments {
    /// Only this row, by the paper's name, such as FD-8; may be repeated
    #[arg(long = "row", value_name = "NAME")]
    rows: Vec<String>,
    /// Include rows that take longer than a few seconds
    #[arg(long)]
    full: bool,
    /// Time limit of one search
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = quantity::time)]
    limit: Duration,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

impl OrderArguments {
    fn rows(&self) -> impl Iterator<Item = &'static PaperRow> {
        let most = if self.full { Effort::Long } else { Effort::Usual };
        TABLE.iter().filter(move |row| {
            self.rows.iter().any(|name| name == row.name) || self.rows.is_empty() && row.effort <= most
        })
    }
}

/// The results of a row, by order.
struct OrderResult {
    row: &'static PaperRow,
    searches: [OrderSearch; 5],
}

/// Explores. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &OrderArguments) -> Result<(String, u8), Failure> {
    known_rows(&arguments.rows)?;
    let folder = Folder::new()?;
    let program = own_program()?;
    let mut outcomes = Vec::new();
    for row in arguments.rows() {
        outcomes.push(examine(row, &folder, &program, arguments.limit)?);
    }
    let agrees =
        outcomes.iter().all(|outcome| outcome.with_comparison(FigureComparison::Differs).next().is_none());
    let text = match arguments.format {
        RecordFormat::Text => text(&outcomes, arguments),
        RecordFormat::Json => format!("{:#}\n", json(&outcomes, arguments)),
    };
    Ok((text, if agrees { 0 } else { DIFFERS }))
}

/// Refuses unknown names of rows.
fn known_rows(names: &[String]) -> Result<(), Failure> {
    for name in names {
        if !TABLE.iter().any(|row| row.name == name) {
            let known: Vec<String> = TABLE.iter().map(|row| format!("`{}`", row.name)).collect();
            return Err(format!("there is no row `{name}`; the rows are {}", known.join(", ")));
        }
    }
    Ok(())
}

fn examine(
    row: &'static PaperRow,
    folder: &Folder,
    program: &Path,
    limit: Duration,
) -> Result<OrderResult, Failure> {
    let mut searches = [OrderSearch::Absent; 5];
    if let Some((family, n)) = row.member {
        let family = tourbillon::family(family).map_err(|error| error.to_string())?;
        let model = folder.member(family, n)?;
        for (order, search) in ORDERS.into_iter().zip(&mut searches) {
            *search = search::explore(program, &model, order, limit)
                .map_err(|error| format!("{} by {}: {error}", row.name, order.name()))?;
            if let OrderSearch::Done(_, user_s) = search {
                note(&format!("{} by {}: {} s", row.name, order.name(), peers::seconds(*user_s)));
            }
        }
    }
    Ok(OrderResult { row, searches })
}

impl OrderResult {
    fn search(&self, order: PaperOrder) -> &OrderSearch {
        let index = ORDERS.iter().position(|&other| other == order);
        &self.searches[index.expect("all orders are listed")]
    }

    fn comparison(&self, order: PaperOrder, column: OrderColumn) -> FigureComparison {
        let ours = self.search(order).figures().and_then(|figures| column.figure(figures));
        ours.map_or(FigureComparison::Fine, |ours| compare(self.row, order, column, ours))
    }

    /// The columns with this comparison.
    fn with_comparison(
        &self,
        comparison: FigureComparison,
    ) -> impl Iterator<Item = (PaperOrder, OrderColumn)> {
        let columns = ORDERS
            .into_iter()
            .flat_map(|order| OrderColumn::of(order).iter().map(move |&column| (order, column)));
        columns.filter(move |&(order, column)| self.comparison(order, column) == comparison)
    }
}

fn text(outcomes: &[OrderResult], arguments: &OrderArguments) -> String {
    let mut text = String::new();
    for order in ORDERS {
        let mut titles = vec!["model"];
        titles.extend(OrderColumn::of(order).iter().map(|column| column.title()));
        titles.push("CPU s");
        let rows: Vec<Vec<String>> = outcomes.iter().map(|outcome| cells(outcome, order)).collect();
        let head = format!("{}, --order {}", order.name(), order.option());
        text.push_str(&format!("{head}\n\n{}\n", table(&titles, &rows)));
    }
    text + &remarks(outcomes, arguments)
}

fn cells(outcome: &OrderResult, order: PaperOrder) -> Vec<String> {
    let search = outcome.search(order);
    let mut cells = vec![outcome.row.title()];
    cells.extend(OrderColumn::of(order).iter().map(|&column| cell(outcome, order, column)));
    cells.push(match search {
        OrderSearch::Done(_, user_s) => peers::seconds(*user_s),
        OrderSearch::Absent | OrderSearch::Unfinished => NOTHING.to_owned(),
    });
    cells
}

const NOTHING: &str = "–";

/// Our figure, and the paper's in brackets.
fn cell(outcome: &OrderResult, order: PaperOrder, column: OrderColumn) -> String {
    let search = outcome.search(order);
    let ours = match (search, search.figures().and_then(|figures| column.figure(figures))) {
        (OrderSearch::Unfinished, _) => "⊥".to_owned(),
        (_, Some(ours)) => count_text(ours),
        (_, None) => NOTHING.to_owned(),
    };
    let mark = match outcome.comparison(order, column) {
        FigureComparison::Differs => "≠ ",
        FigureComparison::Better => "< ",
        FigureComparison::Fine => "",
    };
    match column.figure(&outcome.row.figures(order)) {
        Some(theirs) => format!("{mark}{ours} ({})", count_text(theirs)),
        None => ours,
    }
}

fn remarks(outcomes: &[OrderResult], arguments: &OrderArguments) -> String {
    let limit = quantity::time_text(arguments.limit);
    let mut text = format!(
        "Ours, and in brackets the paper's; for S-BFS and RS-BFS, which are not in the paper, the better of R-BFS and TW-BFS.\n\
         {NOTHING}: no model or no such order. ⊥: did not end within {limit}.\n\
         ≠: must agree and does not. <: less than in the paper, and may be.\n"
    );
    let unknown: Vec<&str> =
        ORDERS.into_iter().filter(|&order| !search::is_known(order)).map(PaperOrder::option).collect();
    if !unknown.is_empty() {
        text.push_str(&format!("Not supported by this program: --order {}.\n", unknown.join(", ")));
    }
    for outcome in outcomes.iter().filter(|outcome| !outcome.row.is_same) {
        let name = outcome.row.name;
        text.push_str(&format!("not the paper's model, not compared: {name}\n"));
    }
    for outcome in outcomes {
        for (order, column) in outcome.with_comparison(FigureComparison::Differs) {
            let name = outcome.row.name;
            text.push_str(&format!("differs: {name} by {}: {}\n", order.name(), column.title()));
        }
    }
    text
}

fn json(outcomes: &[OrderResult], arguments: &OrderArguments) -> Value {
    let rows = outcomes.iter().map(|outcome| {
        let orders: Map<String, Value> =
            ORDERS.into_iter().map(|order| (order.option().to_owned(), order_json(outcome, order))).collect();
        let member = outcome.row.member.map(|(family, n)| json!({"family": family, "n": n}));
        json!({"row": outcome.row.name, "member": member, "same_model": outcome.row.is_same, "orders": orders})
    });
    json!({
        "schema": "tourbillon-bench-order/1",
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "limit_s": arguments.limit.as_secs_f64(),
        "rows": rows.collect::<Vec<_>>(),
    })
}

fn order_json(outcome: &OrderResult, order: PaperOrder) -> Value {
    let search = outcome.search(order);
    let figures = |figures: &paper::OrderFigures| {
        let columns = OrderColumn::of(order).iter();
        columns.map(|column| (column.key().to_owned(), json!(column.figure(figures)))).collect::<Map<_, _>>()
    };
    let (state, user_s) = match search {
        OrderSearch::Absent => ("absent", None),
        OrderSearch::Unfinished => ("unfinished", None),
        OrderSearch::Done(_, user_s) => ("done", Some(*user_s)),
    };
    let said = |comparison| {
        let columns = outcome.with_comparison(comparison).filter(|(other, _)| *other == order);
        columns.map(|(_, column)| column.key()).collect::<Vec<_>>()
    };
    json!({
        "state": state,
        "user_s": user_s,
        "ours": search.figures().map(figures),
        "paper": figures(&outcome.row.figures(order)),
        "differs": said(FigureComparison::Differs),
        "better": said(FigureComparison::Better),
    })
}
