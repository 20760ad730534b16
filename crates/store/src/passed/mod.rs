//! Passed lists that trade certainty for space: tables of a fixed size, with a few bits for each state.
//!
//! A passed list has one purpose: to tell whether a state was visited. For that it need not hold states. It may hold
//! hashes of them, if one accepts that a new state is now and then taken for a known one and left out, with all that
//! lies behind it `[Bengtsson2001, section 4]`. What is found by such a search is found; that nothing was found is no
//! proof. How likely it is that something was left out is estimated as the search goes (`certainty.rs`).
//!
//! | file | holds |
//! |---|---|
//! | `bitstate.rs` | a table of bits, some of them for each state: supertrace |
//! | `compact.rs` | signatures of states in an open table: hash compaction |
//! | `compact_zone.rs` | signatures of discrete states, each with a zone: inclusion is still seen |
//! | `unions.rs` | discrete states, each with the union of its zones as a diagram: exact, but zones cannot be read back either |
//! | `union_map.rs` | which union each discrete state has |
//! | `external.rs` | nothing: whether a state was visited is asked of others |
//! | `universal_hash.rs` | the hash functions, one for each seed |
//! | `slots.rs` | slots of any number of bits, and the probe sequences through them |
//! | `waiting_states.rs`, `origins.rs` | the states that wait, in full; where states came from, for traces |
//! | `hashed.rs` | the list that puts these together |
//! | `certainty.rs` | what is known of what was left out |
//!
//! A table has no states to read back, so a waiting state is kept in full, packed, until it is expanded. With inclusion on
//! waiting, an offer is looked up in the table and then compared with the waiting states of the same discrete part,
//! which another table finds `[Bengtsson2001, section 4.1]`; a state enters the table when it is popped. Without, it waits
//! unseen, and the table decides when it is popped.
//!
//! > **Invariant.** No state is entered before it is popped, so with inclusion on waiting one that is popped is known to
//! > be new: no state that covers it can have been entered while it waited. Several that cover it together can.

mod bitstate;
mod certainty;
mod compact;
mod compact_zone;
mod external;
mod hashed;
mod origins;
mod slots;
mod union_map;
mod unions;
mod universal_hash;
mod waiting_states;

use std::fmt;

use tourbillon_dd::{self as dd, AllEdges, NodeForm, WithoutFalse};

use crate::discrete::{BitPacking, DiscreteProbe};
use crate::interface::{Memory, PassedWaiting, StateRef};
use crate::settings::{DiagramForm, Settings, ZoneForm};
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

pub use certainty::Certainty;

use bitstate::Bitstate;
use compact::Compact;
use compact_zone::CompactZone;
use external::External;
use hashed::HashedList;
use union_map::UnionMap;
use unions::Unions;
use universal_hash::HashFunction;

/// What a table keeps of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TableKind {
    /// Some bits at places that are drawn by hashing.
    Bits {
        /// How many, at least 1.
        per_state: u32,
    },
    /// A signature of so many bits.
    Signatures {
        /// How many, from 1 to [`SIGNATURE_BITS_MAX`].
        bits: u32,
    },
    /// A signature of the discrete part, and the zone.
    SignaturesAndZones {
        /// How many bits the signature has, from 1 to [`SIGNATURE_BITS_MAX`].
        bits: u32,
    },
}

/// The longest signature: with the bit that tells a taken slot from an empty one it fits in a word.
pub const SIGNATURE_BITS_MAX: u32 = 62;

/// The smallest table that makes sense: smaller ones are made as large as this.
pub const TABLE_BYTES_MIN: u64 = 1 << 10;

/// What becomes of a state that finds no room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum WhenFull {
    /// The search ends.
    #[default]
    Stop,
    /// An exact list is rewritten in a smaller form when the limit on memory nears. A table has none: there it is as if
    /// this was [`Stop`](Self::Stop).
    Pack,
    /// It is visited and not entered, so that it may be visited again. When as many have been as the table has places,
    /// the search ends as well: it may be going round in circles.
    Skip,
}

/// A table in place of an exact passed list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableSettings {
    /// What it keeps of a state.
    pub kind: TableKind,
    /// How many bytes it has. Zones that are kept come on top.
    pub memory_bytes: u64,
    /// What becomes of states for which there is no room.
    pub when_full: WhenFull,
    /// Which hash function it uses.
    pub seed: u64,
}

/// A table that the system has no memory for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableTooLarge {
    /// How many bytes it would have.
    pub bytes: u64,
}

impl fmt::Display for TableTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no memory for a table of {} bytes", self.bytes)
    }
}

impl std::error::Error for TableTooLarge {}

