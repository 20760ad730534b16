//! The passed/waiting list by its definition: a vector of states, searched from end to end.
//!
//! Nodes are told apart by when they were offered. The zones' own comparisons are tested elsewhere, against
//! oracles that share no code with them, and are taken for granted here; everything around them is written anew.

use std::cmp::Reverse;

use tourbillon_base::Random;
use tourbillon_dbm::{ClockBounds, Dbm};
use tourbillon_store::{Counts, Cover, CoverParameters, Offered, Order, Settings};

/// A stored state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) offer: usize,
    pub(crate) discrete: Vec<i32>,
    pub(crate) zone: Dbm,
    bounds: ClockBounds,
    cost: u64,
    /// In the order `ranked`; the highest for a zone that nothing covers.
    rank: u64,
    waiting: bool,
}

/// The list.
#[derive(Debug)]
pub(crate) struct Naive {
    cover: Cover,
    waiting_inclusion: bool,
    order: Order,
    random: Random,
    pub(crate) states: Vec<State>,
    /// What a random order draws from: offers, stale ones included.
    bag: Vec<usize>,
    /// By offer, the offer that it was a successor of.
    parents: Vec<Option<usize>>,
    /// With the adaptive cover, the tests of a_LU since the last one that covered its state, and the offers since the last test.
    misses: u32,
    untested: u32,
    counts: Counts,
}

