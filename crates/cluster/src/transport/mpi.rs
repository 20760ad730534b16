//! Ranks that are processes under MPI.
//!
//! A message is one of MPI's. Those that are under way belong to MPI until they have arrived, and so do their bytes: safe
//! code can lend bytes to MPI only for as long as a function runs. So a rank that sends stays with its message until it is
//! taken, and takes in what arrives for itself meanwhile. Two ranks that send to each other both take in, so neither waits
//! forever; and a rank receives messages after every state that it expands, which is a matter of microseconds.
//!
//! Sizes are found by probing, with the kind of probe that hands over the message it has found, so that nothing else can
//! take it.

use std::collections::VecDeque;
use std::time::Duration;

use mpi::environment::Universe;
use mpi::point_to_point::MatchedReceiveVec as _;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, Destination as _, Source as _};

use super::Transport;

/// How long a rank with nothing to do sleeps.
const PAUSE: Duration = Duration::from_micros(50);

/// MPI, from its start to its end: to be made once in a process, and kept until everything is done.
pub struct Mpi {
    /// Ends MPI when it is dropped.
    _universe: Universe,
    world: SimpleCommunicator,
}

impl std::fmt::Debug for Mpi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mpi").field("rank", &self.rank()).field("ranks", &self.ranks()).finish()
    }
}

impl Mpi {
    /// Starts MPI; nothing if it was started before in this process.
    #[must_use]
    pub fn start() -> Option<Self> {
        let universe = mpi::initialize()?;
        let world = universe.world();
        Some(Self { _universe: universe, world })
    }

    /// Which rank this process is.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// How many ranks there are.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    /// Ends all ranks, in no good order.
    pub fn abort(&self, status: i32) -> ! {
        self.world.abort(status)
    }

    /// The end of this rank.
    pub(crate) fn end(&self) -> MpiEnd<'_> {
        MpiEnd { mpi: self, inbox: VecDeque::new() }
    }
}

/// The end of one rank.
#[derive(Debug)]
pub(crate) struct MpiEnd<'m> {
    mpi: &'m Mpi,
    /// What arrived while something was being sent.
    inbox: VecDeque<(usize, Vec<u8>)>,
}

impl MpiEnd<'_> {
    /// Takes a message from MPI, if one has arrived.
    fn take(&self) -> Option<(usize, Vec<u8>)> {
        let found = self.mpi.world.any_process().immediate_matched_probe()?;
        let (message, status) = found.matched_receive_vec::<u8>();
        Some((status.source_rank() as usize, message))
    }
}

impl Transport for MpiEnd<'_> {
    fn rank(&self) -> usize {
        self.mpi.rank()
    }

    fn ranks(&self) -> usize {
        self.mpi.ranks()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        let destination = self.mpi.world.process_at_rank(to as i32);
        mpi::request::scope(|scope| {
            let mut sending = destination.immediate_send(scope, &message[..]);
            while let Err(unfinished) = sending.test() {
                sending = unfinished;
                match self.take() {
                    Some(arrived) => self.inbox.push_back(arrived),
                    // Where there are more ranks than cores, the other may be waiting for this one's.
                    None => std::thread::yield_now(),
                }
            }
        });
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.inbox.pop_front().or_else(|| self.take())
    }

    fn pause(&mut self) {
        std::thread::sleep(PAUSE);
    }
}
