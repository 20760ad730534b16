//! Stopwatches exactly: sets of clock values as convex polyhedra.
//!
//! Zones over-approximate what a delay does while some clock stands still `[CassezLarsen2000]`. What they do not find
//! does not happen; what they find may not either. Here the same steps are taken with convex polyhedra, for which every
//! step is exact: guards and invariants are linear constraints, updates are substitutions, and a delay moves points
//! along the vector of rates `[AlurCourcoubetisHalbwachs1995]`. A set costs linear programs instead of comparisons of
//! bounds, so zones go first and polyhedra look only at what zones have found.
//!
//! | file | |
//! |---|---|
//! | `simplex.rs` | a solution of linear constraints, some of them strict, in exact arithmetic |
//! | `polyhedron.rs` | a set of clock values: intersection, projection, delay, inclusion |
//! | `moments.rs` | the moments of the steps of a path, from the polyhedra along it |
//! | `deadlock.rs` | where no step can be waited for |
//! | `explore.rs` | a search with polyhedra, where the path that zones found cannot be run |
//!
//! Reachability with stopwatches is undecidable, so `explore.rs` has a limit of its own besides those of the job.
//!
//! Numbers are integers of 64 bits in constraints and of 128 bits in linear programs. What does not fit is
//! [`TooLarge`], never rounded, and ends in `unknown`.

mod deadlock;
pub(crate) mod explore;
mod moments;
mod polyhedron;
mod simplex;

pub(crate) use moments::moments;

/// A number does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge;

/// What may not fit.
type Fits<T> = Result<T, TooLarge>;
