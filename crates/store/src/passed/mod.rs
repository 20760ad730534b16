//! Probabilistic passed lists: tables of a fixed size, with a few bits for each state.
//!
//! A passed list decides whether a state was visited. For that it need not hold states. It may hold hashes of them, if
//! one accepts that a new state is occasionally taken for a known one and omitted, with all states that are reachable
//! only through it `[Bengtsson2001, section 4]`. A witness of such a search is valid; its absence is not a proof. The
//! probability of an omission is estimated during the search (`certainty.rs`).
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
//! | `hashed.rs`, `shards.rs` | the list that puts these together; the same for several threads |
//! | `certainty.rs` | what is known of what was left out |
//!
//! States cannot be read back from a table, so a waiting state is stored completely, packed, until it is expanded. With
//! inclusion on waiting, an offer is looked up in the table and then compared with the waiting states of the same
//! discrete state, which another table finds `[Bengtsson2001, section 4.1]`; a state is inserted in the table when it
//! is popped. Without it, an offer is not compared, and the table decides when it is popped.
//!
//! > **Invariant.** No state is inserted before it is popped, so with inclusion on waiting a popped state is new: no
//! > state that covers it can have been inserted while it waited. Several that cover it together can.

mod bitstate;
mod certainty;
mod compact;
mod compact_zone;
mod external;
mod hashed;
mod origins;
mod shards;
mod slots;
mod union_map;
mod unions;
mod universal_hash;
mod waiting_states;

use std::fmt;

use tourbillon_dbm::Dbm;
use tourbillon_dd::{self as dd, AllEdges, NodeForm, WithoutFalse};

use crate::discrete::{BitPacking, DiscreteProbe};
use crate::interface::{Divided, Memory, PassedWaiting, StateRef};
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

/// The content of a table for each state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TableKind {
    /// Some bits at positions given by hashing.
    Bits {
        /// The number of bits, at least 1.
        per_state: u32,
    },
    /// A hash signature.
    Signatures {
        /// The number of bits, from 1 to [`SIGNATURE_BITS_MAX`].
        bits: u32,
    },
    /// A signature of the discrete state, and the zone.
    SignaturesAndZones {
        /// The number of bits of the signature, from 1 to [`SIGNATURE_BITS_MAX`].
        bits: u32,
    },
}

/// The longest signature: with the bit that marks a used slot, it fits in a word.
pub const SIGNATURE_BITS_MAX: u32 = 62;

/// The minimum size of a table: smaller ones are enlarged to it.
pub const TABLE_BYTES_MIN: u64 = 1 << 10;

/// The behaviour of a full list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum WhenFull {
    /// The search ends.
    #[default]
    Stop,
    /// An exact list is rewritten in a smaller form when memory approaches its limit. For a table, this is
    /// [`Stop`](Self::Stop).
    Pack,
    /// New states are visited and not inserted, so they may be visited again. After as many such states as the table
    /// has places, the search ends as well: it may be cyclic.
    Skip,
}

/// The settings of a probabilistic passed list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableSettings {
    pub kind: TableKind,
    /// The size in bytes. Stored zones come on top.
    pub memory_bytes: u64,
    pub when_full: WhenFull,
    /// Selects the hash function.
    pub seed: u64,
}

/// The system has no memory for a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableTooLarge {
    /// The requested size.
    pub bytes: u64,
}

impl fmt::Display for TableTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no memory for a table of {} bytes", self.bytes)
    }
}

impl std::error::Error for TableTooLarge {}

/// An empty list with a probabilistic table. The storage form of discrete states and `spare_waiting` are ignored: a
/// table may omit the shortest run anyway. States cannot be read back: [`stored_nodes`](crate::PassedList::stored_nodes) is
/// empty, and only the state popped last can be loaded.
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

/// An empty list that stores the union of the visited zones of each discrete state. As with a table, states cannot be
/// read back. Waiting zones are in the form `shared`.
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

