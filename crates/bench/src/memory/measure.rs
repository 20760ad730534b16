//! Explorations of models with several options, alternating, and their figures.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::super::checker;
use super::super::child::{self, Cost};
use super::super::{note, peers};
use super::ways::{self, SearchOptions};
use crate::Failure;

/// The memory limit of the stored states, as in the paper.
const MEMORY_LIMIT: &str = "1G";

/// The figures of one exploration of a model.
#[derive(Clone, Debug)]
pub(super) struct MemoryFigures {
    pub(super) cost: Cost,
    /// Whether the search is complete.
    pub(super) finished: bool,
    pub(super) stored: u64,
    pub(super) visited: u64,
    pub(super) passed_bytes: u64,
    /// For a probabilistic list, the estimated share of new states that were refused.
    pub(super) refused_share: Option<f64>,
}

impl MemoryFigures {
    pub(super) fn bytes_per_node(&self) -> f64 {
        self.passed_bytes as f64 / self.stored.max(1) as f64
    }
}

/// A model to measure: its name, its file, and the common options.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) common: Vec<String>,
}

/// The measurements of a model.
#[derive(Default)]
pub(super) struct MemoryMeasurement {
    ways: Vec<(SearchOptions, MemoryFigures)>,
    /// The estimated bytes for each node of the set of states, without an index.
    pub(super) estimate: Option<f64>,
}

impl MemoryMeasurement {
    pub(super) fn get(&self, way: SearchOptions) -> Option<&MemoryFigures> {
        self.ways.iter().find(|(known, _)| *known == way).map(|(_, figures)| figures)
    }

    /// The exact options whose counts differ from the plain ones.
    pub(super) fn differences(&self) -> Vec<String> {
        let differs = |(way, figures): &&(SearchOptions, MemoryFigures)| {
            let plain = ways::counts_as(way).and_then(|plain| self.get(plain));
            plain.is_some_and(|plain| {
                plain.finished
                    && figures.finished
                    && (plain.stored, plain.visited) != (figures.stored, figures.visited)
            })
        };
        self.ways.iter().filter(differs).map(|(way, _)| way.join(" ")).collect()
    }

    pub(super) fn json(&self) -> Json {
        let ways = self.ways.iter().map(|(way, figures)| {
            json!({
                "options": way.join(" "),
                "finished": figures.finished,
                "user_s": figures.cost.user_s,
                "peak_rss_bytes": figures.cost.peak_bytes,
                "stored": figures.stored,
                "visited": figures.visited,
                "passed_bytes": figures.passed_bytes,
                "refused_share": figures.refused_share,
            })
        });
        json!({"ways": ways.collect::<Vec<_>>(), "estimated_bytes_per_node": self.estimate})
    }
}

/// Explores a model with each of these options, alternating, several times. An exploration that does not end is not
/// repeated.
///
/// # Errors
/// If a run gives no report.
pub(super) fn explore(
    program: &Path,
    subject: &Subject,
    ways: &[SearchOptions],
    runs: u32,
    limit: Duration,
) -> Result<MemoryMeasurement, Failure> {
    let mut tried: Vec<(SearchOptions, Vec<Cost>, Option<MemoryFigures>)> =
        ways.iter().map(|&way| (way, Vec::new(), None)).collect();
    for _ in 0..runs {
        for (way, costs, figures) in &mut tried {
            if figures.as_ref().is_some_and(|figures| !figures.finished) {
                continue;
            }
            let ran = child::run(program, &arguments(subject, way, limit))?;
            let read = read(&ran.output, ran.cost)
                .map_err(|error| format!("{}, {}: {error}", subject.name, way.join(" ")))?;
            note(&format!("{}, {}: {} s", subject.name, way.join(" "), peers::seconds(ran.cost.user_s)));
            costs.push(ran.cost);
            *figures = Some(read);
        }
    }
    let medians = tried.into_iter().filter_map(|(way, costs, figures)| {
        let cost = child::median(&costs);
        figures.map(|figures| (way, MemoryFigures { cost, ..figures }))
    });
    Ok(MemoryMeasurement { ways: medians.collect(), estimate: None })
}

