//! The conditions, state by state.
//!
//! [`Checker::symbolic`] checks one symbolic state: that it has no valuation that a claim excludes, and that each of its successors is
//! covered. It is called for every entry, and for every state that is followed because it is transient. States are independent of
//! each other, so that threads can share the work.

use std::collections::HashMap;
use std::rc::Rc;

use tourbillon_base::Cancellation;

use crate::data::DiscreteState;
use crate::invariant::Invariant;
use crate::report::{EdgeText, Reason, Rejection, StateText, Stop};
use crate::state_info::{Setting, StateInfo, Target, unless_unknown};
use crate::transitions::{Effect, Transition};
use crate::zone::{Zone, minus_each};

/// How many transient states may follow each other, and how many may follow one entry.
const CHAIN_MAX: u32 = 1_000;
const FOLLOWED_MAX: u64 = 100_000;
/// How many zones a federation may have.
const FEDERATION_MAX: usize = 1 << 12;
/// How many transient discrete states are kept.
const CACHE_MAX: usize = 1 << 12;

/// What a thread checks, and what it counts.
#[derive(Debug)]
pub(crate) struct Checker<'c> {
    setting: &'c Setting<'c>,
    cancellation: &'c Cancellation,
    transient: HashMap<(usize, Box<[i32]>), Rc<StateInfo>>,
    /// The states that were followed after one entry, by invariants and vectors.
    chain: HashMap<(usize, Box<[i32]>), Vec<Zone>>,
    /// Zones to be overwritten.
    spare: Vec<Zone>,
    pub(crate) successors: u64,
    pub(crate) followed: u64,
    /// For each rank of an invariant with recurrences what is known of it.
    pub(crate) ranks: HashMap<u64, RankClass>,
}

/// What the states of a rank meet, and the first entry from which a successor stays at it.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RankClass {
    pub(crate) met: u64,
    pub(crate) stays: Option<(usize, usize)>,
}

/// The entry of which successors are examined, and what lies between.
#[derive(Clone, Copy, Debug)]
struct Origin {
    set: usize,
    /// The rank to compare with; none if entries of all ranks cover.
    rank: Option<u64>,
    /// The numbers of its discrete state and among its entries.
    entry: (usize, usize),
    /// How many transient states lie between, and what they meet.
    length: u32,
    met: u64,
    /// How many states had been followed before.
    followed: u64,
}

impl<'c> Checker<'c> {
    pub(crate) fn new(setting: &'c Setting<'c>, cancellation: &'c Cancellation) -> Self {
        Self {
            setting,
            cancellation,
            transient: HashMap::new(),
            chain: HashMap::new(),
            spare: Vec::new(),
            successors: 0,
            followed: 0,
            ranks: HashMap::new(),
        }
    }

