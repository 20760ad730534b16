//! Queries, and files of them.
//!
//! Whether a predicate may stand under its quantifier (`deadlock` under `A<>`, a clock under `sup`) is not a
//! matter of syntax. What cannot be answered by symbolic analysis is kept with the [`Feature`] that it needs, so
//! that refusing it can name the feature.

use std::fmt;

use tourbillon_base::Span;

use super::{ExprId, Name, Symbol};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    pub kind: QueryKind,
    /// The strategy under which it is asked: `… under S`.
    pub under: Option<Name>,
    pub span: Span,
}

/// What a query asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueryKind {
    /// Text that could not be understood; an error was reported.
    Error,
    /// Nothing: a heading in a list of queries.
    Empty,
    /// `A[] p`, `E<> p`, `E[] p`, `A<> p`.
    Path {
        /// Which paths, which states.
        quantifier: PathQuantifier,
        predicate: ExprId,
    },
    /// `p --> q`.
    LeadsTo { from: ExprId, to: ExprId },
    /// `sup: e`, `inf{p}: e, f`, `bounds: e`.
    Extremum {
        op: ExtremumOp,
        /// The states that count.
        condition: Option<ExprId>,
        exprs: Vec<ExprId>,
    },
    /// `strategy S = query`: names the strategy that the query yields.
    Strategy { name: Name, query: Box<Query> },
    /// A statistical, game or learning query: recognised, its inside not examined.
    Special {
        feature: Feature,
        /// Its words, separated by single spaces, without a trailing `under S`.
        text: Symbol,
    },
}

/// A path quantifier with its state quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathQuantifier {
    /// `A[]`: in all states.
    AllAlways,
    /// `E<>`: in some state.
    ExistsEventually,
    /// `E[]`: in all states of some maximal path.
    ExistsAlways,
    /// `A<>`: in some state of every path.
    AllEventually,
}

impl PathQuantifier {
    /// How it is written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::AllAlways => "A[]",
            Self::ExistsEventually => "E<>",
            Self::ExistsAlways => "E[]",
            Self::AllEventually => "A<>",
        }
    }
}

/// Which bound of a set of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExtremumOp {
    /// `sup`: the least upper bound.
    Supremum,
    /// `inf`: the greatest lower bound.
    Infimum,
    /// `bounds`: both.
    Bounds,
}

impl ExtremumOp {
    /// How it is written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Supremum => "sup",
            Self::Infimum => "inf",
            Self::Bounds => "bounds",
        }
    }
}

/// What a query needs that symbolic analysis does not offer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Feature {
    /// `Pr[<=T](<> p)`: the probability of an event.
    Probability,
    /// `E[<=T](max: e)`: an expected value.
    ExpectedValue,
    /// `simulate [<=T] { e }`: random runs.
    Simulation,
    /// `control: A[] p`: a winning strategy of a timed game.
    Game,
    /// `{ e } control: …`: one with partial observation.
    PartialObservationGame,
    /// `control_t*(u, g): …`: one that wins in the least time.
    TimeOptimalGame,
    /// `E<> control: …`: one whose opponent helps.
    CooperativeGame,
    /// `minE`, `maxE`, `minPr`, `maxPr`: a learnt strategy.
    Learning,
    /// `imitate …`: a strategy learnt from another.
    Imitation,
    /// `saveStrategy("f", S)`.
    SaveStrategy,
    /// `loadStrategy {…} -> {…} ("f")`.
    LoadStrategy,
    /// `sat: S`: a scenario of a live sequence chart.
    Scenario,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Probability => "probabilities",
            Self::ExpectedValue => "expected values",
            Self::Simulation => "simulation",
            Self::Game => "timed games",
            Self::PartialObservationGame => "timed games with partial observation",
            Self::TimeOptimalGame => "time-optimal timed games",
            Self::CooperativeGame => "cooperative timed games",
            Self::Learning => "strategy learning",
            Self::Imitation => "strategy imitation",
            Self::SaveStrategy => "saving strategies",
            Self::LoadStrategy => "loading strategies",
            Self::Scenario => "scenarios",
        })
    }
}

/// A `.q` file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct QueryFile {
    /// Its queries, in order.
    pub entries: Vec<QueryEntry>,
    /// Comments after the last query.
    pub trailing: Vec<Comment>,
}

/// A query of a file with what was written about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryEntry {
    /// The comments since the query before it, and any on its own lines.
    pub comments: Vec<Comment>,
    /// What is expected of it.
    pub expect: Option<Expectation>,
    pub query: Query,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its text, with its marks and without white space around them.
    pub text: Symbol,
    pub span: Span,
}

/// What is expected of a query: `EXPECT:T,10s,50MB`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expectation {
    pub outcome: Option<ExpectedOutcome>,
    /// The time it takes, in milliseconds.
    pub time_ms: Option<f64>,
    /// The memory it takes, in bytes.
    pub memory_bytes: Option<f64>,
    /// Where it is written.
    pub span: Span,
}

/// An expectation compares as its numbers do; these are never NaN.
impl Eq for Expectation {}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ExpectedOutcome {
    True,
    False,
    /// Perhaps satisfied: an over-approximation.
    MaybeTrue,
    /// Perhaps not satisfied: an under-approximation.
    MaybeFalse,
    Error,
    Value(f64),
}
