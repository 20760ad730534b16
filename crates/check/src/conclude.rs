//! From the evidence of a search to an answer with a run.
//!
//! Every engine that searches for a state ends in one of a few ways, and the meaning of each for a property is the same for all
//! engines. A state that was found, or failed, comes with its path, as the ordinals of transitions; it is irrelevant here where its
//! nodes are stored, and on how many ranks. The path is followed again with exact zones, and its run is replayed before a verdict is
//! based on it (`path.rs`).
//!
//! If zones over-approximate, the path may have no run. Then the search is repeated with polyhedra, which are exact (`polyhedra/`),
//! and their result decides.

use std::fmt;
use std::time::Duration;

use tourbillon_model::Model;
use tourbillon_replay::{Semantics, Violation};
use tourbillon_search::{Budget, Ended, Exhausted, Limits, Stats};
use tourbillon_store::{Certainty, NodeId};
use tourbillon_system::RuntimeError;
use tourbillon_zonegraph::{Options, ZoneGraph};

use crate::answer::{Answer, Verdict, Why};
use crate::path::{self, Goal, RealiseError, Witness};
use crate::plan::TraceKind;
use crate::polyhedra::explore::{Exploration, PolyhedraResult};
use crate::prepare::Prepared;
use crate::property::Property;
use crate::route::PathStep;
use crate::several::{self, Others, Several};
use crate::symmetry;

/// How a search for a state ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// A state meets the goal.
    Found {
        /// The ordinals of the transitions that led there, if they were kept.
        path: Option<Vec<u32>>,
    },
    /// No reachable state satisfies the goal: all were visited.
    Complete,
    /// A limit was reached.
    Exhausted(Exhausted),
    /// The model failed.
    Failed {
        error: RuntimeError,
        /// The ordinals of the transitions to its state; `None` for the initial state, or if they were not stored.
        path: Option<Vec<u32>>,
    },
    /// A bound of a zone exceeded the largest representable constant.
    Overflowed,
}

impl Evidence {
    /// The evidence of a search; `path` computes the path of a node.
    pub(crate) fn of(ended: Ended, path: impl FnOnce(NodeId) -> Option<Vec<u32>>) -> Self {
        match ended {
            Ended::Found { node, .. } => Self::Found { path: path(node) },
            Ended::Complete | Ended::Enough => Self::Complete,
            Ended::Exhausted(what) => Self::Exhausted(what),
            Ended::Failed(failure) => {
                Self::Failed { error: failure.error, path: failure.node.and_then(path) }
            }
            Ended::Overflowed => Self::Overflowed,
        }
    }
}

/// A verdict with its reason and a run.
pub(crate) type Conclusion = (Verdict, Why, Option<Witness>);

