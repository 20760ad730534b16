//! Limits of a simulation.
//!
//! Every move is stored with its states, so the number of moves bounds the memory; a loaded run or path has as many as
//! its author wrote. The limits are checked before each move. Nothing else in a simulation takes long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::SimulationError;

/// Limits of a simulation. By default there are none.
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
    /// The maximum number of moves.
    pub moves: Option<usize>,
    /// Stops the operation in progress when it is set, and prevents further ones.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Bounds {
    /// Whether another move is allowed after `moves`.
    pub(super) fn allow(&self, moves: usize) -> Result<(), SimulationError> {
        self.go_on()?;
        match self.moves {
            Some(max) if moves >= max => {
                Err(SimulationError::new(format!("the simulation is limited to {max} moves")))
            }
            _ => Ok(()),
        }
    }

    /// Whether the simulation may continue.
    pub(super) fn go_on(&self) -> Result<(), SimulationError> {
        match &self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => {
                Err(SimulationError::new("the simulation was stopped"))
            }
            _ => Ok(()),
        }
    }
}
