//! What is computed once for a discrete state, for all its entries.
//!
//! Beside its transitions: what the claims exclude there, as constraints on the clocks; where its transitions lead among the discrete
//! states of the invariant; and that LU-bounds make a simulation there.

use std::cmp::Ordering;

use tourbillon_base::Id;
use tourbillon_model::{EvalError, EvalErrorKind, Frame, LocationId, Measure, Model};

use crate::claims::{Excluded, Plan};
use crate::data::DiscreteState;
use crate::format::{ClaimedBound, ClaimedRange, Constraint};
use crate::invariant::Invariant;
use crate::lu::LuBounds;
use crate::predicate::{Comparisons, Piece, Predicate, partition};
use crate::report::{Reason, Rejection, Stop};
use crate::transitions::{Effect, Moves, Network, Transition};
use crate::zone::Zone;

/// A part of a zone, and how a predicate goes wrong on it, if it does.
type Part = (Piece, Option<EvalError>);

/// What all checks share.
#[derive(Debug)]
pub(crate) struct Setting<'c> {
    pub(crate) network: &'c Network<'c>,
    pub(crate) invariants: &'c [Invariant],
    pub(crate) plans: &'c [Plan],
    /// The model as it reads where there is no deadlock, and where there is; nothing if no query asks.
    pub(crate) settled: Option<&'c [Model; 2]>,
    /// For each expression whether it compares clocks.
    pub(crate) compares: &'c [bool],
    pub(crate) has_deadlocks: &'c [bool],
}

/// A discrete state of an invariant.
#[derive(Debug)]
pub(crate) struct StateInfo {
    pub(crate) vector: Box<[i32]>,
    pub(crate) moves: Moves,
    /// Where transitions lead, in their order.
    pub(crate) targets: Vec<Target>,
    pub(crate) excluded: Vec<ExcludedPart>,
    /// In an avoid, the valuations of the invariant that a run does not stay in.
    pub(crate) left: Vec<Zone>,
    /// Where runs of an avoid begin: the query, the avoid, and the valuations.
    pub(crate) starts: Vec<(usize, usize, Piece)>,
    /// The valuations from which a transition is possible, now or later; nothing is here if it is not asked for.
    pub(crate) enabled: Vec<Zone>,
    /// Whether time diverges from all valuations, so that no run ends in a deadlock.
    pub(crate) time_diverges: bool,
    /// Which predicates of recurrences it satisfies.
    pub(crate) met: u64,
}

/// Valuations that an invariant must not have, if they are such.
#[derive(Debug)]
pub(crate) struct ExcludedPart {
    pub(crate) query: usize,
    pub(crate) piece: Piece,
    /// Whether they count only if they are deadlocks, or only if they are none.
    pub(crate) deadlocked: Option<bool>,
    pub(crate) reason: Reason,
}

/// The discrete state after a transition.
#[derive(Debug, Default)]
pub(crate) struct Target {
    /// Its number in the invariant, if it has one.
    pub(crate) number: Option<usize>,
    pub(crate) bounds: Option<LuBounds>,
    /// In an avoid, the parts that runs stay in; else all.
    pub(crate) stays: Vec<Piece>,
    /// In an avoid, the parts for which the query goes wrong.
    pub(crate) failing: Vec<(Piece, EvalError)>,
}

impl<'c> Setting<'c> {
    /// What is known of a discrete state of an invariant.
    pub(crate) fn state_info(&self, set: usize, vector: &[i32]) -> Result<StateInfo, Stop> {
        let mut state = DiscreteState::of_vector(self.network.model, vector).expect("vectors were checked");
        let moves = self.network.moves(&mut state).map_err(|error| Stop::Unknown(error.kind.to_string()))?;
        let mut universe = Zone::universal(self.network.dimension());
        let has_valuations =
            matches!(moves.invariant_holds, Ok(true)) && universe.constrain_all(&moves.invariant);
        let mut info = StateInfo {
            vector: vector.into(),
            targets: Vec::new(),
            excluded: Vec::new(),
            left: Vec::new(),
            starts: Vec::new(),
            enabled: Vec::new(),
            time_diverges: moves.time_passes && universe.is_unbounded(),
            met: 0,
            moves,
        };
        if has_valuations {
            self.check_bounds(set, &mut state, &info.moves, &universe)?;
            self.predicates(set, &mut state, &universe, &mut info)?;
            for transition in &info.moves.transitions {
                info.targets.push(self.target(set, transition)?);
            }
            self.enabled(set, &universe, &mut info);
        }
        Ok(info)
    }

