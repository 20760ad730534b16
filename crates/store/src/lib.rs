//! The passed/waiting list, and its storage of discrete states and zones.
//!
//! A search offers every state that it reaches to one structure, which refuses it if a stored state covers it, and
//! otherwise stores it, to be popped once and expanded. The structure unifies the passed and the waiting list
//! `[DavidBehrmannLarsenYi2003]`: one look-up decides, and the waiting order holds only node ids.
//!
//! ```text
//!   offer ──▶ index of discrete states ──▶ first node ──▶ node ──▶ last node, with the code of the state
//!                                              │ zone                              │ discrete/
//!   pop ◀── waiting/  node ids in some order   ▼                                   ▼
//!                                            zones/  shared where equal          locations and variables
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `interface.rs`, `settings.rs` | the interface; the settings, and the list built from them |
//! | `list.rs`, `shard.rs`, `origins.rs`, `parameters.rs` | the list; its nodes; the origins of nodes, for traces; the cover parameters of waiting nodes |
//! | `shards/` | lists for several threads, which change in rounds: their interface, and the exact list |
//! | `buckets.rs`, `node.rs` | nodes by discrete state; one node |
//! | `repack.rs` | a list that is rewritten in a smaller form when memory runs short |
//! | `passed/` | probabilistic passed lists: bits or signatures in a table of fixed size; unions of zones |
//! | `handles.rs` | discrete states with handles of unions that are stored elsewhere |
//! | `coloured.rs` | states with colours, for cycle detection |
//! | `discrete/` | discrete states and their codes: `plain`, `bits`, `digits`, `shared`, `tree` |
//! | `zones/` | zones under keys, compared in their stored form |
//! | `waiting/`, `ranks.rs` | the orders: `bfs`, `dfs`, `random`, `cheapest`; ranks, for `ranked` |
//! | `column.rs`, `packed.rs`, `slab.rs` | memory in chunks: of items, of numbers in few bits, of records |
//! | `index.rs`, `hash.rs` | finding numbers by hash |
//!
//! This crate does not depend on automata: a discrete state is a vector of numbers with known ranges.
//!
//! > **Invariant.** Memory grows in chunks. Between two chunks no offer calls the allocator; one that is refused
//! > does so only if its bounds are too wide for the slots so far, which happens twice at most.

mod adaptive;
mod buckets;
mod coloured;
mod column;
mod cover;
mod discrete;
mod handles;
mod hash;
mod head_codes;
mod index;
mod interface;
mod list;
mod node;
mod origins;
mod packed;
mod parameters;
mod passed;
mod probe;
mod ranks;
mod repack;
mod settings;
mod shard;
mod shards;
mod slab;
mod waiting;
mod zones;

pub use coloured::{Colour, Coloured, ColouredMatch, build_coloured};
pub use cover::{Cover, CoverParameters};
pub use handles::UnionHandles;
pub use interface::{
    Counts, Divided, Interrupted, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef,
};
pub use passed::{
    Certainty, SIGNATURE_BITS_MAX, TABLE_BYTES_MIN, TableKind, TableSettings, TableTooLarge, WhenFull,
    build_table, build_waiting,
};
pub use probe::Probe;
pub use repack::{Packing, build_packing};
pub use settings::{
    DIAGRAM_CLOCKS_MAX, DIAGRAM_FIELDS_MAX, DiagramForm, DiagramSettings, DiscreteForm, Order, Settings,
    ZoneForm, build,
};
pub use shards::{BoundsSource, CandidateList, Candidates, InsertMemory, RoundList, RoundReader, SHARDS};
pub use tourbillon_dd::{
    Constraints as DiagramConstraints, Inclusion as DiagramInclusion, Settings as DiagramChoices,
    VariableOrder as DiagramOrder,
};
