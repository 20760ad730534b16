//! The composition of the stages.
//!
//! [`ZoneGraph::initial`] and [`ZoneGraph::expand`] are the whole interface that a search needs: they compute the
//! successors of a symbolic state and pass each of them to a sink. A successor is in scratch memory and valid until the
//! next one; the sink copies what it stores.
//!
//! A successor is computed as in `[DavidBehrmannLarsenYi2003]`: integer guards are evaluated before anything is copied;
//! then the zone is copied, intersected with the guard, updated, intersected with the invariants of the target, delayed
//! if time can pass there, intersected with the invariants again, and extrapolated.
//!
//! Invariant: the zone of a successor is not empty and, without an extrapolation, within the invariants of its
//! discrete state.

use std::sync::Arc;

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_base::{Id, cancellation};
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Federation};
use tourbillon_model::EvalErrorKind;
use tourbillon_system::{EdgeId, LocationSummary, Machine, Predicate, RuntimeError, System};

use crate::abstraction::{self, Abstraction, Bounds};
use crate::avoid::{Avoider, Stay, Stays};
use crate::combine::{Combinations, Source};
use crate::deadlock::DeadlockDetector;
use crate::enumerate::{Enumerator, Fired, Synchronisation, Transition, Transitions};
use crate::exclude::Excluder;
use crate::location_vector::{LocationTable, LocationVector};
use crate::memo::{ClockEffects, KnownStep, StepMemo};
use crate::represent::{Applied, Representatives, Representer};
use crate::update::{Write, initial_zone};
use crate::{delay, guard, invariant, receivers, reduce, update};

/// The choice of the optional stages.
#[derive(Clone, Debug)]
pub struct Options {
    pub abstraction: Abstraction,
    /// The clock bounds of the extrapolation, of `reduce` and of a cover relation.
    pub bounds: Bounds,
    /// Whether inactive clocks are freed.
    pub reduce: bool,
    /// Diagonals on which zones are split before they are extrapolated.
    pub diagonals: Vec<Constraint>,
    /// A predicate that must not hold along runs, during delays either.
    pub avoid: Option<Predicate>,
    /// The observer of time divergence, if there is one: its transitions are ticks.
    pub ticks: Option<Ticks>,
    /// The symmetry by whose representatives states are replaced, if there is one.
    pub symmetry: Option<Arc<Representatives>>,
}

/// The observer of time divergence `[TripakisYovineBouajjani2005]`: a tick is possible at least one time unit after the
/// last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticks {
    /// A clock that no edge uses.
    pub clock: Clock,
    /// A field of the discrete state that no edge uses: 1 after a tick, 0 after any other transition.
    pub field: usize,
}

/// The ordinal of a tick.
pub const TICK: u32 = u32::MAX;

impl Options {
    /// Exact zones, without any optional stage.
    #[must_use]
    pub fn exact(system: &System) -> Self {
        Self {
            abstraction: Abstraction::None,
            bounds: Bounds::Global(ClockBounds::none(system.dimension)),
            reduce: false,
            diagonals: Vec::new(),
            avoid: None,
            ticks: None,
            symmetry: None,
        }
    }

    /// Applies the stages after the delay to a zone, with these clock bounds, and calls `visit` with the result: one zone, or
    /// one for each combination of sides of the diagonals that the zone intersects.
    pub fn abstracted(&self, bounds: &ClockBounds, mut zone: Dbm, visit: &mut impl FnMut(Dbm)) {
        if self.diagonals.is_empty() {
            self.enlarge(bounds, &mut zone);
            visit(zone);
        } else {
            if self.reduce {
                reduce::apply(bounds, &mut zone);
            }
            self.split(bounds, zone, &mut Vec::new(), visit);
        }
    }

    /// The stages after the delay without diagonals.
    #[inline]
    fn enlarge(&self, bounds: &ClockBounds, zone: &mut Dbm) {
        if self.reduce {
            reduce::apply(bounds, zone);
        }
        self.abstraction.apply(bounds, zone);
    }

