//! The zone graph of a system: the successor pipeline, one stage a file.
//!
//! ```text
//!   enumerate ─▶ guard ─▶ update ─▶ invariant ─▶ delay ─▶ reduce ─▶ abstract ─▶ (sink)
//!       │          ▲  │        ▲
//!       └▶ combine ┘  └▶ exclude    only with receivers with clock guards, and only with priorities
//! ```
//!
//! | file | stage |
//! |---|---|
//! | `enumerate.rs` | the transitions that data allows in a discrete state |
//! | `guard.rs` | cuts a zone down to where clocks allow a transition |
//! | `combine.rs` | which combinations of receivers with clock guards a zone admits |
//! | `exclude.rs` | takes away where a transition of higher priority would be enabled |
//! | `update.rs` | what a transition does to data and clocks |
//! | `negative.rs` | where it would assign a negative value to a clock |
//! | `invariant.rs` | cuts a zone down to the invariants of a discrete state |
//! | `delay.rs` | whether time can pass, and lets it |
//! | `reduce.rs` | forgets clocks about which nothing is asked any more |
//! | `abstraction.rs` | extrapolates, splitting on diagonals where the model has them |
//! | `situation.rs` | what the locations of a state amount to, gathered once for all stages |
//! | `graph.rs` | puts the stages together |
//! | `avoid.rs` | keeps runs away from a predicate, during delays too |
//! | `deadlock.rs` | where in a symbolic state no step is possible any more |
//! | `maximal.rs` | where a run can end: waiting for ever, or stuck |
//! | `diverge.rs` | whether time can pass for ever in a discrete state |
//! | `entry.rs` | what keeps a transition from being taken, and which invariants it can break |
//! | `predicate.rs` | what holds somewhere in a symbolic state |
//! | `timing.rs` | what a step asks of the moment at which it is taken |
//!
//! The pipeline is that of `[DavidBehrmannLarsenYi2003]`. Nothing is stored here; scratch memory is reused, so that
//! in the steady state no stage allocates (but for `combine`, `exclude` and the splitting on diagonals, which few models
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
mod maximal;
mod negative;
mod predicate;
mod reduce;
mod situation;
mod timing;
mod update;

pub use abstraction::{Abstraction, Bounds};
pub use avoid::Stay;
pub use diverge::TimeStop;
pub use entry::Hindrance;
pub use enumerate::{Fired, Transition, Transitions};
pub use graph::{Options, Successor, SymbolicState, TICK, Ticks, ZoneGraph};
pub use maximal::Ending;
pub use negative::{Negative, negative_writes};
pub use predicate::{PredicateEvaluator, Satisfaction};
pub use timing::Timing;
pub use update::{Write, before as before_writes, clocks as apply_writes, initial_zone};