/// An empty list of waiting states alone: each popped state counts as new, and as stored from then on. As with a table,
/// states cannot be read back. Waiting zones are in the form `shared`.
///
/// # Panics
/// If a range is empty.
#[must_use]
pub fn build_waiting(settings: &Settings) -> Box<dyn PassedWaiting> {
    Box::new(HashedList::new(settings, WhenFull::Stop, External, ZoneForm::Shared))
}

/// A state that is looked up, with its discrete state packed in bits.
#[derive(Clone, Copy, Debug)]
struct PackedState<'a> {
    state: StateRef<'a>,
    words: &'a [u32],
}

/// Whether a state was visited, according to the table.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Membership {
    /// It was visited, or collides with a visited state.
    Known,
    /// It was not visited.
    New {
        /// The probability with which it would have been refused.
        chance: f64,
    },
}

/// The result of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Insertion {
    Inserted,
    /// It collided with another state and counts as known.
    Collided,
    Full,
    /// It took long and was interrupted.
    Interrupted,
}

/// The fill of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Occupancy {
    places: u64,
    taken: u64,
}

/// A set of visited states.
trait VisitedSet: fmt::Debug + Send + Sync {
    /// Whether it stores zones and compares with them.
    const KEEPS_ZONES: bool;
    /// Whether it never takes a new state for a known one. Then several visited states may also cover one together.
    const IS_EXACT: bool = false;

    /// Whether a state was visited, according to the set. If it stores zones, the zone of the state is encoded.
    fn find(
        &self,
        state: &PackedState<'_>,
        zones: &dyn ZoneStore,
        probe: (&mut DiscreteProbe, &mut ZoneProbe),
    ) -> Membership;

    /// Removes visited states that this one covers, whose zone is encoded. Returns their number.
    fn remove_covered(
        &mut self,
        _state: &PackedState<'_>,
        _zones: &mut dyn ZoneStore,
        _probe: &mut ZoneProbe,
    ) -> usize {
        0
    }

    /// Inserts a state, with the key of its zone if it stores zones. A long insertion polls `is_over` and is
    /// interrupted if that returns true.
    fn insert(
        &mut self,
        state: &PackedState<'_>,
        zone: ZoneKey,
        probe: &mut DiscreteProbe,
        is_over: &dyn Fn() -> bool,
    ) -> Insertion;

    /// Visits all visited states, if they can be read back.
    fn for_each(&self, _discrete: &mut [i32], _visit: &mut dyn FnMut(&[i32], &Dbm)) {}

    fn occupancy(&self) -> Occupancy;

    /// The number of discrete states; 0 if it is not known.
    fn discrete_states(&self) -> usize {
        0
    }

    fn memory(&self) -> Memory;

    /// A list with this set in shards, for rounds; `None` if a set of this kind cannot be shared by threads.
    fn in_shards(_list: &mut HashedList<Self>, _settings: &Settings) -> Option<Divided>
    where
        Self: Sized,
    {
        None
    }
}

/// A set of visited states that threads read at the same time. States are hashed by all threads, and inserted by one.
trait RoundSet: VisitedSet + Sized {
    /// The set with its memory; this one must not be used any more.
    fn take(&mut self) -> Self;

    /// What is inserted for a state.
    fn hash(&self, state: &PackedState<'_>) -> [u64; 2];

    /// Inserts a state by its hash, with the key of its zone if the set stores zones.
    fn insert_hash(&mut self, hash: [u64; 2], zone: ZoneKey) -> Insertion;

    /// Adds the places of the visited states that this one covers, whose zone is encoded.
    fn find_covered(
        &self,
        _state: &PackedState<'_>,
        _zones: &dyn ZoneStore,
        _probe: &mut ZoneProbe,
        _places: &mut Vec<u64>,
    ) {
    }

    /// Removes the state with a zone at a place. Returns false if there is none.
    fn remove(&mut self, _place: u64, _zones: &mut dyn ZoneStore) -> bool {
        false
    }
}
