//! The explore loop over a zone graph and a passed/waiting list.
//!
//! | file | holds |
//! |---|---|
//! | `explore.rs` | the explore loop |
//! | `expander.rs` | the successors of a node, for an observer and a list |
//! | `rounds.rs`, `team.rs`, `shares.rs` | the explore loop with several threads |
//! | `observer.rs` | the interface of its users, the observers |
//! | `goal.rs` | the observer for reachability |
//! | `transient.rs` | states that are followed at once and not stored |
//! | `cost_function.rs`, `sweep.rs` | the costs by which search orders select the next state |
//! | `mixed.rs`, `random_walks.rs` | two search orders in alternation, with random walks |
//! | `alternate.rs` | two explorations in alternation |
//! | `cycle.rs` | cycle detection: acceptance, and the part that its algorithms share |
//! | `nested.rs` | cycle detection by nested depth-first search |
//! | `components.rs`, `tarjan.rs` | cycle detection by strongly connected components |
//! | `budget.rs` | limits on time, memory and states, and interruption |
//! | `stats.rs` | the statistics of every search |
//!
//! The zone graph knows nothing of storage and the list nothing of automata: they meet here.

mod alternate;
mod budget;
mod components;
mod cost_function;
mod cycle;
mod expander;
mod explore;
mod goal;
mod mixed;
mod nested;
mod observer;
mod random_walks;
mod rounds;
mod shares;
mod stats;
mod sweep;
mod tarjan;
mod team;
#[cfg(test)]
mod tests;
mod transient;

pub use alternate::{Alternate, alternate};
pub use budget::{Budget, BudgetShare, Exhausted, Limits, MemoryLedger, Meter};
pub use components::Components;
pub use cost_function::{CostFunction, Distance};
pub use cycle::{ACCEPTANCE_SETS_MAX, Acceptance, CycleDetection, CycleSearchResult, RunCondition, Start};
pub use explore::{Ended, Failure, Least, Search, steps_to};
pub use mixed::{Mixed, Strategy, StrategyCounts};
pub use nested::Nested;
pub use observer::{Expansion, Observer, Visit};
pub use rounds::{RoundObserver, RoundSizes, RoundTimes, Rounds};
pub use stats::{SetStats, Stats};
pub use sweep::Sweep;
pub use transient::Committed;
