//! Dynamic variable reordering by sifting.
//!
//! Variables are put into an order by groups of neighbours: each group in turn is moved through all positions and left
//! where the nodes are fewest `[Rudell1993]`. The library has swaps of neighbouring levels only, and running out of room in
//! one of them is the end of the process: so nothing is moved if there is less than half of the room left, and a group
//! turns back where nodes grow by a fifth.

use oxidd::{Manager, ManagerRef};
use oxidd_core::LevelView;

use super::Bdds;

impl Bdds {
    /// Moves groups of variables to where there are fewer nodes, if there is room for that. The groups stand in their
    /// present order, and have all variables; as many of them are moved as there is time for before `over` says so. Returns
    /// how many nodes there were and are.
    pub fn sift(&self, groups: &mut [Vec<u32>], over: &dyn Fn() -> bool) -> Option<(usize, usize)> {
        let before = self.collect_now();
        if before > self.room / 2 {
            return None;
        }
        // The groups with the most nodes first: they gain most, and the others then move among fewer nodes.
        let mut names: Vec<u32> = groups.iter().map(|group| group[0]).collect();
        let widths = self.widths();
        names.sort_by_key(|&first| {
            let group = groups.iter().find(|group| group[0] == first);
            std::cmp::Reverse(
                group.map_or(0, |group| {
                    group.iter().map(|&variable| widths[variable as usize]).sum::<usize>()
                }),
            )
        });
        for first in names {
            if over() {
                break;
            }
            self.sift_one(groups, first, over);
        }
        self.threshold.set(self.next_threshold(self.nodes()));
        Some((before, self.nodes()))
    }

    /// Moves one group to the nearer end, then to the other, and back to where there were the fewest nodes.
    fn sift_one(&self, groups: &mut [Vec<u32>], first: u32, over: &dyn Fn() -> bool) {
        let Some(start) = groups.iter().position(|group| group[0] == first) else { return };
        let last = groups.len() - 1;
        let mut best = (self.nodes(), start);
        let mut at = start;
        let ends = if start < last - start { [0, last] } else { [last, 0] };
        for end in ends {
            while at != end && !over() {
                let next = if end > at { at + 1 } else { at - 1 };
                groups.swap(at, next);
                at = next;
                let nodes = self.arrange(groups);
                if nodes < best.0 {
                    best = (nodes, at);
                } else if nodes > best.0 + best.0 / 5 {
                    break;
                }
            }
            // Any order will do for what is left then.
            if over() {
                return;
            }
            self.shift(groups, &mut at, start);
        }
        self.shift(groups, &mut at, best.1);
    }

    /// Moves a group to a position, the ones between by one the other way.
    fn shift(&self, groups: &mut [Vec<u32>], at: &mut usize, to: usize) {
        if *at < to {
            groups[*at..=to].rotate_left(1);
        } else {
            groups[to..=*at].rotate_right(1);
        }
        *at = to;
        self.arrange(groups);
    }

    /// Puts the variables into this order. Returns how many nodes there are then.
    fn arrange(&self, groups: &[Vec<u32>]) -> usize {
        let order: Vec<u32> = groups.iter().flatten().copied().collect();
        self.manager.with_manager_exclusive(|manager| oxidd_reorder::set_var_order_seq(manager, &order));
        self.nodes()
    }

    /// How many nodes each variable has.
    fn widths(&self) -> Vec<usize> {
        self.manager.with_manager_shared(|manager| {
            (0..self.variables).map(|variable| manager.level(manager.var_to_level(variable)).len()).collect()
        })
    }
}
