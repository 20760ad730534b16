//! Runs: verification, coverage and zone graphs.
//!
//! `POST /api/v1/models/{hash}/runs` with a [`RunRequest`] answers with a stream of server-sent events, each a
//! [`RunEvent`] as JSON in its `data`, with its kind as the name of the event. Who closes the stream ends the run; who wants to know what is known
//! so far stops it instead: `POST /api/v1/runs/{run}/stop`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Number, Told, ZoneGraph};

/// Something to be found out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunRequest {
    pub question: RunQuestion,
    /// Options of the plan, by name, with the names of their values.
    #[serde(default)]
    // The earlier name. ts-rs, which is there in tests only, does not know the attribute.
    #[cfg_attr(not(test), serde(alias = "wishes"))]
    pub options: BTreeMap<String, String>,
    /// How long it may take, in seconds; as long as the server allows if it is left out.
    #[serde(default)]
    pub seconds: Option<u64>,
    /// How much memory it may use, in bytes; as much as the server allows if it is left out.
    #[serde(default)]
    pub bytes: Option<u64>,
    /// Whether each answer by exhaustion is checked with its certificate. Coverage and zone graphs have none.
    #[serde(default)]
    pub certify: bool,
}

/// What is to be found out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RunQuestion {
    /// The answers to some queries of the model, one after another.
    Queries {
        /// Which: numbers of the sheet's.
        queries: Vec<u32>,
    },
    /// Whether a state can be reached that carries all of these labels: for TChecker's models.
    Labels { labels: Vec<String> },
    /// What locations and edges can be reached, and what looks wrong with the model.
    Coverage,
    Graph {
        /// How many nodes it may have.
        nodes: u32,
    },
}

/// What a run tells.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RunEvent {
    /// It waits for others to end.
    Waiting {
        /// Its number, to stop it by.
        run: u32,
        /// How many go before it.
        ahead: u32,
    },
    Started {
        /// Its number, to stop it by.
        run: u32,
        /// How long it may take.
        seconds: u64,
        /// How much memory it may use.
        bytes: u64,
    },
    /// What it has done so far: some times a second.
    Progress(RunProgress),
    /// A query is answered.
    Found(Box<Finding>),
    /// All that could be reached.
    Coverage(Coverage),
    Graph(Box<ZoneGraph>),
    /// It could not be done: what was asked for cannot be combined, or the model cannot be run.
    Refused {
        /// Which query, if it is one that was refused.
        query: Option<u32>,
        message: String,
        /// What is wrong with the model.
        diagnostics: Vec<Told>,
    },
    /// It is over; always the last.
    Done {
        /// How long it took, in seconds.
        seconds: f64,
        /// Whether it was stopped.
        stopped: bool,
    },
}

/// What a run has done so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunProgress {
    /// Which query it is at, if it is at one.
    pub query: Option<u32>,
    /// How long that has taken, in seconds.
    pub seconds: f64,
    pub counts: Counts,
    /// How much memory the process has now, in bytes.
    pub rss_bytes: u64,
}

/// Counts of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Counts {
    /// Nodes taken from waiting and expanded.
    pub visited: u64,
    pub stored: u64,
    pub waiting: u64,
    pub transitions: u64,
    /// Bytes of the passed list.
    pub passed_bytes: u64,
    /// Bytes of the waiting list.
    pub waiting_bytes: u64,
}

/// The answer to a query.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Finding {
    /// Which query; none for labels.
    pub query: Option<u32>,
    /// `satisfied`, `violated` or `unknown`.
    pub verdict: String,
    /// Whether it is the answer that was expected, if one was.
    pub as_expected: Option<bool>,
    /// Why, in a word that programs can rely on.
    pub reason: String,
    /// Why, in a sentence.
    pub why: String,
    /// For an answer that is not known, what to try next.
    pub advice: Vec<String>,
    /// What was measured, for `sup`, `inf` and `bounds`: a line each.
    pub values: Vec<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
    pub counts: Counts,
    /// How it was found.
    pub plan: Vec<PlanLine>,
    /// The runs that show it.
    pub runs: Vec<FoundRun>,
    /// That the checker accepted its certificate, if that was requested and the answer has one.
    pub certified: Option<CertifiedFinding>,
    /// What went wrong in the model while it ran.
    pub diagnostics: Vec<Told>,
}

/// The certificate of an answer, which the checker accepted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CertifiedFinding {
    /// Symbolic states that were checked.
    pub states: u64,
    /// Successors that were checked.
    pub successors: u64,
    /// The SHA-256 of the certificate, in hexadecimal digits.
    pub sha256: String,
    /// The bytes of the certificate.
    pub bytes: u64,
    /// How long the check took, in seconds.
    pub seconds: f64,
}

/// One choice of a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlanLine {
    /// What was chosen: the name of an axis.
    pub axis: String,
    pub choice: String,
    /// Why, in a sentence; empty if it is the usual one.
    pub reason: String,
}

/// A run that shows something.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FoundRun {
    /// What it shows: `witness`, `counterexample`, `failure`, `attains`, `approaches`, `grows`.
    pub purpose: String,
    /// How many steps it has.
    pub steps: u32,
    /// How long it takes.
    pub duration: Option<Number>,
    /// It, as a run file: `SimulationStart::Run` takes it.
    pub file: String,
}

/// What an exploration reached.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Coverage {
    /// Whether everything was explored; otherwise more may be reachable.
    pub complete: bool,
    /// The same in a sentence.
    pub why: String,
    /// For each process, whether each of its locations was reached.
    pub locations: Vec<Vec<bool>>,
    /// For each process, whether each of its edges was taken.
    pub edges: Vec<Vec<bool>>,
    /// What looks wrong with the model.
    pub findings: Vec<CoverageFinding>,
    pub counts: Counts,
}

/// Something that looks wrong.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverageFinding {
    pub told: Told,
    /// Whether it is only possible, and was not shown to happen.
    pub possible: bool,
    /// A run that leads there.
    pub run: Option<FoundRun>,
}
