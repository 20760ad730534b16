//! The pipeline: the stages put together.
//!
//! [`ZoneGraph::initial`] and [`ZoneGraph::expand`] are the whole interface that a search needs: from a
//! symbolic state to its successors, each handed to a sink as it comes out of the last stage. What comes out
//! lives in scratch memory and is gone with the next one; keeping it is the sink's business.
//!
//! A successor is computed as in `[DavidBehrmannLarsenYi2003]`: integer guards decide before anything is copied;
//! then the zone is copied, cut down to the guard, updated, cut down to the invariants of the target, delayed
//! if time can pass there, cut down again, and abstracted.

use tourbillon_base::cancellation;
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Federation};
use tourbillon_model::EvalErrorKind;
use tourbillon_system::{EdgeId, Machine, Predicate, RuntimeError, System};

use crate::abstraction::{self, Abstraction, Bounds};
use crate::avoid::{Avoider, Stay, Stays};
use crate::combine::{Combinations, Source};
use crate::deadlock::Detector;
use crate::enumerate::{Enumerator, Transition, Transitions};
use crate::exclude::Excluder;
use crate::situation::Situation;
use crate::update::{Write, initial_zone};
use crate::{delay, guard, invariant, reduce, update};

/// What the optional stages do.
#[derive(Clone, Debug)]
pub struct Options {
    /// How zones are extrapolated.
    pub abstraction: Abstraction,
    /// By which constants.
    pub bounds: Bounds,
    /// Whether clocks about which nothing is asked are forgotten.
    pub reduce: bool,
    /// Diagonals on which zones are split before they are extrapolated.
    pub diagonals: Vec<Constraint>,
    /// Whether the constants of each successor are wanted, for a cover that uses them.
    pub wants_bounds: bool,
    /// What must never happen, not during delays either.
    pub avoid: Option<Predicate>,
    /// Whether time is told: every now and then a step that only says that a unit of it has passed.
    pub ticks: Option<Ticks>,
}

/// What is used to tell that time passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticks {
    /// A clock that no edge knows of.
    pub clock: Clock,
    /// A field of the discrete state that no edge knows of: 1 after such a step, 0 after any other.
    pub field: usize,
}

/// The ordinal of a step that only says that time has passed.
pub const TICK: u32 = u32::MAX;

impl Options {
    /// Exact zones, nothing forgotten.
    #[must_use]
    pub fn exact(system: &System) -> Self {
        Self {
            abstraction: Abstraction::None,
            bounds: Bounds::Global(ClockBounds::none(system.dimension)),
            reduce: false,
            diagonals: Vec::new(),
            wants_bounds: false,
            avoid: None,
            ticks: None,
        }
    }

    /// What the stages after a delay make of a zone where these constants count: one zone, or one for each side of the
    /// diagonals that it lies on.
    pub fn abstracted(&self, bounds: &ClockBounds, mut zone: Dbm, visit: &mut impl FnMut(Dbm)) {
        if self.reduce {
            reduce::apply(bounds, &mut zone);
        }
        if self.diagonals.is_empty() {
            self.abstraction.apply(bounds, &mut zone);
            visit(zone);
        } else {
            self.split(bounds, zone, &mut Vec::new(), visit);
        }
    }

    /// Splits a zone on the diagonals and abstracts each piece, which stays on its sides.
    fn split(
        &self,
        bounds: &ClockBounds,
        zone: Dbm,
        sides: &mut Vec<Constraint>,
        visit: &mut impl FnMut(Dbm),
    ) {
        sides.clear();
        abstraction::split(zone, &self.diagonals, sides, &mut |mut piece, sides| {
            self.abstraction.apply(bounds, &mut piece);
            let inhabited = sides.iter().all(|&side| piece.constrain(side));
            debug_assert!(inhabited, "the piece lies on these sides");
            visit(piece);
        });
    }
}

/// A discrete state and a zone.
#[derive(Clone, Debug)]
pub struct SymbolicState {
    /// Locations and data: of full length, of which the layout's fields tell states apart.
    pub memory: Vec<i32>,
    /// The clocks.
    pub zone: Dbm,
}