/// An empty list whose passed states are in a table. Of the settings, how discrete states are stored makes no difference,
/// and no waiting node is spared: a table may leave out the shortest run anyway.
/// Its states cannot be read back: [`stored_nodes`](PassedWaiting::stored_nodes) has none, and only the state that was
/// popped last can be loaded.
///
/// # Errors
/// If there is no memory for the table.
///
/// # Panics
/// If a range is empty, or the kind of table has no bits, or too many.
pub fn build_table(
    settings: &Settings,
    table: &TableSettings,
) -> Result<Box<dyn PassedWaiting>, TableTooLarge> {
    let bytes = usize::try_from(table.memory_bytes.max(TABLE_BYTES_MIN)).unwrap_or(usize::MAX);
    let too_large = |_| TableTooLarge { bytes: table.memory_bytes };
    let (zones, words) = (settings.zones, BitPacking::new(&settings.ranges).words());
    let (whole, discrete) = ((words, Some(settings.dimension)), (words, None));
    Ok(match table.kind {
        TableKind::Bits { per_state } => {
            let function = HashFunction::new(table.seed, whole);
            let visited = Bitstate::new(bytes, per_state, function).map_err(too_large)?;
            Box::new(HashedList::new(settings, table.when_full, visited, zones))
        }
        TableKind::Signatures { bits } => {
            let function = HashFunction::new(table.seed, whole);
            let visited = Compact::new(bytes, bits, function).map_err(too_large)?;
            Box::new(HashedList::new(settings, table.when_full, visited, zones))
        }
        TableKind::SignaturesAndZones { bits } => {
            let function = HashFunction::new(table.seed, discrete);
            let visited = CompactZone::new(bytes, bits, function, settings.cover).map_err(too_large)?;
            Box::new(HashedList::new(settings, table.when_full, visited, zones))
        }
    })
}

/// An empty list that keeps, for each discrete state, the union of the zones of visited states. As with a table, states
/// cannot be read back. Zones that wait are in the form `shared`, whatever the settings say.
///
/// # Panics
/// If a range is empty, there are more locations than fields, more clocks than diagrams can have, or, where discrete states
/// are a diagram too, more fields.
pub(crate) fn build_unions(settings: &Settings) -> Box<dyn PassedWaiting> {
    fn list<F: NodeForm + Send + Sync>(settings: &Settings) -> Box<dyn PassedWaiting> {
        let visited = Unions::<F>::new(settings, UnionMap::new(settings));
        Box::new(HashedList::new(settings, WhenFull::Stop, visited, ZoneForm::Shared))
    }
    assert!(settings.split <= settings.ranges.len(), "more locations than fields");
    match settings.diagrams.form {
        DiagramForm::AllEdges => list::<AllEdges>(settings),
        DiagramForm::WithoutFalse => list::<WithoutFalse>(settings),
        DiagramForm::Compact => list::<dd::Compact>(settings),
    }
}

/// An empty list of waiting states alone: each that is popped is new as far as it knows, and counts as stored from then on.
/// As with a table, states cannot be read back. Zones that wait are in the form `shared`.
///
/// # Panics
/// If a range is empty.
#[must_use]
pub fn build_waiting(settings: &Settings) -> Box<dyn PassedWaiting> {
    Box::new(HashedList::new(settings, WhenFull::Stop, External, ZoneForm::Shared))
}

/// A state that is looked up, also with its discrete part in bits.
#[derive(Clone, Copy, Debug)]
struct PackedState<'a> {
    state: StateRef<'a>,
    words: &'a [u32],
}

/// Whether a state was visited, as far as can be told.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Membership {
    /// It was visited, or so it seems.
    Known,
    /// It was not.
    New {
        /// How likely it was to be taken for a known one all the same.
        chance: f64,
    },
}

/// What became of a state that was to be inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Insertion {
    /// It is in the set now.
    Inserted,
    /// It seemed to be in the set before: it was taken for another.
    Collided,
    /// There is no room.
    Full,
    /// It took long, and is not wanted any more.
    Interrupted,
}

/// How full a table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Occupancy {
    places: u64,
    taken: u64,
}

/// What remembers which states were visited.
trait VisitedSet: fmt::Debug + Send + Sync {
    /// Whether it keeps zones, and compares with them.
    const KEEPS_ZONES: bool;
    /// Whether it takes no new state for a known one. Then several visited states may also cover one together.
    const IS_EXACT: bool = false;

    /// Whether a state was visited, as far as can be told. If it keeps zones, that of the state is encoded.
    fn find(
        &self,
        state: &PackedState<'_>,
        zones: &dyn ZoneStore,
        probe: (&mut DiscreteProbe, &mut ZoneProbe),
    ) -> Membership;

    /// Removes visited states that this one covers, whose zone is encoded. Returns how many.
    fn remove_covered(
        &mut self,
        _state: &PackedState<'_>,
        _zones: &mut dyn ZoneStore,
        _probe: &mut ZoneProbe,
    ) -> usize {
        0
    }

    /// Inserts a state, and keeps the key of its zone if it keeps zones. If that takes long it is given up when `is_over`
    /// answers yes.
    fn insert(
        &mut self,
        state: &PackedState<'_>,
        zone: ZoneKey,
        probe: &mut DiscreteProbe,
        is_over: &dyn Fn() -> bool,
    ) -> Insertion;

    fn occupancy(&self) -> Occupancy;

    /// How many discrete states it knows; 0 if it cannot tell.
    fn discrete_states(&self) -> usize {
        0
    }

    fn memory(&self) -> Memory;
}
