//! Nodes grouped by discrete state: the common part of the lists of this crate.
//!
//! ```text
//!   state ──hash──▶ index ──▶ first node ──▶ node ──▶ last node, with the code of the state
//! ```
//!
//! One look-up finds the list of a state. The index has the first node of each list. The code at the end of the list,
//! which is usually in the same record, shows whether it belongs to this state. Changes of a list work on the
//! [`Bucket`] that the look-up returned, and finally put a node in front, which updates the index.
//!
//! A stored state is never removed: lists become shorter only when a node is put in front of them.

use tourbillon_base::Id;

use crate::discrete::{DiscreteProbe, DiscreteStore, EncodedState, StateCode};
use crate::head_codes::HeadCodes;
use crate::index::{Fill, Found, Index};
use crate::node::{Link, Nodes};
use crate::zones::ZoneKey;

/// Nodes, and the index that finds them.
#[derive(Debug)]
pub(crate) struct Buckets {
    pub(crate) discrete: Box<dyn DiscreteStore>,
    pub(crate) nodes: Nodes,
    index: Index,
    heads: HeadCodes,
}

/// The list of a state, as found by a look-up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    /// The hash of the state, and the index slot where the search ended; `None` if a part of the state is not stored
    /// yet.
    slot: Option<(u64, Found)>,
    /// The code of the state and the length of the list, if the look-up has found one.
    list: Option<(StateCode, u32)>,
    /// The first link of the list; `None` if the state is new.
    pub(crate) first: Option<Link>,
}

impl Bucket {
    fn new(hash: u64, end: Found, list: Option<(StateCode, u32)>) -> Self {
        let first = match end {
            Found::Number(_, node) => Some(Link::Node(node)),
            Found::Vacant(_) => None,
        };
        Self { slot: Some((hash, end)), list, first }
    }

    #[inline]
    pub(crate) fn node(&self) -> Option<u32> {
        match self.first {
            Some(Link::Node(position)) => Some(position),
            _ => None,
        }
    }
}

impl Buckets {
    pub(crate) fn new(discrete: Box<dyn DiscreteStore>, fill: Fill) -> Self {
        let mut nodes = Nodes::new();
        nodes.fit_codes(discrete.widths());
        Self { discrete, nodes, index: Index::new(fill), heads: HeadCodes::default() }
    }

    /// The number of states.
    pub(crate) const fn len(&self) -> usize {
        self.index.len()
    }

    /// Encodes a state into the probe and looks it up.
    #[inline]
    pub(crate) fn find(&self, fields: &[i32], probe: &mut DiscreteProbe) -> Bucket {
        match self.discrete.encode(fields, probe) {
            Some(hash) => self.find_probe(hash, probe),
            None => Bucket { slot: None, list: None, first: None },
        }
    }

    /// Looks up a state that was encoded for a list of the same form.
    #[inline]
    pub(crate) fn find_encoded(&self, state: EncodedState, probe: &mut DiscreteProbe) -> Bucket {
        probe.set(state);
        self.find_probe(state.hash, probe)
    }

    /// See [`Index::first_slot`].
    #[inline]
    pub(crate) fn first_slot(&self, state: EncodedState) -> u32 {
        self.index.first_slot(state.hash)
    }

    #[inline]
    fn find_probe(&self, hash: u64, probe: &DiscreteProbe) -> Bucket {
        let Self { discrete, nodes, index, heads } = self;
        let mut list = None;
        let end = index.find(hash, |node| {
            let (code, len) = heads.get(node).unwrap_or_else(|| nodes.code_and_length(node));
            let is_equal = discrete.is_equal(code, probe);
            if is_equal {
                list = Some((code, len));
            }
            is_equal
        });
        Bucket::new(hash, end, list)
    }

    /// Looks up the list of the state of a node that is in no list.
    pub(crate) fn find_code(&self, code: StateCode) -> Bucket {
        let hash = self.discrete.hash(code);
        let mut len = 0;
        let end = self.index.find(hash, |node| {
            let list = self.nodes.code_and_length(node);
            len = list.1;
            list.0 == code
        });
        Bucket::new(hash, end, Some((code, len)))
    }

    /// Saves the encoded state.
    fn save(&mut self, probe: &mut DiscreteProbe) -> StateCode {
        let code = self.discrete.save(probe);
        self.nodes.fit_codes(self.discrete.widths());
        code
    }

    /// Puts a new node in front of the list that a look-up of the encoded state found, at the free position if one is
    /// given.
    #[inline]
    pub(crate) fn push_front(
        &mut self,
        bucket: &Bucket,
        probe: &mut DiscreteProbe,
        zone: ZoneKey,
        mark: u8,
        free: Option<u32>,
    ) -> u32 {
        let link = match bucket.first {
            Some(link) => link,
            None => Link::End(self.save(probe)),
        };
        let position = self.make(zone, mark, true, link, free);
        self.lead(bucket, position);
        position
    }

    /// Adds a node of the encoded state that is in no list.
    pub(crate) fn push_alone(
        &mut self,
        probe: &mut DiscreteProbe,
        zone: ZoneKey,
        mark: u8,
        free: Option<u32>,
    ) -> u32 {
        let code = self.save(probe);
        self.make(zone, mark, false, Link::End(code), free)
    }

    /// Puts a node that is in no list in front of the list of its state.
    pub(crate) fn join_front(&mut self, bucket: &Bucket, position: u32) {
        if let Some(link) = bucket.first {
            self.nodes.set_link(position, link);
        }
        self.nodes.set_first(position, true);
        self.lead(bucket, position);
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

    /// Makes the index refer to this node, the new first one of its list.
    #[inline]
    fn lead(&mut self, bucket: &Bucket, position: u32) {
        if let Some(Link::Node(second)) = bucket.first {
            self.nodes.set_first(second, false);
        }
        let list = bucket.list.filter(|_| bucket.first.is_some());
        self.heads.set(position, list, self.nodes.len());
        let (hash, end) = bucket.slot.unwrap_or_else(|| {
            let hash = self.discrete.hash(self.nodes.code(position));
            (hash, self.index.find(hash, |_| false))
        });
        if self.index.has_room(position) {
            self.index.put(end, hash, position);
        } else {
            self.rebuild(hash, end, position);
        }
    }

    #[cold]
    fn rebuild(&mut self, hash: u64, end: Found, position: u32) {
        let is_new = matches!(end, Found::Vacant(_));
        let Self { discrete, nodes, index, .. } = self;
        if is_new {
            // The index is rebuilt without the new node, which is added afterwards.
            nodes.set_first(position, false);
        }
        index.rebuild(nodes.len() as u32, |name| {
            let firsts = (0..nodes.len() as u32).filter(|&node| nodes.is_first(node));
            firsts.for_each(|node| name(discrete.hash(nodes.code(node)), node));
        });
        if is_new {
            nodes.set_first(position, true);
            let end = index.find(hash, |_| false);
            index.put(end, hash, position);
        }
    }

    /// The bytes of the discrete states, of the index, and of other node data.
    pub(crate) fn bytes(&self) -> [usize; 3] {
        let codes = self.len() * self.nodes.code_bits() as usize / 8;
        [
            self.discrete.bytes() + codes,
            self.discrete.index_bytes() + self.index.bytes(),
            self.nodes.bytes().saturating_sub(codes) + self.heads.bytes(),
        ]
    }
}

/// The position of a node.
pub(crate) fn position(node: impl Id) -> u32 {
    node.index() as u32
}
