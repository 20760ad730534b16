//! The report of a check as plain data: for each query a verdict, its reason, statistics, and a run.
//!
//! A report does not refer to the model or to the engine's data structures, so it can outlive both. Callers choose its
//! presentation; `report_json.rs` has the JSON form.

use std::time::Duration;

use tourbillon_base::Diagnostics;
use tourbillon_check::{
    Certificate, CertifiedAnswer, Exhausted, Known, Least, Mixture, Others, Plan, RankStats, Rechecked,
    RoundTimes, Stats, Value, Verdict, Why,
};
use tourbillon_model::{Expectation, Model, QueryKind};

use crate::certainty::{may_omit, table_full};
use crate::codes;
use crate::trace::Trace;

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Report {
    pub model: ModelSummary,
    /// The plan of the first query; an answer has a plan of its own if it differs.
    pub plan: Option<Plan>,
    /// One answer for each query, in their order.
    pub results: Vec<AnswerSummary>,
    /// Run-time errors of the model.
    pub diagnostics: Diagnostics,
    /// The peak resident memory of the process; the caller sets it.
    pub peak_rss_bytes: Option<u64>,
}

/// The name and size of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelSummary {
    pub name: String,
    pub processes: usize,
    pub clocks: usize,
    /// The number of variables that are part of states.
    pub variables: usize,
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub struct AnswerSummary {
    /// The query; `None` for a full exploration.
    pub query: Option<QuerySummary>,
    pub verdict: Verdict,
    /// The cause of the verdict, as a fixed word for programs.
    pub reason: Cause,
    /// The cause, in a sentence without a full stop.
    pub why: String,
    /// The plan; `None` if there was no search.
    pub plan: Option<Plan>,
    /// The statistics of the search.
    pub stats: Stats,
    /// The statistics of each rank of a distributed search, except lost ones.
    pub ranks: Vec<RankStats>,
    pub time: Duration,
    /// The alternating orders of a mixed search, their shares, and which one found the witness.
    pub mixture: Option<Mixture>,
    /// The rounds of the search, if it had any, and what their phases took.
    pub rounds: Option<RoundTimes>,
    /// The SHA-256 of the certificate of an earlier answer, if the model is unchanged since and nothing was searched.
    pub cached: Option<String>,
    /// What was reused of an earlier search of another version of the model.
    pub rechecked: Option<Rechecked>,
    /// The number of stored nodes of an earlier query that were reused.
    pub reused: u64,
    /// The minimal time to the goal, for `--trace fastest`.
    pub least_time: Option<Least>,
    /// The values of `sup`, `inf` and `bounds`.
    pub values: Vec<MeasureSummary>,
    /// A witness or counterexample.
    pub trace: Option<Trace>,
    /// Runs along different paths, if several were requested; the first is `trace`. For infinite runs it has only that
    /// one; the runs of values are with the values.
    pub several: Option<SeveralSummary>,
    /// The certificate of an answer by exhaustion, if it was requested.
    pub certificate: Option<Certificate>,
    /// What the checker of certificates says, if it was asked and accepts the answer.
    pub certified: Option<CertifiedAnswer>,
}

/// Runs along different paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeveralSummary {
    /// The runs, those with fewer steps first; empty if runs are passed on one by one.
    pub traces: Vec<Trace>,
    /// The number of runs.
    pub count: usize,
    /// Whether there are further runs.
    pub others: Others,
}

impl SeveralSummary {
    /// Whether there are further runs, as a fixed word for programs.
    #[must_use]
    pub const fn others_word(&self) -> &'static str {
        match self.others {
            Others::None => "none",
            Others::NotSearched => "not-looked-for",
            Others::Exhausted(_) | Others::Failed | Others::Overflowed => "not-known",
            Others::OnlyOne => "not-supported",
        }
    }

    /// The number of runs, and whether there are further ones, in a sentence without a full stop.
    #[must_use]
    pub fn sentence(&self) -> String {
        let why = match self.others {
            Others::None => "there are no further runs",
            Others::NotSearched => "further runs were not searched for",
            Others::OnlyOne if self.count == 0 => {
                return "1 run for each value; further runs are not supported for values".to_owned();
            }
            Others::OnlyOne => "further infinite runs are not supported",
            Others::Exhausted(what) => return self.with_doubt(exhausted(what)),
            Others::Failed => return self.with_doubt("the model fails at run time"),
            Others::Overflowed => return self.with_doubt("a clock bound exceeded the range of zones"),
        };
        format!("{}; {why}", self.count())
    }

    fn with_doubt(&self, why: &str) -> String {
        format!("{}; there may be further runs, since {why}", self.count())
    }

    fn count(&self) -> String {
        match self.count {
            1 => "1 run".to_owned(),
            count => format!("{count} runs along different paths"),
        }
    }
}

