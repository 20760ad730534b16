//! The orders in which states are visited, as a user names them, and what each needs of the model.
//!
//! The store knows a queue, a stack, a bag, nodes by cost, and ranks. Which of them an order is, and where the costs come
//! from, is decided here:
//!
//! | order | store | cost |
//! |---|---|---|
//! | `bfs`, `dfs`, `random` | as they are called | |
//! | `topological` | by cost | universal zones, then the sum of the positions of the locations `[HerbreteauTran2015, section 4]` |
//! | `sweep` | by cost | the same, and before the sum the stages and the sweep (`search/src/sweep.rs`) |
//! | `ranked` | by ranks | none `[HerbreteauTran2015, section 3]` |
//! | `ranked-sweep` | by ranks | that of `sweep`, which decides among equal ranks |
//! | `best` | by cost | how many edges the processes are away from the goal (`reachability/distance.rs`), then how much time must have passed |
//! | earliest | by cost | the time, for the fastest run |
//! | `mixed` | two lists | those of the order that would be chosen without it, and depth first (`search/src/mixed.rs`) |
//!
//! Positions are computed, drawn, or read from a text with a line for each process:
//!
//! ```text
//!   # what comes first is visited first
//!   P(1): idle req wait cs
//! ```

use std::fmt::Write as _;

use tourbillon_base::Id;
use tourbillon_dbm::Clock;
use tourbillon_model::{Model, Process, ProcessId};
use tourbillon_search::{CostFunction, Distance, Sweep};
use tourbillon_system::{Positions, System};

use crate::plan::{Named as _, Plan};

/// In which order states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// The one found first.
    Bfs,
    /// The one found last.
    Dfs,
    /// Any.
    Random,
    /// One with a universal zone, then the one whose locations come first.
    Topological,
    /// One with a universal zone, then in sweeps from the first locations to the last.
    Sweep,
    /// One that covers visited states before those that came of these.
    Ranked,
    /// The same, and where that leaves a choice in sweeps.
    RankedSweep,
    /// The nearest to the goal.
    Best,
    /// The earliest, for the fastest run.
    Earliest,
    /// Two orders in turns, each with a list of its own, and random descents between.
    Mixed,
}

impl Order {
    /// Its name on the command line. [`Order::Earliest`] cannot be chosen there.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.choice_name().unwrap_or("earliest first")
    }

    /// What the store is told.
    pub(crate) const fn of_store(self) -> tourbillon_store::Order {
        match self {
            // Orders that are mixed have a list each: no list is in that order.
            Self::Bfs | Self::Mixed => tourbillon_store::Order::Bfs,
            Self::Dfs => tourbillon_store::Order::Dfs,
            Self::Random => tourbillon_store::Order::Random,
            Self::Ranked | Self::RankedSweep => tourbillon_store::Order::Ranked,
            Self::Topological | Self::Sweep | Self::Best | Self::Earliest => {
                tourbillon_store::Order::Cheapest
            }
        }
    }
}

/// Where the positions of locations come from.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum PositionSource {
    /// They are computed.
    #[default]
    Computed,
    /// They are drawn from the seed.
    Random,
    /// They are given: for each process its locations, from the first to the last. See [`read_positions`].
    Given(Vec<Vec<usize>>),
}

/// What the order of a plan goes by. `distance` is that to the goal, if there is one.
pub(crate) fn cost_function(system: &System, plan: &Plan, distance: Option<Distance>) -> CostFunction {
    match plan.wide_order() {
        Order::Bfs | Order::Dfs | Order::Random | Order::Ranked | Order::Mixed => CostFunction::None,
        Order::Earliest => CostFunction::Earliest(Clock::from_index(system.dimension.clocks())),
        Order::Topological => CostFunction::Topological(positions(system, plan, Positions::topological)),
        Order::Sweep | Order::RankedSweep => {
            CostFunction::Sweep(Sweep::new(system, positions(system, plan, Positions::where_locations_tell)))
        }
        Order::Best => distance.map_or(CostFunction::None, CostFunction::Nearest),
    }
}

fn positions(system: &System, plan: &Plan, computed: fn(&System) -> Positions) -> Positions {
    match &plan.positions {
        PositionSource::Computed => computed(system),
        PositionSource::Random => Positions::random(system, plan.seed),
        PositionSource::Given(orders) => Positions::given(system, orders),
    }
}

/// For each process, its locations as a text has them: a line for each process, with its name, a colon and all its
/// locations. `name` is what the text is called in messages.
///
/// # Errors
/// Tells everything that is wrong with the text, line by line.
pub fn read_positions(model: &Model, name: &str, text: &str) -> Result<Vec<Vec<usize>>, String> {
    let mut orders: Vec<Option<Vec<usize>>> = vec![None; model.processes.len()];
    let mut complaints = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let outcome = order_of(model, line).and_then(|(process, order)| {
            let slot = &mut orders[process.index()];
            let again = format!("`{}` has a line already", model.processes[process].name);
            if slot.replace(order).is_some() { Err(again) } else { Ok(()) }
        });
        if let Err(what) = outcome {
            _ = writeln!(complaints, "{name}:{number}: {what}");
        }
    }
    if complaints.is_empty() {
        for (process, _) in model.processes.iter().zip(&orders).filter(|(_, order)| order.is_none()) {
            _ = writeln!(complaints, "{name}: there is no line for `{}`", process.name);
        }
    }
    if complaints.is_empty() {
        Ok(orders.into_iter().flatten().collect())
    } else {
        Err(complaints.trim_end().to_owned())
    }
}

/// The process and the locations of a line.
fn order_of(model: &Model, line: &str) -> Result<(ProcessId, Vec<usize>), String> {
    let (name, locations) = line
        .rsplit_once(':')
        .ok_or("a line is the name of a process, a colon, and its locations from the first to the last")?;
    let name = name.trim();
    let process = model
        .processes
        .iter()
        .position(|process| process.name == name)
        .ok_or_else(|| format!("there is no process `{name}`"))?;
    let process = ProcessId::from_index(process);
    Ok((process, locations_of(&model.processes[process], locations)?))
}

fn locations_of(process: &Process, names: &str) -> Result<Vec<usize>, String> {
    let mut order = Vec::new();
    for name in names.split_whitespace() {
        let location = process
            .locations
            .iter()
            .position(|location| location.name == name)
            .ok_or_else(|| format!("`{}` has no location `{name}`", process.name))?;
        if order.contains(&location) {
            return Err(format!("`{name}` stands there twice"));
        }
        order.push(location);
    }
    let missing = (0..).zip(process.locations.iter()).find(|(location, _)| !order.contains(location));
    match missing {
        Some((_, location)) => Err(format!("location `{}` of `{}` is missing", location.name, process.name)),
        None => Ok(order),
    }
}
