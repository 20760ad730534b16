//! The studio: a local page that draws, simulates and verifies models, and shows time.
//!
//! The page holds no semantics: whatever a model means, the façade says, and this crate carries it over HTTP.

pub mod api;