impl SymbolicState {
    /// Memory for a state of a system, to be written to: it holds the initial data, and all clocks at 0.
    #[must_use]
    pub fn new(system: &System) -> Self {
        Self { memory: system.initial.clone(), zone: Dbm::zero(system.dimension) }
    }
}

/// What comes out of the pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'a> {
    /// The ordinal of the transition of its source that it came by.
    pub ordinal: u32,
    /// Locations and data.
    pub memory: &'a [i32],
    /// The clocks.
    pub zone: &'a Dbm,
    /// The constants of its discrete state, if they were wanted or used.
    pub bounds: &'a ClockBounds,
    /// In which way time passes in it, where something is avoided and clocks have a say in that.
    pub stay: Option<&'a Stay>,
}

/// The zone graph of a system.
#[derive(Debug)]
pub struct ZoneGraph<'s> {
    pub(crate) system: &'s System,
    pub(crate) options: Options,
    pub(crate) machine: Machine,
    pub(crate) enumerator: Enumerator,
    pub(crate) transitions: Transitions,
    /// For questions about a target while the transitions of its source are being gone through.
    pub(crate) other: Transitions,
    excluder: Excluder,
    combinations: Combinations,
    /// How many of the listed transitions have been handed out by [`next`](Self::next).
    handed_out: usize,
    /// Of the state that was prepared last, and of the one that a transition leads to.
    pub(crate) here: Situation,
    pub(crate) there: Situation,
    pub(crate) next: Vec<i32>,
    pub(crate) zone: Dbm,
    pub(crate) writes: Vec<Write>,
    pub(crate) locals: Vec<i32>,
    standing: Vec<Clock>,
    sides: Vec<Constraint>,
    pub(crate) has_urgent_channels: bool,
    pub(crate) avoider: Option<Avoider<'s>>,
    pub(crate) detector: Detector,
    /// Whether any stage or cover wants the constants of states.
    uses_bounds: bool,
    /// About how many words a successor takes to compute.
    words: u32,
}

type Outcome<T = ()> = Result<T, RuntimeError>;

