//! Zones as records of several lengths, in chunks that never move.
//!
//! A record is a header and the bands of rows that are written:
//!
//! ```text
//!   ┌────────────────┬────────────────┬──────────────────────────────┬──────────┐
//!   │ bands, 32 bits │ uses, 32 bits  │ slots of the bands           │ infinity │
//!   └────────────────┴────────────────┴──────────────────────────────┴──────────┘
//!     8 slots, of whatever width        as many as the bands take      up to a whole unit
//! ```
//!
//! A key is the position of a record, in units of some slots. All lengths are in slots and not in bytes, including the
//! header, so that keys stay valid when slots become wider. The header gives the length of a record: a query of a
//! stored zone takes one memory access and no separate table. A freed record keeps its header, and is reused for one of
//! the same length.

use tourbillon_dbm::forms::{Narrow, Slot, Written, widened};

/// The number of slots of a header: two words of 32 bits, even in slots of one byte.
const HEADER: usize = 8;
/// The approximate number of slots of a chunk.
const CHUNK: usize = 1 << 16;
/// The number of longest records that fit in a chunk.
const FIRST: usize = 8;

/// Records in slots of one width.
#[derive(Debug)]
pub(super) struct Records<S> {
    form: Narrow<S>,
    /// A unit has two to the power of this many slots.
    unit: u32,
    /// A chunk has two to the power of this many units.
    shift: u32,
    chunks: Vec<Vec<S>>,
    /// The keys of freed records, by length in units.
    free: Vec<Vec<u32>>,
    len: usize,
}

impl<S: Slot + Default> Records<S> {
    pub(super) fn new(form: Narrow<S>) -> Self {
        let unit = unit(&form);
        let longest = HEADER + form.slots_max();
        let chunk = CHUNK.max((FIRST * longest).next_power_of_two());
        let shift = chunk.ilog2() - unit;
        Self { form, unit, shift, chunks: Vec::new(), free: Vec::new(), len: 0 }
    }

    pub(super) fn form(&self) -> &Narrow<S> {
        &self.form
    }

    /// The number of records, without freed ones.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The slots from this record to the end of its chunk.
    #[inline]
    fn from(&self, key: u32) -> &[S] {
        &self.chunks[(key >> self.shift) as usize][self.start(key)..]
    }

    #[inline]
    fn start(&self, key: u32) -> usize {
        (key as usize & ((1 << self.shift) - 1)) << self.unit
    }

    #[inline]
    pub(super) fn get(&self, key: u32) -> Written<'_, S> {
        let Written { bands, slots } = self.get_with_tail(key);
        Written { bands, slots: &slots[..self.form.slots(bands)] }
    }

    /// A stored zone with all slots after it. This suffices for a comparison with an exactly given zone, and saves the
    /// computation of the length if the bands decide.
    #[inline]
    pub(super) fn get_with_tail(&self, key: u32) -> Written<'_, S> {
        let (header, slots) = self.from(key).split_at(HEADER);
        let (bands, _) = read(header);
        Written { bands, slots }
    }

    /// Changes the number of uses of a record, and returns it.
    pub(super) fn update_uses(&mut self, key: u32, update: impl FnOnce(u32) -> u32) -> u32 {
        let start = self.start(key);
        let header = &mut self.chunks[(key >> self.shift) as usize][start..start + HEADER];
        let (bands, uses) = read(header);
        let uses = update(uses);
        write(header, bands, uses);
        uses
    }

    /// Stores a zone with one use.
    ///
    /// # Panics
    /// If its key does not fit in 32 bits.
    pub(super) fn add(&mut self, zone: Written<'_, S>) -> u32 {
        let units = self.units(zone.bands);
        let key = self.free.get_mut(units).and_then(Vec::pop).unwrap_or_else(|| self.reserve(units));
        let start = self.start(key);
        let record = &mut self.chunks[(key >> self.shift) as usize][start..start + (units << self.unit)];
        let (header, slots) = record.split_at_mut(HEADER);
        write(header, zone.bands, 1);
        slots[..zone.slots.len()].copy_from_slice(zone.slots);
        self.len += 1;
        key
    }

    /// Frees a record.
    pub(super) fn remove(&mut self, key: u32) {
        let (bands, _) = read(&self.from(key)[..HEADER]);
        let units = self.units(bands);
        if self.free.len() <= units {
            self.free.resize(units + 1, Vec::new());
        }
        self.free[units].push(key);
        self.len -= 1;
    }

    /// The number of units of a zone with these bands.
    fn units(&self, bands: u32) -> usize {
        (HEADER + self.form.slots(bands)).div_ceil(1 << self.unit)
    }

    /// Reserves a record at the end. The rest of a chunk that is too short for it stays unused.
    fn reserve(&mut self, units: usize) -> u32 {
        let (slots, full) = (units << self.unit, 1 << (self.unit + self.shift));
        if self.chunks.last().is_none_or(|chunk| chunk.len() + slots > full) {
            self.chunks.push(Vec::new());
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let key = (number << self.shift) + (chunk.len() >> self.unit);
        make_room(chunk, slots, if number == 0 { 2 * chunk.capacity() } else { full }, full);
        chunk.resize(chunk.len() + slots, S::default());
        u32::try_from(key).expect("zones of at most 2^32 units")
    }

    /// The same records under the same keys in wider slots. Each chunk is freed before the next is allocated, so memory
    /// grows only by the difference and one chunk.
    pub(super) fn widened<W: Slot + Default>(self, form: Narrow<W>) -> Records<W> {
        let Self { unit, shift, free, len, .. } = self;
        let units = |bands| (HEADER + self.form.slots(bands)).div_ceil(1 << unit);
        let full = 1 << (unit + shift);
        let mut chunks = Vec::with_capacity(self.chunks.len());
        for (number, chunk) in self.chunks.into_iter().enumerate() {
            let mut wide = Vec::with_capacity(if number == 0 { chunk.len() } else { full });
            wide.resize(chunk.len(), W::default());
            let mut start = 0;
            while start < chunk.len() {
                let (bands, uses) = read(&chunk[start..start + HEADER]);
                let end = start + (units(bands) << unit);
                write(&mut wide[start..start + HEADER], bands, uses);
                widen(&chunk[start + HEADER..end], &mut wide[start + HEADER..end]);
                start = end;
            }
            chunks.push(wide);
        }
        Records { form, unit, shift, chunks, free, len }
    }

    /// The allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        let slots: usize = self.chunks.iter().map(Vec::capacity).sum();
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        slots * size_of::<S>()
            + self.chunks.capacity() * size_of::<Vec<S>>()
            + free * size_of::<u32>()
            + self.free.capacity() * size_of::<Vec<u32>>()
    }
}

