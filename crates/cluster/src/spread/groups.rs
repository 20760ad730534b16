//! Which rank is in which group, and which levels it has.
//!
//! Groups are of neighbouring ranks and as even as can be. Levels are dealt out evenly too; ranks beyond the number of levels
//! have none, and ask like all others.

use std::ops::Range;

/// The group of a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    pub(crate) rank: usize,
    /// The rank with the top band.
    pub(crate) first: usize,
    /// How many ranks it has.
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

    /// Its ranks.
    pub(crate) const fn ranks(&self) -> Range<usize> {
        self.first..self.first + self.size
    }

    /// The levels of each of its bands, from the top; at least one band.
    pub(crate) fn bands(&self, levels: usize) -> Vec<Range<usize>> {
        let bands = self.size.min(levels).max(1);
        (0..bands).map(|band| levels * band / bands..levels * (band + 1) / bands).collect()
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
        assert_eq!(group.bands(0), [0..0]);
        assert_eq!(group.bands(3), [0..1, 1..2, 2..3]);
        assert_eq!(group.bands(10), [0..2, 2..5, 5..7, 7..10]);
    }
}
