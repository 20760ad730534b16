//! The ranks of a job: threads, state machines, or processes of which this is one.
//!
//! Their ends of the network live as long as the job, and each query is one search of all of them. The first rank
//! always runs on the thread that called, where whoever looks on can be told of progress.

use std::cell::RefCell;
use std::rc::Rc;

use tourbillon_base::{Cancellation, cancellation};
use tourbillon_search::Stats;

use crate::check::{RANKS_MAX, Ranks};
use crate::coordinator::Concluded;
use crate::endpoint::Endpoint;
use crate::member::Member;
use crate::outbox::Pace;
use crate::transport::Transport;
use crate::transport::simulated::{Network, Simulated};
use crate::transport::threads::Threads;
use crate::worker::{Common, Step};

/// When batches are sent: see `outbox.rs`.
const PACE: Pace = Pace { bytes: 32 << 10, visits: 256 };

/// The ranks of a job.
pub(crate) trait RankSet {
    /// How many there are.
    fn ranks(&self) -> usize;

    /// When they send batches.
    fn pace(&self) -> Pace {
        PACE
    }

    /// Whether layers of diagrams move all the time, for no reason.
    fn is_restless(&self) -> bool {
        false
    }

    /// Whether the first rank is here.
    fn has_answers(&self) -> bool {
        true
    }

    /// One search. How it ended, if the first rank is here.
    fn search(&mut self, common: &Common<'_>, observe: &mut dyn FnMut(&Stats)) -> Option<Concluded>;
}

/// The crew that was asked for.
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
    /// A thread for each end of a network.
    pub(crate) fn over(ends: Vec<T>) -> Self {
        Self { endpoints: ends.into_iter().map(Endpoint::new).collect() }
    }
}

impl<T: Transport + Send> RankSet for ThreadRanks<T> {
    fn ranks(&self) -> usize {
        self.endpoints.len()
    }

    fn search(&mut self, common: &Common<'_>, observe: &mut dyn FnMut(&Stats)) -> Option<Concluded> {
        let (first, others) = self.endpoints.split_first_mut()?;
        let mut first = Member::new(common, first);
        std::thread::scope(|scope| {
            for endpoint in others {
                let ends = cancellation::installed();
                scope.spawn(move || {
                    let _installed: Vec<_> = ends.into_iter().map(Cancellation::install).collect();
                    Member::new(common, endpoint).run(&mut |_| {});
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
    is_restless: bool,
}

impl<T: Transport> SimulatedRanks<T> {
    /// A rank for each end of a network. Batches are small, so that much is under way, and how small is drawn; so is
    /// whether layers of diagrams move all the time.
    pub(crate) fn over(network: Rc<RefCell<Network>>, ends: Vec<T>) -> Self {
        let bytes = 1 << (4 + network.borrow_mut().draw(8));
        let pace = Pace { bytes, visits: 1 + network.borrow_mut().draw(20) as u32 };
        let is_restless = network.borrow_mut().draw(2) == 0;
        Self { network, endpoints: ends.into_iter().map(Endpoint::new).collect(), pace, is_restless }
    }
}

impl SimulatedRanks<Simulated> {
    /// Nothing is under way any more.
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

    fn is_restless(&self) -> bool {
        self.is_restless
    }

    fn search(&mut self, common: &Common<'_>, observe: &mut dyn FnMut(&Stats)) -> Option<Concluded> {
        let mut members: Vec<_> =
            self.endpoints.iter_mut().map(|endpoint| Member::new(common, endpoint)).collect();
        let mut left = vec![false; members.len()];
        while left.contains(&false) {
            let rank = self.network.borrow_mut().tick(members.len());
            if !left[rank] {
                left[rank] = members[rank].step(observe) == Step::Left;
            }
        }
        members.swap_remove(0).conclude()
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

    fn search(&mut self, common: &Common<'_>, observe: &mut dyn FnMut(&Stats)) -> Option<Concluded> {
        let mut member = Member::new(common, &mut self.endpoint);
        member.run(observe);
        member.conclude()
    }
}
