//! `minimal`: the constraints of the shortest-path reduction, and nothing else
//! `[LarsenLarssonPetterssonYi1997]`.
//!
//! ```text
//!   ┌───────┬───────┬────────────────┬────────────────┬─────┬────────┐
//!   │ count │ width │ gap │ bound    │ gap │ bound    │ …   │ zeroes │     up to a whole byte
//!   └───────┴───────┴────────────────┴────────────────┴─────┴────────┘
//!   count  how many constraints, in as many bits as the number of pairs needs
//!   width  5 bits: how many each bound takes
//!   gap    how many pairs are skipped since the last constraint, as a Rice code: its upper part as so many zeroes
//!          and a one, its lower bits as they are
//!   bound  its number in a list of bounds; if that is full, and the zone has one that is not in it, the raw bound
//! ```
//!
//! Pairs of different clocks are numbered row by row, and constraints come in that order, so the bytes depend on the
//! zone only. The lower part of a gap has as many bits as the average gap needs, rounded down: where constraints are
//! few that is a list of pairs, where they are many a bitmap, and in between it is shorter than both. Zones of a model
//! have few different bounds (see [`Codes`](super::Codes)), and here their order does not matter, so each is numbered
//! when it first occurs, once and for all. That clocks are not negative is implicit.
//!
//! A zone is included in a stored one iff it satisfies the few constraints, and that is how it is tested. The
//! other direction needs bounds that only closing brings out.

use super::packed::word;
use super::{Form, Unencodable};
use crate::bound::{INFINITY, ZERO};
use crate::clock::Dimension;
use crate::dbm::Dbm;
use crate::reduction::Reduction;

/// Bits of the field `width`.
const WIDTH_BITS: u32 = 5;
/// The width of bounds as they are: a sign and 28 bits, and one to spare.
const RAW_BITS: u32 = 30;
/// How many bounds are listed at most.
const LISTED_MAX: usize = 1 << 12;

/// The `minimal` form of zones of one dimension.
#[derive(Clone, Debug)]
pub struct Minimal {
    dimension: Dimension,
    /// How many pairs of different clocks there are, the reference among them.
    pairs: u32,
    /// To divide by the length of a row with a multiplication: pairs and lengths are so small that it is exact.
    reciprocal: u64,
    /// The bounds that were met, in that order.
    listed: Vec<i32>,
    /// The same in their own order, each with its position in that list.
    sorted: Vec<(i32, u16)>,
    reduction: Reduction,
    /// The constraints of the zone that is being written: pair and raw bound.
    constraints: Vec<(u32, i32)>,
}

impl Minimal {
    /// The form for zones of this dimension.
    #[must_use]
    pub fn new(dimension: Dimension) -> Self {
        let size = dimension.size() as u32;
        Self {
            dimension,
            pairs: size * (size - 1),
            reciprocal: reciprocal(size - 1),
            listed: Vec::new(),
            sorted: Vec::new(),
            reduction: Reduction::new(dimension),
            constraints: Vec::new(),
        }
    }

    /// How many bytes a zone takes at most.
    #[must_use]
    pub fn bytes_max(&self) -> usize {
        let (header, each) = (bits_of(self.pairs) + WIDTH_BITS, 1 + RAW_BITS);
        (header as usize + self.pairs as usize * (each as usize + 1)).div_ceil(8)
    }

    /// Overwrites `bytes` with the zone. Bounds that are new are listed, as long as there is room.
    ///
    /// # Panics
    /// If the dimension is another.
    pub fn write(&mut self, zone: &Dbm, bytes: &mut Vec<u8>) {
        self.reduce(zone);
        for at in 0..self.constraints.len() {
            self.list(self.constraints[at].1);
        }
        bytes.clear();
        self.put(&self.constraints, bytes);
    }

    fn reduce(&mut self, zone: &Dbm) {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        let row = self.dimension.size() as u32 - 1;
        let pair = |i: usize, j: usize| i as u32 * row + j as u32 - u32::from(j > i);
        self.reduction.reduce(zone);
        self.constraints.clear();
        self.constraints.extend(self.reduction.constraints(zone).map(|(i, j, raw)| (pair(i, j), raw)));
    }

