//! What is asked of a model, how it is answered, and runs that show why.
//!
//! | file | holds |
//! |---|---|
//! | `plan.rs` | which combination of parts answers a question, whether it is sound, and why it was chosen |
//! | `reach.rs` | the reachability checker: `E<>`, `A[]`, full exploration |
//! | `extremes/` | the checker for `sup`, `inf` and `bounds` |
//! | `path.rs`, `timing.rs` | from a node to a concrete run, replayed before it is shown |
//! | `several.rs` | not one run but several: different paths to a goal |
//! | `answer.rs` | verdicts, and what comes with them |

mod answer;
mod extremes;
mod path;
mod plan;
mod reach;
mod several;
mod timing;

pub use answer::{Answer, Extreme, Known, Measured, Value, Verdict, Why};
pub use path::{Witness, broken_at_start};
pub use plan::{BoundsScope, Facts, Plan, Reason, Refusal, TraceKind, Wishes, plan};
pub use reach::{CheckError, Job, Progress, check, planned};
pub use several::{Others, Several};
pub use tourbillon_replay::{ConcreteState, Fired, Run, RunStep};
pub use tourbillon_search::{Exhausted, Least, Limits, Stats};
pub use tourbillon_store::{Cover, DiscreteForm, Memory, Order, ZoneForm};
pub use tourbillon_system::RuntimeError;
pub use tourbillon_zonegraph::Abstraction;
