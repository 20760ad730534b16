//! The explore loop over a zone graph and a passed/waiting list.
//!
//! | file | holds |
//! |---|---|
//! | `explore.rs` | the loop, for a goal |
//! | `survey.rs` | the loop, for somebody who looks at every state |
//! | `budget.rs` | when to stop before the end: limits and a wish to stop |
//! | `stats.rs` | what every search reports |
//!
//! The zone graph knows nothing of storage and the list nothing of automata: they meet here.

mod budget;
mod explore;
mod stats;
mod survey;

pub use budget::{Budget, Exhausted, Limits};
pub use explore::{Ended, Failure, Least, Search};
pub use stats::Stats;
pub use survey::{Look, Seen, Survey, Surveyor};
