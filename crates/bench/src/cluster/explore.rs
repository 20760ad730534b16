//! One exploration by several ranks, and the figures of its report.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::super::{checker, child};
use crate::Failure;

/// The number of ranks, or none, and the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    pub(super) ranks: Option<u32>,
    pub(super) layout: &'static str,
}

/// The layout of single zones.
pub(super) const HASH: &str = "hash";
/// One diagram over all ranks.
pub(super) const SPREAD: &str = "cdd-spread";

impl Setting {
    /// One search, by `--engine zones`.
    pub(super) const ALONE: Self = Self { ranks: None, layout: HASH };

    pub(super) const fn new(ranks: u32, layout: &'static str) -> Self {
        Self { ranks: Some(ranks), layout }
    }
}

/// The figures of one exploration.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ClusterFigures {
    /// Whether the exploration is complete.
    pub(super) finished: bool,
    pub(super) wall_s: f64,
    /// The CPU time of all ranks, if it is known.
    pub(super) cpu_s: Option<f64>,
    /// Visited states; in the thesis, tried states.
    pub(super) states: u64,
    pub(super) stored: u64,
    pub(super) discrete_states: u64,
    pub(super) ranks: Vec<Share>,
}

/// The figures of a rank.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Share {
    /// The bytes of its list.
    pub(super) memory_bytes: u64,
    /// The bytes of zones of visited states.
    pub(super) zone_bytes: u64,
    /// The fraction of the time in which it was busy.
    pub(super) load: f64,
    pub(super) messages: u64,
    pub(super) sent_bytes: u64,
}

impl ClusterFigures {
    pub(super) fn sum(&self, figure: impl Fn(&Share) -> u64) -> u64 {
        self.ranks.iter().map(figure).sum()
    }

    /// The largest deviation of a rank's memory from the average.
    pub(super) fn unevenness(&self) -> f64 {
        let average = self.sum(|rank| rank.memory_bytes) as f64 / self.ranks.len().max(1) as f64;
        let differs = |rank: &Share| (rank.memory_bytes as f64 / average - 1.0).abs();
        self.ranks.iter().map(differs).fold(0.0, f64::max)
    }

    pub(super) fn json(&self) -> Json {
        let ranks = self.ranks.iter().map(|rank| {
            json!({
                "memory_bytes": rank.memory_bytes,
                "zone_bytes": rank.zone_bytes,
                "load": rank.load,
                "messages": rank.messages,
                "bytes": rank.sent_bytes,
            })
        });
        json!({
            "finished": self.finished,
            "wall_s": self.wall_s,
            "cpu_s": self.cpu_s,
            "visited": self.states,
            "stored": self.stored,
            "discrete_states": self.discrete_states,
            "ranks": ranks.collect::<Vec<_>>(),
        })
    }
}

/// How ranks are started, and the common options.
pub(super) struct Launch<'a> {
    pub(super) program: &'a Path,
    /// The command that starts processes; without it, ranks are threads.
    pub(super) mpirun: Option<&'a str>,
    pub(super) order: Option<&'a str>,
    pub(super) limit: Duration,
}

impl Launch<'_> {
    /// Explores a model once.
    ///
    /// # Errors
    /// If that gives no report.
    pub(super) fn explore(&self, model: &Path, setting: Setting) -> Result<ClusterFigures, Failure> {
        let mut options = self.options(model, setting);
        let output = match (setting.ranks, self.mpirun) {
            (Some(ranks), Some(mpirun)) => {
                let mut words = mpirun.split_whitespace().map(str::to_owned);
                let launcher = words.next().ok_or_else(|| "--mpirun names no command".to_owned())?;
                let mut all: Vec<String> = words.collect();
                all.extend(["-n".to_owned(), ranks.to_string(), self.program.to_string_lossy().into_owned()]);
                all.extend(options);
                child::run(Path::new(&launcher), &all)?.output
            }
            (ranks, _) => {
                options.extend(ranks.into_iter().flat_map(|ranks| ["--ranks".to_owned(), ranks.to_string()]));
                child::run(self.program, &options)?.output
            }
        };
        read(&output)
    }

    fn options(&self, model: &Path, setting: Setting) -> Vec<String> {
        let mut options = checker::exploration_arguments(model);
        let limits = ["--memory-limit", "1G", "--time-limit", &format!("{}ms", self.limit.as_millis())];
        options.extend(limits.map(str::to_owned));
        if let Some(order) = self.order {
            options.extend(["--order", order].map(str::to_owned));
        }
        if setting.ranks.is_some() {
            options.extend(["--engine", "cluster", "--layout", setting.layout].map(str::to_owned));
        }
        options
    }
}

