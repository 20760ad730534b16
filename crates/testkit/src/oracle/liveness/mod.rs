//! The liveness oracle: explicit search for cycles.
//!
//! A run alternates delays and actions. It is *maximal* if
//!
//! - (a) it has infinitely many actions, whether or not time diverges along it; or
//! - (b) after its last action time diverges, as invariants and urgency allow; or
//! - (c) it comes to a state from which no action is possible after any delay: because there is none, or because an
//!   invariant, or a location or a channel that is urgent or committed, leaves no time for it. The time that is left
//!   is waited out; up to a strict bound that means all of it without its end.
//!
//! Waiting towards a bound while an action is possible all the time is not maximal: one of them has to be taken.
//!
//! - `E[] p`: along some maximal run `p` holds at every moment, those within delays and the last ones of (b) and (c)
//!   included.
//! - `A<> p`: not `E[] !p`.
//! - `p --> q`: from no state that can be reached, be it in the middle of a delay, and in which `p` holds, does a
//!   maximal run start along which `q` holds at no moment, its first included.
//! - *acceptance*: some run has infinitely many actions, and for each of several kinds of discrete states infinitely
//!   many of them lead to one `[Tripakis2009]`.
//!
//! If Zeno runs are left out, only those count along which time diverges: (b), and (a) with unbounded time.
//!
//! *From runs to a graph.* `graph.rs` builds the finite graph of all regions that can be reached, with an edge for each
//! action, and one for the delay into the next region. Points of one region can do the same up to regions
//! (`regions.rs`), and on the way into the next region a delay passes through these two only. So the runs along which
//! a predicate holds at every moment are the paths through the regions in which it holds:
//!
//! - (a) is an infinite path with infinitely many actions. Delays alone lead ever further and end, at the latest, where
//!   all clocks are above the ceiling.
//! - (b) is a path that ends there, if time can pass there. That gets an edge from the region to itself.
//! - (c) is a path to a region without any edge. Where no action is possible after any delay, delays lead to such a
//!   region or to (b).
//!
//! So there is a run of kind (a) or (b) from a region if and only if it leads to a cycle. What cycles there are is told
//! by the strongly connected components of the part of the graph in which the predicate holds (`components.rs`).
//!
//! *Divergence.* A cycle of regions does not tell how much time passes along it. So there is one more clock, which the
//! model does not know of: it is set to 0 whenever it shows 1, and the edge into that moment is called a *tick*. With
//! this clock in the regions, a path with infinitely many ticks is a run along which time diverges, and the other way
//! round. The tests compare this with the criterion of `[AlurDill1994]`, which needs no further clock: in some
//! component, time can pass, and each clock is above the ceiling somewhere, or is 0 somewhere and not 0 elsewhere.
//!
//! *Integer time.* [`verdicts_by_grid`] has actions at integer times only, and looks at the middle of each unit as well.
//! Every run it finds is one, and so is every deadlock, since between two integer times all clocks are between the
//! same two integers. The other way round let `p` be built by *and* and *or* from closed comparisons and from data, in a
//! network to which `grid.rs` applies. If `p` holds all along a run with actions at `t0 <= t1 <= ...`, then also with
//! `floor(t0), floor(t1), ...` instead: at a time `k + 1/2` of the new run clocks lie strictly between integers,
//! and so they do at a time just before `k + 1` of the old run, between the same integers; and what is closed and holds
//! at `k`, or at `ti` if that is in the same unit, holds when clocks are moved to their integer above or below as
//! rounding does. So for such predicates, and runs of kind (a) and (b), the grid finds all there is. Deadlocks it can
//! miss: rounding can make a guard true.
//!
//! Cost: that of the region graph, and with ticks that of one more clock.

mod components;
mod graph;

use tourbillon_base::Rational;
use tourbillon_model::{EvalErrorKind, ExprId, Model, Query, QueryKind};
use tourbillon_replay::{Semantics, Violation};

use super::ceilings::Ceilings;
use super::regions::Regions;
use super::{Discrete, Stop, Time, close_gaps};

use components::components;
use graph::{Graph, Step, TimeSteps};

