//! Load balancing: when levels of a diagram move to other ranks, and where to (`[ThomsenKristensen2002]`, section 10.5).
//!
//! The number of nodes of a level is unknown before the search; the first cuts are a guess (`groups.rs`). So the levels
//! are weighed at some collections, when the group has stopped anyway: the bytes of each level, and the entries that a
//! border below it would have. With these the bytes of every band under every choice of cuts are known, and cuts are chosen
//! whose bands have the least sum of squares, among those that move layers to the next rank at most. They are found border
//! by border, from the top, in the product of the numbers of places that two neighbouring borders have.
//!
//! Moving is worth its time only if it helps, and if there is something to save:
//!
//! | condition | why |
//! |---|---|
//! | the diagram has [`BYTES_MIN`] | less memory is not worth a move |
//! | it was an eighth larger at the last collection than when it was weighed | the time of all moves together goes with the last size |
//! | the largest band has an eighth more than it would have | bands of a few layers cannot be even |
//!
//! How even bands can be is up to the diagram. Where the unions of many discrete states begin low, each of them has an entry
//! in every band above, and the top band is large however few layers it has. Fischer's protocol is like that: of the 17.7 kB
//! of the top band of two with nine processes, at least 14.5 are entries wherever the border is, and nothing moves. The least
//! sum of squares is not always the least maximum either, and a diagram that keeps growing elsewhere can end less even
//! than it would have with the first cuts.
//!
//! All of it is decided by bytes that were counted, so the same schedule gives the same moves. That it ends needs no
//! argument of its own: a collection begins with an answer to a query, and a move with a collection.

use std::ops::Range;

use tourbillon_base::Random;
use tourbillon_dd::LayerWeight;

/// A diagram with fewer bytes of nodes is left as it is.
const BYTES_MIN: u64 = 1 << 12;
/// The approximate bytes of an entry, with its share of the table.
const ENTRY_BYTES: u64 = 12;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Balance {
    Off,
    /// When the bands get sufficiently more even.
    Auto,
    /// At every collection, to random cuts, with frequent collections: for simulated ranks.
    Always,
}

/// New cuts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// The levels of each band from now on.
    pub(super) bands: Vec<Range<usize>>,
    /// The band below the lowest border that moves.
    pub(super) begins: usize,
}

/// The cuts of a group's diagram, on its first rank.
#[derive(Debug)]
pub(super) struct Cuts {
    balance: Balance,
    /// The levels of each band, from the top.
    bands: Vec<Range<usize>>,
    /// The bytes of nodes when layers were weighed last, and at the last collection.
    weighed: u64,
    collected: u64,
    random: Random,
}

impl Cuts {
    pub(super) fn new(balance: Balance, bands: Vec<Range<usize>>) -> Self {
        Self { balance, bands, weighed: 0, collected: 0, random: Random::from_seed(0) }
    }

    /// Whether the next collection is to weigh the layers.
    pub(super) fn wants_weights(&self) -> bool {
        let has_grown = self.collected >= BYTES_MIN && self.collected >= self.weighed + self.weighed / 8;
        self.bands.len() > 1
            && match self.balance {
                Balance::Off => false,
                Balance::Auto => has_grown,
                Balance::Always => true,
            }
    }

    /// Takes note of a collection that left so many bytes of nodes, and of what each layer takes if they were weighed. Returns
    /// where layers have to go, if they have to.
    pub(super) fn note(&mut self, bytes: u64, weights: &[LayerWeight]) -> Option<Move> {
        self.collected = bytes;
        if weights.is_empty() {
            return None;
        }
        self.weighed = bytes;
        let bands = match self.balance {
            Balance::Off => return None,
            Balance::Auto => self.better(weights)?,
            Balance::Always => self.drawn(),
        };
        let begins =
            (0..bands.len()).rev().find(|&number| bands[number].start != self.bands[number].start)?;
        self.bands.clone_from(&bands);
        Some(Move { bands, begins })
    }

    /// The best bands within reach, if they are so much better that moving is worth it.
    fn better(&self, weights: &[LayerWeight]) -> Option<Vec<Range<usize>>> {
        let scale = Scale::new(weights);
        let largest = |bands: &[Range<usize>]| bands.iter().map(|band| scale.bytes(band)).max().unwrap_or(0);
        let best = best(&self.bands, &scale);
        (largest(&self.bands) * 8 > largest(&best) * 9).then_some(best)
    }

    /// Any bands within reach.
    fn drawn(&mut self) -> Vec<Range<usize>> {
        let mut start = 0;
        let mut band = |number: usize| {
            let end = match self.bands.get(number + 1) {
                None => self.bands[number].end,
                // The next band may begin where this one did at the highest, and must keep a level.
                Some(next) => {
                    let least = (start + 1).max(self.bands[number].start);
                    let most = next.end - 1;
                    least + self.random.below(most + 1 - least)
                }
            };
            std::mem::replace(&mut start, end)..end
        };
        (0..self.bands.len()).map(&mut band).collect()
    }
}

/// What bands would take.
struct Scale {
    /// The bytes of all layers above each cut.
    above: Vec<u64>,
    /// The bytes of entries at each cut.
    entries: Vec<u64>,
}

impl Scale {
    fn new(weights: &[LayerWeight]) -> Self {
        let sums = weights.iter().scan(0, |sum, weight| {
            *sum += weight.bytes;
            Some(*sum)
        });
        let entries = weights.iter().map(|weight| weight.crossing * ENTRY_BYTES);
        Self {
            above: std::iter::once(0).chain(sums).collect(),
            entries: std::iter::once(0).chain(entries).collect(),
        }
    }

    fn bytes(&self, band: &Range<usize>) -> u64 {
        self.above[band.end] - self.above[band.start] + self.entries[band.end]
    }
}

