//! For the tests of the other crates: oracles that share no code with what they judge, random cases, and what
//! joins the two.
//!
//! - [`naive`]: zones as plain matrices, every operation by its textbook definition.
//! - [`points`]: zones, and sets that are none, as finite sets of rational points.
//! - [`zones`]: all small zones, and random larger ones.
//! - [`bridge`]: from the oracle's matrices to the zones under test, and back.
//! - [`counting`]: an allocator that counts.
//! - [`script`]: sequences of operations, run on both at once.
//! - [`networks`]: random networks of timed automata with queries, as text, and how to make them smaller.
//! - [`oracle`]: what such a network can reach, and its infinite runs, by explicit search over integer times and over regions.

pub mod bridge;
pub mod counting;
pub mod naive;
pub mod networks;
pub mod oracle;
pub mod points;
pub mod script;
pub mod zones;
