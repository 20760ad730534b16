//! This checker and its peer: the arguments for the same exploration, and the counts in their output.
//!
//! The peer is TChecker's `tck-reach`. Its algorithms use Extra_LU+ with local bounds, so only rows of that kind, and
//! rows with a_LU, have an equivalent.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tourbillon_gen::{Algorithm, Bounds, Extrapolation, Known, Order};

/// The peer's program.
pub(crate) const PEER: &str = "tck-reach";

/// The counts of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ExplorationCounts {
    pub(crate) stored: u64,
    pub(crate) visited: u64,
    pub(crate) transitions: u64,
}

impl ExplorationCounts {
    pub(crate) const fn of(known: &Known) -> Self {
        Self { stored: known.stored, visited: known.visited, transitions: known.transitions }
    }
}

/// The arguments of this checker for the exploration of a known row.
pub(crate) fn own_arguments(model: &Path, known: &Known) -> Vec<String> {
    let scope = |bounds: Bounds| match bounds {
        Bounds::Global => "global",
        Bounds::Local => "local",
    };
    let (abstraction, bounds) = match known.extrapolation {
        Extrapolation::None => ("none", "local"),
        Extrapolation::M(bounds) => ("extra-m", scope(bounds)),
        Extrapolation::MPlus(bounds) => ("extra-m+", scope(bounds)),
        Extrapolation::Lu(bounds) => ("extra-lu", scope(bounds)),
        Extrapolation::LuPlus(bounds) => ("extra-lu+", scope(bounds)),
    };
    let cover = match known.algorithm {
        Algorithm::Reach => "equality",
        Algorithm::CovReach => "inclusion",
        Algorithm::AluCovReach => "alu",
    };
    let mut arguments = exploration_arguments(model);
    let plan = ["--abstraction", abstraction, "--bounds", bounds, "--cover", cover, "--order", order(known)];
    arguments.extend(plan.map(str::to_owned));
    arguments
}

/// The arguments of this checker for an exploration with the default plan.
pub(crate) fn default_arguments(model: &Path) -> Vec<String> {
    let model = model.to_string_lossy();
    ["check", &model, "--explore", "--trace", "none", "--format", "json"].map(str::to_owned).to_vec()
}

/// The same, storing all states: counts are those of the papers and of the peer.
pub(crate) fn exploration_arguments(model: &Path) -> Vec<String> {
    let mut arguments = default_arguments(model);
    arguments.extend(["--store", "all"].map(str::to_owned));
    arguments
}

/// The arguments of the peer for the exploration of a known row.
pub(crate) fn peer_arguments(model: &Path, known: &Known) -> Vec<String> {
    let model = model.to_string_lossy();
    ["-a", algorithm(known), "-s", order(known), &model].map(str::to_owned).to_vec()
}

/// The peer's name of an algorithm.
pub(crate) const fn algorithm(known: &Known) -> &'static str {
    match known.algorithm {
        Algorithm::Reach => "reach",
        Algorithm::CovReach => "covreach",
        Algorithm::AluCovReach => "aLU-covreach",
    }
}

/// The name of an order, the same for both.
pub(crate) const fn order(known: &Known) -> &'static str {
    match known.order {
        Order::Bfs => "bfs",
        Order::Dfs => "dfs",
    }
}

/// The result of one of our explorations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Explored {
    /// The exploration is complete.
    Complete {
        counts: ExplorationCounts,
        /// Whether every successor is accounted for: `stored + covered = transitions + 1`.
        balanced: bool,
    },
    /// The time limit was reached.
    OutOfTime,
}

/// Reads the report of this checker.
///
/// # Errors
/// If the output is not as expected.
pub(crate) fn own_counts(output: &str) -> Result<Explored, String> {
    let report: Value =
        serde_json::from_str(output).map_err(|error| format!("no report of ours: {error}"))?;
    let result = &report["results"][0];
    let count = |name: &str| {
        result["stats"][name].as_u64().ok_or_else(|| format!("a report of ours without `{name}`"))
    };
    match result["reason"].as_str() {
        Some("complete") => {
            let counts = ExplorationCounts {
                stored: count("stored")?,
                visited: count("visited")?,
                transitions: count("transitions")?,
            };
            let balanced = counts.stored + count("covered")? == counts.transitions + 1;
            Ok(Explored::Complete { counts, balanced })
        }
        Some("time-limit") => Ok(Explored::OutOfTime),
        _ => Err(format!("our exploration did not end: {}", result["why"])),
    }
}

/// Reads the output of the peer. With equality it stores what it visits, and does not count that twice.
///
/// # Errors
/// If the output is not as expected.
pub(crate) fn peer_counts(output: &str) -> Result<ExplorationCounts, String> {
    let count = |name: &str| {
        let value = output.lines().find_map(|line| line.strip_prefix(name));
        value.and_then(|value| value.trim().parse().ok())
    };
    let missing = || format!("counts are missing in the peer's output: {output:?}");
    let visited = count("VISITED_STATES").ok_or_else(missing)?;
    let transitions = count("VISITED_TRANSITIONS").ok_or_else(missing)?;
    Ok(ExplorationCounts { stored: count("STORED_STATES").unwrap_or(visited), visited, transitions })
}

/// The peer, if it is given or found on PATH.
pub(crate) fn find_peer(given: Option<&PathBuf>) -> Option<PathBuf> {
    if let Some(path) = given {
        return Some(path.clone());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(PEER)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        let printed = "MEMORY_MAX_RSS 28000\nREACHABLE false\nSTORED_STATES 65\nVISITED_STATES 71\nVISITED_TRANSITIONS 126\n";
        let counts = ExplorationCounts { stored: 65, visited: 71, transitions: 126 };
        assert_eq!(peer_counts(printed), Ok(counts));
        assert!(peer_counts("ERROR: no such file").is_err());
        let report = r#"{"results": [{"reason": "complete", "stats":
            {"stored": 65, "visited": 71, "transitions": 126, "covered": 62}}]}"#;
        assert_eq!(own_counts(report), Ok(Explored::Complete { counts, balanced: true }));
        assert_eq!(own_counts(&report.replace("complete", "time-limit")), Ok(Explored::OutOfTime));
        assert!(own_counts(&report.replace("complete", "model-fails")).is_err());
        assert!(own_counts(&report.replace("visited", "seen")).is_err());
    }
}