/// Reads a report.
///
/// # Errors
/// If it is no report, or one of a search that failed.
fn read(output: &str) -> Result<ClusterFigures, String> {
    let report: Json = serde_json::from_str(output).map_err(|error| format!("no report of ours: {error}"))?;
    let result = &report["results"][0];
    let finished = match result["reason"].as_str() {
        Some("complete") => true,
        Some("time-limit" | "memory-limit") => false,
        _ => return Err(format!("our exploration did not end: {}", result["why"])),
    };
    let stats = &result["stats"];
    let count = |name: &str| stats[name].as_u64().ok_or_else(|| format!("a report without `{name}`"));
    let each: &[Json] = result["ranks"].as_array().map_or(&[], Vec::as_slice);
    let alone = || -> Result<_, String> {
        let memory_bytes = count("passed_bytes")? + count("waiting_bytes")?;
        Ok(vec![Share { memory_bytes, load: 1.0, ..Share::default() }])
    };
    let cpu = each.iter().map(|rank| rank["cpu_s"].as_f64()).sum::<Option<f64>>();
    Ok(ClusterFigures {
        finished,
        wall_s: stats["time_s"].as_f64().ok_or("a report without `time_s`")?,
        cpu_s: cpu.filter(|_| !each.is_empty()),
        states: count("visited")?,
        stored: count("stored")?,
        discrete_states: count("discrete_states")?,
        ranks: if each.is_empty() { alone()? } else { each.iter().map(share).collect() },
    })
}

fn share(rank: &Json) -> Share {
    let count = |name: &str| rank[name].as_u64().unwrap_or(0);
    Share {
        memory_bytes: count("memory_bytes"),
        zone_bytes: count("zone_bytes"),
        load: rank["load"].as_f64().unwrap_or(0.0),
        messages: count("messages"),
        sent_bytes: count("bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{"results": [{"reason": "complete", "stats": {"time_s": 0.5, "visited": 9, "stored": 7,
        "discrete_states": 3, "passed_bytes": 40, "waiting_bytes": 8}, "ranks": [
        {"memory_bytes": 30, "zone_bytes": 10, "load": 1.0, "messages": 4, "bytes": 90, "cpu_s": 0.5},
        {"memory_bytes": 10, "zone_bytes": 5, "load": 0.5, "messages": 2, "bytes": 10, "cpu_s": 0.25}]}]}"#;

    #[test]
    fn reports_are_read() {
        let figures = read(REPORT).expect("a report");
        assert_eq!((figures.states, figures.stored, figures.discrete_states), (9, 7, 3));
        assert_eq!((figures.cpu_s, figures.sum(|rank| rank.messages)), (Some(0.75), 6));
        assert!((figures.unevenness() - 0.5).abs() < 1e-9);
        let alone = read(&REPORT.replace("ranks", "others")).expect("a report");
        assert_eq!((alone.cpu_s, alone.sum(|rank| rank.memory_bytes)), (None, 48));
        assert!(!read(&REPORT.replace("complete", "time-limit")).expect("a report").finished);
        for other in
            [REPORT.replace("complete", "model-fails"), REPORT.replace("visited", "seen"), String::new()]
        {
            assert!(read(&other).is_err(), "{other}");
        }
    }
}