impl Naive {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            cover: settings.cover,
            waiting_inclusion: settings.waiting_inclusion,
            order: settings.order,
            random: Random::from_seed(settings.seed),
            states: Vec::new(),
            bag: Vec::new(),
            parents: Vec::new(),
            misses: 0,
            untested: 0,
            counts: Counts::default(),
        }
    }

    /// Whether the adaptive cover tests a_LU for an offer that inclusion does not cover: for all of them at first, and for a quarter
    /// after every 64 tests that cover nothing, but for one in 1024 at least.
    fn tests_alu(&self) -> bool {
        self.cover == Cover::Adaptive && self.untested + 1 >= 4_u32.pow((self.misses / 64).min(5))
    }

    fn state(&self, offered: &Offered<'_>) -> State {
        let CoverParameters::ClockBounds(bounds) = offered.state.parameters else {
            panic!("every offer has bounds")
        };
        State {
            offer: self.parents.len(),
            discrete: offered.state.discrete.to_vec(),
            zone: offered.state.zone.clone(),
            bounds: bounds.clone(),
            cost: offered.cost,
            rank: 0,
            waiting: true,
        }
    }

    /// Whether a state that offers are compared with covers this one.
    pub(crate) fn is_covered(&self, offered: &Offered<'_>) -> bool {
        let new = self.state(offered);
        let mut compared = self.states.iter().filter(|state| self.waiting_inclusion || !state.waiting);
        let weakest = if self.cover == Cover::Adaptive { Cover::Alu } else { self.cover };
        compared.any(|stored| covers(weakest, stored, &new))
    }

    /// Whether the offer is stored.
    pub(crate) fn offer(&mut self, offered: &Offered<'_>, parent: Option<usize>) -> bool {
        let mut new = self.state(offered);
        self.parents.push(parent);
        if self.waiting_inclusion {
            let Some(mistakes) = self.settle(&new, |_| true) else { return false };
            if self.order == Order::Ranked {
                new.rank = self.rank(&new, &mistakes);
            }
        }
        self.bag.push(new.offer);
        self.states.push(new);
        self.counts.stored_max = self.counts.stored_max.max(self.states.len());
        true
    }

    /// More than that of any state waiting below those that it covers, which are deleted by now.
    fn rank(&mut self, new: &State, covered: &[usize]) -> u64 {
        let mut rank = if new.zone == Dbm::universal(new.zone.dimension()) { u64::MAX } else { 0 };
        for &top in covered {
            let below: Vec<&State> =
                self.states.iter().filter(|state| self.is_below(state.offer, top)).collect();
            self.counts.rank_visits += 1 + below.len();
            let waiting = below.iter().filter(|state| state.waiting);
            rank = rank.max(waiting.map(|state| state.rank.saturating_add(1)).max().unwrap_or(0));
        }
        rank
    }

    /// Whether an offer is a successor of another, or of one that is, and so on.
    fn is_below(&self, offer: usize, top: usize) -> bool {
        std::iter::successors(self.parents[offer], |&parent| self.parents[parent]).any(|parent| parent == top)
    }

    /// `None` if one of the states that count covers the new one. Otherwise those that it covers are deleted, and the visited ones
    /// among them are returned.
    fn settle(&mut self, new: &State, counts: impl Fn(&State) -> bool) -> Option<Vec<usize>> {
        let Some(cover) = self.uncovered_by(new, &counts) else {
            self.counts.refused += 1;
            return None;
        };
        let is_covered = |stored: &State| counts(stored) && covers(cover, new, stored);
        let (covered, kept): (Vec<State>, Vec<State>) = self.states.clone().into_iter().partition(is_covered);
        let visited = covered.iter().filter(|state| !state.waiting);
        let mistakes: Vec<usize> = visited.map(|state| state.offer).collect();
        self.counts.deleted += covered.len();
        self.counts.mistakes += mistakes.len();
        self.states = kept;
        Some(mistakes)
    }

    /// The last relation that is tested, if none of the states that count covers the new one.
    fn uncovered_by(&mut self, new: &State, counts: impl Fn(&State) -> bool) -> Option<Cover> {
        let compared: Vec<&State> =
            self.states.iter().filter(|stored| counts(stored) && stored.discrete == new.discrete).collect();
        let is_covered = |cover| compared.iter().any(|stored| covers(cover, stored, new));
        if is_covered(self.cover) {
            return None;
        }
        if compared.is_empty() || !self.tests_alu() {
            self.untested += u32::from(!compared.is_empty());
            return Some(self.cover);
        }
        let covered = is_covered(Cover::Alu);
        self.untested = 0;
        self.misses = if covered { 0 } else { self.misses + 1 };
        (!covered).then_some(Cover::Alu)
    }

    /// The offer that is popped.
    pub(crate) fn pop(&mut self) -> Option<usize> {
        loop {
            let offer = self.choose()?;
            let Some(position) = self.states.iter().position(|state| state.offer == offer) else {
                continue;
            };
            if self.waiting_inclusion {
                self.states[position].waiting = false;
                return Some(offer);
            }
            let mut state = self.states.remove(position);
            state.waiting = false;
            if self.settle(&state, |stored| !stored.waiting).is_some() {
                self.states.push(state);
                return Some(offer);
            }
        }
    }

    fn choose(&mut self) -> Option<usize> {
        let waiting = || self.states.iter().filter(|state| state.waiting);
        match self.order {
            Order::Bfs => waiting().map(|state| state.offer).min(),
            Order::Dfs => waiting().map(|state| state.offer).max(),
            Order::Cheapest => waiting().map(|state| (state.cost, state.offer)).min().map(|(_, offer)| offer),
            Order::Ranked => {
                let key = |state: &State| (Reverse(state.rank), state.cost, state.offer);
                waiting().map(key).min().map(|(.., offer)| offer)
            }
            Order::Random => {
                let position = self.random.below(self.bag.len());
                (!self.bag.is_empty()).then(|| self.bag.swap_remove(position))
            }
        }
    }

    /// What the list should count; how many zones are in memory is left open.
    pub(crate) fn counts(&self) -> Counts {
        let waiting = self.states.iter().filter(|state| state.waiting).count();
        let compared = self.states.iter().filter(|state| self.waiting_inclusion || !state.waiting);
        let mut discrete: Vec<&[i32]> = compared.map(|state| &*state.discrete).collect();
        discrete.sort_unstable();
        discrete.dedup();
        let (stored, discrete_states) = (self.states.len(), discrete.len());
        Counts { stored, waiting, discrete_states, ..self.counts }
    }
}

fn covers(cover: Cover, stored: &State, new: &State) -> bool {
    stored.discrete == new.discrete
        && match cover {
            Cover::Equality => stored.zone == new.zone,
            Cover::Inclusion | Cover::Adaptive => stored.zone.includes(&new.zone),
            Cover::Alu => new.zone.is_simulated_lu(&stored.zone, &new.bounds),
        }
}
