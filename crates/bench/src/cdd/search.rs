//! Exploring a model in several ways that take turns, and what that took.
//!
//! All ways explore by Extra_LU+ with bounds for each location, by inclusion and breadth first, as in the other benches.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::super::child::{self, Cost};
use super::super::{checker, note, peers};
use crate::Failure;

/// How states are stored: options of `tourbillon check`.
pub(super) type Way = &'static [&'static str];

/// The most memory that the stored states may take.
const MEMORY_LIMIT: &str = "1G";

/// What one way of exploring a model came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Figures {
    pub(super) user_s: f64,
    /// Whether everything was visited.
    pub(super) finished: bool,
    pub(super) stored: u64,
    pub(super) visited: u64,
    pub(super) discrete_states: u64,
    pub(super) passed_bytes: u64,
    pub(super) waiting_bytes: u64,
    /// Of the bytes of the passed list, those that are zones, or their unions.
    pub(super) zone_bytes: u64,
}

/// What was measured of a model, in the order of the ways.
#[derive(Default, Debug)]
pub(super) struct Measured {
    pub(super) ways: Vec<(Way, Figures)>,
}

impl Measured {
    pub(super) fn get(&self, way: Way) -> Option<&Figures> {
        self.ways.iter().find(|(known, _)| *known == way).map(|(_, figures)| figures)
    }

    pub(super) fn json(&self) -> Json {
        let ways = self.ways.iter().map(|(way, figures)| {
            json!({
                "options": way.join(" "),
                "finished": figures.finished,
                "user_s": figures.user_s,
                "stored": figures.stored,
                "visited": figures.visited,
                "discrete_states": figures.discrete_states,
                "passed_bytes": figures.passed_bytes,
                "waiting_bytes": figures.waiting_bytes,
                "zone_bytes": figures.zone_bytes,
            })
        });
        json!({"ways": ways.collect::<Vec<_>>()})
    }
}

/// Explores a model in each of these ways, in turns, so often; what does not end is not repeated.
///
/// # Errors
/// If a run gives no report.
pub(super) fn explore(
    program: &Path,
    (name, file): (&str, &Path),
    ways: &[Way],
    runs: u32,
    limit: Duration,
) -> Result<Measured, Failure> {
    let mut tried: Vec<(Way, Vec<Cost>, Option<Figures>)> =
        ways.iter().map(|&way| (way, Vec::new(), None)).collect();
    for _ in 0..runs {
        for (way, costs, figures) in &mut tried {
            if figures.is_some_and(|figures| !figures.finished) {
                continue;
            }
            let ran = child::run(program, &arguments(file, way, limit))?;
            let said = |error| format!("{name}, {}: {error}", way.join(" "));
            *figures = Some(read(&ran.output).map_err(said)?);
            note(&format!("{name}, {}: {} s", way.join(" "), peers::seconds(ran.cost.user_s)));
            costs.push(ran.cost);
        }
    }
    let medians = tried.into_iter().filter_map(|(way, costs, figures)| {
        figures.map(|figures| (way, Figures { user_s: child::median(&costs).user_s, ..figures }))
    });
    Ok(Measured { ways: medians.collect() })
}

fn arguments(file: &Path, way: Way, limit: Duration) -> Vec<String> {
    let mut arguments = checker::default_arguments(file);
    let plan = ["--abstraction", "extra-lu+", "--bounds", "local", "--cover", "inclusion", "--order", "bfs"];
    let limits = ["--memory-limit", MEMORY_LIMIT, "--time-limit", &format!("{}ms", limit.as_millis())];
    arguments.extend(plan.iter().chain(way).chain(&limits).map(|&option| option.to_owned()));
    arguments
}

/// What a report says; the time is not in it.
///
/// # Errors
/// If it is no report, or one of a search that failed.
fn read(output: &str) -> Result<Figures, String> {
    let report: Json = serde_json::from_str(output).map_err(|error| format!("no report: {error}"))?;
    let result = &report["results"][0];
    let finished = match result["reason"].as_str() {
        Some("complete") => true,
        Some("time-limit" | "memory-limit" | "table-full" | "interrupted") => false,
        _ => return Err(format!("a search came to no end: {}", result["why"])),
    };
    let stats = &result["stats"];
    let count = |value: &Json, name: &str| value.as_u64().ok_or_else(|| format!("a report without `{name}`"));
    let stat = |name: &str| count(&stats[name], name);
    Ok(Figures {
        user_s: 0.0,
        finished,
        stored: stat("stored")?,
        visited: stat("visited")?,
        discrete_states: stat("discrete_states")?,
        passed_bytes: stat("passed_bytes")?,
        waiting_bytes: stat("waiting_bytes")?,
        zone_bytes: count(&stats["memory"]["zones"], "memory.zones")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let report = r#"{"results": [{"reason": "complete", "stats": {"stored": 7, "visited": 9,
            "discrete_states": 3, "passed_bytes": 40, "waiting_bytes": 8, "memory": {"zones": 30}}}]}"#;
        let figures = read(report).expect("a report");
        assert!(figures.finished);
        assert_eq!((figures.stored, figures.visited, figures.discrete_states), (7, 9, 3));
        assert_eq!((figures.passed_bytes, figures.waiting_bytes, figures.zone_bytes), (40, 8, 30));
        assert!(!read(&report.replace("complete", "table-full")).expect("a report").finished);
        for other in
            [report.replace("complete", "model-fails"), report.replace("zones", "sets"), String::new()]
        {
            assert!(read(&other).is_err(), "{other}");
        }
    }
}
