//! The owner of a state: the rank that its discrete state hashes to.
//!
//! All zones of a discrete state are on one rank, which alone decides whether a state is new: a state is sent at most once, and its
//! owner needs no other rank `[BehrmannHuneVaandrager2000]`. The cost is that most successors are sent to another rank. A function that
//! keeps neighbours together would send fewer, but would distribute memory unevenly, and a cluster is used for its memory.
//!
//! The hash function differs from that of the store, which selects buckets: with the same function, each rank would use only a part
//! of its buckets. Two rounds of multiplication and folding propagate every bit to the top, which selects the rank, so that any number
//! of ranks gets equal shares.

/// Computes the owner of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    ranks: usize,
}

const START: u64 = 0x9e6c_63d0_876a_3f35;
const FACTOR: u64 = 0xd1b5_4a32_d192_ed03;

/// Mixes a word into a hash.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * u128::from(FACTOR);
    product as u64 ^ (product >> 64) as u64
}

/// The hash of a packed discrete state.
#[inline]
pub(crate) fn hash(words: &[u64]) -> u64 {
    let hash = words.iter().fold(START, |hash, &word| mix(hash, word));
    mix(hash.rotate_left(31), START)
}

impl Owner {
    pub(crate) const fn new(ranks: usize) -> Self {
        Self { ranks }
    }

    /// The owner of the states with this hash.
    #[inline]
    pub(crate) const fn of(self, hash: u64) -> usize {
        ((hash as u128 * self.ranks as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packed states are small numbers, which differ in few bits, at the bottom or further up.
    #[test]
    fn ranks_have_equal_shares() {
        for ranks in 1..=9 {
            for shift in [0, 3, 17, 40] {
                let mut shares = vec![0u32; ranks];
                for number in 0..20_000u64 {
                    shares[Owner::new(ranks).of(hash(&[number << shift]))] += 1;
                }
                let even = 20_000 / ranks as u32;
                assert!(
                    shares.iter().all(|&server| server.abs_diff(even) * 10 < even),
                    "{ranks} ranks, shift {shift}: {shares:?}"
                );
            }
        }
    }

    #[test]
    fn every_word_counts() {
        let base = [1, 2, 3];
        for at in 0..3 {
            let mut words = base;
            words[at] += 1;
            assert_ne!(hash(&words), hash(&base));
        }
    }
}
