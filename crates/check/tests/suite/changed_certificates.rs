//! Certificates of the engine that are changed: accepted only if no run contradicts what is left.
//!
//! The certificates of random networks are read here as `docs/certificate.md` describes them, changed, and written again: an entry or a
//! discrete state is removed, a bound is tightened, a component of a discrete state or a rank is replaced, a generator is changed or
//! removed. The checker may accept what is left only if it satisfies the conditions. That is judged by points: up to a few hundred that runs
//! really reach, by delays of multiples of 1/2, on the semantics of `replay`; no zone is computed. A point that an action reaches must lie in an
//! entry; and where ranks must rise, in one with a larger rank than each entry that has the point before it.
//!
//! The checker's own tests do the same to certificates of a plain explorer, and judge them by matrices. Here they are those of
//! the engine: extrapolated, with components as ranks, and with representatives alone. The number of networks is `TOURBILLON_NETWORKS`
//! (default 300 in all), the first seed `TOURBILLON_SEED` (default 1).

use std::collections::{HashSet, VecDeque};

use tourbillon_base::{Id, Random, Rational};
use tourbillon_certify::format::{Claim, Constraint, FormatError, Generator, Header};
use tourbillon_certify::{InvariantWriter, Options, Outcome, certify, header_line};
use tourbillon_check::{Committed, Cover, PlanRequest};
use tourbillon_model::{CellKind, Model, Query, QueryKind};
use tourbillon_replay::{ConcreteState, Semantics};
use tourbillon_testkit::networks::{Network, Shape, uppaal_model};

use crate::certificates::{certified, file_of};
use crate::{from_environment, symmetry};

/// How many points are examined, and to how many entries generators may lead.
const POINTS_MAX: usize = 400;
const ENTRIES_MAX: usize = 2_000;

/// A discrete state as the components of its vector, the constraints of a zone, and a rank.
type Entry = (Vec<i32>, Vec<Constraint>, u64);

/// A certificate of one claim about one invariant.
#[derive(Clone)]
struct Draft {
    header: Header,
    entries: Vec<Entry>,
}

/// What is read of a block.
struct Numbers(VecDeque<u8>);

impl Numbers {
    /// The block at the start of some bytes, which is removed from them.
    fn of_block(bytes: &mut &[u8]) -> Self {
        let length =
            |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
        let (block, rest) = bytes[8..].split_at(length(4));
        let data = miniz_oxide::inflate::decompress_to_vec(block).expect("compressed bytes");
        assert_eq!(data.len(), length(0));
        *bytes = rest;
        Self(data.into())
    }

    fn unsigned(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.0.pop_front().expect("one more byte of the number");
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    }

    fn signed(&mut self) -> i64 {
        let value = self.unsigned();
        if value.is_multiple_of(2) { (value / 2) as i64 } else { -((value / 2) as i64) - 1 }
    }

    fn zone(&mut self) -> Vec<Constraint> {
        let count = self.unsigned();
        let constraint = |_| {
            let (left, right) = (self.unsigned() as usize, self.unsigned() as usize);
            Constraint { left, right, bound: self.signed() }
        };
        (0..count).map(constraint).collect()
    }
}