    /// Splits a zone on the diagonals and extrapolates each part within its sides.
    fn split(
        &self,
        bounds: &ClockBounds,
        zone: Dbm,
        sides: &mut Vec<Constraint>,
        visit: &mut impl FnMut(Dbm),
    ) {
        sides.clear();
        abstraction::split(zone, &self.diagonals, sides, &mut |mut part, sides| {
            self.abstraction.apply(bounds, &mut part);
            let non_empty = sides.iter().all(|&side| part.constrain(side));
            debug_assert!(non_empty, "the part lies on these sides");
            visit(part);
        });
    }
}

/// A discrete state and a zone.
#[derive(Clone, Debug)]
pub struct SymbolicState {
    /// Locations and data, of full length: the first `Layout::fields` entries identify the discrete state.
    pub memory: Vec<i32>,
    pub zone: Dbm,
}

impl SymbolicState {
    /// A state to be overwritten, with the initial data and all clocks 0.
    #[must_use]
    pub fn new(system: &System) -> Self {
        Self { memory: system.initial.clone(), zone: Dbm::zero(system.dimension) }
    }
}

/// A result of the pipeline, valid while the sink runs.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'a> {
    /// The ordinal of its transition among those of the source.
    pub ordinal: u32,
    /// Locations and data.
    pub memory: &'a [i32],
    pub zone: &'a Dbm,
    /// The clock bounds of its discrete state.
    pub bounds: &'a ClockBounds,
    /// The restriction of its delays, if the avoided predicate depends on clocks here.
    pub stay: Option<&'a Stay>,
    /// The automorphisms that lead to this representative, in order, from the target of the transition.
    pub applied: &'a [Applied],
    /// Whether some process is in a committed location.
    pub is_committed: bool,
}

/// The zone graph of a system, as a function from states to successors; nothing is stored.
#[derive(Debug)]
pub struct ZoneGraph<'s> {
    pub(crate) system: &'s System,
    pub(crate) options: Options,
    pub(crate) machine: Machine,
    pub(crate) enumerator: Enumerator,
    pub(crate) transitions: Transitions,
    /// Scratch list for the target, while `transitions` holds those of the source.
    pub(crate) other: Transitions,
    excluder: Excluder,
    combinations: Combinations,
    /// The number of listed transitions that [`next`](Self::next) has returned.
    yielded: usize,
    /// Of the state that was prepared last, and of the target of the current transition.
    pub(crate) source_locations: LocationVector,
    pub(crate) target_locations: LocationTable,
    /// The zone steps so far, unless they are not worth it.
    memo: Option<Box<StepMemo>>,
    pub(crate) next: Vec<i32>,
    pub(crate) zone: Dbm,
    pub(crate) writes: Vec<Write>,
    pub(crate) locals: Vec<i32>,
    stopped: Vec<Clock>,
    sides: Vec<Constraint>,
    pub(crate) has_urgent_channels: bool,
    pub(crate) avoider: Option<Avoider<'s>>,
    pub(crate) detector: DeadlockDetector,
    representer: Option<Box<Representer>>,
    /// The size of a successor in words, as the unit of work for cancellation.
    words: u32,
}

type Outcome<T = ()> = Result<T, RuntimeError>;

impl<'s> ZoneGraph<'s> {
    /// The zone graph of a system, computed with these options.
    #[must_use]
    pub fn new(system: &'s System, mut options: Options) -> Self {
        let next = system.initial.clone();
        let remembers = options.avoid.is_none() && options.diagonals.is_empty();
        Self {
            system,
            avoider: options.avoid.take().map(|predicate| Avoider::new(system, predicate)),
            detector: DeadlockDetector::new(system),
            representer: options.symmetry.is_some().then(|| Box::new(Representer::new(system))),
            options,
            words: successor_words(system),
            machine: Machine::new(),
            enumerator: Enumerator::new(system),
            transitions: Transitions::default(),
            other: Transitions::default(),
            excluder: Excluder::new(system),
            combinations: Combinations::new(system),
            yielded: 0,
            source_locations: LocationVector::default(),
            target_locations: LocationTable::new(system),
            memo: remembers.then(|| StepMemo::new(system)).flatten().map(Box::new),
            next,
            zone: Dbm::zero(system.dimension),
            writes: Vec::new(),
            locals: vec![0; system.frame_max()],
            stopped: Vec::new(),
            sides: Vec::new(),
            has_urgent_channels: system.channels.iter().any(|channel| channel.urgent),
        }
    }