    /// The parts of a zone that satisfy a predicate, that do not, and for which it goes wrong.
    fn split(
        &self,
        state: &mut DiscreteState<'c>,
        model: &Model,
        predicate: Predicate,
        zone: &Zone,
    ) -> Result<[Vec<Part>; 3], Stop> {
        let mut split = [Vec::new(), Vec::new(), Vec::new()];
        for (piece, value) in partition(state, model, (predicate.expr, predicate.frame), zone)? {
            match value {
                Ok(value) if (value != 0) != predicate.is_negated => split[0].push((piece, None)),
                Ok(_) => split[1].push((piece, None)),
                Err(error) => split[2].push((piece, Some(unless_unknown(error)?))),
            }
        }
        Ok(split)
    }

    fn predicates(
        &self,
        set: usize,
        state: &mut DiscreteState<'c>,
        universe: &Zone,
        info: &mut StateInfo,
    ) -> Result<(), Stop> {
        let (plan, model) = (&self.plans[set], self.network.model);
        let failing = |query: usize, parts: Vec<Part>| {
            parts.into_iter().filter_map(move |(piece, error)| {
                let reason = Reason::QueryFails(error?);
                Some(ExcludedPart { query, piece, deadlocked: None, reason })
            })
        };
        if let Some((query, predicate)) = plan.stays {
            let [_, left, fails] = self.split(state, model, predicate, universe)?;
            info.left = left.iter().filter_map(|(piece, _)| universe.with(piece)).collect();
            info.excluded.extend(failing(query, fails));
        }
        for (query, excluded) in &plan.excluded {
            match excluded {
                Excluded::Satisfying(predicate) => {
                    for (model, deadlocked) in self.settled_models(*predicate) {
                        let [holds, _, fails] = self.split(state, model, *predicate, universe)?;
                        let parts = holds.into_iter().map(|(piece, _)| (piece, Reason::Holds));
                        let fails = fails
                            .into_iter()
                            .filter_map(|(piece, it)| Some((piece, Reason::QueryFails(it?))));
                        info.excluded.extend(parts.chain(fails).map(|(piece, reason)| ExcludedPart {
                            query: *query,
                            piece,
                            deadlocked,
                            reason,
                        }));
                    }
                }
                Excluded::Beyond { condition, measure, frame, range } => {
                    let mut counted = vec![(Piece::new(), None)];
                    if let Some(condition) = condition {
                        let [holds, _, fails] = self.split(state, model, *condition, universe)?;
                        info.excluded.extend(failing(*query, fails));
                        counted = holds;
                    }
                    for (piece, _) in counted {
                        let Some(zone) = universe.with(&piece) else { continue };
                        for (beyond, reason) in self.beyond(set, state, &zone, measure, *frame, *range)? {
                            let piece = [piece.as_slice(), &beyond].concat();
                            info.excluded.push(ExcludedPart {
                                query: *query,
                                piece,
                                deadlocked: None,
                                reason,
                            });
                        }
                    }
                }
            }
        }
        for &(query, predicate, avoid) in &plan.starts {
            let [holds, _, fails] = self.split(state, model, predicate, universe)?;
            info.excluded.extend(failing(query, fails));
            for (piece, _) in holds {
                let Some(zone) = universe.with(&piece) else { continue };
                let (_, stays) = self.plans[avoid].stays.expect("an avoid has what its runs stay in");
                let [stays, _, fails] = self.split(state, model, stays, &zone)?;
                let both = |more: Piece| [piece.as_slice(), &more].concat();
                info.excluded
                    .extend(failing(query, fails.into_iter().map(|(it, e)| (both(it), e)).collect()));
                info.starts.extend(stays.into_iter().map(|(it, _)| (query, avoid, both(it))));
            }
        }
        for (bit, &predicate) in plan.recurrences.iter().flat_map(|(_, all)| all).enumerate() {
            let value = state.value(predicate.expr, &mut Frame::new(predicate.frame));
            let value = value.map_err(|error| Rejection::new(Reason::QueryFails(error)))?;
            info.met |= u64::from(value != 0) << bit;
        }
        Ok(())
    }

