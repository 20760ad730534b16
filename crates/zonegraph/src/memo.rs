//! Zone steps that were computed before.
//!
//! Most transitions of a search differ from others in data alone: their zones are the same before, and so they are after. A step on
//! zones is a function of
//!
//! - the zone of the source, within its invariants;
//! - the clock guards and resets of the edges that are taken;
//! - what the target requires of zones: invariants, whether time can pass, and the clock bounds of the extrapolation.
//!
//! Each of the three gets a number, and a table of fixed size has the zones that were computed for triples of numbers. Numbers
//! identify: two sources, edges or requirements with the same number are equal, so that a step that is found is exact. When
//! the numbers of zones or requirements run out, all are dropped.
//!
//! Steps that depend on data (computed guards or invariants, assignments by code) or on more than two edges with clocks are not
//! looked up. A search in which most steps are new gives the memo up ([`StepMemo::TRIAL`]); results are the same with and without it.

use std::hash::{Hash, Hasher};

use tourbillon_base::IdVec;
use tourbillon_dbm::{Clock, ClockBounds, Constant, Constraint, Dbm, DbmVec};
use tourbillon_system::{EdgeId, LocationSummary, System};

use crate::enumerate::Transition;
use crate::location_vector::LocationVector;

/// The zone steps of a search so far.
#[derive(Debug)]
pub(crate) struct StepMemo {
    /// For each edge, the number of its clock guard and resets; nothing if they depend on data.
    effects: IdVec<EdgeId, Option<ClockEffect>>,
    zones: NumberedZones,
    requirements: NumberedRequirements,
    steps: Vec<Step>,
    /// The number of the zone of the state that was prepared last.
    source: u32,
    looked_up: u32,
    found: u32,
}

/// What an edge does to zones.
#[derive(Clone, Copy, Debug)]
struct ClockEffect {
    /// 0 if it does nothing.
    number: u32,
    /// The numbers of constraints and of resets.
    constraints: u32,
    resets: u32,
}

/// What the edges of a transition do to zones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClockEffects {
    numbers: [u32; 2],
    /// The numbers of all constraints and of all resets.
    pub(crate) constraints: u32,
    pub(crate) resets: u32,
}

/// A step, and the number of the zone after it, or [`EMPTY`].
#[derive(Clone, Copy, Debug)]
struct Step {
    key: StepKey,
    zone: u32,
}

/// The numbers of the source, of the effects and of the requirements, which are shifted left by a bit that says whether time can
/// pass.
type StepKey = [u32; 4];

/// The key of an empty place of the table.
const NO_KEY: StepKey = [u32::MAX; 4];
/// The requirements of a step that only asks whether the guards can hold.
const GUARDS: u32 = u32::MAX - 1;
/// The result of a step that is not possible.
const EMPTY: u32 = u32::MAX;

/// What is known of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownStep {
    Unknown,
    /// No valuation has a successor.
    Empty,
    /// The zone after the step, by its number.
    Zone(u32),
}

impl StepMemo {
    /// The memo is given up if, of the first so many steps that are looked up, less than a quarter is found, or of the first eight times
    /// as many, less than three quarters. To look up and note a new step takes about as long as a step that is found saves.
    const TRIAL: u32 = 1 << 10;
    /// The number of steps in the table.
    const STEPS: usize = 1 << 14;
    /// The memory of the zones in bytes.
    const ZONE_BYTES: usize = 1 << 19;
    /// The most requirements.
    const REQUIREMENTS: usize = 1 << 12;

    /// No steps yet; `None` if there are no clocks, or if priorities make steps depend on other transitions.
    pub(crate) fn new(system: &System) -> Option<Self> {
        if system.dimension.clocks() == 0 || system.has_priorities {
            return None;
        }
        let zone_bytes = Dbm::zero(system.dimension).bytes() + size_of::<Dbm>();
        let zones = (Self::ZONE_BYTES / zone_bytes).clamp(64, Self::STEPS);
        Some(Self::of_sizes(system, zones, Self::REQUIREMENTS))
    }

    /// With numbers for so many zones and requirements.
    pub(crate) fn of_sizes(system: &System, zones: usize, requirements: usize) -> Self {
        Self {
            effects: clock_effects(system),
            zones: NumberedZones { numbers: Numbers::new(zones), zones: DbmVec::new(system.dimension) },
            requirements: NumberedRequirements {
                numbers: Numbers::new(requirements),
                words: Vec::new(),
                ends: Vec::new(),
                wanted: Vec::new(),
            },
            steps: Vec::new(),
            source: EMPTY,
            looked_up: 0,
            found: 0,
        }
    }

    /// The steps that were looked up, and those of them that were found.
    #[cfg(test)]
    pub(crate) const fn counts(&self) -> (u32, u32) {
        (self.looked_up, self.found)
    }

