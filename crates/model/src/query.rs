//! Queries.

use tourbillon_base::Span;

use crate::ExprId;
use crate::expr::ClockPlace;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// As it was written.
    pub text: String,
    /// What was written about it.
    pub comment: String,
    pub kind: QueryKind,
    /// How many local cells its expressions need.
    pub frame: u32,
    /// The answer that its author expects.
    pub expected: Option<Expectation>,
    /// Where it was written.
    pub span: Span,
}

/// What a query asks. Predicates are expressions that change nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueryKind {
    /// `E<> p`: can `p` happen?
    Possibly(ExprId),
    /// `A[] p`: does `p` hold always?
    Invariantly(ExprId),
    /// `E[] p`: is there a maximal run along which `p` holds?
    PotentiallyAlways(ExprId),
    /// `A<> p`: does `p` happen on every maximal run?
    Eventually(ExprId),
    /// `p --> q`: does `q` follow whenever `p` happens?
    LeadsTo(ExprId, ExprId),
    /// Is there a run with infinitely many steps along which each of these, which compare no clocks, holds again and
    /// again?
    Recurrently(Vec<ExprId>),
    /// `sup`, `inf`, `bounds`: between which values are these, in the states where the condition holds?
    Bounds {
        /// Which states count; all if there is none.
        condition: Option<ExprId>,
        measures: Vec<Measure>,
        /// Whether the least is asked for.
        lower: bool,
        /// Whether the greatest is asked for.
        upper: bool,
    },
    /// Not answered: why not was reported.
    Refused,
}

impl QueryKind {
    /// Its expressions, those of its measures included.
    #[must_use]
    pub fn exprs(&self) -> Vec<ExprId> {
        match self {
            Self::Possibly(p) | Self::Invariantly(p) | Self::PotentiallyAlways(p) | Self::Eventually(p) => {
                vec![*p]
            }
            Self::LeadsTo(p, q) => vec![*p, *q],
            Self::Recurrently(all) => all.clone(),
            Self::Bounds { condition, measures, .. } => {
                let measured = measures.iter().filter_map(|measure| match measure {
                    Measure::Data(expr) => Some(*expr),
                    Measure::Clock(_, offset) => *offset,
                });
                condition.iter().copied().chain(measured).collect()
            }
            Self::Refused => Vec::new(),
        }
    }

    /// The clocks that it measures.
    #[must_use]
    pub fn clocks(&self) -> Vec<&ClockPlace> {
        let Self::Bounds { measures, .. } = self else { return Vec::new() };
        let clocks = measures.iter().filter_map(|measure| match measure {
            Measure::Clock(place, _) => Some(place),
            Measure::Data(_) => None,
        });
        clocks.collect()
    }
}

/// What can be measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The value of an expression on data.
    Data(ExprId),
    /// The value of a clock, plus that of an expression if there is one.
    Clock(ClockPlace, Option<ExprId>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expectation {
    Satisfied,
    Violated,
    Unknown,
    /// That it is refused.
    Refused,
}