    /// The model as a predicate reads it, where it does not depend on deadlocks, or where there is one and where there is none.
    fn settled_models(&self, predicate: Predicate) -> Vec<(&'c Model, Option<bool>)> {
        match self.settled {
            Some([alive, dead]) if self.has_deadlocks[predicate.expr.index()] => {
                vec![(alive, Some(false)), (dead, Some(true))]
            }
            _ => vec![(self.network.model, None)],
        }
    }

    /// The parts of a zone in which a measure is beyond its range.
    fn beyond(
        &self,
        set: usize,
        state: &mut DiscreteState<'c>,
        zone: &Zone,
        measure: &Measure,
        frame: u32,
        range: ClaimedRange,
    ) -> Result<Vec<(Piece, Reason)>, Stop> {
        if range.empty {
            return Ok(vec![(Piece::new(), Reason::Holds)]);
        }
        let (clock, data) = match measure {
            Measure::Data(expr) => (0, Some(*expr)),
            Measure::Clock(place, offset) => match state.clock(place, &mut Frame::new(frame)) {
                Ok(clock) => (clock.index() + 1, *offset),
                Err(error) => return Ok(vec![(Piece::new(), Reason::QueryFails(unless_unknown(error)?))]),
            },
        };
        let mut parts = Vec::new();
        let values = match data {
            Some(expr) => partition(state, self.network.model, (expr, frame), zone)?,
            None => vec![(Piece::new(), Ok(0))],
        };
        let limit = |ClaimedBound { value, strict }: ClaimedBound, sign: i64, data: i64| {
            2 * sign * value.saturating_sub(data).clamp(-FAR, FAR) + i64::from(!strict)
        };
        for (piece, value) in values {
            let data = match value {
                Ok(value) => i64::from(value),
                Err(error) => {
                    parts.push((piece, Reason::QueryFails(unless_unknown(error)?)));
                    continue;
                }
            };
            let upper = range.upper.map(|it| Constraint { left: clock, right: 0, bound: limit(it, 1, data) });
            let lower =
                range.lower.map(|it| Constraint { left: 0, right: clock, bound: limit(it, -1, data) });
            for constraint in [upper, lower].into_iter().flatten().map(Constraint::negated) {
                self.is_respected(set, state, constraint)?;
                parts.push(([piece.as_slice(), &[constraint]].concat(), Reason::Holds));
            }
        }
        Ok(parts)
    }

    fn is_respected(
        &self,
        set: usize,
        state: &DiscreteState<'_>,
        constraint: Constraint,
    ) -> Result<(), Stop> {
        let Some(bounds) = &self.invariants[set].bounds else { return Ok(()) };
        respected(&bounds.of(state.locations.iter().copied()), &[constraint])
    }

    fn target(&self, set: usize, transition: &Transition) -> Result<Target, Stop> {
        let Effect::To { vector, .. } = &transition.effect else { return Ok(Target::default()) };
        let mut target = self.place(set, vector);
        match self.plans[set].stays {
            None => target.stays.push(Piece::new()),
            Some((_, predicate)) => {
                let model = self.network.model;
                let mut state = DiscreteState::of_vector(model, vector).expect("what a step leads to");
                let universe = Zone::universal(self.network.dimension());
                let [stays, _, fails] = self.split(&mut state, model, predicate, &universe)?;
                target.stays = stays.into_iter().map(|(piece, _)| piece).collect();
                target.failing =
                    fails.into_iter().filter_map(|(piece, error)| Some((piece, error?))).collect();
            }
        }
        Ok(target)
    }

