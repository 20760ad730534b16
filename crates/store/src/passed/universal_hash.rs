//! A family of hash functions, indexed by a seed.
//!
//! A state is a vector of words `x_1 … x_n` of 64 bits, of the same length for all states of a model. With random
//! coefficients `a_0 … a_n` of 128 bits, its hash is the upper half of `a_0 + a_1 x_1 + … + a_n x_n` modulo `2^128`.
//! Over all coefficients, the hashes of any two different states are two independent uniform numbers: the family is
//! strongly universal `[CarterWegman1979]`, in this form by `[Dietzfelbinger1996]`, since `128 >= 64 + 64 - 1`. So no
//! model is bad for all seeds, on which the estimate of omissions relies. The fixed function of `hash.rs` is faster and
//! has no such guarantee.
//!
//! This concerns pairs. More than two states in an arithmetic progression, which is common for packed states, have
//! hashes in one too; these almost never collide under most functions and always under a few. So the bits are finally
//! mixed by the generator splitmix64, which turns such a progression into a stream of independent numbers. It is a
//! bijection, so the guarantee for pairs remains.
//!
//! A lane is one such hash: two multiplications for each word. Tables that need more than 64 bits use two.

use tourbillon_base::Random;
use tourbillon_dbm::{Dbm, Dimension};

/// A hash function with some lanes.
#[derive(Debug)]
pub(super) struct HashFunction<const LANES: usize> {
    start: [u128; LANES],
    factors: Vec<[u128; LANES]>,
}

impl<const LANES: usize> HashFunction<LANES> {
    /// The function of a seed, for discrete states packed in `halves` half words, with or without a zone.
    pub(super) fn new(seed: u64, (halves, zone): (usize, Option<Dimension>)) -> Self {
        let mut random = Random::from_seed(seed);
        let start = coefficients(&mut random);
        let size = zone.map_or(0, Dimension::size);
        let words = halves.div_ceil(2) + size * size.div_ceil(2);
        let mut factors = Vec::new();
        while factors.len() < words {
            factors.push(coefficients(&mut random));
        }
        Self { start, factors }
    }

    /// The function with its memory; this one must not be used any more.
    pub(super) fn take(&mut self) -> Self {
        Self { start: self.start, factors: std::mem::take(&mut self.factors) }
    }

    /// The hash of a packed discrete state, with or without a zone, as in `new`.
    #[inline]
    pub(super) fn hash(&self, discrete: &[u32], zone: Option<&Dbm>) -> [u64; LANES] {
        let (mut sums, mut factors) = (self.start, &self.factors[..]);
        factors = add(&mut sums, factors, discrete, |half| half);
        for row in zone.iter().flat_map(|zone| zone.rows()) {
            factors = add(&mut sums, factors, row, i32::cast_unsigned);
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

/// Adds half words, two for each word, with their factors. Returns the remaining factors.
#[inline]
fn add<'f, const LANES: usize, T: Copy>(
    sums: &mut [u128; LANES],
    factors: &'f [[u128; LANES]],
    halves: &[T],
    bits: impl Fn(T) -> u32,
) -> &'f [[u128; LANES]] {
    let (pairs, rest) = halves.as_chunks::<2>();
    let (factors, left) = factors.split_at(halves.len().div_ceil(2));
    let mut add_word = |word: u64, factors: &[u128; LANES]| {
        for (sum, factor) in sums.iter_mut().zip(factors) {
            *sum = sum.wrapping_add(factor.wrapping_mul(word.into()));
        }
    };
    for (&[low, high], factors) in pairs.iter().zip(factors) {
        add_word(u64::from(bits(high)) << 32 | u64::from(bits(low)), factors);
    }
    if let (&[half], Some(factors)) = (rest, factors.last()) {
        add_word(bits(half).into(), factors);
    }
    left
}

/// Scales a hash to a number below `end`.
#[inline]
pub(super) fn scaled(hash: u64, end: u64) -> u64 {
    ((u128::from(hash) * u128::from(end)) >> 64) as u64
}

/// A different value for each `number`, derived from one hash: the output of the generator splitmix64 after this many
/// steps.
#[inline]
pub(super) fn derived(hash: u64, number: u32) -> u64 {
    let mut z = hash.wrapping_add((u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tourbillon_base::Id;
    use tourbillon_dbm::Dimension;

    use super::*;

    #[test]
    fn a_seed_is_a_function() {
        let words = [5, 0, 9];
        let hash = |seed| HashFunction::<2>::new(seed, (3, None)).hash(&words, None);
        assert_eq!(hash(3), hash(3));
        assert_ne!(hash(3), hash(4));
        let function = HashFunction::<2>::new(3, (3, None));
        assert_eq!([0; 3].map(|_| function.hash(&words, None)), [hash(3); 3]);
        assert_ne!(hash(3)[0], hash(3)[1]);
    }

    /// Two similar states collide in a table of 1024 places under one function in 1024.
    #[test]
    fn similar_states_collide_as_often_as_any() {
        let collides = |seed: &u64| {
            let function = HashFunction::<1>::new(*seed, (4, None));
            let place = |words: [u32; 4]| scaled(function.hash(&words, None)[0], 1024);
            place([7, 0, 0, 1 << 31]) == place([7, 0, 0, 0])
        };
        let collisions = (0..100_000).filter(collides).count();
        assert!((60..140).contains(&collisions), "{collisions} of 100,000, where 98 are expected");
    }

    #[test]
    fn every_half_and_every_bound_counts() {
        let dimension = Dimension::of_clocks(4).expect("few clocks");
        let function = HashFunction::<1>::new(1, (5, Some(dimension)));
        let mut seen = HashSet::new();
        for at in 0..5 {
            let mut words = [0; 5];
            words[at] = 1;
            assert!(seen.insert(function.hash(&words, Some(&Dbm::zero(dimension)))));
        }
        for clock in dimension.iter() {
            let mut zone = Dbm::zero(dimension);
            assert!(seen.insert(function.hash(&[0; 5], Some(&zone))) || clock.index() > 1);
            zone.free(clock);
            assert!(seen.insert(function.hash(&[0; 5], Some(&zone))), "{clock:?}");
        }
        assert_eq!(function.factors.len(), 3 + 5 * 3);
    }
}
