//! A model compiled into immutable tables that engines read.

pub mod bounds;
