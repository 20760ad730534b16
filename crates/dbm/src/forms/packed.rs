//! `bits` and `digits`: the constrained rows of a zone, each packed into as few bytes as its codes need.
//!
//! ```text
//!   ┌──────────┬───────────────┬───────────────┬─────┐
//!   │ bands    │ row           │ row           │ …   │   one bit for each band of rows: whether they are written
//!   └──────────┴───────────────┴───────────────┴─────┘   rows all take the same number of whole bytes
//!
//!   row    ┌─────────────┬─────────────┬─────┬────────┐
//!          │ group       │ group       │ …   │ zeroes │   the codes of some neighbouring bounds as one number
//!          └─────────────┴─────────────┴─────┴────────┘   of at most 56 bits, the least significant first
//! ```
//!
//! Which rows are written is what [`Narrow`](super::Narrow) says of bands: those that are not universal. The
//! diagonal says nothing, so the last entry of a row takes its place, and there is one slot less than there are rows.
//! What the number of a group looks like is what the two forms differ in: it is their [`Coding`]. Both are canonical,
//! and answer inclusion from their bytes, row by row. A group has at most 56 bits so that it lies within eight bytes
//! wherever it starts: reading one is a load and a shift.
//!
//! Bounds are written as [`Codes`], of which there are few. All lengths are known in rows before they are in bytes:
//! when there are new codes and rows get longer, a zone still takes as many of them.

use super::codes::{CodeLookup, Codes, NO_CODE, by_lookup};
use super::{Form, Unencodable};
use crate::bound::{INFINITY, ZERO};
use crate::clock::Dimension;
use crate::dbm::Dbm;
use crate::kernels::narrow::{Bands, Layout, outside, special_bands};
use crate::kernels::pack::{Ranks, pack_rows, put};

/// How many bits a group has at most: what is left of 64 when the first is not at the start of a byte.
pub(super) const GROUP_BITS: u32 = 56;
/// How many bands a matrix has at most.
const BANDS_MAX: usize = u32::BITS as usize;

/// How codes are made into one number.
pub trait Coding: Clone + PartialEq + std::fmt::Debug {
    /// For so many different codes.
    fn new(codes: u32) -> Self;

    /// The same, prepared for so many rows of so many slots and bytes.
    #[must_use]
    fn for_rows(self, _rows: usize, _slots: usize, _bytes: usize) -> Self {
        self
    }

    /// How many bits the number of so many codes takes.
    fn bits(&self, slots: usize) -> u32;

    /// What a code counts in the number, by its position.
    fn weight(&self, position: u32) -> u64;

    /// Takes the first code off a number.
    fn pop(&self, number: &mut u64) -> u32;

    /// Whether no code of the first number exceeds that of the second; both have so many.
    fn at_most(&self, small: u64, large: u64, slots: usize) -> bool;

    /// The same of some whole rows, which are so many bytes, at once; nothing if this has to ask for each group.
    #[inline(always)]
    fn all_at_most(&self, _small: &[u8], _large: &[u8], _bytes: usize) -> Option<bool> {
        None
    }
}

/// Zones of one dimension, packed by rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Packed<C> {
    dimension: Dimension,
    codes: Codes,
    coding: C,
    /// How many rows a band has.
    band: usize,
    /// How many bytes say which bands are written.
    head: usize,
    row: RowLayout,
    /// What the codes of a group count in its number, and zeroes up to the length of a row of the matrix.
    weights: Vec<u64>,
    /// The code of `(≤,0)`.
    zero: u32,
}

/// How a row is cut into groups.
#[derive(Clone, Copy, PartialEq, Debug)]
struct RowLayout {
    /// How many full groups it has, before the last.
    full: usize,
    /// What each of these is.
    group: BoundGroup,
    last: BoundGroup,
    bytes: usize,
}

/// Some neighbouring bounds of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
struct BoundGroup {
    slots: usize,
    bits: u32,
}

impl RowLayout {
    fn new<C: Coding>(coding: &C, slots: usize) -> Self {
        let most =
            (1..=slots.max(1)).take_while(|&slots| coding.bits(slots) <= GROUP_BITS).last().unwrap_or(1);
        let group = |slots| BoundGroup { slots, bits: coding.bits(slots) };
        let full = slots.saturating_sub(1) / most;
        let (group, last) = (group(most), group(slots - full * most));
        let bits = full * group.bits as usize + last.bits as usize;
        Self { full, group, last, bytes: bits.div_ceil(8).max(1) }
    }

