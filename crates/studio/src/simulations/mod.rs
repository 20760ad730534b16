//! Simulations, each on a thread of its own.
//!
//! A simulation borrows its model and keeps what it has worked out, so it stays where it was made: a thread that holds
//! both and does one thing after another. What it is asked is sent there as a function, and the answer comes back by a channel. A
//! simulation that fails by our fault ends alone. Their number is bounded: the one that was not used for longest goes.
//!
//! A simulation has its place in the table before its thread begins, and whoever leaves the table is stopped: one that is
//! forgotten, that makes room, or whose connection is closed while it begins, computes no further than to its next
//! move.

mod view;
mod walk;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::response::Response;
use tokio::sync::oneshot;
use tourbillon::{Bounds, CheckError, Model, Simulation};

use crate::answer::{Answer, Refusal, json};
use crate::api::{ServerLimits, SimulationStart};
use crate::models::StoredModel;
use crate::runs::STACK_BYTES;

pub(crate) use walk::Walk;

/// Something that is asked of a simulation.
type Task = Box<dyn FnOnce(&mut Walk<'_>) + Send>;

/// The simulations that are kept.
#[derive(Debug)]
pub(crate) struct Simulations {
    limits: ServerLimits,
    table: Mutex<SimulationTable>,
}

#[derive(Default, Debug)]
struct SimulationTable {
    last: u32,
    /// Those used last are at the end.
    all: Vec<SimulationThread>,
}

#[derive(Debug)]
struct SimulationThread {
    id: u32,
    tasks: Sender<Task>,
    stop: StopOnDrop,
}

/// Ends a simulation when it leaves the table.
#[derive(Debug)]
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The place of a simulation that begins: given back unless it has begun.
struct Reservation<'a> {
    all: &'a Simulations,
    id: u32,
    begun: bool,
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if !self.begun {
            self.all.remove(self.id);
        }
    }
}

impl Simulations {
    pub(crate) fn new(limits: &ServerLimits) -> Self {
        Self { limits: limits.clone(), table: Mutex::default() }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.table().all.len() as u32
    }

    /// Begins a simulation, and looks where it is.
    pub(crate) async fn begin(&self, model: Arc<StoredModel>, start: SimulationStart) -> Answer {
        let (tasks, received) = channel();
        let (sender, begun) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let mut place = self.reserve(tasks, StopOnDrop(Arc::clone(&stop)));
        let life = SimulationSlot { id: place.id, limits: self.limits.clone(), stop };
        let thread = std::thread::Builder::new().name("simulation".to_owned()).stack_size(STACK_BYTES);
        let spawned = thread.spawn(move || life.live(&model, &start, sender, &received));
        spawned.map_err(|_| Refusal::busy("there is no room for another simulation"))?;
        let view = begun.await.map_err(|_| Refusal::fault())??;
        place.begun = true;
        Ok(view)
    }

    /// Asks something of a simulation.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        id: &str,
        task: impl FnOnce(&mut Walk<'_>) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (id, tasks, stop) = self.find(id)?;
        let (sender, answer) = oneshot::channel();
        let task: Task = Box::new(move |walk| drop(sender.send(task(walk))));
        let answer = if tasks.send(task).is_ok() { answer.await.ok() } else { None };
        // It ends when it has left the table, or by a fault.
        answer.ok_or_else(|| {
            let left = stop.load(Ordering::Relaxed);
            self.remove(id);
            if left { unknown() } else { Refusal::fault() }
        })
    }

    pub(crate) fn forget(&self, id: &str) -> Result<(), Refusal> {
        let (id, ..) = self.find(id)?;
        self.remove(id);
        Ok(())
    }

    fn remove(&self, id: u32) {
        self.table().all.retain(|actor| actor.id != id);
    }

    fn find(&self, id: &str) -> Result<(u32, Sender<Task>, Arc<AtomicBool>), Refusal> {
        let mut table = self.table();
        let place = id.parse().ok().and_then(|id: u32| table.all.iter().position(|actor| actor.id == id));
        let actor = table.all.remove(place.ok_or_else(unknown)?);
        let found = (actor.id, actor.tasks.clone(), Arc::clone(&actor.stop.0));
        table.all.push(actor);
        Ok(found)
    }

    /// A place in the table, for which another may have to go.
    fn reserve(&self, tasks: Sender<Task>, stop: StopOnDrop) -> Reservation<'_> {
        let mut table = self.table();
        table.last = table.last.wrapping_add(1);
        let id = table.last;
        table.all.push(SimulationThread { id, tasks, stop });
        let surplus = table.all.len().saturating_sub((self.limits.simulations as usize).max(1));
        table.all.drain(..surplus);
        Reservation { all: self, id, begun: false }
    }

    fn table(&self) -> MutexGuard<'_, SimulationTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown() -> Refusal {
    Refusal::not_found("this simulation is not known, or not any more")
}

/// What tells how a simulation began.
type StartReply = oneshot::Sender<Result<Response, Refusal>>;

/// What a simulation has to know of itself.
struct SimulationSlot {
    id: u32,
    limits: ServerLimits,
    stop: Arc<AtomicBool>,
}

impl SimulationSlot {
    /// The life of a simulation: until it is forgotten, or fails.
    fn live(self, model: &StoredModel, start: &SimulationStart, begun: StartReply, tasks: &Receiver<Task>) {
        let life = || match self.begin(model, start) {
            Err(refusal) => drop(begun.send(Err(refusal))),
            Ok(mut walk) => {
                let view = json(&walk.look());
                if begun.send(Ok(view)).is_ok() {
                    let wanted = tasks.iter().take_while(|_| !self.stop.load(Ordering::Relaxed));
                    wanted.for_each(|task| task(&mut walk));
                }
            }
        };
        // Whoever waits for an answer notices that there will be none.
        let _ = catch_unwind(AssertUnwindSafe(life));
    }

    fn begin<'a>(&self, model: &'a StoredModel, start: &SimulationStart) -> Result<Walk<'a>, Refusal> {
        let simulation = Simulation::new(&model.loaded).map_err(refusal)?;
        let moves = model.loaded.model.as_ref().map_or(0, |model| moves_max(model, &self.limits));
        let bounds = Bounds { moves: Some(moves), stop: Some(Arc::clone(&self.stop)) };
        Walk::new(self.id, model, simulation.within(bounds), &self.limits, start)
    }
}

/// How many moves have room in a simulation. A move keeps two states, or two zones and one state.
fn moves_max(model: &Model, limits: &ServerLimits) -> usize {
    let (cells, clocks) = (model.cells.len() + model.processes.len(), model.clocks.len() + 1);
    let state = 4 * cells + 16 * clocks;
    let zones = 8 * clocks * clocks;
    let room = usize::try_from(limits.simulation_bytes).unwrap_or(usize::MAX);
    (room / (256 + state + state.max(zones))).clamp(1, (limits.simulation_moves as usize).max(1))
}

fn refusal(trouble: CheckError) -> Refusal {
    match trouble {
        CheckError::Model(_) => Refusal::model_has_errors(trouble.to_string()),
        CheckError::Request(message) => Refusal::impossible(message),
    }
}
