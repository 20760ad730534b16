//! The families.

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::error::Error;
use crate::known::Known;
use crate::{
    blow_up, bridge, corsso, critical_region, critical_region_exclusive, csmacd, csmacd_broadcast,
    dining_philosophers, fddi, fischer, flexray, lynch, train_gate,
};

/// A family of networks, one for each number of a range.
#[derive(Clone, Debug)]
pub struct Family {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) parameter: &'static str,
    pub(crate) sizes: RangeInclusive<u32>,
    pub(crate) xta: fn(u32) -> String,
    pub(crate) tck: fn(u32) -> String,
    pub(crate) queries: fn(u32) -> Vec<Query>,
    pub(crate) known: &'static [Known],
}

/// A query about a member of a family, in UPPAAL's query language and by the names of its `xta` text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    pub formula: String,
    /// Its meaning in words.
    pub comment: String,
    /// The answer, where it is known.
    pub expected: Option<bool>,
}

impl Query {
    pub(crate) fn new(expected: bool, comment: &str, formula: &str) -> Self {
        Self { formula: formula.to_owned(), comment: comment.to_owned(), expected: Some(expected) }
    }
}

impl Family {
    /// The name, such as `train-gate`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// One line that says what is modelled.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// What the number counts, such as "number of trains".
    #[must_use]
    pub fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// The numbers for which there is a member.
    #[must_use]
    pub fn sizes(&self) -> RangeInclusive<u32> {
        self.sizes.clone()
    }

    /// Measured sizes of zone graphs, smaller members first.
    #[must_use]
    pub fn known(&self) -> &'static [Known] {
        self.known
    }

    /// The member as UPPAAL text, in the syntax of version 4.
    ///
    /// # Errors
    /// If there is no such member, as for all that follow.
    pub fn xta(&self, n: u32) -> Result<String, Error> {
        self.member(n).map(self.xta)
    }

    /// The member as TChecker text.
    ///
    /// # Errors
    /// See [`Family::xta`].
    pub fn tck(&self, n: u32) -> Result<String, Error> {
        self.member(n).map(self.tck)
    }

    /// Queries about the member; at least one says that something bad cannot happen or that it can, and at
    /// least one that something can be reached.
    ///
    /// # Errors
    /// See [`Family::xta`].
    pub fn queries(&self, n: u32) -> Result<Vec<Query>, Error> {
        self.member(n).map(self.queries)
    }

    /// The queries as the text of a `.q` file, each after a comment that ends in its expected answer.
    ///
    /// # Errors
    /// See [`Family::xta`].
    pub fn q(&self, n: u32) -> Result<String, Error> {
        let mut text = String::new();
        for Query { formula, comment, expected } in self.queries(n)? {
            let expectation = match expected {
                Some(true) => " EXPECT:T",
                Some(false) => " EXPECT:F",
                None => "",
            };
            write!(text, "/* {comment}{expectation} */\n{formula}\n\n")
                .expect("writing to a string cannot fail");
        }
        Ok(text)
    }

    fn member(&self, n: u32) -> Result<u32, Error> {
        if self.sizes.contains(&n) { Ok(n) } else { Err(Error::no_such_member(self.name, n)) }
    }
}

#[must_use]
pub fn families() -> &'static [Family] {
    const FAMILIES: &[Family] = &[
        fischer::FAMILY,
        csmacd::FAMILY,
        csmacd_broadcast::FAMILY,
        fddi::FAMILY,
        critical_region::FAMILY,
        critical_region_exclusive::FAMILY,
        lynch::FAMILY,
        train_gate::FAMILY,
        corsso::FAMILY,
        dining_philosophers::FAMILY,
        bridge::FAMILY,
        blow_up::FAMILY,
        flexray::FAMILY,
        flexray::bytes::FAMILY,
        flexray::broken::FAMILY,
    ];
    FAMILIES
}

/// The family of this name.
///
/// # Errors
/// If there is none.
pub fn family(name: &str) -> Result<&'static Family, Error> {
    families().iter().find(|family| family.name == name).ok_or_else(|| Error::no_such_family(name))
}
