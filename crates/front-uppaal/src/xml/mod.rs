//! UPPAAL's XML: text to elements, elements to a document, and back.
//!
//! ```text
//! text ──elements──▶ tree of elements ──outline──▶ fragments, ids, layout ──read──▶ Document ──write──▶ text
//!         quick-xml                      what belongs where                syntax crate
//! ```
//!
//! Each step reports what it finds and hands on what it could use; none of them fails. Fragments are all added to
//! the source map before the first of them is parsed, because the parser borrows the map.

mod attribute;
mod elements;
mod escape;
mod markup;
mod outline;
mod parts;
mod read;
mod tag;
mod write;

pub(crate) use escape::escape_text;
pub use markup::{Markup, MarkupAttributes};
pub use outline::outline_of;
pub use parts::{LocationOutline, Outline, QueryOutline, Reference, TemplateOutline, TransitionOutline};
pub(crate) use read::read;
pub use write::write_xml;
