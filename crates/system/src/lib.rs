//! A model compiled into immutable tables that engines read.

mod program;

pub use program::{
    ClockWrite, CodeId, Layout, Listing, Machine, Program, ProgramBuilder, RuntimeError, Unsupported,
};
