//! The states of an invariant, collected in any order and written sorted.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

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
    /// The numbers of zones, by their bounds.
    numbers: HashMap<Box<[i32]>, u64, BuildHasherDefault<MatrixHasher>>,
    /// The bounds that are looked up.
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
            numbers: HashMap::default(),
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
        if let Some(&known) = self.numbers.get(&self.row[..]) {
            return known;
        }
        let number = self.writer.zone(&constraints(zone, self.clocks));
        self.numbers.insert(self.row.as_slice().into(), number);
        number
    }

    /// Writes the states, sorted.
    pub(super) fn finish(self, header: InvariantHeader) -> Invariant {
        let Self { mut writer, fields, vectors, entries, .. } = self;
        let vector = |state: u32| &vectors[state as usize * fields..][..fields];
        let order = sorted(&vectors, fields);
        let mut own = Vec::new();
        for states in order.chunk_by(|&one, &other| vector(one) == vector(other)) {
            own.clear();
            own.extend(states.iter().map(|&state| entries[state as usize]));
            own.sort_unstable();
            writer.state(vector(states[0]), &own);
        }
        let (header, blocks) = writer.finish(header);
        Invariant { header, blocks }
    }
}

/// The numbers of vectors in their order. Fields are packed into words where these hold them, which is several times as fast to sort.
fn sorted(vectors: &[i32], fields: usize) -> Vec<u32> {
    let count = (vectors.len() / fields) as u32;
    let Some(packing) = Packing::of(vectors, fields) else {
        let mut order: Vec<u32> = (0..count).collect();
        let vector = |state: u32| &vectors[state as usize * fields..][..fields];
        order.sort_unstable_by(|&one, &other| vector(one).cmp(vector(other)));
        return order;
    };
    let words = vectors.chunks_exact(fields).map(|vector| packing.word(vector));
    let mut order: Vec<(u64, u32)> = words.zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, state)| state).collect()
}

/// The least value of each field, and the bits of its range: a word is the fields of a vector, the first highest.
struct Packing {
    fields: Vec<(i32, u32)>,
}

impl Packing {
    /// Nothing if a word does not hold a vector.
    fn of(vectors: &[i32], fields: usize) -> Option<Self> {
        let mut ranges = vec![(i32::MAX, i32::MIN); fields];
        for vector in vectors.chunks_exact(fields) {
            for ((least, most), &value) in ranges.iter_mut().zip(vector) {
                (*least, *most) = ((*least).min(value), (*most).max(value));
            }
        }
        let bits = |(least, most): (i32, i32)| u32::BITS - most.abs_diff(least).leading_zeros();
        let fields: Vec<_> = ranges.into_iter().map(|range| (range.0, bits(range))).collect();
        (fields.iter().map(|(_, bits)| bits).sum::<u32>() <= u64::BITS).then_some(Self { fields })
    }

    fn word(&self, vector: &[i32]) -> u64 {
        let fields = self.fields.iter().zip(vector);
        fields.fold(0, |word, (&(least, bits), &value)| {
            word.unbounded_shl(bits) | u64::from(value.abs_diff(least))
        })
    }
}

/// Hashes matrices, which are long and many, by a multiplication for each word.
#[derive(Default)]
struct MatrixHasher(u64);

impl Hasher for MatrixHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.write_u64(u64::from_le_bytes(word)));
        rest.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0.rotate_left(29) ^ word) * 0xa076_1d64_78bd_642f;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
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