    /// Whether most steps were new, so that looking them up does not pay.
    pub(crate) fn is_useless(&self) -> bool {
        self.looked_up >= Self::TRIAL && self.found < self.looked_up / 4
            || self.looked_up >= 8 * Self::TRIAL && self.found < self.looked_up / 4 * 3
    }

    /// Sets the zone of the source of the next steps. Returns false if all requirements have lost their numbers.
    pub(crate) fn set_source(&mut self, zone: &Dbm) -> bool {
        let kept = self.make_room();
        self.source = if zone.overflowed() { EMPTY } else { self.zones.number(zone) };
        kept
    }

    /// The effects of a transition; nothing if they depend on data, or if too many edges have any.
    #[inline]
    pub(crate) fn effects(&self, transition: Transition<'_>) -> Option<ClockEffects> {
        if self.source == EMPTY {
            return None;
        }
        let mut all = ClockEffects { numbers: [0; 2], constraints: 0, resets: 0 };
        for fired in transition.fired {
            let effect = self.effects[fired.edge]?;
            if effect.number != 0 {
                if all.numbers[1] != 0 {
                    return None;
                }
                all.numbers = [effect.number, all.numbers[0]];
                all.constraints += effect.constraints;
                all.resets += effect.resets;
            }
        }
        Some(all)
    }

    /// The number of the requirements of a vector of locations; nothing if they depend on data.
    pub(crate) fn require(&mut self, locations: &LocationVector, bounds: &ClockBounds) -> Option<u32> {
        if locations.has(LocationSummary::COMPUTED | LocationSummary::RATES)
            || self.requirements.numbers.is_full()
        {
            return None;
        }
        Some(self.requirements.number(locations, bounds))
    }

    /// Whether the guards of a transition can hold in the source.
    #[inline]
    pub(crate) fn guards(&self, effects: &ClockEffects) -> KnownStep {
        self.look_up([self.source, effects.numbers[0], effects.numbers[1], GUARDS])
    }

    /// The step from the source to a target with these requirements.
    #[inline]
    pub(crate) fn step(&mut self, effects: &ClockEffects, requirements: u32, may_delay: bool) -> KnownStep {
        self.looked_up += 1;
        let known = self.look_up(self.key(effects, requirements, may_delay));
        self.found += u32::from(known != KnownStep::Unknown);
        known
    }

    #[inline]
    fn key(&self, effects: &ClockEffects, requirements: u32, may_delay: bool) -> StepKey {
        [self.source, effects.numbers[0], effects.numbers[1], requirements << 1 | u32::from(may_delay)]
    }

    #[inline]
    fn look_up(&self, key: StepKey) -> KnownStep {
        match self.steps.get(place(key)) {
            Some(step) if step.key == key && step.zone == EMPTY => KnownStep::Empty,
            Some(step) if step.key == key => KnownStep::Zone(step.zone),
            _ => KnownStep::Unknown,
        }
    }

    /// Notes whether the guards of a transition can hold in the source.
    pub(crate) fn note_guards(&mut self, effects: &ClockEffects, hold: bool) {
        let key = [self.source, effects.numbers[0], effects.numbers[1], GUARDS];
        self.note(key, if hold { 0 } else { EMPTY });
    }

    /// Notes that a step is not possible, whether time can pass afterwards or not.
    pub(crate) fn note_empty(&mut self, effects: &ClockEffects, requirements: u32) {
        self.note(self.key(effects, requirements, false), EMPTY);
        self.note(self.key(effects, requirements, true), EMPTY);
    }

    /// Notes the zone after a step.
    pub(crate) fn note_zone(
        &mut self,
        effects: &ClockEffects,
        requirements: u32,
        may_delay: bool,
        zone: &Dbm,
    ) {
        if !zone.overflowed() && !self.zones.numbers.is_full() {
            let number = self.zones.number(zone);
            self.note(self.key(effects, requirements, may_delay), number);
        }
    }

    fn note(&mut self, key: StepKey, zone: u32) {
        if self.steps.is_empty() {
            self.steps = vec![Step { key: NO_KEY, zone: EMPTY }; Self::STEPS];
        }
        self.steps[place(key)] = Step { key, zone };
    }

    /// Writes a zone that was noted into `zone`.
    #[inline]
    pub(crate) fn load(&self, number: u32, zone: &mut Dbm) {
        self.zones.zones.load(number as usize, zone);
    }

    /// Drops all numbers if some have run out. Returns whether they were kept.
    #[inline]
    fn make_room(&mut self) -> bool {
        let kept = !self.zones.numbers.is_full() && !self.requirements.numbers.is_full();
        if !kept {
            self.zones.clear();
            self.requirements.clear();
            self.steps.fill(Step { key: NO_KEY, zone: EMPTY });
        }
        kept
    }
}

