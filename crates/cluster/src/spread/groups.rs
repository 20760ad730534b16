//! The groups of ranks, and the levels of each rank.
//!
//! Groups are of neighbouring ranks and as even as can be. Ranks beyond the number of levels have none, and only send queries like all
//! others. Levels are not dealt out evenly: the higher a level, the more nodes it has, since all that is shared is shared
//! at the bottom. Of the bytes of four bands with as many levels each, 54, 33, 12 and 1 per cent were in each from the top
//! for CSMA/CD with ten stations, and 41, 32, 21 and 6 for Fischer's protocol with eight processes (one run each of `check
//! --explore --engine cluster --layout cdd-spread --ranks 4`). If the share below a level goes with the cube of the number
//! of levels there, it is 58, 30, 11 and 2 per cent; bands are cut where that law gives each rank as much. It is a guess
//! from two models, and for the usual order of levels; where it is wrong, levels move later (`balance.rs`).

use std::ops::Range;

/// The group of a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    pub(crate) rank: usize,
    /// The rank with the top band.
    pub(crate) first: usize,
    /// The number of ranks.
    pub(crate) size: usize,
}

impl Group {
    /// That of a rank, if all ranks form so many groups; there are never more groups than ranks.
    pub(crate) fn of(rank: usize, ranks: usize, groups: usize) -> Self {
        let groups = groups.clamp(1, ranks);
        let number = rank * groups / ranks;
        let first = (number * ranks).div_ceil(groups);
        let end = ((number + 1) * ranks).div_ceil(groups);
        Self { rank, first, size: end - first }
    }

    pub(crate) const fn ranks(&self) -> Range<usize> {
        self.first..self.first + self.size
    }

    /// The levels of each of its bands, from the top; at least one band, and none empty if there are levels.
    pub(crate) fn bands(&self, levels: usize) -> Vec<Range<usize>> {
        let bands = self.size.min(levels).max(1);
        let mut first = 0;
        let mut band = |number: usize| {
            let left = bands - number - 1;
            let law = (first..levels).find(|&end| (levels - end).pow(3) * bands <= levels.pow(3) * left);
            let end = if left == 0 { levels } else { law.unwrap_or(levels).clamp(first + 1, levels - left) };
            std::mem::replace(&mut first, end)..end
        };
        (0..bands).map(&mut band).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_even_and_cover_all_ranks() {
        for ranks in 1..20 {
            for groups in 1..=ranks {
                let all: Vec<Group> = (0..ranks).map(|rank| Group::of(rank, ranks, groups)).collect();
                let mut firsts: Vec<usize> = all.iter().map(|group| group.first).collect();
                firsts.dedup();
                assert_eq!(firsts.len(), groups);
                for group in &all {
                    assert!(group.ranks().contains(&group.rank));
                    assert!(group.ranks().all(|rank| all[rank].first == group.first));
                    assert!(group.size == ranks / groups || group.size == ranks.div_ceil(groups));
                }
            }
        }
    }

    #[test]
    fn bands_cover_all_levels() {
        let group = Group::of(0, 4, 1);
        assert_eq!(group.bands(0), vec![0..0; 1]);
        assert_eq!(group.bands(3), [0..1, 1..2, 2..3]);
        assert_eq!(group.bands(10), [0..1, 1..3, 3..4, 4..10]);
        assert_eq!(group.bands(55), [0..6, 6..12, 12..21, 21..55]);
        for (size, levels) in [(1, 1), (5, 5), (7, 8), (3, 4_095), (1_024, 4_095)] {
            let bands = Group { rank: 0, first: 0, size }.bands(levels);
            assert_eq!((bands.len(), bands[0].start, bands[size - 1].end), (size, 0, levels));
            assert!(bands.iter().all(|band| !band.is_empty()));
            assert!(bands.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }
}
