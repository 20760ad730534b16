//! Byte records of several lengths, in chunks that never move.
//!
//! A key is the position of a record, in units of some bytes, so that it is a small number. The owner of a record knows
//! its length. A freed block is reused for a record of the same length, so that alternating frees and adds never
//! allocate. If there is none, a longer block is split, unless records will be rewritten: then the length of every
//! block must be known, which is not so for the remainder of a split block. If blocks are split, a freed one is never
//! read and holds the key of the next free block of its length; otherwise free lists are stored separately.
//!
//! Lengths are in units throughout, so that keys stay valid when units grow.

/// The approximate number of bytes of a chunk.
const CHUNK: usize = 1 << 16;
/// The initial number of units of the first chunk.
const FIRST: usize = 16;

#[derive(Debug)]
pub(super) struct ByteArena {
    /// The number of bytes of a unit.
    unit: usize,
    /// A chunk has two to the power of this many units.
    shift: u32,
    chunks: Vec<Vec<u8>>,
    free: Free,
}

/// The keys of freed records, by length in units.
#[derive(Debug)]
enum Free {
    /// As lists.
    Listed(Vec<Vec<u32>>),
    /// The first one of each length, or none; each block has the next one. Longer blocks are split.
    Linked(Vec<u32>),
}

const NONE: u32 = u32::MAX;
/// The number of bytes of a key in a freed block.
const LINK: usize = size_of::<u32>();

impl ByteArena {
    /// An empty arena with units of this many bytes, for records of at most `units_max` units.
    pub(super) fn new(unit: usize, units_max: usize) -> Self {
        let units = (CHUNK / unit).max(2 * units_max);
        Self {
            unit,
            shift: units.next_power_of_two().ilog2(),
            chunks: Vec::new(),
            free: Free::Listed(Vec::new()),
        }
    }

    /// The same, for records that will never be rewritten.
    ///
    /// # Panics
    /// If a unit is too short for a key.
    pub(super) fn splitting(self) -> Self {
        assert!(self.unit >= LINK, "units that are too short to be linked");
        Self { free: Free::Linked(Vec::new()), ..self }
    }

    /// The bytes from this record to the end of its chunk.
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

    /// A block of this many units.
    ///
    /// # Panics
    /// If its key does not fit in 32 bits.
    pub(super) fn allocate(&mut self, units: usize) -> u32 {
        let fitting = self.pop(units);
        fitting.or_else(|| self.split(units)).unwrap_or_else(|| self.reserve(units))
    }

    /// A freed block of this many units.
    fn pop(&mut self, units: usize) -> Option<u32> {
        let key = match &mut self.free {
            Free::Listed(lists) => return lists.get_mut(units)?.pop(),
            Free::Linked(firsts) => firsts.get(units).copied().filter(|&first| first != NONE)?,
        };
        let next = self.get(key).first_chunk().map_or(NONE, |&link| u32::from_le_bytes(link));
        if let Free::Linked(firsts) = &mut self.free {
            firsts[units] = next;
        }
        Some(key)
    }

    /// The beginning of a longer block, the shortest available.
    fn split(&mut self, units: usize) -> Option<u32> {
        let Free::Linked(firsts) = &self.free else { return None };
        let length = units + 1 + firsts.iter().skip(units + 1).position(|&first| first != NONE)?;
        let key = self.pop(length)?;
        self.release(key + units as u32, length - units);
        Some(key)
    }

    /// Frees a block of this many units. Its content stays until it is reused, unless blocks are split.
    pub(super) fn release(&mut self, key: u32, units: usize) {
        let next = match &mut self.free {
            Free::Listed(lists) => {
                lists.resize(lists.len().max(units + 1), Vec::new());
                return lists[units].push(key);
            }
            Free::Linked(firsts) => {
                firsts.resize(firsts.len().max(units + 1), NONE);
                std::mem::replace(&mut firsts[units], key)
            }
        };
        self.get_mut(key)[..LINK].copy_from_slice(&next.to_le_bytes());
    }

    /// Reserves a record at the end. The rest of a chunk that is too short for it stays unused.
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