const REFUSED: &str = "the operating system refused to allocate memory";
const DIAGRAMS_FULL: &str = "the BDDs need more memory than --bdd-memory allows";

/// The exhausted limit, in a sentence.
pub(crate) const fn exhausted(what: Exhausted) -> &'static str {
    match what {
        Exhausted::States => "the state limit was reached",
        Exhausted::Memory => "the memory limit was reached",
        Exhausted::Diagrams => DIAGRAMS_FULL,
        Exhausted::Time => "the time limit was reached",
        Exhausted::Interrupted => "the search was interrupted",
        Exhausted::Refused => REFUSED,
    }
}

/// The values of a measured expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasureSummary {
    pub text: String,
    /// The least value, if it was requested.
    pub low: Option<ExtremeSummary>,
    /// The greatest value, if it was requested.
    pub high: Option<ExtremeSummary>,
}

/// A least or greatest value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtremeSummary {
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub known: Known,
    /// A run that attains or approaches the value, or after which it grows without bound: see its purpose.
    pub trace: Option<Trace>,
}

impl MeasureSummary {
    /// The range of values in a line, such as `0 <= x < 5`; `None` if there is no value.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let certain = |extreme: &ExtremeSummary| extreme.known == Known::Exactly;
        if !self.low.iter().chain(&self.high).all(certain) {
            return self.bounds_line();
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

    /// The bounds of values that are not exact.
    fn bounds_line(&self) -> Option<String> {
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
    /// The index of the query in the model.
    pub number: usize,
    /// The text as it was written.
    pub text: String,
    /// The comment in the model.
    pub comment: String,
    /// The expected verdict, if the model has one.
    pub expected: Option<Expectation>,
    pub sense: Sense,
    /// The source position: an element of an XML file, a line, or the command line.
    pub place: String,
}

/// The kind of a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sense {
    /// `E<>`: a reachable state satisfies the predicate.
    Possibly,
    /// `A[]`: all reachable states satisfy the predicate.
    Invariantly,
    /// `E[]`: the predicate holds along some maximal run.
    PotentiallyAlways,
    /// `A<>`: the predicate holds eventually on all maximal runs.
    Eventually,
    /// `-->`: on all maximal runs, the right side follows the left side.
    LeadsTo,
    /// `--accepting`: Büchi acceptance.
    Recurrently,
    /// `sup`, `inf` and `bounds`: extreme values.
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

    /// Whether a found run is a counterexample.
    #[must_use]
    pub const fn is_universal(self) -> bool {
        matches!(self, Self::Invariantly | Self::Eventually | Self::LeadsTo)
    }
}

/// The cause of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// A witness or counterexample was found.
    Found,
    /// The state space was explored completely.
    Complete,
    /// Nothing was found, but a probabilistic passed list may have omitted states.
    MayOmit,
    /// The passed list was full.
    TableFull,
    /// The state limit was reached.
    StateLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// The time limit was reached.
    TimeLimit,
    /// The search was interrupted.
    Interrupted,
    /// The operating system refused to allocate memory.
    MemoryRefused,
    /// A rank of the cluster was lost.
    RankLost,
    /// The model fails at run time.
    ModelFails,
    /// The model may fail at run time; no run confirms it.
    ModelMayFail,
    /// A state has too many transitions.
    TooManyTransitions,
    /// A clock bound exceeded the range of zones.
    ClockOverflow,
    /// The over-approximation reaches a state that no replayed run confirms.
    NotReplayed,
    /// The checker of certificates does not accept the answer.
    NotCertified,
    /// The query is not supported.
    NotSupported,
    /// The query has errors.
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
            Self::NotCertified => "not-certified",
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
            Why::NotCertified(_) => Self::NotCertified,
            Why::NotSupported(_) => Self::NotSupported,
        }
    }
}

