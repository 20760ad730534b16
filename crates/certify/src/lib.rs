//! The checker of certificates, independent of the engine.
//!
//! A certificate is a finite set of symbolic states that the engine found, written to a file. This crate checks that the set is an
//! inductive invariant from which an answer follows: that it has the initial state, is closed under every step of the semantics,
//! and that no state in it is one that the answer excludes. It searches nothing, and shares nothing with the engine but the model and
//! the interpreter of its expressions. `docs/certificate.md` has the format and the conditions.
//!
//! - `format.rs`, `format_read.rs`, `format_write.rs`: the file.
//! - `zone.rs`: difference bound matrices.
//! - `data.rs`, `transitions.rs`: the semantics.
//! - `predicate.rs`, `claims.rs`: what claims ask.
//! - `lu.rs`: that bounds make the LU-preorder a simulation.
//! - `invariant.rs`: what was read, in order, and closed under generators.
//! - `state_info.rs`, `check.rs`: the conditions, for a discrete state and for each of its entries.
//! - `report.rs`: what comes out.

mod check;
mod claims;
mod data;
pub mod format;
mod format_read;
mod format_write;
mod invariant;
mod lu;
mod predicate;
mod report;
mod run;
mod state_info;
#[cfg(test)]
mod tests;
mod transitions;
mod zone;

pub use format_read::read_first;
pub use format_write::{InvariantWriter, header_line};
pub use report::{EdgeText, Outcome, Reason, Rejection, Report, StateText};
pub use run::{Options, certify};
