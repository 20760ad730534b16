//! Symmetry: the automorphisms of a network, found and verified on the model, without regard to how it was written.
//!
//! | file | holds |
//! |---|---|
//! | `find.rs` | which permutations of processes are tried, and the sets of exchangeable processes that result |
//! | `matching/` | the verification: whether a permutation extends to an automorphism |
//! | `sorts.rs`, `bijection.rs` | what a permutation does to values, and to things with a number |
//! | `order.rs` | loops, quantifiers and updates whose order cannot be observed |
//!
//! Soundness rests on the verification alone: a permutation that it accepts maps the network and the given formulas to
//! themselves, however it was found.

mod automorphism;
mod bijection;
mod conflict;
mod find;
mod matching;
mod order;
mod sorts;

pub use automorphism::Automorphism;
pub use find::{Candidates, Formulas, Orbit, OrbitKind, Refused, Symmetry, find};
pub use sorts::ValueMap;
