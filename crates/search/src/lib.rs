//! The explore loop over a zone graph and a passed/waiting list.
//!
//! | file | holds |
//! |---|---|
//! | `explore.rs` | the loop |
//! | `cost_function.rs`, `sweep.rs` | which state to visit next, where that is told by the state |
//! | `mixed.rs`, `descents.rs` | two orders in turns, with random descents between |
//! | `nested.rs` | depth first, and again from accepting states: runs that go on for ever |
//! | `components.rs`, `tarjan.rs` | the same, by strongly connected components |
//! | `survey.rs` | the same without a goal, for those who want to see every node and transition |
//! | `watch.rs` | the same, for somebody who looks at every state as it is stored and may add to it |
//! | `offered.rs` | a successor as it is offered to a list |
//! | `budget.rs` | when to stop before the end: limits and a wish to stop |
//! | `stats.rs` | what every search reports |
//!
//! The zone graph knows nothing of storage and the list nothing of automata: they meet here.

mod budget;
mod components;
mod cost_function;
mod descents;
mod explore;
mod mixed;
mod nested;
mod offered;
mod stats;
mod survey;
mod sweep;
mod tarjan;
mod watch;

pub use budget::{Budget, Exhausted, Limits, Meter};
pub use components::Components;
pub use cost_function::{CostFunction, Distance};
pub use explore::{Ended, Failure, Least, Search, Shuffle};
pub use mixed::{Member, Mixed, Shares};
pub use nested::{Acceptance, Cycles, Endless, KINDS_MAX, Nested};
pub use offered::offered;
pub use stats::{SetStats, Stats};
pub use survey::{Survey, Surveyor};
pub use sweep::Sweep;
pub use watch::{Look, Seen, Watch, Watcher};
