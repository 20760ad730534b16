//! Following the paths of a diagram with the zone of points that take them.
//!
//! A path is a conjunction of bounds on differences, so the points that take it are a zone, perhaps an empty one: bounds on
//! different levels may contradict each other, which the diagram does not know. Here a zone goes along, and is divided
//! where a node divides it. It is always closed, so the values that it takes at a level are known, and every part that a
//! node divides it into has a point; what contradicts the path so far is never entered. That makes queries about points
//! exact: whether there are any, which zones they form, and, going for false, whether some zone is covered.
//!
//! There can be exponentially many paths. Before a part is followed, the walk that looks at levels alone
//! (`inclusion.rs`) says whether it can get to where the query asks for at all, which is linear and mostly settles it.

use std::ops::ControlFlow;

use tourbillon_dbm::Dbm;

use crate::diagrams::Diagrams;
use crate::forms::NodeForm;
use crate::node::{Edge, Handle, START};
use crate::order::ValueInterval;

/// What following paths came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathResult {
    /// Each was followed to its end.
    All,
    /// The caller had seen enough.
    Stopped,
    /// There were too many parts.
    GivenUp,
}

/// Parts of a zone that are still to be followed, and memory for more.
#[derive(Debug, Default)]
pub(crate) struct PendingZones {
    waiting: Vec<(Handle, Dbm)>,
    spare: Vec<Dbm>,
}

impl PendingZones {
    fn copy(&mut self, zone: &Dbm) -> Dbm {
        let Some(mut copy) = self.spare.pop() else { return zone.clone() };
        copy.copy_from(zone);
        copy
    }

    fn clear(&mut self) {
        self.spare.extend(self.waiting.drain(..).map(|(_, zone)| zone));
    }

    pub(crate) fn bytes(&self) -> usize {
        let zone_bytes = |zone: &Dbm| zone.rows().map(size_of_val).sum::<usize>();
        let zones: usize = self.spare.iter().map(zone_bytes).sum();
        zones
            + self.waiting.capacity() * size_of::<(Handle, Dbm)>()
            + self.spare.capacity() * size_of::<Dbm>()
    }
}

/// What to do with the points that get to where a query asks for.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&Dbm) -> ControlFlow<()>;

impl<F: NodeForm> Diagrams<F> {
    /// Whether a diagram has no point. Unless it is false, that takes looking for a path that some point takes.
    #[must_use]
    pub fn is_empty(&mut self, diagram: Handle) -> bool {
        let all = Dbm::universal(self.dimension());
        let found = self.follow(diagram, &all, Handle::TRUE, u32::MAX, &mut |_| ControlFlow::Break(()));
        found == PathResult::All
    }

    /// Whether all points of the second diagram are in the first.
    #[must_use]
    pub fn includes(&mut self, larger: Handle, smaller: Handle) -> bool {
        let outside = self.difference(smaller, larger);
        self.is_empty(outside)
    }

    /// The points of a diagram as zones, of which no two have a point in common: one for each path that some point takes.
    #[must_use]
    pub fn zones(&mut self, diagram: Handle) -> Vec<Dbm> {
        let mut zones = Vec::new();
        let all = Dbm::universal(self.dimension());
        self.follow(diagram, &all, Handle::TRUE, u32::MAX, &mut |zone| {
            zones.push(zone.clone());
            ControlFlow::Continue(())
        });
        zones
    }

    /// Follows the paths from a node to one of the constants that some point of the zone takes, and shows the points of
    /// each.
    pub(crate) fn follow(
        &mut self,
        root: Handle,
        zone: &Dbm,
        goal: Handle,
        parts_max: u32,
        visit: Visit<'_>,
    ) -> PathResult {
        self.parts.clear();
        let whole = self.parts.copy(zone);
        self.parts.waiting.push((root, whole));
        for followed in 0.. {
            let Some((node, part)) = self.parts.waiting.pop() else { break };
            if followed == parts_max {
                return PathResult::GivenUp;
            }
            let flow = self.follow_part(node, &part, goal, visit);
            self.parts.spare.push(part);
            if flow.is_break() {
                return PathResult::Stopped;
            }
        }
        PathResult::All
    }

    /// Follows a part of the zone down to where it is divided, and puts what it is divided into with the others.
    fn follow_part(
        &mut self,
        mut node: Handle,
        part: &Dbm,
        goal: Handle,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        self.matrix.read(part);
        while !node.is_terminal() {
            let level = self.nodes.level(node);
            let base = self.push_edges_within(node, self.levels.stretch(&self.matrix, level));
            let [only] = self.edges[base..] else { return self.divide(base, level, part, goal, visit) };
            self.edges.truncate(base);
            node = only.child;
        }
        if node == goal { visit(part) } else { ControlFlow::Continue(()) }
    }

    /// Appends the edges of a node that meet a stretch of values; where they begin.
    fn push_edges_within(&mut self, node: Handle, stretch: ValueInterval) -> usize {
        let base = self.edges.len();
        for edge in self.nodes.edges_above(node, stretch.above) {
            self.edges.push(edge);
            if edge.up_to >= stretch.up_to {
                break;
            }
        }
        base
    }

    /// Divides a part among the edges from `base` on: first what gets to the goal at once, then the rest.
    fn divide(
        &mut self,
        base: usize,
        level: u16,
        part: &Dbm,
        goal: Handle,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let edges = base..self.edges.len();
        let mut flow = ControlFlow::Continue(());
        for at_once in [true, false] {
            for index in edges.clone() {
                let Edge { up_to, child } = self.edges[index];
                if flow.is_break() || (child == goal) != at_once || (child.is_terminal() && !at_once) {
                    continue;
                }
                let above = if index == base { START } else { self.edges[index - 1].up_to };
                flow = self.take_edge(part, (level, ValueInterval { above, up_to }), child, goal, visit);
            }
        }
        self.edges.truncate(base);
        flow
    }

    /// Cuts out what takes an edge. Shows it if the edge leads to the goal, and keeps it for later if it may get there.
    fn take_edge(
        &mut self,
        part: &Dbm,
        (level, stretch): (u16, ValueInterval),
        child: Handle,
        goal: Handle,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let mut taken = self.parts.copy(part);
        if self.levels.keep_within(&mut taken, level, stretch) {
            if child == goal {
                let flow = visit(&taken);
                self.parts.spare.push(taken);
                return flow;
            }
            if self.may_reach(child, &taken, goal) {
                self.parts.waiting.push((child, taken));
                return ControlFlow::Continue(());
            }
        }
        self.parts.spare.push(taken);
        ControlFlow::Continue(())
    }
}
