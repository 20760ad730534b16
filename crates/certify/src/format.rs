//! The header of a certificate, and what is wrong with a file that is none.
//!
//! `docs/certificate.md` describes the whole format; a change here is a change there. The header is one line of JSON. It says of
//! which model and which answers the file is a certificate, and how large the invariants are that follow it in blocks:
//! `format_read.rs` reads these and `format_write.rs` writes them.
//!
//! Nothing that a header says is believed: counts bound what is read, and decide nothing.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The format's name, the first thing in a file.
pub const FORMAT: &str = "tourbillon-certificate";
/// The version of the format that is read and written here.
pub const VERSION: u32 = 1;
/// The version of the semantics that the conditions speak of.
pub const SEMANTICS: u32 = 1;
/// How many bytes a header may have, its line feed included.
pub const HEADER_BYTES_MAX: usize = 16 << 20;
/// How many bytes a block may have when it is decompressed.
pub const BLOCK_BYTES_MAX: usize = 16 << 20;
/// After how many bytes the writer ends a block.
pub const BLOCK_BYTES: usize = 1 << 20;
/// How large the constant of a constraint may be, without its sign.
pub const CONSTANT_MAX: i64 = 1 << 40;

/// The first line of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub format: String,
    pub version: u32,
    /// What wrote it, for people.
    pub tool: String,
    pub semantics: u32,
    pub model: ModelName,
    /// The answers that it certifies.
    pub queries: Vec<CertifiedQuery>,
    /// What the blocks hold, in their order.
    pub invariants: Vec<InvariantHeader>,
}

/// Of which model a certificate is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelName {
    /// For people.
    pub name: String,
    /// [`tourbillon_model::model_hash`].
    pub sha256: String,
}

/// A query and the answer to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedQuery {
    pub text: String,
    pub claim: Claim,
}

/// What is claimed of a query; the numbers are those of invariants.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Claim {
    /// `E<> p` is violated, `A[] p` is satisfied.
    Never { reach: usize },
    /// No state that counts has a value beyond these: one for each measure of the query.
    Bounds { reach: usize, measures: Vec<ClaimedRange> },
    /// `E[] p` is violated, `A<> p` is satisfied.
    Avoid { avoid: usize },
    /// `p --> q` is satisfied.
    Response { reach: usize, avoid: usize },
    /// No run satisfies each of the predicates infinitely often.
    Recurrence { reach: usize },
}

impl Claim {
    /// The same claim of invariants with other numbers.
    #[must_use]
    pub fn renumbered(self, number: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Never { reach } => Self::Never { reach: number(reach) },
            Self::Bounds { reach, measures } => Self::Bounds { reach: number(reach), measures },
            Self::Avoid { avoid } => Self::Avoid { avoid: number(avoid) },
            Self::Response { reach, avoid } => Self::Response { reach: number(reach), avoid: number(avoid) },
            Self::Recurrence { reach } => Self::Recurrence { reach: number(reach) },
        }
    }
}

/// Between which values a measure is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimedRange {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<ClaimedBound>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<ClaimedBound>,
    /// That no state counts at all, so that there is no value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub empty: bool,
}

/// One end of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimedBound {
    pub value: i64,
    /// Whether the value itself is beyond it.
    pub strict: bool,
}

/// Which relation between zones covers a successor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cover {
    Inclusion,
    /// The abstraction a_LU, with the bounds of the header.
    Lu,
}

/// A clock, as the model numbers it, and the constants L and U; a missing one is minus infinity.
pub type ClockConstants = (usize, Option<i64>, Option<i64>);

/// An invariant: how its successors are covered, and how large it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvariantHeader {
    pub cover: Cover,
    /// Whether entries have ranks.
    pub ranked: bool,
    /// Whether states with a committed location may be missing.
    pub transient: bool,
    /// For each process and each of its locations, the constants of clocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Vec<Vec<ClockConstants>>>,
    /// Permutations under which the invariant is closed before it is checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generators: Vec<Generator>,
    pub zone_blocks: u64,
    pub state_blocks: u64,
    /// How many zones, states and entries the blocks have together.
    pub zones: u64,
    pub states: u64,
    pub entries: u64,
}

/// A map of states to states.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generator {
    /// For each process, the one that is in the image where this one is.
    pub processes: Vec<usize>,
    /// For each clock, the one that has its value in the image.
    pub clocks: Vec<usize>,
    /// For each component of the vector that is a cell, the one that has its value in the image.
    pub cells: Vec<usize>,
    /// For cells whose values change: pairs of the value and its image. Others stay.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<usize, Vec<(i32, i32)>>,
}

/// `x_i - x_j` is at most a bound: `(<= c)` is `2c + 1` and `(< c)` is `2c`. Index 0 is the reference, which is always 0, and
/// index `k + 1` the clock `k` of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    pub left: usize,
    pub right: usize,
    pub bound: i64,
}

/// Why a file is no certificate of a model: it cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError(pub(crate) String);

impl FormatError {
    pub(crate) fn new<T>(what: impl Into<String>) -> Result<T, Self> {
        Err(Self(what.into()))
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FormatError {}

impl Header {
    /// The header of a file, and what follows it.
    ///
    /// # Errors
    /// If there is none, or it is one of another format or version.
    pub fn read(file: &[u8]) -> Result<(Self, &[u8]), FormatError> {
        let start = &file[..file.len().min(HEADER_BYTES_MAX)];
        let Some(end) = start.iter().position(|&byte| byte == b'\n') else {
            return FormatError::new("no header: the first line does not end");
        };
        let header: Self = match serde_json::from_slice(&file[..end]) {
            Ok(header) => header,
            Err(error) => return FormatError::new(format!("the header cannot be read: {error}")),
        };
        if header.format != FORMAT {
            return FormatError::new(format!("the format is `{}`, not `{FORMAT}`", header.format));
        }
        if (header.version, header.semantics) != (VERSION, SEMANTICS) {
            let (version, semantics) = (header.version, header.semantics);
            return FormatError::new(format!(
                "version {version} with semantics {semantics}; only {VERSION} with {SEMANTICS} is known"
            ));
        }
        Ok((header, &file[end + 1..]))
    }
}
