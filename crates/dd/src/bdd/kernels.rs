//! Interruptible operations on binary decision diagrams.
//!
//! The library has all of them, but what it has begun it finishes, and that can take arbitrarily long without filling the store: a
//! conjunction of two sets of 98,304 nodes each, from an array that is indexed by its own cells, has met 50 million pairs
//! of nodes and made 3,000 new ones when it was last seen. So the recursions are here, on the library's nodes and with its cache of results,
//! and each step that is not in the cache looks at an [`StopFlag`] first. What is under way when it rings is given up: nodes
//! that were made for it are garbage, and what is in the cache is true.
//!
//! Each recursion is the one that is in every textbook `[Bryant1986]`: cases that need no look at what is below, the cache,
//! both halves of the operands by their topmost variable, and a node of what comes out. Edges are complemented, and that
//! is made use of: a set and its complement are one entry of the cache for [`Kernel::xor`], [`Kernel::choose`] and
//! [`Kernel::rename`]. An existential quantifier that has found one half to be everything does not look at the other.
//!
//! Cost: a step for each pair (or triple) of nodes that is met and not in the cache, which is direct-mapped and forgets.
//! Recursion is as deep as there are variables.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use oxidd::util::FxHasher;
use oxidd_core::util::{EdgeDropGuard, Own, Ref};
use oxidd_core::{
    ApplyCache, DiagramRules, HasApplyCache, HasLevel, InnerNode, LevelNo, LevelView, Manager, Node, NodeID,
};
use oxidd_rules_bdd::complement_edge::{BCDDOp, BCDDRules, BCDDTerminal, EdgeTag};

use super::{BddError, BddResult, StopFlag};
use crate::count::Scaled;

/// What has nodes with complemented edges, and a cache of results.
pub(super) trait Store:
    Manager<EdgeTag = EdgeTag, Terminal = BCDDTerminal, InnerNode: HasLevel> + HasApplyCache<Self, BCDDOp>
{
}

impl<M> Store for M where
    M: Manager<EdgeTag = EdgeTag, Terminal = BCDDTerminal, InnerNode: HasLevel> + HasApplyCache<M, BCDDOp>
{
}

/// The operations on the nodes of a store.
pub(super) struct Kernel<'k, M: Store> {
    store: &'k M,
    stop_flag: &'k StopFlag,
}

impl<M: Store> Clone for Kernel<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Store> Copy for Kernel<'_, M> {}

/// How many assignments sets have, by node and whether it is complemented, as long as the nodes stay.
pub(super) type AssignmentCounts = HashMap<NodeID, Scaled, BuildHasherDefault<FxHasher>>;

type Edge<'e, M> = Ref<'e, <M as Manager>::Edge>;
type EdgeResult<M> = BddResult<Own<<M as Manager>::Edge>>;

/// The complement of a set.
fn not<M: Store>(f: Edge<'_, M>) -> Edge<'_, M> {
    f.with_tag(!f.tag())
}

/// A set, or its complement.
fn tagged<M: Store>(f: Own<M::Edge>, tag: EdgeTag) -> Own<M::Edge> {
    let own = f.tag();
    f.with_tag(own ^ tag)
}

/// The parts of a set in which the variable of a level is true, and false, if that is not below its topmost.
#[inline]
fn halves<'e, M: Store>(
    f: Edge<'e, M>,
    node: &'e M::InnerNode,
    level: LevelNo,
) -> (Edge<'e, M>, Edge<'e, M>) {
    if node.level() != level {
        return (f, f);
    }
    (BCDDRules::cofactor(f.tag(), node, 0), BCDDRules::cofactor(f.tag(), node, 1))
}

impl<'k, M: Store> Kernel<'k, M> {
    pub(super) fn new(store: &'k M, stop_flag: &'k StopFlag) -> Self {
        Self { store, stop_flag }
    }

    #[inline]
    fn look(self) -> BddResult<()> {
        if self.stop_flag.is_set() { Err(BddError::Over) } else { Ok(()) }
    }

