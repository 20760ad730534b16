//! Limits of a simulation.
//!
//! Every move is kept with its states, so that their number bounds the memory, and a run or a path that is gone through has
//! as many as whoever wrote it likes. Before each of them the bounds are examined; nothing else in a simulation takes long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Impossible;

/// How much a simulation may do. There are no bounds unless they are given.
///
/// ```
/// use tourbillon::{Bounds, Random, Simulation, load};
///
/// let loaded = load("p.xta", b"process P() { state A; init A; trans A -> A { }; } system P;");
/// let bounds = Bounds { moves: Some(3), ..Bounds::default() };
/// let mut simulation = Simulation::new(&loaded)?.within(bounds);
/// assert!(simulation.follow_path("0_0_0").is_ok());
/// assert!(simulation.random(&mut Random::from_seed(1)).is_err());
/// assert_eq!(simulation.position(), (3, 3));
/// # Ok::<(), tourbillon::CheckError>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Bounds {
    /// How many moves there may be.
    pub moves: Option<usize>,
    /// What is under way ends soon after this is set, and nothing else can be done.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Bounds {
    /// Whether there can be another move after so many.
    pub(super) fn allow(&self, moves: usize) -> Result<(), Impossible> {
        self.go_on()?;
        match self.moves {
            Some(max) if moves >= max => {
                Err(Impossible::new(format!("a simulation of this model has at most {max} moves here")))
            }
            _ => Ok(()),
        }
    }

    /// Whether it is to continue.
    pub(super) fn go_on(&self) -> Result<(), Impossible> {
        match &self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Impossible::new("it was stopped")),
            _ => Ok(()),
        }
    }
}
