//! What a set of stored states consists of, and how many bits it takes to write such a set down.
//!
//! A passed list has to find states, follow links and grow; how much of its memory is for that, and how much is what it
//! knows? The estimate is the length of a code for what it knows. Let there be `n` nodes over `d` discrete states, out of
//! `U` vectors that the values allow which each location and variable ever has, with `z` different zones among them, and
//! let the discrete state `i` have `k_i` of the zones:
//!
//! - which vectors are discrete states: one of `C(U, d)` subsets;
//! - how many zones each has: one of `C(n-1, d-1)` ways to write `n` as a sum of `d` numbers of at least 1;
//! - which zones each has: one of `C(z, k_i)` subsets, for each `i`;
//! - the zones themselves: for each the number `c` of its minimal constraints, which of the `p` pairs of clocks they are
//!   about, one of `C(p, c)`, and for each one of the `b` bounds that occur at all; less `z!` for their order, which means
//!   nothing.
//!
//! The bits are the logarithms of these numbers. That is the best one can do for *some* set of these sizes if all of
//! them are equally likely, and no bound for a particular one: the sets that models have are full of regularities, the
//! first being that the model itself generates the whole set. The tables of the values and of the `b` bounds are left out;
//! they are a few hundred numbers at most. Declared ranges in place of the values would make numbers of 16 bits count
//! for what they could be, and not for what they are.
//!
//! Counting takes a look at every stored node, and the shortest-path reduction of its zone
//! `[LarsenLarssonPetterssonYi1997]`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_model::EvalErrorKind;
use tourbillon_search::{Budget, Ended, Exhausted, Search};
use tourbillon_store::PassedWaiting;
use tourbillon_system::System;

use crate::plan::{PlanRequest, TraceKind};
use crate::prepare::{Extension, Job, Preparation, PrepareError, check_request};
use crate::property::Requirements;

/// What a set of stored states consists of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Census {
    /// Nodes.
    pub nodes: u64,
    /// Different discrete states among them.
    pub discrete_states: u64,
    /// The logarithm to base 2 of how many vectors the ranges of locations and variables allow.
    pub range_bits: f64,
    /// The same with the values that each of them has in some discrete state.
    pub value_bits: f64,
    /// Different zones among the nodes.
    pub zones: u64,
    /// Minimal constraints of these zones, together.
    pub constraints: u64,
    /// Different bounds among these constraints.
    pub bounds: u64,
    /// How many bits it takes to write the set down.
    pub bits: CensusBits,
    /// Why not everything is stored, if the exploration ended early: then this is what was stored by then.
    pub unfinished: Option<Exhausted>,
}

/// The bits that it takes to write a set of states down, by what they say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CensusBits {
    /// Which vectors are discrete states.
    pub discrete: f64,
    /// How many zones each discrete state has.
    pub counts: f64,
    /// Which zones these are.
    pub choices: f64,
    /// The zones themselves.
    pub zones: f64,
}

impl CensusBits {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.discrete + self.counts + self.choices + self.zones
    }
}

impl Census {
    /// The bytes for each node.
    #[must_use]
    pub fn bytes_per_node(&self) -> f64 {
        self.bits.total() / 8.0 / self.nodes.max(1) as f64
    }
}

/// Why nothing can be counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CensusError {
    /// Nothing can be explored.
    Check(PrepareError),
    /// The exploration came to no end, for this reason.
    Unfinished(&'static str),
    /// The list does not keep its states.
    NotKept,
}

impl fmt::Display for CensusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(error) => error.fmt(f),
            Self::Unfinished(why) => write!(f, "the exploration came to no end: {why}"),
            Self::NotKept => {
                f.write_str("the passed list does not keep its states, so they cannot be counted")
            }
        }
    }
}

impl std::error::Error for CensusError {}

impl<E: Into<PrepareError>> From<E> for CensusError {
    fn from(error: E) -> Self {
        Self::Check(error.into())
    }
}

/// Explores everything and counts what is stored. Queries are not looked at.
///
/// # Errors
/// If the model fails, has a clock that grows too large, or its states are not kept. If a limit is reached or the exploration is
/// interrupted, what is stored by then is counted.
pub fn census(job: &Job<'_>) -> Result<Census, CensusError> {
    check_request(&Job { queries: None, ..*job }).map_err(PrepareError::from)?;
    let plan_request = PlanRequest { trace: TraceKind::None, traces: None, ..job.plan_request.clone() };
    let job = Job { plan_request: &plan_request, ..*job };
    let prepared = Preparation::new(&job).exploration(Extension::None, Requirements::default())?;
    if !prepared.plan().keeps_states() {
        return Err(CensusError::NotKept);
    }
    let system = prepared.system();
    let list = tourbillon_store::build(&prepared.settings());
    let mut search = Search::new(prepared.graph(), list, prepared.cost_function());
    let unfinished = match search.find(None, &mut Budget::new(job.limits, job.stop), &mut |_| {}) {
        Ended::Complete | Ended::Enough | Ended::Found { .. } => None,
        Ended::Exhausted(what) => Some(what),
        Ended::Failed(failure) if matches!(failure.error.kind, EvalErrorKind::TooMany(..)) => {
            return Err(CensusError::Unfinished("a state has too many transitions"));
        }
        Ended::Failed(_) => return Err(CensusError::Unfinished("the model fails at run time")),
        Ended::Overflowed => return Err(CensusError::Unfinished("a clock grew past what a zone can hold")),
    };
    Ok(Census { unfinished, ..CensusCounter::of(system, search.list()).census(system) })
}

