//! x
use super::Layout;
use crate::document::Document;

/// x
#[must_use]
pub fn arrange(document: &Document) -> Layout {
    document.layout.clone()
}
