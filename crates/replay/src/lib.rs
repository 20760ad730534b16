//! The concrete semantics by definition, which checks every run independently of the engine.
//!
//! A state gives every process a location, every cell a value and every clock a rational. From a state, time
//! can pass or the network can act; which delays and which actions are legal is written here as the languages
//! define it, one rule at a time, with nothing clever in it. No engine is used and no zone: what an engine
//! claims is judged by what this crate computes, so the two share nothing but the model and the interpreter of
//! its expressions.
//!
//! - `run.rs`: states, actions, runs, and [`replay`], which follows a run and says where it goes wrong.
//! - `semantics.rs`: [`Semantics`], what can happen in a state.
//! - `delay.rs`: when time can pass.
//! - `infinite.rs`: whether an infinite run is legal and avoids what it must avoid.
//! - `deadlock.rs`: whether nothing can happen any more.
//! - `joint.rs`: which edges make a step together.
//! - `outgoing.rs`: edges by their source locations.
//! - `enabled_steps.rs`: what can happen from a state on, and after which delays.
//! - `evaluator.rs`: expressions, guards and places evaluated in one state.
//! - `violation.rs`: the reasons why not.
//!
//! What the languages leave open is decided so, here and nowhere else:
//!
//! - All guards of a step are evaluated before any of its updates; within a guard, conditions on data come
//!   first and the first that is false ends it. The index of a channel is evaluated only where the guard holds.
//! - A step evaluates `before_update`, the updates of its edges in order, then `after_update`. Then meta cells
//!   get their initial values back, and then the invariants of all processes must hold.
//! - An action blocks others of lower priority if it can be taken: its guards hold, it leaves a committed
//!   location if it must, and the invariants hold after it. Delays are never blocked by priorities.
//! - Time passes as long as no synchronisation over an urgent channel is enabled by its guards, whatever the
//!   invariants after it. With clocks in such guards that is decided for every moment of the delay.
//! - A clock that two processes give different rates is stopped.

mod deadlock;
mod delay;
mod enabled_steps;
mod evaluator;
mod infinite;
mod joint;
mod outgoing;
mod run;
mod semantics;
mod violation;

pub use enabled_steps::{Delays, EnabledStep, EnabledSteps, Failure};
pub use infinite::{AvoidedPredicate, Finish, InfiniteRunError, Since, check_infinite};
pub use run::{
    ConcreteState, Fired, ReplayError, ReplayEvent, Run, RunPosition, RunStep, replay, replay_to_end, walk,
};
pub use semantics::Semantics;
pub use violation::Violation;