/// The cause of a verdict, in a sentence with the names of the model.
pub(crate) fn sentence_of(model: &Model, why: &Why, sense: Option<Sense>) -> String {
    match why {
        Why::Failed(error) => {
            let option = codes::remedy(error.kind).map_or("", |_| " (see --overflow)");
            format!("the model fails at run time: {}{option}", error.kind.explain(model))
        }
        Why::MayFail(error) => {
            format!("the model may fail at run time, but no run confirms it: {}", error.kind.explain(model))
        }
        _ => sentence(why, sense),
    }
}

/// The cause of a verdict, in a sentence.
pub(crate) fn sentence(why: &Why, sense: Option<Sense>) -> String {
    let fixed = match (why, sense) {
        (Why::Found, Some(Sense::Invariantly)) => "a reachable state violates the predicate",
        (Why::Found, Some(Sense::PotentiallyAlways)) => {
            "the predicate holds in all states of some maximal run"
        }
        (Why::Found, Some(Sense::Eventually)) => "the predicate never holds on some maximal run",
        (Why::Found, Some(Sense::LeadsTo)) => {
            "on some maximal run, the right side of `-->` does not follow the left side"
        }
        (Why::Found, Some(Sense::Recurrently)) => "there is an accepting run",
        (Why::Found, _) => "a reachable state satisfies the predicate",
        (Why::Complete, Some(Sense::Invariantly)) => "all reachable states satisfy the predicate",
        (Why::Complete, Some(Sense::PotentiallyAlways)) => {
            "no maximal run satisfies the predicate in all its states"
        }
        (Why::Complete, Some(Sense::Eventually)) => "the predicate holds eventually on every maximal run",
        (Why::Complete, Some(Sense::LeadsTo)) => {
            "on every maximal run, the right side of `-->` follows the left side"
        }
        (Why::Complete, Some(Sense::Recurrently)) => "there is no accepting run",
        (Why::Complete, Some(Sense::Extremes)) => {
            "the values cover all reachable states that satisfy the condition"
        }
        (Why::Complete, Some(_)) => "no reachable state satisfies the predicate",
        (Why::Complete, None) => "all reachable states were visited",
        (Why::MayOmit(certainty), _) => return may_omit(certainty, sense),
        (Why::TableFull(certainty), _) => return table_full(certainty),
        (Why::Exhausted(Exhausted::States), _) => "the state limit was reached",
        (Why::Exhausted(Exhausted::Memory), _) => "the memory limit was reached",
        (Why::Exhausted(Exhausted::Diagrams), _) => DIAGRAMS_FULL,
        (Why::Exhausted(Exhausted::Time), _) => "the time limit was reached",
        (Why::Exhausted(Exhausted::Interrupted), _) => "interrupted",
        (Why::Exhausted(Exhausted::Refused), _) => REFUSED,
        (Why::RankExhausted { rank, what }, _) => return format!("{}, on rank {rank}", exhausted(*what)),
        (Why::RankLost { rank, said }, _) => {
            let who = rank.map_or("a rank".to_owned(), |rank| format!("rank {rank}"));
            let said = if said.is_empty() { String::new() } else { format!(": {said}") };
            return format!("{who} was lost{said}");
        }
        (Why::Overflowed, _) => "a clock bound exceeded the range of zones",
        (Why::Failed(error), _) => return format!("the model fails at run time: {}", error.kind),
        (Why::MayFail(error), _) => {
            return format!("the model may fail at run time, but no run confirms it: {}", error.kind);
        }
        (Why::TooMany(error), _) => return format!("there are {}", error.kind),
        (Why::NotReplayed(why), _) => {
            return format!("a trace was found, but no run confirms it: {why}");
        }
        (Why::NotCertified(why), _) => {
            return format!(
                "the search ended, but the checker of certificates does not accept its answer: {why}"
            );
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

/// The bytes of the stored nodes, without the waiting list.
pub(crate) fn passed_bytes(stats: &Stats) -> usize {
    stats.memory.total() - stats.memory.waiting
}

impl AnswerSummary {
    /// The bytes of the stored nodes, without the waiting list.
    #[must_use]
    pub fn passed_bytes(&self) -> usize {
        passed_bytes(&self.stats)
    }

    /// The average number of bytes of a stored node.
    #[must_use]
    pub fn bytes_per_node(&self) -> f64 {
        self.passed_bytes() as f64 / self.stats.stored.max(1) as f64
    }

    /// Whether the verdict is the expected one; `None` if no verdict is expected.
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
    /// The verdict of all queries: violated if any is, else unknown if any is, else satisfied.
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
