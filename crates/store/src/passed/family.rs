//! A family of hash functions, of which a seed chooses one.
//!
//! A state is a row of words `x_1 … x_n` of 64 bits, as many for every state of a model. With random coefficients
//! `a_0 … a_n` of 128 bits its hash is the upper half of `a_0 + a_1 x_1 + … + a_n x_n` modulo `2^128`. Over all
//! coefficients, the hashes of any two different states are two independent uniform numbers: the family is strongly
//! universal `[CarterWegman1979]`, in this form by `[Dietzfelbinger1996]`, since `128 >= 64 + 64 - 1`. So no model is
//! bad for all seeds, which is what the estimate of omissions stands on. The fixed function of `hash.rs` is faster
//! and promises nothing of the kind.
//!
//! That is about pairs. More than two states that stand in a row, as packed states often do, have hashes in a row, which
//! collide hardly ever under most functions and all the time under a few. So the bits are stirred at the end, by the
//! generator splitmix64, which makes a stream of independent numbers of such a row. It is one-to-one, so that pairs stay
//! as they are.
//!
//! A lane is one such hash: two multiplications for each word. Tables that need more bits than 64 use two.

use tourbillon_base::Random;
use tourbillon_dbm::Dbm;

/// A hash function with some lanes.
#[derive(Debug)]
pub(super) struct HashFunction<const LANES: usize> {
    /// What is still to be drawn from.
    random: Random,
    start: [u128; LANES],
    factors: Vec<[u128; LANES]>,
}

impl<const LANES: usize> HashFunction<LANES> {
    /// The one that this seed stands for.
    pub(super) fn from_seed(seed: u64) -> Self {
        let mut random = Random::from_seed(seed);
        let start = coefficients(&mut random);
        Self { random, start, factors: Vec::new() }
    }

    /// The hash of some words. For a given model there must always be as many.
    #[inline]
    pub(super) fn hash(&mut self, words: impl Iterator<Item = u64>) -> [u64; LANES] {
        let mut sums = self.start;
        for (position, word) in words.enumerate() {
            if position == self.factors.len() {
                let drawn = coefficients(&mut self.random);
                self.factors.push(drawn);
            }
            for (sum, factor) in sums.iter_mut().zip(&self.factors[position]) {
                *sum = sum.wrapping_add(factor.wrapping_mul(word.into()));
            }
        }
        sums.map(|sum| derived((sum >> 64) as u64, 0))
    }

    pub(super) fn bytes(&self) -> usize {
        self.factors.capacity() * size_of::<[u128; LANES]>()
    }
}

fn coefficients<const LANES: usize>(random: &mut Random) -> [u128; LANES] {
    std::array::from_fn(|_| u128::from(random.next_u64()) << 64 | u128::from(random.next_u64()))
}

/// The words of a packed discrete state.
pub(super) fn discrete_words(words: &[u32]) -> impl Iterator<Item = u64> {
    let (pairs, rest) = words.as_chunks::<2>();
    pairs.iter().map(|&[low, high]| pair(low, high)).chain(rest.iter().map(|&half| half.into()))
}

/// The words of a zone.
pub(super) fn zone_words(zone: &Dbm) -> impl Iterator<Item = u64> {
    zone.rows().flat_map(|row| {
        let (pairs, rest) = row.as_chunks::<2>();
        let pairs = pairs.iter().map(|&[low, high]| pair(low.cast_unsigned(), high.cast_unsigned()));
        pairs.chain(rest.iter().map(|&half| half.cast_unsigned().into()))
    })
}

fn pair(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// A number from 0 on and below `end`, of a hash.
#[inline]
pub(super) fn scaled(hash: u64, end: u64) -> u64 {
    ((u128::from(hash) * u128::from(end)) >> 64) as u64
}

/// Another number for each `number`, all made of one hash: what the generator splitmix64 gives after so many steps.
#[inline]
pub(super) fn derived(hash: u64, number: u32) -> u64 {
    let mut z = hash.wrapping_add((u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use tourbillon_dbm::Dimension;

    use super::*;

    #[test]
    fn a_seed_is_a_function() {
        let words = [5u64, 0, 9];
        let hash = |seed| HashFunction::<2>::from_seed(seed).hash(words.into_iter());
        assert_eq!(hash(3), hash(3));
        assert_ne!(hash(3), hash(4));
        let mut function = HashFunction::<2>::from_seed(3);
        assert_eq!([0; 3].map(|_| function.hash(words.into_iter())), [hash(3); 3]);
        assert_ne!(hash(3)[0], hash(3)[1]);
    }

    /// Two states that differ little collide in a table of 1024 places under one function in 1024.
    #[test]
    fn similar_states_collide_as_often_as_any() {
        let collides = |seed: &u64| {
            let mut function = HashFunction::<1>::from_seed(*seed);
            let mut place = |words: [u64; 2]| scaled(function.hash(words.into_iter())[0], 1024);
            place([7, 1 << 63]) == place([7, 0])
        };
        let collisions = (0..100_000).filter(collides).count();
        assert!((60..140).contains(&collisions), "{collisions} of 100,000, where 98 are expected");
    }

    #[test]
    fn every_bound_of_a_zone_counts() {
        let dimension = Dimension::of_clocks(4).expect("few clocks");
        let mut words = vec![zone_words(&Dbm::zero(dimension)).collect::<Vec<_>>()];
        words.push(zone_words(&Dbm::universal(dimension)).collect());
        assert_eq!(words[0].len(), 15);
        assert_ne!(words[0], words[1]);
    }
}
