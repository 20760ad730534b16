//! Random networks are what they promise, and the oracles agree about them, with each other and with random walks.

mod agreement;
mod making;
mod walks;
