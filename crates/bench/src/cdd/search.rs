//! Explorations of a model with several options, alternating, and their figures.
//!
//! All use Extra_LU+ with local bounds, inclusion and breadth-first order, as in the other benchmarks.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::super::child::{self, Cost};
use super::super::{checker, note, peers};
use crate::Failure;

/// Storage options of `tourbillon check`.
pub(super) type SearchOptions = &'static [&'static str];

/// The memory limit of the stored states.
const MEMORY_LIMIT: &str = "1G";

/// The figures of one exploration of a model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CddFigures {
    pub(super) user_s: f64,
    /// Whether the exploration is complete.
    pub(super) finished: bool,
    pub(super) stored: u64,
    pub(super) visited: u64,
    pub(super) discrete_states: u64,
    pub(super) passed_bytes: u64,
    pub(super) waiting_bytes: u64,
    /// The bytes of the passed list that are zones, or their unions.
    pub(super) zone_bytes: u64,
}

/// The measurements of a model, in the order of the options.
#[derive(Default, Debug)]
pub(super) struct CddMeasurement {
    pub(super) ways: Vec<(SearchOptions, CddFigures)>,
}

impl CddMeasurement {
    pub(super) fn get(&self, way: SearchOptions) -> Option<&CddFigures> {
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

/// Explores a model with each of these options, alternating, several times. An exploration that does not end is not
/// repeated.
///
/// # Errors
/// If a run gives no report.
pub(super) fn explore(
    program: &Path,
    (name, file): (&str, &Path),
    ways: &[SearchOptions],
    runs: u32,
    limit: Duration,
) -> Result<CddMeasurement, Failure> {
    let mut tried: Vec<(SearchOptions, Vec<Cost>, Option<CddFigures>)> =
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
        figures.map(|figures| (way, CddFigures { user_s: child::median(&costs).user_s, ..figures }))
    });
    Ok(CddMeasurement { ways: medians.collect() })
}

fn arguments(file: &Path, way: SearchOptions, limit: Duration) -> Vec<String> {
    let mut arguments = checker::exploration_arguments(file);
    let plan = ["--abstraction", "extra-lu+", "--bounds", "local", "--cover", "inclusion", "--order", "bfs"];
    let limits = ["--memory-limit", MEMORY_LIMIT, "--time-limit", &format!("{}ms", limit.as_millis())];
    arguments.extend(plan.iter().chain(way).chain(&limits).map(|&option| option.to_owned()));
    arguments
}

/// The figures of a report, except the time.
///
/// # Errors
/// If it is no report, or one of a search that failed.
fn read(output: &str) -> Result<CddFigures, String> {
    let report: Json = serde_json::from_str(output).map_err(|error| format!("no report: {error}"))?;
    let result = &report["results"][0];
    let finished = match result["reason"].as_str() {
        Some("complete") => true,
        Some("time-limit" | "memory-limit" | "table-full" | "interrupted") => false,
        _ => return Err(format!("the search did not end: {}", result["why"])),
    };
    let stats = &result["stats"];
    let count = |value: &Json, name: &str| value.as_u64().ok_or_else(|| format!("a report without `{name}`"));
    let stat = |name: &str| count(&stats[name], name);
    Ok(CddFigures {
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
