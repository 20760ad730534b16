//! A band: the nodes of consecutive levels of a diagram, with references to the levels below.
//!
//! A diagram that is too large for one memory is cut between two levels, as often as there are memories
//! (`[ThomsenKristensen2002]`, section 4.2.2). A band has the nodes of its levels. Where one of them leads to a node of the
//! band below, it leads to an *entry* here: a node of one more level that has nothing but the number of the other. Entries
//! are found in the table of all nodes, so there is one for each number; they are marked and swept as nodes are. So what
//! the paper has as an array on either side, with counts of uses, is a node of some six bytes on the upper side and
//! nothing on the lower: a number is the handle of a node there, and nodes do not move.
//!
//! An operation is split as the diagram is. [`Band::ask`] walks down to the entries: it says no, or which nodes of the
//! band below have to be asked. [`Band::reach`] says which nodes below a zone has to be added to; when it is known what
//! they have become, [`Band::unite`] makes the nodes of this band. These are reduced at once, since all that they lead to
//! has its final number: two nodes that are alike below have one number, hence one entry, and what leads there is alike.
//!
//! > **Invariant.** All bands together have the nodes of one diagram ([`Diagrams`]) and, between any two neighbours, an
//! > entry for each node of a lower band that an edge from above crosses that border for. Handles never change what they mean.
//!
//! A zone comes as a [`Slice`] for each level, from the first level of the band on. That is all a band needs of it, and
//! less than the matrix.

use std::ops::Range;

use tourbillon_dbm::{Dbm, Dimension};

use crate::diagrams::Diagrams;
use crate::forms::{Compact, NodeForm};
use crate::node::{END, Edge, Handle, START};
use crate::order::{Levels, Matrix, ValueInterval};
use crate::settings::{Error, Settings};
use crate::string::{Link, ZoneString};

/// What a zone says at one level: the values that it takes there, and which ends of them are written down when it is
/// added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slice {
    /// The cut that its values begin after; [`Slice::ALL`] has none.
    pub above: i32,
    /// The cut that its values end at; [`Slice::ALL`] has none.
    pub up_to: i32,
    /// Whether the first is written down.
    pub adds_above: bool,
    /// Whether the second is.
    pub adds_up_to: bool,
}

impl Slice {
    pub const ALL: Self = Self { above: START, up_to: END, adds_above: false, adds_up_to: false };

    const fn asked(self) -> ValueInterval {
        ValueInterval { above: self.above, up_to: self.up_to }
    }

    const fn added(self) -> ValueInterval {
        let above = if self.adds_above { self.above } else { START };
        ValueInterval { above, up_to: if self.adds_up_to { self.up_to } else { END } }
    }

    const fn adds(self) -> bool {
        self.adds_above || self.adds_up_to
    }
}

/// Makes slices of zones.
#[derive(Debug)]
pub struct Slicer {
    levels: Levels,
    settings: Settings,
    matrix: Matrix,
    string: ZoneString,
}

impl Slicer {
    /// For diagrams of these clocks.
    ///
    /// # Errors
    /// If there are too many clocks.
    pub fn new(dimension: Dimension, settings: Settings) -> Result<Self, Error> {
        let levels = Levels::new(dimension, settings.order)?;
        Ok(Self { levels, settings, matrix: Matrix::default(), string: ZoneString::default() })
    }

    /// The clocks that zones have.
    #[must_use]
    pub const fn dimension(&self) -> Dimension {
        self.levels.dimension()
    }

