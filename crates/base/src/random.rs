//! Reproducible random numbers: one seed gives the same sequence on every machine and in every version.
//!
//! The generator is xoshiro256**, its state filled by splitmix64 `[BlackmanVigna2021]`: a few instructions a
//! number, and good enough for test cases, random walks and the choice of hash functions. It is written out
//! here instead of taken from a library because a library is free to change its sequence, and a seed in an
//! old bug report must keep meaning the same run. It is no source of secrets.

use std::ops::RangeInclusive;

/// A seeded source of random numbers.
///
/// ```
/// use tourbillon_base::Random;
///
/// let mut one = Random::from_seed(7);
/// let mut two = Random::from_seed(7);
/// assert_eq!(one.next_u64(), two.next_u64());
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The source that this seed stands for.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        let mut z = seed;
        let state = std::array::from_fn(|_| {
            z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut s = z;
            s = (s ^ (s >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            s = (s ^ (s >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            s ^ (s >> 31)
        });
        Self { state }
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number below `end`; 0 if `end` is 0. The bias is below `end / 2^64`.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next_u64()) * end as u128) >> 64) as usize
    }

    /// A number of the range, its ends included; its start if it is empty.
    pub fn within(&mut self, range: RangeInclusive<i32>) -> i32 {
        let (start, end) = range.into_inner();
        let size = i64::from(end) - i64::from(start) + 1;
        let offset = self.below(usize::try_from(size).unwrap_or(0));
        i32::try_from(i64::from(start) + offset as i64).unwrap_or(start)
    }

    /// True once in `times` draws on average; never if `times` is 0.
    pub fn one_in(&mut self, times: usize) -> bool {
        times > 0 && self.below(times) == 0
    }

    /// One of the items, or nothing if there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Puts the items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published test vector: xoshiro256** after splitmix64 of seed 0.
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::from_seed(0);
        assert_eq!(random.next_u64(), 0x99ec_5f36_cb75_f2b4);
        assert_eq!(random.next_u64(), 0xbf6e_1f78_4956_452a);
    }

    #[test]
    fn ranges_are_filled_to_both_ends() {
        let mut random = Random::from_seed(1);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[(random.within(-3..=3) + 3) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
        assert_eq!(random.within(i32::MAX..=i32::MAX), i32::MAX);
        #[expect(clippy::reversed_empty_ranges, reason = "an empty range is the case to test")]
        let of_empty = random.within(5..=4);
        assert_eq!(of_empty, 5);
    }

    #[test]
    fn shuffling_keeps_the_items() {
        let mut random = Random::from_seed(2);
        let mut items: Vec<u32> = (0..50).collect();
        random.shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
