//! A network of ranks that are state machines in one thread, in which a seed decides everything that a real one leaves to
//! chance.
//!
//! A message first waits in a queue of its pair of ranks. The scheduler, at each tick, lets one rank take a step, and
//! delivers the oldest message of some queue, or none: so messages of one pair keep their order, those of different pairs
//! overtake each other, and each is delayed for as long as it happens to be. How eager the network is to deliver is drawn
//! too, since the mistakes that hide in slow networks are others than those that hide in fast ones. The same seed gives
//! the same run, step by step.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use tourbillon_base::Random;

use super::Transport;

/// How seldom messages are delivered, at the most: one in so many ticks.
const SLOWEST: usize = 12;

/// All messages under way.
#[derive(Debug)]
pub(crate) struct Network {
    ranks: usize,
    /// One for each pair, by sender and receiver.
    queues: Vec<VecDeque<Vec<u8>>>,
    /// What has been delivered to each rank.
    inboxes: Vec<VecDeque<(usize, Vec<u8>)>>,
    random: Random,
    /// A message is delivered in one of so many ticks.
    slowness: usize,
}

/// The end of one rank.
#[derive(Clone, Debug)]
pub(crate) struct Simulated {
    rank: usize,
    network: Rc<RefCell<Network>>,
}

impl Network {
    /// An idle network of ranks, and the end of each.
    pub(crate) fn connected(ranks: usize, seed: u64) -> (Rc<RefCell<Self>>, Vec<Simulated>) {
        let mut random = Random::from_seed(seed);
        let slowness = 1 + random.below(SLOWEST);
        let network = Rc::new(RefCell::new(Self {
            ranks,
            queues: vec![VecDeque::new(); ranks * ranks],
            inboxes: vec![VecDeque::new(); ranks],
            random,
            slowness,
        }));
        let ends = (0..ranks).map(|rank| Simulated { rank, network: Rc::clone(&network) }).collect();
        (network, ends)
    }

    /// Lets some time pass: perhaps a message arrives. Says which of so many ranks takes the next step.
    pub(crate) fn tick(&mut self, candidates: usize) -> usize {
        if self.random.one_in(self.slowness) {
            self.deliver();
        }
        self.random.below(candidates)
    }

    /// A number below a limit.
    pub(crate) fn draw(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    /// Whether no message is under way.
    #[cfg(test)]
    pub(crate) fn is_quiet(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty) && self.inboxes.iter().all(VecDeque::is_empty)
    }

    /// Delivers the oldest message of some pair, if there is any.
    fn deliver(&mut self) {
        let (pairs, first) = (self.queues.len(), self.random.below(self.queues.len()));
        let waiting = (0..pairs).map(|at| (first + at) % pairs).find(|&pair| !self.queues[pair].is_empty());
        let Some(pair) = waiting else { return };
        let (from, to) = (pair / self.ranks, pair % self.ranks);
        if let Some(message) = self.queues[pair].pop_front() {
            self.inboxes[to].push_back((from, message));
        }
    }
}

impl Transport for Simulated {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.network.borrow().ranks
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        let mut network = self.network.borrow_mut();
        let pair = self.rank * network.ranks + to;
        network.queues[pair].push_back(message);
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.network.borrow_mut().inboxes[self.rank].pop_front()
    }

    fn pause(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What arrives at rank 2 from the two others, who send numbers.
    fn arrivals(seed: u64) -> Vec<(usize, u8)> {
        let (network, mut ends) = Network::connected(3, seed);
        for number in 0..20 {
            ends[0].send(2, vec![number]);
            ends[1].send(2, vec![number]);
        }
        let mut arrived = Vec::new();
        while arrived.len() < 40 {
            network.borrow_mut().tick(3);
            arrived.extend(ends[2].receive().map(|(from, message)| (from, message[0])));
        }
        arrived
    }

    #[test]
    fn pairs_keep_their_order_and_overtake_each_other() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..50 {
            let arrived = arrivals(seed);
            for sender in 0..2 {
                let numbers: Vec<u8> =
                    arrived.iter().filter(|(from, _)| *from == sender).map(|(_, number)| *number).collect();
                assert_eq!(numbers, (0..20).collect::<Vec<_>>(), "seed {seed}");
            }
            assert_eq!(arrived, arrivals(seed), "seed {seed} is not repeatable");
            seen.insert(arrived);
        }
        assert!(seen.len() > 40, "only {} different orders", seen.len());
    }
}
