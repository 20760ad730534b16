//! After the last stage: representatives, so that of all states that symmetry exchanges one is stored.
//!
//! The automorphisms of the network (`tourbillon_symmetry`) map a symbolic state to symbolic states with the same future. This
//! stage replaces a state by one of these, and tries to choose the same one for all of them: the state whose elements are
//! sorted. An *element* is a process of an orbit, or a value of a scalar set, with everything that moves with it: the processes, cells
//! and clocks that an exchange moves, and the values that name it. Elements are compared by
//!
//! 1. their locations and cells, where a value that names an element counts as "itself" or "another";
//! 2. which cells outside of all elements name them;
//! 3. the bounds of their clocks, and the sums of the rows and columns of these, which do not depend on the order of elements.
//!
//! The third is left out where the choice must not depend on the zone. Elements that are equal so far keep their order. So two
//! states of one orbit may have different representatives, which costs memory, not correctness: every representative is reached by
//! automorphisms `[HendriksBehrmannLarsenNiebertVaandrager2003]`.
//!
//! Where only rotations are automorphisms, all of them are tried, and the least discrete state is chosen.
//!
//! Conversely, a state that an exchange maps to itself has transitions that the exchange maps to each other, and their targets
//! have one representative. Of these transitions one is followed: that of the first process ([`Representatives::skip`]), and of
//! broadcasts the one in which the choices of the receivers are in order (`receivers.rs`).

use std::cmp::Ordering;

use tourbillon_base::Id;
use tourbillon_base::mutants::{self, Mutant};
use tourbillon_dbm::{Bound, Clock, Dbm};
use tourbillon_model::CellId;
use tourbillon_symmetry::{Automorphism, Orbit, OrbitKind, Symmetry, ValueMap};
use tourbillon_system::System;

use crate::receivers::ReceiverPair;

/// An automorphism that was applied to a state: the generator of an orbit, by their numbers in the symmetry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Applied {
    pub orbit: u32,
    pub generator: u32,
}

/// The symmetry of a network, as tables over the fields of discrete states and the clocks of zones.
#[derive(Debug)]
pub struct Representatives {
    orbits: Vec<OrbitTables>,
    /// Whether elements with equal discrete parts are compared by their clocks.
    by_clocks: bool,
}

#[derive(Debug)]
enum OrbitTables {
    Full(Elements),
    Cyclic { rotation: Permutation, order: u32 },
}

/// The effect of an automorphism.
#[derive(Clone, Debug)]
struct Permutation {
    /// Fields whose value goes elsewhere or is renamed: where to, and how.
    fields: Vec<(u32, u32, Option<ValueMap>)>,
    /// Clocks that are moved, with their images.
    clocks: Vec<(Clock, Clock)>,
}

/// The elements of an orbit on which all permutations act.
#[derive(Debug)]
struct Elements {
    /// The exchange of each element with the next.
    exchanges: Vec<Permutation>,
    /// For each exchange, the processes that it moves, where these are two.
    pairs: Vec<Option<ReceiverPair>>,
    /// For each element, its fields: the same ones in the same order for all.
    columns: Vec<Vec<u32>>,
    /// For each element, its clocks.
    clocks: Vec<Vec<Clock>>,
    /// Fields that no exchange moves, and whose values may name an element.
    pointers: Vec<u32>,
    /// For each field, the elements that its values name.
    names: Vec<Option<Names>>,
}

/// The elements that the values of a field name.
#[derive(Clone, Debug)]
struct Names {
    min: i32,
    elements: Vec<u32>,
}

/// A value that names no element.
const NO_ELEMENT: u32 = u32::MAX;

impl Names {
    fn element(&self, value: i32) -> u32 {
        let index = usize::try_from(i64::from(value) - i64::from(self.min)).ok();
        index.and_then(|index| self.elements.get(index)).copied().unwrap_or(NO_ELEMENT)
    }
}

