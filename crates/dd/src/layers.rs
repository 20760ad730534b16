//! Levels of a diagram that move from one band to another.
//!
//! Bands that were cut where it seemed right grow as they happen to. When one takes much more memory than the others, the
//! cuts between them move, and with them all nodes of the layers in between (`[ThomsenKristensen2002]`, section 10.5, which
//! leaves open how). The difficulty is that a node is known by its address. Here a border moves in one of two ways:
//!
//! ```text
//!   raised:   the lower band writes down its top layers; the upper one makes them, and entries for what they lead to
//!   lowered:  the upper band writes down its bottom layers; the lower one makes them and says where; the upper one
//!             makes entries for them
//! ```
//!
//! Either way the upper band is made again ([`Band::recut`]): its entries are nodes of the level below its last, which is
//! another level now. So its nodes get other addresses, and the band above it has to be told, and so on up to whoever has
//! handles. A band is made again once, whatever becomes of its two borders: from the bottom up, with all that it leads to
//! known. Bands below the lowest border that moves are not touched.
//!
//! > **Invariant.** Nodes before and after are one to one, entries apart: whatever is mapped is mapped to different nodes, so
//! > reduced diagrams stay reduced, and two unions have one handle after if, and only if, they had one before.
//!
//! Cost: a look at each node of the bands that are made again, by a binary search for each edge; for that time, two copies
//! of the band and 16 bytes for each node.

use std::cmp::Reverse;
use std::ops::Range;

use crate::band::Band;
use crate::forms::NodeForm;
use crate::node::{Edge, Handle};
use crate::nodes::Nodes;

/// Where an edge of a node that is moved leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovedTarget {
    /// To a constant, or to a node of the lower of the two bands, which stays there.
    To(Handle),
    /// To the node at this place of the same list.
    Within(u32),
}

/// Nodes of some layers, each after those that it leads to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Layers {
    /// The level of each node, and where its edges end.
    nodes: Vec<(u16, usize)>,
    /// The cut that ends each edge, and where it leads.
    edges: Vec<(i32, MovedTarget)>,
}

impl Layers {
    pub fn push(&mut self, level: u16, edges: impl IntoIterator<Item = (i32, MovedTarget)>) {
        self.edges.extend(edges);
        self.nodes.push((level, self.edges.len()));
    }

    /// How many nodes there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The level and the edges of each node.
    pub fn nodes(&self) -> impl Iterator<Item = (u16, &[(i32, MovedTarget)])> {
        let starts = std::iter::once(0).chain(self.nodes.iter().map(|&(_, end)| end));
        self.nodes.iter().zip(starts).map(|(&(level, end), start)| (level, &self.edges[start..end]))
    }
}

/// What changes for a band.
#[derive(Clone, Debug)]
pub struct BandChange<'a> {
    /// The levels that it has afterwards.
    pub levels: Range<usize>,
    /// What has become of each node that [`Band::entries`] names: where it is in the band below, or in `raised`.
    pub entries: &'a [MovedTarget],
    /// The layers that come from the band below.
    pub raised: &'a Layers,
    /// Where the nodes of [`Band::lower`] are in the band below.
    pub lowered: &'a [Handle],
}

/// What a layer takes, and what a border below it would.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LayerWeight {
    /// The bytes of its nodes, and their share of the table.
    pub bytes: u64,
    /// How many nodes below it are led to from it or from above: so many entries a border there has.
    pub crossing: u64,
}

/// What became of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NodeMove {
    /// It is a node here.
    Own(Handle),
    /// It is a node of the band below.
    Below(Handle),
    /// It is at this place of the layers that are given to the band above.
    Given(u32),
}

/// All nodes of a band by address, so that something can be said of each.
struct NodeAddresses {
    addresses: Vec<u32>,
}

impl NodeAddresses {
    fn of<F: NodeForm>(nodes: &Nodes<F>) -> Self {
        let mut addresses: Vec<u32> = nodes.all().map(Handle::to_u32).collect();
        addresses.sort_unstable();
        Self { addresses }
    }

    fn at(&self, node: Handle) -> usize {
        self.addresses.binary_search(&node.to_u32()).expect("only nodes that are there are led to")
    }

