//! Zones in storage: forms smaller than the matrix, and what can be asked of them as they are.
//!
//! | form | what it keeps | size, 8 clocks, constants up to 100 | inclusion |
//! |---|---|---|---|
//! | [`Bits`] | every bound in as many bits as the model's constants need, and a test bit | 96 bytes, always | a subtraction per 64-bit word |
//! | [`Digits`] | every bound as a digit of one long number | 80 bytes, always | a division per digit |
//! | [`Minimal`] | the constraints of the shortest-path reduction | 4 bytes and about 6 per constraint | a look-up per constraint |
//!
//! | [`Narrow`] | every bound of the rows that are not universal, in one, two or four bytes | up to 88, 176 or 352 bytes | a vector comparison |
//!
//! The matrix itself takes 576 bytes there, padding included. A form is made once for a model and then
//! encodes and decodes zones into and from slices of words that a store keeps wherever it likes. All of them
//! are canonical: the words are equal iff the zones are, so that zones can be shared by comparing words.
//!
//! `Bits` and `Digits` need to know beforehand which bounds can occur: that is [`Ranges`].

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

/// A zone that a form cannot hold, since one of its bounds is outside the [`Ranges`] that the form was made
/// for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unencodable;

impl fmt::Display for Unencodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the zone has a bound outside the range that the stored form was made for")
    }
}

impl std::error::Error for Unencodable {}
