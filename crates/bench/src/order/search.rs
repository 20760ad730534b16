//! One search with one order, in a process of its own, read from its report.
//!
//! All searches use Extra_LU+ with local bounds and inclusion, as in the paper.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::super::{checker, child};
use super::paper::{OrderFigures, PaperOrder};

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum OrderSearch {
    /// There is no model, or no such order.
    Absent,
    /// It reached a limit.
    Unfinished,
    /// It is complete, in this many seconds of user CPU time.
    Done(OrderFigures, f64),
}

impl OrderSearch {
    /// Its figures, if it is complete.
    pub(super) const fn figures(&self) -> Option<&OrderFigures> {
        match self {
            Self::Done(figures, _) => Some(figures),
            Self::Absent | Self::Unfinished => None,
        }
    }
}

/// Whether this program accepts an order, according to its argument parser.
pub(super) fn is_known(order: PaperOrder) -> bool {
    tourbillon_cli::accepts(["check", "model", "--order", order.option()])
}

/// Explores a model with an order, if this program accepts it.
///
/// # Errors
/// If there is no report, or one of a search that failed.
pub(super) fn explore(
    program: &Path,
    model: &Path,
    order: PaperOrder,
    limit: Duration,
) -> Result<OrderSearch, String> {
    if !is_known(order) {
        return Ok(OrderSearch::Absent);
    }
    let mut arguments = checker::exploration_arguments(model);
    let plan = ["--abstraction", "extra-lu+", "--bounds", "local", "--cover", "inclusion"];
    arguments.extend(plan.map(str::to_owned));
    let limit = format!("{}ms", limit.as_millis());
    arguments.extend(["--order", order.option(), "--time-limit", &limit].map(str::to_owned));
    let ran = child::run(program, &arguments)?;
    read(&ran.output, ran.cost.user_s)
}

fn read(output: &str, user_s: f64) -> Result<OrderSearch, String> {
    let report: Value = serde_json::from_str(output).map_err(|error| format!("no report: {error}"))?;
    let result = &report["results"][0];
    match result["reason"].as_str() {
        Some("complete") => Ok(OrderSearch::Done(figures(&result["stats"])?, user_s)),
        Some("time-limit" | "memory-limit" | "interrupted") => Ok(OrderSearch::Unfinished),
        _ => Err(format!("the search did not end: {}", result["why"])),
    }
}

fn figures(stats: &Value) -> Result<OrderFigures, String> {
    let count = |name: &str| stats[name].as_u64().ok_or_else(|| format!("a report without `{name}`"));
    Ok(OrderFigures {
        visited: count("visited")?,
        mistakes: count("mistakes")?,
        stored: count("stored")?,
        stored_max: count("stored_max")?,
        rank_visits: stats["rank_visits"].as_u64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let report = r#"{"results": [{"reason": "complete", "why": "all is visited", "stats":
            {"visited": 5, "mistakes": 2, "stored": 3, "stored_max": 4, "rank_visits": 7}}]}"#;
        let figures =
            OrderFigures { visited: 5, mistakes: 2, stored: 3, stored_max: 4, rank_visits: Some(7) };
        assert_eq!(read(report, 1.0), Ok(OrderSearch::Done(figures, 1.0)));
        let without = report.replace(r#", "rank_visits": 7"#, "");
        let figures = OrderFigures { rank_visits: None, ..figures };
        assert_eq!(read(&without, 1.0), Ok(OrderSearch::Done(figures, 1.0)));
        assert_eq!(read(&report.replace("complete", "time-limit"), 1.0), Ok(OrderSearch::Unfinished));
        assert!(read(&report.replace("complete", "model-fails"), 1.0).is_err());
        assert!(read(&report.replace("mistakes", "errors"), 1.0).is_err());
        assert!(read("", 1.0).is_err());
    }

    #[test]
    fn breadth_first_is_known() {
        assert!(is_known(PaperOrder::Bfs));
    }
}
