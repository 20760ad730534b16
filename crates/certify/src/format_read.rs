//! Reads the blocks of certificates.
//!
//! Every length is checked against what is there before anything is allocated, and every number against what it may be, so that what
//! is built from a file is in order whatever the file is. A block is decompressed into as many bytes as it says at
//! most.

use crate::format::{BLOCK_BYTES_MAX, CONSTANT_MAX, Constraint, FormatError, InvariantHeader};

/// The blocks of a file, from the first to the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks<'f> {
    rest: &'f [u8],
}

impl<'f> Blocks<'f> {
    pub(crate) fn new(rest: &'f [u8]) -> Self {
        Self { rest }
    }

    /// The next block, decompressed.
    pub(crate) fn next(&mut self) -> Result<Vec<u8>, FormatError> {
        let (raw, packed) = (self.length()?, self.length()?);
        if raw > BLOCK_BYTES_MAX {
            return FormatError::new(format!("a block of {raw} bytes, more than {BLOCK_BYTES_MAX}"));
        }
        let data = self.take(packed)?;
        match miniz_oxide::inflate::decompress_to_vec_with_limit(data, raw) {
            Ok(block) if block.len() == raw => Ok(block),
            _ => FormatError::new("a block cannot be decompressed"),
        }
    }

    /// That there is nothing after the last block.
    pub(crate) fn end(self) -> Result<(), FormatError> {
        if self.rest.is_empty() { Ok(()) } else { FormatError::new("bytes after the last block") }
    }

    fn length(&mut self) -> Result<usize, FormatError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }

    fn take(&mut self, count: usize) -> Result<&'f [u8], FormatError> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return FormatError::new("the file ends within a block");
        };
        self.rest = rest;
        Ok(taken)
    }
}

/// Shows the zones of the first invariant of a file, by number, and then its states with their entries.
///
/// # Errors
/// If the file cannot be read.
pub fn read_first(
    header: &InvariantHeader,
    blocks: &[u8],
    (dimension, width): (usize, usize),
    mut zone: impl FnMut(&[Constraint]),
    mut state: impl FnMut(&[i32], &[(u32, u64)]),
) -> Result<(), FormatError> {
    let mut blocks = Blocks::new(blocks);
    for _ in 0..header.zone_blocks {
        read_zones(&blocks.next()?, dimension, |constraints| {
            zone(constraints);
            Ok(())
        })?;
    }
    for _ in 0..header.state_blocks {
        read_states(
            &blocks.next()?,
            width,
            header.zones,
            header.ranked,
            header.entries,
            |vector, entries| {
                state(vector, entries);
                Ok(())
            },
        )?;
    }
    Ok(())
}

/// The numbers of a block.
struct Numbers<'b> {
    bytes: &'b [u8],
}

impl Numbers<'_> {
    fn unsigned(&mut self) -> Result<u64, FormatError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let Some((&byte, rest)) = self.bytes.split_first() else {
                return FormatError::new("a block ends within a record");
            };
            self.bytes = rest;
            let bits = u64::from(byte & 0x7f);
            if (bits << shift) >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        FormatError::new("a number of more than 64 bits")
    }

    fn signed(&mut self) -> Result<i64, FormatError> {
        let value = self.unsigned()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number below `end`.
    fn below(&mut self, end: u64, what: &str) -> Result<usize, FormatError> {
        let value = self.unsigned()?;
        if value < end {
            Ok(value as usize)
        } else {
            FormatError::new(format!("{what} {value}, not below {end}"))
        }
    }
}

/// Shows the constraints of each zone of a block; indices are below `dimension`.
pub(crate) fn read_zones(
    block: &[u8],
    dimension: usize,
    mut zone: impl FnMut(&[Constraint]) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let mut numbers = Numbers { bytes: block };
    let mut constraints = Vec::new();
    while !numbers.bytes.is_empty() {
        constraints.clear();
        for _ in 0..numbers.unsigned()? {
            let left = numbers.below(dimension as u64, "the clock index")?;
            let right = numbers.below(dimension as u64, "the clock index")?;
            let bound = numbers.signed()?;
            if bound.unsigned_abs() > 2 * CONSTANT_MAX as u64 {
                return FormatError::new(format!("the bound {bound} is too large"));
            }
            constraints.push(Constraint { left, right, bound });
        }
        zone(&constraints)?;
    }
    Ok(())
}

/// Shows each state of a block with its entries, of which there are `entries_max` at most: zones, which are below `zones`, and ranks, all
/// 0 if there are none.
pub(crate) fn read_states(
    block: &[u8],
    width: usize,
    zones: u64,
    ranked: bool,
    entries_max: u64,
    mut state: impl FnMut(&[i32], &[(u32, u64)]) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let mut numbers = Numbers { bytes: block };
    let mut vector = vec![0i32; width];
    let mut entries = Vec::new();
    let mut zone = 0u64;
    while !numbers.bytes.is_empty() {
        let mut next = 0;
        for _ in 0..numbers.unsigned()? {
            let index = next + numbers.below((width - next) as u64, "the component")?;
            let value = i64::from(vector[index]).checked_add(numbers.signed()?);
            let Some(value) = value.and_then(|value| i32::try_from(value).ok()) else {
                return FormatError::new("a component of more than 32 bits");
            };
            vector[index] = value;
            next = index + 1;
        }
        entries.clear();
        for _ in 0..numbers.unsigned()? {
            zone = zone.wrapping_add(numbers.signed()? as u64);
            if zone >= zones {
                return FormatError::new(format!("the zone {zone} of {zones}"));
            }
            if entries.len() as u64 == entries_max {
                return FormatError::new("more entries than the header says");
            }
            let rank = if ranked { numbers.unsigned()? } else { 0 };
            entries.push((zone as u32, rank));
        }
        state(&vector, &entries)?;
    }
    Ok(())
}
