//! Verdicts, and what comes with them.

use std::time::Duration;

use tourbillon_model::EvalErrorKind;
use tourbillon_search::{Exhausted, Least, Stats};
use tourbillon_store::Certainty;
use tourbillon_system::RuntimeError;

use crate::path::Witness;
use crate::plan::Plan;
use crate::ranks::RankStats;
use crate::reachability::Mixture;
use crate::several::Several;

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// Yes.
    Satisfied,
    /// No.
    Violated,
    /// Neither is certain; why is said with it.
    Unknown,
}

impl Verdict {
    /// The other answer; doubt stays.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Satisfied => Self::Violated,
            Self::Violated => Self::Satisfied,
            Self::Unknown => Self::Unknown,
        }
    }
}

/// Why a verdict is what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A state was found in which it holds, or fails.
    Found,
    /// Everything was visited and no such state found.
    Complete,
    /// Nothing was found, but the passed list may have taken new states for known ones.
    MayOmit(Certainty),
    /// The passed list is full.
    TableFull(Certainty),
    /// Something ran out.
    Exhausted(Exhausted),
    /// Something ran out on one of several ranks.
    RankExhausted {
        /// Which rank.
        rank: usize,
        /// What.
        what: Exhausted,
    },
    /// One of several ranks is gone, and with it what it had stored.
    RankLost {
        /// Which rank, if that is known.
        rank: Option<usize>,
        /// What it said last, if anything.
        said: String,
    },
    /// The model fails at run time.
    Failed(RuntimeError),
    /// The model may fail at run time: it does in an over-approximation, and no run shows it.
    MayFail(RuntimeError),
    /// A state has more transitions than are gone through.
    TooMany(RuntimeError),
    /// A clock grew past what a zone can hold.
    Overflowed,
    /// A state was found, but by an over-approximation, and its run does not replay.
    NotReplayed(String),
    /// This kind of question is not answered.
    NotSupported(String),
}

impl Why {
    /// That a state could not be expanded: the computation was ended from outside, the state has too many transitions, or
    /// the model fails, or may fail if what is explored is an over-approximation.
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

/// The answer to a query, with everything known about it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which query of the model; none for a full exploration.
    pub query: Option<usize>,
    /// The answer.
    pub verdict: Verdict,
    /// Why.
    pub why: Why,
    /// How it was found; nothing if it was not tried.
    pub plan: Option<Plan>,
    /// What it took: counts of the state space that it was found in.
    pub stats: Stats,
    /// The part of each rank of a cluster in that; without those of ranks that are lost.
    pub ranks: Vec<RankStats>,
    /// How long it took.
    pub time: Duration,
    /// Which of several orders found it, and what each of them did, if they were mixed.
    pub mixture: Option<Mixture>,
    /// How many stored nodes an earlier query had left for this one.
    pub reused: u64,
    /// The least time after which it happens, if the fastest run was asked for. A run takes longer if that time
    /// is only approached.
    pub least_time: Option<Least>,
    /// What was measured, for each measure of the query in its order; nothing for other kinds of query.
    pub values: Vec<Measured>,
    /// A run that shows it, if there is one and it was asked for; for a model that fails, the run that leads
    /// there.
    pub witness: Option<Witness>,
    /// Runs along different paths, if several were asked for; the first of them is the one above. Of runs without end
    /// there is that one only, and the runs of values are with these.
    pub several: Option<Several>,
}

impl Answer {
    /// An answer with nothing but a verdict.
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
            reused: 0,
            least_time: None,
            values: Vec::new(),
            witness: None,
            several: None,
        }
    }

    /// That a query is not answered, and why not.
    #[must_use]
    pub fn unsupported(query: Option<usize>, why: String) -> Self {
        Self::new(query, Verdict::Unknown, Why::NotSupported(why))
    }
}

/// What is known of something that was measured.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Measured {
    /// The least value, if it was asked for.
    pub low: Option<Extreme>,
    /// The greatest, likewise.
    pub high: Option<Extreme>,
}

/// The least or the greatest value of something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extreme {
    /// The value.
    pub value: Value,
    /// How much is known of it.
    pub known: Known,
    /// A run whose last state has the value; if it is only approached, one that ends less than 1 away from it; and if
    /// there is no end, one from which it goes on.
    pub witness: Option<Witness>,
}

/// A least or greatest value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// There is none: no state counts.
    None,
    /// Some state has it.
    Attained(i64),
    /// States come as close as one likes, and none has it.
    Approached(i64),
    /// There is no greatest: states have values beyond every number.
    Infinite,
}

/// How much is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    /// It is this.
    Exactly,
    /// It is this of what was visited, and may lie beyond it in what was not.
    SoFar,
    /// It is not beyond this, but may be nearer: an over-approximation has it, and no run shows it.
    NotBeyond,
    /// Neither.
    Nothing,
}
