//! What is asked of a model, how it is answered, and runs that show why.
//!
//! | file | holds |
//! |---|---|
//! | `plan/` | which combination of parts answers a question, whether it is sound, and why it was chosen |
//! | `order.rs` | the orders in which states are visited |
//! | `reachability/` | the reachability checker: `E<>`, `A[]`, full exploration; how far a state is from a goal |
//! | `prepare.rs`, `conclude.rs` | what comes before a search for a state, and after it, whichever engine does it |
//! | `liveness/` | infinite runs: `E[]`, `A<>`, `-->`, acceptance, Zeno runs |
//! | `bounds/` | the checker for `sup`, `inf` and `bounds` |
//! | `path.rs`, `route.rs`, `timing.rs` | from a node to a concrete run, replayed before it is shown |
//! | `several.rs` | not one run but several: different paths to a goal |
//! | `graph.rs` | a small zone graph as a whole, with what covers what |
//! | `census.rs` | what a set of stored states consists of, and the least that it could take |
//! | `tables.rs` | passed lists of a fixed size, as parts of a plan |
//! | `setup.rs` | from a plan to the parts of a search |
//! | `schedule.rs` | from steps without delays to a concrete run |
//! | `lint/` | what looks wrong with a model, whatever is asked of it |
//! | `answer.rs` | verdicts, and what comes with them |

mod answer;
mod bounds;
mod census;
mod conclude;
mod graph;
mod lint;
mod liveness;
mod order;
mod path;
mod plan;
mod polyhedra;
mod prepare;
mod reachability;
mod route;
mod schedule;
mod setup;
mod several;
mod tables;
mod timing;

pub use answer::{Answer, Extreme, Known, Measured, Value, Verdict, Why};
pub use census::{Census, CensusBits, Uncounted, census};
pub use conclude::Outcome;
pub use graph::{ExploredEdge, ExploredGraph, ExploredNode, GraphEnd, explored_graph};
pub use lint::{
    Aspect, BrokenOnEntry, Deadlock, Exploration, Instances, LintFinding, LintResult, MayOverflow, Neglect,
    Neglected, NeverReached, NeverTaken, Obstacle, OneSided, Side, Standstill, ZenoLoop, lint,
};
pub use order::{Order, PositionSource, read_positions};
pub use path::{Witness, broken_at_start};
pub use plan::{
    AXES, Axis, AxisChoice, AxisGroup, AxisInfo, AxisValues, BddRequest, BddSettings, BoundsScope,
    CycleSearch, Engine, Facts, Layout, Named, Plan, PlanRequest, PropertyClass, Reason, Refusal, TraceKind,
    no_such_value, plan,
};
pub use prepare::{Prepared, prepare};
pub use reachability::{FoundBy, Mixture};
pub use reachability::{Job, PrepareError, Progress, check, check_each, may_pay_in_sets, planned};
pub use schedule::{Unscheduled, schedule_actions};
pub use several::{Others, Several};
pub use tables::{HashingRequest, PassedForm};
pub use tourbillon_replay::{ConcreteState, Finish, Fired, Passed, Run, RunStep, Since, walk};
pub use tourbillon_search::{Exhausted, KINDS_MAX as ACCEPTING_MAX, Least, Limits, SetStats, Stats};
pub use tourbillon_store::{
    Certainty, Cover, DiagramConstraints, DiagramForm, DiagramInclusion, DiagramOrder, DiagramSettings,
    DiscreteForm, Memory, TableKind, TableSettings, WhenFull, ZoneForm,
};
pub use tourbillon_system::RuntimeError;
pub use tourbillon_zonegraph::Abstraction;
