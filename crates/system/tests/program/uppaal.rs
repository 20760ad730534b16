//! Functions as people write them, read from UPPAAL's language.