    fn invariant(&self, set: usize) -> &'c Invariant {
        &self.setting.invariants[set]
    }

    /// That the initial state is covered, as far as runs stay in what they must.
    pub(crate) fn initial(&mut self, set: usize) -> Result<(), Stop> {
        let model = self.setting.network.model;
        let vector = DiscreteState::initial(model).vector();
        let zone = Zone::point(model.clocks.iter().map(|clock| clock.initial));
        let info = self.setting.state_info(set, &vector)?;
        let Some(inside) = inside(&info, zone)? else { return Ok(()) };
        self.start(set, &vector, &minus_all(vec![inside], &info.left)?, &Reason::InitialNotCovered)
    }

    /// That runs can start in an invariant.
    fn start(&mut self, set: usize, vector: &[i32], zones: &[Zone], reason: &Reason) -> Result<(), Stop> {
        let origin = Origin { set, rank: None, entry: (0, 0), length: 0, met: 0, followed: self.followed };
        let target = self.setting.place(set, vector);
        zones.iter().try_for_each(|zone| self.arrive(origin, vector, &target, zone, reason.clone()))
    }

    /// All entries of a discrete state.
    pub(crate) fn state(&mut self, set: usize, number: usize) -> Result<(), Stop> {
        let invariant = self.invariant(set);
        let (vector, entries) = &invariant.states[number];
        let universal = Zone::universal(self.setting.network.dimension());
        let info = self.setting.state_info(set, vector);
        let info = info.map_err(|stop| self.at(stop, set, vector, &universal))?;
        for (index, &(zone, rank)) in entries.iter().enumerate() {
            if let Some(reason) = self.cancellation.reason() {
                return Err(Stop::Unknown(format!("ended from outside: {reason:?}")));
            }
            if !self.setting.plans[set].recurrences.is_empty() {
                self.ranks.entry(rank).or_default().met |= info.met;
            }
            self.chain.clear();
            let (rank, followed) = (invariant.header.ranked.then_some(rank), self.followed);
            let origin = Origin { set, rank, entry: (number, index), length: 0, met: 0, followed };
            self.symbolic(&info, &invariant.zones[zone as usize], origin)?;
        }
        Ok(())
    }

    /// A rejection with the symbolic state that it is about, unless it has one.
    fn at(&self, stop: Stop, set: usize, vector: &[i32], zone: &Zone) -> Stop {
        stop.with(|rejection| {
            if rejection.state.is_none() {
                let text = StateText::new(self.setting.network.model, vector, zone);
                (rejection.invariant, rejection.state) = (Some(set), Some(text));
            }
        })
    }

    /// What is asked of a symbolic state.
    fn symbolic(&mut self, info: &StateInfo, zone: &Zone, origin: Origin) -> Result<(), Stop> {
        let result = self.symbolic_at(info, zone, origin);
        result.map_err(|stop| self.at(stop, origin.set, &info.vector, zone))
    }

    fn symbolic_at(&mut self, info: &StateInfo, zone: &Zone, origin: Origin) -> Result<(), Stop> {
        let copy = self.copy(zone);
        let Some(inside) = inside(info, copy)? else { return Ok(()) };
        let mut allowed = stay(info, inside)?;
        for zone in &allowed {
            excluded(info, zone)?;
            for (query, avoid, piece) in &info.starts {
                let start: Vec<Zone> = zone.with(piece).into_iter().collect();
                let started = self.start(*avoid, &info.vector, &start, &Reason::StartNotCovered);
                started.map_err(|stop| stop.of_query(*query))?;
            }
            if let Some((query, _)) = self.setting.plans[origin.set].stays {
                self.ends(origin.set, info, zone).map_err(|stop| stop.of_query(query))?;
            }
        }
        let transitions = info.moves.transitions.as_slice();
        let mut targets = info.targets.iter();
        for equal in transitions.chunk_by(|one, other| one.priority == other.priority) {
            for (transition, target) in equal.iter().zip(targets.by_ref()) {
                for zone in &allowed {
                    let result = self.transition(transition, target, zone, origin);
                    result.map_err(|stop| self.along(stop, transition))?;
                }
            }
            let blocks = transitions.last().is_some_and(|last| last.priority < equal[0].priority);
            for transition in equal.iter().filter(|it| blocks && matches!(it.effect, Effect::To { .. })) {
                allowed = bounded(minus_each(&allowed, transition.guard.iter().copied()))?;
            }
        }
        self.spare.append(&mut allowed);
        Ok(())
    }

    fn copy(&mut self, zone: &Zone) -> Zone {
        let Some(mut copy) = self.spare.pop() else { return zone.clone() };
        copy.copy_from(zone);
        copy
    }

    /// A rejection with its transition, unless it is about a state after it.
    fn along(&self, stop: Stop, transition: &Transition) -> Stop {
        stop.with(|rejection| {
            if rejection.state.is_none() {
                rejection.transition = EdgeText::list(self.setting.network, &transition.edges);
            }
        })
    }

    /// That no run ends in an avoid: time does not diverge there, and there is no deadlock before runs leave it.
    fn ends(&self, set: usize, info: &StateInfo, stay: &Zone) -> Result<(), Stop> {
        if info.moves.time_passes && stay.is_unbounded() {
            return Err(Rejection::new(Reason::Diverges).into());
        }
        if info.time_diverges {
            return Ok(());
        }
        if !self.setting.plans[set].preserves_deadlocks {
            let why = "that no run ends in a deadlock needs L = U everywhere".to_owned();
            return Err(Rejection::new(Reason::NotSimulation(why)).into());
        }
        if info.enabled.iter().any(|enabled| enabled.includes(stay)) {
            return Ok(());
        }
        let mut left = info.left.clone();
        if info.moves.time_passes {
            left.iter_mut().for_each(Zone::down);
        }
        let dead = minus_all(minus_all(vec![stay.clone()], &info.enabled)?, &left)?;
        if dead.is_empty() { Ok(()) } else { Err(Rejection::new(Reason::Ends).into()) }
    }

    /// That what a transition makes of a zone is covered.
    fn transition(
        &mut self,
        transition: &Transition,
        target: &Target,
        zone: &Zone,
        origin: Origin,
    ) -> Result<(), Stop> {
        if transition.guard.iter().any(|&constraint| zone.excludes(constraint)) {
            return Ok(());
        }
        let mut before = self.copy(zone);
        if !before.constrain_all(&transition.guard) {
            self.spare.push(before);
            return Ok(());
        }
        let (vector, assignments) = match &transition.effect {
            Effect::To { vector, assignments } => (vector, assignments),
            Effect::Fails(error) => {
                return Err(Rejection::new(Reason::ModelFails(unless_unknown(*error)?)).into());
            }
        };
        let mut after = self.copy(&before);
        after.assign(&before, assignments);
        self.spare.push(before);
        self.successors += 1;
        if let Some((_, error)) = target.failing.iter().find(|(piece, _)| after.with(piece).is_some()) {
            return Err(Rejection::new(Reason::QueryFails(*error)).into());
        }
        for piece in &target.stays {
            let mut part = self.copy(&after);
            if part.constrain_all(piece) {
                self.arrive(origin, vector, target, &part, Reason::NotCovered)?;
            }
            self.spare.push(part);
        }
        self.spare.push(after);
        Ok(())
    }

    /// That valuations of a discrete state are covered, or followed.
    fn arrive(
        &mut self,
        origin: Origin,
        vector: &[i32],
        target: &Target,
        zone: &Zone,
        reason: Reason,
    ) -> Result<(), Stop> {
        let (set, plan) = (origin.set, &self.setting.plans[origin.set]);
        let from = origin.rank.filter(|_| plan.stays.is_some() || !plan.recurrences.is_empty());
        if self.is_covered(set, target, zone, |rank| from.is_none_or(|from| rank > from))? {
            return Ok(());
        }
        if let Some(from) = from.filter(|_| plan.stays.is_none())
            && self.is_covered(set, target, zone, |rank| rank >= from)?
        {
            let class = self.ranks.entry(from).or_default();
            class.met |= origin.met;
            class.stays = Some(class.stays.map_or(origin.entry, |first| first.min(origin.entry)));
            return Ok(());
        }
        if self.invariant(set).header.transient && self.setting.network.is_committed(vector) {
            return self.follow(origin, vector, zone);
        }
        let successor = Some(StateText::new(self.setting.network.model, vector, zone));
        Err(Rejection { successor, invariant: Some(set), ..Rejection::new(reason) }.into())
    }

    /// Examines a transient state, unless one that includes it was followed from the same entry: that one is as good as an entry
    /// of the invariant. Where ranks must rise this would close cycles, so there each state is examined again.
    fn follow(&mut self, origin: Origin, vector: &[i32], zone: &Zone) -> Result<(), Stop> {
        if !self.invariant(origin.set).header.ranked {
            let known = self.chain.entry((origin.set, vector.into())).or_default();
            if known.iter().any(|known| known.includes(zone)) {
                return Ok(());
            }
            known.push(zone.clone());
        }
        if origin.length >= CHAIN_MAX || self.followed - origin.followed >= FOLLOWED_MAX {
            return Err(Rejection::new(Reason::TooManyTransient).into());
        }
        self.followed += 1;
        let key = (origin.set, vector.into());
        let info = match self.transient.get(&key) {
            Some(info) => Rc::clone(info),
            None => {
                let info = Rc::new(self.setting.state_info(origin.set, vector)?);
                if self.transient.len() >= CACHE_MAX {
                    self.transient.clear();
                }
                self.transient.insert(key, Rc::clone(&info));
                info
            }
        };
        self.symbolic(&info, zone, Origin { length: origin.length + 1, met: origin.met | info.met, ..origin })
    }

    /// Whether entries of a discrete state cover a zone, of those with ranks that are admitted.
    fn is_covered(
        &self,
        set: usize,
        target: &Target,
        zone: &Zone,
        admits: impl Fn(u64) -> bool,
    ) -> Result<bool, Stop> {
        let Some(number) = target.number else { return Ok(false) };
        let invariant = self.invariant(set);
        let admitted = invariant.states[number].1.iter().filter(|&&(_, rank)| admits(rank));
        let zones = admitted.map(|&(zone, _)| &invariant.zones[zone as usize]);
        let covers = |entry: &Zone| match &target.bounds {
            None => entry.includes(zone),
            Some(bounds) => entry.includes(zone) || entry.simulates(zone, &bounds.lower, &bounds.upper),
        };
        if zones.clone().any(covers) {
            return Ok(true);
        }
        let mut rest = vec![zone.clone()];
        for entry in zones {
            rest = bounded(minus_each(&rest, entry.constraints()))?;
        }
        Ok(rest.is_empty())
    }
}

