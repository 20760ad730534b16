//! Records of bytes, of several lengths, in chunks that never move.
//!
//! A key is the position of a record, counted in units of some bytes, so that it is a small number. How long a record
//! is its owner knows, or reads off it. The place of a freed one is reused for one of the same length, so that freeing
//! and adding go on for ever without asking for more. Else a longer one is cut, unless records will be rewritten: then
//! every place must tell how long it is, and what is cut off would not.
//!
//! Lengths are counted in units throughout, so that keys stay when units get longer.

/// About how many bytes a chunk has.
const CHUNK: usize = 1 << 16;
/// How many units the first chunk starts with.
const FIRST: usize = 16;

/// Places for records.
#[derive(Debug)]
pub(super) struct Places {
    /// How many bytes a unit has.
    unit: usize,
    /// A chunk has two to the power of this many units.
    shift: u32,
    chunks: Vec<Vec<u8>>,
    /// By length in units, the keys of freed records.
    free: Vec<Vec<u32>>,
    /// Whether longer places are cut.
    cuts: bool,
}

impl Places {
    /// No records, in units of so many bytes; none will be longer than so many units.
    pub(super) fn new(unit: usize, units_max: usize) -> Self {
        let units = (CHUNK / unit).max(2 * units_max);
        Self {
            unit,
            shift: units.next_power_of_two().ilog2(),
            chunks: Vec::new(),
            free: Vec::new(),
            cuts: false,
        }
    }

    /// The same, for records that will never be rewritten.
    pub(super) fn cutting(self) -> Self {
        Self { cuts: true, ..self }
    }

    /// All bytes from this record on to the end of its chunk.
    #[inline]
    pub(super) fn get(&self, key: u32) -> &[u8] {
        &self.chunks[(key >> self.shift) as usize][self.start(key)..]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, key: u32) -> &mut [u8] {
        let start = self.start(key);
        &mut self.chunks[(key >> self.shift) as usize][start..]
    }

    #[inline]
    fn start(&self, key: u32) -> usize {
        (key as usize & ((1 << self.shift) - 1)) * self.unit
    }

    /// A place for a record of so many units.
    ///
    /// # Panics
    /// If its key does not fit in 32 bits.
    pub(super) fn take(&mut self, units: usize) -> u32 {
        let fitting = self.free.get_mut(units).and_then(Vec::pop);
        fitting.or_else(|| self.cut(units)).unwrap_or_else(|| self.reserve(units))
    }

    /// The beginning of a place that is longer, the shortest there is.
    fn cut(&mut self, units: usize) -> Option<u32> {
        let longer = self.free.iter().skip(if self.cuts { units + 1 } else { usize::MAX });
        let length = units + 1 + longer.into_iter().position(|keys| !keys.is_empty())?;
        let key = self.free[length].pop()?;
        self.give(key + units as u32, length - units);
        Some(key)
    }

    /// Gives back the place of a record of so many units. What is in it stays until it is reused.
    pub(super) fn give(&mut self, key: u32, units: usize) {
        if self.free.len() <= units {
            self.free.resize(units + 1, Vec::new());
        }
        self.free[units].push(key);
    }

