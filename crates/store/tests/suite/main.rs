//! The contract of the passed/waiting list, tested through its public face.

mod differential;
mod lifetime;
mod naive;
mod tables;
mod unions;