    fn list(&mut self, raw: i32) {
        let number = self.listed.len();
        if let Err(at) = self.sorted.binary_search_by_key(&raw, |&(raw, _)| raw)
            && number < LISTED_MAX
        {
            self.sorted.insert(at, (raw, number as u16));
            self.listed.push(raw);
        }
    }

    fn number(&self, raw: i32) -> Option<u16> {
        self.sorted.binary_search_by_key(&raw, |&(raw, _)| raw).ok().map(|at| self.sorted[at].1)
    }

    fn put(&self, constraints: &[(u32, i32)], bytes: &mut Vec<u8>) {
        let largest =
            constraints.iter().try_fold(0, |most: u16, &(_, raw)| Some(most.max(self.number(raw)?)));
        let width = largest.map_or(RAW_BITS, |largest| u16::BITS - largest.leading_zeros());
        let mut writer = MinimalWriter { bytes, rest: 0, bits: 0 };
        writer.put(constraints.len() as u64, bits_of(self.pairs));
        writer.put(width.into(), WIDTH_BITS);
        let low = low_bits(self.pairs, constraints.len() as u32);
        let mut next = 0;
        for &(pair, raw) in constraints {
            let gap = pair - next;
            (0..gap >> low).for_each(|_| writer.put(0, 1));
            writer.put(1 | u64::from(gap & ((1 << low) - 1)) << 1, 1 + low);
            let bound = if width == RAW_BITS {
                (raw as u32 & ((1 << RAW_BITS) - 1)).into()
            } else {
                self.number(raw).unwrap_or(0).into()
            };
            writer.put(bound, width);
            next = pair + 1;
        }
        writer.finish();
    }

    /// The constraints of the zone at the start of `bytes`, each as row, column and raw bound. It may be followed by
    /// other bytes.
    #[inline]
    fn constraints<'a>(&'a self, bytes: &'a [u8]) -> Constraints<'a> {
        let mut reader = MinimalReader { bytes, bit: 0 };
        let count = reader.take(bits_of(self.pairs)) as u32;
        let width = reader.take(WIDTH_BITS) as u32;
        Constraints { form: self, reader, left: count, width, low: low_bits(self.pairs, count), next: 0 }
    }

    /// How many bytes the zone at the start of `bytes` takes.
    #[must_use]
    pub fn length(&self, bytes: &[u8]) -> usize {
        let mut constraints = self.constraints(bytes);
        while constraints.next().is_some() {}
        constraints.reader.bit.div_ceil(8)
    }

    /// Overwrites `zone` with the one at the start of `bytes`.
    ///
    /// # Panics
    /// If the dimension is another, or the bytes were not written by this form.
    pub fn read(&self, bytes: &[u8], zone: &mut Dbm) {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        let reach = self.constraints(bytes).map(|(_, _, raw)| raw.abs()).max().unwrap_or(ZERO);
        let non_empty = zone.rewrite(reach.max(ZERO), true, |matrix| {
            matrix.fill(INFINITY);
            matrix[..size].fill(ZERO);
            matrix.iter_mut().step_by(stride + 1).for_each(|entry| *entry = ZERO);
            for (i, j, raw) in self.constraints(bytes) {
                matrix[i * stride + j] = raw;
            }
        });
        assert!(non_empty, "these bytes were not written by this form");
    }

    /// Whether each constraint of the zone at the start of `bytes` is the bound of `zone`: if not, they differ.
    #[must_use]
    pub fn may_equal(&self, bytes: &[u8], zone: &Dbm) -> bool {
        self.constraints(bytes).all(|(i, j, raw)| zone.entry(i, j) == raw)
    }
}

/// How many bits of a gap are written as they are, if so many constraints are spread over all pairs.
fn low_bits(pairs: u32, count: u32) -> u32 {
    (pairs / count.max(1)).max(1).ilog2()
}