/// The estimated bytes for each node of the set of stored states, without an index.
///
/// # Errors
/// If the states cannot be counted.
pub(super) fn estimate(program: &Path, subject: &Subject, way: SearchOptions) -> Result<f64, Failure> {
    let file = subject.file.to_string_lossy().into_owned();
    let mut arguments = ["debug", "census", &file, "--format", "json"].map(str::to_owned).to_vec();
    arguments.extend(subject.common.iter().cloned());
    arguments.extend(way.iter().map(|&option| option.to_owned()));
    let ran = child::run(program, &arguments)?;
    let census: Json = serde_json::from_str(&ran.output).unwrap_or_default();
    let bytes = census["bytes_per_node"].as_f64();
    bytes.ok_or_else(|| format!("{}: its states were not counted", subject.name))
}

fn arguments(subject: &Subject, way: SearchOptions, limit: Duration) -> Vec<String> {
    let mut arguments = checker::exploration_arguments(&subject.file);
    arguments.extend(subject.common.iter().cloned());
    arguments.extend(way.iter().map(|&option| option.to_owned()));
    let limits = ["--memory-limit", MEMORY_LIMIT, "--time-limit", &format!("{}ms", limit.as_millis())];
    arguments.extend(limits.map(str::to_owned));
    arguments
}

/// Reasons of an incomplete search.
const CUT_SHORT: [&str; 5] = ["time-limit", "memory-limit", "state-limit", "table-full", "interrupted"];

/// Reads a report.
///
/// # Errors
/// If it is no report, or one of a search that failed.
fn read(output: &str, cost: Cost) -> Result<MemoryFigures, String> {
    let report: Json = serde_json::from_str(output).map_err(|error| format!("no report: {error}"))?;
    let result = &report["results"][0];
    let stats = &result["stats"];
    let count =
        |name: &str| stats[name].as_u64().ok_or_else(|| format!("a report without `{name}`: {result}"));
    let reason = result["reason"].as_str().unwrap_or_default();
    if ["model-fails", "clock-overflow", "not-supported"].contains(&reason) {
        return Err(format!("no exploration: {}", result["why"]));
    }
    Ok(MemoryFigures {
        cost,
        finished: !CUT_SHORT.contains(&reason),
        stored: count("stored")?,
        visited: count("visited")?,
        passed_bytes: count("passed_bytes")?,
        refused_share: refused_share(&stats["certainty"]),
    })
}

/// The estimated share of new states that were refused.
fn refused_share(certainty: &Json) -> Option<f64> {
    let (entered, refused) = (certainty["states"].as_f64()?, certainty["omitted"].as_f64()?);
    Some(refused / (entered + refused))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: Cost = Cost { user_s: 1.0, peak_bytes: 7 };

    fn report(reason: &str, visited: u64) -> String {
        format!(
            r#"{{"results": [{{"reason": "{reason}", "stats": {{"stored": 3, "visited": {visited}, "passed_bytes": 12}}}}]}}"#
        )
    }

    #[test]
    fn reports_are_read() {
        let figures = read(&report("complete", 5), COST).expect("a report");
        assert_eq!((figures.finished, figures.visited, figures.bytes_per_node()), (true, 5, 4.0));
        assert!(!read(&report("time-limit", 5), COST).expect("a report").finished);
        assert!(read(&report("model-fails", 5), COST).is_err());
        assert!(read("", COST).is_err() && read("{}", COST).is_err());
    }

    #[test]
    fn what_is_said_of_omissions_is_read() {
        let certainty = r#""certainty": {"states": 30, "omitted": 10.0}, "stored""#;
        let text = report("may-omit", 5).replace(r#""stored""#, certainty);
        let figures = read(&text, COST).expect("a report");
        assert_eq!((figures.finished, figures.refused_share), (true, Some(0.25)));
        assert!(!read(&report("table-full", 5), COST).expect("a report").finished);
    }

    #[test]
    fn exact_ways_with_other_counts_are_pointed_out() {
        let figures = |visited| read(&report("complete", visited), COST).expect("a report");
        let ways = |other| vec![(ways::PLAIN, figures(5)), (ways::PACKED, figures(other))];
        let measured = |other| MemoryMeasurement { ways: ways(other), estimate: None };
        assert_eq!(measured(5).differences(), Vec::<String>::new());
        assert_eq!(measured(6).differences(), [ways::PACKED.join(" ")]);
    }
}
