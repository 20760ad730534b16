//! The checker of certificates, independent of the engine.
//!
//! A certificate is a finite set of symbolic states that the engine found, written to a file. This crate checks that the set is an
//! inductive invariant from which an answer follows: that it has the initial state, is closed under every step of the semantics,
//! and that no state in it is one that the answer excludes. It searches nothing, and shares nothing with the engine but the model and
//! the interpreter of its expressions. `docs/certificate.md` has the format and the conditions.

pub mod format;
mod format_read;
mod format_write;

pub use format_write::{InvariantWriter, header_line};
