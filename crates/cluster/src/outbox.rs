//! What waits to be sent: a batch of states for each other rank.
//!
//! A message costs far more than a state, so states are collected until a batch is full, until the rank has expanded some
//! number of states, so that others do not wait for long, or until it has nothing else to do.
//!
//! **What need not be sent.** The same state is often reached again within a moment, by the same steps in another order. A
//! state that is in the batch already is dropped before it is sent (section 10.4 of `[ThomsenKristensen2002]`, for equal zones). A
//! small table says where in the batch a state with some hash stands; a new one takes the place of an old one, and what is
//! found there is compared byte by byte, so that nothing is dropped by mistake.

use tourbillon_dbm::Dbm;

use crate::endpoint::Post;
use crate::message::{HEADER_BYTES, Kind};
use crate::parcel::{Head, Packer};

/// When batches are sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pace {
    /// How many bytes a batch has before it is sent.
    pub(crate) bytes: usize,
    /// After how many expanded states all batches are sent.
    pub(crate) visits: u32,
}

/// How many entries a table of recent states has: a power of two.
const RECENT: usize = 1 << 11;

/// The batches for all ranks.
#[derive(Debug)]
pub(crate) struct Outboxes {
    batches: Vec<Batch>,
    pace: Pace,
    /// States expanded since all batches were sent.
    visits: u32,
    pub(crate) sent: u64,
    pub(crate) dropped: u64,
}

#[derive(Debug)]
struct Batch {
    message: Vec<u8>,
    /// By hash: where a body stands, counted from the first byte that was ever put into this batch, plus one.
    recent: Box<[u64]>,
    /// Where the message begins, counted in the same way.
    base: u64,
}

impl Outboxes {
    pub(crate) fn new(ranks: usize, pace: Pace) -> Self {
        let batch = || Batch { message: Vec::new(), recent: vec![0; RECENT].into_boxed_slice(), base: 0 };
        Self { batches: (0..ranks).map(|_| batch()).collect(), pace, visits: 0, sent: 0, dropped: 0 }
    }

    /// Adds the state that was packed last to the batch of its owner, unless it is there.
    #[inline]
    pub(crate) fn put(
        &mut self,
        post: &mut dyn Post,
        packer: &mut Packer,
        to: usize,
        head: &Head,
        (hash, zone): (u64, &Dbm),
    ) {
        let batch = &mut self.batches[to];
        if batch.message.is_empty() {
            batch.message.reserve(self.pace.bytes + self.pace.bytes / 4);
            batch.message.extend(post.begin(Kind::States));
        }
        let start = batch.message.len();
        packer.put_head(head, &mut batch.message);
        let body = batch.message.len();
        let hash = packer.put_body(hash, zone, &mut batch.message);
        if batch.is_known(hash, body) {
            batch.message.truncate(start);
            self.dropped += 1;
            return;
        }
        self.sent += 1;
        if batch.message.len() >= self.pace.bytes {
            batch.send(post, to);
        }
    }

    /// Notes that a state was expanded. Sends what has waited for long.
    #[inline]
    pub(crate) fn visited(&mut self, post: &mut dyn Post) {
        self.visits += 1;
        if self.visits >= self.pace.visits {
            self.flush(post);
        }
    }

    /// Sends all batches. Returns whether there were any.
    pub(crate) fn flush(&mut self, post: &mut dyn Post) -> bool {
        self.visits = 0;
        let mut any = false;
        for (to, batch) in self.batches.iter_mut().enumerate() {
            if batch.message.len() > HEADER_BYTES {
                batch.send(post, to);
                any = true;
            }
        }
        any
    }
}

impl Batch {
    /// Whether the body that ends the message stands in it before. If not, it is noted.
    fn is_known(&mut self, hash: u64, body: usize) -> bool {
        let slot = &mut self.recent[(hash >> 32) as usize & (RECENT - 1)];
        let entry = self.base + body as u64 + 1;
        if let Some(known) = slot.checked_sub(self.base + 1) {
            let (before, last) = self.message.split_at(body);
            // Bodies tell their own length, so that none is the beginning of another.
            if before[known as usize..].starts_with(last) {
                return true;
            }
        }
        *slot = entry;
        false
    }

    fn send(&mut self, post: &mut dyn Post, to: usize) {
        self.base += self.message.len() as u64;
        post.send(to, std::mem::take(&mut self.message));
    }
}
