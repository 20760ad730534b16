//! Passed lists of a fixed size, as parts of a plan: what was asked for, and what is chosen where nothing was.
//!
//! The default size is 64 MiB: eleven million signatures of the default length, or 134 million states at four bits each,
//! and little beside what the exact list would take for as many. Pages of the table that nothing was entered in
//! take no memory of the system. Signatures have 47 bits, which with the bit that tells a slot is taken makes 6 bytes:
//! with ten million states something is left out by one search in nine million. Four bits for each state are the
//! choice of `store/src/passed/bitstate.rs`, where it is explained.

use tourbillon_base::Random;
use tourbillon_search::{Ended, Limits, Stats};
use tourbillon_store::{PassedWaiting, SIGNATURE_BITS_MAX, Settings, TableKind, TableSettings, build_table};

use crate::plan::{PlanRequest, Refusal};

/// The memory of a table.
const TABLE_BYTES: u64 = 64 << 20;
/// How many bits a state has in a table of bits, and at most.
const BITS_PER_STATE: u32 = 4;
const BITS_PER_STATE_MAX: u32 = 64;
/// How many bits a signature has.
const SIGNATURE_BITS: u32 = 47;

/// What the passed list keeps of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum PassedForm {
    /// All of it.
    #[default]
    Exact,
    /// A few bits of a table.
    Bitstate,
    /// A signature in a table.
    Compact,
    /// A signature of its discrete part in a table, and its zone.
    CompactZone,
}

/// What was asked of a table, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct HashingRequest {
    /// How many bytes it has.
    pub memory_bytes: Option<u64>,
    /// How many of its bits a state has, for [`PassedForm::Bitstate`].
    pub bits_per_state: Option<u32>,
    /// How many bits a signature has, for the others.
    pub signature_bits: Option<u32>,
    /// How many searches with different hash functions there are.
    pub passes: Option<u32>,
}

impl HashingRequest {
    /// Whether anything was asked.
    pub(crate) fn any(&self) -> bool {
        *self != Self::default()
    }

    /// Whether a number is outside its range.
    pub(crate) fn is_out_of_range(&self) -> bool {
        let outside = |wish: Option<u32>, max| wish.is_some_and(|wish| !(1..=max).contains(&wish));
        outside(self.bits_per_state, BITS_PER_STATE_MAX)
            || outside(self.signature_bits, SIGNATURE_BITS_MAX)
            || self.passes == Some(0)
    }
}

/// The table that was asked for, if one was.
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

/// What a passed list stores of a state, by its table.
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

/// What is said for it.
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
        "requested: a table of {} bytes with {keeps}{passes}; states may be omitted, so that a negative answer is not certain",
        table.memory_bytes
    )
}

/// An empty list with a table, for one pass of several.
pub(crate) fn list(
    settings: &Settings,
    table: &TableSettings,
    pass: u32,
) -> Result<Box<dyn PassedWaiting>, Refusal> {
    let too_large = |error| Refusal { why: format!("{error}: give it less with --passed-memory") };
    build_table(settings, &of_pass(table, pass)).map_err(too_large)
}

/// The table of one pass of several: each has a hash function of its own.
fn of_pass(table: &TableSettings, pass: u32) -> TableSettings {
    // Not what the function of the first pass is drawn from.
    let mut random = Random::from_seed(!table.seed);
    let seed = (0..pass).fold(table.seed, |_, _| random.next_u64());
    TableSettings { seed, ..*table }
}

/// Whether a search visited everything that it did not leave out.
pub(crate) fn is_complete(ended: &Ended, stats: &Stats) -> bool {
    *ended == Ended::Complete && stats.certainty.is_none_or(|certainty| !certainty.stopped)
}

/// The numbers of two passes: those of the one that visited more, and what is certain by both. If the second found
/// something or was cut short, it has the last word.
pub(crate) fn of_passes(one: &Stats, two: &Stats, ended: &Ended) -> Stats {
    if !is_complete(ended, two) {
        return *two;
    }
    let more = if two.visited > one.visited { two } else { one };
    let certainty = one.certainty.zip(two.certainty).map(|(one, two)| one.and(&two));
    Stats { certainty, ..*more }
}

/// Refuses a table that alone is beyond the limit on memory: nothing could be searched.
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
