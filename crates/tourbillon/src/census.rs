//! The census of stored states, and a lower estimate of their size.

use serde_json::{Value, json};
use tourbillon_check::{Census, CensusError};

use crate::check::{CheckError, Request, with_job};
use crate::load::Loaded;
use crate::report::exhausted;

/// The name and version of the schema of [`census_json`].
pub const CENSUS_SCHEMA: &str = "tourbillon-census/1";

/// Explores the whole state space and counts what is stored: nodes, discrete states, zones and their constraints. The
/// queries of the request are ignored; its plan and limits are used.
///
/// ```
/// use tourbillon::{Request, census, load};
///
/// let text = b"clock x; process P() { state A { x < 3 }, B; init A; trans A -> B { guard x > 2; }; } system P;";
/// let census = census(&load("p.xta", text), &Request::default())?;
/// assert_eq!((census.nodes, census.discrete_states, census.zones), (2, 2, 1));
/// assert_eq!((census.range_bits, census.value_bits), (1.0, 1.0));
/// # Ok::<(), tourbillon::CheckError>(())
/// ```
///
/// # Errors
/// If the model is wrong, or states are not kept. What a limit or an interruption leaves out is not counted, and
/// [`Census::unfinished`] says so.
pub fn census(loaded: &Loaded, request: &Request<'_>) -> Result<Census, CheckError> {
    with_job(loaded, request, |job| {
        tourbillon_check::census(job).map_err(|uncounted| match uncounted {
            CensusError::Check(error) => error.into(),
            other => CheckError::Request(other.to_string()),
        })
    })
}

/// Why a census is not complete, in a sentence; `None` if it is.
#[must_use]
pub fn census_unfinished(census: &Census) -> Option<&'static str> {
    census.unfinished.map(exhausted)
}

/// A census as JSON.
#[must_use]
pub fn census_json(census: &Census) -> Value {
    let bits = census.bits;
    json!({
        "schema": CENSUS_SCHEMA,
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "unfinished": census_unfinished(census),
        "nodes": census.nodes,
        "discrete_states": census.discrete_states,
        "range_bits": census.range_bits,
        "value_bits": census.value_bits,
        "zones": census.zones,
        "constraints": census.constraints,
        "bounds": census.bounds,
        "bits": {
            "discrete": bits.discrete,
            "counts": bits.counts,
            "choices": bits.choices,
            "zones": bits.zones,
            "total": bits.total(),
        },
        "bytes_per_node": census.bytes_per_node(),
    })
}
