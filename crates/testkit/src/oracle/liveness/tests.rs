//! Time divergence by a tick clock, against the criterion without one.

use super::*;
use crate::networks::{Network, Shape};

const STATES_MAX: usize = 3_000;

/// Whether time can diverge within a component of a graph without ticks, as `[AlurDill1994]` would have it for clocks
/// that are set to 0 only.
fn diverges(oracle: &LivenessOracle<'_>, component: &[usize], ceiling: i64) -> bool {
    let ceiling = Rational::from_integer(ceiling);
    let shows = |clock: usize, is: &dyn Fn(Rational) -> bool| {
        component.iter().any(|&node| is(oracle.graph.nodes[node].state.clocks[clock]))
    };
    let clocks = 0..oracle.semantics.model().clocks.len();
    oracle.has_inside(component, |step, _| step != Step::Action)
        && clocks.into_iter().all(|clock| {
            shows(clock, &|value| value > ceiling)
                || shows(clock, &|value| value == Rational::ZERO)
                    && shows(clock, &|value| value > Rational::ZERO)
        })
}

/// Whether `E[]` of a predicate holds along a run in which time diverges, without ticks.
fn lasts_by_criterion(oracle: &LivenessOracle<'_>, kept: &[bool], ceiling: i64) -> bool {
    let mut lasting = vec![false; kept.len()];
    for component in components(kept, |node| oracle.graph.nodes[node].targets()) {
        let leads = |&node: &usize| oracle.graph.nodes[node].targets().any(|target| lasting[target]);
        let lasts = diverges(oracle, &component, ceiling) || component.iter().any(leads);
        component.iter().for_each(|&node| lasting[node] = lasts);
    }
    lasting[0]
}

/// What both ways say of each `E[]` and `A<>` of a network.
fn compared(network: &Network) -> Option<Vec<(bool, bool)>> {
    let model = network.model().expect("a model");
    let without = LivenessOracle::by_regions(&model, false, STATES_MAX).ok()?;
    let with = LivenessOracle::by_regions(&model, true, 4 * STATES_MAX).ok()?;
    let ceiling = above_a_tick(Ceilings::of(&model).ok()?).single;
    let mut pairs = Vec::new();
    for query in &model.queries {
        let (predicate, wanted) = match query.kind {
            QueryKind::PotentiallyAlways(p) => (p, true),
            QueryKind::Eventually(p) => (p, false),
            _ => continue,
        };
        let kept = |oracle: &LivenessOracle<'_>| oracle.where_it_is(predicate, query.frame, wanted);
        let ticking = with.lasting(&kept(&with).ok()?)[0];
        pairs.push((ticking, lasts_by_criterion(&without, &kept(&without).ok()?, ceiling)));
    }
    Some(pairs)
}

#[test]
fn ticks_and_the_criterion_without_them_agree() {
    let (mut divergent, mut all) = (0, 0);
    for (name, shape) in Shape::ALL {
        let shape = Shape { liveness: true, values: false, errors: false, ..shape };
        for seed in 0..100 {
            let network = Network::random(seed, shape);
            let Some(pairs) = compared(&network) else { continue };
            for (ticking, criterion) in pairs {
                assert_eq!(ticking, criterion, "shape {name}, seed {seed}\n{network}");
                divergent += usize::from(ticking);
                all += 1;
            }
        }
    }
    assert!(divergent > 100 && all - divergent > 100, "{divergent} of {all} diverge");
}
