//! The encoding of numbers, nodes and zones in messages.
//!
//! Most numbers are small: handles of young nodes, cuts of small constants. They are written seven bits to a byte, the
//! low ones first; cuts with their sign in the lowest bit. Of a zone there is a byte for each level and the ends that
//! it has there; the levels above those of the receiver are left out. The last edge of a node has no end.

use std::ops::Range;

use tourbillon_dd::{Handle, LayerWeight, Layers, MovedTarget, Slice};

use crate::message::Reader;

pub(super) fn put_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(super) fn number(from: &mut Reader<'_>) -> u32 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = from.u8();
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

pub(super) fn put_handles(out: &mut Vec<u8>, handles: &[Handle]) {
    put_number(out, handles.len() as u32);
    handles.iter().for_each(|handle| put_number(out, handle.to_u32()));
}

/// Appends handles; how many there were.
pub(super) fn handles(from: &mut Reader<'_>, into: &mut Vec<Handle>) -> usize {
    let count = number(from);
    into.extend((0..count).map(|_| Handle::from_u32(number(from))));
    count as usize
}

fn put_lead(out: &mut Vec<u8>, leads: MovedTarget) {
    // Handles of entries have a spare bit, which entries need.
    match leads {
        MovedTarget::To(node) => put_number(out, node.to_u32() << 1),
        MovedTarget::Within(place) => put_number(out, place << 1 | 1),
    }
}

fn lead(from: &mut Reader<'_>) -> MovedTarget {
    let number = number(from);
    if number & 1 == 1 {
        MovedTarget::Within(number >> 1)
    } else {
        MovedTarget::To(Handle::from_u32(number >> 1))
    }
}

pub(super) fn put_leads(out: &mut Vec<u8>, leads: &[MovedTarget]) {
    put_number(out, leads.len() as u32);
    leads.iter().for_each(|&leads| put_lead(out, leads));
}

/// Appends the new targets of nodes.
pub(super) fn leads(from: &mut Reader<'_>, into: &mut Vec<MovedTarget>) {
    let count = number(from);
    into.extend((0..count).map(|_| lead(from)));
}

pub(super) fn put_layers(out: &mut Vec<u8>, layers: &Layers) {
    put_number(out, layers.len() as u32);
    for (level, edges) in layers.nodes() {
        put_number(out, level.into());
        put_number(out, edges.len() as u32);
        for (at, &(up_to, leads)) in edges.iter().enumerate() {
            if at + 1 < edges.len() {
                put_cut(out, up_to);
            }
            put_lead(out, leads);
        }
    }
}

/// Appends nodes of layers.
pub(super) fn layers(from: &mut Reader<'_>, into: &mut Layers) {
    for _ in 0..number(from) {
        let (level, edges) = (number(from) as u16, number(from));
        let edge = |at: u32| {
            let up_to = if at + 1 < edges { cut(from) } else { Slice::ALL.up_to };
            (up_to, lead(from))
        };
        into.push(level, (0..edges).map(edge));
    }
}

/// The level that each band ends at; the next one begins there.
pub(super) fn put_bands(out: &mut Vec<u8>, bands: &[Range<usize>]) {
    put_number(out, bands.len() as u32);
    bands.iter().for_each(|band| put_number(out, band.end as u32));
}

pub(super) fn bands(from: &mut Reader<'_>) -> Vec<Range<usize>> {
    let (mut start, count) = (0, number(from));
    let band = |_| {
        let end = number(from) as usize;
        std::mem::replace(&mut start, end)..end
    };
    (0..count).map(band).collect()
}

pub(super) fn put_weights(out: &mut Vec<u8>, weights: &[LayerWeight]) {
    put_number(out, weights.len() as u32);
    for weight in weights {
        out.extend(weight.bytes.to_le_bytes());
        out.extend(weight.crossing.to_le_bytes());
    }
}

pub(super) fn weights(from: &mut Reader<'_>) -> Vec<LayerWeight> {
    let count = number(from);
    (0..count).map(|_| LayerWeight { bytes: from.u64(), crossing: from.u64() }).collect()
}

/// Which of a slice's ends there are, and which are written down.
const ABOVE: u8 = 1;
const UP_TO: u8 = 2;
const ADDS_ABOVE: u8 = 4;
const ADDS_UP_TO: u8 = 8;

pub(super) fn put_slices(out: &mut Vec<u8>, slices: &[Slice]) {
    let flag = |is: bool, flag: u8| if is { flag } else { 0 };
    for slice in slices {
        let (above, up_to) = (slice.above != Slice::ALL.above, slice.up_to != Slice::ALL.up_to);
        let adds = flag(slice.adds_above, ADDS_ABOVE) | flag(slice.adds_up_to, ADDS_UP_TO);
        out.push(flag(above, ABOVE) | flag(up_to, UP_TO) | adds);
        if above {
            put_cut(out, slice.above);
        }
        if up_to {
            put_cut(out, slice.up_to);
        }
    }
}

/// Appends so many slices.
pub(super) fn slices(from: &mut Reader<'_>, count: usize, into: &mut Vec<Slice>) {
    for _ in 0..count {
        let flags = from.u8();
        let mut slice =
            Slice { adds_above: flags & ADDS_ABOVE != 0, adds_up_to: flags & ADDS_UP_TO != 0, ..Slice::ALL };
        if flags & ABOVE != 0 {
            slice.above = cut(from);
        }
        if flags & UP_TO != 0 {
            slice.up_to = cut(from);
        }
        into.push(slice);
    }
}

fn put_cut(out: &mut Vec<u8>, cut: i32) {
    put_number(out, (cut << 1 ^ cut >> 31).cast_unsigned());
}

fn cut(from: &mut Reader<'_>) -> i32 {
    let number = number(from);
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    #[test]
    fn layers_and_bands_come_back() {
        for seed in 0..300 {
            let mut random = Random::from_seed(seed);
            let draw = |random: &mut Random| match random.below(3) {
                0 => MovedTarget::Within(random.below(1 << 20) as u32),
                _ => MovedTarget::To(Handle::from_u32(random.next_u64() as u32 >> 1 >> random.below(31))),
            };
            let mut written = Layers::default();
            for _ in 0..random.below(10) {
                let (level, count) = (random.below(4_000) as u16, 2 + random.below(5));
                let mut edges: Vec<(i32, MovedTarget)> =
                    (0..count).map(|_| (random.within(-(1 << 28)..=1 << 28), draw(&mut random))).collect();
                edges[count - 1].0 = i32::MAX;
                written.push(level, edges);
            }
            let became: Vec<MovedTarget> = (0..random.below(20)).map(|_| draw(&mut random)).collect();
            let weighed: Vec<LayerWeight> = (0..random.below(5))
                .map(|_| LayerWeight { bytes: random.next_u64(), crossing: random.next_u64() })
                .collect();
            let mut bytes = Vec::new();
            put_layers(&mut bytes, &written);
            put_leads(&mut bytes, &became);
            put_bands(&mut bytes, &[0..3, 3..4, 4..9]);
            put_weights(&mut bytes, &weighed);
            let (mut reader, mut read, mut now) = (Reader::new(&bytes), Layers::default(), Vec::new());
            layers(&mut reader, &mut read);
            leads(&mut reader, &mut now);
            assert_eq!((read, now), (written, became), "seed {seed}");
            assert_eq!((bands(&mut reader), weights(&mut reader)), (vec![0..3, 3..4, 4..9], weighed));
            assert!(reader.is_empty(), "seed {seed}");
        }
    }

    #[test]
    fn all_comes_back() {
        for seed in 0..300 {
            let mut random = Random::from_seed(seed);
            let small = |random: &mut Random| random.next_u64() as u32 >> random.below(32);
            let written: Vec<Handle> =
                (0..random.below(20)).map(|_| Handle::from_u32(small(&mut random))).collect();
            let cuts: Vec<Slice> = (0..random.below(20))
                .map(|_| Slice {
                    above: if random.one_in(3) { Slice::ALL.above } else { small(&mut random).cast_signed() },
                    up_to: if random.one_in(3) { Slice::ALL.up_to } else { small(&mut random).cast_signed() },
                    adds_above: random.one_in(2),
                    adds_up_to: random.one_in(2),
                })
                .collect();
            let mut bytes = Vec::new();
            put_handles(&mut bytes, &written);
            put_slices(&mut bytes, &cuts);
            let (mut reader, mut read, mut sliced) = (Reader::new(&bytes), Vec::new(), Vec::new());
            assert_eq!(handles(&mut reader, &mut read), written.len(), "seed {seed}");
            slices(&mut reader, cuts.len(), &mut sliced);
            assert_eq!((read, sliced), (written, cuts), "seed {seed}");
            assert!(reader.is_empty(), "seed {seed}");
        }
    }
}