impl Permutation {
    fn new(system: &System, automorphism: &Automorphism) -> Self {
        let processes = automorphism.processes.iter().enumerate();
        let moved =
            processes.filter(|(from, to)| from != *to).map(|(from, &to)| (from as u32, to as u32, None));
        let slot = |cell: usize| system.layout.slot(CellId::from_index(cell));
        let cells = automorphism.cells.iter().zip(&automorphism.values).enumerate();
        let renamed = cells
            .filter(|&(from, (&to, values))| {
                slot(from) < system.layout.fields() && (from != to || values.is_some())
            })
            .map(|(from, (&to, values))| (slot(from) as u32, slot(to) as u32, values.clone()));
        let clocks = automorphism.clocks.iter().enumerate().filter(|(from, to)| from != *to);
        Self {
            fields: moved.chain(renamed).collect(),
            clocks: clocks.map(|(from, &to)| (clock(from), clock(to))).collect(),
        }
    }

    fn apply(&self, memory: &mut [i32], values: &mut Vec<i32>) {
        values.clear();
        values.extend(self.fields.iter().map(|(from, _, map)| {
            let value = memory[*from as usize];
            map.as_ref().map_or(value, |map| map.get(value))
        }));
        for ((_, to, _), &value) in self.fields.iter().zip(&*values) {
            memory[*to as usize] = value;
        }
    }

    /// Applies the permutation to the clocks that the clocks of a zone come from.
    fn move_clocks(&self, sources: &mut [Clock], moved: &mut Vec<Clock>) {
        moved.clear();
        moved.extend(self.clocks.iter().map(|(from, _)| sources[from.index()]));
        for ((_, to), &source) in self.clocks.iter().zip(&*moved) {
            sources[to.index()] = source;
        }
    }

    /// Whether a state is mapped to itself.
    fn fixes(&self, memory: &[i32], zone: &Dbm) -> bool {
        let data = self.fields.iter().all(|(from, to, map)| {
            let value = memory[*from as usize];
            memory[*to as usize] == map.as_ref().map_or(value, |map| map.get(value))
        });
        data && self.clocks.iter().filter(|_| !mutants::is(Mutant::SkippedWhateverZone)).all(|&(from, to)| {
            let same = |other| {
                let image = self.clock_image(other);
                zone.bound(from, other) == zone.bound(to, image)
                    && zone.bound(other, from) == zone.bound(image, to)
            };
            same(Clock::REFERENCE) && zone.dimension().iter().all(same)
        })
    }

    fn image(&self, field: u32) -> u32 {
        self.fields.iter().find(|(from, _, _)| *from == field).map_or(field, |&(_, to, _)| to)
    }

    fn clock_image(&self, clock: Clock) -> Clock {
        self.clocks.iter().find(|(from, _)| *from == clock).map_or(clock, |&(_, to)| to)
    }

    fn value_image(&self, field: u32, value: i32) -> i32 {
        let map = self.fields.iter().find(|(from, _, _)| *from == field).and_then(|(_, _, map)| map.as_ref());
        map.map_or(value, |map| map.get(value))
    }
}

/// A clock of the model, as one of zones.
fn clock(index: usize) -> Clock {
    Clock::from_index(index + 1)
}

impl Representatives {
    /// The tables of a symmetry; nothing if there is none. A representative is chosen by the discrete state alone, or by
    /// clocks as well.
    #[must_use]
    pub fn new(system: &System, symmetry: &Symmetry, by_clocks: bool) -> Option<Self> {
        let orbits: Vec<OrbitTables> =
            symmetry.orbits.iter().map(|orbit| OrbitTables::new(system, orbit)).collect();
        (!orbits.is_empty()).then_some(Self { orbits, by_clocks })
    }
}

impl Representatives {
    /// Marks the processes whose transitions need not be followed from a state: some exchange maps the state to itself, and the
    /// process to one before it. Collects these exchanges.
    pub(crate) fn skip(
        &self,
        memory: &[i32],
        zone: &Dbm,
        skipped: &mut [bool],
        fixing: &mut Vec<(usize, usize)>,
    ) {
        let exchanges = self.orbits.iter().enumerate().flat_map(|(orbit, tables)| {
            let exchanges = match tables {
                OrbitTables::Full(elements) => elements.exchanges.as_slice(),
                OrbitTables::Cyclic { .. } => &[],
            };
            exchanges.iter().enumerate().map(move |(number, exchange)| ((orbit, number), exchange))
        });
        for (number, exchange) in exchanges.filter(|(_, exchange)| exchange.fixes(memory, zone)) {
            let processes = skipped.len();
            for &(from, to, _) in exchange.fields.iter().filter(|(from, _, _)| (*from as usize) < processes) {
                skipped[from as usize] |= to < from;
            }
            fixing.push(number);
        }
    }

