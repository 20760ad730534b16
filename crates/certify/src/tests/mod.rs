//! Certificates made by a plain explorer, and what becomes of them.
//!
//! - `explorer.rs`: makes certificates.
//! - `rules.rs`: every rule of the semantics, with answers that break if the rule is.
//! - `random.rs`: random networks, whose answers an oracle knows.
//! - `mutants.rs`: certificates that are changed.
//! - `liveness.rs`: claims about infinite runs.
//! - `covers.rs`: LU-bounds, generators, transient states.
//! - `files.rs`: files that are damaged or hostile, and the hash of models.
//! - `hostile.rs`: files that are made to exhaust memory, time or the stack.

mod covers;
mod explorer;
mod files;
mod hostile;
mod liveness;
mod mutants;
mod random;
mod rules;
