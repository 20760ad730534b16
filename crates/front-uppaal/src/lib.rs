//! UPPAAL files: as documents, and lowered to models.
//!
//! ```text
//! bytes ──load──▶ Document { sources, tree, model, layout, queries } ──write_xml, write_xta, write_queries──▶ text
//!                                                                    ──draw──▶ DOT, SVG
//!                                                                    ──lower──▶ Model
//! ```
//!
//! A [`Document`] holds everything that a file says: what it means (the model, as a syntax tree), how it looks (the
//! layout), what is asked (the queries), and the text it came from. The crate does no I/O.

mod annotation;
pub mod codes;
mod decode;
mod dialect;
mod document;
pub mod draw;
pub mod layout;
mod load;
pub mod lower;
mod queries;
mod text;
mod xml;
mod xta_write;

pub use annotation::annotated_overflow;
pub use decode::text_of;
pub use document::{
    Document, DocumentQuery, Format, QueryExpectation, QueryOption, QueryResult, Resource, Sections,
    templates,
};
pub use layout::Layout;
pub use load::{LoadOptions, load, load_formula, load_queries};
pub use queries::write_queries;
pub use xml::{
    LocationOutline, Markup, MarkupAttributes, Outline, QueryOutline, Reference, TemplateOutline,
    TransitionOutline, outline_of, write_xml,
};
pub use xta_write::{XtaOptions, write_xta};