impl Prepared<'_> {
    /// The answer by the evidence of a search, with a replayed run.
    #[must_use]
    pub fn answer(&self, evidence: Evidence, stats: Stats, time: Duration) -> Answer {
        let left = self.limits().time.map(|limit| limit.saturating_sub(time));
        let mut budget = Budget::new(Limits { time: left, ..*self.limits() }, None);
        let conclusion = self.conclude(self.goal(), evidence, stats.certainty, &mut budget);
        Answer { stats, time, ..self.concluded(conclusion) }
    }

    /// The answer that the verdict is unknown.
    #[must_use]
    pub fn unknown(&self, why: Why, stats: Stats, time: Duration) -> Answer {
        Answer { stats, time, ..self.concluded((Verdict::Unknown, why, None)) }
    }

    /// An answer without statistics.
    pub(crate) fn concluded(&self, (verdict, why, witness): Conclusion) -> Answer {
        let plan = Some(self.plan().clone());
        Answer { plan, witness, ..Answer::new(self.query(), verdict, why) }
    }

    /// The verdict with its reason and a run.
    pub(crate) fn conclude(
        &self,
        goal: Option<Goal<'_>>,
        evidence: Evidence,
        certainty: Option<Certainty>,
        budget: &mut Budget<'_>,
    ) -> Conclusion {
        let (found, complete) = self.meaning();
        match evidence {
            // If no state was offered, none was omitted.
            Evidence::Complete if let Some(certainty) = certainty.filter(|it| it.states > 0) => {
                let why = if certainty.stopped { Why::TableFull } else { Why::MayOmit };
                (Verdict::Unknown, why(certainty), None)
            }
            Evidence::Complete => (complete, Why::Complete, None),
            Evidence::Exhausted(what) => (Verdict::Unknown, Why::Exhausted(what), None),
            Evidence::Overflowed => (Verdict::Unknown, Why::Overflowed, None),
            Evidence::Failed { error, path } => {
                match self.failure(error, path.as_deref()) {
                    (Why::MayFail(error), _) => {
                        // An exploration would still be incomplete.
                        let complete = goal.map(|_| complete);
                        self.search_exactly(goal, (found, complete), |_| Why::MayFail(error), budget).0
                    }
                    (why, witness) => (Verdict::Unknown, why, witness),
                }
            }
            Evidence::Found { path } => match path.map(|path| self.realise(&path, goal)) {
                None if self.plan().over_approximates => {
                    let why = "its path is not known".to_owned();
                    (Verdict::Unknown, Why::NotReplayed(why), None)
                }
                None => (found, Why::Found, None),
                Some(Ok(witness)) => (found, Why::Found, self.plan().shows_runs().then_some(witness)),
                // The verdict is known; only the computation of a run was interrupted.
                Some(Err(RealiseError::Interrupted)) if !self.plan().over_approximates => {
                    (found, Why::Found, None)
                }
                Some(Err(RealiseError::Failed(why))) => (Verdict::Unknown, Why::NotReplayed(why), None),
                Some(Err(_)) => {
                    self.search_exactly(goal, (found, Some(complete)), Why::NotReplayed, budget).0
                }
            },
        }
    }

    /// The reason for a failure of the model after a path, and a run to it. If zones over-approximate, a failure counts
    /// only if the replay fails at the end of that run as well.
    pub(crate) fn failure(&self, error: RuntimeError, path: Option<&[u32]>) -> (Why, Option<Witness>) {
        let why = Why::of_error(error, self.plan().over_approximates);
        if let Why::TooMany(_) | Why::Exhausted(_) = why {
            return (why, None);
        }
        let witness = path.and_then(|path| {
            let realised = self.with_steps(path, self.options(), |steps| {
                path::realise_failure(self.model(), self.system(), steps)
            });
            self.assert_realisable(&realised);
            realised.ok()
        });
        if self.plan().over_approximates && !fails_after(self.model(), witness.as_ref()) {
            return (why, None);
        }
        (Why::Failed(error), witness.filter(|_| self.plan().shows_runs()))
    }

    /// Decides a property with polyhedra alone. Returns the number of polyhedra as well.
    pub(crate) fn decide_exactly(
        &self,
        goal: Option<Goal<'_>>,
        budget: &mut Budget<'_>,
    ) -> (Conclusion, usize) {
        let (found, complete) = self.meaning();
        self.search_exactly(goal, (found, Some(complete)), Why::NotReplayed, budget)
    }

    /// The verdicts if a state is found, and if none is.
    fn meaning(&self) -> (Verdict, Verdict) {
        match self.property() {
            Property::Reachability(it) | Property::Deadlock(it) => (it.found, it.found.opposite()),
            // These have conclusions of their own, or none.
            Property::Exploration | Property::Liveness(_) | Property::Bounds(_) => {
                (Verdict::Satisfied, Verdict::Satisfied)
            }
        }
    }

    /// Searches with polyhedra where zones found a path without a run. `otherwise` is the reason if that does not
    /// decide either.
    fn search_exactly(
        &self,
        goal: Option<Goal<'_>>,
        (found, complete): (Verdict, Option<Verdict>),
        otherwise: impl FnOnce(String) -> Why,
        budget: &mut Budget<'_>,
    ) -> (Conclusion, usize) {
        let shortest = self.plan().trace == TraceKind::Shortest;
        let mut exploration = Exploration::new(self.system(), self.analysis(), goal).shortest(shortest);
        let ended = exploration.run(budget);
        let stored = exploration.stored();
        let unknown = |why| (Verdict::Unknown, why, None);
        let conclusions = match (ended, complete) {
            (PolyhedraResult::Found(run), _) => match path::replayed(self.model(), run, goal) {
                Ok(witness) => (found, Why::Found, self.plan().shows_runs().then_some(witness)),
                Err(error) => unknown(otherwise(error.to_string())),
            },
            (PolyhedraResult::Complete, Some(complete)) => (complete, Why::Complete, None),
            (PolyhedraResult::Failed(error, run), _) => {
                let witness = run.and_then(|run| path::replayed(self.model(), run, None).ok());
                let fails = fails_after(self.model(), witness.as_ref());
                let witness = witness.filter(|_| fails && self.plan().shows_runs());
                (Verdict::Unknown, Why::of_error(error, !fails), witness)
            }
            (PolyhedraResult::Exhausted(what), _) => unknown(Why::Exhausted(what)),
            (PolyhedraResult::LimitReached | PolyhedraResult::Complete, _) => {
                unknown(otherwise(format!("a search with {stored} polyhedra found no run and is incomplete")))
            }
            (PolyhedraResult::TooLarge, _) => {
                unknown(otherwise(format!("constants got too large in a search with {stored} polyhedra")))
            }
        };
        (conclusions, stored)
    }

    /// Runs along different paths to a goal that was found.
    pub(crate) fn several(&self, wanted: usize, goal: Goal<'_>, budget: &mut Budget<'_>) -> Several {
        let realise = |path: &[u32]| {
            let steps = path::steps(path);
            let realised = path::realise(self.model(), self.system(), &steps, Some(goal));
            self.assert_realisable(&realised);
            realised.ok()
        };
        let mut several = several::several(wanted, self, goal, budget, &realise);
        if self.plan().over_approximates && several.others == Others::None {
            // A path of zones ends at a state that may satisfy the goal, and a run may be longer.
            several.others = Others::NotSearched;
        }
        several
    }

    /// The run along a path.
    fn realise(&self, path: &[u32], goal: Option<Goal<'_>>) -> Result<Witness, RealiseError> {
        let realised = self.with_steps(path, self.options(), |steps| {
            path::realise(self.model(), self.system(), steps, goal)
        });
        self.assert_realisable(&realised);
        realised
    }

    /// Passes on the steps of a path in the graph with these options: those of a run, if the graph has representatives.
    pub(crate) fn with_steps<T>(
        &self,
        path: &[u32],
        options: Options,
        realise: impl FnOnce(&[PathStep<'_>]) -> Result<T, RealiseError>,
    ) -> Result<T, RealiseError> {
        let found = self.symmetry_used().filter(|_| options.symmetry.is_some());
        let Some(found) = found else { return realise(&path::steps(path)) };
        match symmetry::unfold(ZoneGraph::new(self.system(), options), found, path) {
            Ok(Some(actions)) => {
                realise(&actions.iter().map(|action| PathStep::Edges(action)).collect::<Vec<_>>())
            }
            Err(error) if error.is_cancelled() => Err(RealiseError::Interrupted),
            _ => Err(RealiseError::Infeasible),
        }
    }

    fn assert_realisable(&self, realised: &Result<Witness, RealiseError>) {
        debug_assert!(
            matches!(realised, Ok(_) | Err(RealiseError::Failed(_) | RealiseError::Interrupted))
                || self.plan().over_approximates,
            "an exact plan found a path without a run: {realised:?}"
        );
    }
}

/// Whether the replay fails as well, at the end of the run or in the initial state if there is none.
pub(crate) fn fails_after(model: &Model, witness: Option<&Witness>) -> bool {
    let semantics = Semantics::new(model);
    match witness.map(|witness| &witness.last) {
        Some(last) => semantics.successors(last).is_err(),
        None => matches!(semantics.initial(), Err(Violation::Error(_))),
    }
}

impl fmt::Display for RealiseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("a limit was reached while delays were computed for its path"),
            Self::Infeasible => f.write_str("its path has no delays: no run takes it"),
            Self::Rejected(why) | Self::Failed(why) => f.write_str(why),
        }
    }
}
