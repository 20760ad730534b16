//! The UPPAAL language as text: lexer, syntax tree with spans, parser, printers.
//!
//! ```text
//! SourceMap ──Reader──▶ Tree (expressions, names) + Model, Decl, Query, … + Diagnostics
//!                         │
//!                         ├─ print: back to text that parses to the same tree
//!                         └─ sexpr: the shape of the tree, for tests and for looking at it
//! ```
//!
//! The crate knows what the text of a model looks like and nothing of what it means: names are not resolved,
//! types not checked. It always returns a tree, together with everything that was wrong. It does no I/O.

pub mod codes;
mod lexer;
pub mod operator;
mod parser;
pub mod print;
mod query_file;
mod reader;
pub mod sexpr;
mod token;
pub mod tree;

pub use lexer::Dialect;
pub use reader::Reader;
