//! Symmetry of a property: what was found, and from paths of representatives to paths of states.
//!
//! `tourbillon_symmetry` finds automorphisms of the model under which the formulas and measures of the property are invariant. They
//! must also preserve the clock bounds, and the diagonals that zones are split on, so that extrapolation commutes with them. Both are
//! computed by static analysis of the same model, which makes it so, and it is tested all the same.
//!
//! A path of the reduced graph leads from representative to representative. Its transitions become those of a run by composing
//! the automorphisms along it: if `p` maps a representative to a state of the run, and the next representative is the image
//! under `r` of the target of a transition, then `p` maps the transition to one of the run, and `p` after the inverse of `r`
//! maps the next representative to the next state.

use std::sync::Arc;

use tourbillon_base::Id;
use tourbillon_dbm::{Clock, ClockBounds, Constraint, Dbm};
use tourbillon_model::{LocationId, Model, ProcessId};
use tourbillon_replay::Fired;
use tourbillon_symmetry::{Automorphism, Candidates, Formulas, Orbit, OrbitKind, Refused, Symmetry, find};
use tourbillon_system::{Analysis, LocalBounds, RuntimeError, Side, System};
use tourbillon_zonegraph::{Applied, Options, Representatives, SymbolicState, TICK, ZoneGraph};

use crate::bounds::tracked_clocks;
use crate::liveness::{Lasso, LassoStep};
use crate::plan::SymmetryUse;
use crate::prepare::Prepared;
use crate::property::Requirements;
use crate::route::edges;

/// The symmetry of a model under which a property is invariant.
#[derive(Debug)]
pub(crate) struct FoundSymmetry {
    symmetry: Symmetry,
    /// Which symmetries were searched for.
    pub(crate) used: SymmetryUse,
    identity: Automorphism,
    pub(crate) tables: Option<Arc<Representatives>>,
    /// What was found, in words.
    pub(crate) text: String,
}

impl FoundSymmetry {
    /// The symmetry of a model under which all formulas and measures of a property are invariant.
    pub(crate) fn of(
        model: &Model,
        system: &System,
        analysis: &Analysis,
        property: &Requirements,
        used: SymmetryUse,
    ) -> Self {
        let only_scalars = used == SymmetryUse::Scalar;
        let candidates = if only_scalars { Candidates::ScalarSets } else { Candidates::All };
        let mut symmetry = find(model, &invariant(property), candidates);
        let suprema = property.class.accelerates.then_some(Side::Lower);
        // Where these clocks are unknown, the check reports why.
        let tracked_of =
            |side| tracked_clocks(model, &property.conditions, &property.measures, side).unwrap_or_default();
        let tracked: Vec<_> = suprema.into_iter().chain([Side::Upper]).flat_map(tracked_of).collect();
        let keeps = |it: &Automorphism| {
            keeps_bounds(it, analysis) && keeps_diagonals(it, &analysis.diagonals) && fixes(it, &tracked)
        };
        symmetry.orbits.retain(|orbit| orbit.generators.iter().all(keeps));
        // Cycles are closed by subsumption: the representatives along one must not depend on the zones.
        let by_clocks = !property.class.endless;
        let tables = Representatives::new(system, &symmetry, by_clocks).map(Arc::new);
        let text = if only_scalars { describe_scalars(&symmetry) } else { describe(&symmetry) };
        Self { text, symmetry, used, identity: Automorphism::identity(model), tables }
    }

    /// The generators of all orbits.
    pub(crate) fn generators(&self) -> impl Iterator<Item = &Automorphism> {
        self.symmetry.orbits.iter().flat_map(|orbit| &orbit.generators)
    }

    fn generator(&self, applied: Applied) -> &Automorphism {
        &self.symmetry.orbits[applied.orbit as usize].generators[applied.generator as usize]
    }
}

/// The tables follow from the symmetry.
impl PartialEq for FoundSymmetry {
    fn eq(&self, other: &Self) -> bool {
        self.symmetry == other.symmetry
    }
}

/// What an automorphism must leave as it is.
fn invariant(property: &Requirements) -> Formulas {
    let exprs: Vec<_> = property.formulas.iter().map(|formula| (formula.expr, formula.frame)).collect();
    // A query has one number of local cells for all that it mentions.
    let frame = exprs.iter().map(|&(_, frame)| frame).max().unwrap_or(0);
    let measures = property.measures.iter().map(|measure| (measure.clone(), frame)).collect();
    Formulas { exprs, measures, initial: property.tells_apart }
}

/// Whether an automorphism maps each of these clocks, which are measured or assigned to such, to itself. They have an infinite bound.
fn fixes(automorphism: &Automorphism, clocks: &[Clock]) -> bool {
    clocks.iter().all(|clock| automorphism.clocks[clock.index() - 1] == clock.index() - 1)
}

