//! What is told of orders that were mixed: which of them found what was looked for, and what each has done.
//!
//! How they take turns, and how many visits that takes at most, is in `search/src/mixed.rs`.

use tourbillon_search::{Member, Mixed, Shares};

use crate::order::Order;
use crate::plan::Plan;

/// What several orders did that took turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mixture {
    /// Who found the state that was looked for; nothing if none was found.
    pub found_by: Option<FoundBy>,
    /// The two orders, and how many states were visited in each.
    pub visited: [(Order, u64); 2],
    /// How many steps random descents took.
    pub descent_steps: u64,
}

/// Who found a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FoundBy {
    /// A search in this order.
    Order(Order),
    /// A random descent.
    Descent,
}

impl FoundBy {
    /// Its name: that of the order, as the command line has it, or `descent`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Order(order) => order.name(),
            Self::Descent => "descent",
        }
    }
}

impl Mixture {
    /// What is told of a search by a plan; nothing if the plan mixes no orders.
    pub(crate) fn of(plan: &Plan, search: &Mixed<'_>, found: bool) -> Option<Self> {
        if plan.order != Order::Mixed {
            return None;
        }
        let by = match search.ended_by() {
            Member::Wide => FoundBy::Order(plan.wide),
            Member::Deep => FoundBy::Order(Order::Dfs),
            Member::Descent => FoundBy::Descent,
        };
        let Shares { wide, deep, descent_steps } = search.shares();
        let visited = [(plan.wide, wide), (Order::Dfs, deep)];
        Some(Self { found_by: found.then_some(by), visited, descent_steps })
    }
}
