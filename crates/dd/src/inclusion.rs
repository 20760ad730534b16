//! Inclusion of a zone in a diagram: by levels, then by paths.
//!
//! **Level by level**, `[ThomsenKristensen2002]`, figure 4.7: of every node, follow the edges that meet the values that
//! the zone takes at its level. If no such path ends in false, the zone is included. In a closed matrix the values at a
//! level do not depend on how the node was reached, so each node is examined once and the walk needs no recursion. A yes
//! is right, since a point of the zone takes one of these paths. And it is a yes whenever a single one of the united zones
//! includes the zone: that one holds for all combinations of values within the zone's stretches, hence so does the
//! diagram, whatever was united with it.
//!
//! A no may be wrong: a path may ask for values that the zone takes each at some point, but all at none. **Path by
//! path** (`paths.rs`), the part of the zone that takes each path is computed; if one that is not empty ends in false, the
//! no is right.

use std::ops::ControlFlow;

use tourbillon_dbm::Dbm;

use crate::diagrams::Diagrams;
use crate::forms::NodeForm;
use crate::node::Handle;
use crate::paths::PathResult;
use crate::settings::Inclusion;

impl<F: NodeForm> Diagrams<F> {
    /// Whether a diagram includes all points of a zone. A yes is always right; a no is, if the setting says so and the
    /// number of parts was enough, unless a part of the zone has a bound too large to hold.
    ///
    /// # Panics
    /// If the zone has another dimension.
    #[must_use]
    pub fn includes_zone(&mut self, diagram: Handle, zone: &Dbm) -> bool {
        self.assert_dimension(zone);
        if !self.may_reach(diagram, zone, Handle::FALSE) {
            self.counts.included_by_levels += 1;
            return true;
        }
        let Inclusion::Exact { parts_max } = self.settings.inclusion else {
            self.counts.refused_by_levels += 1;
            return false;
        };
        let followed = self.follow(diagram, zone, Handle::FALSE, parts_max, &mut |_| ControlFlow::Break(()));
        match followed {
            PathResult::All => self.counts.included_by_paths += 1,
            PathResult::Stopped => self.counts.refused_by_paths += 1,
            PathResult::GivenUp => self.counts.given_up += 1,
        }
        followed == PathResult::All
    }

    /// Whether values that a zone takes, level by level, lead from a node to one of the constants. If not, no point does.
    pub(crate) fn may_reach(&mut self, root: Handle, zone: &Dbm, goal: Handle) -> bool {
        if root.is_terminal() {
            return root == goal;
        }
        self.matrix.read(zone);
        self.seen.clear();
        self.waiting.clear();
        self.waiting.push(root);
        while let Some(node) = self.waiting.pop() {
            let stretch = self.levels.stretch(&self.matrix, self.nodes.level(node));
            let (seen, waiting) = (&mut self.seen, &mut self.waiting);
            let leads = self.nodes.leads_to(node, stretch, goal, |child| {
                if seen.insert(child.to_u32().into(), 0) {
                    waiting.push(child);
                }
            });
            if leads {
                return true;
            }
        }
        false
    }
}