    /// The nodes above a level, those of the lowest level first.
    fn bottom_up<F: NodeForm>(&self, nodes: &Nodes<F>, above: u16) -> Vec<(u16, Handle)> {
        let handles = self.addresses.iter().map(|&address| Handle::from_u32(address));
        let mut order: Vec<(u16, Handle)> = handles.map(|node| (nodes.level(node), node)).collect();
        order.retain(|&(level, _)| level < above);
        order.sort_by_key(|&(level, _)| Reverse(level));
        order
    }
}

/// What became of each node.
struct NodeMoves {
    places: NodeAddresses,
    became: Vec<NodeMove>,
}

impl NodeMoves {
    /// What became of entries is known, in their order; nothing is of other nodes yet.
    fn of_entries<F: NodeForm>(old: &Nodes<F>, end: u16, entries: &[MovedTarget], raised: &[Handle]) -> Self {
        let places = NodeAddresses::of(old);
        let mut fates = Self { became: vec![NodeMove::Own(Handle::FALSE); places.addresses.len()], places };
        for (entry, &leads) in old.of_level(end).zip(entries) {
            let became = match leads {
                MovedTarget::To(node) => NodeMove::Below(node),
                MovedTarget::Within(place) => NodeMove::Own(raised[place as usize]),
            };
            fates.set(entry, became);
        }
        fates
    }

    fn of(&self, node: Handle) -> NodeMove {
        if node.is_terminal() { NodeMove::Own(node) } else { self.became[self.places.at(node)] }
    }

    fn set(&mut self, node: Handle, became: NodeMove) {
        let place = self.places.at(node);
        self.became[place] = became;
    }
}

impl<F: NodeForm> Band<F> {
    /// The nodes of the band below that this one leads to, in the order in which [`Self::collect`] names them.
    pub fn entries(&self) -> impl Iterator<Item = Handle> {
        let nodes = &self.diagrams.nodes;
        nodes.of_level(self.levels.end).map(|entry| {
            let number = nodes.edges(entry).next().map_or(0, |edge| edge.up_to as u32);
            Handle::from_u32(number)
        })
    }

    /// Writes down the layers from a level on, for the band below. `entries` has, for each node that [`Self::entries`]
    /// names, where it is there.
    ///
    /// # Panics
    /// If a node is missing among `entries`.
    #[must_use]
    pub fn lower(&self, end: usize, entries: &[MovedTarget]) -> Layers {
        let nodes = &self.diagrams.nodes;
        let places = NodeAddresses::of(nodes);
        let mut leads = vec![MovedTarget::To(Handle::FALSE); places.addresses.len()];
        for (entry, &now) in nodes.of_level(self.levels.end).zip(entries) {
            leads[places.at(entry)] = now;
        }
        let mut layers = Layers::default();
        let order = places.bottom_up(nodes, self.levels.end);
        for (level, node) in order.into_iter().take_while(|&(level, _)| usize::from(level) >= end) {
            let now = |child: Handle| {
                if child.is_terminal() { MovedTarget::To(child) } else { leads[places.at(child)] }
            };
            layers.push(level, nodes.edges(node).map(|edge| (edge.up_to, now(edge.child))));
            leads[places.at(node)] = MovedTarget::Within(layers.len() as u32 - 1);
        }
        layers
    }

    /// Makes the nodes of layers that come from the band above. They lead to nodes of this band. Returns where each is.
    pub fn place(&mut self, layers: &Layers) -> Vec<Handle> {
        let placed = self.make_all(layers, |_, node| node);
        self.diagrams.nodes.settle();
        placed
    }

    fn make_all(&mut self, layers: &Layers, mut to: impl FnMut(&mut Self, Handle) -> Handle) -> Vec<Handle> {
        let mut made: Vec<Handle> = Vec::with_capacity(layers.len());
        let mut edges = Vec::new();
        for (level, leads) in layers.nodes() {
            edges.clear();
            for &(up_to, leads) in leads {
                let child = match leads {
                    MovedTarget::To(node) => to(self, node),
                    MovedTarget::Within(place) => made[place as usize],
                };
                edges.push(Edge { up_to, child });
            }
            made.push(self.diagrams.nodes.make(level, &edges));
        }
        made
    }

