//! A state in the encoding of a list, for comparisons with stored states.
//!
//! A state is encoded once for any number of comparisons. The caller owns the memory for it, so that a comparison takes
//! a list by `&self`: several threads may query one list at the same time, each with its own probe.
//!
//! A probe adapts to the form of the list it is used with. It allocates only when it is first used with a list, or when
//! the list changes its form.

use crate::buckets::Bucket;
use crate::discrete::DiscreteProbe;
use crate::zones::ZoneProbe;

/// Memory for a state that is compared with those of a list. It can be used for any number of lists and states in turn.
#[derive(Debug, Default)]
pub struct Probe {
    /// The discrete state in the encoding of a list that stores discrete states.
    pub(crate) discrete: DiscreteProbe,
    /// The discrete state packed in bits, for lists that hash it.
    pub(crate) packed: Vec<u32>,
    pub(crate) zone: ZoneProbe,
    /// Where a coloured list found the state, or would store it.
    pub(crate) bucket: Option<Bucket>,
}

impl Probe {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
