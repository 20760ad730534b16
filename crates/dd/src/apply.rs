//! Binary operations on diagrams: union, intersection, difference; complement as a difference.
//!
//! The textbook order: a constant decides, or the pair was met before, or both are divided at the cuts of the higher
//! level and each division is computed below. A pair is computed once, so the cost is at most the product of the two
//! sizes. What the operation says of points is what it says of every combination of values, so infeasible paths do no
//! harm, but they stay: a difference may be empty without being false (see [`Diagrams::is_empty`]).

use crate::diagrams::Diagrams;
use crate::forms::NodeForm;
use crate::node::{END, Edge, Handle, push_edge};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    Union,
    Intersection,
    Difference,
}

impl Operation {
    /// The result, where one of the two decides it.
    fn decided(self, left: Handle, right: Handle) -> Option<Handle> {
        const FALSE: Handle = Handle::FALSE;
        const TRUE: Handle = Handle::TRUE;
        match (self, left, right) {
            (Self::Union, TRUE, _) | (Self::Union, _, TRUE) => Some(TRUE),
            (Self::Union, FALSE, other) | (Self::Union, other, FALSE) => Some(other),
            (Self::Intersection, FALSE, _) | (Self::Intersection, _, FALSE) => Some(FALSE),
            (Self::Intersection, TRUE, other) | (Self::Intersection, other, TRUE) => Some(other),
            (Self::Difference, FALSE, _) | (Self::Difference, _, TRUE) => Some(FALSE),
            (Self::Difference, other, FALSE) => Some(other),
            _ if left != right => None,
            (Self::Difference, ..) => Some(FALSE),
            _ => Some(left),
        }
    }
}

impl<F: NodeForm> Diagrams<F> {
    /// The points of either.
    pub fn union(&mut self, left: Handle, right: Handle) -> Handle {
        self.start(Operation::Union, left, right)
    }

    /// The points of both.
    pub fn intersection(&mut self, left: Handle, right: Handle) -> Handle {
        self.start(Operation::Intersection, left, right)
    }

    /// The points of the first that are not in the second.
    pub fn difference(&mut self, left: Handle, right: Handle) -> Handle {
        self.start(Operation::Difference, left, right)
    }

    /// The points that are not in it.
    pub fn complement(&mut self, diagram: Handle) -> Handle {
        self.difference(Handle::TRUE, diagram)
    }

    fn start(&mut self, operation: Operation, left: Handle, right: Handle) -> Handle {
        self.memo.clear();
        self.apply(operation, left, right)
    }

    fn apply(&mut self, operation: Operation, left: Handle, right: Handle) -> Handle {
        if let Some(decided) = operation.decided(left, right) {
            return decided;
        }
        let (left, right) = if operation == Operation::Difference {
            (left, right)
        } else {
            (left.min(right), left.max(right))
        };
        let key = u64::from(left.to_u32()) << u32::BITS | u64::from(right.to_u32());
        if let Some(known) = self.memo.get(key) {
            return Handle::from_u32(known);
        }
        let result = self.apply_edges(operation, left, right);
        self.memo.insert(key, result.to_u32());
        result
    }

    /// Divides the values of the higher level at the cuts of both.
    fn apply_edges(&mut self, operation: Operation, left: Handle, right: Handle) -> Handle {
        let level = self.nodes.level(left).min(self.nodes.level(right));
        let mut of_left = self.edges.len();
        let base = of_left;
        self.push_edges_at(level, left);
        let mut of_right = self.edges.len();
        self.push_edges_at(level, right);
        let made = self.edges.len();
        loop {
            let (one, other) = (self.edges[of_left], self.edges[of_right]);
            let child = self.apply(operation, one.child, other.child);
            let up_to = one.up_to.min(other.up_to);
            push_edge(&mut self.edges, made, up_to, child);
            if up_to == END {
                return self.make_from(level, base, made);
            }
            of_left += usize::from(one.up_to == up_to);
            of_right += usize::from(other.up_to == up_to);
        }
    }

    /// Appends the edges that a node has at a level: its own, or a single one if it is lower.
    fn push_edges_at(&mut self, level: u16, node: Handle) {
        if self.nodes.level(node) == level {
            self.edges.extend(self.nodes.edges(node));
        } else {
            self.edges.push(Edge { up_to: END, child: node });
        }
    }
}
