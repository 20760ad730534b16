//! Probabilistic passed lists as parts of a plan: the request, and the defaults.
//!
//! The default size of the table is 64 MiB: eleven million signatures of the default length, or 134 million states at four bits each,
//! and little compared with an exact list of as many states. Pages of the table without entries take no memory. Signatures have 47
//! bits, which with the bit that marks an occupied slot makes 6 bytes: with ten million states one search in nine million omits a
//! state. `store/src/passed/bitstate.rs` explains the four bits for each state.

use tourbillon_base::Random;
use tourbillon_search::{Ended, Limits, Stats};
use tourbillon_store::{PassedWaiting, SIGNATURE_BITS_MAX, Settings, TableKind, TableSettings, build_table};

use crate::plan::{PlanRequest, Refusal};

/// The default memory of a table.
const TABLE_BYTES: u64 = 64 << 20;
/// The default and maximum number of bits for each state of a bitstate table.
const BITS_PER_STATE: u32 = 4;
const BITS_PER_STATE_MAX: u32 = 64;
/// The default number of bits of a signature.
const SIGNATURE_BITS: u32 = 47;

/// The form of states in the passed list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum PassedForm {
    /// The whole state.
    #[default]
    Exact,
    /// Bitstate hashing: a few bits of a table.
    Bitstate,
    /// Hash compaction: a signature in a table.
    Compact,
    /// Hash compaction of the discrete state, with the zone.
    CompactZone,
}

/// The requested parameters of a probabilistic passed list.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct HashingRequest {
    /// The bytes of the table.
    pub memory_bytes: Option<u64>,
    /// The bits for each state, for [`PassedForm::Bitstate`].
    pub bits_per_state: Option<u32>,
    /// The bits of a signature, for hash compaction.
    pub signature_bits: Option<u32>,
    /// The maximum number of searches with different hash functions.
    pub passes: Option<u32>,
}

impl HashingRequest {
    /// Whether any parameter is requested.
    pub(crate) fn any(&self) -> bool {
        *self != Self::default()
    }

    /// Whether a number is outside its range.
    pub(crate) fn is_out_of_range(&self) -> bool {
        let outside = |value: Option<u32>, max| value.is_some_and(|value| !(1..=max).contains(&value));
        outside(self.bits_per_state, BITS_PER_STATE_MAX)
            || outside(self.signature_bits, SIGNATURE_BITS_MAX)
            || self.passes == Some(0)
    }
}

/// The settings of the requested table, if one is requested.
pub(crate) fn table(plan_request: &PlanRequest) -> Option<TableSettings> {
    let bits = plan_request.table.signature_bits.unwrap_or(SIGNATURE_BITS);
    let kind = match plan_request.passed {
        PassedForm::Exact => return None,
        PassedForm::Bitstate => {
            TableKind::Bits { per_state: plan_request.table.bits_per_state.unwrap_or(BITS_PER_STATE) }
        }
        PassedForm::Compact => TableKind::Signatures { bits },
        PassedForm::CompactZone => TableKind::SignaturesAndZones { bits },
    };
    let memory_bytes = plan_request.table.memory_bytes.unwrap_or(TABLE_BYTES);
    Some(TableSettings {
        kind,
        memory_bytes,
        when_full: plan_request.when_full.unwrap_or_default(),
        seed: plan_request.seed,
    })
}

/// The form of states in a passed list with this table.
pub(crate) const fn form(table: Option<&TableSettings>) -> PassedForm {
    match table {
        None => PassedForm::Exact,
        Some(table) => match table.kind {
            TableKind::Bits { .. } => PassedForm::Bitstate,
            TableKind::Signatures { .. } => PassedForm::Compact,
            TableKind::SignaturesAndZones { .. } => PassedForm::CompactZone,
        },
    }
}

/// The reason in a plan.
pub(crate) fn reason(table: &TableSettings, passes: u32) -> String {
    let keeps = match table.kind {
        TableKind::Bits { per_state: 1 } => "1 bit for each state".to_owned(),
        TableKind::Bits { per_state } => format!("{per_state} bits for each state"),
        TableKind::Signatures { bits } => format!("signatures of {bits} bits"),
        TableKind::SignaturesAndZones { bits } => {
            format!("signatures of {bits} bits for discrete states, and complete zones")
        }
    };
    let passes = if passes > 1 { format!(", up to {passes} times") } else { String::new() };
    format!(
        "requested: a table of {} bytes with {keeps}{passes}; states may be omitted, so a negative answer is not certain",
        table.memory_bytes
    )
}

/// An empty list with the table of one pass.
pub(crate) fn list(
    settings: &Settings,
    table: &TableSettings,
    pass: u32,
) -> Result<Box<dyn PassedWaiting>, Refusal> {
    let too_large = |error| Refusal { why: format!("{error}: give it less with --passed-memory") };
    build_table(settings, &of_pass(table, pass)).map_err(too_large)
}

/// The table of one pass: each has a hash function of its own.
fn of_pass(table: &TableSettings, pass: u32) -> TableSettings {
    // Not the seed of the first pass.
    let mut random = Random::from_seed(!table.seed);
    let seed = (0..pass).fold(table.seed, |_, _| random.next_u64());
    TableSettings { seed, ..*table }
}

/// Whether a search is complete, except for states that its table omits.
pub(crate) fn is_complete(ended: &Ended, stats: &Stats) -> bool {
    *ended == Ended::Complete && stats.certainty.is_none_or(|certainty| !certainty.stopped)
}

/// The statistics of two passes: those of the one that visited more, with the joint omission probability. If the second
/// is incomplete, its own.
pub(crate) fn of_passes(one: &Stats, two: &Stats, ended: &Ended) -> Stats {
    if !is_complete(ended, two) {
        return *two;
    }
    let more = if two.visited > one.visited { two } else { one };
    let certainty = one.certainty.zip(two.certainty).map(|(one, two)| one.and(&two));
    Stats { certainty, ..*more }
}

/// Refuses a table that exceeds the memory limit.
pub(crate) fn fits(plan_request: &PlanRequest, limits: &Limits) -> Result<(), Refusal> {
    let (Some(table), Some(limit)) = (table(plan_request), limits.memory_bytes) else { return Ok(()) };
    if table.memory_bytes < limit {
        return Ok(());
    }
    let why = format!(
        "the table of the passed list takes {} bytes, and the limit on memory is {limit}: give it less with --passed-memory",
        table.memory_bytes
    );
    Err(Refusal { why })
}
