//! Every rule of the semantics, accepted and refused, on models small enough to be decided by hand.

mod delays;
mod enabled_steps;
mod limits;
mod priorities;
mod runs;
mod shared;
mod synchronisation;
mod updates;
mod vectors;