    /// The groups, each with the first of its slots and of its bits.
    #[inline(always)]
    fn groups(self) -> impl Iterator<Item = (BoundGroup, usize, usize)> {
        let Self { full, group, last, .. } = self;
        (0..=full)
            .map(move |at| (if at < full { group } else { last }, at * group.slots, at * group.bits as usize))
    }
}

impl<C: Coding> Packed<C> {
    /// The form for zones of this dimension with these bounds.
    #[must_use]
    pub fn new(dimension: Dimension, codes: Codes) -> Self {
        let coding = C::new(codes.count());
        let size = dimension.size();
        let band = size.div_ceil(BANDS_MAX);
        let row = RowLayout::new(&coding, size - 1);
        let coding = coding.for_rows(size, size - 1, row.bytes);
        let weights = (0..row.group.slots as u32).map(|position| coding.weight(position));
        let padding = std::iter::repeat_n(0, dimension.stride() - row.group.slots.min(dimension.stride()));
        let weights = weights.chain(padding).collect();
        let zero = codes.code(ZERO).unwrap_or_default();
        Self { dimension, codes, coding, band, head: size.div_ceil(band).div_ceil(8), row, weights, zero }
    }

    /// The same form, for the bounds of this zone as well.
    #[must_use]
    pub fn with(&self, zone: &Dbm) -> Self {
        Self::new(self.dimension, self.codes.with(zone))
    }

    /// The same, for more bounds than need be: it will seldom have to be done again.
    #[must_use]
    pub fn with_distances(&self, zone: &Dbm) -> Self {
        Self::new(self.dimension, self.codes.by_distance().with(zone))
    }

    /// How many bytes come before the rows.
    #[must_use]
    pub fn head_bytes(&self) -> usize {
        self.head
    }