/// The valuations of a zone that satisfy the invariant; nothing if there is none.
pub(crate) fn inside(info: &StateInfo, mut zone: Zone) -> Result<Option<Zone>, Stop> {
    let is_inside = zone.constrain_all(&info.moves.invariant);
    match info.moves.invariant_holds {
        Ok(holds) => Ok((holds && is_inside).then_some(zone)),
        Err(error) if is_inside => Err(Rejection::new(Reason::ModelFails(unless_unknown(error)?)).into()),
        Err(_) => Ok(None),
    }
}

/// What delays make of the valuations of a zone; in an avoid as far as runs stay in what they must.
///
/// Let `B` be convex, and one of the zones that are left. From `W`, a delay leads to `u` without passing `B` if `u` is not after `B` at all; or if it
/// starts in `W` after `B` was passed. Along the line through `u`, the delays back into `W` are an interval, and those that pass no `B` are
/// all up to some length; so what passes none of several `B` is the intersection.
pub(crate) fn stay(info: &StateInfo, from: Zone) -> Result<Vec<Zone>, Stop> {
    if !info.moves.time_passes {
        return minus_all(vec![from], &info.left);
    }
    let later = |mut zone: Zone| {
        zone.up();
        zone.constrain_all(&info.moves.invariant);
        zone
    };
    if info.left.is_empty() {
        return Ok(vec![later(from)]);
    }
    let mut found = vec![later(from.clone())];
    for left in &info.left {
        let mut passed = left.clone();
        passed.up();
        let start = from.minus(passed.constraints());
        let behind = from.minus(left.constraints());
        let behind = behind.iter().flat_map(|zone| zone.and(&passed)).map(later).collect::<Vec<_>>();
        let none: &[Zone] = &[];
        let before = minus_each(if start.is_empty() { none } else { &found }, passed.constraints());
        let behind = found.iter().flat_map(|zone| behind.iter().filter_map(|behind| zone.and(behind)));
        found = bounded(before.chain(behind))?;
    }
    Ok(found)
}

