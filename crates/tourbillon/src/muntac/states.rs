//! The states of a certificate in Muntac's format: 64-bit words, the highest byte first.
//!
//! A zone is a closed matrix over the clocks that Muntac knows. It is intersected with the invariant: Muntac lets time pass wherever the invariant
//! holds in the end.

use std::collections::BTreeMap;

use tourbillon_base::Id;
use tourbillon_certify::format::{Constraint, FormatError, InvariantHeader};
use tourbillon_certify::read_first;
use tourbillon_model::{CellKind, Compare, LocationId, Model};

use super::network::Network;

/// `(<, infinity)`: no bound.
const INFINITY: i64 = i64::MAX;
/// `(<=, 0)`.
const ZERO: i64 = 1;

/// Says which kind of certificate it is.
const MAGIC: [i64; 2] = [42, 43];

/// The locations and the values of a discrete state, as Muntac has them.
type Discrete = (Vec<i64>, Vec<i64>);

/// The zones of each discrete state, with their ranks.
type States = BTreeMap<Discrete, Vec<(Vec<i64>, u64)>>;

/// A vector of the certificate, and its zones by number with their ranks.
type Record = (Vec<i32>, Vec<(u32, u64)>);

/// The words of a certificate.
pub(super) fn certificate(
    network: &Network<'_>,
    header: &InvariantHeader,
    blocks: &[u8],
) -> Result<Vec<u8>, FormatError> {
    let states = states(network, header, blocks)?;
    let rows = network.clocks.len() + 1;
    let mut words = vec![
        MAGIC[usize::from(header.ranked)],
        network.automata.len() as i64,
        rows as i64,
        network.cells.len() as i64,
        states.len() as i64,
    ];
    for ((locations, values), zones) in states {
        words.extend(locations);
        words.extend(values);
        words.push(zones.len() as i64);
        for (zone, rank) in zones {
            words.extend(zone);
            words.extend(header.ranked.then_some(rank as i64));
        }
    }
    Ok(words.iter().flat_map(|word| word.to_be_bytes()).collect())
}

fn states(network: &Network<'_>, header: &InvariantHeader, blocks: &[u8]) -> Result<States, FormatError> {
    let model = network.model;
    let dimension = model.clocks.len() + 1;
    let state_cells = model.cells.iter().filter(|cell| cell.kind == CellKind::State).count();
    let mut zones: Vec<Vec<Constraint>> = Vec::new();
    let mut records: Vec<Record> = Vec::new();
    read_first(
        header,
        blocks,
        (dimension, model.processes.len() + state_cells),
        |constraints: &[Constraint]| zones.push(constraints.to_vec()),
        |vector: &[i32], entries: &[(u32, u64)]| records.push((vector.to_vec(), entries.to_vec())),
    )?;
    let mut states = States::new();
    for (vector, entries) in records {
        let Some((locations, key)) = key(network, &vector) else { continue };
        let mut found: Vec<(Vec<i64>, u64)> = Vec::new();
        for (zone, rank) in entries {
            let constraints = zones.get(zone as usize).map_or(&[][..], Vec::as_slice);
            if let Some(matrix) = matrix(network, &locations, constraints, dimension) {
                found.push((matrix, rank));
            }
        }
        states.entry(key).or_default().extend(found);
    }
    for zones in states.values_mut() {
        zones.sort_unstable();
        zones.dedup();
    }
    states.retain(|_, zones| !zones.is_empty());
    Ok(states)
}

/// The locations of a state, and the state as Muntac has it.
fn key(network: &Network<'_>, vector: &[i32]) -> Option<(Vec<LocationId>, Discrete)> {
    let model: &Model = network.model;
    let (places, values) = vector.split_at(model.processes.len());
    let mut locations = Vec::new();
    for (automaton, &place) in network.automata.iter().zip(places) {
        let place = usize::try_from(place).ok().filter(|&place| place < automaton.locations.len())?;
        locations.push(LocationId::from_index(place));
    }
    let numbers = locations.iter().map(|location| location.index() as i64).collect();
    let cells = model.cells.enumerate().filter(|(_, cell)| cell.kind == CellKind::State);
    let mut exported = Vec::new();
    for ((id, cell), &value) in cells.zip(values) {
        let change = i64::from(value) - i64::from(cell.initial);
        if network.cells.iter().any(|(known, _)| *known == id) {
            exported.push(change);
        } else if change != 0 {
            return None;
        }
    }
    Some((locations, (numbers, exported)))
}

/// The matrix of a zone within the invariant; nothing if that is empty.
fn matrix(
    network: &Network<'_>,
    locations: &[LocationId],
    constraints: &[Constraint],
    dimension: usize,
) -> Option<Vec<i64>> {
    let mut bounds = vec![INFINITY; dimension * dimension];
    bounds[..dimension].fill(ZERO);
    (0..dimension).for_each(|i| bounds[i * dimension + i] = ZERO);
    let mut tighten = |i: usize, j: usize, bound: i64| {
        let known = &mut bounds[i * dimension + j];
        *known = bound.min(*known);
    };
    constraints.iter().for_each(|it| tighten(it.left, it.right, it.bound));
    for (automaton, &location) in network.automata.iter().zip(locations) {
        for test in &automaton.invariants[location] {
            let (clock, value) = (test.clock.index() + 1, i64::from(test.value));
            match test.compare {
                Compare::Less => tighten(clock, 0, 2 * value),
                Compare::LessOrEqual => tighten(clock, 0, 2 * value + 1),
                Compare::GreaterOrEqual => tighten(0, clock, 1 - 2 * value),
                Compare::Greater => tighten(0, clock, -2 * value),
                Compare::Equal => {
                    tighten(clock, 0, 2 * value + 1);
                    tighten(0, clock, 1 - 2 * value);
                }
            }
        }
    }
    close(&mut bounds, dimension);
    if (0..dimension).any(|i| bounds[i * dimension + i] < ZERO) {
        return None;
    }
    let kept: Vec<usize> =
        std::iter::once(0).chain(network.clocks.iter().map(|(id, _)| id.index() + 1)).collect();
    Some(
        kept.iter()
            .flat_map(|&i| kept.iter().map(move |&j| (i, j)))
            .map(|(i, j)| bounds[i * dimension + j])
            .collect(),
    )
}

/// Makes each bound as tight as the others imply.
fn close(bounds: &mut [i64], n: usize) {
    let sum = |one: i64, two: i64| {
        if one == INFINITY || two == INFINITY { INFINITY } else { one + two - ((one | two) & 1) }
    };
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                bounds[i * n + j] = bounds[i * n + j].min(sum(bounds[i * n + k], bounds[k * n + j]));
            }
        }
    }
}
