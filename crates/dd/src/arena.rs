//! The storage of nodes: one array of bytes with free chunks.
//!
//! An address is a `u32` and counts in units of a form's choice, so four bytes reach further than 4 GiB and the paper's
//! pair of a block and an index within it is not needed. Nodes do not move. What a collection frees becomes holes, where
//! neighbours are one: holes of up to [`CLASSES`] units are kept by their size, so that a node finds one that fits
//! exactly at once; longer ones are filled from their beginning, and what is left of one is a small hole again. Only
//! then is a larger hole split, and only then does the array grow, by an eighth, which keeps what is allocated and never
//! used below that.

use crate::forms::{NodeForm, SLACK};

/// Holes of fewer units are kept by their size.
const CLASSES: usize = 32;
/// The array grows by as many bytes at least.
const GROWTH_MIN: usize = 1 << 12;
/// The first addresses are the constants'.
const FIRST: u32 = 2;

#[derive(Clone, Copy, Debug, Default)]
struct FreeChunk {
    start: u32,
    len: u32,
}

impl FreeChunk {
    fn take(&mut self, units: u32) -> Option<u32> {
        let start = self.start;
        (self.len >= units).then(|| {
            self.start += units;
            self.len -= units;
            start
        })
    }
}

/// Bytes of nodes by their address.
#[derive(Debug)]
pub(crate) struct Arena {
    bytes: Vec<u8>,
    unit: usize,
    address_max: u32,
    /// Nothing lies from here on.
    end: u32,
    /// The starts of holes by their number of units.
    small: Vec<Vec<u32>>,
    long: Vec<FreeChunk>,
    /// A long hole that is being filled.
    open: FreeChunk,
    /// Units in all holes.
    free: u64,
}

impl Arena {
    pub(crate) fn new<F: NodeForm>() -> Self {
        Self {
            bytes: vec![0; FIRST as usize * F::UNIT + SLACK],
            unit: F::UNIT,
            address_max: F::ADDRESS_MAX,
            end: FIRST,
            small: vec![Vec::new(); CLASSES],
            long: Vec::new(),
            open: FreeChunk::default(),
            free: 0,
        }
    }

    /// The bytes from an address on, those of other nodes behind it among them.
    #[inline]
    pub(crate) fn at(&self, address: u32) -> &[u8] {
        &self.bytes[address as usize * self.unit..]
    }

    /// Writes a node where there is room; its address.
    ///
    /// # Panics
    /// If addresses run out.
    pub(crate) fn insert(&mut self, node: &[u8]) -> u32 {
        let address = self.place(node.len().div_ceil(self.unit) as u32);
        self.bytes[address as usize * self.unit..][..node.len()].copy_from_slice(node);
        address
    }

    fn place(&mut self, units: u32) -> u32 {
        if self.free > 0
            && let Some(address) = self.place_in_hole(units)
        {
            self.free -= u64::from(units);
            return address;
        }
        self.place_at_end(units)
    }

    fn place_in_hole(&mut self, units: u32) -> Option<u32> {
        if let Some(address) = self.small.get_mut(units as usize).and_then(Vec::pop) {
            return Some(address);
        }
        if let Some(address) = self.open.take(units) {
            return Some(address);
        }
        if let Some(next) = self.long.pop_if(|hole| hole.len >= units) {
            let rest = std::mem::replace(&mut self.open, next);
            self.keep(rest);
            return self.open.take(units);
        }
        self.split_larger(units)
    }

    fn split_larger(&mut self, units: u32) -> Option<u32> {
        let larger = self.small.iter_mut().enumerate().skip(units as usize + 1);
        let (len, start) = larger.filter_map(|(len, starts)| Some((len, starts.pop()?))).next()?;
        let mut hole = FreeChunk { start, len: len as u32 };
        let address = hole.take(units);
        self.keep(hole);
        address
    }

    fn keep(&mut self, hole: FreeChunk) {
        match self.small.get_mut(hole.len as usize) {
            _ if hole.len == 0 => {}
            Some(starts) => starts.push(hole.start),
            None => self.long.push(hole),
        }
    }

