//! Binary decision diagrams: a small interface to the library that implements them.
//!
//! A [`Bdd`] is a set of assignments to boolean variables, in one node store that all of them share; equal sets are the
//! same node, so that comparing two is comparing two numbers `[Bryant1986]`. The library (`oxidd`) has complemented
//! edges, so that the complement of a set costs nothing. What is here is what an engine needs of it and no more: that it
//! is another library's business shows in this file and in `bdd/` alone.
//!
//! **Time.** What the library has begun it finishes. So the operations are our own (`bdd/kernels.rs`), and end with
//! [`BddError::Over`] when an [`StopFlag`] rings.
//!
//! **Room.** The store has as many nodes as it was made for. An operation that would need more is an error
//! ([`BddError::Full`]) and leaves everything as it was. Nodes that no set refers to any more are found by [`Bdds::collect`], which is called
//! between operations, when nodes have doubled since the last time or the room runs short: an operation that finds the store nearly full would
//! find them too, but a store that is large would then be filled with garbage first.
//!
//! | file | holds |
//! |---|---|
//! | `bdd/kernels.rs`, `bdd/stop_flag.rs` | the operations, and what ends them |
//! | `bdd/sift.rs` | finding a better order of variables |

mod kernels;
mod sift;
mod stop_flag;

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::OptBool;
use oxidd::{BooleanFunction, Function, Manager, ManagerRef};
use oxidd_core::function::OwnEdgeOfFunc;

use self::kernels::{AssignmentCounts, Kernel};
pub use self::stop_flag::StopFlag;
use crate::count::Scaled;

/// Why an operation makes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BddError {
    /// There is no room for what it would make.
    Full,
    Over,
}

impl fmt::Display for BddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "there is no room for more nodes of binary decision diagrams",
            Self::Over => "an operation on binary decision diagrams was ended",
        })
    }
}

impl std::error::Error for BddError {}

impl From<oxidd::util::OutOfMemory> for BddError {
    fn from(_: oxidd::util::OutOfMemory) -> Self {
        Self::Full
    }
}

/// What an operation makes, if there is room and time.
pub type BddResult<T = Bdd> = Result<T, BddError>;

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
    /// How many renamings there are.
    renamings: Cell<u32>,
    yes: Bdd,
    no: Bdd,
}

impl fmt::Debug for Bdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bdds").field("variables", &self.variables).field("nodes", &self.nodes()).finish()
    }
}

/// A set of assignments.
#[derive(Clone)]
pub struct Bdd {
    function: BCDDFunction,
    stop_flag: StopFlag,
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        self.function == other.function
    }
}

impl Eq for Bdd {}

impl PartialOrd for Bdd {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bdd {
    fn cmp(&self, other: &Self) -> Ordering {
        self.function.cmp(&other.function)
    }
}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({} nodes)", self.nodes())
    }
}

/// A set of variables, for quantification.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cube(Bdd);

/// Variables that are replaced by others.
#[derive(Debug)]
pub struct Renaming {
    pairs: Vec<(u32, u32)>,
    /// Tells it from others of the same store.
    id: u32,
}

/// Counts the assignments of several sets, which may have nodes in common.
#[derive(Debug)]
pub struct AssignmentCounter<'b> {
    bdds: &'b Bdds,
    /// How many variables do not matter.
    idle: u32,
    known: AssignmentCounts,
}

/// How many nodes there are at least before garbage is looked for.
const COLLECT_FROM: usize = 1 << 16;
/// What a node takes: itself, and its places in the table that finds it.
const NODE_BYTES: usize = 16 + 12;
/// What an entry of the cache of results takes.
const ENTRY_BYTES: usize = 32;

/// How many counts are remembered from set to set: they take memory that is not accounted for.
const KNOWN_MAX: usize = 1 << 13;

impl Bdds {
    /// The least that a store takes: one that is asked for with less is as large.
    pub const BYTES_MIN: usize = 1 << 17;

    /// A store of diagrams over so many variables that takes about so many bytes when it is full.
    #[must_use]
    pub fn new(variables: u32, bytes: usize) -> Self {
        Self::with_stop_flag(variables, bytes, &StopFlag::default())
    }

    /// The same, with a flag that interrupts operations.
    #[must_use]
    pub fn with_stop_flag(variables: u32, bytes: usize, stop_flag: &StopFlag) -> Self {
        let bytes = bytes.max(Self::BYTES_MIN);
        // A sixteenth for the cache of results, which is as large from the start.
        let cache = (bytes / 16 / ENTRY_BYTES).next_power_of_two();
        let room = ((bytes - cache * ENTRY_BYTES) / NODE_BYTES).min(u32::MAX as usize / 2);
        let manager = oxidd::bcdd::new_manager(room, cache, 1);
        let (yes, no) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables);
            [BCDDFunction::t(manager), BCDDFunction::f(manager)]
                .map(|function| Bdd { function, stop_flag: stop_flag.clone() })
                .into()
        });
        Self {
            manager,
            variables,
            room,
            cache,
            threshold: Cell::new(COLLECT_FROM),
            collections: Cell::new(0),
            peak: Cell::new(0),
            renamings: Cell::new(0),
            yes,
            no,
        }
    }

    #[must_use]
    pub fn yes(&self) -> Bdd {
        self.yes.clone()
    }

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
    pub fn variable(&self, variable: u32) -> BddResult {
        let function = self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, variable))?;
        Ok(Bdd { function, stop_flag: self.yes.stop_flag.clone() })
    }

    /// Variables, to be quantified.
    ///
    /// # Errors
    /// If there is no room.
    pub fn cube(&self, variables: impl IntoIterator<Item = u32>) -> BddResult<Cube> {
        let mut cube = self.yes();
        for variable in variables {
            cube = cube.and(&self.variable(variable)?)?;
        }
        Ok(Cube(cube))
    }

    /// Each first variable replaced by the second.
    #[must_use]
    pub fn renaming(&self, pairs: impl IntoIterator<Item = (u32, u32)>) -> Renaming {
        let id = self.renamings.get();
        self.renamings.set(id + 1);
        Renaming { pairs: pairs.into_iter().collect(), id }
    }

    /// Counts sets of which so many variables do not matter.
    #[must_use]
    pub fn counter(&self, idle: u32) -> AssignmentCounter<'_> {
        AssignmentCounter { bdds: self, idle, known: AssignmentCounts::default() }
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

