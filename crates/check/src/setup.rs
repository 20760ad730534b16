//! From a plan to the options of the zone graph and the settings of the store.

use std::num::NonZero;

use tourbillon_dbm::Constant;
use tourbillon_search::Rounds;
use tourbillon_store::Settings;
use tourbillon_system::{Analysis, System};
use tourbillon_zonegraph::{Bounds, Options};

use crate::plan::{BoundsScope, Plan, RoundUse, TraceKind};

/// The options of the zone graph.
pub(crate) fn options(analysis: &Analysis, plan: &Plan) -> Options {
    Options {
        abstraction: plan.abstraction,
        bounds: match plan.bounds {
            BoundsScope::Global => Bounds::global(analysis),
            BoundsScope::Local => Bounds::local(&analysis.local),
            BoundsScope::Guarded => Bounds::local(&analysis.guarded),
        },
        reduce: plan.reduce,
        diagonals: if plan.split { analysis.diagonals.clone() } else { Vec::new() },
        avoid: None,
        ticks: None,
        symmetry: None,
    }
}

/// The settings of the store.
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

/// How a search with this list continues in rounds, if the plan has them.
pub(crate) fn rounds(plan: &Plan, settings: Settings) -> Option<Rounds> {
    let RoundUse::Rounds { threads, sizes } = plan.rounds else { return None };
    Some(Rounds { threads: self::threads(threads), sizes, settings })
}

/// The number of threads; all cores if no other number is requested.
pub(crate) fn threads(requested: Option<u32>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    requested.map_or_else(cores, |threads| threads as usize)
}

/// The largest constant that a clock is compared with.
pub(crate) fn horizon(system: &System, analysis: &Analysis) -> i32 {
    let constants = system.dimension.iter().filter_map(|clock| analysis.global.maximum(clock));
    constants.map(Constant::get).max().unwrap_or(0)
}
