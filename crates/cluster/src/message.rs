//! The messages between ranks, as bytes.
//!
//! | kind | from | to | content |
//! |---|---|---|---|
//! | states | any | any | states that the receiver owns (`encoding.rs`) |
//! | wave | coordinator | all | request for counts |
//! | counts | any | coordinator | batches sent and received by an idle rank |
//! | event | any | coordinator | an event that ends the search |
//! | stop | coordinator | all | the search is over |
//! | summary | any | coordinator | the statistics of a rank |
//! | path request | coordinator | any | request for the path to a node |
//! | path reply | any | coordinator | transitions, and the node of another rank where they start |
//! | leave | coordinator | all | leave, once this number of batches was received |
//! | rank failed | any | coordinator | the rank has failed, and only counts messages |
//! | abandon | coordinator | all | leave at once |
//! | spread | any | any | messages about a distributed diagram (`spread/`) |
//!
//! Numbers are little-endian, of fixed width: all messages but states are few. The same program wrote every message, so one that
//! is too short is an error of the program, not of the user.

use std::time::Duration;

use tourbillon_check::{Moved, RankStats, Traffic};
use tourbillon_search::{Exhausted, Stats};
use tourbillon_store::Memory;

use crate::endpoint::Mailbox;
use crate::termination::Counts;

/// The kind of a message and the number of its search.
pub(crate) const HEADER_BYTES: usize = 5;

/// The kind of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    States,
    Wave,
    Counts,
    Event,
    Stop,
    Summary,
    PathRequest,
    PathReply,
    Leave,
    RankFailed,
    Abandon,
    Spread,
}

impl Kind {
    const ALL: [Self; 12] = [
        Self::States,
        Self::Wave,
        Self::Counts,
        Self::Event,
        Self::Stop,
        Self::Summary,
        Self::PathRequest,
        Self::PathReply,
        Self::Leave,
        Self::RankFailed,
        Self::Abandon,
        Self::Spread,
    ];

    /// Whether it may give work to the receiver, so that termination detection counts it.
    pub(crate) const fn is_work(self) -> bool {
        matches!(self, Self::States | Self::Spread)
    }

    pub(crate) fn of(message: &[u8]) -> Self {
        Self::ALL[usize::from(message[0])]
    }
}

/// The header of a message.
pub(crate) fn header(kind: Kind, search: u32) -> [u8; HEADER_BYTES] {
    let [a, b, c, d] = search.to_le_bytes();
    [kind as u8, a, b, c, d]
}

/// The number of the search of a message.
pub(crate) fn search_of(message: &[u8]) -> u32 {
    Reader::new(&message[1..]).u32()
}

/// An event that ends a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// A node satisfies the goal.
    Found {
        node: u32,
    },
    Exhausted(Exhausted),
    /// The model failed in this state, or in the initial state.
    Failed {
        at: Option<(u32, Vec<u8>)>,
    },
    /// A bound of a zone exceeded the largest representable constant.
    Overflowed,
}

/// A message other than states and spread.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Message {
    Wave { number: u32 },
    Counts { number: u32, counts: Counts },
    Event(Event),
    Stop,
    Summary(Box<RankStats>),
    PathRequest { node: u32 },
    PathReply { steps: Vec<u32>, next: Option<(usize, u32)> },
    Leave { batches: u64 },
    RankFailed { said: String, batches_to: Vec<u64> },
    Abandon,
}

impl Message {
    pub(crate) fn send(&self, mailbox: &mut dyn Mailbox, to: usize) {
        let mut bytes = mailbox.begin(self.kind());
        self.write(&mut bytes);
        mailbox.send(to, bytes);
    }

