//! The axes of the store, and the one place where they are put together.
//!
//! The forms of discrete states and zones are type parameters of the list, so that a test of a zone is not a
//! virtual call; the finished list is a trait object, so that a search is compiled once. That is one virtual call
//! per offer.

use tourbillon_dbm::Dimension;

use crate::discrete::{Bits, Digits, Discrete, Merging, Plain, Shared, Tree};
use crate::interface::PassedWaiting;
use crate::list::List;
use crate::zones::Matrices;

/// How zones are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ZoneForm {
    /// One copy for each node.
    Plain,
    /// Equal zones once.
    Shared,
}

/// How discrete states are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiscreteForm {
    /// Every field in 32 bits.
    Plain,
    /// Every field in as many bits as its range needs.
    Bits,
    /// All fields as one number in a mixed base.
    Digits,
    /// Equal location vectors once, and equal variable vectors; a state is a pair of numbers.
    Shared,
    /// Cut in halves again and again, equal parts once.
    Tree,
}

/// When a stored state makes another superfluous. Both have the same discrete part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cover {
    /// When their zones are equal.
    Equality,
    /// When its zone includes the other.
    Inclusion,
    /// When the other zone is included in a_LU of its own.
    Alu,
}

/// In which order waiting nodes are popped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// The oldest first.
    Bfs,
    /// The newest first.
    Dfs,
    /// Any, each as likely.
    Random,
    /// The cheapest first, the oldest of those.
    Cheapest,
}

/// What a list is made for, and of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The smallest and the largest value of each field of a discrete state.
    pub ranges: Vec<(i32, i32)>,
    /// How many of the fields, from the first on, are locations.
    pub split: usize,
    /// How many clocks there are.
    pub dimension: Dimension,
    /// How zones are stored.
    pub zones: ZoneForm,
    /// How discrete states are stored.
    pub discrete: DiscreteForm,
    /// Whether tables are as full as they can be, and searches in them longer.
    pub tight: bool,
    /// What covers what.
    pub cover: Cover,
    /// Whether an offer is compared with waiting nodes too. If not, it waits unseen, and is compared with passed
    /// ones when it is popped.
    pub waiting_inclusion: bool,
    /// In which order nodes are popped.
    pub order: Order,
    /// What the random order is drawn from.
    pub seed: u64,
    /// Whether parents and steps are kept.
    pub traces: bool,
    /// Whether a waiting node stays although a later one covers it. Only then is every state that is first reached
    /// after some number of steps still popped after as many: the one that covers it may wait further back.
    pub spare_waiting: bool,
}

/// An empty list.
///
/// # Panics
/// If `split` exceeds the number of fields, or a range is empty.
#[must_use]
pub fn build(settings: &Settings) -> Box<dyn PassedWaiting> {
    assert!(settings.split <= settings.ranges.len(), "more locations than fields");
    assert!(settings.ranges.iter().all(|(low, high)| low <= high), "a field without values");
    // A node that waits unseen is saved without having been looked up, and so is another of the same state.
    let merging = if settings.waiting_inclusion { Merging::Never } else { Merging::Always };
    let Settings { ranges, split, .. } = settings;
    match settings.discrete {
        DiscreteForm::Plain => with_zones(settings, Plain::new(ranges, merging)),
        DiscreteForm::Bits => with_zones(settings, Bits::new(ranges, merging)),
        DiscreteForm::Digits => with_zones(settings, Digits::new(ranges, merging)),
        DiscreteForm::Shared => with_zones(settings, Shared::new(ranges, *split)),
        DiscreteForm::Tree => with_zones(settings, Tree::new(ranges)),
    }
}

fn with_zones<D: Discrete + 'static>(settings: &Settings, discrete: D) -> Box<dyn PassedWaiting> {
    let sharing = settings.zones == ZoneForm::Shared;
    Box::new(List::new(settings, discrete, Matrices::new(settings.dimension, sharing)))
}
