//! x
pub(crate) fn lines_of() {}
pub(crate) fn name_width() {}
pub(crate) fn text_width() {}
