//! Outgoing batches of states, one for each other rank.
//!
//! A message costs far more than a state, so states are collected until a batch is full, until the rank has expanded some
//! number of states, so that others do not wait for long, or until it has nothing else to do.
//!
//! **Duplicates.** The same state is often reached again soon, by the same transitions in another order. Its owner would refuse
//! it, so a state that was sent recently is dropped (section 10.4 of `[ThomsenKristensen2002]` reduces requests before they are
//! sent; here for equal zones). The last states are kept in a ring buffer and compared byte by byte, so that no other state is
//! dropped: a table maps a hash to the position of a state, and both overwrite the oldest entries.

use tourbillon_dbm::Dbm;

use crate::encoding::{StateEncoder, StateOrigin};
use crate::endpoint::Mailbox;
use crate::message::{HEADER_BYTES, Kind};

/// The size and frequency of batches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pace {
    /// The bytes at which a batch is sent.
    pub(crate) bytes: usize,
    /// The number of expanded states after which all batches are sent.
    pub(crate) visits: u32,
}

/// The bytes of sent states that are kept for one rank, and for all together.
const KEPT_BYTES: usize = 1 << 18;
const KEPT_BYTES_OF_ALL: usize = 1 << 22;
/// The initial number of these bytes: with many ranks, few states are sent to most of them.
const KEPT_BYTES_FIRST: usize = 1 << 10;
/// The bytes for each entry of the table: about the size of a state.
const BYTES_PER_ENTRY: usize = 32;

/// The batches for all ranks.
#[derive(Debug)]
pub(crate) struct Outboxes {
    batches: Vec<StateBatch>,
    pace: Pace,
    /// States expanded since all batches were sent.
    visits: u32,
    pub(crate) sent: u64,
    pub(crate) dropped: u64,
}

#[derive(Debug)]
struct StateBatch {
    message: Vec<u8>,
    recent: Recent,
}

/// States that were sent lately.
#[derive(Debug)]
struct Recent {
    /// By hash: the position of a state in all bytes written, plus one; 0 if there is none.
    entries: Box<[u64]>,
    /// A ring buffer of the last bytes. No state wraps around its end.
    bytes: Box<[u8]>,
    /// The number of bytes written in total.
    end: u64,
    /// The maximum number of bytes.
    size_max: usize,
}

impl Outboxes {
    pub(crate) fn new(ranks: usize, pace: Pace) -> Self {
        // With one rank nothing is sent.
        let kept = if ranks > 1 { KEPT_BYTES.min(KEPT_BYTES_OF_ALL / ranks) } else { 0 };
        let batch = |_| StateBatch { message: Vec::new(), recent: Recent::up_to(kept) };
        Self { batches: (0..ranks).map(batch).collect(), pace, visits: 0, sent: 0, dropped: 0 }
    }

    /// Adds the state that was packed last to the batch of its owner, unless it is there.
    #[inline]
    pub(crate) fn put(
        &mut self,
        mailbox: &mut dyn Mailbox,
        encoder: &mut StateEncoder,
        to: usize,
        head: &StateOrigin,
        (hash, zone): (u64, &Dbm),
    ) {
        let batch = &mut self.batches[to];
        if batch.message.is_empty() {
            batch.message.reserve(self.pace.bytes + self.pace.bytes / 4);
            batch.message.extend(mailbox.begin(Kind::States));
        }
        let start = batch.message.len();
        encoder.put_head(head, &mut batch.message);
        let body = batch.message.len();
        let hash = encoder.put_body(hash, zone, &mut batch.message);
        if batch.recent.was_sent(hash, &batch.message[body..]) {
            batch.message.truncate(start);
            self.dropped += 1;
            return;
        }
        self.sent += 1;
        if batch.message.len() >= self.pace.bytes {
            batch.send(mailbox, to);
        }
    }

    /// Counts an expanded state, and sends all batches at intervals.
    #[inline]
    pub(crate) fn visited(&mut self, mailbox: &mut dyn Mailbox) {
        self.visits += 1;
        if self.visits >= self.pace.visits {
            self.flush(mailbox);
        }
    }

