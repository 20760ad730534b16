//! A list that is rewritten in a smaller form when memory runs short.
//!
//! The fast forms are not the smallest. With a memory limit, a search can begin with a fast form and continue with the
//! smallest one near the limit. Nodes keep their ids, so that the waiting order, the parents and the search are not
//! affected: only states and zones are read from the old list, one by one, and written to the new one. During this,
//! both are in memory. So it starts when half of the limit is used, and is abandoned if both together reach the limit,
//! or one and a half times the old list if that exceeds the limit at once; the old list then stays.
//!
//! A list in shards is rewritten between two rounds (`shards/mod.rs`). It takes the plan for that from here.

use tourbillon_dbm::Dbm;

use crate::interface::{
    Counts, Divided, Interrupted, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef,
};
use crate::passed::Certainty;
use crate::probe::Probe;
use crate::settings::{Settings, build};

/// The maximum number of stored nodes between two memory checks; the first checks come sooner.
const INTERVAL: u32 = 256;

/// A list that can be rewritten once.
#[derive(Debug)]
struct Repacking {
    list: Box<dyn PassedWaiting>,
    packing: Packing,
    /// The form that it is rewritten in.
    smallest: Settings,
    countdown: u32,
    /// The number of stored nodes at the last memory check, and the memory then.
    interval: u32,
    bytes: usize,
}

/// Whether a list was rewritten, or will be.
#[derive(Clone, Default, Debug)]
pub struct Packing {
    /// The form and the threshold, until the rewrite has been tried.
    pub(crate) next: Option<NextForm>,
    pub(crate) is_packed: bool,
}

/// The form that a list is rewritten in.
#[derive(Clone, Debug)]
pub(crate) struct NextForm {
    pub(crate) settings: Settings,
    /// The threshold in bytes.
    at: usize,
    /// The maximum memory during the rewrite.
    most: usize,
}

impl NextForm {
    /// Whether a list with so many bytes is rewritten.
    pub(crate) const fn is_due(&self, bytes: usize) -> bool {
        bytes >= self.at
    }

    /// The maximum memory during the rewrite of a list with so many bytes. A list that exceeds the limit at once is packed too: that
    /// is where it helps most.
    pub(crate) fn most_bytes(&self, bytes: usize) -> usize {
        self.most.max(bytes + bytes / 2)
    }
}

/// An empty list in the form of the first settings, which changes to that of the second ones when its memory approaches
/// a limit. The settings agree in everything except the storage forms.
///
/// # Panics
/// As [`build`].
#[must_use]
pub fn build_packing(first: &Settings, then: &Settings, limit_bytes: u64) -> Box<dyn PassedWaiting> {
    let most = usize::try_from(limit_bytes).unwrap_or(usize::MAX);
    let next = NextForm { settings: then.clone(), at: most / 2, most };
    Box::new(Repacking {
        list: build(first),
        packing: Packing { next: Some(next), is_packed: false },
        smallest: then.clone(),
        countdown: 0,
        interval: 1,
        bytes: 0,
    })
}

impl Repacking {
    fn look(&mut self) {
        let bytes = self.list.memory().total();
        let Some(next) = self.packing.next.take_if(|next| next.is_due(bytes)) else {
            return self.plan_next(bytes);
        };
        if let Some(packed) = self.list.repacked(&next.settings, next.most_bytes(bytes)) {
            self.list = packed;
            self.packing.is_packed = true;
        }
    }
}

impl Repacking {
    /// Plans the next memory check before half of the remaining memory can be used, at the current growth.
    fn plan_next(&mut self, bytes: usize) {
        let Some(next) = &self.packing.next else { return };
        let grown = bytes.saturating_sub(self.bytes) / self.interval as usize;
        let far = (next.at - bytes).checked_div(2 * grown).unwrap_or(usize::MAX);
        self.interval = far.clamp(1, INTERVAL.min(2 * self.interval) as usize) as u32;
        (self.bytes, self.countdown) = (bytes, self.interval);
    }
}

impl PassedList for Repacking {
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.list.covers(state, probe)
    }

    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId> {
        self.list.covering(state, probe)
    }

    fn is_stored(&self, node: NodeId) -> bool {
        self.list.is_stored(node)
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        self.list.load(node, discrete, zone);
    }

    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        self.list.origin(node)
    }

    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        self.list.stored_nodes()
    }

    fn counts(&self) -> Counts {
        Counts { is_packed: self.packing.is_packed, ..self.list.counts() }
    }

    fn memory(&self) -> Memory {
        self.list.memory()
    }

    fn certainty(&self) -> Option<Certainty> {
        self.list.certainty()
    }
}

impl PassedWaiting for Repacking {
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        let offer = self.list.offer(offered, probe);
        if offer != Offer::Covered && self.packing.next.is_some() {
            self.countdown = self.countdown.saturating_sub(1);
            if self.countdown == 0 {
                self.look();
            }
        }
        offer
    }

    fn popped_cost(&self) -> u64 {
        self.list.popped_cost()
    }

    fn pop(&mut self) -> Option<NodeId> {
        self.list.pop()
    }

    fn pop_unless(&mut self, is_over: &dyn Fn() -> bool) -> Result<Option<NodeId>, Interrupted> {
        self.list.pop_unless(is_over)
    }

    fn in_shards(&mut self, settings: &Settings, _: Packing) -> Option<Divided> {
        let packing = std::mem::take(&mut self.packing);
        let settings = if packing.is_packed { &self.smallest } else { settings };
        self.list.in_shards(settings, packing)
    }
}
