//! Answers: verdicts with reasons, statistics and runs.

use std::time::Duration;

use tourbillon_model::EvalErrorKind;
use tourbillon_search::{Exhausted, Least, RoundTimes, Stats};
use tourbillon_store::Certainty;
use tourbillon_system::RuntimeError;

use crate::certificate::Certificate;
use crate::path::Witness;
use crate::plan::Plan;
use crate::ranks::RankStats;
use crate::reachability::Mixture;
use crate::recheck::Rechecked;
use crate::several::Several;

/// The verdict on a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    Satisfied,
    Violated,
    /// Undecided, for the reason in [`Why`].
    Unknown,
}

impl Verdict {
    /// Exchanges satisfied and violated.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Satisfied => Self::Violated,
            Self::Violated => Self::Satisfied,
            Self::Unknown => Self::Unknown,
        }
    }
}

/// The reason for a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A state or run was found that decides the property.
    Found,
    /// The search is complete and found none.
    Complete,
    /// The search found none, but the probabilistic passed list may have omitted states.
    MayOmit(Certainty),
    /// The table of the passed list is full.
    TableFull(Certainty),
    /// A limit was reached.
    Exhausted(Exhausted),
    /// A limit was reached on one of several ranks.
    RankExhausted { rank: usize, what: Exhausted },
    /// One of several ranks failed, and its stored states are lost.
    RankLost {
        /// The rank, if it is known.
        rank: Option<usize>,
        /// Its last message, or empty.
        said: String,
    },
    /// The model fails at run time.
    Failed(RuntimeError),
    /// The model may fail at run time: it does in an over-approximation, and no run confirms it.
    MayFail(RuntimeError),
    /// A state has more transitions than the maximum.
    TooMany(RuntimeError),
    /// A bound of a zone exceeded the largest representable constant.
    Overflowed,
    /// An over-approximation found a state, and no run to it replays.
    NotReplayed(String),
    /// The checker of certificates does not accept the answer.
    NotCertified(String),
    /// The property is not supported.
    NotSupported(String),
}

impl Why {
    /// The reason that a state could not be expanded: the computation was cancelled, the state has too many
    /// transitions, or the model fails, or may fail in an over-approximation.
    pub(crate) fn of_error(error: RuntimeError, over_approximates: bool) -> Self {
        if let Some(what) = Exhausted::of_cancelled(&error) {
            return Self::Exhausted(what);
        }
        match error.kind {
            EvalErrorKind::TooMany(..) => Self::TooMany(error),
            _ if over_approximates => Self::MayFail(error),
            _ => Self::Failed(error),
        }
    }
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The index of the query; `None` for a full exploration.
    pub query: Option<usize>,
    pub verdict: Verdict,
    pub why: Why,
    /// `None` if the property was not checked.
    pub plan: Option<Plan>,
    /// The statistics of the search.
    pub stats: Stats,
    /// The statistics of each rank of a cluster that is not lost.
    pub ranks: Vec<RankStats>,
    pub time: Duration,
    /// The work of mixed orders.
    pub mixture: Option<Mixture>,
    /// The rounds of the search, if it had any, and what their phases took.
    pub rounds: Option<RoundTimes>,
    /// The SHA-256 of the certificate of an earlier answer, if the model is unchanged since and nothing was searched.
    pub cached: Option<String>,
    /// What was reused of an earlier search of another version of the model.
    pub rechecked: Option<Rechecked>,
    /// The number of stored nodes of earlier queries that this one reused.
    pub reused: u64,
    /// The infimum of the time of the goal, if the fastest run is requested. A run takes longer if it is not attained.
    pub least_time: Option<Least>,
    /// The values of `sup`, `inf` and `bounds`, in the order of the measures.
    pub values: Vec<Measured>,
    /// The witness or counterexample, if traces are requested; for a model that fails, a run to the failure.
    pub witness: Option<Witness>,
    /// Runs along different paths, if several are requested; the first of them is `witness`. Liveness properties have
    /// only one, and values have their own.
    pub several: Option<Several>,
    /// The certificate of an answer by exhaustion, if it is requested and the plan has one.
    pub certificate: Option<Certificate>,
    /// What the checker of certificates says, if it was asked and accepts the answer.
    pub certified: Option<CertifiedAnswer>,
}

/// That the checker of certificates accepts an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CertifiedAnswer {
    pub report: tourbillon_certify::Report,
    /// The bytes of the certificate.
    pub bytes: usize,
    pub time: Duration,
}

impl Answer {
    /// An answer without statistics, plan and runs.
    #[must_use]
    pub fn new(query: Option<usize>, verdict: Verdict, why: Why) -> Self {
        Self {
            query,
            verdict,
            why,
            plan: None,
            stats: Stats::default(),
            ranks: Vec::new(),
            time: Duration::ZERO,
            mixture: None,
            rounds: None,
            cached: None,
            rechecked: None,
            reused: 0,
            least_time: None,
            values: Vec::new(),
            witness: None,
            several: None,
            certificate: None,
            certified: None,
        }
    }

    /// Makes the verdict unknown because the checker of certificates does not accept it.
    pub fn make_uncertified(&mut self, why: String) {
        (self.verdict, self.why, self.certificate) = (Verdict::Unknown, Why::NotCertified(why), None);
    }

    /// The answer that a query is not supported.
    #[must_use]
    pub fn unsupported(query: Option<usize>, why: String) -> Self {
        Self::new(query, Verdict::Unknown, Why::NotSupported(why))
    }
}

/// The values of one measure.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Measured {
    /// The infimum, if it is requested.
    pub low: Option<Extreme>,
    /// The supremum, if it is requested.
    pub high: Option<Extreme>,
}

/// The infimum or supremum of a measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extreme {
    pub value: Value,
    pub known: Known,
    /// A run whose last state has the value; if it is approached, one that ends less than 1 away from it; and if it is
    /// infinite, one to a state from which the measure grows without bound.
    pub witness: Option<Witness>,
}

/// The value of an infimum or supremum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// No state satisfies the condition.
    None,
    /// Some state has the value.
    Attained(i64),
    /// The limit of values of states, none of which has it.
    Approached(i64),
    /// The measure is unbounded.
    Infinite,
}

/// The exactness of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    Exactly,
    /// Exact for the visited states; unvisited ones may exceed it.
    SoFar,
    /// A bound of an over-approximation, which no run confirms.
    NotBeyond,
    /// Neither exact nor a bound.
    Nothing,
}