    /// Sends all batches. Returns whether there were any.
    pub(crate) fn flush(&mut self, mailbox: &mut dyn Mailbox) -> bool {
        self.visits = 0;
        let mut any = false;
        for (to, batch) in self.batches.iter_mut().enumerate() {
            if batch.message.len() > HEADER_BYTES {
                batch.send(mailbox, to);
                any = true;
            }
        }
        any
    }
}

impl StateBatch {
    fn send(&mut self, mailbox: &mut dyn Mailbox, to: usize) {
        mailbox.send(to, std::mem::take(&mut self.message));
    }
}

impl Recent {
    /// No room yet; there will be for so many bytes, or somewhat less.
    fn up_to(bytes: usize) -> Self {
        let entries = if bytes >= BYTES_PER_ENTRY { 1 << (bytes / BYTES_PER_ENTRY).ilog2() } else { 0 };
        Self { entries: Box::default(), bytes: Box::default(), end: 0, size_max: entries * BYTES_PER_ENTRY }
    }

    /// Makes twice the room, and forgets what was kept.
    #[cold]
    fn grow(&mut self) {
        let size = (2 * self.bytes.len()).clamp(KEPT_BYTES_FIRST.min(self.size_max), self.size_max);
        self.entries = vec![0; size / BYTES_PER_ENTRY].into_boxed_slice();
        self.bytes = vec![0; size].into_boxed_slice();
        self.end = 0;
    }

    /// Whether a body with this hash was sent recently. If not, it is stored.
    #[inline]
    fn was_sent(&mut self, hash: u64, body: &[u8]) -> bool {
        if self.has(hash, body) {
            return true;
        }
        if self.end + body.len() as u64 > self.bytes.len() as u64 && self.bytes.len() < self.size_max {
            self.grow();
        }
        if body.len() <= self.bytes.len() {
            self.keep(hash, body);
        }
        false
    }

    /// Where the place of a body with this hash is; the table has a power of two of entries.
    #[inline]
    fn entry(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.entries.len() - 1)
    }

    #[inline]
    fn has(&self, hash: u64, body: &[u8]) -> bool {
        let size = self.bytes.len() as u64;
        if size == 0 {
            return false;
        }
        let start = self.entries[self.entry(hash)].checked_sub(1).filter(|start| start + size >= self.end);
        // Bodies tell their own length, so that none is the beginning of another.
        start.is_some_and(|start| self.bytes[(start % size) as usize..].starts_with(body))
    }

    #[inline]
    fn keep(&mut self, hash: u64, body: &[u8]) {
        let size = self.bytes.len() as u64;
        if self.end % size + body.len() as u64 > size {
            self.end += size - self.end % size;
        }
        let (entry, start) = (self.entry(hash), (self.end % size) as usize);
        self.bytes[start..start + body.len()].copy_from_slice(body);
        self.entries[entry] = self.end + 1;
        self.end += body.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    /// What is said to be known was sent before; what was sent just before is known.
    #[test]
    fn only_what_was_sent_is_known() {
        let mut recent = Recent::up_to(1 << 12);
        assert_eq!(recent.bytes.len(), 0, "nothing was sent");
        let mut random = Random::from_seed(5);
        let (mut sent, mut known) = (std::collections::BTreeSet::new(), 0);
        for _ in 0..20_000 {
            // Bodies tell their own length, as those of states do; many of them share a hash.
            let length = 1 + random.below(40);
            let mut body = vec![random.below(4) as u8; length];
            body[0] = length as u8;
            let hash = (random.below(3) as u64 + length as u64 * 7) << 32;
            if recent.was_sent(hash, &body) {
                known += 1;
                assert!(sent.contains(&body));
            }
            assert!(recent.was_sent(hash, &body), "it was sent just now");
            sent.insert(body);
        }
        assert_eq!(recent.bytes.len(), 1 << 12);
        assert!(known > 100, "only {known} were known");
        assert!(!Recent::up_to(0).was_sent(1, &[1]));
    }
}