impl<'s> ZoneGraph<'s> {
    /// The zone graph of a system, with these stages.
    #[must_use]
    pub fn new(system: &'s System, mut options: Options) -> Self {
        let next = system.initial.clone();
        let uses_bounds = options.wants_bounds || options.reduce || options.abstraction != Abstraction::None;
        Self {
            system,
            avoider: options.avoid.take().map(|predicate| Avoider::new(system, predicate)),
            detector: Detector::new(system),
            options,
            uses_bounds,
            words: successor_words(system),
            machine: Machine::new(),
            enumerator: Enumerator::new(system),
            transitions: Transitions::default(),
            other: Transitions::default(),
            excluder: Excluder::new(system),
            combinations: Combinations::new(system),
            handed_out: 0,
            here: Situation::default(),
            there: Situation::default(),
            next,
            zone: Dbm::zero(system.dimension),
            writes: Vec::new(),
            locals: vec![0; system.frame_max()],
            standing: Vec::new(),
            sides: Vec::new(),
            has_urgent_channels: system.channels.iter().any(|channel| channel.urgent),
        }
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The constants of a discrete state.
    pub fn constants(&mut self, memory: &[i32]) -> &ClockBounds {
        self.there.gather(self.system, memory);
        self.options.bounds.of(&self.there)
    }

    /// Hands the initial states to the sink: one, or several if it is split on diagonals; none if the
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

    /// Hands the successors of a state to the sink, in the order of their transitions.
    ///
    /// The state's zone is cut down to its invariants.
    ///
    /// # Errors
    /// If the model fails at run time. The successors before that were handed on.
    #[inline]
    pub fn expand(&mut self, state: &mut SymbolicState, sink: &mut impl FnMut(&Successor<'_>)) -> Outcome {
        self.prepare(state)?;
        for place in 0..self.transitions.listed() {
            self.follow(state, place, sink)?;
        }
        if !self.transitions.synchronisations.is_empty() {
            self.expand_combined(state, sink)?;
        }
        if self.options.ticks.is_some() {
            self.tick(state, sink)?;
        }
        Ok(())
    }

    /// Hands what combinations of receivers that the zone of a prepared state decides on lead to to the sink.
    ///
    /// # Errors
    /// If the model fails. The successors before that were handed on.
    #[cold]
    pub fn expand_combined(
        &mut self,
        state: &SymbolicState,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        while self.combine(state)? {
            self.follow(state, self.transitions.listed(), sink)?;
        }
        Ok(())
    }

    /// Hands the states to the sink that a run can be in after some delay if it is, at this moment, in this discrete
    /// state with these clocks.
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

    /// What is done to the clock that tells time, if there is one, when it starts anew.
    pub(crate) fn tick_reset(&self) -> Option<Write> {
        self.options.ticks.map(|ticks| Write::Reset(ticks.clock, Constant::ZERO))
    }

    /// Hands what a state is like after it was told that time has passed to the sink.
    ///
    /// # Errors
    /// If the model fails.
    pub fn tick(&mut self, state: &SymbolicState, sink: &mut impl FnMut(&Successor<'_>)) -> Outcome {
        let Some(Ticks { clock, field }) = self.options.ticks else { return Ok(()) };
        self.zone.copy_from(&state.zone);
        if !self.zone.constrain(one_has_passed(clock)) {
            return Ok(());
        }
        self.next.copy_from_slice(&state.memory);
        self.next[field] = 1;
        self.writes.clear();
        self.writes.extend(self.tick_reset());
        self.arrive(TICK, sink)
    }

    /// Makes the list of transitions of a state, and cuts its zone down to its invariants.
    ///
    /// # Errors
    /// If the model fails.
    pub fn prepare(&mut self, state: &mut SymbolicState) -> Outcome {
        self.here.gather(self.system, &state.memory);
        let Self { system, machine, locals, here, .. } = self;
        let inhabited = invariant::apply(system, machine, here, &state.memory, locals, &mut state.zone)?;
        self.handed_out = 0;
        self.combinations.begin();
        if !inhabited {
            // An extrapolated zone includes points that satisfy the invariants, but a part of it need not.
            self.transitions.clear();
            return Ok(());
        }
        self.enumerator.enumerate(system, machine, here, &state.memory, &mut self.transitions)
    }

    /// The transitions of the state that was prepared last, as far as [`next`](Self::next) has handed them out.
    #[must_use]
    pub fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    /// The place of the next transition of a prepared state; nothing after the last. First come those that data alone
    /// lists, then the combinations of receivers that the zone admits, one by one: of these only the last is kept, and a
    /// combination comes again for each convex part of the zone in which it occurs.
    ///
    /// # Errors
    /// If the model fails, or has more combinations than are gone through.
    #[inline]
    pub fn next(&mut self, state: &SymbolicState) -> Outcome<Option<usize>> {
        if self.handed_out < self.transitions.listed() {
            self.handed_out += 1;
            return Ok(Some(self.handed_out - 1));
        }
        if self.transitions.synchronisations.is_empty() {
            return Ok(None);
        }
        Ok(self.combine(state)?.then(|| self.transitions.listed()))
    }

    /// As [`next`](Self::next), for those that an ordinal names: one, or two if their ranks are far enough apart.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn next_named(&mut self, state: &SymbolicState, ordinal: u32) -> Outcome<Option<usize>> {
        let listed = self.transitions.listed();
        if (ordinal as usize) < listed {
            let first = self.handed_out == 0;
            self.handed_out = listed;
            return Ok(first.then_some(ordinal as usize));
        }
        while self.combine(state)? {
            if self.transitions.ordinal(listed) == ordinal {
                return Ok(Some(listed));
            }
        }
        Ok(None)
    }

    /// Leaves out combinations of receivers by other edges than those of which this is true, with the values of their
    /// selections, or without one of a process that has such.
    pub fn narrow(&mut self, wanted: impl Fn(EdgeId, &[i32]) -> bool) {
        self.transitions.narrow(self.system, wanted);
    }

    /// Puts the next combination that the zone of a prepared state admits behind the listed transitions.
    fn combine(&mut self, state: &SymbolicState) -> Outcome<bool> {
        let Self { system, machine, locals, transitions, combinations, .. } = self;
        let source = Source { system, memory: &state.memory, zone: &state.zone, list: transitions };
        if !combinations.advance(source, machine, locals, |_| true, |_| true)? {
            return Ok(false);
        }
        let synchronisation = *combinations.current(transitions);
        transitions.combine(system, &synchronisation, combinations.fired(), combinations.rank);
        Ok(true)
    }

    /// Hands what the transition at a place leads to to the sink.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// If [`next`](Self::next) did not hand out this place.
    #[inline]
    pub fn follow(
        &mut self,
        state: &SymbolicState,
        place: usize,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        if !self.guard(state, place)? {
            return Ok(());
        }
        if self.system.has_priorities {
            return self.follow_pieces(state, place, sink);
        }
        self.update(state, place)?;
        self.refuse_negative(state, place)?;
        self.arrive(self.transitions.ordinal(place), sink)
    }

    /// Cuts the zone down to the guard of a transition. Returns false if clocks do not allow it.
    #[inline]
    pub(crate) fn guard(&mut self, state: &SymbolicState, place: usize) -> Outcome<bool> {
        if place >= self.transitions.listed() {
            self.zone.copy_from(&self.combinations.zone);
            return Ok(true);
        }
        self.guard_edges(state, place)
    }

    /// Cuts the zone down to the guards of the edges of a transition, whoever is left out.
    #[inline]
    fn guard_edges(&mut self, state: &SymbolicState, place: usize) -> Outcome<bool> {
        let system = self.system;
        let transition = self.transitions.get(place);
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

    /// Computes the discrete state that a transition leads to, and what it does to clocks.
    #[inline]
    pub(crate) fn update(&mut self, state: &SymbolicState, place: usize) -> Outcome {
        let Self { system, machine, locals, transitions, next, writes, .. } = self;
        update::data(system, machine, transitions.get(place), &state.memory, next, locals, writes)?;
        if let Some(ticks) = self.options.ticks {
            self.next[ticks.field] = 0;
        }
        Ok(())
    }

    /// The same where only parts of the zone remain. A transition that is blocked everywhere does nothing, and
    /// nothing that could go wrong either.
    #[cold]
    fn follow_pieces(
        &mut self,
        state: &SymbolicState,
        place: usize,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        let rest = self.exclude(state, place)?;
        if rest.is_empty() {
            return Ok(());
        }
        self.update(state, place)?;
        for piece in rest.zones() {
            self.zone.copy_from(piece);
            self.refuse_negative(state, place)?;
            self.arrive(self.transitions.ordinal(place), sink)?;
        }
        Ok(())
    }

    fn exclude(&mut self, state: &SymbolicState, place: usize) -> Outcome<Federation> {
        let source =
            Source { system: self.system, memory: &state.memory, zone: &state.zone, list: &self.transitions };
        self.excluder.apply(source, &mut self.machine, &mut self.locals, place, &self.zone)
    }

    /// The parts of a prepared state's zone in which a transition can be taken, the invariants of where it leads
    /// aside.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`follow`](Self::follow).
    pub fn pieces(&mut self, state: &SymbolicState, place: usize) -> Outcome<Vec<Dbm>> {
        if !self.guard(state, place)? {
            return Ok(Vec::new());
        }
        if self.system.has_priorities {
            return Ok(self.exclude(state, place)?.zones().to_vec());
        }
        Ok(vec![self.zone.clone()])
    }

    /// The part of a prepared state's zone in which the guards of a transition hold, if there is one.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`follow`](Self::follow).
    pub fn guarded(&mut self, state: &SymbolicState, place: usize) -> Outcome<Option<Dbm>> {
        Ok(self.guard_edges(state, place)?.then(|| self.zone.clone()))
    }

    /// Hands what a transition leads to from one of its [`pieces`](Self::pieces) to the sink. Points from which an update
    /// would make a clock negative lead nowhere; see [`failing_from`](Self::failing_from) for them.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`follow`](Self::follow).
    pub fn follow_from(
        &mut self,
        state: &SymbolicState,
        place: usize,
        piece: &Dbm,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        self.update(state, place)?;
        self.zone.copy_from(piece);
        self.arrive(self.transitions.ordinal(place), sink)
    }

    /// From the guarded zone and the new discrete state to the sink.
    #[inline]
    fn arrive(&mut self, ordinal: u32, sink: &mut impl FnMut(&Successor<'_>)) -> Outcome {
        self.there.gather(self.system, &self.next);
        let Self { system, machine, locals, next, zone, there, .. } = self;
        if !invariant::holds(system, machine, there, next, locals)?
            || !update::clocks(&self.writes, zone)
            || !invariant::apply(system, machine, there, next, locals, zone)?
        {
            return Ok(());
        }
        let may_wait = delay::is_allowed(
            system,
            machine,
            &mut self.enumerator,
            &mut self.other,
            self.has_urgent_channels,
            there,
            next,
        )?;
        if self.avoider.is_some() {
            return self.arrive_avoiding(ordinal, may_wait, sink);
        }
        if may_wait {
            let inhabited = delay::apply(system, machine, there, next, locals, &mut self.standing, zone)?;
            debug_assert!(inhabited, "no delay is a delay");
        }
        self.finish(ordinal, None, sink);
        Ok(())
    }

    /// The same where something must not happen, not during the delay either.
    fn arrive_avoiding(
        &mut self,
        ordinal: u32,
        may_wait: bool,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Outcome {
        let Self { system, machine, locals, next, zone, there, standing, avoider, .. } = self;
        let Some(avoider) = avoider else { return Ok(()) };
        let entry = zone.clone();
        if may_wait {
            delay::apply(system, machine, there, next, locals, standing, zone)?;
        }
        let stays = match avoider.stays(next, &entry, zone, may_wait)? {
            Stays::Usual => {
                self.finish(ordinal, None, sink);
                return Ok(());
            }
            Stays::Only(stays) => stays,
        };
        for stay in &stays {
            let Self { system, machine, locals, next, zone, there, standing, .. } = self;
            zone.copy_from(&stay.entry);
            if may_wait {
                delay::apply(system, machine, there, next, locals, standing, zone)?;
            }
            if zone.intersect(&stay.within) {
                self.finish(ordinal, Some(stay), sink);
            }
        }
        Ok(())
    }

    /// The stages after time has passed.
    #[inline]
    fn finish(&mut self, ordinal: u32, stay: Option<&Stay>, sink: &mut impl FnMut(&Successor<'_>)) {
        if self.uses_bounds {
            self.options.bounds.of(&self.there);
        }
        if self.options.reduce {
            reduce::apply(self.options.bounds.last(), &mut self.zone);
        }
        if !self.options.diagonals.is_empty() {
            self.arrive_split(ordinal, stay, sink);
            return;
        }
        self.options.abstraction.apply(self.options.bounds.last(), &mut self.zone);
        sink(&Successor {
            ordinal,
            memory: &self.next,
            zone: &self.zone,
            bounds: self.options.bounds.last(),
            stay,
        });
    }

    #[cold]
    fn arrive_split(&mut self, ordinal: u32, stay: Option<&Stay>, sink: &mut impl FnMut(&Successor<'_>)) {
        let Self { options, next, zone, sides, .. } = self;
        let bounds = options.bounds.last();
        options.split(bounds, zone.clone(), sides, &mut |piece| {
            sink(&Successor { ordinal, memory: next, zone: &piece, bounds, stay });
        });
    }
}

/// How many words a state has, its zone included.
pub(crate) fn successor_words(system: &System) -> u32 {
    let rows = system.dimension.clocks() + 1;
    u32::try_from(system.layout.fields() + rows * rows).unwrap_or(u32::MAX)
}

/// That a clock shows at least 1.
pub(crate) fn one_has_passed(clock: Clock) -> Constraint {
    Constraint::new(Clock::REFERENCE, clock, Bound::weak(Constant::from(-1)))
}

/// Puts the values of an edge's selections into its local cells.
#[inline]
pub(crate) fn select(locals: &mut [i32], system: &System, transition: Transition<'_>, fired: crate::Fired) {
    for (&(local, _), &value) in
        system.edges[fired.edge].selects.iter().zip(transition.selected(fired, system))
    {
        locals[local as usize] = value;
    }
}
