//! Results that may pass 32 bits, by the declared ranges of what they are computed from.
//!
//! An interval analysis: it sees no guards and no order of steps, so that what it finds may never happen. Where results
//! past 32 bits are errors and all states were visited without one, it is known that it does not.

use std::collections::BTreeSet;

use tourbillon_base::Span;
use tourbillon_model::{Model, Overflow};
use tourbillon_system::may_pass_32_bits;

/// An operation whose result may pass 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MayOverflow {
    /// Where it stands.
    pub span: Span,
    /// What the result comes to then.
    pub overflow: Overflow,
    /// Whether it is known that it does not happen in the model itself.
    pub ruled_out: bool,
}

/// The operations whose results may pass 32 bits, each place once, in the order of the text.
pub(super) fn may_overflow(model: &Model, no_failure: bool) -> Vec<MayOverflow> {
    let overflow = model.overflow;
    let ruled_out = no_failure && overflow == Overflow::Error;
    let found = model.exprs.ids().filter(|&expr| may_pass_32_bits(model, expr));
    let places: BTreeSet<Span> = found.map(|expr| model.exprs[expr].span).collect();
    places.into_iter().map(|span| MayOverflow { span, overflow, ruled_out }).collect()
}
