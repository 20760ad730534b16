//! A rank's band of a diagram, and the questions on their way through it.
//!
//! A question has the nodes of this band that a zone must be included in, the nodes that it has to be added to if it is
//! not, and what the zone says from the first level of this band on. Three things can become of it here:
//!
//! | the zone | becomes |
//! |---|---|
//! | is included in all of the nodes, and nothing below has to be asked | *known*: nothing is added anywhere |
//! | is not, and has nothing to add below | added here: what the nodes have become is the answer |
//! | else | a question to the band below, and waits here for its answer |
//!
//! Questions that are asked together are answered together. One that a band could answer at once waits for the others
//! of its message, so there is one message up for each down.

use std::collections::BTreeMap;
use std::ops::Range;

use tourbillon_dbm::Dimension;
use tourbillon_dd::{Band, Handle, Settings, Slice};

use super::collection::Collection;
use super::wire::{handles, number, put_handles, put_number, put_slices, slices};
use super::{Group, Topic};
use crate::endpoint::Post;
use crate::message::Reader;

/// The answer to a question: the zone is known.
pub(super) const KNOWN: u8 = 0;
/// The zone was added, and the nodes that it was added to follow.
pub(super) const ADDED: u8 = 1;

/// What is known of a zone on its way down: it may still be included.
pub(super) const UNDECIDED: u8 = 0;
/// It is not included: a band above found that out.
pub(super) const NEW: u8 = 1;

/// A rank's part of a diagram.
#[derive(Debug)]
pub(super) struct Share {
    group: Group,
    /// Nothing on a rank without levels.
    band: Option<Band>,
    /// How many levels there are from the band's first on, and how many of them are its own.
    rest: usize,
    own: usize,
    is_last: bool,
    /// Questions that wait for an answer from below.
    pending: BTreeMap<u32, Batch>,
    asked: u32,
    /// On the first rank of the group.
    collection: Collection,
    /// What is read of a message: the nodes that must include a zone, here and below, and the zone.
    nodes: Vec<Handle>,
    below: Vec<Handle>,
    slices: Vec<Slice>,
    pairs: Vec<(Handle, Handle)>,
}

/// Questions that came together, and what became of each.
#[derive(Debug, Default)]
struct Batch {
    from: usize,
    number: u32,
    /// The band below wants a collection.
    wants: bool,
    questions: Vec<Question>,
    /// Nodes that zones are added to; in the end, what they have become.
    nodes: Vec<Handle>,
    /// The nodes that these lead to in the band below.
    below: Vec<Handle>,
    /// The zones that wait.
    slices: Vec<Slice>,
}

#[derive(Clone, Debug)]
struct Question {
    nodes: Range<usize>,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Known,
    Added,
    /// Waits for what becomes of these nodes below; the zone is at this place among the slices.
    Waits {
        below: Range<usize>,
        slices: usize,
    },
}

