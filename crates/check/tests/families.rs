//! The benchmark families, explored in full: the counts that another checker reports must come out.
//!
//! Figures by equality depend on nothing but the abstraction and must agree exactly. So must those by inclusion
//! and by a_LU, since transitions are taken in the order of the text.

use std::time::Instant;

use tourbillon_base::SourceMap;
use tourbillon_check::{
    Abstraction, BoundsScope, Cover, Job, Limits, Order, Stats, TraceKind, Wishes, check,
};
use tourbillon_gen::{Algorithm, Bounds, Extrapolation, Known, families};

/// What the command line would ask for to repeat a measurement.
fn wishes(known: &Known) -> Wishes {
    let scope = |bounds: Bounds| match bounds {
        Bounds::Global => BoundsScope::Global,
        Bounds::Local => BoundsScope::Local,
    };
    let (abstraction, bounds) = match known.extrapolation {
        Extrapolation::None => (Abstraction::None, BoundsScope::Local),
        Extrapolation::M(bounds) => (Abstraction::ExtraM, scope(bounds)),
        Extrapolation::MPlus(bounds) => (Abstraction::ExtraMPlus, scope(bounds)),
        Extrapolation::Lu(bounds) => (Abstraction::ExtraLu, scope(bounds)),
        Extrapolation::LuPlus(bounds) => (Abstraction::ExtraLuPlus, scope(bounds)),
    };
    Wishes {
        abstraction: Some(abstraction),
        bounds: Some(bounds),
        cover: Some(match known.algorithm {
            Algorithm::Reach => Cover::Equality,
            Algorithm::CovReach => Cover::Inclusion,
            Algorithm::AluCovReach => Cover::Alu,
        }),
        order: Some(match known.order {
            tourbillon_gen::Order::Bfs => Order::Bfs,
            tourbillon_gen::Order::Dfs => Order::Dfs,
        }),
        trace: TraceKind::None,
        ..Wishes::default()
    }
}

fn explore(text: &str, wishes: &Wishes) -> Stats {
    let (model, diagnostics) = tourbillon_front_tchecker::load("family.tck", text, &mut SourceMap::new());
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let job = Job { model: &model, queries: None, wishes, limits: Limits::default(), stop: None };
    let answers = check(&job, &mut |_| {}).expect("a family can be compiled");
    answers[0].stats
}

/// Explorations that would take long in a test run are left to `tourbillon bench`.
const TRANSITIONS_MAX: u64 = 400_000;

#[test]
fn counts_are_those_of_the_peer() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for family in families() {
        for known in family.known().iter().filter(|known| known.transitions <= TRANSITIONS_MAX) {
            let text = family.tck(known.n).expect("a member");
            let started = Instant::now();
            let stats = explore(&text, &wishes(known));
            compared += 1;
            let found = (stats.stored, stats.visited, stats.transitions);
            if found != (known.stored, known.visited, known.transitions) {
                wrong.push(format!(
                    "{} {known:?}: found {found:?} in {:?}",
                    family.name(),
                    started.elapsed()
                ));
            }
            if known.algorithm != Algorithm::Reach {
                assert_eq!(
                    stats.stored + stats.covered,
                    stats.transitions + 1,
                    "{} {known:?}",
                    family.name()
                );
            }
        }
    }
    assert!(compared > 100, "hardly anything to compare: {compared}");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}
