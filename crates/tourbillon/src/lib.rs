//! Tourbillon as a library: load models, look into them, convert and draw them.
//!
//! This is the one crate that other programs use; everything below it is the project's own affair. It does no
//! I/O: bytes come in, text and data go out.
//!
//! ```
//! use tourbillon::{Target, convert, load};
//!
//! let text = b"clock x; process P() { state A { x <= 5 }; init A; trans A -> A { assign x = 0; }; } system P;";
//! let loaded = load("loop.xta", text);
//! assert!(!loaded.diagnostics.has_errors());
//! let tck = convert(&loaded, Target::Tck).expect("one process and one clock");
//! assert!(tck.text.contains("clock:1:x"));
//! ```

mod codes;
mod convert;
mod json;
mod load;
mod network_xta;

pub use codes::{all_codes, explain};
pub use convert::{Converted, Target, convert, draw_dot, draw_svg};
pub use json::{diagnostics_json, model_json};
pub use load::{Loaded, Source, load, load_with_queries};
pub use tourbillon_base::{CodeEntry, Diagnostic, Diagnostics, Severity, SourceMap};
pub use tourbillon_gen::{Family, families, family};
pub use tourbillon_model::Model;
