//! A family of diagrams over the same clocks: the interface of the crate.
//!
//! Everything that grows lies in one place and is shared by all diagrams: nodes, the table that finds them, and the
//! memory that operations work in. A diagram is a handle. Operations make new diagrams and change none, so a handle means
//! the same set for good, until a collection that is not told of it.

use tourbillon_dbm::{Dbm, Dimension, Valuation};

use crate::forms::{Compact, NodeForm};
use crate::memo::Memo;
use crate::node::{Edge, Handle};
use crate::nodes::Nodes;
use crate::order::{Levels, Matrix};
use crate::paths::PendingZones;
use crate::settings::{Error, Settings};
use crate::statistics::{InclusionCounts, Statistics};
use crate::string::ZoneString;

/// Clock difference diagrams that share their nodes.
///
/// ```
/// use tourbillon_dbm::{Dbm, Dimension, parse_constraints};
/// use tourbillon_dd::{Diagrams, Handle, Settings};
///
/// let dimension = Dimension::of_clocks(2)?;
/// let zone = |text| {
///     let mut zone = Dbm::universal(dimension);
///     parse_constraints(text, &["x", "y"]).unwrap().into_iter().for_each(|c| assert!(zone.constrain(c)));
///     zone
/// };
/// let mut diagrams = Diagrams::<tourbillon_dd::Compact>::new(dimension, Settings::default()).unwrap();
/// let left = diagrams.union_zone(Handle::FALSE, &zone("x<=3, y<=4"));
/// let both = diagrams.union_zone(left, &zone("x>=2, x<=6, y<=4"));
/// assert!(diagrams.includes_zone(both, &zone("x>=1, x<=5, y=2")), "neither of the two includes it alone");
/// assert!(!diagrams.includes_zone(left, &zone("x>=1, x<=5, y=2")));
/// # Ok::<(), tourbillon_dbm::Error>(())
/// ```
#[derive(Debug)]
pub struct Diagrams<F: NodeForm = Compact> {
    pub(crate) levels: Levels,
    pub(crate) settings: Settings,
    pub(crate) nodes: Nodes<F>,
    pub(crate) counts: InclusionCounts,
    /// Edges of the nodes that an operation is working on, one node after the other.
    pub(crate) edges: Vec<Edge>,
    pub(crate) memo: Memo,
    /// How many results a union may still compute before it is to return.
    pub(crate) allowance: u64,
    /// Nodes that a walk has seen.
    pub(crate) seen: Memo,
    pub(crate) waiting: Vec<Handle>,
    /// The zone that is being examined.
    pub(crate) matrix: Matrix,
    pub(crate) string: ZoneString,
    pub(crate) parts: PendingZones,
}

impl<F: NodeForm> Diagrams<F> {
    /// The largest number of clocks.
    pub const CLOCKS_MAX: usize = Levels::CLOCKS_MAX;

    /// Nodes may take so many bytes; one more is a panic.
    pub const NODE_BYTES_MAX: u64 = F::ADDRESS_MAX as u64 * F::UNIT as u64;

    /// No diagrams yet but the constants.
    ///
    /// # Errors
    /// If there are more clocks than [`Self::CLOCKS_MAX`].
    pub fn new(dimension: Dimension, settings: Settings) -> Result<Self, Error> {
        Ok(Self {
            levels: Levels::new(dimension, settings.order)?,
            settings,
            nodes: Nodes::new(),
            counts: InclusionCounts::default(),
            edges: Vec::new(),
            memo: Memo::new(),
            allowance: u64::MAX,
            seen: Memo::new(),
            waiting: Vec::new(),
            matrix: Matrix::default(),
            string: ZoneString::default(),
            parts: PendingZones::default(),
        })
    }

    /// How many clocks the diagrams speak of.
    #[must_use]
    pub const fn dimension(&self) -> Dimension {
        self.levels.dimension()
    }

    #[must_use]
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// Whether a point lies in a diagram.
    ///
    /// # Panics
    /// If the point has another number of clocks.
    #[must_use]
    pub fn contains(&self, diagram: Handle, point: &Valuation) -> bool {
        assert_eq!(
            self.dimension().clocks(),
            point.clocks(),
            "a point and a diagram of different dimensions"
        );
        let mut node = diagram;
        while !node.is_terminal() {
            let (left, right) = self.levels.clocks(self.nodes.level(node));
            let value = point.value(left).checked_sub(point.value(right));
            let value = value.expect("fractions over one denominator, none of them negative");
            let below = |edge: &Edge| {
                let constant = tourbillon_base::Rational::from_integer(i64::from(edge.up_to >> 1));
                value < constant || (value == constant && edge.up_to & 1 == 1)
            };
            let taken = self.nodes.edges(node).find(below).or_else(|| self.nodes.edges(node).last());
            node = taken.map_or(Handle::FALSE, |edge| edge.child);
        }
        node == Handle::TRUE
    }

    /// Frees all nodes but those of these diagrams; other handles mean nothing from now on.
    pub fn collect(&mut self, used: impl IntoIterator<Item = Handle>) {
        self.nodes.collect(used.into_iter());
    }

    /// Whether so much was made since the last collection that another is worth its time.
    #[must_use]
    pub const fn wants_collection(&self) -> bool {
        self.nodes.has_grown(8, 1 << 12)
    }

    /// The number of nodes of one diagram, the constants not counted.
    #[must_use]
    pub fn size(&self, diagram: Handle) -> usize {
        self.nodes.size(diagram)
    }

    /// The number of nodes of all diagrams, and of those not yet collected.
    #[must_use]
    pub const fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes that all diagrams take: nodes, holes between them, the table, and what is asked for and not yet used.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
    }

    /// The bytes that operations work in.
    #[must_use]
    pub fn scratch_bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>()
            + self.waiting.capacity() * size_of::<Handle>()
            + self.memo.bytes()
            + self.seen.bytes()
            + self.matrix.bytes()
            + self.string.bytes()
            + self.parts.bytes()
    }

    /// What all diagrams take, by level. Looks at every node.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.nodes.statistics(self.levels.len())
    }

    /// How queries were answered so far.
    #[must_use]
    pub const fn counts(&self) -> InclusionCounts {
        self.counts
    }

    pub(crate) fn assert_dimension(&self, zone: &Dbm) {
        assert_eq!(self.dimension(), zone.dimension(), "a zone and a diagram of different dimensions");
    }
}