    /// How many bytes a row takes.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        self.row.bytes
    }

    /// How many bytes a zone takes at most.
    #[must_use]
    pub fn bytes_max(&self) -> usize {
        self.head + self.dimension.size() * self.row.bytes
    }

    /// How many rows of the zone at the start of `bytes` are written.
    #[must_use]
    #[inline]
    pub fn rows(&self, bytes: &[u8]) -> usize {
        self.rows_of(self.bands(bytes))
    }

    /// How many bytes the zone at the start of `bytes` takes.
    #[must_use]
    pub fn length(&self, bytes: &[u8]) -> usize {
        self.head + self.rows(bytes) * self.row.bytes
    }

    #[inline(always)]
    fn rows_of(&self, bands: u32) -> usize {
        if self.band == 1 {
            return bands.count_ones() as usize;
        }
        // The last band may be short.
        let missing = self.dimension.size().next_multiple_of(self.band) - self.dimension.size();
        let last = self.dimension.size().div_ceil(self.band) - 1;
        bands.count_ones() as usize * self.band - if bands >> last & 1 != 0 { missing } else { 0 }
    }

    #[inline(always)]
    fn bands(&self, bytes: &[u8]) -> u32 {
        let word = match bytes.first_chunk() {
            Some(&word) => u32::from_le_bytes(word),
            None => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)),
        };
        word & (u32::MAX >> (u32::BITS as usize - 8 * self.head))
    }

    /// Writes the zone and returns how many bytes it takes. Beyond it, eight bytes more may be overwritten.
    ///
    /// # Errors
    /// If a bound has no code. What was written then is no zone.
    ///
    /// # Panics
    /// If the dimension is another, or there are fewer bytes than [`bytes_max`](Self::bytes_max).
    pub fn write(&self, zone: &Dbm, bytes: &mut [u8]) -> Result<usize, Unencodable> {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        let layout = Layout { size: self.dimension.size(), stride: self.dimension.stride(), rows: self.band };
        let bands = special_bands(zone.raw(), layout);
        bytes[..self.head].copy_from_slice(&bands.to_le_bytes()[..self.head]);
        let fits = match self.codes.few() {
            Some(bounds) if self.row.full == 0 => {
                let Self { weights, zero, row, .. } = self;
                let ranks = Ranks { bounds, weights, zero: *zero, row_bytes: row.bytes };
                pack_rows(zone.raw(), layout, bands, ranks, &mut bytes[self.head..])
            }
            _ => by_lookup!(self.codes.lookup(), |code| self.write_rows(
                zone.raw(),
                layout,
                bands,
                bytes,
                code
            )),
        };
        fits.then(|| self.head + self.rows_of(bands) * self.row.bytes).ok_or(Unencodable)
    }

    #[inline(always)]
    fn write_rows(
        &self,
        matrix: &[i32],
        layout: Layout,
        bands: u32,
        bytes: &mut [u8],
        code: impl Fn(i32) -> u32 + Copy,
    ) -> bool {
        let (low, high) = self.codes.limits();
        let mut start = self.head;
        let (mut seen, mut beyond) = (0, 0);
        for band in Bands(bands) {
            for i in band * layout.rows..((band + 1) * layout.rows).min(layout.size) {
                let row = &matrix[i * layout.stride..][..layout.stride];
                beyond |= outside(row, low, high);
                seen |= self.write_row(&row[..layout.size], i, &mut bytes[start..], code);
                start += self.row.bytes;
            }
        }
        seen & NO_CODE == 0 && beyond == 0
    }

    /// Returns all codes joined. The last entry takes the place of the diagonal: what `(≤,0)` counts there is replaced
    /// by what the last entry does. So the loop over a group is a product of two vectors, and needs no test.
    #[inline(always)]
    fn write_row(&self, row: &[i32], i: usize, bytes: &mut [u8], code: impl Fn(i32) -> u32) -> u32 {
        let last = code(row[row.len() - 1]);
        let instead = u64::from(last).wrapping_sub(self.zero.into());
        let mut seen = last;
        let mut rest = 0;
        for (group, slot, bit) in self.row.groups() {
            let mut number = 0u64;
            for (&raw, &weight) in row[slot..slot + group.slots].iter().zip(&self.weights) {
                let code = code(raw);
                seen |= code;
                number = number.wrapping_add(weight.wrapping_mul(code.into()));
            }
            if (slot..slot + group.slots).contains(&i) {
                number = number.wrapping_add(self.weights[i - slot].wrapping_mul(instead));
            }
            let word = rest | number << (bit % 8);
            put(word, &mut bytes[bit / 8..]);
            rest = word >> ((bit % 8 + group.bits as usize) & !7);
        }
        seen
    }

    /// Overwrites `zone` with the one at the start of `bytes`.
    ///
    /// # Panics
    /// If the dimension is another; the zone is meaningless if the bytes were not written by this form.
    pub fn read(&self, bytes: &[u8], zone: &mut Dbm) {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        zone.rewrite(self.codes.reach(), false, |matrix| {
            for (i, row) in matrix.chunks_exact_mut(stride).enumerate() {
                row[..size].fill(if i == 0 { ZERO } else { INFINITY });
                row[i] = ZERO;
            }
            for (i, at) in self.written(bytes) {
                self.read_row(&bytes[at..], i, &mut matrix[i * stride..][..size]);
            }
        });
    }

    /// The rows that are written, each with where it starts.
    fn written(&self, bytes: &[u8]) -> impl Iterator<Item = (usize, usize)> {
        let (band, size, head, length) = (self.band, self.dimension.size(), self.head, self.row.bytes);
        let rows = Bands(self.bands(bytes)).flat_map(move |at| at * band..((at + 1) * band).min(size));
        rows.zip((head..).step_by(length))
    }

    #[inline]
    fn read_row(&self, bytes: &[u8], i: usize, row: &mut [i32]) {
        let last = row.len() - 1;
        self.for_each_code(bytes, |slot, code| row[slot] = self.codes.bound(code));
        row[last] = row[i];
        row[i] = ZERO;
    }

    #[inline(always)]
    fn for_each_code(&self, bytes: &[u8], mut visit: impl FnMut(usize, u32)) {
        for (group, slot, bit) in self.row.groups() {
            let mut number = number(bytes, bit, group.bits);
            for slot in slot..slot + group.slots {
                visit(slot, self.coding.pop(&mut number));
            }
        }
    }

    /// Writes a zone that another form of this kind wrote, whose codes were fewer. Beyond it, eight bytes more may be
    /// overwritten; `row` is scratch memory.
    ///
    /// # Panics
    /// If a bound has no code here.
    pub fn rewrite(&self, old: &Self, from: &[u8], to: &mut [u8], row: &mut Vec<i32>) {
        to[..self.head].copy_from_slice(&from[..self.head]);
        row.resize(self.dimension.size(), ZERO);
        for ((i, from_at), at) in old.written(from).zip((self.head..).step_by(self.row.bytes)) {
            old.read_row(&from[from_at..], i, row);
            let code = |raw| self.codes.code(raw).unwrap_or(NO_CODE);
            let seen = self.write_row(row, i, &mut to[at..], code);
            assert!(seen & NO_CODE == 0, "codes are only added");
        }
    }

    /// Whether the first zone includes the second. Both may be given with more bytes than they have.
    #[must_use]
    #[inline]
    pub fn includes_packed(&self, larger: &[u8], smaller: &[u8]) -> bool {
        let (bands, others) = (self.bands(larger), self.bands(smaller));
        if bands == others {
            let bytes = self.rows_of(bands) * self.row.bytes;
            let rows = (&smaller[self.head..], &larger[self.head..]);
            if let Some(answer) = self.coding.all_at_most(rows.0, rows.1, bytes) {
                return answer;
            }
            let (mut at, end) = (self.head, self.head + bytes);
            while at < end {
                if !self.row_at_most(&smaller[at..], &larger[at..]) {
                    return false;
                }
                at += self.row.bytes;
            }
            return true;
        }
        bands & !others == 0 && self.common_at_most(smaller, larger)
    }

    /// Whether no bound of `smaller` exceeds that of `larger` in the rows that are written in both.
    fn common_at_most(&self, smaller: &[u8], larger: &[u8]) -> bool {
        let mut others = self.written(smaller);
        self.written(larger).all(|(i, at)| {
            let other = others.find(|&(other, _)| other == i);
            other.is_some_and(|(_, other)| self.row_at_most(&smaller[other..], &larger[at..]))
        })
    }

    #[inline(always)]
    fn row_at_most(&self, small: &[u8], large: &[u8]) -> bool {
        if self.row.full == 0 {
            let BoundGroup { slots, bits } = self.row.last;
            return self.coding.at_most(number(small, 0, bits), number(large, 0, bits), slots);
        }
        for (BoundGroup { slots, bits }, _, bit) in self.row.groups() {
            if !self.coding.at_most(number(small, bit, bits), number(large, bit, bits), slots) {
                return false;
            }
        }
        true
    }
}

