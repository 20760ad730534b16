//! Nested depth-first search for accepting cycles.
//!
//! The outer search visits nodes depth first; the nodes of its path are cyan. When it backtracks from an accepting node, the
//! inner search searches for a path from there back to a cyan node, which closes an accepting cycle. Nodes from which the inner
//! search found none are red and never entered again, so each node is visited at most twice `[SchwoonEsparza2005]`. Where all
//! nodes accept there is no inner search: a node is red when the outer search backtracks from it.
//!
//! **Subsumption.** Two rules use inclusion `[LaarmanOlesenDalsgaardLarsenVandePol2013]`:
//!
//! - A successor that covers a cyan node closes a cycle (a *spiral*): the path from the covered node can be repeated from the
//!   covering one, and leads to a still larger zone. There are finitely many zones, so one of them repeats, and a cycle of
//!   zones has a run `[Li2009]`.
//! - A successor that a red node covers is not visited: each of its runs is a run of the red node, which has no accepting one.
//!   All successors of a red node are covered by red nodes; a node whose successors are all red is red itself.
//!
//! Subsumption by cyan or blue nodes would be wrong: a cycle through a subsumption edge need not be a cycle of runs.
//!
//! A node accepts if it is in every acceptance set. For generalised acceptance, where different nodes of a cycle are in
//! different sets, see `components.rs`.
//!
//! **Finite runs.** If they count (`zonegraph/src/maximal_runs.rs`), each node is tested when it is visited.

use tourbillon_base::Id;
use tourbillon_store::{Colour, Coloured, NodeId};
use tourbillon_system::RuntimeError;
use tourbillon_zonegraph::ZoneGraph;

use crate::budget::Budget;
use crate::cycle::{
    ColouredSearch, CycleDetection, CycleSearchResult, Match, Offers, Policy, RunCondition, Start, spend,
};
use crate::stats::Stats;

/// A node of the outer search's path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: NodeId,
    /// The ordinal of the transition to it.
    step: u32,
    /// The index of its first successor in `pending`.
    pending: usize,
    /// The number of accepting nodes on the path up to this one.
    accepting: u32,
    /// Whether every successor that is not pending is red.
    all_red: bool,
}

/// A nested depth-first search.
#[derive(Debug)]
pub struct Nested<'s> {
    search: ColouredSearch<'s>,
    /// The path of the outer search.
    frames: Vec<Frame>,
    /// Successors of the nodes of the path that are not visited yet, with the ordinals of their transitions.
    pending: Vec<(NodeId, u32)>,
    /// The position of each cyan node on the path.
    depths: Vec<u32>,
}

/// The bytes that a node takes besides those of the store: its depth.
const DEPTH_BYTES: usize = size_of::<u32>();

impl CycleDetection for Nested<'_> {
    fn stats(&self) -> Stats {
        let mut memory = self.search.nodes.memory();
        memory.waiting += self.frames.capacity() * size_of::<Frame>()
            + self.pending.capacity() * size_of::<(NodeId, u32)>();
        memory.nodes += self.depths.capacity() * DEPTH_BYTES;
        self.search.stats(memory, self.pending.len())
    }

    fn search(
        &mut self,
        start: Start<'_>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> CycleSearchResult {
        self.frames.clear();
        self.pending.clear();
        let pending = &mut self.pending;
        let begun = self.search.begin(start, budget, |found| add_pending(pending, found, 0));
        begun
            .and_then(|()| self.search_outer(budget, progress))
            .map_or_else(|result| result, |()| CycleSearchResult::NotFound)
    }
}

/// Adds a successor to the pending ones, unless it is red.
fn add_pending(pending: &mut Vec<(NodeId, u32)>, found: Match, ordinal: u32) {
    match found {
        Match::Red => {}
        Match::Stored(node) | Match::Covered(node) | Match::New(node) => pending.push((node, ordinal)),
    }
}