    /// Sends it to all ranks, including this one.
    pub(crate) fn send_to_all(&self, mailbox: &mut dyn Mailbox) {
        (0..mailbox.ranks()).for_each(|to| self.send(mailbox, to));
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Wave { .. } => Kind::Wave,
            Self::Counts { .. } => Kind::Counts,
            Self::Event(_) => Kind::Event,
            Self::Stop => Kind::Stop,
            Self::Summary(_) => Kind::Summary,
            Self::PathRequest { .. } => Kind::PathRequest,
            Self::PathReply { .. } => Kind::PathReply,
            Self::Leave { .. } => Kind::Leave,
            Self::RankFailed { .. } => Kind::RankFailed,
            Self::Abandon => Kind::Abandon,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Stop | Self::Abandon => {}
            Self::Wave { number } | Self::PathRequest { node: number } => put_u32(out, *number),
            Self::Counts { number, counts } => {
                put_u32(out, *number);
                put_u64(out, counts.sent);
                put_u64(out, counts.received);
            }
            Self::Event(event) => write_event(event, out),
            Self::Summary(stats) => write_summary(stats, out),
            Self::PathReply { steps, next } => {
                put_u32(out, next.map_or(u32::MAX, |(rank, _)| rank as u32));
                put_u32(out, next.map_or(0, |(_, node)| node));
                steps.iter().for_each(|&step| put_u32(out, step));
            }
            Self::Leave { batches } => put_u64(out, *batches),
            Self::RankFailed { said, batches_to } => {
                put_numbers(out, batches_to);
                out.extend_from_slice(said.as_bytes());
            }
        }
    }

    /// Decodes a message other than states and spread.
    ///
    /// # Panics
    /// If it has another kind, or is incomplete.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut from = Reader::new(&bytes[HEADER_BYTES..]);
        match Kind::of(bytes) {
            Kind::States | Kind::Spread => unreachable!("batches are decoded by their receivers"),
            Kind::Wave => Self::Wave { number: from.u32() },
            Kind::Counts => {
                let number = from.u32();
                Self::Counts { number, counts: Counts { sent: from.u64(), received: from.u64() } }
            }
            Kind::Event => Self::Event(read_event(&mut from)),
            Kind::Stop => Self::Stop,
            Kind::Summary => Self::Summary(Box::new(read_summary(&mut from))),
            Kind::PathRequest => Self::PathRequest { node: from.u32() },
            Kind::PathReply => {
                let (rank, node) = (from.u32(), from.u32());
                let steps = std::iter::from_fn(|| (!from.is_empty()).then(|| from.u32())).collect();
                Self::PathReply { steps, next: (rank != u32::MAX).then_some((rank as usize, node)) }
            }
            Kind::Leave => Self::Leave { batches: from.u64() },
            Kind::RankFailed => {
                let batches_to = from.numbers();
                Self::RankFailed { said: String::from_utf8_lossy(from.rest()).into_owned(), batches_to }
            }
            Kind::Abandon => Self::Abandon,
        }
    }
}

const EXHAUSTED: [Exhausted; 6] = [
    Exhausted::States,
    Exhausted::Memory,
    Exhausted::Diagrams,
    Exhausted::Time,
    Exhausted::Interrupted,
    Exhausted::Refused,
];

fn write_event(event: &Event, out: &mut Vec<u8>) {
    match event {
        Event::Found { node } => {
            out.push(0);
            put_u32(out, *node);
        }
        Event::Exhausted(what) => {
            out.push(1);
            out.push(EXHAUSTED.iter().position(|it| it == what).unwrap_or(0) as u8);
        }
        Event::Failed { at } => {
            out.push(2);
            put_u32(out, u32::from(at.is_some()));
            if let Some((node, state)) = at {
                put_u32(out, *node);
                out.extend_from_slice(state);
            }
        }
        Event::Overflowed => out.push(3),
    }
}

fn read_event(from: &mut Reader<'_>) -> Event {
    match from.u8() {
        0 => Event::Found { node: from.u32() },
        1 => Event::Exhausted(EXHAUSTED[usize::from(from.u8())]),
        2 => {
            let somewhere = from.u32() == 1;
            Event::Failed { at: somewhere.then(|| (from.u32(), from.rest().to_vec())) }
        }
        _ => Event::Overflowed,
    }
}

fn write_summary(report: &RankStats, out: &mut Vec<u8>) {
    let RankStats { rank, stats, traffic, states_sent, states_dropped, moved, busy, elapsed, cpu } = report;
    put_numbers(out, &traffic.batches_to);
    let nanoseconds = |time: &Duration| time.as_nanos() as u64;
    let numbers = [
        *rank as u64,
        traffic.received,
        traffic.messages,
        traffic.bytes,
        *states_sent,
        *states_dropped,
        nanoseconds(busy),
        nanoseconds(elapsed),
        cpu.as_ref().map_or(u64::MAX, nanoseconds),
    ];
    numbers
        .into_iter()
        .chain(words_of_moved(moved))
        .chain(words_of(stats))
        .for_each(|number| put_u64(out, number));
}

fn read_summary(from: &mut Reader<'_>) -> RankStats {
    let batches_to = from.numbers();
    let rank = from.u64() as usize;
    let traffic = Traffic { batches_to, received: from.u64(), messages: from.u64(), bytes: from.u64() };
    let (states_sent, states_dropped) = (from.u64(), from.u64());
    let [busy, elapsed] = [from.u64(), from.u64()].map(Duration::from_nanos);
    let cpu = Some(from.u64()).filter(|&time| time != u64::MAX).map(Duration::from_nanos);
    let moved = moved_of(&std::array::from_fn(|_| from.u64()));
    let stats = stats_of(&std::array::from_fn(|_| from.u64()));
    RankStats { rank, stats, traffic, states_sent, states_dropped, moved, busy, elapsed, cpu }
}

