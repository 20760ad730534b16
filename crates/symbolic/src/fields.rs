//! Discrete states as vectors of BDD variables.
//!
//! A discrete state is a vector of fields, locations first and then variables, as in the explicit engine. A field with
//! `n` values has as many bits as `n - 1` needs, and holds the distance from its least value: a location its index, a
//! variable of `int[1,8]` three bits. Each bit has two Boolean variables, current and next, adjacent in the order;
//! variables for the selections of edges follow.
//!
//! **Order.** Sets are smaller if related fields are adjacent. The relation is read off the edges: an edge relates the
//! location of its process and all fields that its labels mention, and two synchronising edges relate theirs. Fields
//! are then moved repeatedly to the centre of gravity of their related fields, as long as this reduces the total span
//! (FORCE, `[AloulMarkovSakallah2003]`).

use tourbillon_dd::{AssignmentCounter, Bdd, BddResult, Bdds, Cube, Renaming};
use tourbillon_model::Range;

use crate::words::{Arithmetic, Word};

/// The encoding of discrete states in bits.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    fields: Vec<Field>,
    /// The number of bits of a state.
    bits: u32,
    /// For each process, the first variable of its selections.
    choices: Vec<u32>,
    variables: u32,
}

/// A field of a discrete state.
#[derive(Clone, Debug)]
struct Field {
    range: Range,
    /// Its bits, the lowest first, by index in the variable order.
    bits: Vec<u32>,
}

/// The current and the next variable of a bit.
const fn now(bit: u32) -> u32 {
    2 * bit
}

const fn next(bit: u32) -> u32 {
    2 * bit + 1
}

/// The number of bits for this many values.
fn bits_for(values: u64) -> u32 {
    u64::BITS - (values - 1).leading_zeros()
}

impl Fields {
    /// Fields with these ranges and groups of related fields; and for each process, the number of bits of its
    /// selections.
    pub(crate) fn new(ranges: &[Range], groups: &[Vec<usize>], choices: &[u32]) -> Self {
        let mut fields: Vec<Field> = ranges.iter().map(|&range| Field { range, bits: Vec::new() }).collect();
        let mut bits = 0;
        for index in arrange(ranges.len(), groups) {
            let count = bits_for(ranges[index].len());
            // The highest bit is on top.
            fields[index].bits = (bits..bits + count).rev().collect();
            bits += count;
        }
        let mut variables = 2 * bits;
        let choices = choices
            .iter()
            .map(|&count| {
                let first = variables;
                variables += count;
                first
            })
            .collect();
        Self { fields, bits, choices, variables }
    }

    /// The number of Boolean variables.
    pub(crate) fn variables(&self) -> u32 {
        self.variables
    }

    /// The number of bits of a state.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// The current and next variables of each bit, which reordering keeps together; then those of selections.
    pub(crate) fn groups(&self) -> Vec<Vec<u32>> {
        let states = (0..self.bits).map(|bit| vec![now(bit), next(bit)]);
        states.chain((2 * self.bits..self.variables).map(|variable| vec![variable])).collect()
    }

    /// The value of a field.
    pub(crate) fn word(&self, bdds: &Bdds, field: usize) -> BddResult<Word> {
        let Field { range, bits } = &self.fields[field];
        let words = Arithmetic { bdds };
        let bits = bits.iter().map(|&bit| bdds.variable(now(bit))).collect::<BddResult<_>>()?;
        words.add(&words.natural(bits), &words.constant(range.min.into()))
    }

    /// The selection of a process with these bits, after `skip` others.
    pub(crate) fn choice(&self, bdds: &Bdds, process: usize, skip: u32, range: Range) -> BddResult<Word> {
        let words = Arithmetic { bdds };
        let first = self.choices[process] + skip;
        let bits = (first..first + bits_for(range.len())).map(|variable| bdds.variable(variable));
        words.add(&words.natural(bits.collect::<BddResult<_>>()?), &words.constant(range.min.into()))
    }

    /// The number of bits of a selection from a range.
    pub(crate) fn choice_bits(range: Range) -> u32 {
        bits_for(range.len())
    }

    /// The states in which every field has a value of its range.
    pub(crate) fn legal(&self, bdds: &Bdds) -> BddResult {
        let words = Arithmetic { bdds };
        let mut legal = bdds.yes();
        for (index, field) in self.fields.iter().enumerate() {
            if !field.range.len().is_power_of_two() {
                legal = legal.and(&words.is_within(&self.word(bdds, index)?, field.range)?)?;
            }
        }
        Ok(legal)
    }

    /// The states in which a field has this value.
    pub(crate) fn at(&self, bdds: &Bdds, field: usize, value: i32) -> BddResult {
        let Field { range, bits } = &self.fields[field];
        let code = (i64::from(value) - i64::from(range.min)) as u64;
        bits.iter().enumerate().try_fold(bdds.yes(), |at, (index, &bit)| {
            let literal = bdds.variable(now(bit))?;
            at.and(&if code >> index & 1 == 1 { literal } else { literal.not()? })
        })
    }