/// What is counted while looking at nodes.
struct CensusCounter {
    nodes: u64,
    /// How many zones each discrete state has.
    discrete: HashMap<Vec<i32>, u64>,
    /// The values of each location and variable.
    values: Vec<HashSet<i32>>,
    /// The zones, by their minimal constraints, which depend on the zone alone.
    zones: HashSet<Vec<Constraint>>,
}

impl CensusCounter {
    fn of(system: &System, list: &dyn PassedWaiting) -> Self {
        let fields = system.ranges.len();
        let mut counter = Self {
            nodes: 0,
            discrete: HashMap::new(),
            values: vec![HashSet::new(); fields],
            zones: HashSet::new(),
        };
        let mut discrete = vec![0; fields];
        let mut zone = Dbm::zero(system.dimension);
        for node in list.stored_nodes() {
            list.load(node, &mut discrete, &mut zone);
            counter.nodes += 1;
            counter.values.iter_mut().zip(&discrete).for_each(|(values, &value)| _ = values.insert(value));
            *counter.discrete.entry(discrete.clone()).or_default() += 1;
            counter.zones.insert(zone.minimal_constraints());
        }
        counter
    }

    fn census(&self, system: &System) -> Census {
        let range = |low: i32, high: i32| (f64::from(high) - f64::from(low) + 1.0).log2();
        let value_bits = self.values.iter().map(|values| log2(values.len() as u64)).sum();
        let bounds: HashSet<_> = self.zones.iter().flatten().map(|constraint| constraint.bound).collect();
        let size = system.dimension.size() as u64;
        Census {
            nodes: self.nodes,
            discrete_states: self.discrete.len() as u64,
            range_bits: system.ranges.iter().map(|field| range(field.min, field.max)).sum(),
            value_bits,
            zones: self.zones.len() as u64,
            constraints: self.zones.iter().map(|zone| zone.len() as u64).sum(),
            bounds: bounds.len() as u64,
            bits: CensusBits {
                discrete: log2_choose(value_bits, self.discrete.len() as u64),
                counts: self.bits_of_counts(),
                choices: self.bits_of_choices(),
                zones: self.bits_of_zones(size * (size - 1), bounds.len() as u64),
            },
            unfinished: None,
        }
    }

    fn bits_of_counts(&self) -> f64 {
        let states = self.discrete.len() as u64;
        if states < 2 { 0.0 } else { log2_choose(log2(self.nodes - 1), states - 1) }
    }

    fn bits_of_choices(&self) -> f64 {
        let zones = log2(self.zones.len() as u64);
        let each = histogram(self.discrete.values().copied());
        each.iter().map(|(&count, &states)| states as f64 * log2_choose(zones, count)).sum()
    }

    /// Of zones with constraints on so many pairs of clocks, and so many different bounds.
    fn bits_of_zones(&self, pairs: u64, bounds: u64) -> f64 {
        let zone = |constraints: u64| {
            log2(pairs + 1) + log2_choose(log2(pairs), constraints) + constraints as f64 * log2(bounds)
        };
        let each = histogram(self.zones.iter().map(|zone| zone.len() as u64));
        let listed: f64 = each.iter().map(|(&constraints, &zones)| zones as f64 * zone(constraints)).sum();
        let orders: f64 = (1..=self.zones.len() as u64).map(log2).sum();
        (listed - orders).max(0.0)
    }
}

/// How often each number occurs. In order, so that sums over it do not depend on chance.
fn histogram(numbers: impl Iterator<Item = u64>) -> BTreeMap<u64, u64> {
    let mut histogram = BTreeMap::new();
    for number in numbers {
        *histogram.entry(number).or_default() += 1;
    }
    histogram
}

/// That of nothing is taken to be that of one: there is nothing to choose from.
fn log2(number: u64) -> f64 {
    (number.max(1) as f64).log2()
}

/// Numbers up to this many bits are whole in floating point. Of larger ones, what is chosen from them is no part.
const WHOLE_BITS: f64 = 50.0;

/// The logarithm of in how many ways so many can be chosen out of as many as there are words of so many bits.
fn log2_choose(all_bits: f64, chosen: u64) -> f64 {
    let all = if all_bits < WHOLE_BITS { Some(all_bits.exp2().round()) } else { None };
    let left = |taken: u64| all.map_or(all_bits, |all| (all - taken as f64).log2());
    let bits: f64 = (0..chosen).map(|taken| left(taken) - log2(taken + 1)).sum();
    // Where everything is chosen, rounding may leave a little less than nothing.
    bits.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_counted() {
        let mut row = vec![1.0_f64];
        for all in 1..60_u64 {
            row = (0..=all as usize)
                .map(|k| {
                    let above = |index: usize| row.get(index).copied().unwrap_or(0.0);
                    above(k) + if k > 0 { above(k - 1) } else { 0.0 }
                })
                .collect();
            for (chosen, ways) in row.iter().enumerate() {
                let bits = log2_choose(log2(all), chosen as u64);
                assert!((bits - ways.log2()).abs() < 1e-9, "{chosen} of {all}: {bits}");
            }
        }
    }

    #[test]
    fn choices_from_very_many_are_counted_too() {
        // 2^600 · (2^600 - 1) · (2^600 - 2) / 6, of which the second and third factor are as good as the first.
        assert!((log2_choose(600.0, 3) - (1800.0 - 6_f64.log2())).abs() < 1e-9);
        let (below, above) = (log2_choose(49.999_999, 1000), log2_choose(50.000_001, 1000));
        assert!((above - below - 0.002).abs() < 1e-3, "{below} {above}");
    }
}
