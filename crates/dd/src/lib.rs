//! Clock difference diagrams: unions of zones with shared nodes.
//!
//! A diagram is to unions of zones what a binary decision diagram is to boolean functions. A node asks for the difference
//! of two clocks and has an edge for each of some intervals of values; true and false are at the bottom; a point takes one
//! path and lies in the set if it ends in true `[LarsenPearsonWeiseYi1999]`. All diagrams share their nodes, so that sets
//! of different origin which are partly alike are stored once where they are. What is included in a union is recognised
//! even if no zone of it includes it alone.
//!
//! The theory in files:
//!
//! | file | holds |
//! |---|---|
//! | `node.rs`, `order.rs` | handles and edges; cuts of the line of values; which difference is on which level |
//! | `forms/` | the three representations of a node |
//! | `nodes.rs`, `arena.rs`, `unique.rs` | all nodes: reduced, shared, collected |
//! | `string.rs`, `union.rs` | a zone as a diagram of one string; adding it to another |
//! | `apply.rs` | union, intersection, difference, complement |
//! | `inclusion.rs`, `paths.rs` | inclusion level by level and path by path; emptiness; back to zones |
//! | `band.rs` | the nodes of some levels, where a diagram lies in several memories |
//! | `layers.rs` | layers on their way from one of these to another |
//! | `mtidd.rs` | numbers by vectors of integers, on the same nodes |
//! | `bdd.rs`, `bdd/`, `count.rs` | binary decision diagrams, on another library's nodes, for sets of discrete states |
//! | `diagrams.rs`, `settings.rs`, `statistics.rs` | the interface, settings, statistics |
//!
//! Diagrams are reduced but not canonical: two that say the same of all combinations of values are one handle, but some
//! combinations belong to no point, and diagrams that differ in those alone are different handles for one set. Equality of
//! sets is inclusion both ways ([`Diagrams::includes`]).

mod apply;
mod arena;
mod band;
mod bdd;
mod count;
mod diagrams;
mod forms;
mod inclusion;
mod layers;
mod memo;
mod mtidd;
mod node;
mod nodes;
mod order;
mod paths;
mod settings;
mod statistics;
mod string;
mod union;
mod unique;

pub use band::{Band, Slice, Slicer};
pub use bdd::{AssignmentCounter, Bdd, BddError, BddResult, Bdds, Cube, Renaming, StopFlag};
pub use diagrams::Diagrams;
pub use forms::{AllEdges, Compact, NodeForm, WithoutFalse};
pub use layers::{BandChange, LayerWeight, Layers, MovedTarget};
pub use mtidd::Mtidd;
pub use node::{Edge, Handle};
pub use order::VariableOrder;
pub use settings::{Constraints, Error, Inclusion, Settings};
pub use statistics::{InclusionCounts, LevelStatistics, Statistics};