    fn kept(self, f: Own<M::Edge>) -> EdgeDropGuard<'k, M> {
        EdgeDropGuard::new(self.store, f)
    }

    fn copy(self, f: Edge<'_, M>) -> Own<M::Edge> {
        self.store.clone_edge(f)
    }

    fn terminal(self, tag: EdgeTag) -> EdgeResult<M> {
        Ok(self.store.get_terminal(BCDDTerminal)?.with_tag(tag))
    }

    /// The topmost level of a set; below all if it is everything or nothing.
    fn level(self, f: Edge<'_, M>) -> LevelNo {
        self.store.get_node(f).level()
    }

    /// Whether it is everything.
    fn is_yes(self, f: Edge<'_, M>) -> bool {
        f.tag() == EdgeTag::None && self.store.get_node(f).is_any_terminal()
    }

    /// What is the one where the variable of a level is true and the other where it is false. Neither has to do with a
    /// variable of that level or above. The edge of the first is never complemented.
    #[inline]
    fn node(self, level: LevelNo, yes: Own<M::Edge>, no: Own<M::Edge>) -> EdgeResult<M> {
        if yes == no {
            self.store.drop_edge(no);
            return Ok(yes);
        }
        let tag = yes.tag();
        let node = M::InnerNode::new(level, [tagged::<M>(yes, tag), tagged::<M>(no, tag)]);
        Ok(self.store.level(level).get_or_insert(node)?.with_tag(tag))
    }

    /// The same of halves that are computed one after the other.
    #[inline]
    fn join(self, level: LevelNo, yes: Own<M::Edge>, no: impl FnOnce() -> EdgeResult<M>) -> EdgeResult<M> {
        let yes = self.kept(yes);
        let no = no()?;
        self.node(level, yes.into_edge(), no)
    }

    /// What two sets have in common.
    pub(super) fn and(self, f: Edge<'_, M>, g: Edge<'_, M>) -> EdgeResult<M> {
        if f == g {
            return Ok(self.copy(f));
        }
        if f == not::<M>(g) {
            return self.terminal(EdgeTag::Complemented);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let (at_f, at_g) = match (self.store.get_node(f), self.store.get_node(g)) {
            (Node::Inner(at_f), Node::Inner(at_g)) => (at_f, at_g),
            // Everything, or nothing.
            (Node::Terminal(_), _) => return Ok(self.copy(if f.tag() == EdgeTag::None { g } else { f })),
            (_, Node::Terminal(_)) => return Ok(self.copy(if g.tag() == EdgeTag::None { f } else { g })),
        };
        let cache = self.store.apply_cache();
        if let Some(known) = cache.get(self.store, BCDDOp::And, &[f, g]) {
            return Ok(known);
        }
        self.look()?;
        let level = at_f.level().min(at_g.level());
        let (f1, f0) = halves::<M>(f, at_f, level);
        let (g1, g0) = halves::<M>(g, at_g, level);
        let both = self.join(level, self.and(f1, g1)?, || self.and(f0, g0))?;
        cache.add(self.store, BCDDOp::And, &[f, g], both.borrowed());
        Ok(both)
    }

    /// What is in either.
    pub(super) fn or(self, f: Edge<'_, M>, g: Edge<'_, M>) -> EdgeResult<M> {
        Ok(tagged::<M>(self.and(not::<M>(f), not::<M>(g))?, EdgeTag::Complemented))
    }

    /// What is in one of two sets alone.
    pub(super) fn xor(self, f: Edge<'_, M>, g: Edge<'_, M>) -> EdgeResult<M> {
        let tag = f.tag() ^ g.tag();
        let (f, g) = (f.with_tag(EdgeTag::None), g.with_tag(EdgeTag::None));
        Ok(tagged::<M>(self.xor_plain(f, g)?, tag))
    }

    /// The same of edges that are not complemented.
    fn xor_plain(self, f: Edge<'_, M>, g: Edge<'_, M>) -> EdgeResult<M> {
        if f == g {
            return self.terminal(EdgeTag::Complemented);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let (at_f, at_g) = match (self.store.get_node(f), self.store.get_node(g)) {
            (Node::Inner(at_f), Node::Inner(at_g)) => (at_f, at_g),
            (Node::Terminal(_), _) => return Ok(self.copy(not::<M>(g))),
            (_, Node::Terminal(_)) => return Ok(self.copy(not::<M>(f))),
        };
        let cache = self.store.apply_cache();
        if let Some(known) = cache.get(self.store, BCDDOp::Xor, &[f, g]) {
            return Ok(known);
        }
        self.look()?;
        let level = at_f.level().min(at_g.level());
        let (f1, f0) = halves::<M>(f, at_f, level);
        let (g1, g0) = halves::<M>(g, at_g, level);
        let either = self.join(level, self.xor(f1, g1)?, || self.xor(f0, g0))?;
        cache.add(self.store, BCDDOp::Xor, &[f, g], either.borrowed());
        Ok(either)
    }

    /// What is in `g` where it is in `f`, and in `h` elsewhere.
    pub(super) fn choose(self, f: Edge<'_, M>, g: Edge<'_, M>, h: Edge<'_, M>) -> EdgeResult<M> {
        if f.tag() == EdgeTag::Complemented {
            return self.choose(not::<M>(f), h, g);
        }
        if g == h {
            return Ok(self.copy(g));
        }
        if g == not::<M>(h) {
            return self.xor(f, h);
        }
        // One of both may say no more than where it is.
        let (f0, terminal) = (not::<M>(f), |edge| self.store.get_node(edge).is_any_terminal());
        if terminal(f) {
            return Ok(self.copy(g));
        }
        if g == f || self.is_yes(g) {
            return self.or(f, h);
        }
        if g == f0 || terminal(g) {
            return self.and(f0, h);
        }
        if h == f0 || self.is_yes(h) {
            return self.or(f0, g);
        }
        if h == f || terminal(h) {
            return self.and(f, g);
        }
        let tag = g.tag();
        let plain = self.choose_plain(f, g.with_tag(EdgeTag::None), h.with_tag(h.tag() ^ tag))?;
        Ok(tagged::<M>(plain, tag))
    }

    /// The same of three that are different, of which the first two edges are not complemented.
    fn choose_plain(self, f: Edge<'_, M>, g: Edge<'_, M>, h: Edge<'_, M>) -> EdgeResult<M> {
        let cache = self.store.apply_cache();
        if let Some(known) = cache.get(self.store, BCDDOp::Ite, &[f, g, h]) {
            return Ok(known);
        }
        self.look()?;
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let ((f1, f0), (g1, g0), (h1, h0)) =
            (self.parts(f, level), self.parts(g, level), self.parts(h, level));
        let chosen = self.join(level, self.choose(f1, g1, h1)?, || self.choose(f0, g0, h0))?;
        cache.add(self.store, BCDDOp::Ite, &[f, g, h], chosen.borrowed());
        Ok(chosen)
    }

    /// Its halves, if it has any.
    fn parts<'e>(self, f: Edge<'e, M>, level: LevelNo) -> (Edge<'e, M>, Edge<'e, M>)
    where
        'k: 'e,
    {
        match self.store.get_node(f) {
            Node::Inner(node) => halves::<M>(f, node, level),
            Node::Terminal(_) => (f, f),
        }
    }

    /// Those of some variables that are at a level or below.
    fn down_from<'e>(self, mut variables: Edge<'e, M>, level: LevelNo) -> Edge<'e, M>
    where
        'k: 'e,
    {
        while let Node::Inner(node) = self.store.get_node(variables)
            && node.level() < level
        {
            variables = node.child(0);
        }
        variables
    }

    /// What is in either half, or whatever the variable is; the second is computed if that is not known from the first.
    #[inline]
    fn forget(self, yes: Own<M::Edge>, no: impl FnOnce() -> EdgeResult<M>) -> EdgeResult<M> {
        if self.is_yes(yes.borrowed()) {
            return Ok(yes);
        }
        let yes = self.kept(yes);
        let no = self.kept(no()?);
        self.or(yes.borrowed(), no.borrowed())
    }

    /// What is in a set whatever some variables are.
    pub(super) fn exists(self, f: Edge<'_, M>, variables: Edge<'_, M>) -> EdgeResult<M> {
        let Node::Inner(node) = self.store.get_node(f) else { return Ok(self.copy(f)) };
        let level = node.level();
        let variables = self.down_from(variables, level);
        let Node::Inner(next) = self.store.get_node(variables) else { return Ok(self.copy(f)) };
        let cache = self.store.apply_cache();
        if let Some(known) = cache.get(self.store, BCDDOp::Exists, &[f, variables]) {
            return Ok(known);
        }
        self.look()?;
        let (f1, f0) = halves::<M>(f, node, level);
        let made = if next.level() == level {
            let rest = next.child(0);
            self.forget(self.exists(f1, rest)?, || self.exists(f0, rest))?
        } else {
            self.join(level, self.exists(f1, variables)?, || self.exists(f0, variables))?
        };
        cache.add(self.store, BCDDOp::Exists, &[f, variables], made.borrowed());
        Ok(made)
    }

    /// The same of what two sets have in common, without making that first.
    pub(super) fn and_exists(self, f: Edge<'_, M>, g: Edge<'_, M>, variables: Edge<'_, M>) -> EdgeResult<M> {
        if f == not::<M>(g) {
            return self.terminal(EdgeTag::Complemented);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let (at_f, at_g) = match (self.store.get_node(f), self.store.get_node(g)) {
            (Node::Inner(at_f), Node::Inner(at_g)) if f != g => (at_f, at_g),
            _ => {
                let both = self.kept(self.and(f, g)?);
                return self.exists(both.borrowed(), variables);
            }
        };
        let level = at_f.level().min(at_g.level());
        let variables = self.down_from(variables, level);
        let Node::Inner(next) = self.store.get_node(variables) else { return self.and(f, g) };
        let cache = self.store.apply_cache();
        if let Some(known) = cache.get(self.store, BCDDOp::ExistAnd, &[f, g, variables]) {
            return Ok(known);
        }
        self.look()?;
        let (f1, f0) = halves::<M>(f, at_f, level);
        let (g1, g0) = halves::<M>(g, at_g, level);
        let made = if next.level() == level {
            let rest = next.child(0);
            self.forget(self.and_exists(f1, g1, rest)?, || self.and_exists(f0, g0, rest))?
        } else {
            self.join(level, self.and_exists(f1, g1, variables)?, || self.and_exists(f0, g0, variables))?
        };
        cache.add(self.store, BCDDOp::ExistAnd, &[f, g, variables], made.borrowed());
        Ok(made)
    }

    /// The same set of other variables: that of each level becomes that of another. `id` tells renamings apart.
    pub(super) fn rename(self, f: Edge<'_, M>, levels: &[LevelNo], id: u32) -> EdgeResult<M> {
        let tag = f.tag();
        let f = f.with_tag(EdgeTag::None);
        let Node::Inner(node) = self.store.get_node(f) else { return Ok(self.copy(f.with_tag(tag))) };
        let level = node.level();
        let Some(&target) = levels.get(level as usize) else { return Ok(self.copy(f.with_tag(tag))) };
        let (cache, key) = (self.store.apply_cache(), ([f], [id]));
        let known = cache.get_extended(self.store, BCDDOp::Substitute, (&key.0, &key.1));
        if let Some(([known], [])) = known {
            return Ok(tagged::<M>(known, tag));
        }
        self.look()?;
        let (f1, f0) = halves::<M>(f, node, level);
        let yes = self.kept(self.rename(f1, levels, id)?);
        let no = self.kept(self.rename(f0, levels, id)?);
        let made = self.put(target, yes, no)?;
        cache.add_extended(self.store, BCDDOp::Substitute, (&key.0, &key.1), (&[made.borrowed()], &[]));
        Ok(tagged::<M>(made, tag))
    }

    /// What is the one where the variable of a level is true and the other elsewhere, wherever their variables are.
    fn put(self, level: LevelNo, yes: EdgeDropGuard<'k, M>, no: EdgeDropGuard<'k, M>) -> EdgeResult<M> {
        if level < self.level(yes.borrowed()) && level < self.level(no.borrowed()) {
            return self.node(level, yes.into_edge(), no.into_edge());
        }
        let everything = self.terminal(EdgeTag::None)?;
        let variable = self.kept(self.join(level, everything, || self.terminal(EdgeTag::Complemented))?);
        self.choose(variable.borrowed(), yes.borrowed(), no.borrowed())
    }

    /// How many assignments a set has, of as many as everything has.
    pub(super) fn count(
        self,
        f: Edge<'_, M>,
        all: Scaled,
        known: &mut AssignmentCounts,
    ) -> BddResult<Scaled> {
        let Node::Inner(node) = self.store.get_node(f) else {
            return Ok(if f.tag() == EdgeTag::None { all } else { Scaled::from(0) });
        };
        // A set and its complement are counted apart: their difference from everything would be imprecise.
        let key = 2 * f.node_id() + usize::from(f.tag() == EdgeTag::Complemented);
        if let Some(&count) = known.get(&key) {
            return Ok(count);
        }
        self.look()?;
        let (f1, f0) = halves::<M>(f, node, node.level());
        let count = (self.count(f1, all, known)? + self.count(f0, all, known)?) >> 1;
        known.insert(key, count);
        Ok(count)
    }
}