    /// How many levels there are.
    #[must_use]
    pub const fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Appends what a zone says at each level, from the top.
    ///
    /// # Panics
    /// If the zone has another dimension.
    pub fn slice(&mut self, zone: &Dbm, slices: &mut Vec<Slice>) {
        assert_eq!(self.levels.dimension(), zone.dimension(), "a zone and a diagram of different dimensions");
        let Self { levels, settings, matrix, string } = self;
        matrix.read(zone);
        string.read(levels, zone, matrix, settings.constraints);
        let mut links = (0..).map_while(|at| string.link(at)).peekable();
        for level in 0..levels.len() as u16 {
            let ValueInterval { above, up_to } = levels.stretch(matrix, level);
            let link = links.next_if(|link| link.level == level);
            let added = link.map_or(ValueInterval::ALL, |link| link.stretch);
            debug_assert!(added.above == START || added.above == above, "an end of its own");
            debug_assert!(added.up_to == END || added.up_to == up_to, "an end of its own");
            let (adds_above, adds_up_to) = (added.above != START, added.up_to != END);
            slices.push(Slice { above, up_to, adds_above, adds_up_to });
        }
    }
}

/// The nodes of some levels.
#[derive(Debug)]
pub struct Band<F: NodeForm = Compact> {
    pub(crate) diagrams: Diagrams<F>,
    pub(crate) levels: Range<u16>,
    links: Vec<Link>,
}

impl<F: NodeForm> Band<F> {
    /// No nodes of these levels yet, of diagrams of these clocks.
    ///
    /// # Errors
    /// If there are too many clocks.
    ///
    /// # Panics
    /// If there are not so many levels.
    pub fn new(dimension: Dimension, settings: Settings, levels: Range<usize>) -> Result<Self, Error> {
        let diagrams = Diagrams::new(dimension, settings)?;
        assert!(levels.start <= levels.end && levels.end <= diagrams.levels.len(), "no such levels");
        Ok(Self { diagrams, levels: levels.start as u16..levels.end as u16, links: Vec::new() })
    }

    /// Whether values that the zone takes lead from one of the nodes to false: then it is not included in all of them.
    /// Otherwise it is, if it is included in all nodes of the band below that are appended; none is named twice.
    #[must_use]
    pub fn ask(&mut self, nodes: &[Handle], slices: &[Slice], below: &mut Vec<Handle>) -> bool {
        let base = below.len();
        let includes = self.walk(nodes, slices, Slice::asked, &mut |leaf| match leaf {
            Handle::FALSE => false,
            leaf => {
                below.push(leaf);
                true
            }
        });
        if !includes {
            below.truncate(base);
        }
        includes
    }

    /// Appends the nodes of the band below that the zone has to be added to if it is added to these nodes here. False is
    /// among them if there is something to make of the zone alone; no node is named twice.
    pub fn reach(&mut self, nodes: &[Handle], slices: &[Slice], below: &mut Vec<Handle>) {
        if !self.goes_on(slices) {
            return;
        }
        let mut meets_false = false;
        self.walk(nodes, slices, Slice::added, &mut |leaf| {
            match leaf {
                Handle::FALSE => meets_false = true,
                leaf => below.push(leaf),
            }
            true
        });
        if meets_false {
            below.push(Handle::FALSE);
        }
    }

    /// Adds a zone to each of these nodes. `below` must have, for all that [`Self::reach`] named, what it has become.
    pub fn unite(&mut self, nodes: &mut [Handle], slices: &[Slice], below: &[(Handle, Handle)]) {
        self.begin_union(slices, below);
        for node in nodes {
            *node = self.diagrams.unite(*node, 0);
        }
    }

    /// Takes a zone to be added. The links of lower bands are one here, at the level of entries, that says nothing: what
    /// becomes of entries there, and of false, is known.
    fn begin_union(&mut self, slices: &[Slice], below: &[(Handle, Handle)]) {
        self.links.clear();
        let own = self.levels.clone().zip(slices).filter(|(_, slice)| slice.adds());
        self.links.extend(own.map(|(level, slice)| Link { level, stretch: slice.added() }));
        self.diagrams.memo.clear();
        let mut tail = None;
        if self.goes_on(slices) {
            let at = self.links.len();
            self.links.push(Link { level: self.levels.end, stretch: ValueInterval::ALL });
            for &(before, after) in below {
                let after = self.entry(after);
                match before {
                    Handle::FALSE => tail = Some(after),
                    Handle::TRUE => {}
                    before => self.foresee(before, at, after),
                }
            }
        }
        self.diagrams.string.set(&self.links, tail);
    }