    /// Where a discrete state is in an invariant.
    pub(crate) fn place(&self, set: usize, vector: &[i32]) -> Target {
        let invariant = &self.invariants[set];
        let bounds = invariant.bounds.as_ref().map(|bounds| bounds.of(self.locations(vector)));
        Target { number: invariant.number(vector), bounds, ..Target::default() }
    }

    fn locations(&self, vector: &[i32]) -> impl Iterator<Item = LocationId> {
        vector[..self.network.model.processes.len()].iter().map(|&it| LocationId::from_index(it as usize))
    }

    /// From where transitions are possible, if it is asked for.
    fn enabled(&self, set: usize, universe: &Zone, info: &mut StateInfo) {
        let is_asked = info.excluded.iter().any(|part| part.deadlocked.is_some())
            || self.plans[set].stays.is_some() && !info.time_diverges;
        if !is_asked {
            return;
        }
        let possible = info.moves.transitions.iter().filter(|it| matches!(it.effect, Effect::To { .. }));
        for transition in possible {
            let Some(mut zone) = universe.with(&transition.guard) else { continue };
            if info.moves.time_passes {
                zone.down();
            }
            info.enabled.push(zone);
        }
    }

    /// That the LU-preorder is a simulation in a state, and preserves what claims ask.
    fn check_bounds(
        &self,
        set: usize,
        state: &mut DiscreteState<'c>,
        moves: &Moves,
        universe: &Zone,
    ) -> Result<(), Stop> {
        let Some(of_locations) = &self.invariants[set].bounds else { return Ok(()) };
        let bounds = of_locations.of(state.locations.iter().copied());
        respected(&bounds, &moves.invariant)?;
        let lowest = moves.transitions.last().map(|transition| transition.priority);
        for transition in &moves.transitions {
            respected(&bounds, &transition.guard[..transition.own])?;
            let Effect::To { vector, assignments } = &transition.effect else { continue };
            if Some(transition.priority) > lowest {
                respected(&bounds, &transition.guard)?;
                let negated: Vec<Constraint> = transition.guard.iter().map(|it| it.negated()).collect();
                respected(&bounds, &negated)?;
            }
            if !bounds.preserves(&of_locations.of(self.locations(vector)), assignments) {
                return not_simulation("a transition does not preserve the preorder");
            }
        }
        for &predicate in &self.plans[set].preserved {
            let mut comparisons =
                Comparisons { state: &mut *state, compares: self.compares, found: Vec::new() };
            let mut frame = Frame::new(predicate.frame);
            comparisons.collect(predicate.expr, !predicate.is_negated, &mut frame);
            respected(&bounds, &comparisons.found)?;
            for (model, _) in self.settled_models(predicate) {
                if !self.split(state, model, predicate, universe)?[2].is_empty() {
                    return not_simulation("a predicate goes wrong for some valuations");
                }
            }
        }
        Ok(())
    }
}

/// A number beyond all clocks and constants.
const FAR: i64 = 1 << 50;

fn respected(bounds: &LuBounds, constraints: &[Constraint]) -> Result<(), Stop> {
    let Some(constraint) = constraints.iter().find(|&&constraint| !bounds.respects(constraint)) else {
        return Ok(());
    };
    let is_diagonal = constraint.left.cmp(&0) == Ordering::Greater && constraint.right > 0;
    not_simulation(if is_diagonal {
        "a diagonal constraint"
    } else {
        "a constraint has a larger constant than its clock in the header"
    })
}

fn not_simulation<T>(why: &str) -> Result<T, Stop> {
    Err(Rejection::new(Reason::NotSimulation(why.to_owned())).into())
}

/// An error of the model, unless it is one of the checker.
pub(crate) fn unless_unknown(error: EvalError) -> Result<EvalError, Stop> {
    match error.kind {
        EvalErrorKind::TooLong | EvalErrorKind::TooMany(..) | EvalErrorKind::Cancelled => {
            Err(Stop::Unknown(error.kind.to_string()))
        }
        _ => Ok(error),
    }
}