    /// The processes that these exchanges move, where these are two.
    pub(crate) fn pairs(&self, exchanges: &[(usize, usize)]) -> impl Iterator<Item = &ReceiverPair> {
        exchanges.iter().filter_map(|&(orbit, exchange)| match &self.orbits[orbit] {
            OrbitTables::Full(elements) => elements.pairs[exchange].as_ref(),
            OrbitTables::Cyclic { .. } => None,
        })
    }
}

impl OrbitTables {
    fn new(system: &System, orbit: &Orbit) -> Self {
        let mut permutations = orbit.generators.iter().map(|generator| Permutation::new(system, generator));
        match (orbit.kind, permutations.next()) {
            (OrbitKind::Cyclic, Some(rotation)) => {
                Self::Cyclic { rotation, order: orbit.elements.len() as u32 }
            }
            (_, first) => {
                let exchanges = first.into_iter().chain(permutations).collect();
                let pairs = orbit.generators.iter().map(|it| ReceiverPair::new(system, it)).collect();
                Self::Full(Elements::new(system, exchanges, pairs))
            }
        }
    }
}

impl Elements {
    fn new(system: &System, exchanges: Vec<Permutation>, pairs: Vec<Option<ReceiverPair>>) -> Self {
        let fields = 0..system.layout.fields() as u32;
        let clocks = || system.dimension.iter();
        // What the first exchange moves and no other does belongs to the first element, or to the second if there are two.
        let own =
            |moves: &dyn Fn(&Permutation) -> bool| moves(&exchanges[0]) && !exchanges[1..].iter().any(moves);
        let pair = exchanges.len() == 1;
        let first: Vec<u32> = fields
            .clone()
            .filter(|&field| own(&|exchange| exchange.image(field) != field))
            .filter(|&field| !pair || field < exchanges[0].image(field))
            .collect();
        let first_clocks: Vec<Clock> = clocks()
            .filter(|&clock| own(&|exchange| exchange.clock_image(clock) != clock))
            .filter(|&clock| !pair || clock < exchanges[0].clock_image(clock))
            .collect();
        let (mut columns, mut element_clocks) = (vec![first], vec![first_clocks]);
        for exchange in &exchanges {
            let next = columns[columns.len() - 1].iter().map(|&field| exchange.image(field)).collect();
            columns.push(next);
            let next =
                element_clocks[element_clocks.len() - 1].iter().map(|&it| exchange.clock_image(it)).collect();
            element_clocks.push(next);
        }
        let names: Vec<Option<Names>> =
            fields.clone().map(|field| names(system, &exchanges, field)).collect();
        let pointers = fields
            .filter(|&field| names[field as usize].is_some())
            .filter(|&field| exchanges.iter().all(|exchange| exchange.image(field) == field))
            .collect();
        Self { exchanges, pairs, columns, clocks: element_clocks, pointers, names }
    }
}

/// The elements that the values of a field name, if exchanges rename any.
fn names(system: &System, exchanges: &[Permutation], field: u32) -> Option<Names> {
    let range = system.ranges[field as usize];
    let renamed: Vec<&ValueMap> = exchanges
        .iter()
        .flat_map(|exchange| exchange.fields.iter().filter(|(from, _, _)| *from == field))
        .filter_map(|(_, _, map)| map.as_ref())
        .collect();
    let moved = || renamed.iter().flat_map(|map| map.moved()).map(|&(from, _)| from);
    let (min, max) = (moved().min()?, moved().max()?);
    if !range.contains(min) || !range.contains(max) || i64::from(max) - i64::from(min) > 1 << 16 {
        return None;
    }
    let mut elements = vec![NO_ELEMENT; (max - min) as usize + 1];
    // The values that name the first element, followed from exchange to exchange.
    let is_moved = |exchange: &Permutation, value: i32| exchange.value_image(field, value) != value;
    let pair = exchanges.len() == 1;
    for first in min..=max {
        let own = is_moved(&exchanges[0], first)
            && !exchanges[1..].iter().any(|exchange| is_moved(exchange, first))
            && (!pair || first < exchanges[0].value_image(field, first));
        if !own {
            continue;
        }
        let mut value = first;
        elements[(value - min) as usize] = 0;
        for (index, exchange) in exchanges.iter().enumerate() {
            value = exchange.value_image(field, value);
            elements[(value - min) as usize] = index as u32 + 1;
        }
    }
    Some(Names { min, elements })
}

