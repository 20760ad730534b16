//! UPPAAL's files to the language-neutral network.

pub mod lower;