const fn bits_of(largest: u32) -> u32 {
    u32::BITS - largest.leading_zeros()
}

/// What to multiply by and shift by 32 instead of dividing.
const fn reciprocal(divisor: u32) -> u64 {
    (1u64 << 32).div_ceil(if divisor == 0 { 1 } else { divisor as u64 })
}

/// Reads the constraints of a zone, one after the other.
struct Constraints<'a> {
    form: &'a Minimal,
    reader: MinimalReader<'a>,
    left: u32,
    width: u32,
    low: u32,
    /// The pair after the last one.
    next: u32,
}

impl Iterator for Constraints<'_> {
    type Item = (usize, usize, i32);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let gap = self.reader.zeroes() << self.low | self.reader.take(self.low) as u32;
        let pair = self.next + gap;
        self.next = pair + 1;
        let bound = self.reader.take(self.width) as u32;
        let raw = if self.width == RAW_BITS {
            (bound << (u32::BITS - RAW_BITS)) as i32 >> (u32::BITS - RAW_BITS)
        } else {
            self.form.listed[bound as usize]
        };
        let row = ((u64::from(pair) * self.form.reciprocal) >> 32) as usize;
        let column = pair as usize - row * (self.form.dimension.size() - 1);
        Some((row, column + usize::from(column >= row), raw))
    }
}

/// Writes numbers of some bits one after the other, the least significant bit first.
struct MinimalWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// What is not a whole byte yet, and how many bits it has.
    rest: u64,
    bits: u32,
}

impl MinimalWriter<'_> {
    fn put(&mut self, number: u64, bits: u32) {
        self.rest |= number << self.bits;
        self.bits += bits;
        while self.bits >= 8 {
            self.bytes.push(self.rest as u8);
            self.rest >>= 8;
            self.bits -= 8;
        }
    }

    fn finish(self) {
        if self.bits > 0 {
            self.bytes.push(self.rest as u8);
        }
    }
}

/// Reads what a [`MinimalWriter`] wrote.
struct MinimalReader<'a> {
    bytes: &'a [u8],
    bit: usize,
}

impl MinimalReader<'_> {
    /// At least the next 57 bits; zeroes after the end.
    #[inline(always)]
    fn window(&self) -> u64 {
        word(&self.bytes[self.bit / 8..]) >> (self.bit % 8)
    }

    #[inline(always)]
    fn take(&mut self, bits: u32) -> u64 {
        let number = self.window() & ((1 << bits) - 1);
        self.bit += bits as usize;
        number
    }

    /// How many zeroes come next; takes the one after them as well.
    #[inline(always)]
    fn zeroes(&mut self) -> u32 {
        let mut zeroes = 0;
        loop {
            let found = self.window().trailing_zeros().min(32);
            zeroes += found;
            self.bit += found as usize;
            if found < 32 {
                self.bit += 1;
                return zeroes;
            }
        }
    }
}

impl Form for Minimal {
    type Word = u8;

    fn encode(&self, zone: &Dbm, words: &mut Vec<u8>) -> Result<(), Unencodable> {
        if zone.overflowed() {
            return Err(Unencodable);
        }
        let mut form = self.clone();
        form.reduce(zone);
        self.put(&form.constraints, words);
        Ok(())
    }

    fn decode(&self, words: &[u8], zone: &mut Dbm) {
        self.read(words, zone);
    }

    fn includes(&self, words: &[u8], zone: &Dbm) -> bool {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        self.constraints(words).all(|(i, j, raw)| zone.entry(i, j) <= raw)
    }

    fn is_included(&self, words: &[u8], zone: &Dbm, scratch: &mut Dbm) -> bool {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        // A constraint is as tight as it gets in the closed matrix: one that exceeds the zone's settles it.
        if self.constraints(words).any(|(i, j, raw)| raw > zone.entry(i, j)) {
            return false;
        }
        self.read(words, scratch);
        zone.includes(scratch)
    }
}
