//! Which symmetries are found, and which are not.

mod families;
mod shared;
