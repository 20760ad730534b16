//! The report of a check as plain data: for each query a verdict, its reason, statistics, and a run.
//!
//! Nothing here refers to the model or to the engine's own structures, so a report can outlive both. How it is
//! shown is the business of those who show it; `report_json.rs` is the one form that belongs to the library.

use std::time::Duration;

use tourbillon_base::Diagnostics;
use tourbillon_check::{
    Exhausted, Known, Least, Mixture, Others, Plan, RankStats, Stats, Value, Verdict, Why,
};
use tourbillon_model::{Expectation, Model, QueryKind};

use crate::certainty::{may_omit, table_full};
use crate::codes;
use crate::trace::Trace;

/// What comes out of a check.
#[derive(Clone, Debug)]
pub struct Report {
    pub model: ModelSummary,
    /// The plan of the first query that was tried; the others have the same unless they say otherwise.
    pub plan: Option<Plan>,
    /// One for each query, in their order.
    pub results: Vec<Finding>,
    /// What is wrong with the model and showed only when it ran.
    pub diagnostics: Diagnostics,
    /// The most memory that the process has had; filled in by who can ask the system.
    pub peak_rss_bytes: Option<u64>,
}

/// What a model is called, and how large it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelSummary {
    pub name: String,
    /// How many processes it has.
    pub processes: usize,
    pub clocks: usize,
    /// How many cells of data that are part of its states.
    pub variables: usize,
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The query; none for a full exploration.
    pub query: Option<QuerySummary>,
    pub verdict: Verdict,
    /// Why, in a word that programs can rely on.
    pub reason: Cause,
    /// Why, in a sentence without a full stop.
    pub why: String,
    /// How it was found; nothing if it was not tried.
    pub plan: Option<Plan>,
    /// What it took: counts of the state space that it was found in.
    pub stats: Stats,
    /// What each rank did, if several searched together; without those that are gone.
    pub ranks: Vec<RankStats>,
    /// How long it took.
    pub time: Duration,
    /// Which of several orders found it, and what each of them did, if they were mixed.
    pub mixture: Option<Mixture>,
    /// How many stored nodes an earlier query had left for this one.
    pub reused: u64,
    /// The least time after which it happens, if the fastest run was asked for.
    pub least_time: Option<Least>,
    /// What was measured, for `sup`, `inf` and `bounds`.
    pub values: Vec<MeasureSummary>,
    /// A run that shows it.
    pub trace: Option<Trace>,
    /// Runs along different paths, if several were asked for; the first is the one above. Of runs without end there is
    /// that one only, and the runs of values are with these.
    pub several: Option<SeveralSummary>,
}

/// Runs along different paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeveralSummary {
    /// The runs, those with fewer steps first; none where they are given one by one.
    pub traces: Vec<Trace>,
    /// How many there are.
    pub count: usize,
    /// Whether there are others.
    pub others: Others,
}

impl SeveralSummary {
    /// Whether there are other runs, in a word that programs can rely on.
    #[must_use]
    pub const fn others_word(&self) -> &'static str {
        match self.others {
            Others::None => "none",
            Others::NotSearched => "not-looked-for",
            Others::Exhausted(_) | Others::Failed | Others::Overflowed => "not-known",
            Others::OnlyOne => "not-supported",
        }
    }

    /// How many there are and whether there are others, in a sentence without a full stop.
    #[must_use]
    pub fn sentence(&self) -> String {
        let why = match self.others {
            Others::None => "there are no others",
            Others::NotSearched => "others were not looked for",
            Others::OnlyOne if self.count == 0 => {
                return "1 run for each value; of values others are not looked for".to_owned();
            }
            Others::OnlyOne => "of runs without end others are not looked for",
            Others::Exhausted(what) => return self.doubt(exhausted(what)),
            Others::Failed => return self.doubt("the model fails at run time"),
            Others::Overflowed => return self.doubt("a clock grew past what a zone can hold"),
        };
        format!("{}; {why}", self.count())
    }

    fn doubt(&self, why: &str) -> String {
        format!("{}; there may be others, since {why}", self.count())
    }

    fn count(&self) -> String {
        match self.count {
            1 => "1 run".to_owned(),
            count => format!("{count} runs along different paths"),
        }
    }
}

