//! The entries of an invariant, as they are in memory.
//!
//! What is read is put in order: each discrete state once, sorted, with all its entries; each zone closed. Generators are applied until
//! nothing new appears. Memory is bounded by what the header announces, which is compared with a limit first; reading ends where
//! there is more than it announces.

use std::collections::{BTreeMap, HashMap, HashSet};

use tourbillon_base::Cancellation;
use tourbillon_model::Model;

use crate::data::DiscreteState;
use crate::format::{Cover, FormatError, Generator, InvariantHeader};
use crate::format_read::{Blocks, read_states, read_zones};
use crate::lu::LocationBounds;
use crate::zone::Zone;

/// A zone by its number, and a rank.
pub(crate) type Entry = (u32, u64);

#[derive(Debug)]
pub(crate) struct Invariant {
    pub(crate) header: InvariantHeader,
    /// With a cover by a_LU.
    pub(crate) bounds: Option<LocationBounds>,
    pub(crate) zones: Vec<Zone>,
    /// The discrete states in order, each with its entries.
    pub(crate) states: Vec<(Box<[i32]>, Vec<Entry>)>,
    /// The number of each discrete state.
    numbers: HashMap<Box<[i32]>, u32>,
}

/// Why an invariant is not read.
#[derive(Debug)]
pub(crate) enum ReadError {
    Format(FormatError),
    /// It is larger than the limit, or reading was ended.
    GivenUp(&'static str),
}

impl From<FormatError> for ReadError {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}

type States = BTreeMap<Box<[i32]>, Vec<Entry>>;

impl Invariant {
    pub(crate) fn read(
        model: &Model,
        mut header: InvariantHeader,
        blocks: &mut Blocks<'_>,
        entries_max: u64,
        bytes_max: u64,
        cancellation: &Cancellation,
    ) -> Result<Self, ReadError> {
        let (dimension, width) = (model.clocks.len() + 1, DiscreteState::width(model));
        let bytes = |count: u64, each: usize| count.saturating_mul(each as u64);
        let needed = bytes(header.zones, 8 * dimension * dimension + 64)
            .saturating_add(bytes(header.states, 8 * width + 128))
            .saturating_add(bytes(header.entries, 16));
        if header.entries > entries_max || needed > bytes_max || header.zones > u64::from(u32::MAX) {
            return Err(ReadError::GivenUp("the certificate is larger than the limit"));
        }
        let bounds = match header.cover {
            Cover::Lu => Some(LocationBounds::new(model, std::mem::take(&mut header.bounds))?),
            Cover::Inclusion => None,
        };
        let mut zones = read_all_zones(&header, blocks, dimension)?;
        let mut states = read_all_states(&header, blocks, model, width)?;
        if !header.generators.is_empty() {
            let action = GroupAction::new(model, &header.generators, width, cancellation)?;
            action.expand(&mut zones, &mut states, entries_max, bytes_max)?;
        }
        let states: Vec<_> = states.into_iter().collect();
        let numbers = states.iter().zip(0..).map(|((vector, _), number)| (vector.clone(), number)).collect();
        Ok(Self { header, bounds, zones, states, numbers })
    }

    pub(crate) fn entries(&self) -> u64 {
        self.states.iter().map(|(_, entries)| entries.len() as u64).sum()
    }

    /// How many bytes it takes, about.
    pub(crate) fn bytes(&self) -> u64 {
        let zones = self.zones.iter().map(|zone| 8 * zone.size() + 64).sum::<usize>();
        let states = self.states.iter().map(|(vector, entries)| 8 * vector.len() + 16 * entries.len() + 128);
        (zones + states.sum::<usize>()) as u64
    }

    /// The number of a discrete state.
    pub(crate) fn number(&self, vector: &[i32]) -> Option<usize> {
        self.numbers.get(vector).map(|&number| number as usize)
    }
}

fn read_all_zones(
    header: &InvariantHeader,
    blocks: &mut Blocks<'_>,
    dimension: usize,
) -> Result<Vec<Zone>, ReadError> {
    let mut zones = Vec::new();
    for _ in 0..header.zone_blocks {
        read_zones(&blocks.next()?, dimension, |constraints| {
            if zones.len() as u64 == header.zones {
                return FormatError::new("more zones than the header says");
            }
            let Some(zone) = Zone::closed(dimension, constraints) else {
                return FormatError::new(format!("zone {} is empty", zones.len()));
            };
            zones.push(zone);
            Ok(())
        })?;
    }
    if (zones.len() as u64) < header.zones {
        FormatError::new("fewer zones than the header says")?;
    }
    Ok(zones)
}

fn read_all_states(
    header: &InvariantHeader,
    blocks: &mut Blocks<'_>,
    model: &Model,
    width: usize,
) -> Result<States, ReadError> {
    let mut states = States::new();
    let (mut records, mut count) = (0, 0);
    for _ in 0..header.state_blocks {
        let block = blocks.next()?;
        read_states(&block, width, header.zones, header.ranked, header.entries, |vector, entries| {
            (records, count) = (records + 1, count + entries.len() as u64);
            if records > header.states || count > header.entries {
                return FormatError::new("more states or entries than the header says");
            }
            if DiscreteState::of_vector(model, vector).is_none() {
                return FormatError::new("a location or value that the model does not have");
            }
            states.entry(vector.into()).or_default().extend_from_slice(entries);
            Ok(())
        })?;
    }
    if (records, count) != (header.states, header.entries) {
        FormatError::new("fewer states or entries than the header says")?;
    }
    Ok(states)
}

/// Generators, with the numbers that they permute checked.
struct GroupAction<'g> {
    cancellation: &'g Cancellation,
    generators: &'g [Generator],
    /// For each generator the image of each clock, the reference first.
    clocks: Vec<Vec<usize>>,
    processes: usize,
    model: &'g Model,
}