    /// The relation that a field gets a value, truncated to its bits.
    pub(crate) fn becomes(&self, bdds: &Bdds, field: usize, value: &Word) -> BddResult {
        let Field { range, bits } = &self.fields[field];
        let words = Arithmetic { bdds };
        let code = words.subtract(value, &words.constant(range.min.into()))?;
        let mut becomes = bdds.yes();
        for (&bit, code) in bits.iter().zip(code.low_bits(bits.len())) {
            becomes = becomes.and(&bdds.variable(next(bit))?.same(&code)?)?;
        }
        Ok(becomes)
    }

    /// The relation that a field stays unchanged.
    pub(crate) fn stays(&self, bdds: &Bdds, field: usize) -> BddResult {
        let bits = self.fields[field].bits.iter();
        bits.copied().try_fold(bdds.yes(), |stays, bit| {
            stays.and(&bdds.variable(now(bit))?.same(&bdds.variable(next(bit))?)?)
        })
    }

    fn bits_of<'a>(&'a self, fields: &'a [usize]) -> impl Iterator<Item = u32> + 'a {
        fields.iter().flat_map(|&field| self.fields[field].bits.iter().copied())
    }

    /// What some fields are now, to be forgotten.
    pub(crate) fn now_cube(&self, bdds: &Bdds, fields: &[usize]) -> BddResult<Cube> {
        bdds.cube(self.bits_of(fields).map(now))
    }

    /// What some fields are next, to be forgotten.
    pub(crate) fn next_cube(&self, bdds: &Bdds, fields: &[usize]) -> BddResult<Cube> {
        bdds.cube(self.bits_of(fields).map(next))
    }

    /// All choices, to be forgotten.
    pub(crate) fn choice_cube(&self, bdds: &Bdds) -> BddResult<Cube> {
        bdds.cube(2 * self.bits..self.variables)
    }

    /// From what some fields are next to what they are now.
    pub(crate) fn forwards(&self, bdds: &Bdds, fields: &[usize]) -> Renaming {
        bdds.renaming(self.bits_of(fields).map(|bit| (next(bit), now(bit))))
    }

    pub(crate) fn backwards(&self, bdds: &Bdds, fields: &[usize]) -> Renaming {
        bdds.renaming(self.bits_of(fields).map(|bit| (now(bit), next(bit))))
    }

    /// The set of one state, given by the beginning of `memory`.
    pub(crate) fn only(&self, bdds: &Bdds, memory: &[i32]) -> BddResult {
        (0..self.fields.len())
            .try_fold(bdds.yes(), |only, field| only.and(&self.at(bdds, field, memory[field])?))
    }

    /// Writes one state of a set into the beginning of `memory`. Returns false if the set is empty.
    pub(crate) fn pick(&self, states: &Bdd, memory: &mut [i32]) -> bool {
        let Some(values) = states.pick() else { return false };
        for (Field { range, bits }, value) in self.fields.iter().zip(memory) {
            let set = |&(_, &bit): &(usize, &u32)| values[now(bit) as usize];
            let code: u64 = bits.iter().enumerate().filter(set).map(|(index, _)| 1u64 << index).sum();
            *value = (i64::from(range.min) + code as i64) as i32;
        }
        true
    }

    /// A counter for the states of sets.
    pub(crate) fn counter<'b>(&self, bdds: &'b Bdds) -> AssignmentCounter<'b> {
        bdds.counter(self.variables - self.bits)
    }
}

/// The maximum number of rounds of the ordering heuristic.
const ROUNDS: usize = 50;

/// An order of fields that places those of each group near each other.
fn arrange(count: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut best = (span(&order, groups), order.clone());
    for _ in 0..ROUNDS {
        let places = places(&order);
        let mut pulls = vec![(0.0, 0.0); count];
        for group in groups.iter().filter(|group| group.len() > 1) {
            let middle = group.iter().map(|&field| places[field] as f64).sum::<f64>() / group.len() as f64;
            // Small groups attract their fields more strongly than large ones.
            let weight = 1.0 / group.len() as f64;
            for &field in group {
                pulls[field].0 += weight * middle;
                pulls[field].1 += weight;
            }
        }
        let wish = |field: usize| {
            let (sum, weight) = pulls[field];
            if weight > 0.0 { sum / weight } else { places[field] as f64 }
        };
        order.sort_by(|&a, &b| wish(a).total_cmp(&wish(b)));
        let span = span(&order, groups);
        if span < best.0 {
            best = (span, order.clone());
        }
    }
    best.1
}

fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &field)| places[field] = place);
    places
}

/// The total span of the groups.
fn span(order: &[usize], groups: &[Vec<usize>]) -> usize {
    let places = places(order);
    let spread = |group: &Vec<usize>| {
        let ends =
            |(low, high): (usize, usize), &field: &usize| (low.min(places[field]), high.max(places[field]));
        let (low, high) = group.iter().fold((usize::MAX, 0), ends);
        high.saturating_sub(low)
    };
    groups.iter().map(spread).sum()
}
