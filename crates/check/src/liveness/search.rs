//! The liveness search: cycle detection from the initial state, or from every reachable state that satisfies a premise.
//!
//! With a premise, an exploration of all reachable states starts a cycle detection in each state that satisfies it. The cycle
//! detection keeps its red nodes from one start to the next.

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_base::{Id, SourceId, Span};
use tourbillon_dbm::{Clock, Constant};
use tourbillon_model::{self as model, CellId, CellKind, Model, Range};
use tourbillon_search::{
    Budget, Components, CycleDetection, CycleSearchResult, Ended, Exhausted, Nested, RunCondition, Search,
    Start, Stats,
};
use tourbillon_store::{build, build_coloured};
use tourbillon_system::{Predicate, RuntimeError, StateFormula, System};
use tourbillon_zonegraph::{Options, PredicateEvaluator, TICK, Ticks, ZoneGraph};

use super::lasso::{self, Case, Lasso, LassoStep};
use crate::certificate::Certificate;
use crate::path::{RealiseError, Witness};
use crate::plan::CycleSearch;
use crate::prepare::Prepared;
use crate::{setup, symmetry};

/// The model with a tick clock, and a cell that is 1 after a tick.
pub(crate) fn with_ticks(model: &Model) -> (Model, CellId) {
    let mut model = model.clone();
    let span = Span::new(SourceId::from_index(0), 0, 0);
    model.clocks.push(model::Clock { name: "tick".to_owned(), initial: 0, span });
    let range = Range { min: 0, max: 1 };
    let cell =
        model.cells.push(model::Cell { name: "ticked".to_owned(), range, initial: 0, kind: CellKind::State });
    (model, cell)
}

/// The tick clock and its field in a system that was compiled from such a model.
pub(crate) fn ticks(system: &System, cell: CellId) -> Ticks {
    Ticks { clock: Clock::from_index(system.dimension.clocks()), field: system.layout.slot(cell) }
}

/// How a liveness search ended.
pub(crate) enum LivenessEnd {
    /// There is no such run.
    NotFound,
    Found(Lasso),
    Exhausted(Exhausted),
    /// With the path that leads there, if it is one from the start.
    Failed(Option<Vec<u32>>, RuntimeError),
    Overflowed,
}

/// A search for a maximal run.
pub(crate) struct LivenessSearch<'a> {
    pub(crate) prepared: &'a Prepared<'a>,
    /// Runs begin in every reachable state that satisfies this, or in the initial state.
    pub(crate) premise: Option<&'a Predicate>,
    /// What never holds along them.
    pub(crate) avoid: Option<&'a Predicate>,
    pub(crate) condition: RunCondition,
}

