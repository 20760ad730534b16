//! Two explorations in alternation: the bound on visits, rounds, limits, and that either one can be continued.

use tourbillon_store::Order;

use super::{Fixture, process, quiet, unlimited, untimed};
use crate::{Alternate, Budget, Ended, Exhausted, Limits, RoundSizes, Rounds, Search, alternate};

/// A chain of 30 locations beside two cycles. The first goal is soon found depth first, the second breadth first; the third does not
/// exist.
fn chain_beside_cycles() -> Fixture {
    let mut chain: Vec<(usize, usize)> = (0..30).map(|from| (from, from + 1)).collect();
    chain.push((0, 31));
    let cyclic = |name| process(name, 3, &[(0, 1), (1, 2), (2, 0)]);
    let processes = [process("P", 33, &chain), cyclic("Q"), cyclic("R")];
    untimed(&processes, &[(0, 30), (0, 31), (0, 32)])
}

/// The visits of a search for a goal alone, and how it ends.
fn alone(fixture: &Fixture, order: Order, goal: usize) -> (u64, Ended) {
    let mut search = fixture.search(order);
    let ended = search.find(Some(&fixture.at[goal]), &mut unlimited(), &mut quiet());
    (search.visited(), ended)
}

/// Which search ended, how, and their visits.
fn both(
    fixture: &Fixture,
    goal: usize,
    (first, second): (&mut Search<'_>, &mut Search<'_>),
    budget: &mut Budget<'_>,
) -> (Alternate, Ended, [u64; 2]) {
    let goal = Some(&fixture.at[goal]);
    let (mut observer, mut other) = (first.goal(goal), second.goal(goal));
    let (ender, ended) = alternate((first, &mut observer), (second, &mut other), budget, &mut quiet());
    (ender, ended, [first.visited(), second.visited()])
}

#[test]
fn two_searches_take_at_most_twice_the_visits_of_the_better_one() {
    let fixture = chain_beside_cycles();
    let mut enders = Vec::new();
    for goal in 0..3 {
        for orders in [[Order::Bfs, Order::Dfs], [Order::Dfs, Order::Bfs]] {
            let [(one, end), (other, other_end)] = orders.map(|order| alone(&fixture, order, goal));
            let [mut first, mut second] = orders.map(|order| fixture.search(order));
            let (ender, ended, visits) = both(&fixture, goal, (&mut first, &mut second), &mut unlimited());
            assert!(visits[0] + visits[1] <= 2 * one.min(other), "{visits:?}, alone {one} and {other}");
            match ender {
                Alternate::First => assert_eq!((ended, visits[0]), (end, one)),
                _ => assert_eq!((ender, ended, visits[1]), (Alternate::Second, other_end, other)),
            }
            enders.push(ender);
        }
    }
    assert!(enders.contains(&Alternate::First) && enders.contains(&Alternate::Second), "{enders:?}");
}

fn in_rounds(fixture: &Fixture, threads: usize, sizes: RoundSizes) -> Search<'_> {
    let rounds = Rounds { threads, sizes, settings: fixture.settings(Order::Bfs) };
    fixture.search(Order::Bfs).in_rounds(Some(rounds))
}

#[test]
fn the_second_search_beside_rounds_does_not_depend_on_the_number_of_threads() {
    let fixture = chain_beside_cycles();
    let mut enders = Vec::new();
    for goal in 0..3 {
        for sizes in
            [RoundSizes { after: 0, width: 2, chunk: 1 }, RoundSizes { after: 9, width: 8, chunk: 3 }]
        {
            let observe = |threads| {
                let (mut first, mut second) =
                    (in_rounds(&fixture, threads, sizes), fixture.search(Order::Dfs));
                both(&fixture, goal, (&mut first, &mut second), &mut unlimited())
            };
            let one = observe(1);
            for threads in [2, 3, 7] {
                assert_eq!(observe(threads), one, "{goal}, {sizes:?}, {threads} threads");
            }
            assert!(
                one.2[0].abs_diff(one.2[1]) <= 2 * sizes.width as u64,
                "they make as many visits: {one:?}"
            );
            enders.push(one.0);
        }
    }
    assert!(enders.contains(&Alternate::First) && enders.contains(&Alternate::Second), "{enders:?}");
}

#[test]
fn a_limit_on_both_leaves_either_one_to_continue() {
    let fixture = chain_beside_cycles();
    let (all, _) = alone(&fixture, Order::Bfs, 2);
    for rounds in [false, true] {
        for continues_first in [false, true] {
            let sizes = RoundSizes { after: 3, width: 4, chunk: 1 };
            let plain = || fixture.search(Order::Bfs);
            let (mut first, mut second) =
                (if rounds { in_rounds(&fixture, 2, sizes) } else { plain() }, fixture.search(Order::Dfs));
            let limits = Limits { states: Some(all), ..Limits::default() };
            let mut budget = Budget::new(limits, None);
            let (ender, ended, visits) = both(&fixture, 2, (&mut first, &mut second), &mut budget);
            assert_eq!((ender, ended), (Alternate::Both, Ended::Exhausted(Exhausted::States)));
            assert!(visits[0].max(visits[1]) < all, "{visits:?}");
            let search = if continues_first { &mut first } else { &mut second };
            let mut observer = search.goal(Some(&fixture.at[2]));
            let ended = search.explore_in_rounds(&mut observer, &mut unlimited(), &mut quiet());
            assert_eq!((ended, search.visited()), (Ended::Complete, all));
        }
    }
}
