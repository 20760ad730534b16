//! Stored forms of zones: smaller than the matrix, and comparable without decoding.
//!
//! | form | what it keeps | size, 10 clocks, as in Fischer's protocol | inclusion |
//! |---|---|---|---|
//! | [`Narrow`] | every bound of the rows that are not universal, in one, two or four bytes | 24 bytes | a vector comparison |
//! | [`Bits`] | the same, every bound in a few bits and a test bit | 10 bytes | a subtraction per row |
//! | [`Digits`] | the same, the bounds of a row as digits of a number | 6 bytes | a division per digit |
//! | [`Minimal`] | the constraints of the shortest-path reduction, bit by bit | 3 to 12 bytes | a look-up per constraint |
//!
//! The matrix itself takes 704 bytes there, padding included. A form encodes and decodes zones into and from slices
//! of words that a store keeps wherever it likes. All of them are canonical: the words are equal iff the zones are,
//! so that zones can be shared by comparing words.
//!
//! `Bits` and `Digits` write numbers for bounds: which for which, is said by [`Codes`].

mod bits;
mod codes;
mod digits;
mod minimal;
mod narrow;
mod packed;

use std::fmt;

pub use bits::{Bits, TestBits};
pub use codes::Codes;
pub use digits::{Base, Digits};
pub use minimal::Minimal;
pub use narrow::{Narrow, Slot, Written, widened};
pub use packed::{Coding, Packed};

use crate::dbm::Dbm;

/// A way to store zones of one dimension.
///
/// # Panics
/// All functions that take `words` panic, or give a meaningless zone, if those were not written by
/// [`encode`](Form::encode) of the same form; all that take a zone panic if it has another dimension.
pub trait Form {
    /// What an encoded zone is a slice of.
    type Word: Copy + Eq + std::hash::Hash + fmt::Debug;

    /// Appends the encoded zone to `words`.
    ///
    /// # Errors
    /// If the form cannot hold this zone exactly. Nothing is appended then.
    fn encode(&self, zone: &Dbm, words: &mut Vec<Self::Word>) -> Result<(), Unencodable>;

    /// Overwrites `zone` with the encoded one.
    fn decode(&self, words: &[Self::Word], zone: &mut Dbm);

    /// Whether the encoded zone includes `zone`. Never decodes the whole of it.
    fn includes(&self, words: &[Self::Word], zone: &Dbm) -> bool;

    /// Whether `zone` includes the encoded one. Decodes into `scratch` only where the form leaves no other
    /// way.
    fn is_included(&self, words: &[Self::Word], zone: &Dbm, scratch: &mut Dbm) -> bool;
}

/// A zone that a form cannot hold, since one of its bounds does not fit or has no code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unencodable;

impl fmt::Display for Unencodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the zone has a bound that the stored form has no code for")
    }
}

impl std::error::Error for Unencodable {}