impl LivenessSearch<'_> {
    /// Computes a concrete run along a lasso, along which a formula never holds, and replays it.
    pub(crate) fn realise(
        &self,
        lasso: &Lasso,
        never: Option<StateFormula>,
        budget: &Budget<'_>,
    ) -> Result<Witness, RealiseError> {
        let prepared = self.prepared;
        let unfolded = match prepared.symmetry_used() {
            Some(found) => match symmetry::unfold_lasso(prepared, found, lasso, self.premise.is_some()) {
                Ok(Some(unfolded)) => Some(unfolded),
                // The cycle of representatives is known; only its run takes too long.
                Ok(None) => return Err(RealiseError::Interrupted),
                Err(error) if error.is_cancelled() => return Err(RealiseError::Interrupted),
                Err(_) => return Err(RealiseError::Infeasible),
            },
            None => None,
        };
        let lasso = unfolded.as_ref().unwrap_or(lasso);
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
                || matches!(realised, Ok(_) | Err(RealiseError::Failed(_) | RealiseError::Interrupted)),
            "an exact plan found a run that is none: {realised:?}"
        );
        realised
    }

    pub(crate) fn run(
        &self,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> (LivenessEnd, Stats, Option<Certificate>) {
        let mut cycles = self.cycle_detection();
        let Some(premise) = self.premise else {
            let result = cycles.search(Start::Initial, budget, progress);
            let end = liveness_end(Some(Vec::new()), result);
            let certificate = self.certificate(&end, &mut *cycles, None);
            return (end, cycles.stats(), certificate);
        };
        let list = build(&self.prepared.settings());
        let mut search = Search::new(self.prepared.graph(), list, self.prepared.cost_function());
        let end = self.search_from_premises(premise, &mut search, &mut *cycles, budget, progress);
        budget.count_others(&Stats::default());
        let certificate = self.certificate(&end, &mut *cycles, Some(&search));
        (end, search.stats().and(&cycles.stats()), certificate)
    }

    /// The certificate that there is no run, if the plan wants one; `reach` is the exploration that premises were found in.
    fn certificate(
        &self,
        end: &LivenessEnd,
        cycles: &mut dyn CycleDetection,
        reach: Option<&Search<'_>>,
    ) -> Option<Certificate> {
        if !self.prepared.plan().certifies || !matches!(end, LivenessEnd::NotFound) {
            return None;
        }
        let mut states = self.prepared.ranked_states();
        cycles.for_each_ranked(&mut |discrete, zone, rank| states.add(discrete, zone, rank));
        let ranked = self.prepared.ranked_invariant(states);
        Some(match reach {
            _ if self.avoid.is_none() => Certificate::recurrence(ranked),
            None => Certificate::avoid(ranked, None),
            Some(search) => Certificate::avoid(ranked, self.prepared.invariant(search.list())),
        })
    }

    /// Starts the cycle detection in every reachable state that satisfies the premise.
    fn search_from_premises(
        &self,
        premise: &Predicate,
        search: &mut Search<'_>,
        cycles: &mut dyn CycleDetection,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> LivenessEnd {
        let mut evaluator = PredicateEvaluator::new(self.prepared.system());
        loop {
            let other = cycles.stats();
            budget.count_others(&other);
            let (node, state) = match search.advance(budget, &mut |stats| progress(&stats.and(&other))) {
                Ok(next) => next,
                Err(Ended::Complete | Ended::Enough | Ended::Found { .. }) => return LivenessEnd::NotFound,
                Err(Ended::Exhausted(what)) => return LivenessEnd::Exhausted(what),
                Err(Ended::Overflowed) => return LivenessEnd::Overflowed,
                Err(Ended::Failed(failure)) => {
                    let path = failure.node.and_then(|node| search.path(node));
                    return LivenessEnd::Failed(path, failure.error);
                }
            };
            let parts = match evaluator.parts(premise, &state.memory, &state.zone) {
                Ok(Some(_)) if mutants::is(Mutant::PremiseForgotten) => Vec::new(),
                Ok(parts) => parts.unwrap_or_else(|| vec![state.zone.clone()]),
                Err(error) => {
                    return match Exhausted::of_cancelled(&error) {
                        Some(what) => LivenessEnd::Exhausted(what),
                        None => LivenessEnd::Failed(search.path(node), error),
                    };
                }
            };
            let memory = if parts.is_empty() { Vec::new() } else { state.memory.clone() };
            for part in parts {
                let other = search.stats();
                budget.count_others(&other);
                let start = Start::State { memory: &memory, zone: &part };
                let result = cycles.search(start, budget, &mut |stats| progress(&other.and(stats)));
                if result != CycleSearchResult::NotFound {
                    return liveness_end(search.path(node), result);
                }
            }
        }
    }

    fn cycle_detection(&self) -> Box<dyn CycleDetection + '_> {
        let (prepared, system) = (self.prepared, self.prepared.system());
        let mut analysis = prepared.analysis().clone();
        if let Some(ticks) = prepared.ticks() {
            let one = Constant::from(1);
            analysis.all_mut().for_each(|bounds| bounds.raise(ticks.clock, one));
        }
        let options = Options {
            avoid: self.avoid.cloned(),
            ticks: prepared.ticks(),
            symmetry: prepared.representatives(),
            ..setup::options(&analysis, prepared.plan())
        };
        let condition = self.condition.clone();
        let graph = ZoneGraph::new(system, options);
        let settings = prepared.settings();
        let nodes = build_coloured(&settings);
        match prepared.plan().cycles {
            Some(CycleSearch::Components) => {
                let rounds = setup::rounds(prepared.plan(), settings);
                let components = Components::new(graph, nodes, condition).in_rounds(rounds.as_ref());
                Box::new(components.numbering_components(prepared.plan().certifies))
            }
            _ => Box::new(Nested::new(graph, nodes, condition)),
        }
    }
}

/// The result of a cycle detection that started at the end of a path.
fn liveness_end(path: Option<Vec<u32>>, result: CycleSearchResult) -> LivenessEnd {
    match result {
        CycleSearchResult::NotFound => LivenessEnd::NotFound,
        CycleSearchResult::Cycle { stem, cycle } => LivenessEnd::Found(Lasso {
            premise_path: LassoStep::path(path.unwrap_or_default()),
            stem: LassoStep::path(stem),
            cycle: LassoStep::path(cycle),
            ending: None,
        }),
        CycleSearchResult::FiniteRun { stem, ending } => LivenessEnd::Found(Lasso {
            premise_path: LassoStep::path(path.unwrap_or_default()),
            stem: LassoStep::path(stem),
            cycle: Vec::new(),
            ending: Some(ending),
        }),
        CycleSearchResult::Exhausted(what) => LivenessEnd::Exhausted(what),
        CycleSearchResult::Failed(stem, error) => {
            let append = |path: Vec<u32>| path.into_iter().chain(stem).filter(|&step| step != TICK).collect();
            LivenessEnd::Failed(path.map(append), error)
        }
        CycleSearchResult::Overflowed => LivenessEnd::Overflowed,
    }
}
