//! The union of a diagram and a zone.
//!
//! The algorithm of `[ThomsenKristensen2002]`, figure 4.3: nodes and links of the zone are met level by level. Where
//! the link is higher, a node is made for it that leads outside its stretch to what was there before; where the node is
//! higher, each of its children is united with the zone; on the same level, edges are cut at the ends of the stretch and
//! only what is inside is united. Below false there is only the zone itself.
//!
//! A result depends on the node and on how many links were met, and is computed once for each pair. So the cost is at
//! most the size of the diagram times the number of links, and mostly a fraction of it, since only paths that meet the
//! zone change. Recursion is as deep as there are levels.
//!
//! **A union that takes long** can be given up. After so many results it returns, as if nothing were left to do, and somebody
//! is asked whether it is still wanted. If so it begins again, and finds what it has done remembered; what was on its way
//! down is done once more, and that is as much as there are levels. If not, the diagram that it began with is as it was, and
//! what was made goes with the next collection.

use tourbillon_dbm::Dbm;

use crate::diagrams::Diagrams;
use crate::forms::NodeForm;
use crate::node::{Edge, Handle, START, push_edge};
use crate::order::ValueInterval;
use crate::string::{Link, push_stretch};

/// After how many results it is asked whether a union is still wanted: some milliseconds, and far more than there are levels.
/// Diagrams of tests are small.
const ALLOWANCE: u64 = if cfg!(test) { 100 } else { 1 << 16 };

impl<F: NodeForm> Diagrams<F> {
    /// The points of a diagram and those of a zone.
    ///
    /// # Panics
    /// If the zone has another dimension.
    pub fn union_zone(&mut self, diagram: Handle, zone: &Dbm) -> Handle {
        self.read_zone(zone);
        self.memo.clear();
        self.unite(diagram, 0)
    }

