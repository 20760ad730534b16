//! Numbers, nodes and zones as bytes.
//!
//! Most numbers are small: handles of young nodes, cuts of small constants. They are written seven bits to a byte, the
//! low ones first; cuts with their sign in the lowest bit. Of a zone there is a byte for each level and the ends that
//! it has there; the levels above those of the receiver are left out.

use tourbillon_dd::{Handle, Slice};

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
