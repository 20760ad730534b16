//! Results that may exceed 32 bits, by the declared ranges of their operands.
//!
//! An interval analysis: it ignores guards and the order of transitions, so its findings may be unreachable. If results beyond 32
//! bits are errors and all states were visited without one, the model has none.

use std::collections::BTreeSet;

use tourbillon_base::Span;
use tourbillon_model::{Model, Overflow};
use tourbillon_system::may_pass_32_bits;

/// An operation whose result may exceed 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MayOverflow {
    pub span: Span,
    /// The meaning of such a result.
    pub overflow: Overflow,
    /// Whether no reachable state has such a result.
    pub ruled_out: bool,
}

/// The operations whose results may exceed 32 bits, each span once, in the order of the text.
pub(super) fn may_overflow(model: &Model, no_failure: bool) -> Vec<MayOverflow> {
    let overflow = model.overflow;
    let ruled_out = no_failure && overflow == Overflow::Error;
    let found = model.exprs.ids().filter(|&expr| may_pass_32_bits(model, expr));
    let places: BTreeSet<Span> = found.map(|expr| model.exprs[expr].span).collect();
    places.into_iter().map(|span| MayOverflow { span, overflow, ruled_out }).collect()
}
