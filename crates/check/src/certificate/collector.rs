//! The states of an invariant, collected in any order and written sorted.

use std::collections::HashMap;

use tourbillon_base::Id;
use tourbillon_certify::InvariantWriter;
use tourbillon_certify::format::{Constraint, InvariantHeader};
use tourbillon_dbm::{Clock, Dbm, Dimension};
use tourbillon_store::PassedList;

use super::Invariant;

/// Collects symbolic states.
#[derive(Debug)]
pub(crate) struct StateCollector {
    writer: InvariantWriter,
    /// The number of fields of a discrete state, and of clocks of the model.
    fields: usize,
    clocks: usize,
    /// The fields of all states, one state after the other.
    vectors: Vec<i32>,
    /// The zone and the rank of each state.
    entries: Vec<(u64, u64)>,
    /// The numbers of zones, by their keys in the list and by their bounds.
    by_key: HashMap<u32, u64>,
    by_bounds: HashMap<Box<[i32]>, u64>,
    row: Vec<i32>,
}

impl StateCollector {
    /// No states. Clocks beyond those of the model are not written.
    pub(super) fn new(fields: usize, clocks: usize, ranked: bool) -> Self {
        Self {
            writer: InvariantWriter::new(ranked),
            fields,
            clocks,
            vectors: Vec::new(),
            entries: Vec::new(),
            by_key: HashMap::new(),
            by_bounds: HashMap::new(),
            row: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, discrete: &[i32], zone: &Dbm, rank: u64) {
        let number = self.number(zone);
        self.vectors.extend_from_slice(discrete);
        self.entries.push((number, rank));
    }

    /// Adds all stored states of a list.
    pub(super) fn add_all(&mut self, list: &dyn PassedList, dimension: Dimension) {
        let mut zone = Dbm::zero(dimension);
        let mut discrete = vec![0; self.fields];
        list.for_each_stored(&mut discrete, &mut zone, &mut |discrete, zone| self.add(discrete, zone, 0));
    }

    /// The number of a zone in the certificate.
    fn number(&mut self, zone: &Dbm) -> u64 {
        self.row.clear();
        zone.rows().for_each(|row| self.row.extend_from_slice(row));
        if let Some(&known) = self.by_bounds.get(&self.row[..]) {
            return known;
        }
        let number = self.writer.zone(&constraints(zone, self.clocks));
        self.by_bounds.insert(self.row.as_slice().into(), number);
        number
    }

    /// Writes the states, sorted.
    pub(super) fn finish(self, header: InvariantHeader) -> Invariant {
        let Self { mut writer, fields, vectors, entries, .. } = self;
        let vector = |state: usize| &vectors[state * fields..][..fields];
        let mut order: Vec<u32> = (0..entries.len() as u32).collect();
        order.sort_unstable_by(|&one, &other| {
            let (one, other) = (one as usize, other as usize);
            vector(one).cmp(vector(other)).then(entries[one].cmp(&entries[other]))
        });
        let mut own = Vec::new();
        for states in order.chunk_by(|&one, &other| vector(one as usize) == vector(other as usize)) {
            own.clear();
            own.extend(states.iter().map(|&state| entries[state as usize]));
            writer.state(vector(states[0] as usize), &own);
        }
        let (header, blocks) = writer.finish(header);
        Invariant { header, blocks }
    }
}

/// The minimal constraints of a zone on the clocks of the model.
fn constraints(zone: &Dbm, clocks: usize) -> Vec<Constraint> {
    let constraint = |it: tourbillon_dbm::Constraint| {
        let constant = it.bound.constant().expect("a minimal constraint is finite");
        let bound = 2 * i64::from(constant.get()) + i64::from(!it.bound.is_strict());
        Constraint { left: it.left.index(), right: it.right.index(), bound }
    };
    let mut zone = zone.clone();
    (clocks + 1..zone.dimension().size()).for_each(|index| zone.free(Clock::from_index(index)));
    zone.minimal_constraints().into_iter().map(constraint).collect()
}