/// That a zone has no valuation that a claim excludes.
fn excluded(info: &StateInfo, zone: &Zone) -> Result<(), Stop> {
    for part in &info.excluded {
        let Some(excluded) = zone.with(&part.piece) else { continue };
        let is_there = match part.deadlocked {
            None => true,
            Some(true) if info.enabled.iter().any(|enabled| enabled.includes(&excluded)) => false,
            Some(true) => !minus_all(vec![excluded], &info.enabled)?.is_empty(),
            Some(false) => info.enabled.iter().any(|enabled| excluded.and(enabled).is_some()),
        };
        if is_there {
            return Err(Stop::from(Rejection::new(part.reason.clone())).of_query(part.query));
        }
    }
    Ok(())
}

pub(crate) fn minus_all(zones: Vec<Zone>, removed: &[Zone]) -> Result<Vec<Zone>, Stop> {
    removed.iter().try_fold(zones, |rest, removed| bounded(minus_each(&rest, removed.constraints())))
}

fn bounded(zones: impl Iterator<Item = Zone>) -> Result<Vec<Zone>, Stop> {
    let zones: Vec<Zone> = zones.take(FEDERATION_MAX + 1).collect();
    if zones.len() > FEDERATION_MAX {
        return Err(Stop::Unknown("a federation has too many zones".to_owned()));
    }
    Ok(zones)
}