impl<'s> Nested<'s> {
    /// A search of a zone graph.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, nodes: Box<dyn Coloured>, condition: RunCondition) -> Self {
        Self {
            search: ColouredSearch::new(graph, nodes, condition),
            frames: Vec::new(),
            pending: Vec::new(),
            depths: Vec::new(),
        }
    }

    /// The outer search, from the pending start nodes.
    fn search_outer(
        &mut self,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(), CycleSearchResult> {
        loop {
            let floor = self.frames.last().map_or(0, |frame| frame.pending);
            if self.pending.len() > floor {
                let (node, step) = self.pending.pop().expect("there is one more");
                if self.load_if_unvisited(node) {
                    spend(self, budget, progress)?;
                    self.enter(node, step)?;
                } else if self.search.nodes.colour(node) != Colour::Red {
                    self.note_not_red();
                }
            } else if let Some(frame) = self.frames.pop() {
                self.backtrack(frame, budget, progress)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Loads a pending node that is not visited yet. A node that was white when it was stored may be covered by a red one now:
    /// then it is red, and not visited.
    fn load_if_unvisited(&mut self, node: NodeId) -> bool {
        if self.search.nodes.colour(node) != Colour::White {
            return false;
        }
        self.search.load(node);
        let is_red = self.search.is_red();
        if is_red {
            self.search.nodes.paint(node, Colour::Red);
        }
        !is_red
    }

    fn note_not_red(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.all_red = false;
        }
    }

    /// Appends the loaded node to the path and expands it.
    fn enter(&mut self, node: NodeId, step: u32) -> Result<(), CycleSearchResult> {
        self.search.visited += 1;
        self.search.nodes.paint(node, Colour::Cyan);
        let sets = self.search.acceptance_sets().map_err(|error| self.failed(Some(step), error))?;
        let accepts = sets == self.search.condition.acceptance.all();
        let before = self.frames.last().map_or(0, |frame| frame.accepting);
        let accepting = before + u32::from(accepts);
        if self.depths.len() <= node.index() {
            self.depths.resize(self.search.nodes.len().max(node.index() + 1), 0);
        }
        self.depths[node.index()] = self.frames.len() as u32;
        self.frames.push(Frame { node, step, pending: self.pending.len(), accepting, all_red: true });
        self.expand_outer()?;
        match self.search.finite_run().map_err(|error| self.failed(None, error))? {
            Some(ending) => {
                Err(CycleSearchResult::FiniteRun { stem: self.stem(self.frames.len() - 1), ending })
            }
            None => Ok(()),
        }
    }

    /// Expands the last node of the path. A successor that covers a cyan node closes a cycle; it is accepting if an accepting
    /// node is on the path from there.
    fn expand_outer(&mut self) -> Result<(), CycleSearchResult> {
        let Self { search, frames, pending, depths } = self;
        let last = frames[frames.len() - 1];
        let accepts = |depth: u32| {
            let before = depth.checked_sub(1).map_or(0, |before| frames[before as usize].accepting);
            last.accepting > before
        };
        let mut closing = None;
        let offers = search.expand(Policy::All, |found, ordinal, cyan| {
            add_pending(pending, found, ordinal);
            let depths = cyan.iter().map(|node| depths[node.index()]);
            if let (None, Some(depth)) = (closing, depths.filter(|&depth| accepts(depth)).max()) {
                closing = Some((depth, ordinal));
            }
        });
        self.conclude(&offers, closing, &[])
    }

    /// Counts the offers of an expansion, by the outer search or at the end of this path of the inner one, and ends the search
    /// if a successor closes a cycle with the path's node at a depth, or if the expansion failed.
    fn conclude(
        &mut self,
        offers: &Offers,
        closing: Option<(u32, u32)>,
        inner_path: &[(usize, u32)],
    ) -> Result<(), CycleSearchResult> {
        self.search.transitions += offers.offers;
        self.search.covered += offers.covered;
        let inner = || inner_path.iter().skip(1).map(|&(_, step)| step);
        if let Some((depth, ordinal)) = closing {
            let depth = depth as usize;
            let outer = self.frames[depth + 1..].iter().map(|frame| frame.step);
            let cycle = outer.chain(inner()).chain([ordinal]).collect();
            return Err(CycleSearchResult::Cycle { stem: self.stem(depth), cycle });
        }
        if offers.overflowed {
            return Err(CycleSearchResult::Overflowed);
        }
        offers.result.map_err(|error| {
            let stem = self.stem(self.frames.len() - 1).into_iter();
            CycleSearchResult::failed(stem.chain(inner()).collect(), error)
        })
    }

    /// The transitions to the node of the path at this depth. No transition leads to the first.
    fn stem(&self, depth: usize) -> Vec<u32> {
        self.frames[..=depth].iter().skip(1).map(|frame| frame.step).collect()
    }

    /// The result of an error at the end of the path, or after one more transition.
    fn failed(&self, next: Option<u32>, error: RuntimeError) -> CycleSearchResult {
        let steps = self.frames.iter().map(|frame| frame.step).chain(next);
        CycleSearchResult::failed(steps.skip(1).collect(), error)
    }

    /// Backtracks from a node: it is red if all its successors are, or if the inner search finds no cycle; else it is blue.
    fn backtrack(
        &mut self,
        frame: Frame,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(), CycleSearchResult> {
        let before = self.frames.last().map_or(0, |frame| frame.accepting);
        let accepts = frame.accepting > before;
        if accepts && !frame.all_red {
            // It is part of the path while the inner search runs.
            self.frames.push(frame);
            self.search_inner(frame.node, budget, progress)?;
            self.frames.pop();
        }
        let red = accepts || frame.all_red;
        self.search.nodes.paint(frame.node, if red { Colour::Red } else { Colour::Blue });
        if !red {
            self.note_not_red();
        }
        Ok(())
    }

    /// The inner search: from an accepting node, the last of the path, back to a node of the path.
    fn search_inner(
        &mut self,
        seed: NodeId,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(), CycleSearchResult> {
        // For each node of the inner path, the index of its first successor in `pending`, and the transition to it.
        let mut path: Vec<(usize, u32)> = Vec::new();
        let mut pending: Vec<(NodeId, u32)> = Vec::new();
        let mut next = Some((seed, 0));
        loop {
            if let Some((node, step)) = next.take() {
                spend(self, budget, progress)?;
                path.push((pending.len(), step));
                self.expand_inner(node, &path, &mut pending)?;
            }
            let Some(&(floor, _)) = path.last() else { return Ok(()) };
            if pending.len() == floor {
                path.pop();
                continue;
            }
            let (node, step) = pending.pop().expect("there is one more");
            if self.search.nodes.colour(node) == Colour::Blue {
                self.search.nodes.paint(node, Colour::Red);
                next = Some((node, step));
            }
        }
    }

    /// Expands the last node of the inner path. A successor that covers a cyan node closes an accepting cycle.
    fn expand_inner(
        &mut self,
        node: NodeId,
        path: &[(usize, u32)],
        pending: &mut Vec<(NodeId, u32)>,
    ) -> Result<(), CycleSearchResult> {
        let Self { search, depths, .. } = self;
        search.load(node);
        search.visited += 1;
        let mut closing = None;
        let offers = search.expand(Policy::All, |found, ordinal, cyan| {
            add_pending(pending, found, ordinal);
            let deepest = cyan.iter().map(|node| depths[node.index()]).max();
            if let (None, Some(depth)) = (closing, deepest) {
                closing = Some((depth, ordinal));
            }
        });
        self.conclude(&offers, closing, path)
    }
}
