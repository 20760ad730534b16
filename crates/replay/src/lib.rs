//! The concrete semantics by definition, and the second opinion on every run.
