//! A list that is rewritten in a smaller form when memory runs short.
//!
//! The forms that are fast are not the smallest. Where there is a limit, a search can begin with a fast one and go on
//! with the smallest when the limit nears. Nodes keep their ids, so that the waiting order, the parents and the search
//! itself do not notice: only states and zones are read from the old list, one after the other, and written to the
//! new one. While that happens both are in memory. So it is done when half of the limit is taken, and given up if the two
//! together come to all of it, or to one and a half times the old one where that was larger at once; the old list then
//! stays.

use tourbillon_dbm::Dbm;

use crate::interface::{
    Counts, Interrupted, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef,
};
use crate::passed::Certainty;
use crate::probe::Probe;
use crate::settings::{Settings, build};

/// Every how many stored nodes memory is looked at, at most; the first looks come sooner.
const INTERVAL: u32 = 256;

/// A list, and what becomes of it.
#[derive(Debug)]
struct Repacking {
    list: Box<dyn PassedWaiting>,
    /// Until it has been tried: the form to be taken on, and when.
    next: Option<Next>,
    countdown: u32,
    /// After how many stored nodes it was looked at last, and what there was.
    interval: u32,
    bytes: usize,
    /// Whether it was.
    is_packed: bool,
}

#[derive(Debug)]
struct Next {
    settings: Settings,
    /// From how many bytes on.
    at: usize,
    /// How many bytes there may be on the way.
    most: usize,
}

/// An empty list that changes to the form of the second settings, from that of the first, when its memory nears a limit.
/// The settings are the same in all that is not form.
///
/// # Panics
/// As [`build`].
#[must_use]
pub fn build_packing(first: &Settings, then: &Settings, limit_bytes: u64) -> Box<dyn PassedWaiting> {
    let most = usize::try_from(limit_bytes).unwrap_or(usize::MAX);
    let next = Next { settings: then.clone(), at: most / 2, most };
    Box::new(Repacking {
        list: build(first),
        next: Some(next),
        countdown: 0,
        interval: 1,
        bytes: 0,
        is_packed: false,
    })
}

impl Repacking {
    fn look(&mut self) {
        let bytes = self.list.memory().total();
        let Some(next) = self.next.take_if(|next| bytes >= next.at) else { return self.plan_next(bytes) };
        // A list that grew beyond the limit at once is packed all the same: that is where it helps most.
        let most = next.most.max(bytes + bytes / 2);
        if let Some(packed) = self.list.repacked(&next.settings, most) {
            self.list = packed;
            self.is_packed = true;
        }
    }
}

impl Repacking {
    /// Looks again before half of what is left can be taken, if nodes go on growing as they did.
    fn plan_next(&mut self, bytes: usize) {
        let Some(next) = &self.next else { return };
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
        Counts { is_packed: self.is_packed, ..self.list.counts() }
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
        if offer != Offer::Covered && self.next.is_some() {
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
}
