//! The oracles for infinite runs agree with each other, and with what is known by hand.

mod acceptance;
mod agreement;
mod by_hand;