/// The bands with the least sum of squared bytes, where each border moves as far as the next one at most and no band is
/// empty.
fn best(bands: &[Range<usize>], scale: &Scale) -> Vec<Range<usize>> {
    // For each border, the places that it can have, each with the least sum of all bands above and the place of the
    // border before it that has it.
    let mut borders: Vec<Vec<(usize, u128, usize)>> = vec![vec![(0, 0, 0)]];
    for (number, band) in bands.iter().enumerate() {
        let places = match bands.get(number + 1) {
            None => band.end..band.end + 1,
            Some(next) => band.start + 1..next.end,
        };
        let least = |end: usize| {
            let before = borders[number].iter().enumerate().filter(|(_, (start, ..))| *start < end);
            let sums = before.map(|(at, (start, sum, _))| {
                let bytes = u128::from(scale.bytes(&(*start..end)));
                (sum + bytes * bytes, at)
            });
            sums.min().map(|(sum, at)| (end, sum, at))
        };
        let places = places.filter_map(least).collect();
        borders.push(places);
    }
    let (mut at, mut found) = (0, Vec::new());
    for border in borders[1..].iter().rev() {
        let (end, _, before) = border[at];
        found.push(end);
        at = before;
    }
    let ends = found.iter().rev().copied();
    let starts = std::iter::once(0).chain(ends.clone());
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(bytes: &[u64]) -> Vec<LayerWeight> {
        bytes.iter().map(|&bytes| LayerWeight { bytes: bytes << 10, crossing: 0 }).collect()
    }

    /// The same by trying all cuts.
    fn by_trying(bands: &[Range<usize>], scale: &Scale, start: usize) -> u128 {
        let Some((band, lower)) = bands.split_first() else { return 0 };
        let ends = lower.first().map_or(band.end..band.end + 1, |next| band.start + 1..next.end);
        let sums = ends.filter(|&end| end > start).map(|end| {
            let bytes = u128::from(scale.bytes(&(start..end)));
            (bytes * bytes).saturating_add(by_trying(lower, scale, end))
        });
        sums.min().unwrap_or(u128::MAX)
    }

    #[test]
    fn the_best_bands_are_the_best_of_all() {
        for seed in 0..300 {
            let mut random = Random::from_seed(seed);
            let levels = 2 + random.below(9);
            let weights: Vec<LayerWeight> = (0..levels)
                .map(|_| LayerWeight { bytes: random.below(100) as u64, crossing: random.below(3) as u64 })
                .collect();
            let group = super::super::Group { rank: 0, first: 0, size: 1 + random.below(levels.min(4)) };
            let (bands, scale) = (group.bands(levels), Scale::new(&weights));
            let found = best(&bands, &scale);
            let sum: u128 = found.iter().map(|band| u128::from(scale.bytes(band)).pow(2)).sum();
            assert_eq!(sum, by_trying(&bands, &scale, 0), "seed {seed}: {bands:?}, then {found:?}");
            assert_eq!((found[0].start, found[found.len() - 1].end), (0, levels), "seed {seed}");
            for (number, pair) in found.windows(2).enumerate() {
                assert!(pair[0].end == pair[1].start && !pair[1].is_empty(), "seed {seed}: {found:?}");
                let within = bands[number].start < pair[0].end && pair[0].end < bands[number + 1].end;
                assert!(within, "seed {seed}: layers go to the next rank at most");
            }
        }
    }

    #[test]
    fn layers_move_if_it_helps_and_there_is_something_to_save() {
        let uneven = weights(&[40, 30, 2, 2, 2, 2]);
        let bytes = 78 << 10;
        let mut cuts = Cuts::new(Balance::Auto, vec![0..3, 3..6]);
        assert!(!cuts.wants_weights(), "nothing is known yet");
        assert_eq!(cuts.note(bytes, &[]), None);
        assert!(cuts.wants_weights());
        assert_eq!(cuts.note(bytes, &uneven), Some(Move { bands: vec![0..1, 1..6], begins: 1 }));
        assert!(!cuts.wants_weights(), "it has not grown");
        assert_eq!(cuts.note(bytes + bytes / 2, &[]), None);
        assert!(cuts.wants_weights());
        assert_eq!(cuts.note(bytes + bytes / 2, &uneven), None, "nothing is better");
        let nearly = weights(&[10, 10, 10, 9, 9, 9]);
        assert_eq!(Cuts::new(Balance::Auto, vec![0..3, 3..6]).note(bytes, &nearly), None);
        let mut small = Cuts::new(Balance::Auto, vec![0..3, 3..6]);
        assert_eq!(small.note(BYTES_MIN - 1, &[]), None);
        assert!(!small.wants_weights());
        let mut off = Cuts::new(Balance::Off, vec![0..3, 3..6]);
        assert_eq!((off.note(bytes, &[]), off.wants_weights()), (None, false));
        assert!(!Cuts::new(Balance::Always, vec![0..6; 1]).wants_weights(), "there is nowhere to go");
    }

    #[test]
    fn what_is_drawn_is_within_reach() {
        let mut cuts = Cuts::new(Balance::Always, vec![0..1, 1..4, 4..5, 5..9]);
        for _ in 0..500 {
            let (old, new) = (cuts.bands.clone(), cuts.drawn());
            assert_eq!((new[0].start, new[3].end), (0, 9));
            for (number, pair) in new.windows(2).enumerate() {
                assert!(pair[0].end == pair[1].start && !pair[0].is_empty() && !pair[1].is_empty());
                assert!((old[number].start..=old[number + 1].end).contains(&pair[0].end), "{old:?}, {new:?}");
            }
            cuts.bands = new;
        }
    }
}
