//! The search for an infinite run: two searches put together, and what comes of them.
//!
//! With a premise, a search of everything that can be reached hands each state in which it holds to the search for cycles,
//! which keeps what it found out from one start to the next. Without, the search for cycles begins at the start.

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_dbm::{Clock, Constant, Dbm};
use tourbillon_model::{self as model, CellId, CellKind, Model, Range};
use tourbillon_search::{Budget, Components, Cycles, Ended, Endless, Exhausted, Nested, Search, Stats};
use tourbillon_store::{NodeId, build, build_coloured};
use tourbillon_system::{Predicate, RuntimeError, StateFormula, System};
use tourbillon_zonegraph::{Options, PredicateEvaluator, TICK, Ticks, ZoneGraph};

use super::lasso::{self, Case, Lasso};
use crate::path::{self, Unrealised, Witness};
use crate::plan::CycleSearch;
use crate::prepare::Prepared;
use crate::setup;

/// The model with one more clock and one more cell, which are used to tell that time passes.
pub(crate) fn with_ticks(model: &Model) -> (Model, CellId) {
    let mut model = model.clone();
    let span = Span::new(SourceId::from_index(0), 0, 0);
    model.clocks.push(model::Clock { name: "tick".to_owned(), initial: 0, span });
    let range = Range { min: 0, max: 1 };
    let cell =
        model.cells.push(model::Cell { name: "ticked".to_owned(), range, initial: 0, kind: CellKind::State });
    (model, cell)
}

/// How time is told in a system that was compiled from such a model.
pub(crate) fn ticks(system: &System, cell: CellId) -> Ticks {
    Ticks { clock: Clock::from_index(system.dimension.clocks()), field: system.layout.slot(cell) }
}

/// How a liveness search ended.
pub(crate) enum LivenessEnd {
    /// There is no such run.
    Nothing,
    Found(Lasso),
    Exhausted(Exhausted),
    /// With the path that leads there, if it is one from the start.
    Failed(Option<Vec<u32>>, RuntimeError),
    Overflowed,
}

/// Looking for a run.
pub(crate) struct LivenessSearch<'a> {
    pub(crate) prepared: &'a Prepared<'a>,
    /// Where runs begin: wherever this holds, or at the start if there is none.
    pub(crate) premise: Option<&'a Predicate>,
    /// What never happens along them.
    pub(crate) avoid: Option<&'a Predicate>,
    /// What else they must do.
    pub(crate) cycles: Cycles,
}