/// The place of a step in the table.
#[inline]
fn place([source, first, second, requirements]: StepKey) -> usize {
    let mut hasher = WordHasher::default();
    hasher.write_u64(u64::from(source) << 32 | u64::from(requirements));
    hasher.write_u64(u64::from(first) << 32 | u64::from(second));
    hasher.finish() as usize & (StepMemo::STEPS - 1)
}

/// Numbers what the edges do to zones.
fn clock_effects(system: &System) -> IdVec<EdgeId, Option<ClockEffect>> {
    type Key<'s> = (&'s [Constraint], &'s [(Clock, Constant)]);
    let mut numbers: std::collections::HashMap<Key<'_>, u32> = std::collections::HashMap::new();
    let effect = |edge: &'_ tourbillon_system::Edge| (edge.clocks.fixed.len(), edge.resets.len());
    let mut all = IdVec::new();
    for edge in &system.edges {
        let (constraints, resets) = effect(edge);
        let is_fixed =
            edge.clocks.computed.is_empty() && edge.resets.iter().all(|&(_, value)| value >= Constant::ZERO);
        let next = numbers.len() as u32 + 1;
        all.push(is_fixed.then(|| ClockEffect {
            number: match (constraints, resets) {
                (0, 0) => 0,
                _ => *numbers.entry((&edge.clocks.fixed, &edge.resets)).or_insert(next),
            },
            constraints: constraints as u32,
            resets: resets as u32,
        }));
    }
    all
}

/// Numbers by hash: twice as many places as there can be numbers.
#[derive(Debug)]
struct Numbers {
    /// The number, or [`EMPTY`].
    places: Vec<u32>,
    len: u32,
    most: u32,
}

impl Numbers {
    fn new(most: usize) -> Self {
        Self { places: Vec::new(), len: 0, most: u32::try_from(most).unwrap_or(EMPTY) }
    }

    /// Whether there might be no room for another number of a source and another one of a target.
    const fn is_full(&self) -> bool {
        self.len + 2 > self.most
    }

    /// The number with this hash for which `same` is true, or else the next number; and whether that is new.
    fn number(&mut self, hash: u64, same: impl Fn(u32) -> bool) -> (u32, bool) {
        if self.places.is_empty() {
            self.places = vec![EMPTY; (2 * self.most as usize).next_power_of_two()];
        }
        let last = self.places.len() - 1;
        let mut at = hash as usize & last;
        while self.places[at] != EMPTY {
            if same(self.places[at]) {
                return (self.places[at], false);
            }
            at = (at + 1) & last;
        }
        self.places[at] = self.len;
        self.len += 1;
        (self.len - 1, true)
    }

    fn clear(&mut self) {
        self.places.fill(EMPTY);
        self.len = 0;
    }
}

/// Zones by number.
#[derive(Debug)]
struct NumberedZones {
    numbers: Numbers,
    zones: DbmVec,
}

impl NumberedZones {
    /// The number of a zone.
    fn number(&mut self, zone: &Dbm) -> u32 {
        let Self { numbers, zones } = self;
        let (number, is_new) = numbers.number(hash_of(zone), |number| zones.is_equal(number as usize, zone));
        if is_new {
            zones.push(zone);
        }
        number
    }

    fn clear(&mut self) {
        self.numbers.clear();
        self.zones.clear();
    }
}

/// What vectors of locations require of zones, by number, in words.
#[derive(Debug)]
struct NumberedRequirements {
    numbers: Numbers,
    words: Vec<i32>,
    ends: Vec<usize>,
    /// Scratch memory.
    wanted: Vec<i32>,
}

impl NumberedRequirements {
    /// The number of the requirements of locations with these clock bounds.
    fn number(&mut self, locations: &LocationVector, bounds: &ClockBounds) -> u32 {
        let Self { numbers, words, ends, wanted } = self;
        wanted.clear();
        wanted.push((locations.attributes & LocationSummary::NO_DELAY).cast_signed());
        for constraints in [&locations.uppers, &locations.others] {
            wanted.push(constraints.len() as i32);
            wanted.extend(constraints.iter().flat_map(|constraint| constraint.words()));
        }
        wanted.extend(bounds.words());
        let own = |number: u32| {
            let start = if number == 0 { 0 } else { ends[number as usize - 1] };
            &words[start..ends[number as usize]]
        };
        let (number, is_new) = numbers.number(hash_of(wanted), |number| own(number) == wanted);
        if is_new {
            words.extend_from_slice(wanted);
            ends.push(words.len());
        }
        number
    }

    fn clear(&mut self) {
        self.numbers.clear();
        self.words.clear();
        self.ends.clear();
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = WordHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Hashes words by multiplication, as `store/src/hash.rs` does.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.write_u64(u64::from_le_bytes(word)));
        rest.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0.rotate_left(29) ^ word) * 0xa076_1d64_78bd_642f;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