/// The scratch memory of the stage.
#[derive(Debug)]
pub(crate) struct Representer {
    pub(crate) memory: Vec<i32>,
    pub(crate) zone: Dbm,
    /// The generators that were applied to the last state, in order.
    pub(crate) applied: Vec<Applied>,
    /// The processes whose transitions need not be followed from the state that was prepared last.
    pub(crate) skipped: Vec<bool>,
    /// The exchanges that map that state to itself, by the numbers of their orbits and within these.
    pub(crate) fixing: Vec<(usize, usize)>,
    sources: Vec<Clock>,
    order: Vec<u32>,
    keys: Vec<i32>,
    clock_keys: Vec<(Bound, Bound, i32, i32)>,

    sums: ClockSums,
    values: Vec<i32>,
    moved: Vec<Clock>,
    best: Vec<i32>,
    turned: Vec<i32>,
}

impl Representer {
    pub(crate) fn new(system: &System) -> Self {
        Self {
            memory: system.initial.clone(),
            zone: Dbm::zero(system.dimension),
            applied: Vec::new(),
            skipped: Vec::new(),
            fixing: Vec::new(),
            sources: Vec::new(),
            order: Vec::new(),
            keys: Vec::new(),
            clock_keys: Vec::new(),
            sums: ClockSums::default(),
            values: Vec::new(),
            moved: Vec::new(),
            best: Vec::new(),
            turned: Vec::new(),
        }
    }

    /// Computes the representative of a state. Returns false if it is the state itself: then nothing was copied.
    pub(crate) fn represent(
        &mut self,
        representatives: &Representatives,
        system: &System,
        memory: &[i32],
        zone: &Dbm,
    ) -> bool {
        self.applied.clear();
        for (number, orbit) in representatives.orbits.iter().enumerate() {
            let before = self.applied.len();
            match orbit {
                OrbitTables::Full(elements) => {
                    let zone = representatives.by_clocks.then_some(zone);
                    self.sort(elements, number as u32, before > 0, memory, zone);
                }
                OrbitTables::Cyclic { rotation, order } => {
                    self.rotate(rotation, *order, number as u32, system.layout.fields(), before > 0, memory);
                }
            }
            if self.applied.len() == before {
                continue;
            }
            if before == 0 {
                self.memory.copy_from_slice(memory);
                self.sources.clear();
                self.sources.extend((0..system.dimension.size()).map(Clock::from_index));
            }
            for index in before..self.applied.len() {
                let permutation = orbit.generator(self.applied[index].generator);
                permutation.apply(&mut self.memory, &mut self.values);
                if !mutants::is(Mutant::ClocksNotPermuted) {
                    permutation.move_clocks(&mut self.sources, &mut self.moved);
                }
            }
        }
        if self.applied.is_empty() {
            return false;
        }
        self.zone.permute_from(zone, &self.sources);
        true
    }

    /// Notes the exchanges that sort the elements of an orbit.
    fn sort(&mut self, elements: &Elements, orbit: u32, copied: bool, memory: &[i32], zone: Option<&Dbm>) {
        let count = elements.columns.len();
        let Self { memory: own, sources, order, keys, clock_keys, sums, applied, .. } = self;
        let mut has_clock_keys = false;
        let memory = if copied { own } else { memory };
        let width = elements.keys(memory, keys);
        let key = |element: u32| &keys[element as usize * width..][..width];
        clock_keys.clear();
        order.clear();
        order.extend(0..count as u32);
        for end in 1..count {
            let mut place = end;
            while place > 0 {
                let (one, other) = (order[place - 1], order[place]);
                let by_data = key(one).cmp(key(other));
                if by_data == Ordering::Equal
                    && !has_clock_keys
                    && let Some(zone) = zone
                {
                    let source = |clock: Clock| if copied { sources[clock.index()] } else { clock };
                    sums.compute(zone);
                    elements.clock_keys(zone, sums, source, clock_keys);
                    has_clock_keys = true;
                }
                let by_clocks = || {
                    let width = clock_keys.len() / count;
                    let key = |element: u32| &clock_keys[element as usize * width..][..width];
                    key(one).cmp(key(other))
                };
                if by_data.then_with(by_clocks) != Ordering::Greater {
                    break;
                }
                order.swap(place - 1, place);
                applied.push(Applied { orbit, generator: place as u32 - 1 });
                place -= 1;
            }
        }
    }

