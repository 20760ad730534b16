//! Hashing of words: multiply, and fold the two halves of the product together.
//!
//! A state has a few words, and each offer computes one hash, so the latency of one or two rounds matters: a round is
//! one multiplication. Folding the upper half of the product onto the lower lets every bit of the word reach both the
//! low bits, which choose a bucket, and the top bits, which are the bucket's tag. There is no random seed: equal runs
//! have equal tables.

const START: u64 = 0xe703_7ed1_a0b4_28db;
const FACTOR: u64 = 0xa076_1d64_78bd_642f;

#[inline]
fn round(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash.rotate_left(29) ^ word) * u128::from(FACTOR);
    product as u64 ^ (product >> 64) as u64
}

/// Mixes the upper half into the bits that choose a bucket: if only the upper bits of a single word differ, as in the
/// last fields of packed states, one round alone leaves two thirds more buckets empty than a random function.
#[inline]
fn finish(hash: u64) -> u64 {
    hash ^ hash >> 32
}

#[inline]
pub(crate) fn hash_words(words: impl Iterator<Item = u64>) -> u64 {
    finish(words.fold(START, round))
}

/// The hash of half words, two for each round.
#[inline]
pub(crate) fn hash_halves(halves: &[u32]) -> u64 {
    let (pairs, rest) = halves.as_chunks::<2>();
    let words = pairs.iter().map(|&[low, high]| u64::from(high) << 32 | u64::from(low));
    hash_words(words.chain(rest.iter().map(|&half| half.into())))
}

/// The hash of the fields of a discrete state, two for each round.
#[inline]
pub(crate) fn hash_fields(fields: &[i32]) -> u64 {
    let (pairs, rest) = fields.as_chunks::<2>();
    let words = pairs.iter().map(|&[low, high]| u64::from(high as u32) << 32 | u64::from(low as u32));
    hash_words(words.chain(rest.iter().map(|&field| u64::from(field as u32))))
}

/// The hash of bytes, eight for each round.
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    hash_words(words.iter().map(|&word| u64::from_le_bytes(word)).chain([last]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small numbers, which are typical of packed states, must spread over buckets and tags like random ones.
    #[test]
    fn small_numbers_spread() {
        for scale in [1, 4, 64, 1 << 12, 1 << 20] {
            let mut buckets = vec![0; 1 << 12];
            let mut tags = vec![0; 128];
            for number in 0..1 << 12 {
                let hash = hash_halves(&[number * scale]);
                buckets[hash as usize & 0xfff] += 1;
                tags[(hash >> 57) as usize] += 1;
            }
            let empty = buckets.iter().filter(|&&count| count == 0).count();
            assert!(
                empty < 1800,
                "scale {scale}: {empty} of 4096 buckets empty, a random function leaves 1507"
            );
            assert!(tags.iter().all(|&count| count < 80), "scale {scale}: {tags:?}");
        }
    }

    #[test]
    fn every_half_counts() {
        let base = [1, 2, 3];
        let changed = (0..3).map(|at| {
            let mut halves = base;
            halves[at] += 1;
            hash_halves(&halves)
        });
        assert!(changed.into_iter().all(|hash| hash != hash_halves(&base)));
    }
}