/// Why an oracle does not decide a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OracleLimit {
    /// The initial state breaks an invariant.
    NoInitialState,
    /// There are more states than allowed.
    TooLarge,
    /// The model, or a query, goes wrong in some reachable state.
    Error(EvalErrorKind),
    /// The model has something that the oracle cannot decide, and what.
    Unsupported(&'static str),
}

impl From<Stop> for OracleLimit {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::TooLarge | Stop::Violation(Violation::TooPrecise) => Self::TooLarge,
            Stop::Violation(Violation::Error(error)) => Self::Error(error.kind),
            Stop::Violation(_) => Self::NoInitialState,
        }
    }
}

/// For each query of a model whether it is satisfied, by regions; nothing if it is neither `E[]`, `A<>` nor `-->`.
/// With `non_zeno` only runs along which time diverges count.
///
/// # Errors
/// If the model cannot be judged.
pub fn verdicts(model: &Model, non_zeno: bool, states_max: usize) -> Result<Vec<Option<bool>>, OracleLimit> {
    LivenessOracle::by_regions(model, non_zeno, states_max)?.verdicts()
}

/// The same in integer time; see above for when that is the truth.
///
/// # Errors
/// If the model cannot be judged.
pub fn verdicts_by_grid(
    model: &Model,
    non_zeno: bool,
    states_max: usize,
) -> Result<Vec<Option<bool>>, OracleLimit> {
    LivenessOracle::by_grid(model, non_zeno, states_max)?.verdicts()
}

/// Whether a query is satisfied; nothing if it asks for something else, or the model cannot be judged.
#[must_use]
pub fn holds(model: &Model, query: &Query, non_zeno: bool, states_max: usize) -> Option<bool> {
    LivenessOracle::by_regions(model, non_zeno, states_max).ok()?.verdict(query).ok()?
}

/// Whether some run has infinitely many actions, of which for each kind infinitely many lead to a state of that kind.
///
/// # Errors
/// If the model cannot be judged.
pub fn accepts(
    model: &Model,
    kinds: &[&dyn Fn(&Discrete) -> bool],
    non_zeno: bool,
    states_max: usize,
) -> Result<bool, OracleLimit> {
    Ok(LivenessOracle::by_regions(model, non_zeno, states_max)?.accepts(kinds))
}

/// Whether the locations of a discrete state have all of these labels between them.
#[must_use]
pub fn is_labelled(model: &Model, discrete: &Discrete, labels: &[&str]) -> bool {
    let places = || model.processes.iter().zip(&discrete.locations);
    let has = |label: &str| {
        places().any(|(process, &here)| process.locations[here].labels.iter().any(|own| own == label))
    };
    labels.iter().all(|label| has(label))
}

/// A model's graph, and which runs count.
struct LivenessOracle<'m> {
    semantics: Semantics<'m>,
    graph: Graph,
    non_zeno: bool,
}

impl<'m> LivenessOracle<'m> {
    fn by_regions(model: &'m Model, non_zeno: bool, states_max: usize) -> Result<Self, OracleLimit> {
        let ceilings = Ceilings::of(model).map_err(OracleLimit::Unsupported)?;
        let passing = TimeSteps { ticks: non_zeno, actions_at_ticks: false };
        Self::new(model, &Regions { ceilings: above_a_tick(ceilings) }, passing, non_zeno, states_max)
    }

    fn by_grid(model: &'m Model, non_zeno: bool, states_max: usize) -> Result<Self, OracleLimit> {
        let ceilings = Ceilings::of(model).map_err(OracleLimit::Unsupported)?;
        let passing = TimeSteps { ticks: true, actions_at_ticks: true };
        Self::new(model, &HalfGrid { ceilings: above_a_tick(ceilings) }, passing, non_zeno, states_max)
    }

    fn new(
        model: &'m Model,
        time: &impl Time,
        passing: TimeSteps,
        non_zeno: bool,
        states_max: usize,
    ) -> Result<Self, OracleLimit> {
        let semantics = Semantics::new(model);
        let graph = Graph::explore(semantics.clone(), time, passing, states_max)?;
        Ok(Self { semantics, graph, non_zeno })
    }

    fn verdicts(&self) -> Result<Vec<Option<bool>>, OracleLimit> {
        self.semantics.model().queries.iter().map(|query| self.verdict(query)).collect()
    }