impl Draft {
    /// A file with one claim of one invariant; nothing of another one.
    fn read(model: &Model, file: &[u8]) -> Option<Self> {
        let (header, mut bytes) = Header::read(file).expect("a header");
        let [invariant] = header.invariants.as_slice() else { return None };
        let (mut zones, mut entries) = (Vec::new(), Vec::new());
        for _ in 0..invariant.zone_blocks {
            let mut numbers = Numbers::of_block(&mut bytes);
            while !numbers.0.is_empty() {
                zones.push(numbers.zone());
            }
        }
        for _ in 0..invariant.state_blocks {
            let mut numbers = Numbers::of_block(&mut bytes);
            let cells = model.cells.iter().filter(|cell| cell.kind == CellKind::State).count();
            let (mut vector, mut zone) = (vec![0; model.processes.len() + cells], 0);
            while !numbers.0.is_empty() {
                let mut next = 0;
                for _ in 0..numbers.unsigned() {
                    next += numbers.unsigned() as usize;
                    vector[next] += numbers.signed() as i32;
                    next += 1;
                }
                for _ in 0..numbers.unsigned() {
                    zone += numbers.signed();
                    let rank = if invariant.ranked { numbers.unsigned() } else { 0 };
                    entries.push((vector.clone(), zones[zone as usize].clone(), rank));
                }
            }
        }
        assert!(bytes.is_empty() && entries.len() as u64 == invariant.entries);
        Some(Self { header, entries })
    }

    fn bytes(&self) -> Vec<u8> {
        let header = &self.header.invariants[0];
        let mut writer = InvariantWriter::new(header.ranked);
        for (vector, zone, rank) in &self.entries {
            let zone = writer.zone(zone);
            writer.state(vector, &[(zone, *rank)]);
        }
        let (invariant, blocks) = writer.finish(header.clone());
        [header_line(&Header { invariants: vec![invariant], ..self.header.clone() }), blocks].concat()
    }

    fn is_accepted(&self, model: &Model, query: &Query) -> Result<bool, FormatError> {
        let outcome = certify(model, &[query], &self.bytes(), &Options::default())?;
        Ok(matches!(outcome, Outcome::Accepted(_)))
    }

    /// The entries with their images under all generators; nothing if there are too many.
    fn closure(&self, model: &Model) -> Option<Vec<Entry>> {
        let (mut known, mut all) = (HashSet::new(), self.entries.clone());
        known.extend(all.iter().cloned());
        let mut next = 0;
        while next < all.len() {
            for generator in &self.header.invariants[0].generators {
                let image = image(generator, model.processes.len(), &all[next]);
                if known.insert(image.clone()) {
                    all.push(image);
                }
            }
            next += 1;
            if all.len() > ENTRIES_MAX {
                return None;
            }
        }
        Some(all)
    }

    /// Changes something.
    fn changed(&self, random: &mut Random) -> Self {
        let mut changed = self.clone();
        let Self { header, entries } = &mut changed;
        let (one, other) = (random.below(entries.len()), random.below(entries.len()));
        let generators = &mut header.invariants[0].generators;
        match random.below(8) {
            0 => drop(entries.remove(one)),
            1 => {
                let vector = entries[one].0.clone();
                entries.retain(|(other, ..)| *other != vector);
            }
            2 if !entries[one].1.is_empty() => {
                let index = random.below(entries[one].1.len());
                entries[one].1[index].bound -= i64::from(random.within(1..=3));
            }
            3 => {
                let component = random.below(entries[one].0.len());
                entries[one].0[component] = entries[other].0[component];
            }
            4 => (entries[one].2, entries[other].2) = (entries[other].2, entries[one].2),
            5 => entries[one].2 = entries[other].2,
            6 if !generators.is_empty() => drop(generators.remove(random.below(generators.len()))),
            7 if !generators.is_empty() => exchange(&mut generators[0], random),
            _ => entries.truncate(one.max(1)),
        }
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        changed
    }
}

/// Exchanges two images of a generator.
fn exchange(generator: &mut Generator, random: &mut Random) {
    let lists = [&mut generator.processes, &mut generator.clocks, &mut generator.cells];
    for list in lists.into_iter().filter(|list| !list.is_empty()) {
        let (one, other) = (random.below(list.len()), random.below(list.len()));
        list.swap(one, other);
    }
}

