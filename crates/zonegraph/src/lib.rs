//! The zone graph of a system: the successor computation, one stage per file.
//!
//! ```text
//!   enumerate ─▶ guard ─▶ update ─▶ invariant ─▶ delay ─▶ reduce ─▶ abstract ─▶ (sink)
//!       │          ▲  │        ▲
//!       └▶ combine ┘  └▶ exclude    only for receivers with clock guards, and only for priorities
//! ```
//!
//! | file | stage |
//! |---|---|
//! | `enumerate.rs` | the transitions that data allows in a discrete state |
//! | `guard.rs` | intersects a zone with the clock guard of a transition |
//! | `combine.rs` | the feasible combinations of receivers with clock guards |
//! | `exclude.rs` | removes the valuations at which a transition of higher priority is enabled |
//! | `update.rs` | the effect of a transition on data and clocks |
//! | `negative.rs` | where an update would assign a negative value to a clock |
//! | `invariant.rs` | intersects a zone with the invariants of a discrete state |
//! | `delay.rs` | whether time can pass, and the delay of a zone |
//! | `reduce.rs` | frees inactive clocks |
//! | `abstraction.rs` | extrapolation, with splitting on diagonals |
//! | `represent.rs` | replaces a state by a representative of those that symmetry exchanges |
//! | `receivers.rs` | omits combinations of receivers that symmetry maps to others |
//! | `location_vector.rs` | attributes of the current locations, gathered once per state |
//! | `graph.rs` | composes the stages |
//! | `avoid.rs` | restricts runs to those along which a predicate never holds |
//! | `deadlock.rs` | the deadlocked part of a symbolic state |
//! | `maximal_runs.rs` | where a maximal run can end: time divergence or deadlock |
//! | `diverge.rs` | whether time can diverge in a discrete state |
//! | `entry.rs` | why a transition is disabled, and which invariants it can violate |
//! | `predicate.rs` | for which valuations of a symbolic state a predicate holds |
//! | `timing.rs` | the constraints of a transition on the moment at which it is taken |
//!
//! The pipeline is that of `[DavidBehrmannLarsenYi2003]`. Nothing is stored here; scratch memory is reused, so that
//! in the steady state no stage allocates (except `combine`, `exclude` and the splitting on diagonals, which few models
//! need).

mod abstraction;
mod avoid;
mod combine;
mod deadlock;
mod delay;
mod diverge;
mod entry;
mod enumerate;
mod exclude;
mod graph;
mod guard;
mod invariant;
mod location_vector;
mod maximal_runs;
mod memo;
mod negative;
mod predicate;
mod receivers;
mod reduce;
mod represent;
#[cfg(test)]
mod testing;
mod timing;
mod update;

pub use abstraction::{Abstraction, Bounds};
pub use avoid::Stay;
pub use diverge::TimeStop;
pub use entry::Hindrance;
pub use enumerate::{Fired, Transition, Transitions};
pub use graph::{Options, Successor, SymbolicState, TICK, Ticks, ZoneGraph};
pub use maximal_runs::Ending;
pub use negative::{Negative, negative_writes};
pub use predicate::{PredicateEvaluator, Satisfaction};
pub use represent::{Applied, Representatives};
pub use timing::Timing;
pub use update::{Write, before as before_writes, clocks as apply_writes, initial_zone};