    /// Makes the band again with other levels. All of its nodes must be in use. Returns what has become of the nodes
    /// that are used from above, in their order, and the layers that the band above has to take.
    ///
    /// # Panics
    /// If what is said of the band below does not belong to this band.
    pub fn recut(&mut self, change: &BandChange<'_>, used: &[Handle]) -> (Vec<MovedTarget>, Layers) {
        let old_end =
            std::mem::replace(&mut self.levels, change.levels.start as u16..change.levels.end as u16).end;
        let old = std::mem::replace(&mut self.diagrams.nodes, Nodes::new());
        let raised = self.make_all(change.raised, Self::entry);
        let mut fates = NodeMoves::of_entries(&old, old_end, change.entries, &raised);
        let (mut given, mut lowered) = (Layers::default(), change.lowered.iter());
        for (level, node) in fates.places.bottom_up(&old, old_end) {
            let became = if level >= self.levels.end {
                NodeMove::Below(*lowered.next().expect("each node that was lowered has its place"))
            } else if level < self.levels.start {
                given.push(level, old.edges(node).map(|edge| (edge.up_to, self.leads(fates.of(edge.child)))));
                NodeMove::Given(given.len() as u32 - 1)
            } else {
                NodeMove::Own(self.make_again(level, old.edges(node), &fates))
            };
            fates.set(node, became);
        }
        let used = used.iter().map(|&node| self.leads(fates.of(node))).collect();
        self.diagrams.nodes.settle();
        (used, given)
    }

    /// A node that stays here, with what has become of the nodes that it leads to.
    fn make_again(&mut self, level: u16, edges: F::Edges<'_>, fates: &NodeMoves) -> Handle {
        let mut now = std::mem::take(&mut self.diagrams.edges);
        now.extend(edges.map(|Edge { up_to, child }| Edge { up_to, child: self.own(fates.of(child)) }));
        let node = self.diagrams.nodes.make(level, &now);
        now.clear();
        self.diagrams.edges = now;
        node
    }

    /// How the band above is led to what became of a node.
    fn leads(&mut self, became: NodeMove) -> MovedTarget {
        match became {
            NodeMove::Given(place) => MovedTarget::Within(place),
            became => MovedTarget::To(self.own(became)),
        }
    }

    /// What became of a node as a node of this band.
    fn own(&mut self, became: NodeMove) -> Handle {
        match became {
            NodeMove::Own(node) => node,
            NodeMove::Below(number) => self.entry(number),
            NodeMove::Given(_) => unreachable!("nothing leads up"),
        }
    }

    /// What each layer takes, from the top; `used` are the nodes that are used from above. All nodes must be in use.
    #[must_use]
    pub fn weigh(&self, used: &[Handle]) -> Vec<LayerWeight> {
        let nodes = &self.diagrams.nodes;
        let statistics = nodes.statistics(usize::from(self.levels.end) + 1);
        let per_node = statistics.table_bytes.checked_div(nodes.len() as u64).unwrap_or(0);
        let crossing = self.crossing(used);
        let weight = |level: u16| {
            let own = statistics.by_level[usize::from(level)];
            let below = crossing[usize::from(level - self.levels.start) + 1];
            LayerWeight { bytes: own.bytes + own.nodes * per_node, crossing: below }
        };
        self.levels.clone().map(weight).collect()
    }

    /// How many nodes are led to across each border: above the first level, above the second, and so on, and below the
    /// last. A node is led to across all borders between it and the highest node that leads to it.
    fn crossing(&self, used: &[Handle]) -> Vec<u64> {
        let nodes = &self.diagrams.nodes;
        let places = NodeAddresses::of(nodes);
        let mut highest = vec![self.levels.end; places.addresses.len()];
        for &node in used.iter().filter(|node| !node.is_terminal()) {
            highest[places.at(node)] = self.levels.start;
        }
        for node in nodes.all().filter(|&node| nodes.level(node) < self.levels.end) {
            let below = nodes.level(node) + 1;
            for edge in nodes.edges(node).filter(|edge| !edge.child.is_terminal()) {
                let place = &mut highest[places.at(edge.child)];
                *place = below.min(*place);
            }
        }
        let mut crossing = vec![0i64; self.levels.len() + 2];
        for node in nodes.all() {
            crossing[usize::from(highest[places.at(node)] - self.levels.start)] += 1;
            crossing[usize::from(nodes.level(node) - self.levels.start) + 1] -= 1;
        }
        crossing
            .iter()
            .scan(0, |sum, change| {
                *sum += change;
                Some(*sum as u64)
            })
            .collect()
    }
}
