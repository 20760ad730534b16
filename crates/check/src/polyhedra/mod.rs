//! Stopwatches exactly: sets of clock valuations as convex polyhedra.
//!
//! Zones over-approximate delays while a clock is stopped `[CassezLarsen2000]`: what is unreachable with zones is unreachable, but
//! what is reachable may not be. Convex polyhedra are exact: guards and invariants are linear constraints, updates are substitutions,
//! and a delay moves valuations along the vector of rates `[AlurCourcoubetisHalbwachs1995]`. A polyhedron costs linear programs
//! instead of comparisons of bounds, so they are used only for states that zones have found.
//!
//! | file | |
//! |---|---|
//! | `simplex.rs` | a solution of linear constraints, some of them strict, in exact arithmetic |
//! | `polyhedron.rs` | a set of clock valuations: intersection, projection, delay, inclusion |
//! | `moments.rs` | the times of the steps of a path, from the polyhedra along it |
//! | `deadlock.rs` | deadlocked valuations |
//! | `explore.rs` | a search with polyhedra, if the path of zones has no run |
//!
//! Reachability with stopwatches is undecidable, so `explore.rs` has a limit of its own besides those of the job.
//!
//! Numbers are integers of 64 bits in constraints and of 128 bits in linear programs. What does not fit is [`TooLarge`], never
//! rounded, and makes the verdict unknown.

mod deadlock;
pub(crate) mod explore;
mod moments;
mod polyhedron;
mod simplex;

pub(crate) use moments::moments;

/// A number does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge;

/// A result with numbers that may not fit.
type Fits<T> = Result<T, TooLarge>;