    /// The same zone graph with memory of its own, for another thread.
    #[must_use]
    pub fn fork(&self) -> Self {
        let avoid = self.avoider.as_ref().map(|avoider| avoider.predicate().clone());
        Self::new(self.system, Options { avoid, ..self.options.clone() })
    }

    #[must_use]
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The observer of time divergence, if there is one.
    #[must_use]
    pub fn ticks(&self) -> Option<Ticks> {
        self.options.ticks
    }

    /// Makes the locations of a target the current ones.
    #[inline]
    pub(crate) fn gather_target(&mut self) {
        self.target_locations.gather(self.system, &self.options.bounds, &self.next);
    }

    /// The clock bounds of a discrete state.
    pub fn constants(&mut self, memory: &[i32]) -> &ClockBounds {
        let bounds = &self.options.bounds;
        self.target_locations.gather(self.system, bounds, memory);
        bounds.of(self.target_locations.place())
    }

    /// Passes the initial states to the sink: one, or several if it is split on diagonals; none if the
    /// invariants do not hold.
    ///
    /// # Errors
    /// If the model fails.
    pub fn initial(&mut self, sink: &mut impl FnMut(&Successor<'_>)) -> Outcome {
        self.next.copy_from_slice(&self.system.initial);
        self.zone = initial_zone(self.system);
        self.writes.clear();
        self.arrive(0, sink)
    }

    /// Passes the successors of a state to the sink, in the order of their transitions.
    ///
    /// The state's zone is intersected with its invariants.
    ///
    /// # Errors
    /// If the model fails at run time. The sink has received the successors before the failure.
    #[inline]
    pub fn expand(&mut self, state: &mut SymbolicState, sink: &mut impl FnMut(&Successor<'_>)) -> Outcome {
        self.prepare(state)?;
        while let Some(index) = self.next(state)? {
            if !self.is_redundant(index) {
                self.follow(state, index, sink)?;
            }
        }
        if self.options.ticks.is_some() {
            self.tick(state, sink)?;
        }
        Ok(())
    }

    /// Passes the states after a delay from this discrete state and zone to the sink, as if a transition without guard and
    /// update had entered it.
    ///
    /// # Errors
    /// If the model fails.
    pub fn resume(&mut self, memory: &[i32], zone: &Dbm, sink: &mut impl FnMut(&Successor<'_>)) -> Outcome {
        self.next.copy_from_slice(memory);
        if let Some(ticks) = self.options.ticks {
            self.next[ticks.field] = 0;
        }
        self.zone.copy_from(zone);
        self.writes.clear();
        self.writes.extend(self.tick_reset());
        self.arrive(0, sink)
    }

    /// The reset of the clock of the tick observer, if there is one.
    pub(crate) fn tick_reset(&self) -> Option<Write> {
        self.options.ticks.map(|ticks| Write::Reset(ticks.clock, Constant::ZERO))
    }

    /// Passes the successors of a state by a tick to the sink.
    ///
    /// # Errors
    /// If the model fails.
    pub fn tick(&mut self, state: &SymbolicState, sink: &mut impl FnMut(&Successor<'_>)) -> Outcome {
        let Some(Ticks { clock, field }) = self.options.ticks else { return Ok(()) };
        self.zone.copy_from(&state.zone);
        if !self.zone.constrain(at_least_one(clock)) {
            return Ok(());
        }
        self.next.copy_from_slice(&state.memory);
        self.next[field] = 1;
        self.writes.clear();
        self.writes.extend(self.tick_reset());
        self.arrive(TICK, sink)
    }

    /// Intersects the zone of a state with its invariants, and enumerates its transitions.
    ///
    /// # Errors
    /// If the model fails.
    pub fn prepare(&mut self, state: &mut SymbolicState) -> Outcome {
        self.source_locations.gather(self.system, &state.memory);
        let Self { system, machine, locals, source_locations, .. } = self;
        let non_empty =
            invariant::apply(system, machine, source_locations, &state.memory, locals, &mut state.zone)?;
        self.yielded = 0;
        self.combinations.begin();
        if let Some(representer) = &mut self.representer {
            representer.skipped.clear();
            representer.skipped.resize(system.layout.processes(), false);
            representer.fixing.clear();
        }
        if !non_empty {
            // An extrapolated zone intersects the invariants, but a part of it need not.
            self.transitions.clear();
            return Ok(());
        }
        self.enumerator.enumerate(system, machine, source_locations, &state.memory, &mut self.transitions)?;
        if let Some(memo) = &mut self.memo {
            if memo.is_useless() {
                self.memo = None;
            } else if !memo.set_source(&state.zone) {
                self.target_locations.forget_requirements();
            }
        }
        if let (Some(representer), Some(symmetry)) = (&mut self.representer, &self.options.symmetry) {
            symmetry.skip(&state.memory, &state.zone, &mut representer.skipped, &mut representer.fixing);
        }
        Ok(())
    }

    /// The transitions of the state that was prepared last, and the last combination that [`next`](Self::next) returned.
    #[must_use]
    pub fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    /// The index of the next transition of a prepared state; nothing after the last. The listed transitions, which depend on
    /// data alone, come first, then the combinations that the zone admits, one by one: of these only the last is stored,
    /// and a combination is repeated for each convex part of the zone in which it is feasible.
    ///
    /// # Errors
    /// If the model fails, or has more combinations than the limit of work.
    #[inline]
    pub fn next(&mut self, state: &SymbolicState) -> Outcome<Option<usize>> {
        if self.yielded + usize::from(mutants::is(Mutant::LastTransitionSkipped)) < self.transitions.listed()
        {
            self.yielded += 1;
            return Ok(Some(self.yielded - 1));
        }
        if self.transitions.synchronisations.is_empty() {
            return Ok(None);
        }
        Ok(self.combine(state, true)?.then(|| self.transitions.listed()))
    }

    /// Whether symmetry maps a transition of the prepared state to another one whose targets have the same representatives, so
    /// that a search need not follow it.
    #[must_use]
    #[inline]
    pub fn is_redundant(&self, index: usize) -> bool {
        let Some(representer) = &self.representer else { return false };
        let first = self.transitions.get(index).fired.first();
        first.is_some_and(|first| representer.skipped[self.system.edges[first.edge].process.index()])
    }

    /// As [`next`](Self::next), for the transitions with this ordinal: one, or several combinations whose ranks are equal modulo
    /// the number of ordinals.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn next_named(&mut self, state: &SymbolicState, ordinal: u32) -> Outcome<Option<usize>> {
        let listed = self.transitions.listed();
        if (ordinal as usize) < listed {
            let first = self.yielded == 0;
            self.yielded = listed;
            return Ok(first.then_some(ordinal as usize));
        }
        while self.combine(state, false)? {
            if self.transitions.ordinal(listed) == ordinal {
                return Ok(Some(listed));
            }
        }
        Ok(None)
    }

    /// Restricts combinations to edges that are `wanted`, with the values of their selections, and to combinations in which
    /// every process with a wanted edge takes part.
    pub fn narrow(&mut self, wanted: impl Fn(EdgeId, &[i32]) -> bool) {
        self.transitions.narrow(self.system, wanted);
    }

    /// Stores the next combination that the zone of a prepared state admits after the listed transitions; only of those in order if
    /// symmetry maps them to each other.
    fn combine(&mut self, state: &SymbolicState, in_order: bool) -> Outcome<bool> {
        let Self { system, machine, locals, transitions, combinations, representer, options, .. } = self;
        let source = Source { system, memory: &state.memory, zone: &state.zone, list: transitions };
        let symmetry = options.symmetry.as_ref().zip(representer.as_ref()).filter(|_| in_order);
        let may_follow = |synchronisation: &Synchronisation, picked: &[Option<Fired>]| {
            let pairs = symmetry.map(|(symmetry, representer)| symmetry.pairs(&representer.fixing));
            pairs.is_none_or(|pairs| receivers::is_in_order(pairs, source.list, synchronisation, picked))
        };
        if !combinations.advance(source, machine, locals, |_| true, |_| true, may_follow)? {
            return Ok(false);
        }
        let synchronisation = *combinations.current(transitions);
        transitions.combine(system, &synchronisation, combinations.fired(), combinations.rank);
        Ok(true)
    }

    /// Passes the successors by the transition with this index to the sink.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// If [`next`](Self::next) did not return this index.
    #[inline]
    pub fn follow(
        &mut self,
        state: &SymbolicState,
        index: usize,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        if let Some(memo) = &self.memo
            && index < self.transitions.listed()
            && let Some(effects) = memo.effects(self.transitions.get(index))
        {
            return self.follow_remembering(state, index, effects, sink);
        }
        if !self.guard(state, index)? {
            return Ok(());
        }
        if self.system.has_priorities {
            return self.follow_pieces(state, index, sink);
        }
        self.update(state, index)?;
        self.refuse_negative(state, index)?;
        self.arrive(self.transitions.ordinal(index), sink)
    }

    /// As [`follow`](Self::follow), for a transition without priorities whose effects on clocks are known: the zone is computed
    /// only if it is not remembered (`memo.rs`). What depends on data is evaluated in the same order, so that the same errors
    /// occur.
    fn follow_remembering(
        &mut self,
        state: &SymbolicState,
        index: usize,
        effects: ClockEffects,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        if !self.may_follow(state, index, &effects)? {
            return Ok(());
        }
        self.update(state, index)?;
        self.gather_target();
        let ordinal = self.transitions.ordinal(index);
        let Some(requirements) = self.requirements().filter(|_| self.writes.len() == effects.resets as usize)
        else {
            let holds = self.guard_edges(state, index)?;
            debug_assert!(holds, "the guards hold in a part of the zone");
            self.refuse_negative(state, index)?;
            return self.arrive(ordinal, sink);
        };
        let Self { system, machine, locals, next, target_locations, .. } = self;
        if !invariant::holds(system, machine, target_locations.current(), next, locals)? {
            return Ok(());
        }
        match self.remembered(&effects, requirements)? {
            KnownStep::Empty => return Ok(()),
            KnownStep::Zone(number) => {
                let Self { zone, memo, .. } = self;
                memo.iter().for_each(|memo| memo.load(number, zone));
            }
            KnownStep::Unknown => {
                if !self.remember(state, index, &effects, requirements)? {
                    return Ok(());
                }
            }
        }
        self.pass(ordinal, None, sink);
        Ok(())
    }

    /// Whether the guards of a transition hold in a part of the state's zone.
    fn may_follow(&mut self, state: &SymbolicState, index: usize, effects: &ClockEffects) -> Outcome<bool> {
        let system = self.system;
        let transition = self.transitions.get(index);
        if !cancellation::work(self.words) {
            let span = system.edges[transition.fired[0].edge].span;
            return Err(RuntimeError { kind: EvalErrorKind::Cancelled, span });
        }
        let may_hold = |fired: &Fired| guard::may_hold(&system.edges[fired.edge].clocks, &state.zone);
        if !transition.fired.iter().all(may_hold) {
            return Ok(false);
        }
        if effects.constraints < 2 {
            return Ok(true);
        }
        match self.memo.as_ref().map_or(KnownStep::Unknown, |memo| memo.guards(effects)) {
            KnownStep::Empty => Ok(false),
            KnownStep::Zone(_) => Ok(true),
            KnownStep::Unknown => {
                let hold = self.guard_edges(state, index)?;
                self.memo.iter_mut().for_each(|memo| memo.note_guards(effects, hold));
                Ok(hold)
            }
        }
    }

    /// The number of what the target requires of zones; nothing if that depends on data.
    #[inline]
    fn requirements(&mut self) -> Option<u32> {
        let place = self.target_locations.place_mut();
        if place.requirements.is_none()
            && let Some(memo) = &mut self.memo
        {
            place.requirements = memo.require(&place.locations, &place.bounds);
        }
        place.requirements
    }

    /// What is known of the step to the target. With urgent channels, whether time can pass is evaluated only if the step is
    /// possible.
    #[inline]
    fn remembered(&mut self, effects: &ClockEffects, requirements: u32) -> Outcome<KnownStep> {
        let Some(memo) = &mut self.memo else { return Ok(KnownStep::Unknown) };
        let may_delay = !self.target_locations.current().has(LocationSummary::NO_DELAY);
        let known = memo.step(effects, requirements, may_delay);
        if !self.has_urgent_channels || !may_delay || known == KnownStep::Empty {
            return Ok(known);
        }
        if known == KnownStep::Unknown && memo.step(effects, requirements, false) == KnownStep::Unknown {
            return Ok(KnownStep::Unknown);
        }
        let may_delay = self.may_delay()?;
        Ok(self.memo.as_mut().map_or(KnownStep::Unknown, |memo| memo.step(effects, requirements, may_delay)))
    }

    /// Computes the zone of a step, and notes it. Returns false if it is empty.
    fn remember(
        &mut self,
        state: &SymbolicState,
        index: usize,
        effects: &ClockEffects,
        requirements: u32,
    ) -> Outcome<bool> {
        let holds = self.guard_edges(state, index)?;
        debug_assert!(holds, "the guards hold in a part of the zone");
        if !self.reach()? {
            self.memo.iter_mut().for_each(|memo| memo.note_empty(effects, requirements));
            return Ok(false);
        }
        let may_delay = self.may_delay()?;
        if may_delay {
            self.delay()?;
        }
        let Self { options, target_locations, zone, memo, .. } = self;
        options.enlarge(options.bounds.of(target_locations.place()), zone);
        memo.iter_mut().for_each(|memo| memo.note_zone(effects, requirements, may_delay, zone));
        Ok(true)
    }

    /// Computes the intersection of the state's zone with the guard of a transition. Returns false if it is empty.
    #[inline]
    pub(crate) fn guard(&mut self, state: &SymbolicState, index: usize) -> Outcome<bool> {
        if index >= self.transitions.listed() {
            self.zone.copy_from(&self.combinations.zone);
            return Ok(true);
        }
        self.guard_edges(state, index)
    }

    /// As [`guard`](Self::guard), for the guards of the edges alone: valuations at which further processes would receive
    /// are included.
    #[inline]
    fn guard_edges(&mut self, state: &SymbolicState, index: usize) -> Outcome<bool> {
        let system = self.system;
        let transition = self.transitions.get(index);
        if !cancellation::work(self.words) {
            let span = system.edges[transition.fired[0].edge].span;
            return Err(RuntimeError { kind: EvalErrorKind::Cancelled, span });
        }
        if !transition
            .fired
            .iter()
            .all(|fired| guard::may_hold(&system.edges[fired.edge].clocks, &state.zone))
        {
            return Ok(false);
        }
        self.zone.copy_from(&state.zone);
        for &fired in transition.fired {
            let edge = &system.edges[fired.edge];
            if edge.clocks.is_true() {
                continue;
            }
            select(&mut self.locals, system, transition, fired);
            let (machine, locals) = (&mut self.machine, &mut self.locals);
            if !guard::apply(system, machine, &edge.clocks, &state.memory, locals, &mut self.zone)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Computes the target of a transition and its assignments to clocks.
    #[inline]
    pub(crate) fn update(&mut self, state: &SymbolicState, index: usize) -> Outcome {
        let Self { system, machine, locals, transitions, next, writes, .. } = self;
        update::data(system, machine, transitions.get(index), &state.memory, next, locals, writes)?;
        if let Some(ticks) = self.options.ticks {
            self.next[ticks.field] = 0;
        }
        Ok(())
    }

    /// As [`follow`](Self::follow) in a model with priorities, for each part of the zone that is not blocked. The update of a
    /// transition that is blocked everywhere is not evaluated, so that it cannot fail.
    #[cold]
    fn follow_pieces(
        &mut self,
        state: &SymbolicState,
        index: usize,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        let rest = self.exclude(state, index)?;
        if rest.is_empty() {
            return Ok(());
        }
        self.update(state, index)?;
        for piece in rest.zones() {
            self.zone.copy_from(piece);
            self.refuse_negative(state, index)?;
            self.arrive(self.transitions.ordinal(index), sink)?;
        }
        Ok(())
    }

    fn exclude(&mut self, state: &SymbolicState, index: usize) -> Outcome<Federation> {
        let source =
            Source { system: self.system, memory: &state.memory, zone: &state.zone, list: &self.transitions };
        self.excluder.apply(source, &mut self.machine, &mut self.locals, index, &self.zone)
    }

    /// The parts of a prepared state's zone in which the guards of a transition hold and no transition of higher priority is
    /// enabled, without regard to the invariants of its target.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`follow`](Self::follow).
    pub fn pieces(&mut self, state: &SymbolicState, index: usize) -> Outcome<Vec<Dbm>> {
        if !self.guard(state, index)? {
            return Ok(Vec::new());
        }
        if self.system.has_priorities {
            return Ok(self.exclude(state, index)?.zones().to_vec());
        }
        Ok(vec![self.zone.clone()])
    }

    /// The part of a prepared state's zone in which the guards of a transition hold, if it is not empty.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`follow`](Self::follow).
    pub fn guarded(&mut self, state: &SymbolicState, index: usize) -> Outcome<Option<Dbm>> {
        Ok(self.guard_edges(state, index)?.then(|| self.zone.clone()))
    }

    /// Passes the successors of one of a transition's [`pieces`](Self::pieces) to the sink. Valuations for which an update
    /// would make a clock negative have no successor; see [`failing_from`](Self::failing_from) for them.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`follow`](Self::follow).
    pub fn follow_from(
        &mut self,
        state: &SymbolicState,
        index: usize,
        piece: &Dbm,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        self.update(state, index)?;
        self.zone.copy_from(piece);
        self.arrive(self.transitions.ordinal(index), sink)
    }

    /// The stages after the guard and the update of data: from the guarded zone, `next` and `writes` to the sink.
    #[inline]
    fn arrive(&mut self, ordinal: u32, sink: &mut impl FnMut(&Successor<'_>)) -> Outcome {
        self.gather_target();
        let Self { system, machine, locals, next, target_locations, .. } = self;
        if !invariant::holds(system, machine, target_locations.current(), next, locals)? || !self.reach()? {
            return Ok(());
        }
        let may_delay = self.may_delay()?;
        if self.avoider.is_some() {
            return self.arrive_avoiding(ordinal, may_delay, sink);
        }
        if may_delay {
            self.delay()?;
        }
        self.finish(ordinal, None, sink);
        Ok(())
    }

    /// Applies the assignments to clocks and the invariants of the target to the zone. Returns false if it is empty then.
    #[inline]
    fn reach(&mut self) -> Outcome<bool> {
        let Self { system, machine, locals, next, zone, writes, target_locations, .. } = self;
        Ok(update::clocks(writes, zone)
            && invariant::apply(system, machine, target_locations.current(), next, locals, zone)?)
    }

    /// Whether time can pass in the target.
    #[inline]
    fn may_delay(&mut self) -> Outcome<bool> {
        delay::is_allowed(
            self.system,
            &mut self.machine,
            &mut self.enumerator,
            &mut self.other,
            self.has_urgent_channels,
            self.target_locations.current(),
            &self.next,
        )
    }

    /// Delays the zone of the target.
    #[inline]
    fn delay(&mut self) -> Outcome {
        let Self { system, machine, locals, next, zone, target_locations, stopped, .. } = self;
        let locations = target_locations.current();
        let non_empty = delay::apply(system, machine, locations, next, locals, stopped, zone)?;
        debug_assert!(non_empty, "no delay is a delay");
        Ok(())
    }

    /// The delay with an avoided predicate, and the stages after it.
    fn arrive_avoiding(
        &mut self,
        ordinal: u32,
        may_delay: bool,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        let Self { system, machine, locals, next, zone, target_locations, stopped, avoider, .. } = self;
        let target_locations = target_locations.current();
        let Some(avoider) = avoider else { return Ok(()) };
        let entry = zone.clone();
        if may_delay {
            delay::apply(system, machine, target_locations, next, locals, stopped, zone)?;
        }
        let stays = match avoider.stays(next, &entry, zone, may_delay)? {
            Stays::Unrestricted => {
                self.finish(ordinal, None, sink);
                return Ok(());
            }
            Stays::Only(stays) => stays,
        };
        for stay in &stays {
            // The locations may be those of the representative of another part.
            self.gather_target();
            let Self { system, machine, locals, next, zone, target_locations, stopped, .. } = self;
            zone.copy_from(&stay.entry);
            if may_delay {
                delay::apply(system, machine, target_locations.current(), next, locals, stopped, zone)?;
            }
            if zone.intersect(&stay.within) {
                self.finish(ordinal, Some(stay), sink);
            }
        }
        Ok(())
    }

    /// The stages after the delay.
    #[inline]
    fn finish(&mut self, ordinal: u32, stay: Option<&Stay>, sink: &mut impl FnMut(&Successor<'_>)) {
        let Self { options, target_locations, zone, .. } = self;
        let bounds = options.bounds.of(target_locations.place());
        if !options.diagonals.is_empty() {
            if options.reduce {
                reduce::apply(bounds, zone);
            }
            self.arrive_split(ordinal, stay, sink);
            return;
        }
        options.enlarge(bounds, zone);
        self.pass(ordinal, stay, sink);
    }

    /// Passes the state, or its representative, to the sink.
    #[inline]
    fn pass(&mut self, ordinal: u32, stay: Option<&Stay>, sink: &mut impl FnMut(&Successor<'_>)) {
        if self.representer.is_some() && self.represent(ordinal, sink) {
            return;
        }
        let place = self.target_locations.place();
        sink(&Successor {
            ordinal,
            memory: &self.next,
            zone: &self.zone,
            bounds: self.options.bounds.of(place),
            stay,
            applied: &[],
            is_committed: place.locations.has(LocationSummary::COMMITTED),
        });
    }

    /// Passes the representative of the state to the sink, if it is another state. Its zone is not restricted by a
    /// [`Stay`]: that is only known of the state itself.
    fn represent(&mut self, ordinal: u32, sink: &mut impl FnMut(&Successor<'_>)) -> bool {
        let Self { system, options, representer: Some(representer), target_locations, .. } = self else {
            return false;
        };
        let Some(symmetry) = &options.symmetry else { return false };
        if !representer.represent(symmetry, system, &self.next, &self.zone) {
            return false;
        }
        let is_committed = target_locations.current().has(LocationSummary::COMMITTED);
        target_locations.gather(system, &options.bounds, &representer.memory);
        sink(&Successor {
            ordinal,
            memory: &representer.memory,
            zone: &representer.zone,
            bounds: options.bounds.of(target_locations.place()),
            stay: None,
            applied: &representer.applied,
            is_committed,
        });
        true
    }

    #[cold]
    fn arrive_split(&mut self, ordinal: u32, stay: Option<&Stay>, sink: &mut impl FnMut(&Successor<'_>)) {
        let mut pieces = Vec::new();
        let bounds = self.options.bounds.of(self.target_locations.place());
        self.options.split(bounds, self.zone.clone(), &mut self.sides, &mut |piece| pieces.push(piece));
        for piece in pieces {
            // The locations may be those of the representative of another piece.
            self.gather_target();
            self.zone = piece;
            self.pass(ordinal, stay, sink);
        }
    }
}

/// The size of a symbolic state in words.
pub(crate) fn successor_words(system: &System) -> u32 {
    let rows = system.dimension.clocks() + 1;
    u32::try_from(system.layout.fields() + rows * rows).unwrap_or(u32::MAX)
}

/// `clock >= 1`: the guard of a tick.
pub(crate) fn at_least_one(clock: Clock) -> Constraint {
    Constraint::new(Clock::REFERENCE, clock, Bound::weak(Constant::from(-1)))
}

/// Stores the values of an edge's selections in its local cells.
#[inline]
pub(crate) fn select(locals: &mut [i32], system: &System, transition: Transition<'_>, fired: Fired) {
    for (&(local, _), &value) in
        system.edges[fired.edge].selects.iter().zip(transition.selected(fired, system))
    {
        locals[local as usize] = value;
    }
}

#[cfg(test)]
mod tests;