    /// Notes the rotations that lead to the least discrete state.
    fn rotate(
        &mut self,
        rotation: &Permutation,
        order: u32,
        orbit: u32,
        fields: usize,
        copied: bool,
        memory: &[i32],
    ) {
        let mut best_turns = 0;
        let Self { memory: own, best, turned, values, .. } = self;
        let start = if copied { own } else { memory };
        turned.clear();
        turned.extend_from_slice(&start[..fields]);
        best.clone_from(turned);
        for turns in 1..order {
            rotation.apply(turned, values);
            if turned < best {
                best.clone_from(turned);
                best_turns = turns;
            }
        }
        self.applied.extend((0..best_turns).map(|_| Applied { orbit, generator: 0 }));
    }
}

impl OrbitTables {
    fn generator(&self, number: u32) -> &Permutation {
        match self {
            Self::Full(elements) => &elements.exchanges[number as usize],
            Self::Cyclic { rotation, .. } => rotation,
        }
    }
}

impl Elements {
    /// Computes what elements are compared by in a discrete state. Returns the number of entries of each.
    fn keys(&self, memory: &[i32], keys: &mut Vec<i32>) -> usize {
        const ITSELF: i32 = i32::MAX;
        const ANOTHER: i32 = i32::MAX - 1;
        keys.clear();
        for (element, column) in self.columns.iter().enumerate() {
            for &field in column {
                let value = memory[field as usize];
                let named =
                    self.names[field as usize].as_ref().map_or(NO_ELEMENT, |names| names.element(value));
                keys.push(match named {
                    NO_ELEMENT => value,
                    _ if named as usize == element => ITSELF,
                    _ => ANOTHER,
                });
            }
            for &field in &self.pointers {
                let value = memory[field as usize];
                let named =
                    self.names[field as usize].as_ref().map_or(NO_ELEMENT, |names| names.element(value));
                keys.push(i32::from(named as usize == element));
            }
        }
        keys.len() / self.columns.len()
    }

    /// Appends what elements with equal discrete parts are compared by.
    fn clock_keys(
        &self,
        zone: &Dbm,
        sums: &ClockSums,
        source: impl Fn(Clock) -> Clock,
        keys: &mut Vec<(Bound, Bound, i32, i32)>,
    ) {
        for clocks in &self.clocks {
            for &clock in clocks {
                let clock = source(clock);
                keys.push((
                    zone.bound(clock, Clock::REFERENCE),
                    zone.bound(Clock::REFERENCE, clock),
                    sums.rows[clock.index()],
                    sums.columns[clock.index()],
                ));
            }
        }
    }
}

/// What distinguishes the clocks of a zone, without regard to the order of clocks.
#[derive(Default, Debug)]
struct ClockSums {
    /// For each clock, the sum of its row, modulo 2^32.
    rows: Vec<i32>,
    /// For each clock, the sum of its column.
    columns: Vec<i32>,
}

