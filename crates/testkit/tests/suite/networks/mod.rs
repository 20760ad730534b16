//! Random networks are what they promise, and the oracles agree about them, with each other and with random walks.

mod agreement;
mod by_hand;
mod families;
mod making;
mod walks;
