//! Mixed orders: the bound on visits, and the strategy that finds the goal.

use tourbillon_store::Order;

use super::{Fixture, process, quiet, unlimited, untimed};
use crate::{Ended, Mixed, Strategy};

/// The visits of one search alone.
fn alone(fixture: &Fixture, order: Order) -> u64 {
    let mut search = Mixed::new(fixture.search(order));
    search.run(fixture.at.first(), false, &mut unlimited(), &mut quiet());
    search.counts().wide
}

/// A chain of 30 locations to the goal, or a goal after two transitions beside the chain.
fn chain(goal_is_deep: bool) -> Vec<(usize, usize)> {
    let mut edges: Vec<(usize, usize)> = (1..30).map(|from| (from, from + 1)).collect();
    edges.insert(0, (0, 1));
    edges.extend(if goal_is_deep { vec![(30, 31)] } else { vec![(0, 32), (32, 31)] });
    edges
}

#[test]
fn mixed_orders_take_at_most_twice_the_visits_of_the_better_one() {
    for goal_is_deep in [false, true] {
        let cyclic = |name| process(name, 3, &[(0, 1), (1, 2), (2, 0)]);
        let processes = [process("P", 33, &chain(goal_is_deep)), cyclic("Q"), cyclic("R")];
        let fixture = untimed(&processes, &[(0, 31)]);
        let (wide, deep) = (alone(&fixture, Order::Bfs), alone(&fixture, Order::Dfs));
        assert_ne!(wide, deep, "{goal_is_deep}");
        let mut search = Mixed::new(fixture.search(Order::Bfs));
        search.add_deep(fixture.search(Order::Dfs), 1);
        let ended = search.run(fixture.at.first(), true, &mut unlimited(), &mut quiet());
        assert!(matches!(ended, Ended::Found { .. }), "{ended:?}");
        let counts = search.counts();
        assert!(counts.wide + counts.deep <= 2 * wide.min(deep), "{counts:?}, alone {wide} and {deep}");
        match search.ended_by() {
            Strategy::Wide => assert!(wide <= deep && search.walk().is_empty()),
            Strategy::Deep => assert!(deep <= wide && search.walk().is_empty()),
            Strategy::RandomWalk => assert!(!search.walk().is_empty()),
        }
    }
}

#[test]
fn without_a_goal_both_orders_visit_everything() {
    let fixture = untimed(&[process("P", 5, &[(0, 1), (1, 2), (2, 3), (3, 4)])], &[(0, 0)]);
    let mut search = Mixed::new(fixture.search(Order::Bfs));
    search.add_deep(fixture.search(Order::Dfs), 1);
    assert_eq!(search.run(None, false, &mut unlimited(), &mut quiet()), Ended::Complete);
    assert_eq!((search.counts().wide, search.ended_by()), (5, Strategy::Wide));
}
