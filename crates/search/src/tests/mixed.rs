//! Mixed orders: the bound on visits, and the strategy that finds the goal.

use tourbillon_store::Order;

use super::{Fixture, process, quiet, unlimited, untimed};
use crate::{Budget, Ended, Exhausted, Limits, Mixed, RoundSizes, Rounds, Stats, Strategy, StrategyCounts};

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

/// Three processes beside each other, of which the first has a chain or a short way to the goal, and a location without a way in.
fn beside_cycles(goal_is_deep: bool) -> Fixture {
    let cyclic = |name| process(name, 6, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]);
    untimed(&[process("P", 34, &chain(goal_is_deep)), cyclic("Q"), cyclic("R")], &[(0, 31), (0, 33)])
}

/// A mixed search whose wide order continues in rounds.
fn in_rounds(fixture: &Fixture, threads: usize, sizes: RoundSizes) -> Mixed<'_> {
    let rounds = Rounds { threads, sizes, settings: fixture.settings(Order::Bfs) };
    let mut search = Mixed::new(fixture.search(Order::Bfs).in_rounds(Some(rounds)));
    search.add_deep(fixture.search(Order::Dfs), 1);
    search
}

/// How a mixed search ends, by which strategy, its counts, and the path to what it found.
type Observed = (Ended, Strategy, StrategyCounts, Stats, Option<Vec<u32>>);

fn run(search: &mut Mixed<'_>, fixture: &Fixture, goal: usize, budget: &mut Budget<'_>) -> Observed {
    let ended = search.run(Some(&fixture.at[goal]), true, budget, &mut quiet());
    let path = match ended {
        Ended::Found { node, .. } => search.path(node),
        _ => None,
    };
    (ended, search.ended_by(), search.counts(), search.stats(), path)
}

#[test]
fn the_deep_search_beside_rounds_does_not_depend_on_the_number_of_threads() {
    let mut strategies = Vec::new();
    for (goal_is_deep, goal) in [(false, 0), (true, 0), (true, 1)] {
        let fixture = beside_cycles(goal_is_deep);
        for sizes in
            [RoundSizes { after: 0, width: 4, chunk: 1 }, RoundSizes { after: 9, width: 16, chunk: 3 }]
        {
            let observe =
                |threads| run(&mut in_rounds(&fixture, threads, sizes), &fixture, goal, &mut unlimited());
            let one = observe(1);
            assert_eq!(matches!(one.0, Ended::Found { .. }), goal == 0, "{one:?}");
            for threads in [2, 3, 7] {
                assert_eq!(observe(threads), one, "{sizes:?}, {threads} threads");
            }
            let (wide, deep) = (one.2.wide, one.2.deep);
            assert!(wide.abs_diff(deep) <= 64, "they make as many visits: {wide}, {deep}");
            strategies.push(one.1);
        }
    }
    assert!(strategies.contains(&Strategy::Wide) && strategies.contains(&Strategy::Deep), "{strategies:?}");
}

#[test]
fn a_limit_on_states_ends_the_deep_search_beside_rounds_first() {
    let fixture = beside_cycles(true);
    let sizes = RoundSizes { after: 4, width: 8, chunk: 2 };
    let all = run(&mut Mixed::new(fixture.search(Order::Bfs)), &fixture, 1, &mut unlimited()).3.stored;
    let budget = |states| Budget::new(Limits { states: Some(states), ..Limits::default() }, None);
    let complete = run(&mut in_rounds(&fixture, 2, sizes), &fixture, 1, &mut budget(all + all / 4));
    assert_eq!((complete.0, complete.1), (Ended::Complete, Strategy::Wide));
    assert!(complete.2.deep < complete.2.wide, "{:?}", complete.2);
    let limited = run(&mut in_rounds(&fixture, 2, sizes), &fixture, 1, &mut budget(all / 2));
    assert_eq!(limited.0, Ended::Exhausted(Exhausted::States));
}
