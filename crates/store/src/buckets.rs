//! Nodes by discrete state: what the lists of this crate have in common.
//!
//! ```text
//!   state ──hash──▶ index ──▶ first node ──▶ node ──▶ last node, with the code of the state
//! ```
//!
//! One look-up finds the list of a state. The index has the first node of each; whether it is the list of this
//! state is told by the code at its end, which is mostly in the same record. Whoever changes a list works on the
//! [`Place`] that the look-up gave and puts a node in front at the end, which is when the index learns of it.
//!
//! A state that was stored once stays: lists get shorter only when a node is put in front of them.

use tourbillon_base::Id;

use crate::discrete::{Code, Discrete};
use crate::index::{Fill, Found, Index};
use crate::node::{Link, Nodes};
use crate::zones::ZoneKey;

/// Nodes and what finds them.
#[derive(Debug)]
pub(crate) struct Buckets<D> {
    pub(crate) discrete: D,
    pub(crate) nodes: Nodes,
    index: Index,
}

/// The list of a state, as a look-up found it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    hash: u64,
    end: Found,
    /// What the list begins with; nothing if the state is new.
    pub(crate) first: Option<Link>,
}

impl Place {
    /// The first node.
    #[inline]
    pub(crate) fn node(&self) -> Option<u32> {
        match self.first {
            Some(Link::Node(position)) => Some(position),
            _ => None,
        }
    }
}

impl<D: Discrete> Buckets<D> {
    pub(crate) fn new(discrete: D, fill: Fill) -> Self {
        let mut nodes = Nodes::new();
        nodes.fit_codes(discrete.widths());
        Self { discrete, nodes, index: Index::new(fill) }
    }

    /// How many states have a list.
    pub(crate) const fn len(&self) -> usize {
        self.index.len()
    }

    /// Looks a state up; the discrete store holds it then.
    #[inline]
    pub(crate) fn find(&mut self, fields: &[i32]) -> Place {
        let hash = self.discrete.hold(fields);
        let Self { discrete, nodes, index, .. } = self;
        place(hash, index.find(hash, |node| discrete.is_held(nodes.code(node))))
    }

    /// Looks up the list of a state that a node has which is in no list.
    pub(crate) fn find_code(&self, code: Code) -> Place {
        let hash = self.discrete.hash(code);
        place(hash, self.index.find(hash, |node| self.nodes.code(node) == code))
    }

    /// What the list of the held state ends with, where it is empty.
    fn end(&mut self) -> Link {
        let code = self.discrete.save();
        self.nodes.fit_codes(self.discrete.widths());
        Link::End(code)
    }

    /// Puts a new node in front of the list that a look-up of the held state found. It is made at the free place, if
    /// there is one.
    #[inline]
    pub(crate) fn push_front(&mut self, place: &Place, zone: ZoneKey, mark: u8, free: Option<u32>) -> u32 {
        let link = match place.first {
            Some(link) => link,
            None => self.end(),
        };
        let position = self.make(zone, mark, true, link, free);
        self.lead(place, position);
        position
    }

    /// Makes a node of the held state that is in no list.
    pub(crate) fn push_alone(&mut self, zone: ZoneKey, mark: u8, free: Option<u32>) -> u32 {
        let end = self.end();
        self.make(zone, mark, false, end, free)
    }

    /// Puts a node that is in no list in front of the one of its state.
    pub(crate) fn join_front(&mut self, place: &Place, position: u32) {
        if let Some(link) = place.first {
            self.nodes.set_link(position, link);
        }
        self.nodes.set_first(position, true);
        self.lead(place, position);
    }

    fn make(&mut self, zone: ZoneKey, mark: u8, first: bool, link: Link, free: Option<u32>) -> u32 {
        match free {
            None => self.nodes.push(zone, mark, first, link),
            Some(position) => {
                self.nodes.replace(position, zone, mark, first, link);
                position
            }
        }
    }

    /// Lets the index find this node, which says that it is the first, instead of the one that was.
    #[inline]
    fn lead(&mut self, place: &Place, position: u32) {
        if let Some(Link::Node(second)) = place.first {
            self.nodes.set_first(second, false);
        }
        if self.index.has_room(position) {
            self.index.put(place.end, place.hash, position);
        } else {
            self.rebuild(place, position);
        }
    }

    #[cold]
    fn rebuild(&mut self, place: &Place, position: u32) {
        let is_new = matches!(place.end, Found::Vacant(_));
        let Self { discrete, nodes, index } = self;
        if is_new {
            // The index is told of the new one after it is rebuilt without it.
            nodes.set_first(position, false);
        }
        index.rebuild(nodes.len() as u32, |name| {
            let firsts = (0..nodes.len() as u32).filter(|&node| nodes.is_first(node));
            firsts.for_each(|node| name(discrete.hash(nodes.code(node)), node));
        });
        if is_new {
            nodes.set_first(position, true);
            let end = index.find(place.hash, |_| false);
            index.put(end, place.hash, position);
        }
    }

    /// Bytes of the discrete states, of what finds them, and of nodes besides.
    pub(crate) fn bytes(&self) -> [usize; 3] {
        let codes = self.len() * self.nodes.code_bits() as usize / 8;
        [
            self.discrete.bytes() + codes,
            self.discrete.index_bytes() + self.index.bytes(),
            self.nodes.bytes().saturating_sub(codes),
        ]
    }
}

fn place(hash: u64, end: Found) -> Place {
    let first = match end {
        Found::Number(_, node) => Some(Link::Node(node)),
        Found::Vacant(_) => None,
    };
    Place { hash, end, first }
}

/// The position of a node as its id has it.
pub(crate) fn position(node: impl Id) -> u32 {
    node.index() as u32
}