const REFUSED: &str = "the operating system gave no more memory";
const DIAGRAMS_FULL: &str = "sets of states need more memory than --bdd-memory allows";

/// What ran out, in a sentence.
pub(crate) const fn exhausted(what: Exhausted) -> &'static str {
    match what {
        Exhausted::States => "the limit on states was reached",
        Exhausted::Memory => "the limit on memory was reached",
        Exhausted::Diagrams => DIAGRAMS_FULL,
        Exhausted::Time => "the limit on time was reached",
        Exhausted::Interrupted => "it was interrupted",
        Exhausted::Refused => REFUSED,
    }
}

/// What is known of something that was measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasureSummary {
    pub text: String,
    /// Its least value, if it was asked for.
    pub low: Option<ExtremeSummary>,
    /// Its greatest value, likewise.
    pub high: Option<ExtremeSummary>,
}

/// A least or greatest value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtremeSummary {
    pub value: Value,
    /// How much is known of it.
    pub known: Known,
    /// A run that has the value, comes near it, or leads to where it keeps growing: its purpose says which.
    pub trace: Option<Trace>,
}

impl MeasureSummary {
    /// What is known, in a line: `0 <= x < 5`; nothing if there is no value.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let certain = |extreme: &ExtremeSummary| extreme.known == Known::Exactly;
        if !self.low.iter().chain(&self.high).all(certain) {
            return self.doubts();
        }
        let text = &self.text;
        let low = self.low.as_ref().map(|low| sides(low.value));
        let high = self.high.as_ref().map(|high| sides(high.value));
        Some(match (low, high) {
            (None | Some(None), None | Some(None)) => return None,
            (Some(Some((value, strict))), Some(Some((upper, upper_strict)))) => {
                format!("{value} <{} {text} <{} {upper}", or_equal(strict), or_equal(upper_strict))
            }
            (Some(Some((value, strict))), _) => format!("{text} >{} {value}", or_equal(strict)),
            (_, Some(Some((value, strict)))) => format!("{text} <{} {value}", or_equal(strict)),
        })
    }

    /// What is known of values that are not certain.
    fn doubts(&self) -> Option<String> {
        let ends = [
            ("least", ["at most", "smaller", "at least", "more than"], &self.low),
            ("greatest", ["at least", "larger", "at most", "less than"], &self.high),
        ];
        let doubt = |(which, [so_far, beyond, not_beyond, strictly], extreme): (
            &str,
            [&str; 4],
            &Option<ExtremeSummary>,
        )| {
            let extreme = extreme.as_ref()?;
            let (value, approached) = sides(extreme.value)?;
            let what = match (extreme.known, approached) {
                (Known::Exactly, false) => format!("is {value}"),
                (Known::Exactly, true) => format!("only approaches {value}"),
                (Known::SoFar, false) => format!("is {so_far} {value}"),
                (Known::SoFar, true) => format!("approaches {value} or is {beyond}"),
                (Known::NotBeyond, false) => format!("is {not_beyond} {value}"),
                (Known::NotBeyond, true) => format!("is {strictly} {value}"),
                (Known::Nothing, _) => return None,
            };
            Some(format!("the {which} value of {} {what}", self.text))
        };
        let doubts: Vec<String> = ends.into_iter().filter_map(doubt).collect();
        (!doubts.is_empty()).then(|| doubts.join(", "))
    }
}

/// A value as text, and whether it is only approached.
fn sides(value: Value) -> Option<(String, bool)> {
    match value {
        Value::None => None,
        Value::Attained(value) => Some((value.to_string(), false)),
        Value::Approached(value) => Some((value.to_string(), true)),
        Value::Infinite => Some(("infinity".to_owned(), true)),
    }
}

