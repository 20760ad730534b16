//! The passed/waiting list by its definition: a vector of states, searched from end to end.
//!
//! Nodes are told apart by when they were offered. The zones' own comparisons are tested elsewhere, against
//! oracles that share no code with them, and are taken for granted here; everything around them is written anew.

use tourbillon_base::Random;
use tourbillon_dbm::{ClockBounds, Dbm};
use tourbillon_store::{Counts, Cover, Order, Settings};

/// A stored state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) offer: usize,
    pub(crate) discrete: Vec<i32>,
    pub(crate) zone: Dbm,
    bounds: ClockBounds,
    cost: u64,
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
    offers: usize,
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
            offers: 0,
            counts: Counts::default(),
        }
    }

    fn covers(&self, stored: &State, new: &State) -> bool {
        stored.discrete == new.discrete
            && match self.cover {
                Cover::Equality => stored.zone == new.zone,
                Cover::Inclusion => stored.zone.includes(&new.zone),
                Cover::Alu => new.zone.is_simulated_lu(&stored.zone, &new.bounds),
            }
    }

    /// Whether the offer is stored.
    pub(crate) fn offer(&mut self, discrete: &[i32], zone: &Dbm, bounds: &ClockBounds, cost: u64) -> bool {
        let (discrete, zone, bounds) = (discrete.to_vec(), zone.clone(), bounds.clone());
        let new = State { offer: self.offers, discrete, zone, bounds, cost, waiting: true };
        self.offers += 1;
        if self.waiting_inclusion && self.settle(&new, |_| true) {
            return false;
        }
        self.bag.push(new.offer);
        self.states.push(new);
        self.counts.stored_max = self.counts.stored_max.max(self.states.len());
        true
    }

    /// Whether one of the states that count covers the new one; if none does, those that it covers are deleted.
    fn settle(&mut self, new: &State, counts: impl Fn(&State) -> bool) -> bool {
        if self.states.iter().any(|stored| counts(stored) && self.covers(stored, new)) {
            self.counts.refused += 1;
            return true;
        }
        let is_covered = |stored: &State| counts(stored) && self.covers(new, stored);
        let (covered, kept): (Vec<State>, Vec<State>) = self.states.clone().into_iter().partition(is_covered);
        self.counts.deleted += covered.len();
        self.counts.mistakes += covered.iter().filter(|state| !state.waiting).count();
        self.states = kept;
        false
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
            if !self.settle(&state, |stored| !stored.waiting) {
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