/// A unit has two to the power of this many slots: about half a row, so that rounding up wastes little and keys stay
/// small.
fn unit<S: Slot>(form: &Narrow<S>) -> u32 {
    (form.row() / 2).next_power_of_two().max(HEADER).ilog2()
}

#[inline]
fn read<S: Slot>(header: &[S]) -> (u32, u32) {
    let word = Narrow::words(header).next().unwrap_or_default();
    (word as u32, (word >> 32) as u32)
}

#[inline]
fn write<S: Slot>(header: &mut [S], bands: u32, uses: u32) {
    S::put_word(u64::from(uses) << 32 | u64::from(bands), header);
}

fn widen<S: Slot, W: Slot>(old: &[S], new: &mut [W]) {
    for (new, &old) in new.iter_mut().zip(old) {
        *new = widened(old);
    }
}

/// Makes room for this many more slots: the first chunk doubles, any other has its full size from the start.
fn make_room<S>(chunk: &mut Vec<S>, slots: usize, wanted: usize, full: usize) {
    let needed = chunk.len() + slots;
    if needed > chunk.capacity() {
        chunk.reserve_exact(wanted.clamp(needed, full) - chunk.len());
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::{Id, Random};
    use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dbm, Dimension};

    use super::*;

    fn random_zone(random: &mut Random, dimension: Dimension) -> Dbm {
        let mut zone = Dbm::universal(dimension);
        for _ in 0..random.below(4) {
            let clock = |random: &mut Random| Clock::from_index(random.below(dimension.size()));
            let constant = Constant::new(random.within(0..=20).into()).expect("a small constant");
            let constraint = Constraint::new(clock(random), clock(random), Bound::weak(constant));
            let _kept = zone.constrain(constraint);
        }
        zone
    }

    /// Adds and removes zones of all lengths over several chunks; they stay readable after widening.
    #[test]
    fn records_keep_their_keys() {
        for (seed, clocks) in [(1, 0), (2, 1), (3, 5), (4, 12), (5, 31), (6, 40), (7, 70)] {
            let mut random = Random::from_seed(seed);
            let dimension = Dimension::of_clocks(clocks).expect("few clocks");
            let mut records: Records<i8> = Records::new(Narrow::new(dimension));
            let mut scratch = records.form().scratch();
            let mut there: Vec<(u32, Dbm)> = Vec::new();
            for _ in 0..6000 {
                if random.one_in(3) && !there.is_empty() {
                    let (key, _) = there.swap_remove(random.below(there.len()));
                    records.remove(key);
                } else {
                    let zone = random_zone(&mut random, dimension);
                    let form = records.form().clone();
                    let written = form.encode(&zone, &mut scratch).expect("small constants fit");
                    there.push((records.add(written), zone));
                }
            }
            assert_eq!(records.update_uses(there[0].0, |uses| uses + 6), 7);
            agree(&records, &there, dimension);
            let mut wide: Records<i32> = records.widened(Narrow::new(dimension));
            agree(&wide, &there, dimension);
            assert_eq!(wide.update_uses(there[0].0, |uses| uses), 7);
        }
    }

    fn agree<S: Slot + Default>(records: &Records<S>, there: &[(u32, Dbm)], dimension: Dimension) {
        assert_eq!(records.len(), there.len());
        let mut zone = Dbm::zero(dimension);
        for (key, expected) in there {
            records.form().decode(records.get(*key), &mut zone);
            assert_eq!(zone, *expected);
        }
    }

    #[test]
    fn a_zone_of_twelve_clocks_with_one_special_row_takes_little() {
        let dimension = Dimension::of_clocks(12).expect("few clocks");
        let records: Records<i16> = Records::new(Narrow::new(dimension));
        assert_eq!((records.units(0), records.units(1), records.units(3)), (1, 3, 5));
        assert_eq!(1 << records.unit, 8);
    }
}
