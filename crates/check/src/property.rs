//! Properties: compiled queries, independent of the query language.
//!
//! [`Property::of`] translates the kinds of queries, and [`Property::requirements`] collects what each needs before a search:
//! formulas to compile, clock constraints to analyse, and the class that the plan depends on. `lib.rs` selects the checker.

use std::borrow::Cow;

use tourbillon_model::{ExprId, Measure, Model, QueryKind};
use tourbillon_system::{Analysis, Polarity, StateFormula, analyse};

use crate::bounds::Bounds;
use crate::liveness::Liveness;
use crate::plan::{PlanRequest, PropertyClass};
use crate::prepare::PrepareError;
use crate::reachability::Reachability;

/// A property of a model.
#[derive(Clone, Debug)]
pub enum Property {
    /// All reachable states are visited and counted.
    Exploration,
    /// `E<> p` and `A[] p`.
    Reachability(Reachability),
    /// The same where `p` contains `deadlock`.
    Deadlock(Reachability),
    /// `E[] p`, `A<> p`, `p --> q`, and acceptance.
    Liveness(Liveness),
    /// `sup`, `inf` and `bounds`.
    Bounds(Bounds),
}

/// What a property needs before it can be checked.
#[derive(Default)]
pub(crate) struct Requirements {
    /// The state formulas to compile, in the order in which the checker expects their predicates.
    pub(crate) formulas: Vec<StateFormula>,
    /// The formulas that compare clocks, with their polarity.
    pub(crate) conditions: Vec<(ExprId, Polarity)>,
    pub(crate) measures: Vec<Measure>,
    pub(crate) class: PropertyClass,
    /// Whether it matters which of symmetric states are reachable: then symmetry must fix the initial state.
    pub(crate) tells_apart: bool,
}

impl Property {
    /// The property of a query; `None` if the query has errors. Additional expressions are added to the model.
    pub(crate) fn of(model: &mut Cow<'_, Model>, query: usize) -> Option<Self> {
        let (kind, frame) = (model.queries[query].kind.clone(), model.queries[query].frame);
        Some(match kind {
            QueryKind::Possibly(p) => Reachability::witness(p, frame).property(model),
            QueryKind::Invariantly(p) => Reachability::counterexample(p, frame).property(model),
            QueryKind::PotentiallyAlways(p) => Self::Liveness(Liveness::always(p, frame)),
            QueryKind::Eventually(p) => Self::Liveness(Liveness::never(p, frame)),
            QueryKind::LeadsTo(p, q) => Self::Liveness(Liveness::never_after(p, q, frame)),
            QueryKind::Recurrently(all) => Self::Liveness(Liveness::accepting(&all, frame)),
            QueryKind::Bounds { condition, measures, lower, upper } => {
                Self::Bounds(Bounds::of(model, query, condition, measures, (lower, upper)))
            }
            QueryKind::Refused => return None,
        })
    }

    pub(crate) fn requirements(&self, model: &Model, plan_request: &PlanRequest) -> Requirements {
        match self {
            Self::Exploration => Requirements::default(),
            Self::Reachability(it) => it.requirements(model, plan_request, false),
            Self::Deadlock(it) => it.requirements(model, plan_request, true),
            Self::Liveness(it) => it.requirements(model, plan_request),
            Self::Bounds(it) => it.requirements(model),
        }
    }

    /// The goal of a reachability property.
    #[must_use]
    pub const fn goal(&self) -> Option<StateFormula> {
        match self {
            Self::Reachability(it) | Self::Deadlock(it) => Some(it.goal),
            Self::Exploration | Self::Liveness(_) | Self::Bounds(_) => None,
        }
    }

    /// Whether it is decided by reachability or exploration: such properties can share a search.
    #[must_use]
    pub const fn is_about_states(&self) -> bool {
        match self {
            Self::Exploration | Self::Reachability(_) | Self::Deadlock(_) => true,
            Self::Liveness(_) | Self::Bounds(_) => false,
        }
    }
}

/// The clock bounds of a model with all its queries together.
///
/// # Errors
/// If a constant exceeds the largest representable one.
pub fn clock_bounds(model: &Model) -> Result<Analysis, PrepareError> {
    let mut model = Cow::Borrowed(model);
    let mut conditions = Vec::new();
    for query in 0..model.queries.len() {
        if let Some(property) = Property::of(&mut model, query) {
            conditions.extend(property.requirements(&model, &PlanRequest::default()).conditions);
        }
    }
    Ok(analyse(&model, &conditions)?)
}
