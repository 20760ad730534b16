//! Binary decision diagrams: our own small face of the library that has them.
//!
//! A [`Bdd`] is a set of assignments to boolean variables, in one node store that all of them share; equal sets are the
//! same node, so that comparing two is comparing two numbers `[Bryant1986]`. The library (`oxidd`) has complemented
//! edges, so that the complement of a set costs nothing. What is here is what an engine needs of it and no more: that it
//! is another library's business shows in this file alone.
//!
//! **Room.** The store has as many nodes as it was made for. An operation that would need more is an error ([`Full`])
//! and leaves everything as it was. Nodes that no set refers to any more are found by [`Bdds::collect`], which is called
//! between operations, when nodes have doubled since the last time or the room runs short: an operation that finds the store nearly full would
//! find them too, but a store that is large would then be filled with garbage first.
//!
//! **Order.** Variables are put into an order by groups of neighbours ([`Bdds::sift`]): each group in turn is moved
//! through all positions and left where the nodes are fewest `[Rudell1993]`. The library has swaps of neighbouring levels
//! only, and running out of room in one of them is the end of the process: so nothing is moved if there is less than
//! half of the room left, and a group turns back where nodes grow by a fifth.

use std::cell::Cell;
use std::fmt;
use std::hash::BuildHasherDefault;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{OptBool, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager, ManagerRef,
    Subst,
};
use oxidd_core::LevelView;

use crate::count::Scaled;

/// There is no room for what an operation would make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no room for more nodes of binary decision diagrams")
    }
}

impl std::error::Error for Full {}

impl From<oxidd::util::OutOfMemory> for Full {
    fn from(_: oxidd::util::OutOfMemory) -> Self {
        Self
    }
}

/// What an operation makes, if there is room.
pub type Made<T = Bdd> = Result<T, Full>;

/// All diagrams of an engine.
pub struct Bdds {
    manager: BCDDManagerRef,
    variables: u32,
    room: usize,
    cache: usize,
    /// How many nodes there may be before garbage is collected.
    threshold: Cell<usize>,
    collections: Cell<u64>,
    peak: Cell<usize>,
    yes: Bdd,
    no: Bdd,
}

impl fmt::Debug for Bdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bdds").field("variables", &self.variables).field("nodes", &self.nodes()).finish()
    }
}

/// A set of assignments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bdd(BCDDFunction);

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({} nodes)", self.nodes())
    }
}

/// A set of variables, for quantification.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cube(Bdd);

/// Variables that are replaced by others.
pub struct Renaming(Subst<BCDDFunction>);

impl fmt::Debug for Renaming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Renaming")
    }
}

/// How many nodes there are at least before garbage is looked for.
const COLLECT_FROM: usize = 1 << 16;
/// What a node takes: itself, and its places in the table that finds it.
const NODE_BYTES: usize = 16 + 12;
/// What an entry of the cache of results takes.
const ENTRY_BYTES: usize = 32;

impl Bdds {
    /// A store of diagrams over so many variables that takes about so many bytes when it is full.
    #[must_use]
    pub fn new(variables: u32, bytes: usize) -> Self {
        // A sixteenth for the cache of results, which is as large from the start.
        let cache = (bytes / 16 / ENTRY_BYTES).next_power_of_two().max(1 << 8);
        let room =
            (bytes.saturating_sub(cache * ENTRY_BYTES) / NODE_BYTES).clamp(1 << 12, u32::MAX as usize / 2);
        let manager = oxidd::bcdd::new_manager(room, cache, 1);
        let (yes, no) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables);
            (Bdd(BCDDFunction::t(manager)), Bdd(BCDDFunction::f(manager)))
        });
        Self {
            manager,
            variables,
            room,
            cache,
            threshold: Cell::new(COLLECT_FROM),
            collections: Cell::new(0),
            peak: Cell::new(0),
            yes,
            no,
        }
    }

    /// All assignments.
    #[must_use]
    pub fn yes(&self) -> Bdd {
        self.yes.clone()
    }

    /// None.
    #[must_use]
    pub fn no(&self) -> Bdd {
        self.no.clone()
    }

    /// All if this is so, none otherwise.
    #[must_use]
    pub fn constant(&self, all: bool) -> Bdd {
        if all { self.yes() } else { self.no() }
    }

    /// For how many nodes there is room.
    #[must_use]
    pub fn room(&self) -> usize {
        self.room
    }

    /// How many variables there are.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The assignments in which a variable is true.
    ///
    /// # Errors
    /// If there is no room.
    pub fn variable(&self, variable: u32) -> Made {
        Ok(Bdd(self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, variable))?))
    }

    /// Variables, to be quantified.
    ///
    /// # Errors
    /// If there is no room.
    pub fn cube(&self, variables: impl IntoIterator<Item = u32>) -> Made<Cube> {
        let mut cube = self.yes();
        for variable in variables {
            cube = cube.and(&self.variable(variable)?)?;
        }
        Ok(Cube(cube))
    }

    /// Each first variable replaced by the second.
    ///
    /// # Errors
    /// If there is no room.
    pub fn renaming(&self, pairs: &[(u32, u32)]) -> Made<Renaming> {
        let replacements =
            pairs.iter().map(|&(_, to)| Ok(self.variable(to)?.0)).collect::<Made<Vec<BCDDFunction>>>()?;
        Ok(Renaming(Subst::new(pairs.iter().map(|&(from, _)| from).collect(), replacements)))
    }

    /// How many nodes there are, garbage included.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }

    /// The most nodes there were, as far as was looked.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.peak.get().max(self.nodes())
    }

    /// How often garbage was collected.
    #[must_use]
    pub fn collections(&self) -> u64 {
        self.collections.get()
    }

    /// What the nodes and the cache of results take, as far as they were ever used.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.peak() * NODE_BYTES + self.cache * ENTRY_BYTES
    }

    /// Collects garbage if that is due. Returns how many nodes there are after it, if it was.
    pub fn collect(&self) -> Option<usize> {
        let nodes = self.nodes();
        if nodes < self.threshold.get() {
            return None;
        }
        Some(self.collect_now())
    }

    /// When to collect next, if so many nodes are in use: when there are twice as many, or when the room runs short, but not
    /// before a sixteenth of it was filled.
    fn next_threshold(&self, nodes: usize) -> usize {
        (2 * nodes).max(COLLECT_FROM).min(self.room / 8 * 7).max(nodes + self.room / 16)
    }

    /// Collects garbage. Returns how many nodes are left.
    pub fn collect_now(&self) -> usize {
        self.peak.set(self.peak());
        self.manager.with_manager_shared(|manager| manager.gc());
        self.collections.set(self.collections.get() + 1);
        let nodes = self.nodes();
        self.threshold.set(self.next_threshold(nodes));
        nodes
    }
}

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

