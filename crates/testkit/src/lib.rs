//! Oracles, random cases and scripts for the tests of the other crates.