    /// The same records under the same keys in longer units. `rewrite` writes a record and returns its length in units,
    /// for freed ones too. Each chunk is freed before the next is allocated, so memory grows only by the difference and
    /// one chunk.
    pub(super) fn rewritten(self, unit: usize, mut rewrite: impl FnMut(&[u8], &mut [u8]) -> usize) -> Self {
        let Self { unit: old, shift, free, chunks } = self;
        debug_assert!(matches!(free, Free::Listed(_)), "a block that was split does not tell how long it is");
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
        Self { unit, shift, free, chunks: rewritten.collect() }
    }

    /// The allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        let bytes: usize = self.chunks.iter().map(Vec::capacity).sum();
        let free = match &self.free {
            Free::Linked(firsts) => firsts.capacity() * size_of::<u32>(),
            Free::Listed(lists) => {
                let keys: usize = lists.iter().map(Vec::capacity).sum();
                keys * size_of::<u32>() + lists.capacity() * size_of::<Vec<u32>>()
            }
        };
        bytes + self.chunks.capacity() * size_of::<Vec<u8>>() + free
    }
}

/// Makes room for this many more bytes: the first chunk doubles, any other has its full size from the start.
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

    /// Adds and removes records of all lengths over several chunks; they stay readable when units grow.
    #[test]
    fn records_keep_their_keys() {
        let cases = [(1, 1, 3, false), (2, 4, 9, false), (3, 6, 40, false), (4, 300, 70, false)];
        for (seed, unit, units_max, splits) in cases.into_iter().chain([(5, 4, 9, true), (6, 7, 40, true)]) {
            let mut random = Random::from_seed(seed);
            let arena = ByteArena::new(unit, units_max);
            let mut arena = if splits { arena.splitting() } else { arena };
            let mut there: Vec<(u32, usize, u8)> = Vec::new();
            for number in 0..20_000u32 {
                if random.one_in(3) && !there.is_empty() {
                    let (key, units, _) = there.swap_remove(random.below(there.len()));
                    arena.release(key, units);
                } else {
                    let units = 1 + random.below(units_max);
                    let key = arena.allocate(units);
                    arena.get_mut(key)[..units * unit].fill(number as u8);
                    arena.get_mut(key)[0] = units as u8;
                    there.push((key, units, number as u8));
                }
            }
            agree(&arena, &there, unit, seed);
            if splits {
                continue;
            }
            let copy = |from: &[u8], to: &mut [u8]| {
                let units = usize::from(from[0]);
                to[..units * unit].copy_from_slice(&from[..units * unit]);
                units
            };
            agree(&arena.rewritten(unit + 2, copy), &there, unit, seed);
        }
    }

    fn agree(arena: &ByteArena, there: &[(u32, usize, u8)], unit: usize, seed: u64) {
        for &(key, units, number) in there {
            let record = &arena.get(key)[..units * unit];
            assert_eq!(usize::from(record[0]), units, "seed {seed}");
            assert!(record[1..].iter().all(|&byte| byte == number), "seed {seed}");
        }
    }

    #[test]
    fn freed_blocks_are_reused() {
        let mut arena = ByteArena::new(4, 5);
        let keys: Vec<u32> = (0..100).map(|at| arena.allocate(1 + at % 5)).collect();
        let bytes = arena.chunks[0].len();
        keys.iter().zip(0..).for_each(|(&key, at)| arena.release(key, 1 + at % 5));
        for at in 0..100 {
            arena.allocate(1 + at % 5);
        }
        assert_eq!(arena.chunks[0].len(), bytes);
    }

    #[test]
    fn long_blocks_are_split_for_short_records() {
        for (mut arena, expected) in [(ByteArena::new(4, 5).splitting(), 400), (ByteArena::new(4, 5), 800)] {
            let keys: Vec<u32> = (0..20).map(|_| arena.allocate(5)).collect();
            keys.iter().for_each(|&key| arena.release(key, 5));
            let mut short: Vec<u32> = (0..100).map(|_| arena.allocate(1)).collect();
            short.sort_unstable();
            short.dedup();
            assert_eq!((short.len(), arena.chunks[0].len()), (100, expected));
        }
    }
}
