//! Search orders by their names on the command line, and the costs that each needs.
//!
//! The store has a queue, a stack, random selection, selection by cost, and ranks. The order of the store and the cost function of
//! each search order:
//!
//! | order | store | cost |
//! |---|---|---|
//! | `bfs`, `dfs`, `random` | queue, stack, random | |
//! | `topological` | by cost | universal zones, then the sum of the positions of the locations `[HerbreteauTran2015, section 4]` |
//! | `sweep` | by cost | the same, and before the sum the stages and the sweep (`search/src/sweep.rs`) |
//! | `ranked` | by ranks | none `[HerbreteauTran2015, section 3]` |
//! | `ranked-sweep` | by ranks | that of `sweep`, which decides among equal ranks |
//! | `best` | by cost | the distance of the processes from the goal, in edges (`reachability/distance.rs`), then a lower bound of the elapsed time |
//! | earliest | by cost | the time, for the fastest run |
//! | `mixed` | two lists | the order that would be chosen without it, and depth first (`search/src/mixed.rs`) |
//!
//! Positions are computed, random, or read from a text with a line for each process:
//!
//! ```text
//!   # from the first location to the last
//!   P(1): idle req wait cs
//! ```

use std::fmt::Write as _;

use tourbillon_base::Id;
use tourbillon_dbm::Clock;
use tourbillon_model::{Model, Process, ProcessId};
use tourbillon_search::{CostFunction, Distance, Sweep};
use tourbillon_system::{Positions, System};

use crate::plan::{Named as _, Plan};

/// A search order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
    Random,
    /// Universal zones, then by the positions of locations.
    Topological,
    /// Universal zones, then in sweeps from the first locations to the last.
    Sweep,
    /// By rank: a node that covers visited ones before their successors.
    Ranked,
    /// By rank, then in sweeps.
    RankedSweep,
    /// Best first, by the distance to the goal.
    Best,
    /// Earliest first, for the fastest run.
    Earliest,
    /// Two orders in alternation, each with a list of its own, with random walks.
    Mixed,
}

impl Order {
    /// Its name on the command line. [`Order::Earliest`] cannot be chosen there.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Earliest => "earliest first",
            other => other.choice_name().expect("an order that can be chosen has a name"),
        }
    }

    /// Whether nodes have ranks.
    pub(crate) const fn is_ranked(self) -> bool {
        matches!(self, Self::Ranked | Self::RankedSweep)
    }

    /// Whether many waiting states can be visited in one round.
    pub(crate) const fn has_rounds(self) -> bool {
        matches!(self, Self::Bfs | Self::Topological | Self::Sweep | Self::Best | Self::Earliest)
    }

    /// The order of the store.
    pub(crate) const fn of_store(self) -> tourbillon_store::Order {
        match self {
            // Mixed orders have a list each: no list has that order.
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

/// The source of the positions of locations.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum PositionSource {
    #[default]
    Computed,
    /// Random, by the seed.
    Random,
    /// For each process its locations, from the first to the last. See [`read_positions`].
    Given(Vec<Vec<usize>>),
}

/// The cost function of the order of a plan. `distance` is that to the goal, if there is one.
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

/// Reads the locations of each process from a text: a line for each process, with its name, a colon and all its
/// locations. `name` is the name of the text in messages.
///
/// # Errors
/// All errors of the text, one per line.
pub fn read_positions(model: &Model, name: &str, text: &str) -> Result<Vec<Vec<usize>>, String> {
    let mut orders: Vec<Option<Vec<usize>>> = vec![None; model.processes.len()];
    let mut errors = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let result = order_of(model, line).and_then(|(process, order)| {
            let slot = &mut orders[process.index()];
            let again = format!("`{}` has a line already", model.processes[process].name);
            if slot.replace(order).is_some() { Err(again) } else { Ok(()) }
        });
        if let Err(what) = result {
            _ = writeln!(errors, "{name}:{number}: {what}");
        }
    }
    if errors.is_empty() {
        for (process, _) in model.processes.iter().zip(&orders).filter(|(_, order)| order.is_none()) {
            _ = writeln!(errors, "{name}: there is no line for `{}`", process.name);
        }
    }
    if errors.is_empty() {
        Ok(orders.into_iter().flatten().collect())
    } else {
        Err(errors.trim_end().to_owned())
    }
}

/// The process and the locations of a line.
fn order_of(model: &Model, line: &str) -> Result<(ProcessId, Vec<usize>), String> {
    let (name, locations) = line
        .rsplit_once(':')
        .ok_or("expected the name of a process, a colon, and its locations from the first to the last")?;
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
            return Err(format!("`{name}` is listed twice"));
        }
        order.push(location);
    }
    let missing = (0..).zip(process.locations.iter()).find(|(location, _)| !order.contains(location));
    match missing {
        Some((_, location)) => Err(format!("location `{}` of `{}` is missing", location.name, process.name)),
        None => Ok(order),
    }
}