impl LivenessSearch<'_> {
    /// Turns what was found into a run of the model, along which something never happens, and has it checked.
    pub(crate) fn realise(
        &self,
        lasso: &Lasso,
        never: Option<StateFormula>,
        budget: &Budget<'_>,
    ) -> Result<Witness, Unrealised> {
        let prepared = self.prepared;
        let realised = lasso::realise(&Case {
            model: prepared.model(),
            system: prepared.system(),
            lasso,
            premise: self.premise,
            avoid: self.avoid,
            never,
            ticks: prepared.ticks(),
            horizon: setup::horizon(prepared.system(), prepared.analysis()),
            exact_only: prepared.plan().must_replay(),
            budget,
        });
        debug_assert!(
            prepared.plan().must_replay()
                || matches!(realised, Ok(_) | Err(Unrealised::Failed(_) | Unrealised::Interrupted)),
            "an exact plan found a run that is none: {realised:?}"
        );
        realised
    }

    /// Looks for one.
    pub(crate) fn run(
        &self,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> (LivenessEnd, Stats) {
        let mut cycles = self.cycle_search();
        let Some(premise) = self.premise else {
            let endless = cycles.search_from_start(budget, progress);
            return (self.outcome(Some(Vec::new()), endless), cycles.stats());
        };
        let list = build(&self.prepared.settings());
        let mut search = Search::new(self.prepared.graph(), list, self.prepared.cost_function());
        let outcome = self.search_from_premises(premise, &mut search, &mut cycles, budget, progress);
        budget.count_besides(&Stats::default());
        (outcome, search.stats().and(&cycles.stats()))
    }

    /// Looks from every state in which the premise holds.
    fn search_from_premises(
        &self,
        premise: &Predicate,
        search: &mut Search<'_>,
        cycles: &mut Searched<'_>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> LivenessEnd {
        let mut evaluator = PredicateEvaluator::new(self.prepared.system());
        loop {
            let other = cycles.stats();
            budget.count_besides(&other);
            let (node, state) = match search.advance(budget, &mut |stats| progress(&stats.and(&other))) {
                Ok(next) => next,
                Err(Ended::Complete | Ended::Enough | Ended::Found { .. }) => return LivenessEnd::Nothing,
                Err(Ended::Exhausted(what)) => return LivenessEnd::Exhausted(what),
                Err(Ended::Overflowed) => return LivenessEnd::Overflowed,
                Err(Ended::Failed(failure)) => {
                    let path = failure.node.and_then(|node| path::ordinals(search.list(), node));
                    return LivenessEnd::Failed(path, failure.error);
                }
            };
            let parts = match evaluator.parts(premise, &state.memory, &state.zone) {
                Ok(parts) => parts.unwrap_or_else(|| vec![state.zone.clone()]),
                Err(error) => {
                    return match Exhausted::of_cancelled(&error) {
                        Some(what) => LivenessEnd::Exhausted(what),
                        None => LivenessEnd::Failed(path::ordinals(search.list(), node), error),
                    };
                }
            };
            let memory = if parts.is_empty() { Vec::new() } else { state.memory.clone() };
            for part in parts {
                let other = search.stats();
                budget.count_besides(&other);
                let endless = cycles.search_from(&memory, &part, budget, &mut |stats| {
                    progress(&other.and(stats));
                });
                if endless != Endless::Nothing {
                    return self.outcome(self.lead(search, node), endless);
                }
            }
        }
    }

    /// The transitions to a node, as far as they are known.
    fn lead(&self, search: &Search<'_>, node: NodeId) -> Option<Vec<u32>> {
        path::ordinals(search.list(), node)
    }

    fn outcome(&self, lead: Option<Vec<u32>>, endless: Endless) -> LivenessEnd {
        match endless {
            Endless::Nothing => LivenessEnd::Nothing,
            Endless::Cycle { stem, cycle } => {
                LivenessEnd::Found(Lasso { lead: lead.unwrap_or_default(), stem, cycle, how: None })
            }
            Endless::End { stem, how } => LivenessEnd::Found(Lasso {
                lead: lead.unwrap_or_default(),
                stem,
                cycle: Vec::new(),
                how: Some(how),
            }),
            Endless::Exhausted(what) => LivenessEnd::Exhausted(what),
            Endless::Failed(stem, error) => {
                let path =
                    |lead: Vec<u32>| lead.into_iter().chain(stem).filter(|&step| step != TICK).collect();
                LivenessEnd::Failed(lead.map(path), error)
            }
            Endless::Overflowed => LivenessEnd::Overflowed,
        }
    }

    fn cycle_search(&self) -> Searched<'_> {
        let (prepared, system) = (self.prepared, self.prepared.system());
        let mut analysis = prepared.analysis().clone();
        if let Some(ticks) = prepared.ticks() {
            let one = Constant::from(1);
            analysis.global.raise(ticks.clock, one);
            for bounds in analysis.local.iter_mut().flat_map(|process| process.iter_mut()) {
                bounds.raise(ticks.clock, one);
            }
        }
        let options = Options {
            avoid: self.avoid.cloned(),
            ticks: prepared.ticks(),
            ..setup::options(system, &analysis, prepared.plan())
        };
        let cycles = self.cycles.clone();
        let graph = ZoneGraph::new(system, options);
        let nodes = build_coloured(&prepared.settings());
        match prepared.plan().cycles {
            Some(CycleSearch::Components) => Searched::Components(Components::new(graph, nodes, cycles)),
            _ => Searched::Nested(Nested::new(graph, nodes, cycles)),
        }
    }
}

/// A search for cycles, of either kind.
enum Searched<'s> {
    Nested(Nested<'s>),
    Components(Components<'s>),
}

impl Searched<'_> {
    fn search_from_start(&mut self, budget: &mut Budget<'_>, progress: &mut dyn FnMut(&Stats)) -> Endless {
        match self {
            Self::Nested(search) => search.search_from_start(budget, progress),
            Self::Components(search) => search.search_from_start(budget, progress),
        }
    }

    fn search_from(
        &mut self,
        memory: &[i32],
        zone: &Dbm,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Endless {
        match self {
            Self::Nested(search) => search.search_from(memory, zone, budget, progress),
            Self::Components(search) => search.search_from(memory, zone, budget, progress),
        }
    }

    fn stats(&self) -> Stats {
        match self {
            Self::Nested(search) => search.stats(),
            Self::Components(search) => search.stats(),
        }
    }
}
