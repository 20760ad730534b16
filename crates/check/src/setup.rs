//! From a plan to the parts of a search: what the stages of the zone graph do, and what the store is made of.

use tourbillon_dbm::Constant;
use tourbillon_store::{Cover, PassedWaiting, Settings};
use tourbillon_system::{Analysis, System};
use tourbillon_zonegraph::{Bounds, Options, ZoneGraph};

use crate::plan::{BoundsScope, Plan, TraceKind};

/// What the stages of the zone graph do.
pub(crate) fn options(system: &System, analysis: &Analysis, plan: &Plan) -> Options {
    Options {
        abstraction: plan.abstraction,
        bounds: match plan.bounds {
            BoundsScope::Global => Bounds::global(analysis),
            BoundsScope::Local => Bounds::local(system, analysis),
        },
        reduce: plan.reduce,
        diagonals: if plan.split { analysis.diagonals.clone() } else { Vec::new() },
        wants_bounds: plan.cover == Cover::Alu,
        avoid: None,
        ticks: None,
    }
}

/// What the store is made of.
pub(crate) fn settings(system: &System, plan: &Plan) -> Settings {
    Settings {
        ranges: system.ranges.iter().map(|range| (range.min, range.max)).collect(),
        split: system.layout.processes(),
        dimension: system.dimension,
        zones: plan.zones,
        diagrams: plan.diagrams,
        discrete: plan.discrete,
        tight: plan.tight,
        cover: plan.cover,
        waiting_inclusion: plan.waiting_inclusion,
        order: plan.wide_order().of_store(),
        seed: plan.seed,
        traces: plan.keeps_paths(),
        spare_waiting: plan.trace == TraceKind::Shortest,
    }
}

/// The largest number that a clock is compared with.
pub(crate) fn horizon(system: &System, analysis: &Analysis) -> i32 {
    let constants = system.dimension.iter().filter_map(|clock| analysis.global.maximum(clock));
    constants.map(Constant::get).max().unwrap_or(0)
}

/// What a search is made of: the zone graph with its stages, and an empty list.
pub(crate) fn parts<'s>(
    system: &'s System,
    analysis: &Analysis,
    plan: &Plan,
) -> (ZoneGraph<'s>, Box<dyn PassedWaiting>) {
    let graph = ZoneGraph::new(system, options(system, analysis, plan));
    (graph, tourbillon_store::build(&settings(system, plan)))
}