impl<'g> GroupAction<'g> {
    fn new(
        model: &'g Model,
        generators: &'g [Generator],
        width: usize,
        cancellation: &'g Cancellation,
    ) -> Result<Self, FormatError> {
        let processes = model.processes.len();
        for generator in generators {
            let is_legal = is_permutation(&generator.processes, processes)
                && is_permutation(&generator.clocks, model.clocks.len())
                && is_permutation(&generator.cells, width - processes)
                && generator.values.keys().all(|&cell| cell < width - processes);
            if !is_legal {
                return FormatError::new("a generator that permutes something else than the model has");
            }
        }
        let clocks =
            |it: &Generator| std::iter::once(0).chain(it.clocks.iter().map(|clock| clock + 1)).collect();
        Ok(Self {
            cancellation,
            generators,
            clocks: generators.iter().map(clocks).collect(),
            processes,
            model,
        })
    }

    fn image(&self, generator: &Generator, vector: &[i32]) -> Box<[i32]> {
        let (locations, cells) = vector.split_at(self.processes);
        let mut image = vec![0; vector.len()];
        for (&process, &location) in generator.processes.iter().zip(locations) {
            image[process] = location;
        }
        for (index, (&cell, value)) in generator.cells.iter().zip(cells).enumerate() {
            let pairs = generator.values.get(&index).into_iter().flatten();
            let mapped = pairs.clone().find(|(from, _)| from == value).map_or(*value, |&(_, to)| to);
            image[self.processes + cell] = mapped;
        }
        image.into()
    }

    /// Adds images until nothing new appears.
    fn expand(
        &self,
        zones: &mut Vec<Zone>,
        states: &mut States,
        entries_max: u64,
        bytes_max: u64,
    ) -> Result<(), ReadError> {
        let mut numbers: HashMap<Zone, u32> = zones.iter().cloned().zip(0..).collect();
        let mut open: Vec<(Box<[i32]>, Entry)> = Vec::new();
        for (vector, entries) in states.iter() {
            open.extend(entries.iter().map(|&entry| (vector.clone(), entry)));
        }
        let mut known: HashSet<(Box<[i32]>, Entry)> = open.iter().cloned().collect();
        // A zone is in the table and the index, an entry among the states, the known and the open ones.
        let zone_bytes = 16 * zones.first().map_or(1, Zone::size) as u64 + 128;
        let entry_bytes = 12 * states.keys().next().map_or(0, |vector| vector.len()) as u64 + 256;
        while let Some((vector, (zone, rank))) = open.pop() {
            if self.cancellation.reason().is_some() {
                return Err(ReadError::GivenUp("ended from outside"));
            }
            for (generator, clocks) in self.generators.iter().zip(&self.clocks) {
                let image = zones[zone as usize].renamed(clocks);
                let next = zones.len() as u32;
                let number = *numbers.entry(image).or_insert_with_key(|image| {
                    zones.push(image.clone());
                    next
                });
                let found = (self.image(generator, &vector), (number, rank));
                if known.contains(&found) {
                    continue;
                }
                let (all, distinct) = (known.len() as u64, zones.len() as u64);
                let bytes =
                    all.saturating_mul(entry_bytes).saturating_add(distinct.saturating_mul(zone_bytes));
                if all >= entries_max || bytes > bytes_max {
                    return Err(ReadError::GivenUp(
                        "the generators make the certificate larger than the limit",
                    ));
                }
                if DiscreteState::of_vector(self.model, &found.0).is_none() {
                    FormatError::new(
                        "a generator leads to a location or value that the model does not have",
                    )?;
                }
                states.entry(found.0.clone()).or_default().push(found.1);
                known.insert(found.clone());
                open.push(found);
            }
        }
        Ok(())
    }
}

fn is_permutation(images: &[usize], count: usize) -> bool {
    let mut seen = vec![false; count];
    let is_new = |&image: &usize| seen.get_mut(image).is_some_and(|seen| !std::mem::replace(seen, true));
    images.len() == count && images.iter().all(is_new)
}