impl Share {
    /// Of a rank of a group, with no nodes yet.
    pub(super) fn new(group: Group, of: (Dimension, Settings), levels: usize) -> Self {
        let (dimension, settings) = of;
        let bands = group.bands(levels);
        let number = group.rank - group.first;
        let own = bands.get(number).cloned().unwrap_or(levels..levels);
        let band = (number < bands.len()).then(|| {
            Band::new(dimension, settings, own.clone()).expect("the number of clocks was looked at")
        });
        Self {
            group,
            band,
            rest: levels - own.start,
            own: own.len(),
            is_last: number + 1 >= bands.len(),
            pending: BTreeMap::new(),
            asked: 0,
            collection: Collection::new(group.size),
            nodes: Vec::new(),
            below: Vec::new(),
            slices: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Whether a rank has the band below.
    pub(super) const fn is_below(&self, rank: usize) -> bool {
        !self.is_last && rank == self.group.rank + 1
    }

    pub(super) fn bytes(&self) -> usize {
        self.band.as_ref().map_or(0, Band::bytes)
    }

    /// The number of nodes that are no entries, and that of entries.
    #[cfg(test)]
    pub(super) fn nodes(&self) -> (usize, usize) {
        let (nodes, entries) = self.band.as_ref().map_or((0, 0), Band::nodes);
        (nodes - entries, entries)
    }

    /// Begins a collection, unless there is one.
    #[cfg(test)]
    pub(super) fn begin_collection(&mut self) -> bool {
        self.collection.begin()
    }

    /// Takes in questions.
    pub(super) fn descend(&mut self, from: usize, reader: &mut Reader<'_>, post: &mut dyn Post) {
        let mut batch = Batch { from, number: number(reader), ..Batch::default() };
        let mut down = Topic::Down.begin(post);
        put_number(&mut down, self.asked);
        let empty = down.len();
        while !reader.is_empty() {
            let question = self.look(reader, &mut batch, &mut down);
            batch.questions.push(question);
        }
        if down.len() == empty {
            self.answer(&batch, post);
        } else {
            post.send(self.group.rank + 1, down);
            self.pending.insert(self.asked, batch);
            self.asked = self.asked.wrapping_add(1);
        }
    }

    /// Reads a question and answers it, or appends what is to be asked below.
    fn look(&mut self, reader: &mut Reader<'_>, batch: &mut Batch, down: &mut Vec<u8>) -> Question {
        let Self { band, nodes, below, slices: zone, .. } = self;
        let band = band.as_mut().expect("who has no levels is asked nothing");
        nodes.clear();
        below.clear();
        zone.clear();
        let is_new = reader.u8() == NEW;
        if !is_new {
            handles(reader, nodes);
        }
        let base = batch.nodes.len();
        let added = base..base + handles(reader, &mut batch.nodes);
        slices(reader, self.rest, zone);
        let may_include = !is_new && band.ask(nodes, zone, below);
        if may_include && below.is_empty() {
            return Question { nodes: added, state: State::Known };
        }
        let base = batch.below.len();
        band.reach(&batch.nodes[added.clone()], zone, &mut batch.below);
        let reached = base..batch.below.len();
        if !may_include && reached.is_empty() {
            band.unite(&mut batch.nodes[added.clone()], zone, &[]);
            return Question { nodes: added, state: State::Added };
        }
        if may_include {
            down.push(UNDECIDED);
            put_handles(down, below);
        } else {
            down.push(NEW);
        }
        put_handles(down, &batch.below[reached.clone()]);
        put_slices(down, &zone[self.own..]);
        let state = State::Waits { below: reached, slices: batch.slices.len() };
        batch.slices.extend_from_slice(zone);
        Question { nodes: added, state }
    }

    /// Takes in answers from the band below.
    pub(super) fn ascend(&mut self, reader: &mut Reader<'_>, post: &mut dyn Post) {
        let number = number(reader);
        let mut batch = self.pending.remove(&number).expect("an answer has a question");
        batch.wants = reader.u8() != 0;
        let mut questions = std::mem::take(&mut batch.questions);
        for question in &mut questions {
            self.settle(question, reader, &mut batch);
        }
        batch.questions = questions;
        self.answer(&batch, post);
    }

    /// Makes of the answer from below what it is here.
    fn settle(&mut self, question: &mut Question, reader: &mut Reader<'_>, batch: &mut Batch) {
        let State::Waits { below, slices } = &question.state else { return };
        let Batch { nodes, below: reached, slices: zones, .. } = batch;
        if reader.u8() == KNOWN {
            question.state = State::Known;
            return;
        }
        self.nodes.clear();
        handles(reader, &mut self.nodes);
        self.pairs.clear();
        self.pairs.extend(reached[below.clone()].iter().copied().zip(self.nodes.iter().copied()));
        let band = self.band.as_mut().expect("who has no levels asks nothing");
        band.unite(&mut nodes[question.nodes.clone()], &zones[*slices..][..self.rest], &self.pairs);
        question.state = State::Added;
    }

    /// Answers questions, all of which are settled.
    fn answer(&mut self, batch: &Batch, post: &mut dyn Post) {
        let wants = batch.wants || self.band.as_ref().is_some_and(Band::wants_collection);
        let mut up = Topic::Up.begin(post);
        put_number(&mut up, batch.number);
        up.push(u8::from(wants));
        for question in &batch.questions {
            match question.state {
                State::Known => up.push(KNOWN),
                State::Added => {
                    up.push(ADDED);
                    put_handles(&mut up, &batch.nodes[question.nodes.clone()]);
                }
                State::Waits { .. } => unreachable!("the band below answers all questions"),
            }
        }
        post.send(batch.from, up);
        if wants && self.group.rank == self.group.first && self.collection.begin() {
            self.group.ranks().for_each(|rank| Topic::Gather.send(post, rank));
        }
    }

    /// Takes in handles that an owner has; with those of the last, the collection goes down.
    pub(super) fn gather(&mut self, reader: &mut Reader<'_>, post: &mut dyn Post) {
        if let Some(roots) = self.collection.gather(reader) {
            self.collect(roots, post);
        }
    }

    /// Keeps what is in use.
    pub(super) fn sweep(&mut self, reader: &mut Reader<'_>, post: &mut dyn Post) {
        let mut used = Vec::new();
        handles(reader, &mut used);
        self.collect(used, post);
    }

    fn collect(&mut self, used: Vec<Handle>, post: &mut dyn Post) {
        debug_assert!(self.pending.is_empty(), "nodes of questions on their way are not named by anybody");
        let mut below = Vec::new();
        let band = self.band.as_mut().expect("who has no levels has nothing to collect");
        band.collect(used, &mut below);
        if self.is_last {
            Topic::Swept.send(post, self.group.first);
        } else {
            let mut sweep = Topic::Sweep.begin(post);
            put_handles(&mut sweep, &below);
            post.send(self.group.rank + 1, sweep);
        }
    }

    /// All bands are swept: lets the group go on.
    pub(super) fn swept(&mut self, post: &mut dyn Post) {
        self.collection.end();
        self.group.ranks().for_each(|rank| Topic::Resume.send(post, rank));
    }
}