    /// The same, unless it takes long and is not wanted any more: that is asked now and then.
    ///
    /// # Panics
    /// If the zone has another dimension.
    pub fn union_zone_unless(
        &mut self,
        diagram: Handle,
        zone: &Dbm,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Handle> {
        self.read_zone(zone);
        self.memo.clear();
        loop {
            self.allowance = ALLOWANCE;
            let united = self.unite(diagram, 0);
            let done = self.allowance > 0;
            self.allowance = u64::MAX;
            if done {
                return Some(united);
            }
            if is_over() {
                return None;
            }
        }
    }

    /// The union with the zone's links from a place on.
    pub(crate) fn unite(&mut self, node: Handle, at: usize) -> Handle {
        if node == Handle::FALSE {
            return self.string_from(at);
        }
        let Some(link) = self.string.link(at).filter(|_| node != Handle::TRUE) else { return Handle::TRUE };
        let key = Self::union_key(node, at);
        if let Some(known) = self.memo.get(key) {
            return Handle::from_u32(known);
        }
        if self.allowance == 0 {
            return node;
        }
        self.allowance -= 1;
        let level = self.nodes.level(node);
        let united = if link.level < level {
            self.unite_below_link(node, at, link)
        } else {
            self.unite_edges(node, level, at, link)
        };
        if self.allowance > 0 {
            self.memo.insert(key, united.to_u32());
        }
        united
    }

    /// Under which key the union of a node with the links from a place on is remembered.
    #[inline]
    pub(crate) fn union_key(node: Handle, at: usize) -> u64 {
        u64::from(node.to_u32()) << u16::BITS | at as u64
    }

    /// The link is higher than the node.
    fn unite_below_link(&mut self, node: Handle, at: usize, link: Link) -> Handle {
        let inside = self.unite(node, at + 1);
        let base = self.edges.len();
        push_stretch(&mut self.edges, link.stretch, inside, node);
        self.make_from(link.level, base, base)
    }

    /// The node is as high as the link, or higher.
    fn unite_edges(&mut self, node: Handle, level: u16, at: usize, link: Link) -> Handle {
        let base = self.edges.len();
        self.edges.extend(self.nodes.edges(node));
        let made = self.edges.len();
        let (stretch, next) =
            if level == link.level { (link.stretch, at + 1) } else { (ValueInterval::ALL, at) };
        let mut above = START;
        for index in base..made {
            let edge = self.edges[index];
            self.unite_edge(made, above, edge, stretch, next);
            above = edge.up_to;
        }
        if self.edges[base..made] == self.edges[made..] {
            // Nothing is new below: it is the same node, which need not be looked for.
            self.edges.truncate(base);
            return node;
        }
        self.make_from(level, base, made)
    }

    /// Appends what becomes of an edge: what lies below the stretch, inside and above it.
    fn unite_edge(&mut self, made: usize, above: i32, edge: Edge, stretch: ValueInterval, next: usize) {
        if above < stretch.above {
            push_edge(&mut self.edges, made, edge.up_to.min(stretch.above), edge.child);
        }
        if above < stretch.up_to && edge.up_to > stretch.above {
            let inside = self.unite(edge.child, next);
            push_edge(&mut self.edges, made, edge.up_to.min(stretch.up_to), inside);
        }
        if edge.up_to > stretch.up_to {
            push_edge(&mut self.edges, made, edge.up_to, edge.child);
        }
    }

    /// The node of the edges from `made` on; those from `base` on are done with.
    pub(crate) fn make_from(&mut self, level: u16, base: usize, made: usize) -> Handle {
        let node = self.nodes.make(level, &self.edges[made..]);
        self.edges.truncate(base);
        node
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tourbillon_base::{Id as _, Random};
    use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dimension};

    use super::*;
    use crate::forms::Compact;
    use crate::settings::Settings;

    const CLOCKS: usize = 6;

    /// A random zone that is not empty.
    fn draw(random: &mut Random) -> Dbm {
        let mut zone = Dbm::universal(Dimension::of_clocks(CLOCKS).unwrap());
        for _ in 0..CLOCKS * 3 {
            let [left, right] = [(); 2].map(|()| Clock::from_index(random.below(CLOCKS + 1)));
            let constant = Constant::new(random.within(-5..=12).into()).unwrap();
            if left != right {
                // What would empty the zone leaves it as it is.
                let _ = zone.constrain(Constraint::new(left, right, Bound::weak(constant)));
            }
        }
        zone
    }

    #[test]
    fn a_union_that_is_asked_about_is_the_same() {
        let asked = Cell::new(0);
        for seed in 0..10 {
            let mut random = Random::from_seed(seed);
            let mut diagrams =
                Diagrams::<Compact>::new(Dimension::of_clocks(CLOCKS).unwrap(), Settings::default()).unwrap();
            let mut union = Handle::FALSE;
            for _ in 0..30 {
                let zone = draw(&mut random);
                let go_on = || {
                    asked.set(asked.get() + 1);
                    false
                };
                let united = diagrams.union_zone_unless(union, &zone, &go_on);
                assert_eq!(united, Some(diagrams.union_zone(union, &zone)), "seed {seed}");
                union = united.unwrap_or(union);
            }
        }
        assert!(asked.get() > 100, "asked {} times", asked.get());
    }

    #[test]
    fn a_union_that_is_given_up_leaves_what_was_there() {
        let mut given_up = 0;
        for seed in 0..10 {
            let mut random = Random::from_seed(seed);
            let mut diagrams =
                Diagrams::<Compact>::new(Dimension::of_clocks(CLOCKS).unwrap(), Settings::default()).unwrap();
            let mut union = Handle::FALSE;
            for _ in 0..30 {
                let (zone, size) = (draw(&mut random), diagrams.size(union));
                let abandoned = diagrams.union_zone_unless(union, &zone, &|| true).is_none();
                given_up += u32::from(abandoned);
                assert_eq!(diagrams.size(union), size, "seed {seed}");
                let united = diagrams.union_zone(union, &zone);
                assert!(diagrams.includes_zone(united, &zone), "seed {seed}");
                diagrams.collect([united]);
                union = united;
            }
        }
        assert!(given_up > 10, "{given_up} times");
    }
}
