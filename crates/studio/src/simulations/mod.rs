//! Simulations, each on a thread of its own.
//!
//! A simulation borrows its model and keeps what it has worked out, so it stays where it was made: a thread that holds
//! both and does one thing after another. What it is asked is sent there as a function, and the answer comes back by a channel. A
//! simulation that fails by our fault ends alone. Their number is bounded: the one that was not used for longest goes.

mod walk;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tourbillon::{Simulation, Trouble};

use crate::answer::Refusal;
use crate::api::{SimulationStart, SimulationView};
use crate::models::Kept;
use crate::runs::STACK_BYTES;

pub(crate) use walk::Walk;

/// Something that is asked of a simulation.
type Task = Box<dyn FnOnce(&mut Walk<'_>) + Send>;

/// The simulations that are kept.
#[derive(Debug)]
pub(crate) struct Simulations {
    max: usize,
    table: Mutex<Table>,
}

#[derive(Default, Debug)]
struct Table {
    last: u32,
    /// Those used last are at the end.
    all: Vec<Actor>,
}

#[derive(Debug)]
struct Actor {
    id: u32,
    tasks: Sender<Task>,
}

impl Simulations {
    pub(crate) fn new(max: usize) -> Self {
        Self { max: max.max(1), table: Mutex::default() }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.table().all.len() as u32
    }

    /// Begins a simulation, and looks where it is.
    pub(crate) async fn begin(
        &self,
        model: Arc<Kept>,
        start: SimulationStart,
    ) -> Result<SimulationView, Refusal> {
        let id = self.next_id();
        let (tasks, received) = channel();
        let (sender, begun) = oneshot::channel();
        let thread = std::thread::Builder::new().name("simulation".to_owned()).stack_size(STACK_BYTES);
        let spawned = thread.spawn(move || live(id, &model, &start, sender, &received));
        spawned.map_err(|_| Refusal::busy("there is no room for another simulation"))?;
        let view = begun.await.map_err(|_| Refusal::fault())??;
        self.keep(Actor { id, tasks });
        Ok(view)
    }

    /// Asks something of a simulation.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        id: &str,
        task: impl FnOnce(&mut Walk<'_>) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (id, tasks) = self.find(id)?;
        let (sender, answer) = oneshot::channel();
        let task: Task = Box::new(move |walk| drop(sender.send(task(walk))));
        // It ends only by a fault; either way there is nobody who answers.
        let answer = if tasks.send(task).is_ok() { answer.await.ok() } else { None };
        answer.ok_or_else(|| {
            self.table().all.retain(|actor| actor.id != id);
            Refusal::fault()
        })
    }

    /// Forgets a simulation.
    pub(crate) fn forget(&self, id: &str) -> Result<(), Refusal> {
        let (id, _) = self.find(id)?;
        self.table().all.retain(|actor| actor.id != id);
        Ok(())
    }

    fn find(&self, id: &str) -> Result<(u32, Sender<Task>), Refusal> {
        let mut table = self.table();
        let place = id.parse().ok().and_then(|id: u32| table.all.iter().position(|actor| actor.id == id));
        let place =
            place.ok_or_else(|| Refusal::not_found("this simulation is not known, or not any more"))?;
        let actor = table.all.remove(place);
        let found = (actor.id, actor.tasks.clone());
        table.all.push(actor);
        Ok(found)
    }

    fn keep(&self, actor: Actor) {
        let mut table = self.table();
        table.all.push(actor);
        let superfluous = table.all.len().saturating_sub(self.max);
        table.all.drain(..superfluous);
    }

    fn next_id(&self) -> u32 {
        let mut table = self.table();
        table.last = table.last.wrapping_add(1);
        table.last
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What tells how a simulation began.
type Begun = oneshot::Sender<Result<SimulationView, Refusal>>;

/// The life of a simulation: until it is forgotten, or fails.
fn live(id: u32, model: &Kept, start: &SimulationStart, begun: Begun, tasks: &Receiver<Task>) {
    let life = || {
        let begin = || Walk::new(id, model, Simulation::new(&model.loaded).map_err(refusal)?, start);
        match begin() {
            Err(refusal) => drop(begun.send(Err(refusal))),
            Ok(mut walk) => {
                let view = walk.look();
                if begun.send(Ok(view)).is_ok() {
                    tasks.iter().for_each(|task| task(&mut walk));
                }
            }
        }
    };
    // Whoever waits for an answer notices that there will be none.
    let _ = catch_unwind(AssertUnwindSafe(life));
}

fn refusal(trouble: Trouble) -> Refusal {
    match trouble {
        Trouble::Model(_) => Refusal::model_has_errors(trouble.to_string()),
        Trouble::Request(message) => Refusal::impossible(message),
    }
}