/// Whether the clock bounds of each location are those of its image.
fn keeps_bounds(automorphism: &Automorphism, analysis: &Analysis) -> bool {
    let image = |clock: usize| Clock::from_index(automorphism.clocks[clock] + 1);
    let same = |one: &ClockBounds, other: &ClockBounds| {
        (0..automorphism.clocks.len()).all(|index| {
            let (clock, image) = (Clock::from_index(index + 1), image(index));
            (one.lower(clock), one.upper(clock)) == (other.lower(image), other.upper(image))
        })
    };
    let same_places = |bounds: &LocalBounds| {
        bounds.places.enumerate().all(|(process, locations)| {
            let others = &bounds.places[ProcessId::from_index(automorphism.processes[process.index()])];
            locations.enumerate().all(|(location, bounds): (LocationId, _)| same(bounds, &others[location]))
        })
    };
    same(&analysis.global, &analysis.global) && same_places(&analysis.local) && same_places(&analysis.guarded)
}

/// Whether zones are split likewise: each diagonal is mapped to one of them, or to the complement of one. The parts of the image of a
/// zone are then the images of its parts, and what extrapolation makes of a part within its sides is mapped likewise.
fn keeps_diagonals(automorphism: &Automorphism, diagonals: &[Constraint]) -> bool {
    let image = |clock: Clock| match clock {
        Clock::REFERENCE => clock,
        _ => Clock::from_index(automorphism.clocks[clock.index() - 1] + 1),
    };
    let mapped = |it: &Constraint| Constraint::new(image(it.left), image(it.right), it.bound);
    let is_known = |it: &Constraint| diagonals.contains(it);
    diagonals.iter().map(mapped).all(|it| is_known(&it) || it.complement().as_ref().is_some_and(is_known))
}

/// What was found, and why not more.
fn describe(symmetry: &Symmetry) -> String {
    let parts = parts(symmetry);
    if parts.is_empty() { "no two processes are alike".to_owned() } else { parts.join("; ") }
}

/// The same where only declared scalar sets are used.
fn describe_scalars(symmetry: &Symmetry) -> String {
    let mut parts = parts(symmetry);
    if parts.is_empty() {
        parts.push("no values of a scalar set can be exchanged".to_owned());
    }
    parts.push("only declared scalar sets are used: --symmetry auto may find more".to_owned());
    parts.join("; ")
}

fn parts(symmetry: &Symmetry) -> Vec<String> {
    let refused = symmetry.refused.iter().map(|Refused { elements: (one, other), why }| {
        format!("{one} and {other} cannot be exchanged: {why}")
    });
    symmetry.orbits.iter().map(described).chain(refused).collect()
}

fn described(orbit: &Orbit) -> String {
    let count = orbit.elements.len();
    let names = match orbit.elements.as_slice() {
        [first, .., last] if count > 3 => format!("{first} to {last}"),
        few => few.join(", "),
    };
    match orbit.kind {
        OrbitKind::Full => format!("symmetric in {names}: {count}! permutations"),
        OrbitKind::Cyclic => format!("symmetric in {names}: {count} rotations"),
    }
}

/// The maximum number of successors that are tried, beyond the length of the path.
const ALTERNATIVES_MAX: usize = 10_000;

/// A representative along a path, with the automorphism that maps it to a state of the run.
struct Reached {
    /// The number of transitions before it.
    depth: usize,
    state: SymbolicState,
    to_run: Automorphism,
    /// The transition that leads there, in the run.
    action: Vec<Fired>,
}

/// The transitions of a run along a path of representatives, in the graph that was searched; `None` if there is no such path.
pub(crate) fn unfold(
    mut graph: ZoneGraph<'_>,
    found: &FoundSymmetry,
    path: &[u32],
) -> Result<Option<Vec<Vec<Fired>>>, RuntimeError> {
    let mut waiting = Vec::new();
    graph.initial(&mut |successor| {
        let to_run = compose(found, &found.identity, successor.applied);
        let state = SymbolicState { memory: successor.memory.to_vec(), zone: successor.zone.clone() };
        waiting.push(Reached { depth: 0, state, to_run, action: Vec::new() });
    })?;
    let mut actions: Vec<Vec<Fired>> = Vec::new();
    for _ in 0..=path.len().saturating_add(ALTERNATIVES_MAX) {
        let Some(Reached { depth, mut state, to_run, action }) = waiting.pop() else { return Ok(None) };
        if depth > 0 {
            actions.truncate(depth - 1);
            actions.push(action);
        }
        let Some(&ordinal) = path.get(depth) else { return Ok(Some(actions)) };
        graph.prepare(&mut state)?;
        let first = waiting.len();
        while let Some(place) = graph.next_named(&state, ordinal)? {
            let action: Vec<Fired> = edges(&graph, place).iter().map(|fired| image(&to_run, fired)).collect();
            graph.follow(&state, place, &mut |successor| {
                let to_run = compose(found, &to_run, successor.applied);
                let state = SymbolicState { memory: successor.memory.to_vec(), zone: successor.zone.clone() };
                waiting.push(Reached { depth: depth + 1, state, to_run, action: action.clone() });
            })?;
        }
        waiting[first..].reverse();
    }
    Ok(None)
}

