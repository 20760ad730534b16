//! Which symmetries are found, and which are not.

mod broken;
mod doubtful;
mod families;
mod measures;
mod shared;