impl Renaming {
    /// Which level each level becomes, as far down as any becomes another.
    fn levels(&self, manager: &impl Manager) -> Vec<u32> {
        let levels =
            self.pairs.iter().map(|&(from, to)| (manager.var_to_level(from), manager.var_to_level(to)));
        let end = levels.clone().map(|(from, _)| from + 1).max().unwrap_or(0);
        let mut table: Vec<u32> = (0..end).collect();
        levels.for_each(|(from, to)| table[from as usize] = to);
        table
    }
}

impl AssignmentCounter<'_> {
    /// How many assignments a set has.
    ///
    /// # Errors
    /// If there is no time.
    pub fn count(&mut self, set: &Bdd) -> BddResult<f64> {
        if self.known.len() > KNOWN_MAX {
            self.known.clear();
        }
        let all = Scaled::from(1) << (self.bdds.variables - self.idle);
        let known = &mut self.known;
        let count = set.function.with_manager_shared(|manager, edge| {
            Kernel::new(manager, &set.stop_flag).count(edge, all, known)
        })?;
        Ok(count.value())
    }
}

/// Has an operation of the kernels make a set of this one, and others.
macro_rules! make {
    ($set:expr, |$kernel:ident, $manager:ident, $edge:ident| $made:expr) => {{
        let set: &Bdd = $set;
        let function = set.function.with_manager_shared(|$manager, $edge| -> BddResult<BCDDFunction> {
            let $kernel = Kernel::new($manager, &set.stop_flag);
            let made: OwnEdgeOfFunc<'_, BCDDFunction> = $made?;
            Ok(BCDDFunction::from_edge($manager, made))
        })?;
        Ok(Bdd { function, stop_flag: set.stop_flag.clone() })
    }};
}

impl Bdd {
    /// Whether it is empty.
    #[must_use]
    pub fn is_no(&self) -> bool {
        !self.function.satisfiable()
    }

    /// Whether it has all assignments.
    #[must_use]
    pub fn is_yes(&self) -> bool {
        self.function.valid()
    }

    /// Those in both.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn and(&self, other: &Self) -> BddResult {
        make!(self, |kernel, manager, edge| kernel.and(edge, other.function.as_edge(manager)))
    }

    /// Those in either.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn or(&self, other: &Self) -> BddResult {
        make!(self, |kernel, manager, edge| kernel.or(edge, other.function.as_edge(manager)))
    }

    /// Those in one of them alone.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn xor(&self, other: &Self) -> BddResult {
        make!(self, |kernel, manager, edge| kernel.xor(edge, other.function.as_edge(manager)))
    }

    /// Those in both or neither.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn same(&self, other: &Self) -> BddResult {
        self.xor(other)?.not()
    }

    /// Those in this one alone.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn but(&self, other: &Self) -> BddResult {
        self.and(&other.not()?)
    }

    /// All others.
    ///
    /// # Errors
    /// If there is no room.
    pub fn not(&self) -> BddResult {
        Ok(Self { function: self.function.not()?, stop_flag: self.stop_flag.clone() })
    }

    /// Those of one set where this one is, of another elsewhere.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn choose(&self, here: &Self, elsewhere: &Self) -> BddResult {
        make!(self, |kernel, manager, edge| {
            kernel.choose(edge, here.function.as_edge(manager), elsewhere.function.as_edge(manager))
        })
    }

    /// Whether the other one has all assignments of this one.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn is_within(&self, other: &Self) -> BddResult<bool> {
        Ok(self.but(other)?.is_no())
    }

    /// What remains where some of the variables may be anything.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn exists(&self, variables: &Cube) -> BddResult {
        make!(self, |kernel, manager, edge| kernel.exists(edge, variables.0.function.as_edge(manager)))
    }

    /// The same of what two sets have in common, without making that first.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn and_exists(&self, other: &Self, variables: &Cube) -> BddResult {
        make!(self, |kernel, manager, edge| {
            kernel.and_exists(edge, other.function.as_edge(manager), variables.0.function.as_edge(manager))
        })
    }

    /// The same set of other variables.
    ///
    /// # Errors
    /// If there is no room, or no time.
    pub fn rename(&self, renaming: &Renaming) -> BddResult {
        make!(self, |kernel, manager, edge| kernel.rename(edge, &renaming.levels(manager), renaming.id))
    }

    /// One of its assignments, for variables that matter to it and false for the others; nothing if it is empty.
    #[must_use]
    pub fn pick(&self) -> Option<Vec<bool>> {
        let cube = self.function.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|value| value == OptBool::True).collect())
    }

    /// How many nodes it has.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.function.node_count()
    }
}