    /// Room for a record at the end. What is left of a chunk that is too short for it stays empty.
    fn reserve(&mut self, units: usize) -> u32 {
        let (bytes, full) = (units * self.unit, self.unit << self.shift);
        if self.chunks.last().is_none_or(|chunk| chunk.len() + bytes > full) {
            self.chunks.push(Vec::new());
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let key = (number << self.shift) + chunk.len() / self.unit;
        let wanted = if number == 0 { (2 * chunk.capacity()).max(FIRST * self.unit) } else { full };
        make_room(chunk, bytes, wanted, full);
        chunk.resize(chunk.len() + bytes, 0);
        u32::try_from(key).expect("zones of at most 2^32 units")
    }

    /// The same records under the same keys in longer units. `rewrite` writes a record and returns its length in
    /// units, of freed ones too. Each chunk is given back before the next is made, so memory grows by no more than the
    /// difference and one chunk.
    pub(super) fn rewritten(self, unit: usize, mut rewrite: impl FnMut(&[u8], &mut [u8]) -> usize) -> Self {
        let Self { unit: old, shift, free, chunks, cuts } = self;
        debug_assert!(!cuts, "a place that was cut does not tell how long it is");
        let full = unit << shift;
        let rewritten = chunks.into_iter().enumerate().map(|(number, chunk)| {
            let units = chunk.len() / old;
            let mut longer = Vec::with_capacity(if number == 0 { units * unit } else { full });
            longer.resize(units * unit, 0);
            let mut at = 0;
            while at < units {
                at += rewrite(&chunk[at * old..], &mut longer[at * unit..]);
            }
            longer
        });
        Self { unit, shift, free, chunks: rewritten.collect(), cuts }
    }

    /// How many bytes were asked of the allocator.
    pub(super) fn bytes(&self) -> usize {
        let bytes: usize = self.chunks.iter().map(Vec::capacity).sum();
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        bytes
            + self.chunks.capacity() * size_of::<Vec<u8>>()
            + free * size_of::<u32>()
            + self.free.capacity() * size_of::<Vec<u32>>()
    }
}

/// Sees to it that so many more bytes fit: the first chunk doubles, any other has room from the beginning.
fn make_room(chunk: &mut Vec<u8>, bytes: usize, wanted: usize, full: usize) {
    let needed = chunk.len() + bytes;
    if needed > chunk.capacity() {
        chunk.reserve_exact(wanted.clamp(needed, full) - chunk.len());
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    /// Records of all lengths are added and removed over several chunks, and are there before and after units grow.
    #[test]
    fn records_keep_their_keys() {
        for (seed, unit, units_max) in [(1, 1, 3), (2, 4, 9), (3, 6, 40), (4, 300, 70)] {
            let mut random = Random::from_seed(seed);
            let mut places = Places::new(unit, units_max);
            let mut there: Vec<(u32, usize, u8)> = Vec::new();
            for number in 0..20_000u32 {
                if random.one_in(3) && !there.is_empty() {
                    let (key, units, _) = there.swap_remove(random.below(there.len()));
                    places.give(key, units);
                } else {
                    let units = 1 + random.below(units_max);
                    let key = places.take(units);
                    places.get_mut(key)[..units * unit].fill(number as u8);
                    places.get_mut(key)[0] = units as u8;
                    there.push((key, units, number as u8));
                }
            }
            agree(&places, &there, unit, seed);
            let copy = |from: &[u8], to: &mut [u8]| {
                let units = usize::from(from[0]);
                to[..units * unit].copy_from_slice(&from[..units * unit]);
                units
            };
            agree(&places.rewritten(unit + 2, copy), &there, unit, seed);
        }
    }

    fn agree(places: &Places, there: &[(u32, usize, u8)], unit: usize, seed: u64) {
        for &(key, units, number) in there {
            let record = &places.get(key)[..units * unit];
            assert_eq!(usize::from(record[0]), units, "seed {seed}");
            assert!(record[1..].iter().all(|&byte| byte == number), "seed {seed}");
        }
    }

    #[test]
    fn freed_places_are_reused() {
        let mut places = Places::new(4, 5);
        let keys: Vec<u32> = (0..100).map(|at| places.take(1 + at % 5)).collect();
        let bytes = places.chunks[0].len();
        keys.iter().zip(0..).for_each(|(&key, at)| places.give(key, 1 + at % 5));
        for at in 0..100 {
            places.take(1 + at % 5);
        }
        assert_eq!(places.chunks[0].len(), bytes);
    }

    #[test]
    fn long_places_are_cut_for_short_records() {
        for (cuts, expected) in [(true, 400), (false, 800)] {
            let mut places = Places { cuts, ..Places::new(4, 5) };
            let keys: Vec<u32> = (0..20).map(|_| places.take(5)).collect();
            keys.iter().for_each(|&key| places.give(key, 5));
            let mut short: Vec<u32> = (0..100).map(|_| places.take(1)).collect();
            short.sort_unstable();
            short.dedup();
            assert_eq!((short.len(), places.chunks[0].len()), (100, expected));
        }
    }
}
