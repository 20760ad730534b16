//! One exploration by some ranks, and what its report says.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::super::{checker, child};
use crate::Failure;

/// How a model is explored: by how many ranks, or without any, and in which layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    pub(super) ranks: Option<u32>,
    pub(super) layout: &'static str,
}

/// The layout of zones that are kept one by one.
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

/// What one exploration came to.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Figures {
    /// Whether everything was visited.
    pub(super) finished: bool,
    pub(super) wall_s: f64,
    /// Of all ranks, if it is known.
    pub(super) cpu_s: Option<f64>,
    /// States that were visited; of the thesis, those that were tried.
    pub(super) states: u64,
    pub(super) stored: u64,
    pub(super) discrete_states: u64,
    pub(super) ranks: Vec<Share>,
}

/// What one rank did.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Share {
    /// What its list takes.
    pub(super) memory_bytes: u64,
    /// What of that is for zones of visited states.
    pub(super) zone_bytes: u64,
    /// The part of the time in which it had something to do.
    pub(super) load: f64,
    pub(super) messages: u64,
    pub(super) sent_bytes: u64,
}

impl Figures {
    pub(super) fn sum(&self, figure: impl Fn(&Share) -> u64) -> u64 {
        self.ranks.iter().map(figure).sum()
    }

    /// How much the largest and the smallest share of memory differ from the average, at most.
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

/// How ranks are started, and what all explorations have in common.
pub(super) struct Launch<'a> {
    pub(super) program: &'a Path,
    /// The command that starts processes; ranks are threads if there is none.
    pub(super) mpirun: Option<&'a str>,
    pub(super) order: Option<&'a str>,
    pub(super) limit: Duration,
}

impl Launch<'_> {
    /// Explores a model once.
    ///
    /// # Errors
    /// If that gives no report.
    pub(super) fn explore(&self, model: &Path, setting: Setting) -> Result<Figures, Failure> {
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
        let mut options = checker::default_arguments(model);
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

/// What a report says.
///
/// # Errors
/// If it is no report, or one of a search that failed.
fn read(output: &str) -> Result<Figures, String> {
    let report: Json = serde_json::from_str(output).map_err(|error| format!("no report of ours: {error}"))?;
    let result = &report["results"][0];
    let finished = match result["reason"].as_str() {
        Some("complete") => true,
        Some("time-limit" | "memory-limit") => false,
        _ => return Err(format!("an exploration of ours came to no end: {}", result["why"])),
    };
    let stats = &result["stats"];
    let count = |name: &str| stats[name].as_u64().ok_or_else(|| format!("a report without `{name}`"));
    let each: &[Json] = result["ranks"].as_array().map_or(&[], Vec::as_slice);
    let alone = || -> Result<_, String> {
        let memory_bytes = count("passed_bytes")? + count("waiting_bytes")?;
        Ok(vec![Share { memory_bytes, load: 1.0, ..Share::default() }])
    };
    let cpu = each.iter().map(|rank| rank["cpu_s"].as_f64()).sum::<Option<f64>>();
    Ok(Figures {
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