    fn place_at_end(&mut self, units: u32) -> u32 {
        let address = self.end;
        let end = address.checked_add(units).filter(|&end| end <= self.address_max);
        self.end = end.expect("more bytes of nodes than addresses reach");
        let needed = self.end as usize * self.unit + SLACK;
        if needed > self.bytes.len() {
            let grown = needed.max(self.bytes.len() + (self.bytes.len() / 8).max(GROWTH_MIN));
            self.bytes.reserve_exact(grown - self.bytes.len());
            self.bytes.resize(grown, 0);
        }
        address
    }

    /// Forgets all holes and takes as new ones whatever lies between the nodes that are left, whose addresses are given in
    /// order; `length` tells the number of bytes of each.
    pub(crate) fn keep_only(&mut self, nodes: impl Iterator<Item = u32>, length: impl Fn(&[u8]) -> usize) {
        self.small.iter_mut().for_each(Vec::clear);
        self.long.clear();
        (self.open, self.free) = (FreeChunk::default(), 0);
        let mut start = FIRST;
        for address in nodes {
            let hole = FreeChunk { start, len: address - start };
            self.free += u64::from(hole.len);
            self.keep(hole);
            start = address + length(self.at(address)).div_ceil(self.unit) as u32;
        }
        self.end = start;
        self.give_back();
    }

    /// Gives back what lies far behind the last node.
    fn give_back(&mut self) {
        let needed = self.end as usize * self.unit + SLACK;
        if self.bytes.len() / 2 > needed + GROWTH_MIN {
            self.bytes.truncate(needed);
            self.bytes.shrink_to_fit();
        }
    }

    /// No node has an address from here on.
    pub(crate) const fn end(&self) -> u32 {
        self.end
    }

    /// The bytes that lie in nodes.
    pub(crate) const fn used_bytes(&self) -> u64 {
        (self.end as u64 - FIRST as u64 - self.free) * self.unit as u64
    }

    /// All bytes that were asked for.
    pub(crate) fn bytes(&self) -> usize {
        let starts: usize = self.small.iter().map(Vec::capacity).sum();
        self.bytes.capacity()
            + starts * size_of::<u32>()
            + self.small.capacity() * size_of::<Vec<u32>>()
            + self.long.capacity() * size_of::<FreeChunk>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tourbillon_base::Random;

    use super::*;
    use crate::forms::Compact;

    /// Blocks filled with a byte of their own stay as they are, through rounds of freeing most and adding others.
    #[test]
    fn blocks_keep_their_bytes() {
        for seed in 0..20 {
            let mut random = Random::from_seed(seed);
            let mut arena = Arena::new::<Compact>();
            let mut blocks: BTreeMap<u32, (u8, usize)> = BTreeMap::new();
            for round in 0..40 {
                for _ in 0..200 {
                    let len = 4 + if random.one_in(20) { random.below(400) } else { random.below(30) };
                    let byte = random.below(256) as u8;
                    let mut block = vec![byte; len];
                    block[..2].copy_from_slice(&(len as u16).to_le_bytes());
                    let address = arena.insert(&block);
                    assert!(blocks.insert(address, (byte, len)).is_none(), "seed {seed}, round {round}");
                }
                for (&address, &(byte, len)) in &blocks {
                    assert!(arena.at(address)[2..len].iter().all(|&found| found == byte), "seed {seed}");
                }
                let keep = 1 + random.below(3);
                blocks.retain(|_, _| random.below(4) < keep);
                arena.keep_only(blocks.keys().copied(), |bytes| {
                    usize::from(bytes[0]) | usize::from(bytes[1]) << 8
                });
                let units: u64 = blocks.values().map(|&(_, len)| len.div_ceil(Compact::UNIT) as u64).sum();
                assert_eq!(arena.used_bytes(), units * Compact::UNIT as u64);
            }
            assert!(arena.bytes() < 1 << 17, "seed {seed}: holes are filled, {} bytes", arena.bytes());
        }
    }

    #[test]
    fn what_is_empty_is_given_back() {
        let mut arena = Arena::new::<Compact>();
        (0..10_000).for_each(|_| _ = arena.insert(&[7; 20]));
        assert!(arena.bytes() > 200_000);
        arena.keep_only(std::iter::empty(), <[u8]>::len);
        assert!(arena.bytes() < 10_000);
        assert_eq!(arena.insert(&[7; 20]), FIRST);
    }
}