const fn or_equal(strict: bool) -> &'static str {
    if strict { "" } else { "=" }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuerySummary {
    /// Which of the model's queries it is, from 0 on.
    pub number: usize,
    /// As it was written.
    pub text: String,
    /// What was written about it.
    pub comment: String,
    /// The answer that its author expects.
    pub expected: Option<Expectation>,
    /// What it looks for.
    pub sense: Sense,
    /// Where it was written: an element of an XML file, a line, or the command line.
    pub place: String,
}

/// What a query looks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sense {
    /// A state in which something holds: `E<>`.
    Possibly,
    /// That there is no state in which something fails: `A[]`.
    Invariantly,
    /// A maximal run along which something always holds: `E[]`.
    PotentiallyAlways,
    /// That there is no maximal run along which something never happens: `A<>`.
    Eventually,
    /// That there is no maximal run on which something does not follow: `-->`.
    LeadsTo,
    /// A run that comes back to something again and again: `--accepting`.
    Recurrently,
    /// How small or large something is: `sup`, `inf`, `bounds`.
    Extremes,
    Other,
}

impl Sense {
    pub(crate) fn of(kind: &QueryKind) -> Self {
        match kind {
            QueryKind::Possibly(_) => Self::Possibly,
            QueryKind::Invariantly(_) => Self::Invariantly,
            QueryKind::PotentiallyAlways(_) => Self::PotentiallyAlways,
            QueryKind::Eventually(_) => Self::Eventually,
            QueryKind::LeadsTo(..) => Self::LeadsTo,
            QueryKind::Recurrently(_) => Self::Recurrently,
            QueryKind::Bounds { .. } => Self::Extremes,
            QueryKind::Refused => Self::Other,
        }
    }

    /// Whether what is looked for speaks against it.
    #[must_use]
    pub const fn is_universal(self) -> bool {
        matches!(self, Self::Invariantly | Self::Eventually | Self::LeadsTo)
    }
}

/// Why a verdict is what it is, in a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// A state was found in which it holds, or fails.
    Found,
    /// Everything was visited.
    Complete,
    /// Nothing was found, but states may have been left out.
    MayOmit,
    /// The passed list was full.
    TableFull,
    /// The limit on states was reached.
    StateLimit,
    /// The limit on memory was reached.
    MemoryLimit,
    /// The limit on time was reached.
    TimeLimit,
    /// It was asked to stop.
    Interrupted,
    /// The operating system gave no more memory.
    MemoryRefused,
    /// A rank of a cluster is gone.
    RankLost,
    /// The model fails at run time.
    ModelFails,
    /// The model may fail at run time, which is not certain.
    ModelMayFail,
    /// A state has more transitions than are gone through.
    TooManyTransitions,
    /// A clock grew past what a zone can hold.
    ClockOverflow,
    /// What an over-approximation found does not replay.
    NotReplayed,
    /// This kind of query is not answered.
    NotSupported,
    /// The query itself has errors.
    Refused,
}

