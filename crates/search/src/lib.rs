//! The explore loop over a zone graph and a passed/waiting list.
//!
//! | file | holds |
//! |---|---|
//! | `explore.rs` | the loop |
//! | `nested.rs` | depth first, and again from accepting states: runs that go on for ever |
//! | `budget.rs` | when to stop before the end: limits and a wish to stop |
//! | `stats.rs` | what every search reports |
//!
//! The zone graph knows nothing of storage and the list nothing of automata: they meet here.

mod budget;
mod explore;
mod nested;
mod stats;

pub use budget::{Budget, Exhausted, Limits};
pub use explore::{Ended, Failure, Least, Search};
pub use nested::{Acceptance, Cycles, Endless, Nested};
pub use stats::Stats;
