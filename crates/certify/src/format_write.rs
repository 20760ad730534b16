//! Writes certificates.
//!
//! An [`InvariantWriter`] takes zones and states in the order of the file; states are given sorted, which makes the file small. Equal
//! lists of constraints are one zone. Blocks end after a megabyte, so that none depends on all that came before it.

use std::collections::HashMap;

use crate::format::{BLOCK_BYTES, Constraint, Header, InvariantHeader};

/// How hard blocks are compressed: beyond this, time grows faster than size shrinks.
const LEVEL: u8 = 1;

/// Writes the blocks of one invariant.
#[derive(Debug, Default)]
pub struct InvariantWriter {
    ranked: bool,
    zones: BlockWriter,
    states: BlockWriter,
    numbers: HashMap<Vec<u8>, u64>,
    entries: u64,
    last: Vec<i32>,
    last_zone: u64,
}

/// Records, in blocks.
#[derive(Debug, Default)]
struct BlockWriter {
    open: Vec<u8>,
    compressed: Vec<u8>,
    blocks: u64,
    records: u64,
}

impl InvariantWriter {
    #[must_use]
    pub fn new(ranked: bool) -> Self {
        Self { ranked, ..Self::default() }
    }

    /// The number of the zone with these constraints, which is written if it is new.
    pub fn zone(&mut self, constraints: &[Constraint]) -> u64 {
        let mut record = Vec::new();
        put(&mut record, constraints.len() as u64);
        for constraint in constraints {
            put(&mut record, constraint.left as u64);
            put(&mut record, constraint.right as u64);
            put_signed(&mut record, constraint.bound);
        }
        let next = self.numbers.len() as u64;
        if let Some(&known) = self.numbers.get(&record) {
            return known;
        }
        self.zones.open.extend_from_slice(&record);
        self.zones.end_record();
        self.numbers.insert(record, next);
        next
    }

    /// Writes a discrete state with its entries: zones by number, each with its rank, which counts in ranked invariants only.
    pub fn state(&mut self, vector: &[i32], entries: &[(u64, u64)]) {
        self.last.resize(vector.len(), 0);
        let changed: Vec<usize> =
            (0..vector.len()).filter(|&index| vector[index] != self.last[index]).collect();
        let out = &mut self.states.open;
        put(out, changed.len() as u64);
        let mut next = 0;
        for index in changed {
            put(out, (index - next) as u64);
            put_signed(out, i64::from(vector[index]) - i64::from(self.last[index]));
            self.last[index] = vector[index];
            next = index + 1;
        }
        put(out, entries.len() as u64);
        for &(zone, rank) in entries {
            put_signed(out, zone.wrapping_sub(self.last_zone) as i64);
            self.last_zone = zone;
            if self.ranked {
                put(out, rank);
            }
        }
        self.entries += entries.len() as u64;
        if self.states.end_record() {
            self.last.fill(0);
            self.last_zone = 0;
        }
    }

    /// The blocks, and the header with their counts.
    #[must_use]
    pub fn finish(mut self, header: InvariantHeader) -> (InvariantHeader, Vec<u8>) {
        self.zones.end_block();
        self.states.end_block();
        let header = InvariantHeader {
            ranked: self.ranked,
            zone_blocks: self.zones.blocks,
            state_blocks: self.states.blocks,
            zones: self.zones.records,
            states: self.states.records,
            entries: self.entries,
            ..header
        };
        (header, [self.zones.compressed, self.states.compressed].concat())
    }
}

impl BlockWriter {
    /// Ends a record; says whether it was the last one of its block.
    fn end_record(&mut self) -> bool {
        self.records += 1;
        let is_full = self.open.len() >= BLOCK_BYTES;
        if is_full {
            self.end_block();
        }
        is_full
    }

    fn end_block(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let packed = miniz_oxide::deflate::compress_to_vec(&self.open, LEVEL);
        self.compressed.extend_from_slice(&(self.open.len() as u32).to_le_bytes());
        self.compressed.extend_from_slice(&(packed.len() as u32).to_le_bytes());
        self.compressed.extend_from_slice(&packed);
        self.open.clear();
        self.blocks += 1;
    }
}

/// The bytes before the blocks of a file: the header as its first line.
///
/// # Panics
/// Never: a header can always be written as JSON.
#[must_use]
pub fn header_line(header: &Header) -> Vec<u8> {
    let mut line = serde_json::to_vec(header).expect("a header has nothing that JSON cannot express");
    line.push(b'\n');
    line
}

fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, ((value << 1) ^ (value >> 63)) as u64);
}