fn words_of_moved(moved: &Moved) -> [u64; 6] {
    let Moved { rounds, layers, nodes, bytes, bytes_before, bytes_after } = *moved;
    [rounds, layers, nodes, bytes, bytes_before, bytes_after]
}

const fn moved_of(words: &[u64; 6]) -> Moved {
    let [rounds, layers, nodes, bytes, bytes_before, bytes_after] = *words;
    Moved { rounds, layers, nodes, bytes, bytes_before, bytes_after }
}

/// The statistics of a search, without omission probability and transient states: no rank has a probabilistic passed list, and
/// each stores all states.
fn words_of(stats: &Stats) -> [u64; 17] {
    let Memory { discrete, zones, table, nodes, waiting, parents } = stats.memory;
    let [discrete, zones, table, nodes, waiting_bytes, parents] =
        [discrete, zones, table, nodes, waiting, parents].map(|bytes| bytes as u64);
    [
        stats.visited,
        stats.stored,
        stats.stored_max,
        stats.transitions,
        stats.covered,
        stats.mistakes,
        stats.rank_visits,
        stats.waiting,
        stats.discrete_states,
        stats.distinct_zones,
        u64::from(stats.is_packed),
        discrete,
        zones,
        table,
        nodes,
        waiting_bytes,
        parents,
    ]
}

fn stats_of(words: &[u64; 17]) -> Stats {
    let [discrete, zones, table, nodes, waiting, parents] = std::array::from_fn(|at| words[11 + at] as usize);
    Stats {
        visited: words[0],
        stored: words[1],
        stored_max: words[2],
        transitions: words[3],
        covered: words[4],
        transient: 0,
        mistakes: words[5],
        rank_visits: words[6],
        waiting: words[7],
        discrete_states: words[8],
        distinct_zones: words[9],
        is_packed: words[10] == 1,
        memory: Memory { discrete, zones, table, nodes, waiting, parents },
        certainty: None,
        sets: None,
    }
}

pub(crate) fn put_u32(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}

pub(crate) fn put_u64(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_numbers(out: &mut Vec<u8>, numbers: &[u64]) {
    put_u32(out, numbers.len() as u32);
    numbers.iter().for_each(|&number| put_u64(out, number));
}

/// Reads bytes from the front.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        taken
    }

    fn fixed<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.bytes.split_first_chunk().expect("a message is whole");
        self.bytes = rest;
        *taken
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> u8 {
        self.fixed::<1>()[0]
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.fixed())
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.fixed())
    }

    fn numbers(&mut self) -> Vec<u64> {
        (0..self.u32()).map(|_| self.u64()).collect()
    }

    fn rest(&mut self) -> &'a [u8] {
        self.take(self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(message: &Message) -> Message {
        let mut bytes = header(message.kind(), 7).to_vec();
        message.write(&mut bytes);
        assert_eq!((Kind::of(&bytes), search_of(&bytes)), (message.kind(), 7));
        Message::read(&bytes)
    }

    #[test]
    fn messages_come_back_as_they_were() {
        let mut next = 0;
        let words = std::array::from_fn(|_| {
            next += 1;
            if next == 11 { 1 } else { next }
        });
        let summary = RankStats {
            rank: 3,
            stats: stats_of(&words),
            traffic: Traffic { batches_to: vec![4, 0, 9], received: 5, messages: 6, bytes: 7 },
            states_sent: 8,
            states_dropped: 9,
            moved: moved_of(&[1, 2, 3, 4, 5, 6]),
            busy: Duration::from_micros(10),
            elapsed: Duration::from_micros(11),
            cpu: None,
        };
        assert_eq!(words_of(&summary.stats), words);
        let timed = RankStats { cpu: Some(Duration::from_secs(2)), ..summary.clone() };
        let messages = [
            Message::Wave { number: 4 },
            Message::Counts { number: 4, counts: Counts { sent: 1 << 40, received: 2 } },
            Message::Event(Event::Found { node: 5 }),
            Message::Event(Event::Exhausted(Exhausted::Time)),
            Message::Event(Event::Failed { at: None }),
            Message::Event(Event::Failed { at: Some((6, vec![1, 2, 3])) }),
            Message::Event(Event::Overflowed),
            Message::Stop,
            Message::Summary(Box::new(summary)),
            Message::Summary(Box::new(timed)),
            Message::PathRequest { node: 8 },
            Message::PathReply { steps: vec![3, 1, 4], next: Some((2, 9)) },
            Message::PathReply { steps: Vec::new(), next: None },
            Message::Leave { batches: 1 << 33 },
            Message::RankFailed { said: "a wheel is loose".to_owned(), batches_to: vec![1, 2] },
            Message::Abandon,
        ];
        for message in messages {
            assert_eq!(there_and_back(&message), message);
        }
    }
}
