//! The ranks of a job: threads, state machines, or processes of which this is one.
//!
//! Their endpoints of the network exist as long as the job, and each query is one search of all ranks. The first rank always runs on
//! the calling thread, which reports progress.

use std::cell::RefCell;
use std::rc::Rc;

use tourbillon_base::{Cancellation, cancellation};
use tourbillon_search::Stats;

use crate::check::{RANKS_MAX, Ranks};
use crate::coordinator::ClusterResult;
use crate::endpoint::Endpoint;
use crate::outbox::Pace;
use crate::supervised_rank::SupervisedRank;
use crate::transport::Transport;
use crate::transport::simulated::{Network, Simulated};
use crate::transport::threads::Threads;
use crate::worker::{Common, Step};

/// The size and frequency of batches: see `outbox.rs`.
const PACE: Pace = Pace { bytes: 32 << 10, visits: 256 };

/// The ranks of a job.
pub(crate) trait RankSet {
    fn ranks(&self) -> usize;

    /// The size and frequency of batches.
    fn pace(&self) -> Pace {
        PACE
    }

    /// Whether levels of diagrams move at every collection, for tests.
    fn moves_always(&self) -> bool {
        false
    }

    /// Whether this process has the first rank.
    fn has_answers(&self) -> bool {
        true
    }

    /// Runs one search. Returns its result if this process has the first rank.
    fn search(&mut self, common: &Common<'_>, observe: &mut dyn FnMut(&Stats)) -> Option<ClusterResult>;
}

/// Creates the ranks.
#[cfg_attr(not(feature = "mpi"), expect(unreachable_code, reason = "without MPI there is no such rank"))]
pub(crate) fn of<'m>(ranks: Ranks<'m>) -> Box<dyn RankSet + 'm> {
    let count = match ranks {
        Ranks::Threads(ranks) | Ranks::Simulated { ranks, .. } => ranks,
        Ranks::Mpi(mpi) => mpi.ranks(),
    };
    assert!((1..=RANKS_MAX).contains(&count), "there are 1 to {RANKS_MAX} ranks, not {count}");
    match ranks {
        Ranks::Threads(_) => Box::new(ThreadRanks::over(Threads::connected(count))),
        Ranks::Simulated { seed, .. } => {
            let (network, ends) = Network::connected(count, seed);
            Box::new(SimulatedRanks::over(network, ends))
        }
        Ranks::Mpi(mpi) => Box::new(ProcessRanks { endpoint: Endpoint::new(mpi.end()) }),
    }
}

/// Ranks that are threads.
pub(crate) struct ThreadRanks<T> {
    endpoints: Vec<Endpoint<T>>,
}

impl<T: Transport + Send> ThreadRanks<T> {
    /// A thread for each endpoint of a network.
    pub(crate) fn over(ends: Vec<T>) -> Self {
        Self { endpoints: ends.into_iter().map(Endpoint::new).collect() }
    }
}

impl<T: Transport + Send> RankSet for ThreadRanks<T> {
    fn ranks(&self) -> usize {
        self.endpoints.len()
    }

    fn search(&mut self, common: &Common<'_>, observe: &mut dyn FnMut(&Stats)) -> Option<ClusterResult> {
        let (first, others) = self.endpoints.split_first_mut()?;
        let mut first = SupervisedRank::new(common, first);
        std::thread::scope(|scope| {
            for endpoint in others {
                let ends = cancellation::installed();
                scope.spawn(move || {
                    let _installed: Vec<_> = ends.into_iter().map(Cancellation::install).collect();
                    SupervisedRank::new(common, endpoint).run(&mut |_| {});
                });
            }
            first.run(observe);
        });
        first.conclude()
    }
}

/// Ranks that are state machines.
pub(crate) struct SimulatedRanks<T> {
    network: Rc<RefCell<Network>>,
    endpoints: Vec<Endpoint<T>>,
    pace: Pace,
    moves_always: bool,
}

impl<T: Transport> SimulatedRanks<T> {
    /// A rank for each endpoint of a network. Batches are small, so that many messages are in transit; their size is
    /// random, and so is whether levels of diagrams move at every collection.
    pub(crate) fn over(network: Rc<RefCell<Network>>, ends: Vec<T>) -> Self {
        let bytes = 1 << (4 + network.borrow_mut().draw(8));
        let pace = Pace { bytes, visits: 1 + network.borrow_mut().draw(20) as u32 };
        let moves_always = network.borrow_mut().draw(2) == 0;
        Self { network, endpoints: ends.into_iter().map(Endpoint::new).collect(), pace, moves_always }
    }
}

impl SimulatedRanks<Simulated> {
    /// Whether no message is in transit.
    #[cfg(test)]
    pub(crate) fn is_quiet(&self) -> bool {
        self.network.borrow().is_quiet()
    }
}

impl<T: Transport> RankSet for SimulatedRanks<T> {
    fn ranks(&self) -> usize {
        self.endpoints.len()
    }

    fn pace(&self) -> Pace {
        self.pace
    }

    fn moves_always(&self) -> bool {
        self.moves_always
    }

    fn search(&mut self, common: &Common<'_>, observe: &mut dyn FnMut(&Stats)) -> Option<ClusterResult> {
        let mut supervised_ranks: Vec<_> =
            self.endpoints.iter_mut().map(|endpoint| SupervisedRank::new(common, endpoint)).collect();
        let mut left = vec![false; supervised_ranks.len()];
        while left.contains(&false) {
            let rank = self.network.borrow_mut().tick(supervised_ranks.len());
            if !left[rank] {
                left[rank] = supervised_ranks[rank].step(observe) == Step::Left;
            }
        }
        supervised_ranks.swap_remove(0).conclude()
    }
}

/// A rank that is this process.
struct ProcessRanks<T> {
    endpoint: Endpoint<T>,
}

impl<T: Transport> RankSet for ProcessRanks<T> {
    fn ranks(&self) -> usize {
        self.endpoint.transport().ranks()
    }

    fn has_answers(&self) -> bool {
        self.endpoint.transport().rank() == 0
    }

    fn search(&mut self, common: &Common<'_>, observe: &mut dyn FnMut(&Stats)) -> Option<ClusterResult> {
        let mut member = SupervisedRank::new(common, &mut self.endpoint);
        member.run(observe);
        member.conclude()
    }
}
