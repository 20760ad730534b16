//! Properties of a model, their checkers, and witnesses.
//!
//! ```text
//!   Query ──Property::of──▶ Property ──prepare──▶ Prepared ──Checker::check──▶ Evidence ──conclude──▶ Answer
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `property.rs` | properties: compiled queries |
//! | `prepare.rs`, `setup.rs` | compiled model, clock bounds and plan of each property, made once for all engines |
//! | `plan/`, `order.rs`, `tables.rs` | the plan: options of a search, their soundness, and the reason for each |
//! | `check.rs`, `side_by_side.rs` | from a job to answers, with any engine; searches in different threads |
//! | `reachability/` | the reachability checker: `E<>`, `A[]`, full exploration |
//! | `deadlock/` | the deadlock checker: the same with `deadlock` in the formula |
//! | `liveness/` | the liveness checker: `E[]`, `A<>`, `-->`, acceptance; Zeno runs |
//! | `bounds/` | the checker for `sup`, `inf` and `bounds` |
//! | `lint/` | lint: diagnostics that do not depend on queries |
//! | `conclude.rs`, `answer.rs`, `ranks.rs` | from the evidence of a search to an answer |
//! | `path.rs`, `route.rs`, `timing.rs`, `schedule.rs` | from a path of transitions to a concrete run, replayed before it is shown |
//! | `recheck.rs` | checking again after an edit, from the stored states of an earlier search |
//! | `several.rs` | several runs along different paths to a goal |
//! | `polyhedra/` | a search with polyhedra, where zones over-approximate |
//! | `graph.rs` | a small zone graph as a whole, with subsumption |
//! | `certificate/` | certificates: the stored states from which an answer follows |
//! | `census.rs` | the components of a set of stored states, and an estimate of the bits that encode it |

mod answer;
mod bounds;
mod census;
mod certificate;
mod check;
mod conclude;
mod deadlock;
mod graph;
mod lint;
mod liveness;
mod order;
mod path;
mod plan;
mod polyhedra;
mod prepare;
mod property;
mod ranks;
mod reachability;
mod recheck;
mod route;
mod schedule;
mod setup;
mod several;
mod side_by_side;
mod symmetry;
mod tables;
mod timing;

pub use answer::{Answer, CertifiedAnswer, Extreme, Known, Measured, Value, Verdict, Why};
pub use bounds::Bounds;
pub use census::{Census, CensusBits, CensusError, census};
pub use certificate::{Certificate, CertificateFile, Invariant};
pub use check::{check, check_all, check_each, check_with, limits_left, may_pay_in_sets, planned};
pub use conclude::Evidence;
pub use graph::{ExploredEdge, ExploredGraph, ExploredNode, GraphEnd, explored_graph};
pub use lint::{
    Aspect, BrokenOnEntry, Deadlock, Exploration, Instances, LintFinding, LintResult, MayOverflow,
    MissingUse, NeverReached, NeverTaken, Obstacle, OneSided, Side, Standstill, UnusedVariable, ZenoLoop,
    lint,
};
pub use liveness::Liveness;
pub use order::{Order, PositionSource, read_positions};
pub use path::{Witness, broken_at_start};
pub use plan::{
    AXES, Axis, AxisChoice, AxisGroup, AxisInfo, AxisValues, BddRequest, BddSettings, BoundsScope,
    CycleSearch, Engine, Facts, Layout, Named, Plan, PlanRequest, PropertyClass, Reason, Refusal, RoundUse,
    SymmetryUse, TraceKind, no_such_value, plan,
};
pub use prepare::{Job, PrepareError, Prepared, prepare};
pub use property::{Property, clock_bounds};
pub use ranks::{Moved, RankStats, Traffic};
pub use reachability::{FoundBy, Mixture, Reachability};
pub use recheck::{Candidates, Rechecked};
pub use schedule::{ScheduleError, schedule_actions};
pub use several::{Others, Several};
pub use tables::{HashingRequest, PassedForm};
pub use tourbillon_replay::{ConcreteState, Finish, Fired, ReplayEvent, Run, RunStep, Since, walk};
pub use tourbillon_search::{
    ACCEPTANCE_SETS_MAX, Budget, Committed, Exhausted, Least, Limits, RoundSizes, RoundTimes, SetStats, Stats,
};
pub use tourbillon_store::{
    Certainty, Cover, DiagramConstraints, DiagramForm, DiagramInclusion, DiagramOrder, DiagramSettings,
    DiscreteForm, Memory, TableKind, TableSettings, WhenFull, ZoneForm,
};
pub use tourbillon_system::RuntimeError;
pub use tourbillon_zonegraph::Abstraction;

/// An engine that checks properties.
pub trait Checker {
    /// Whether two properties with the same clock bounds can be checked with one search.
    fn shares_search(&self, _one: &Prepared<'_>, _other: &Prepared<'_>) -> bool {
        false
    }

    /// Another checker for other properties, in another thread; `None` if this one checks one search after the other.
    fn fork(&self) -> Option<Box<dyn Checker + Send>> {
        None
    }

    /// Checks properties that share a search, and passes each answer to `answered` as soon as it is known.
    ///
    /// # Errors
    /// If the engine refuses them.
    fn check(
        &mut self,
        group: &[Prepared<'_>],
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError>;
}

/// The engine that explores the zone graph, one symbolic state at a time.
#[derive(Clone, Copy, Debug)]
pub struct ZoneChecker;

impl Checker for ZoneChecker {
    fn shares_search(&self, one: &Prepared<'_>, other: &Prepared<'_>) -> bool {
        let class = |prepared: &Prepared<'_>| {
            let PropertyClass { deadlock, placed, .. } = prepared.facts().property_class;
            (prepared.property().is_about_states(), deadlock, placed)
        };
        one.property().is_about_states() && class(one) == class(other)
    }

    fn fork(&self) -> Option<Box<dyn Checker + Send>> {
        Some(Box::new(*self))
    }

    fn check(
        &mut self,
        group: &[Prepared<'_>],
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError> {
        let Some(first) = group.first() else { return Ok(()) };
        match first.property() {
            Property::Exploration | Property::Reachability(_) => {
                reachability::check(group, budget, observe, answered)?;
            }
            Property::Deadlock(_) => deadlock::check(group, budget, observe, answered)?,
            Property::Liveness(it) => answered(liveness::check(first, it, budget, observe)),
            Property::Bounds(it) => answered(bounds::check(first, it, budget, observe)?),
        }
        Ok(())
    }
}

/// The progress of a check.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The index of the query that is checked.
    pub query: Option<usize>,
    /// The statistics of its search, including earlier queries of the same search.
    pub stats: Stats,
}