/// The maximum number of transitions of a lasso in which permutations close the cycle.
const UNROLLED_MAX: usize = 100_000;

/// A walk along representatives, by discrete states alone.
struct Walk<'s> {
    graph: ZoneGraph<'s>,
    state: SymbolicState,
    /// Maps the representative to the state of the run.
    to_run: Automorphism,
}

impl<'s> Walk<'s> {
    fn new(prepared: &'s Prepared<'_>, found: &FoundSymmetry) -> Result<Option<Self>, RuntimeError> {
        let system = prepared.system();
        let options =
            Options { ticks: prepared.ticks(), symmetry: found.tables.clone(), ..Options::exact(system) };
        let mut walk = Self {
            graph: ZoneGraph::new(system, options),
            state: SymbolicState::new(system),
            to_run: found.identity.clone(),
        };
        let Self { graph, state, to_run } = &mut walk;
        let mut is_any = false;
        graph.initial(&mut |successor| {
            is_any = true;
            state.memory.copy_from_slice(successor.memory);
            *to_run = compose(found, &found.identity, successor.applied);
        })?;
        Ok(is_any.then_some(walk))
    }

    /// The step of the run for a transition, or a tick, of the representative; `None` if there is no such transition.
    fn step(&mut self, found: &FoundSymmetry, step: u32) -> Result<Option<LassoStep>, RuntimeError> {
        if step == TICK {
            self.tick(1);
            return Ok(Some(LassoStep::Take(TICK)));
        }
        let Self { graph, state, to_run } = self;
        // Whether the transition is enabled is known; of several targets that differ in zones alone any will do.
        state.zone = Dbm::universal(graph.system().dimension);
        graph.prepare(state)?;
        let Some(place) = graph.next_named(state, step)? else { return Ok(None) };
        let action = edges(graph, place).iter().map(|fired| image(to_run, fired)).collect();
        let mut target = None;
        graph.follow_from(state, place, &state.zone, &mut |successor| {
            target = Some((successor.memory.to_vec(), compose(found, to_run, successor.applied)));
        })?;
        let Some((memory, next)) = target else { return Ok(None) };
        state.memory.copy_from_slice(&memory);
        *to_run = next;
        Ok(Some(LassoStep::Edges(action)))
    }

    /// Sets the field of the tick observer, if there is one.
    fn tick(&mut self, value: i32) {
        if let Some(ticks) = self.graph.ticks() {
            self.state.memory[ticks.field] = value;
        }
    }

    fn steps(
        &mut self,
        found: &FoundSymmetry,
        path: &[LassoStep],
    ) -> Result<Option<Vec<LassoStep>>, RuntimeError> {
        let mut steps = Vec::with_capacity(path.len());
        for step in path {
            let LassoStep::Take(ordinal) = step else { return Ok(None) };
            let Some(step) = self.step(found, *ordinal)? else { return Ok(None) };
            steps.push(step);
        }
        Ok(Some(steps))
    }
}

/// The lasso of a run along a lasso of representatives. A cycle of representatives leads to a permutation of where it began: it
/// is repeated until the permutations compose to the identity `[EmersonSistla1996]`. `None` if that takes too long.
pub(crate) fn unfold_lasso(
    prepared: &Prepared<'_>,
    found: &FoundSymmetry,
    lasso: &Lasso,
    premise: bool,
) -> Result<Option<Lasso>, RuntimeError> {
    let Some(mut walk) = Walk::new(prepared, found)? else { return Ok(None) };
    let Some(premise_path) = walk.steps(found, &lasso.premise_path)? else { return Ok(None) };
    if premise {
        walk.tick(0);
    }
    let Some(stem) = walk.steps(found, &lasso.stem)? else { return Ok(None) };
    let start = walk.to_run.clone();
    let mut cycle = Vec::new();
    while !lasso.cycle.is_empty() {
        let Some(iteration) = walk.steps(found, &lasso.cycle)? else { return Ok(None) };
        cycle.extend(iteration);
        if walk.to_run == start {
            break;
        }
        if cycle.len() > UNROLLED_MAX {
            return Ok(None);
        }
    }
    Ok(Some(Lasso { premise_path, stem, cycle, ending: lasso.ending }))
}

/// An automorphism after the inverse of those that were applied, one after the other.
fn compose(found: &FoundSymmetry, automorphism: &Automorphism, applied: &[Applied]) -> Automorphism {
    applied.iter().fold(automorphism.clone(), |automorphism, &applied| {
        automorphism.after(&found.generator(applied).inverse())
    })
}

fn image(automorphism: &Automorphism, fired: &Fired) -> Fired {
    let (process, edge, selects) = automorphism.fired(fired.process.index(), fired.edge, &fired.selects);
    Fired { process: ProcessId::from_index(process), edge, selects }
}