impl Cause {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Complete => "complete",
            Self::MayOmit => "may-omit",
            Self::TableFull => "table-full",
            Self::StateLimit => "state-limit",
            Self::MemoryLimit => "memory-limit",
            Self::TimeLimit => "time-limit",
            Self::Interrupted => "interrupted",
            Self::MemoryRefused => "memory-refused",
            Self::RankLost => "rank-lost",
            Self::ModelFails => "model-fails",
            Self::ModelMayFail => "model-may-fail",
            Self::TooManyTransitions => "too-many-transitions",
            Self::ClockOverflow => "clock-overflow",
            Self::NotReplayed => "not-replayed",
            Self::NotSupported => "not-supported",
            Self::Refused => "refused",
        }
    }

    pub(crate) const fn of(why: &Why) -> Self {
        match why {
            Why::Found => Self::Found,
            Why::Complete => Self::Complete,
            Why::MayOmit(_) => Self::MayOmit,
            Why::TableFull(_) => Self::TableFull,
            Why::Exhausted(Exhausted::States) => Self::StateLimit,
            Why::Exhausted(Exhausted::Memory | Exhausted::Diagrams) => Self::MemoryLimit,
            Why::Exhausted(Exhausted::Time) => Self::TimeLimit,
            Why::Exhausted(Exhausted::Interrupted) => Self::Interrupted,
            Why::Exhausted(Exhausted::Refused) => Self::MemoryRefused,
            Why::RankExhausted { what, .. } => Self::of(&Why::Exhausted(*what)),
            Why::RankLost { .. } => Self::RankLost,
            Why::Failed(_) => Self::ModelFails,
            Why::MayFail(_) => Self::ModelMayFail,
            Why::TooMany(_) => Self::TooManyTransitions,
            Why::Overflowed => Self::ClockOverflow,
            Why::NotReplayed(_) => Self::NotReplayed,
            Why::NotSupported(_) => Self::NotSupported,
        }
    }
}

/// The same, with the names of the model.
pub(crate) fn sentence_of(model: &Model, why: &Why, sense: Option<Sense>) -> String {
    match why {
        Why::Failed(error) => {
            let option = codes::remedy(error.kind).map_or("", |_| " (see --overflow)");
            format!("the model fails at run time: {}{option}", error.kind.explain(model))
        }
        Why::MayFail(error) => {
            format!("the model may fail at run time, and no run shows it: {}", error.kind.explain(model))
        }
        _ => sentence(why, sense),
    }
}

/// Why a verdict is what it is, in a sentence.
pub(crate) fn sentence(why: &Why, sense: Option<Sense>) -> String {
    let fixed = match (why, sense) {
        (Why::Found, Some(Sense::Invariantly)) => "a state in which it fails can be reached",
        (Why::Found, Some(Sense::PotentiallyAlways)) => "there is a run along which it always holds",
        (Why::Found, Some(Sense::Eventually)) => "there is a run along which it never happens",
        (Why::Found, Some(Sense::LeadsTo)) => "there is a run on which it does not follow",
        (Why::Found, Some(Sense::Recurrently)) => "there is a run that comes back to it again and again",
        (Why::Found, _) => "a state in which it holds can be reached",
        (Why::Complete, Some(Sense::Invariantly)) => "it holds in every state that can be reached",
        (Why::Complete, Some(Sense::PotentiallyAlways)) => "there is no run along which it always holds",
        (Why::Complete, Some(Sense::Eventually)) => "it happens on every run",
        (Why::Complete, Some(Sense::LeadsTo)) => "it follows on every run",
        (Why::Complete, Some(Sense::Recurrently)) => "no run comes back to it again and again",
        (Why::Complete, Some(Sense::Extremes)) => {
            "these are the values of all states that can be reached and count"
        }
        (Why::Complete, Some(_)) => "it holds in no state that can be reached",
        (Why::Complete, None) => "everything that can be reached was visited",
        (Why::MayOmit(certainty), _) => return may_omit(certainty, sense),
        (Why::TableFull(certainty), _) => return table_full(certainty),
        (Why::Exhausted(Exhausted::States), _) => "the limit on states was reached",
        (Why::Exhausted(Exhausted::Memory), _) => "the limit on memory was reached",
        (Why::Exhausted(Exhausted::Diagrams), _) => DIAGRAMS_FULL,
        (Why::Exhausted(Exhausted::Time), _) => "the limit on time was reached",
        (Why::Exhausted(Exhausted::Interrupted), _) => "interrupted",
        (Why::Exhausted(Exhausted::Refused), _) => REFUSED,
        (Why::RankExhausted { rank, what }, _) => return format!("{}, on rank {rank}", exhausted(*what)),
        (Why::RankLost { rank, said }, _) => {
            let who = rank.map_or("a rank".to_owned(), |rank| format!("rank {rank}"));
            let said = if said.is_empty() { String::new() } else { format!(": {said}") };
            return format!("{who} is gone{said}");
        }
        (Why::Overflowed, _) => "a clock grew past what a zone can hold",
        (Why::Failed(error), _) => return format!("the model fails at run time: {}", error.kind),
        (Why::MayFail(error), _) => {
            return format!("the model may fail at run time, and no run shows it: {}", error.kind);
        }
        (Why::TooMany(error), _) => return format!("there are {}", error.kind),
        (Why::NotReplayed(why), _) => {
            return format!("something was found, but no run that shows it: {why}");
        }
        (Why::NotSupported(why), _) => return why.clone(),
    };
    fixed.to_owned()
}

