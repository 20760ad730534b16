//! The stand-in for MPI in a build without it: types without values.

use super::Transport;

/// MPI, which this program was built without: there is no value of this type.
#[derive(Clone, Copy, Debug)]
pub enum Mpi {}

impl Mpi {
    /// Starts MPI: never, here.
    #[must_use]
    pub const fn start() -> Option<Self> {
        None
    }

    /// Which rank this process is.
    #[must_use]
    pub const fn rank(&self) -> usize {
        match *self {}
    }

    /// How many ranks there are.
    #[must_use]
    pub const fn ranks(&self) -> usize {
        match *self {}
    }

    /// Ends all ranks, in no good order.
    pub const fn abort(&self, _status: i32) -> ! {
        match *self {}
    }

    pub(crate) const fn end(&self) -> MpiEnd {
        match *self {}
    }
}

/// The end of a rank that is never.
#[derive(Debug)]
pub(crate) enum MpiEnd {}

impl Transport for MpiEnd {
    fn rank(&self) -> usize {
        match *self {}
    }

    fn ranks(&self) -> usize {
        match *self {}
    }

    fn send(&mut self, _to: usize, _message: Vec<u8>) {
        match *self {}
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        match *self {}
    }

    fn pause(&mut self) {
        match *self {}
    }
}