    fn verdict(&self, query: &Query) -> Result<Option<bool>, OracleLimit> {
        let truth = |p: ExprId, wanted: bool| self.where_it_is(p, query.frame, wanted);
        Ok(match query.kind {
            QueryKind::PotentiallyAlways(p) => Some(self.lasting(&truth(p, true)?)[0]),
            QueryKind::Eventually(p) => Some(!self.lasting(&truth(p, false)?)[0]),
            QueryKind::LeadsTo(p, q) => {
                let (asks, unanswered) = (truth(p, true)?, self.lasting(&truth(q, false)?));
                Some(!asks.iter().zip(unanswered).any(|(&asks, unanswered)| asks && unanswered))
            }
            _ => None,
        })
    }

    /// In which states a predicate is true, or false, whichever is wanted.
    fn where_it_is(&self, predicate: ExprId, frame: u32, wanted: bool) -> Result<Vec<bool>, OracleLimit> {
        let mut is = Vec::with_capacity(self.graph.nodes.len());
        for node in &self.graph.nodes {
            is.push(self.semantics.holds(predicate, frame, &node.state).map_err(Stop::from)? == wanted);
        }
        Ok(is)
    }

    /// From which states some run that counts never leaves the kept ones.
    fn lasting(&self, kept: &[bool]) -> Vec<bool> {
        let mut lasting = vec![false; kept.len()];
        for component in components(kept, |node| self.graph.nodes[node].targets()) {
            // Components come after all that they lead to.
            let leads = |&node: &usize| self.graph.nodes[node].targets().any(|target| lasting[target]);
            let lasts = self.lasts(&component) || component.iter().any(leads);
            component.iter().for_each(|&node| lasting[node] = lasts);
        }
        lasting
    }

    /// Whether a run that counts can stay, or end, in a component.
    fn lasts(&self, component: &[usize]) -> bool {
        if self.non_zeno {
            return self.has_inside(component, |step, _| step == Step::Tick);
        }
        let is_stuck = |&node: &usize| self.graph.nodes[node].is_stuck();
        self.has_inside(component, |_, _| true) || component.iter().any(is_stuck)
    }

    /// Whether some edge of this kind leads from a component to itself.
    fn has_inside(&self, component: &[usize], wanted: impl Fn(Step, usize) -> bool) -> bool {
        let edges = component.iter().flat_map(|&node| &self.graph.nodes[node].edges);
        let mut inside = edges.filter(|(_, target)| component.binary_search(target).is_ok());
        inside.any(|&(step, target)| wanted(step, target))
    }

    fn accepts(&self, kinds: &[&dyn Fn(&Discrete) -> bool]) -> bool {
        let nodes = &self.graph.nodes;
        let all = vec![true; nodes.len()];
        let has = |component: &[usize], kind: &dyn Fn(&Discrete) -> bool| {
            let leads =
                |step, target: usize| step == Step::Action && kind(&Discrete::of(&nodes[target].state));
            self.has_inside(component, leads)
        };
        components(&all, |node| nodes[node].targets()).iter().any(|component| {
            has(component, &|_| true)
                && kinds.iter().all(|kind| has(component, kind))
                && (!self.non_zeno || self.has_inside(component, |step, _| step == Step::Tick))
        })
    }
}

/// Ceilings for which the clock that ticks is never above.
fn above_a_tick(ceilings: Ceilings) -> Ceilings {
    Ceilings { single: ceilings.single.max(1), ..ceilings }
}

/// Integer points up to ceilings, and those in the middle between them.
struct HalfGrid {
    ceilings: Ceilings,
}

impl Time for HalfGrid {
    fn pause(&self, _: &[Rational]) -> Option<Rational> {
        Rational::new(1, 2)
    }

    fn normal(&self, clocks: &[Rational]) -> Vec<Rational> {
        let ceiling = self.ceilings.single;
        match self.ceilings.diagonal {
            Some(_) => close_gaps(clocks, ceiling),
            None => clocks.iter().flat_map(|&clock| close_gaps(&[clock], ceiling)).collect(),
        }
    }

    fn class(&self, clocks: &[Rational]) -> Vec<i64> {
        self.normal(clocks).into_iter().map(|clock| 2 * clock.numerator() / clock.denominator()).collect()
    }
}

#[cfg(test)]
mod tests;