impl Bdd {
    /// Whether it is empty.
    #[must_use]
    pub fn is_no(&self) -> bool {
        !self.0.satisfiable()
    }

    /// Whether it has all assignments.
    #[must_use]
    pub fn is_yes(&self) -> bool {
        self.0.valid()
    }

    /// Those in both.
    ///
    /// # Errors
    /// If there is no room.
    pub fn and(&self, other: &Self) -> Made {
        Ok(Self(self.0.and(&other.0)?))
    }

    /// Those in either.
    ///
    /// # Errors
    /// If there is no room.
    pub fn or(&self, other: &Self) -> Made {
        Ok(Self(self.0.or(&other.0)?))
    }

    /// Those in one of them alone.
    ///
    /// # Errors
    /// If there is no room.
    pub fn xor(&self, other: &Self) -> Made {
        Ok(Self(self.0.xor(&other.0)?))
    }

    /// Those in both or neither.
    ///
    /// # Errors
    /// If there is no room.
    pub fn same(&self, other: &Self) -> Made {
        Ok(Self(self.0.equiv(&other.0)?))
    }

    /// Those in this one alone.
    ///
    /// # Errors
    /// If there is no room.
    pub fn but(&self, other: &Self) -> Made {
        self.and(&other.not()?)
    }

    /// All others.
    ///
    /// # Errors
    /// If there is no room.
    pub fn not(&self) -> Made {
        Ok(Self(self.0.not()?))
    }

    /// Those of one set where this one is, of another elsewhere.
    ///
    /// # Errors
    /// If there is no room.
    pub fn choose(&self, here: &Self, elsewhere: &Self) -> Made {
        Ok(Self(self.0.ite(&here.0, &elsewhere.0)?))
    }

    /// Whether the other one has all assignments of this one.
    ///
    /// # Errors
    /// If there is no room.
    pub fn is_within(&self, other: &Self) -> Made<bool> {
        Ok(self.but(other)?.is_no())
    }

    /// What remains where some of the variables may be anything.
    ///
    /// # Errors
    /// If there is no room.
    pub fn exists(&self, variables: &Cube) -> Made {
        Ok(Self(self.0.exists(&variables.0.0)?))
    }

    /// The same of what two sets have in common, without making that first.
    ///
    /// # Errors
    /// If there is no room.
    pub fn and_exists(&self, other: &Self, variables: &Cube) -> Made {
        Ok(Self(self.0.apply_exists(BooleanOperator::And, &other.0, &variables.0.0)?))
    }

    /// The same set of other variables.
    ///
    /// # Errors
    /// If there is no room.
    pub fn rename(&self, renaming: &Renaming) -> Made {
        Ok(Self(self.0.substitute(&renaming.0)?))
    }

    /// One of its assignments, for variables that matter to it and false for the others; nothing if it is empty.
    #[must_use]
    pub fn pick(&self) -> Option<Vec<bool>> {
        let cube = self.0.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|value| value == OptBool::True).collect())
    }

    /// How many assignments it has, of all variables.
    #[must_use]
    pub fn count(&self, variables: u32) -> f64 {
        self.count_without(variables, 0)
    }

    /// How many assignments it has, of all variables but for so many that do not matter to it.
    #[must_use]
    pub fn count_without(&self, variables: u32, idle: u32) -> f64 {
        let mut cache: SatCountCache<Scaled, BuildHasherDefault<std::hash::DefaultHasher>> =
            SatCountCache::default();
        (self.0.sat_count(variables, &mut cache) >> idle).value()
    }

    /// How many nodes it has.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.0.node_count()
    }
}
