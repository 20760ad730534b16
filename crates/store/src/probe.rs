//! What is compared with stored states, encoded as they are.
//!
//! A state is encoded once, however many stored ones it is compared with. What it is encoded into belongs to the caller,
//! so that comparing takes a list by `&self`: several threads may ask one list at once, each with a probe of its own.
//!
//! A probe takes on the form of the list that it is used with. It allocates when it is first used with a list, and when that
//! changes its form, and else never.

use crate::buckets::Bucket;
use crate::discrete::DiscreteProbe;
use crate::zones::ZoneProbe;

/// Memory for a state that is compared with those of a list. One serves any number of lists and states, one after the other.
#[derive(Debug, Default)]
pub struct Probe {
    /// The discrete part as a list encodes it that stores discrete states.
    pub(crate) discrete: DiscreteProbe,
    /// The discrete part in bits, for lists that hash it.
    pub(crate) packed: Vec<u32>,
    pub(crate) zone: ZoneProbe,
    /// Where a list with colours found the state, or would store it.
    pub(crate) bucket: Option<Bucket>,
}

impl Probe {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
