//! For the tests of the other crates: oracles that share no code with what they judge, random cases, and what
//! joins the two.
//!
//! - [`naive`]: zones as plain matrices, every operation by its textbook definition.
//! - [`points`]: zones, and sets that are none, as finite sets of rational points.
//! - [`zones`]: all small zones, and random larger ones.
//! - [`bridge`]: from the oracle's matrices to the zones under test, and back.
//! - [`script`]: sequences of operations, run on both at once.

pub mod bridge;
pub mod naive;
pub mod points;
pub mod script;
pub mod zones;
