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
//! | `directory.rs` | which union each discrete state has |
//! | `elsewhere.rs` | nothing: whether a state was visited is asked of others |
//! | `family.rs` | the hash functions, one for each seed |
//! | `slots.rs` | slots of any number of bits, and the ways through them |
//! | `pending.rs`, `origins.rs` | the states that wait, in full; where states came from, for traces |
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
mod directory;
mod elsewhere;
mod family;
mod hashed;
mod origins;
mod pending;
mod slots;
mod unions;

use std::fmt;

use tourbillon_dbm::{ClockBounds, Dbm};
use tourbillon_dd::{self as dd, AllEdges, Mtidd, WithoutFalse};

use crate::buckets::Buckets;
use crate::discrete::{self, Discrete, Merging, OfDiscrete};
use crate::interface::{Memory, PassedWaiting};
use crate::settings::{Cover, DiagramForm, DiscreteForm, Settings};
use crate::zones::{self, Matrices, OfZones, ZoneKey, Zones};

pub use certainty::Certainty;

use bitstate::Bitstate;
use compact::Compact;
use compact_zone::CompactZone;
use directory::Directory;
use elsewhere::Elsewhere;
use hashed::HashedList;
use unions::Unions;

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
    zones::in_form(settings.zones, settings.dimension, Tabling { settings, table })
}

/// The list that these settings ask for.
struct Tabling<'a> {
    settings: &'a Settings,
    table: &'a TableSettings,
}

impl OfZones for Tabling<'_> {
    type Made = Result<Box<dyn PassedWaiting>, TableTooLarge>;

    fn of_zones<Z: Zones + 'static>(self, zones: Z) -> Self::Made {
        with_zones(self.settings, self.table, zones)
    }
}

fn with_zones<Z: Zones + 'static>(
    settings: &Settings,
    table: &TableSettings,
    zones: Z,
) -> Result<Box<dyn PassedWaiting>, TableTooLarge> {
    let bytes = usize::try_from(table.memory_bytes.max(TABLE_BYTES_MIN)).unwrap_or(usize::MAX);
    let too_large = |_| TableTooLarge { bytes: table.memory_bytes };
    Ok(match table.kind {
        TableKind::Bits { per_state } => {
            let passed = Bitstate::new(bytes, per_state, table.seed).map_err(too_large)?;
            Box::new(HashedList::new(settings, table.when_full, passed, zones))
        }
        TableKind::Signatures { bits } => {
            let passed = Compact::new(bytes, bits, table.seed).map_err(too_large)?;
            Box::new(HashedList::new(settings, table.when_full, passed, zones))
        }
        TableKind::SignaturesAndZones { bits } => {
            let passed = CompactZone::new(bytes, bits, table.seed, settings.cover).map_err(too_large)?;
            Box::new(HashedList::new(settings, table.when_full, passed, zones))
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
    assert!(settings.split <= settings.ranges.len(), "more locations than fields");
    if settings.discrete == DiscreteForm::Mtidd {
        let directory = Mtidd::new(settings.ranges.len());
        return united(settings, directory.expect("the number of fields was looked at"));
    }
    // A state is saved when it is found to be new.
    discrete::in_form(settings, Merging::Never, Uniting(settings))
}

/// An empty list of waiting states alone: each that is popped is new as far as it knows, and counts as stored from then on.
/// As with a table, states cannot be read back. Zones that wait are in the form `shared`.
///
/// # Panics
/// If a range is empty.
#[must_use]
pub fn build_waiting(settings: &Settings) -> Box<dyn PassedWaiting> {
    let zones = Matrices::new(settings.dimension, true);
    Box::new(HashedList::new(settings, WhenFull::Stop, Elsewhere, zones))
}

struct Uniting<'a>(&'a Settings);

impl OfDiscrete for Uniting<'_> {
    type Made = Box<dyn PassedWaiting>;

    fn of_discrete<D: Discrete + 'static>(self, discrete: D) -> Self::Made {
        united(self.0, Buckets::new(discrete, self.0.fill()))
    }
}

/// The list with unions that this finds.
fn united<H: Directory + 'static>(settings: &Settings, directory: H) -> Box<dyn PassedWaiting> {
    fn listed<P: Passed<Matrices> + 'static>(settings: &Settings, passed: P) -> Box<dyn PassedWaiting> {
        let zones = Matrices::new(settings.dimension, true);
        Box::new(HashedList::new(settings, WhenFull::Stop, passed, zones))
    }
    match settings.diagrams.form {
        DiagramForm::AllEdges => listed(settings, Unions::<H, AllEdges>::new(settings, directory)),
        DiagramForm::WithoutFalse => listed(settings, Unions::<H, WithoutFalse>::new(settings, directory)),
        DiagramForm::Compact => listed(settings, Unions::<H, dd::Compact>::new(settings, directory)),
    }
}

/// A state to be looked up. The zone store holds its zone.
#[derive(Clone, Copy, Debug)]
struct State<'a> {
    /// The discrete part.
    discrete: &'a [i32],
    /// The same, packed.
    words: &'a [u32],
    zone: &'a Dbm,
    /// Looked at only if the cover is a_LU.
    bounds: &'a ClockBounds,
}

/// What a table says of a state.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Sight {
    /// It was visited, or so it seems.
    Known,
    /// It was not.
    New {
        /// How likely it was to be taken for a known one all the same.
        chance: f64,
    },
}

/// What became of a state that was to be entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    /// The table knows it now.
    Entered,
    /// The table knew it before: it was taken for another.
    Collided,
    /// There is no room.
    Full,
    /// It took long, and is not wanted any more.
    Abandoned,
}

/// How full a table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fill {
    places: u64,
    taken: u64,
}

/// What remembers which states were visited.
trait Passed<Z: Zones>: fmt::Debug {
    /// Whether it keeps zones, and compares with them.
    const KEEPS_ZONES: bool;
    /// Whether it takes no new state for a known one. Then several visited states may also cover one together.
    const IS_EXACT: bool = false;

    /// Whether a state was visited, as far as can be told.
    fn look(&mut self, state: &State<'_>, zones: &mut Z) -> Sight;

    /// Forgets visited states that this one covers. Returns how many.
    fn forget_covered(&mut self, state: &State<'_>, zones: &mut Z) -> usize;

    /// Remembers a state, and keeps the key of its zone if it keeps zones.
    fn enter(&mut self, state: &State<'_>, zone: ZoneKey) -> Entry;

    /// The same, unless that takes long and is not wanted any more.
    #[inline]
    fn enter_unless(&mut self, state: &State<'_>, zone: ZoneKey, _is_over: &dyn Fn() -> bool) -> Entry {
        self.enter(state, zone)
    }

    fn fill(&self) -> Fill;

    /// How many discrete states it knows; 0 if it cannot tell.
    fn discrete_states(&self) -> usize {
        0
    }

    fn memory(&self) -> Memory;
}

/// Whether a stored zone covers the held one.
#[inline]
fn covers<Z: Zones>(zones: &mut Z, cover: Cover, key: ZoneKey) -> bool {
    match cover {
        Cover::Equality => zones.is_equal(key),
        Cover::Inclusion => zones.includes(key),
        Cover::Alu => zones.simulates(key),
    }
}

/// Whether the held zone covers a stored one that does not cover it.
#[inline]
fn is_covered<Z: Zones>(zones: &mut Z, cover: Cover, key: ZoneKey) -> bool {
    match cover {
        Cover::Equality => false,
        Cover::Inclusion => zones.is_included(key),
        Cover::Alu => zones.is_simulated(key),
    }
}
