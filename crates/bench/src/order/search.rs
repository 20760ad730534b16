//! One search by one order: run as a process of its own, and read from its report.
//!
//! All orders explore by Extra_LU+ with bounds for each location and inclusion, as the paper does.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::super::{checker, child};
use super::paper::{Figures, Order};

/// What came of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Search {
    /// There is no model, or no such order.
    Absent,
    /// It took too long or too much.
    Unfinished,
    /// It visited everything, in so many seconds of user CPU time.
    Done(Figures, f64),
}

impl Search {
    /// What it counted, if it came to an end.
    pub(super) const fn figures(&self) -> Option<&Figures> {
        match self {
            Self::Done(figures, _) => Some(figures),
            Self::Absent | Self::Unfinished => None,
        }
    }
}

/// Whether this program knows an order. The very parser is asked that would read it.
pub(super) fn is_known(order: Order) -> bool {
    tourbillon_cli::accepts(["check", "model", "--order", order.option()])
}

/// Explores a model by an order, if this program knows it.
///
/// # Errors
/// If there is no report, or one of a search that failed.
pub(super) fn explore(program: &Path, model: &Path, order: Order, limit: Duration) -> Result<Search, String> {
    if !is_known(order) {
        return Ok(Search::Absent);
    }
    let mut arguments = checker::default_arguments(model);
    let plan = ["--abstraction", "extra-lu+", "--bounds", "local", "--cover", "inclusion"];
    arguments.extend(plan.map(str::to_owned));
    let limit = format!("{}ms", limit.as_millis());
    arguments.extend(["--order", order.option(), "--time-limit", &limit].map(str::to_owned));
    let ran = child::run(program, &arguments)?;
    read(&ran.output, ran.cost.user_s)
}

fn read(output: &str, user_s: f64) -> Result<Search, String> {
    let report: Value = serde_json::from_str(output).map_err(|error| format!("no report: {error}"))?;
    let result = &report["results"][0];
    match result["reason"].as_str() {
        Some("complete") => Ok(Search::Done(figures(&result["stats"])?, user_s)),
        Some("time-limit" | "memory-limit" | "interrupted") => Ok(Search::Unfinished),
        _ => Err(format!("a search came to no end: {}", result["why"])),
    }
}

fn figures(stats: &Value) -> Result<Figures, String> {
    let count = |name: &str| stats[name].as_u64().ok_or_else(|| format!("a report without `{name}`"));
    Ok(Figures {
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
        let figures = Figures { visited: 5, mistakes: 2, stored: 3, stored_max: 4, rank_visits: Some(7) };
        assert_eq!(read(report, 1.0), Ok(Search::Done(figures, 1.0)));
        let without = report.replace(r#", "rank_visits": 7"#, "");
        let figures = Figures { rank_visits: None, ..figures };
        assert_eq!(read(&without, 1.0), Ok(Search::Done(figures, 1.0)));
        assert_eq!(read(&report.replace("complete", "time-limit"), 1.0), Ok(Search::Unfinished));
        assert!(read(&report.replace("complete", "model-fails"), 1.0).is_err());
        assert!(read(&report.replace("mistakes", "errors"), 1.0).is_err());
        assert!(read("", 1.0).is_err());
    }

    #[test]
    fn breadth_first_is_known() {
        assert!(is_known(Order::Bfs));
    }
}