/// The number of so many bits that starts at a bit.
#[inline(always)]
fn number(bytes: &[u8], bit: usize, bits: u32) -> u64 {
    word(&bytes[bit / 8..]) >> (bit % 8) & ((1 << bits) - 1)
}

/// The first eight bytes, or as many as there are.
#[inline(always)]
pub(super) fn word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(&word) => u64::from_le_bytes(word),
        None => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

impl<C: Coding> Form for Packed<C> {
    type Word = u8;

    fn encode(&self, zone: &Dbm, words: &mut Vec<u8>) -> Result<(), Unencodable> {
        if zone.overflowed() {
            return Err(Unencodable);
        }
        let start = words.len();
        words.resize(start + self.bytes_max(), 0);
        let written = self.write(zone, &mut words[start..]);
        words.truncate(start + written.unwrap_or(0));
        written.map(|_| ())
    }

    fn decode(&self, words: &[u8], zone: &mut Dbm) {
        self.read(words, zone);
    }

    fn includes(&self, words: &[u8], zone: &Dbm) -> bool {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        let mut included = true;
        for (i, at) in self.written(words) {
            let last = self.dimension.size() - 1;
            self.for_each_code(&words[at..], |slot, code| {
                let j = if slot == i { last } else { slot };
                included &= zone.entry(i, j) <= self.codes.bound(code);
            });
        }
        included
    }

    fn is_included(&self, words: &[u8], zone: &Dbm, scratch: &mut Dbm) -> bool {
        self.read(words, scratch);
        zone.includes(scratch)
    }
}