fn image(generator: &Generator, processes: usize, (vector, zone, rank): &Entry) -> Entry {
    let mut image = vector.clone();
    for (from, &to) in generator.processes.iter().enumerate() {
        image[to] = vector[from];
    }
    for (from, &to) in generator.cells.iter().enumerate() {
        let value = vector[processes + from];
        let renamed =
            generator.values.get(&from).and_then(|pairs| pairs.iter().find(|(old, _)| *old == value));
        image[processes + to] = renamed.map_or(value, |(_, new)| *new);
    }
    let clock = |index: usize| if index == 0 { 0 } else { generator.clocks[index - 1] + 1 };
    let constraint = |it: &Constraint| Constraint { left: clock(it.left), right: clock(it.right), ..*it };
    (image, zone.iter().map(constraint).collect(), *rank)
}

fn half() -> Rational {
    Rational::new(1, 2).expect("a fraction")
}

/// Whether a point lies in an entry.
fn is_in(model: &Model, point: &ConcreteState, (vector, zone, _): &Entry) -> bool {
    let cells = model.cells.iter().zip(&point.cells);
    let cells = cells.filter(|(cell, _)| cell.kind == CellKind::State).map(|(_, &value)| value);
    let locations = point.locations.iter().map(|location| location.index() as i32);
    let value = |index: usize| if index == 0 { Rational::ZERO } else { point.clocks[index - 1] };
    let satisfies = |it: &Constraint| {
        let difference = value(it.left).checked_sub(value(it.right)).expect("small numbers");
        let limit = Rational::from_integer(it.bound >> 1);
        if it.bound & 1 == 1 { difference <= limit } else { difference < limit }
    };
    locations.chain(cells).eq(vector.iter().copied()) && zone.iter().all(satisfies)
}

/// Points that runs reach, and where an action leads to from each.
struct Points {
    /// The points after actions, and the initial one.
    entered: Vec<ConcreteState>,
    /// Each point, and one that a single action leads to from it.
    actions: Vec<(ConcreteState, ConcreteState)>,
}

