//! Where the zone graph meets the store: a successor as what is offered to a list.

use tourbillon_store::{NodeId, Offered, StateRef};
use tourbillon_zonegraph::Successor;

/// A successor of a node, of which so many fields are the discrete state.
#[inline]
#[must_use]
pub fn offered<'a>(
    successor: &Successor<'a>,
    fields: usize,
    parent: Option<NodeId>,
    cost: u64,
) -> Offered<'a> {
    let discrete = &successor.memory[..fields];
    let state = StateRef { discrete, zone: successor.zone, parameters: successor.bounds.into() };
    Offered { state, parent, step: successor.ordinal, cost }
}
