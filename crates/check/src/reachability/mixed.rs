//! The result of mixed orders: the strategy that found the goal, and the work of each.
//!
//! The alternation, and its bound on visits, is in `search/src/mixed.rs`.

use tourbillon_search::{Mixed, Strategy, StrategyCounts};

use crate::order::Order;
use crate::plan::Plan;

/// The work of mixed orders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mixture {
    /// The strategy that found the goal, if it was found.
    pub found_by: Option<FoundBy>,
    /// The two orders, with the number of nodes that each visited.
    pub visited: [(Order, u64); 2],
    /// The number of steps of random walks.
    pub walk_steps: u64,
}

/// The strategy that found a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FoundBy {
    /// A search in this order.
    Order(Order),
    RandomWalk,
}

impl FoundBy {
    /// The name of the order on the command line, or `descent` for a random walk.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Order(order) => order.name(),
            Self::RandomWalk => "descent",
        }
    }
}

impl Mixture {
    /// The work of a search; `None` if the plan mixes no orders.
    pub(crate) fn of(plan: &Plan, search: &Mixed<'_>, found: bool) -> Option<Self> {
        if plan.order != Order::Mixed {
            return None;
        }
        let by = match search.ended_by() {
            Strategy::Wide => FoundBy::Order(plan.wide),
            Strategy::Deep => FoundBy::Order(Order::Dfs),
            Strategy::RandomWalk => FoundBy::RandomWalk,
        };
        let StrategyCounts { wide, deep, walk_steps } = search.counts();
        let visited = [(plan.wide, wide), (Order::Dfs, deep)];
        Some(Self { found_by: found.then_some(by), visited, walk_steps })
    }
}
