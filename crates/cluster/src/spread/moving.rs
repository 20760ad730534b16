//! The movement of levels between the ranks of a group, while it has stopped for a collection.
//!
//! ```text
//!   first ── cuts ──▶ band k ── below ──▶ band k-1 ── below ──▶ ... ──▶ band 0 ── renamed ──▶ all owners
//!                       ▲                  │   ▲                          who go on
//!                       └────── lower ─────┘   │
//!                       └─────── placed ───────┘
//! ```
//!
//! All is swept, and the first rank has decided on new cuts (`balance.rs`). The lowest border that moves has a band `k` below
//! it, which begins. Each band is made again, from the bottom up (`tourbillon_dd`, `layers.rs`), and informs the one above
//! what has become of the nodes that it leads to, in the order in which these were named for the sweep, with the layers that
//! it gives up. A band that gives layers to the one below sends them first, and is told where they are. The first rank tells
//! each owner what has become of its handles, in the order in which the owner named them.
//!
//! One message is on its way at a time, and each has what its receiver must know, so no order between messages matters. No
//! owner asks anything meanwhile, so no query sees a band that is half built. A rank that fails or stops leaves the others
//! waiting for a message, as it does everywhere, and they leave when the first rank of all says so.

use std::ops::Range;

use tourbillon_check::Moved;
use tourbillon_dd::{BandChange, Handle, Layers, MovedTarget};

use super::Topic;
use super::server::BandServer;
use super::wire::{bands, handles, layers, leads, put_bands, put_handles, put_layers, put_leads};
use crate::endpoint::Mailbox;
use crate::message::Reader;

/// The band below, while levels of this band are in transit to it.
#[derive(Debug)]
pub(super) struct Lowering {
    bands: Vec<Range<usize>>,
    entries: Vec<MovedTarget>,
}

impl BandServer {
    /// The lowest border that moves is above this band: rebuilds it, with the levels that it gets.
    pub(super) fn begin_move(&mut self, reader: &mut Reader<'_>, mailbox: &mut dyn Mailbox) {
        let entries = self.band().entries().map(MovedTarget::To).collect();
        self.rebuild(Lowering { bands: bands(reader), entries }, &Layers::default(), &[], mailbox);
    }

    /// The band below is rebuilt. Levels of this band that move there are sent first.
    pub(super) fn rise(&mut self, reader: &mut Reader<'_>, mailbox: &mut dyn Mailbox) {
        let (bands, mut entries, mut raised) = (bands(reader), Vec::new(), Layers::default());
        leads(reader, &mut entries);
        layers(reader, &mut raised);
        let end = bands[self.number()].end;
        let below = Lowering { bands, entries };
        if end >= self.levels.end {
            self.rebuild(below, &raised, &[], mailbox);
            return;
        }
        let lowered = self.band().lower(end, &below.entries);
        let mut message = Topic::Lower.begin(mailbox);
        put_layers(&mut message, &lowered);
        self.count_moved(self.levels.end - end, &lowered, message.len());
        mailbox.send(self.group.rank + 1, message);
        self.lowering = Some(below);
    }

    /// Adds levels from the band above.
    pub(super) fn place(&mut self, from: usize, reader: &mut Reader<'_>, mailbox: &mut dyn Mailbox) {
        let mut lowered = Layers::default();
        layers(reader, &mut lowered);
        let mut message = Topic::Placed.begin(mailbox);
        put_handles(&mut message, &self.band().place(&lowered));
        mailbox.send(from, message);
    }

    /// The band below has added the levels that were sent to it.
    pub(super) fn placed(&mut self, reader: &mut Reader<'_>, mailbox: &mut dyn Mailbox) {
        let mut lowered = Vec::new();
        handles(reader, &mut lowered);
        let below = self.lowering.take().expect("layers are placed that were lowered");
        self.rebuild(below, &Layers::default(), &lowered, mailbox);
    }

    /// Rebuilds the band, and informs the one above or, from the first, all owners.
    fn rebuild(&mut self, below: Lowering, raised: &Layers, lowered: &[Handle], mailbox: &mut dyn Mailbox) {
        let Lowering { bands, entries } = below;
        let levels = bands[self.number()].clone();
        let used = std::mem::take(&mut self.used);
        let change = BandChange { levels: levels.clone(), entries: &entries, raised, lowered };
        let (became, given) = self.band().recut(&change, &used);
        let before = std::mem::replace(&mut self.levels, levels);
        if self.number() == 0 {
            self.rename(&became, mailbox);
            return;
        }
        let mut message = Topic::Below.begin(mailbox);
        put_bands(&mut message, &bands);
        put_leads(&mut message, &became);
        let start = message.len();
        put_layers(&mut message, &given);
        self.count_moved(self.levels.start.saturating_sub(before.start), &given, message.len() - start);
        mailbox.send(self.group.rank - 1, message);
    }

    /// On the first rank, at the end: sends each owner its new handles.
    fn rename(&mut self, became: &[MovedTarget], mailbox: &mut dyn Mailbox) {
        let now = |leads: &MovedTarget| match *leads {
            MovedTarget::To(node) => node,
            MovedTarget::Within(_) => unreachable!("there is nothing above the first band"),
        };
        for (owner, handles) in self.collection.end() {
            let mut message = Topic::Renamed.begin(mailbox);
            put_handles(&mut message, &became[handles].iter().map(now).collect::<Vec<_>>());
            mailbox.send(owner, message);
        }
    }

    fn count_moved(&mut self, layers: usize, nodes: &Layers, bytes: usize) {
        if layers > 0 {
            self.moved.layers += layers as u64;
            self.moved.nodes += nodes.len() as u64;
            self.moved.bytes += bytes as u64;
        }
    }

    /// Records a round of moved levels.
    pub(super) fn note_move(&mut self) {
        let (before, after) = (self.swept_bytes as u64, self.bytes() as u64);
        self.moved =
            Moved { rounds: self.moved.rounds + 1, bytes_before: before, bytes_after: after, ..self.moved };
    }
}