impl ClockSums {
    fn compute(&mut self, zone: &Dbm) {
        self.rows.clear();
        self.columns.clear();
        self.columns.resize(zone.dimension().size(), 0);
        for row in zone.rows() {
            self.rows.push(row.iter().fold(0, |sum, &bound| sum.wrapping_add(bound)));
            for (sum, &bound) in self.columns.iter_mut().zip(row) {
                *sum = sum.wrapping_add(bound);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;
    use tourbillon_symmetry::{Candidates, Formulas, find};

    use super::*;
    use crate::testing::Network;

    /// Three processes with a clock each, a variable that names one of them or none, and one that names another.
    fn symmetric() -> (Network, System, Symmetry) {
        let mut network = Network::new(&["x", "y", "z"]);
        let named = network.cell_of(0, crate::testing::range(0, 3), tourbillon_model::CellKind::State);
        for (number, clock) in [(1, "x"), (2, "y"), (3, "z")] {
            let process = network.process(3);
            let edge = network.edge(process, 0, 1);
            network.guard(edge, &format!("{clock}>=1"));
            let value = network.int(number);
            let update = network.set(&named, value);
            network.update(edge, update);
            let edge = network.edge(process, 1, 2);
            network.reset(edge, clock, 0);
        }
        let system = network.compile();
        let symmetry = find(&network.model, &Formulas::default(), Candidates::All);
        (network, system, symmetry)
    }

    fn represented(
        representer: &mut Representer,
        representatives: &Representatives,
        system: &System,
        memory: &[i32],
        zone: &Dbm,
    ) -> (Vec<i32>, Dbm) {
        match representer.represent(representatives, system, memory, zone) {
            true => (representer.memory.clone(), representer.zone.clone()),
            false => (memory.to_vec(), zone.clone()),
        }
    }

    /// All states of an orbit have one representative, where zones tell clocks apart by their own bounds.
    #[test]
    fn the_permutations_of_a_state_have_one_representative() {
        let (network, system, symmetry) = symmetric();
        let representatives = Representatives::new(&system, &symmetry, true).expect("three alike");
        let exchanges: Vec<Permutation> =
            symmetry.orbits[0].generators.iter().map(|it| Permutation::new(&system, it)).collect();
        let mut representer = Representer::new(&system);
        let mut random = Random::from_seed(1);
        for _ in 0..200 {
            let mut memory = system.initial.clone();
            memory[..3].iter_mut().for_each(|location| *location = random.within(0..=2));
            memory[3] = random.within(0..=3);
            let [x, y, z] = [0; 3].map(|_| random.within(0..=4));
            let mut zone = network.zone(&format!("x<={x}, y<={y}, z<={z}"));
            let first = represented(&mut representer, &representatives, &system, &memory, &zone);
            for _ in 0..6 {
                let exchange = &exchanges[random.below(2)];
                exchange.apply(&mut memory, &mut Vec::new());
                let mut sources: Vec<Clock> = (0..4).map(Clock::from_index).collect();
                exchange.move_clocks(&mut sources, &mut Vec::new());
                let before = zone.clone();
                zone.permute_from(&before, &sources);
                let next = represented(&mut representer, &representatives, &system, &memory, &zone);
                assert_eq!(next, first);
            }
        }
    }

    /// What was applied leads from the state to its representative.
    #[test]
    fn a_representative_is_an_image_of_the_state() {
        let (network, system, symmetry) = symmetric();
        let representatives = Representatives::new(&system, &symmetry, true).expect("three alike");
        let mut representer = Representer::new(&system);
        let mut memory = system.initial.clone();
        memory[..4].copy_from_slice(&[2, 0, 1, 3]);
        let zone = network.zone("x<=1, y<=2, z<=3");
        let (image, permuted) = represented(&mut representer, &representatives, &system, &memory, &zone);
        assert_eq!(image[..4], [0, 1, 2, 2], "sorted, and the third process is the second now");
        assert_eq!(permuted, network.zone("x<=2, y<=3, z<=1"));
        let applied = representer.applied.iter().fold(memory, |mut memory, applied| {
            let generator = &symmetry.orbits[0].generators[applied.generator as usize];
            Permutation::new(&system, generator).apply(&mut memory, &mut Vec::new());
            memory
        });
        assert_eq!(applied, image);
    }

    /// Of processes that are at the same location with clocks that nothing tells apart, the first acts for all.
    #[test]
    fn transitions_of_processes_that_nothing_tells_apart_are_skipped() {
        let (network, system, symmetry) = symmetric();
        let representatives = Representatives::new(&system, &symmetry, true).expect("three alike");
        let skipped = |locations: [i32; 3], named: i32, zone: &str| {
            let mut memory = system.initial.clone();
            memory[..3].copy_from_slice(&locations);
            memory[3] = named;
            let mut skipped = vec![false; 3];
            representatives.skip(&memory, &network.zone(zone), &mut skipped, &mut Vec::new());
            skipped
        };
        assert_eq!(skipped([0, 0, 0], 0, "x<=3, y<=3, z<=3"), [false, true, true]);
        assert_eq!(skipped([0, 0, 0], 1, "x<=3, y<=3, z<=3"), [false, false, true]);
        assert_eq!(skipped([0, 0, 0], 0, "x<=3, y<=2, z<=2"), [false, false, true]);
        assert_eq!(skipped([0, 0, 0], 0, "x<=3, y<=3, z<=3, x-y<=1"), [false, false, false]);
        assert_eq!(skipped([0, 1, 1], 0, "x<=3, y<=3, z<=3"), [false, false, true]);
    }
}
