//! Slots of any number of bits, contiguous, and probe sequences through them.
//!
//! A slot begins at any bit and may end in the next word. The number of slots is a prime, so that a sequence with any
//! start and any step size visits all of them (double hashing): the sequences of states with the same start differ at
//! once, and a missing state is detected after `1/(1 - f)` slots at a fill of `f`; linear probing would take
//! `(1 + 1/(1 - f)^2)/2`. The number of compared signatures matters more than the cache, since each of them may be equal by
//! chance.
//!
//! A table counts as full when one slot in 32 is free: a look-up then takes 32 steps.

use std::collections::TryReserveError;

use tourbillon_base::memory;

use super::universal_hash::{derived, scaled};

/// Zeros, unless there is no memory for them. They are requested twice: the first time so that a refusal can be
/// handled, the second time as zero pages that cost nothing until they are written.
pub(super) fn zeroed<T: Copy + Default>(count: usize) -> Result<Vec<T>, TryReserveError> {
    memory::attempt(|| Vec::<T>::new().try_reserve_exact(count))?;
    Ok(vec![T::default(); count])
}

/// Slots of one width. An empty one is 0.
#[derive(Debug)]
pub(super) struct Slots {
    words: Vec<u64>,
    width: u32,
    len: u64,
}

impl Slots {
    /// As many empty slots of `width` bits as fit in this many bytes, or a few less; each also has `besides` bits
    /// elsewhere.
    ///
    /// # Panics
    /// If a slot has no bits or more than 63.
    pub(super) fn new(bytes: usize, width: u32, besides: u32) -> Result<Self, TryReserveError> {
        assert!((1..64).contains(&width), "slots of 1 to 63 bits");
        memory::attempt(|| Vec::<u8>::new().try_reserve_exact(bytes))?;
        let fitting = bytes as u128 * 8 / u128::from(width + besides);
        let len = prime_up_to(u64::try_from(fitting).unwrap_or(u64::MAX));
        let bits = u128::from(len) * u128::from(width);
        // One more word, since a slot is read from two.
        let words = usize::try_from(bits.div_ceil(64)).map_or(usize::MAX, |words| words.saturating_add(1));
        Ok(Self { words: zeroed(words)?, width, len })
    }

    /// The slots with their memory; these must not be used any more.
    pub(super) fn take(&mut self) -> Self {
        Self { words: std::mem::take(&mut self.words), ..*self }
    }

    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// The maximum number of used slots.
    pub(super) const fn full(&self) -> u64 {
        self.len - self.len.div_ceil(32)
    }

    #[inline]
    pub(super) fn get(&self, slot: u64) -> u64 {
        let (word, shift) = self.place(slot);
        let two_words = u128::from(self.words[word + 1]) << 64 | u128::from(self.words[word]);
        (two_words >> shift) as u64 & self.mask()
    }

    #[inline]
    pub(super) fn set(&mut self, slot: u64, value: u64) {
        debug_assert!(value <= self.mask());
        let (word, shift) = self.place(slot);
        let two_words = u128::from(self.words[word + 1]) << 64 | u128::from(self.words[word]);
        let rest = two_words & !(u128::from(self.mask()) << shift);
        let changed = rest | u128::from(value) << shift;
        (self.words[word], self.words[word + 1]) = (changed as u64, (changed >> 64) as u64);
    }

    #[inline]
    fn place(&self, slot: u64) -> (usize, u32) {
        let bit = u128::from(slot) * u128::from(self.width);
        ((bit / 64) as usize, (bit % 64) as u32)
    }

    #[inline]
    fn mask(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// The probe sequence of a hash, without an end.
    #[inline]
    pub(super) fn probe_sequence(&self, hash: u64) -> impl Iterator<Item = u64> + use<> {
        let len = self.len;
        let step = 1 + scaled(derived(hash, 1), len - 1);
        let mut next = scaled(hash, len);
        std::iter::from_fn(move || {
            let slot = next;
            next += step;
            if next >= len {
                next -= len;
            }
            Some(slot)
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

/// The largest prime up to a number; 2 if there is none.
fn prime_up_to(number: u64) -> u64 {
    let is_prime = |&number: &u64| {
        let mut divisors = (3..).step_by(2).take_while(|divisor| divisor * divisor <= number);
        number % 2 == 1 && divisors.all(|divisor| !number.is_multiple_of(divisor))
    };
    (3..=number).rev().find(is_prime).unwrap_or(2)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tourbillon_base::Random;

    use super::*;

    #[test]
    fn slots_of_every_width_keep_their_values() {
        for width in 1..64 {
            let mut slots = Slots::new(1000, width, 0).expect("little memory");
            let mut random = Random::from_seed(width.into());
            let mut values = vec![0; slots.len() as usize];
            for _ in 0..3000 {
                let slot = random.below(values.len());
                values[slot] = random.next_u64() >> (64 - width);
                slots.set(slot as u64, values[slot]);
            }
            assert!(
                values.iter().enumerate().all(|(slot, &value)| slots.get(slot as u64) == value),
                "{width}"
            );
            let bits = slots.len() as usize * width as usize;
            assert!((8000 - 40 * width as usize..=8000).contains(&bits), "{width}: {bits} bits");
            assert!(slots.bytes() <= 1000 + 16, "{width}: {}", slots.bytes());
        }
    }

    #[test]
    fn probe_sequences_visit_all_slots() {
        let slots = Slots::new(100, 20, 12).expect("little memory");
        assert_eq!((slots.len(), slots.full()), (23, 22));
        for seed in 0..100 {
            let hash = Random::from_seed(seed).next_u64();
            let sequence: HashSet<u64> = slots.probe_sequence(hash).take(23).collect();
            assert_eq!(sequence.len(), 23, "seed {seed}");
        }
    }

    #[test]
    fn primes_are_found() {
        assert_eq!([0, 1, 2, 3, 4, 10, 25, 100].map(prime_up_to), [2, 2, 2, 3, 3, 7, 23, 97]);
        assert_eq!(prime_up_to(1 << 32), (1 << 32) - 5);
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert!(Slots::new(usize::MAX, 48, 0).is_err());
        assert!(zeroed::<u64>(usize::MAX).is_err());
    }
}