/// The word for a verdict.
#[must_use]
pub const fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Satisfied => "satisfied",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    }
}

/// The bytes of what is stored, waiting order aside.
pub(crate) fn passed_bytes(stats: &Stats) -> usize {
    stats.memory.total() - stats.memory.waiting
}

impl Finding {
    /// The bytes of what is stored, waiting order aside.
    #[must_use]
    pub fn passed_bytes(&self) -> usize {
        passed_bytes(&self.stats)
    }

    /// The bytes for each stored node.
    #[must_use]
    pub fn bytes_per_node(&self) -> f64 {
        self.passed_bytes() as f64 / self.stats.stored.max(1) as f64
    }

    /// Whether the answer is the one that its author expects; nothing if none is known to be.
    #[must_use]
    pub fn as_expected(&self) -> Option<bool> {
        let expected = self.query.as_ref()?.expected?;
        Some(match expected {
            Expectation::Satisfied => self.verdict == Verdict::Satisfied,
            Expectation::Violated => self.verdict == Verdict::Violated,
            Expectation::Unknown => self.verdict == Verdict::Unknown,
            Expectation::Refused => self.reason == Cause::Refused,
        })
    }
}

impl Report {
    /// The one answer to all queries: violated if any is, else unknown if any is, else satisfied.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let any = |verdict| self.results.iter().any(|result| result.verdict == verdict);
        if any(Verdict::Violated) {
            Verdict::Violated
        } else if any(Verdict::Unknown) {
            Verdict::Unknown
        } else {
            Verdict::Satisfied
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(low: Option<(Value, Known)>, high: Option<(Value, Known)>) -> Option<String> {
        let extreme = |(value, known)| ExtremeSummary { value, known, trace: None };
        MeasureSummary { text: "x".to_owned(), low: low.map(extreme), high: high.map(extreme) }.line()
    }

    #[test]
    fn values_are_written_as_comparisons() {
        let exactly = |value| Some((value, Known::Exactly));
        let both = line(exactly(Value::Attained(-2)), exactly(Value::Approached(5)));
        assert_eq!(both.as_deref(), Some("-2 <= x < 5"));
        assert_eq!(line(None, exactly(Value::Attained(5))).as_deref(), Some("x <= 5"));
        assert_eq!(line(None, exactly(Value::Infinite)).as_deref(), Some("x < infinity"));
        assert_eq!(line(exactly(Value::Approached(3)), None).as_deref(), Some("x > 3"));
        assert_eq!(line(exactly(Value::None), exactly(Value::None)), None);
    }

    #[test]
    fn doubts_are_written_as_such() {
        let so_far = |value| Some((value, Known::SoFar));
        assert_eq!(
            line(so_far(Value::Attained(1)), so_far(Value::Attained(4))).as_deref(),
            Some("the least value of x is at most 1, the greatest value of x is at least 4")
        );
        assert_eq!(
            line(None, so_far(Value::Approached(4))).as_deref(),
            Some("the greatest value of x approaches 4 or is larger")
        );
        let bound = line(None, Some((Value::Attained(4), Known::NotBeyond)));
        assert_eq!(bound.as_deref(), Some("the greatest value of x is at most 4"));
        assert_eq!(line(None, so_far(Value::None)), None);
    }
}