    fn foresee(&mut self, before: Handle, at: usize, after: Handle) {
        let before = self.entry(before);
        self.diagrams.memo.insert(Diagrams::<F>::union_key(before, at), after.to_u32());
    }

    /// Whether the zone adds anything below this band.
    fn goes_on(&self, slices: &[Slice]) -> bool {
        slices.iter().skip(self.levels.len()).any(|slice| slice.adds())
    }

    /// Names what the values of a zone lead to, other than true: false, as often as it is met, and numbers of the band
    /// below, once each. Ends early if `name` says so; returns whether it did not.
    fn walk(
        &mut self,
        roots: &[Handle],
        slices: &[Slice],
        stretch: impl Fn(Slice) -> ValueInterval,
        name: &mut dyn FnMut(Handle) -> bool,
    ) -> bool {
        let Self { diagrams: Diagrams { nodes, seen, waiting, .. }, levels, .. } = self;
        seen.clear();
        waiting.clear();
        for &root in roots {
            if root == Handle::FALSE && !name(root) {
                return false;
            }
            if !root.is_terminal() && seen.insert(root.to_u32().into(), 0) {
                waiting.push(root);
            }
        }
        while let Some(node) = waiting.pop() {
            let level = nodes.level(node);
            if level == levels.end {
                let number = nodes.edges(node).next().map_or(0, |edge| edge.up_to as u32);
                if !name(Handle::from_u32(number)) {
                    return false;
                }
                continue;
            }
            let stretch = stretch(slices[usize::from(level - levels.start)]);
            for edge in nodes.edges_above(node, stretch.above) {
                if edge.child == Handle::FALSE && !name(edge.child) {
                    return false;
                }
                if !edge.child.is_terminal() && seen.insert(edge.child.to_u32().into(), 0) {
                    waiting.push(edge.child);
                }
                if edge.up_to >= stretch.up_to {
                    break;
                }
            }
        }
        true
    }

    /// The entry of a node of the band below; constants have none.
    pub(crate) fn entry(&mut self, below: Handle) -> Handle {
        if below.is_terminal() {
            return below;
        }
        let number = i32::try_from(below.to_u32()).ok().filter(|&number| number != END);
        let number = number.expect("more bytes of nodes than entries can tell apart");
        let edges = [Edge { up_to: number, child: Handle::FALSE }, Edge { up_to: END, child: Handle::TRUE }];
        self.diagrams.nodes.make(self.levels.end, &edges)
    }

    /// Frees all nodes but those that these lead to, and appends the nodes of the band below that they lead to.
    pub fn collect(&mut self, used: impl IntoIterator<Item = Handle>, below: &mut Vec<Handle>) {
        self.diagrams.collect(used);
        below.extend(self.entries());
    }

    /// Whether so much was made since the last collection that another is worth its time.
    #[must_use]
    pub const fn wants_collection(&self) -> bool {
        self.diagrams.wants_collection()
    }

    /// No address of a node is as large, if another band is to know it: entries hold a number less than the last cut.
    pub const ADDRESSES_MAX: u32 = END as u32;

    /// How many addresses are taken, by nodes and by holes before the last of them.
    #[must_use]
    pub const fn addresses(&self) -> u32 {
        self.diagrams.nodes.addresses()
    }

    /// The number of nodes that are there, and that of entries among them.
    #[must_use]
    pub fn nodes(&self) -> (usize, usize) {
        let nodes = &self.diagrams.nodes;
        (nodes.len(), nodes.of_level(self.levels.end).count())
    }

    /// The bytes of nodes alone.
    #[must_use]
    pub const fn node_bytes(&self) -> u64 {
        self.diagrams.nodes.used_bytes()
    }

    /// The bytes that nodes and the table take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.diagrams.bytes()
    }
}