impl Points {
    /// Those along which a formula has a value, if there is one. Nothing if the model fails.
    fn reached(model: &Model, stays: &dyn Fn(&Semantics<'_>, &ConcreteState) -> bool) -> Option<Self> {
        let semantics = Semantics::new(model);
        let initial = semantics.initial().ok().filter(|initial| stays(&semantics, initial))?;
        let mut points = Self { entered: vec![initial.clone()], actions: Vec::new() };
        let (mut known, mut waiting) = (HashSet::from([initial.clone()]), VecDeque::from([initial]));
        while let Some(point) = waiting.pop_front() {
            for (_, target) in semantics.successors(&point).ok()? {
                if stays(&semantics, &target) {
                    points.actions.push((point.clone(), target.clone()));
                    points.entered.push(target.clone());
                    waiting.extend(known.insert(target.clone()).then_some(target));
                }
            }
            // Half of the delay is between two points at which comparisons with integers change.
            let between = semantics.delay(&point, Rational::new(1, 4)?);
            let later = semantics.delay(&point, half());
            if let (Ok(between), Ok(later)) = (between, later)
                && stays(&semantics, &between)
                && stays(&semantics, &later)
            {
                waiting.extend(known.insert(later.clone()).then_some(later));
            }
            if known.len() > POINTS_MAX {
                break;
            }
        }
        Some(points)
    }

    /// Whether the points contradict what an invariant claims.
    fn contradict(&self, model: &Model, entries: &[Entry], ranked: bool) -> bool {
        let rank = |point: &ConcreteState| {
            entries.iter().filter(|entry| is_in(model, point, entry)).map(|entry| entry.2).max()
        };
        let falls = |(from, to): &(ConcreteState, ConcreteState)| {
            rank(from).is_some_and(|from| rank(to).is_none_or(|to| to <= from))
        };
        self.entered.iter().any(|point| rank(point).is_none()) || ranked && self.actions.iter().any(falls)
    }
}

/// What became of changed certificates.
#[derive(Default, Debug)]
struct Counts {
    accepted: u64,
    rejected: u64,
    contradicted: u64,
}

impl Counts {
    /// That changes of all kinds occurred, for so many networks.
    fn are_telling(&self, networks: u64) {
        let least = self.accepted.min(self.rejected).min(self.contradicted);
        assert!(4 * least >= networks, "{self:?} of {networks} networks");
    }
}

/// Changes the certificates of a model's answers.
fn check_model(model: &Model, seed: u64, counts: &mut Counts) {
    let request = PlanRequest {
        seed,
        threads: Some(1),
        cover: Some(Cover::Inclusion),
        store: Some(Committed::Stored),
        ..PlanRequest::default()
    };
    let random = &mut Random::from_seed(seed);
    for answer in certified(model, &request).unwrap_or_default() {
        let query = &model.queries[answer.query.expect("a query")];
        let Some(file) = file_of(model, &answer) else { continue };
        let Some(draft) = Draft::read(model, &file) else { continue };
        let (formula, value) = match (&draft.header.queries[0].claim, &query.kind) {
            (Claim::Never { .. }, _) => (None, true),
            (Claim::Avoid { .. }, &QueryKind::PotentiallyAlways(p)) => (Some(p), true),
            (Claim::Avoid { .. }, &QueryKind::Eventually(p)) => (Some(p), false),
            _ => continue,
        };
        let stays = |semantics: &Semantics<'_>, point: &ConcreteState| {
            formula.is_none_or(|p| semantics.holds(p, query.frame, point) == Ok(value))
        };
        let Some(points) = Points::reached(model, &stays) else { continue };
        let is_contradicted = |draft: &Draft| {
            let entries = draft.closure(model)?;
            Some(points.contradict(model, &entries, formula.is_some()))
        };
        let what = format!("seed {seed}: {}", query.text);
        assert_eq!(draft.is_accepted(model, query), Ok(true), "{what}: unchanged");
        assert_ne!(is_contradicted(&draft), Some(true), "{what}: unchanged");
        let cut = &file[..random.below(file.len())];
        assert!(certify(model, &[query], cut, &Options::default()).is_err(), "{what}: a part of a file");
        for number in 0..12 {
            let changed = draft.changed(random);
            let is_contradicted = is_contradicted(&changed) == Some(true);
            // A zone may have become empty, or a vector one of no state.
            let is_accepted = changed.is_accepted(model, query).unwrap_or(false);
            assert!(!(is_accepted && is_contradicted), "{what}: accepted after change {number}");
            counts.contradicted += u64::from(is_contradicted);
            *(if is_accepted { &mut counts.accepted } else { &mut counts.rejected }) += 1;
        }
    }
}

fn check_networks(shape: Shape, share: u64) {
    let networks = (from_environment("TOURBILLON_NETWORKS", 300) * share).div_ceil(100);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut counts = Counts::default();
    for seed in first..first + networks {
        let model = Network::random(seed, shape).model_with_questions(shape.liveness);
        check_model(&model.unwrap_or_else(|error| panic!("{error}")), seed, &mut counts);
    }
    counts.are_telling(networks);
}

#[test]
fn changed_closed_sets_are_accepted_only_if_points_agree() {
    check_networks(Shape::STRICT, 15);
    check_networks(Shape { values: true, priorities: true, timed_receivers: true, ..Shape::STRICT }, 15);
}

#[test]
fn changed_ranks_are_accepted_only_if_points_agree() {
    check_networks(Shape { liveness: true, ..Shape::STRICT }, 70);
}

#[test]
fn changed_generators_are_accepted_only_if_points_agree() {
    let networks = from_environment("TOURBILLON_NETWORKS", 300).div_ceil(75);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut counts = Counts::default();
    for seed in first..first + networks {
        for (text, queries) in symmetry::texts(seed) {
            check_model(&uppaal_model(&text, &queries).expect("a model"), seed, &mut counts);
        }
    }
    counts.are_telling(networks);
}
