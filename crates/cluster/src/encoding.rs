//! The encoding of states in messages.
//!
//! ```text
//!   parent and step, with traces │ cost, where the order needs one │ discrete state │ width, bands, bounds
//!   ──────────── the head: where it came from ───────────────────── ┴ ──── the body: the state itself ────
//! ```
//!
//! **The discrete state** takes as many bits for each field as its range needs, in words of 64 of which no field lies in
//! two; of the last word only the bytes are sent that have any. These words are also what decides who owns the state, so
//! they are made for each successor, and must be cheap: a subtraction, a shift and an or for each field.
//!
//! **The zone** is in the narrow form (`dbm/src/forms/narrow.rs`): only rows that differ from the universal zone, each bound
//! in one byte, or two or four once a zone has been met that does not fit. The form is encoded and decoded by vectors, and
//! the decoded zone is closed because the encoded one was. A zone of Fischer's protocol with ten processes is about 24 of
//! 484 bytes.
//!
//! Equal states have equal bodies, unless a wider zone has been met in between; then nothing is lost but the chance to
//! leave one of them out.

use tourbillon_base::Id;
use tourbillon_dbm::forms::{Narrow, Slot, Written};
use tourbillon_dbm::{Dbm, Dimension};
use tourbillon_store::{NodeId, Settings};

use crate::message::{Reader, put_u32, put_u64};
use crate::owner::mix;

/// Writes states and reads them.
#[derive(Debug)]
pub(crate) struct StateEncoder {
    fields: Vec<Field>,
    words: Vec<u64>,
    /// How many bytes of the words are sent.
    discrete_bytes: usize,
    bytes: Slots<i8>,
    halves: Slots<i16>,
    wholes: Slots<i32>,
    /// The bytes of a bound, as all zones so far have needed.
    width: u8,
    traces: bool,
    costs: bool,
}

/// Where a field of a discrete state stands.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    mask: u64,
    low: i32,
}

/// Where a state came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StateOrigin {
    /// The node that it is a successor of, on the rank that sends it.
    pub(crate) parent: NodeId,
    pub(crate) step: u32,
    /// What decides when it is visited.
    pub(crate) cost: u64,
}

impl StateEncoder {
    /// For states of lists like this. Parents and steps are sent if they are kept, and costs if they decide.
    pub(crate) fn new(settings: &Settings, costs: bool) -> Self {
        let (fields, words, discrete_bytes) = layout(&settings.ranges);
        Self {
            fields,
            words: vec![0; words],
            discrete_bytes,
            bytes: Slots::new(settings.dimension),
            halves: Slots::new(settings.dimension),
            wholes: Slots::new(settings.dimension),
            width: 1,
            traces: settings.traces,
            costs,
        }
    }

    /// Packs a discrete state, and keeps it to be written.
    #[inline]
    pub(crate) fn pack(&mut self, discrete: &[i32]) -> &[u64] {
        let placed =
            |field: &Field, value: i32| u64::from(value.wrapping_sub(field.low) as u32) << field.shift;
        let fields = self.fields.iter().zip(discrete);
        if let [word] = &mut self.words[..] {
            // Most states fit in one word, which is written once.
            *word = fields.fold(0, |word, (field, &value)| word | placed(field, value));
        } else {
            self.words.fill(0);
            fields.for_each(|(field, &value)| self.words[field.word as usize] |= placed(field, value));
        }
        &self.words
    }

    /// Appends the head of a state.
    #[inline]
    pub(crate) fn put_head(&self, head: &StateOrigin, out: &mut Vec<u8>) {
        if self.traces {
            put_u32(out, head.parent.index() as u32);
            put_u32(out, head.step);
        }
        if self.costs {
            put_u64(out, head.cost);
        }
    }

    /// Appends the body of the state that was packed last. Returns a hash of it, begun with that of its discrete part.
    #[inline]
    pub(crate) fn put_body(&mut self, hash: u64, zone: &Dbm, out: &mut Vec<u8>) -> u64 {
        let (whole, rest) = (self.discrete_bytes / 8, self.discrete_bytes % 8);
        self.words[..whole].iter().for_each(|&word| put_u64(out, word));
        if rest > 0 {
            out.extend_from_slice(&self.words[whole].to_le_bytes()[..rest]);
        }
        self.put_zone(hash, zone, out)
    }

    fn put_zone(&mut self, hash: u64, zone: &Dbm, out: &mut Vec<u8>) -> u64 {
        loop {
            let written = match self.width {
                1 => self.bytes.put(1, hash, zone, out),
                2 => self.halves.put(2, hash, zone, out),
                _ => self.wholes.put(4, hash, zone, out),
            };
            match written {
                Some(hash) => return hash,
                None => self.width *= 2,
            }
        }
    }

    /// Reads the head of a state.
    #[inline]
    pub(crate) fn head(&self, from: &mut Reader<'_>) -> StateOrigin {
        let (parent, step) = if self.traces { (from.u32(), from.u32()) } else { (0, 0) };
        let cost = if self.costs { from.u64() } else { 0 };
        StateOrigin { parent: NodeId::from_index(parent as usize), step, cost }
    }

    /// Reads the body of a state.
    #[inline]
    pub(crate) fn body(&mut self, from: &mut Reader<'_>, discrete: &mut [i32], zone: &mut Dbm) {
        let (whole, rest) = (self.discrete_bytes / 8, self.discrete_bytes % 8);
        self.words[..whole].iter_mut().for_each(|word| *word = from.u64());
        if rest > 0 {
            let mut last = [0; 8];
            last[..rest].copy_from_slice(from.take(rest));
            self.words[whole] = u64::from_le_bytes(last);
        }
        for (field, value) in self.fields.iter().zip(discrete) {
            let offset = (self.words[field.word as usize] >> field.shift) & field.mask;
            *value = field.low.wrapping_add(offset as u32 as i32);
        }
        match from.u8() {
            1 => self.bytes.get(from, zone),
            2 => self.halves.get(from, zone),
            _ => self.wholes.get(from, zone),
        }
    }
}

/// Where each field stands, how many words there are, and how many bytes of them count.
fn layout(ranges: &[(i32, i32)]) -> (Vec<Field>, usize, usize) {
    let (mut word, mut shift) = (0, 0);
    let mut fields = Vec::new();
    for &(low, high) in ranges {
        let bits = u32::BITS - high.wrapping_sub(low).cast_unsigned().leading_zeros();
        if shift + bits > u64::BITS {
            (word, shift) = (word + 1, 0);
        }
        fields.push(Field { word, shift: shift.min(u64::BITS - 1), mask: (1 << bits) - 1, low });
        shift += bits;
    }
    let bytes = word as usize * 8 + shift.div_ceil(8) as usize;
    (fields, word as usize + 1, bytes)
}

/// Zones whose bounds have one width.
#[derive(Debug)]
struct Slots<S> {
    form: Narrow<S>,
    scratch: Box<[S]>,
}

impl<S: Slot> Slots<S> {
    fn new(dimension: Dimension) -> Self {
        let form = Narrow::new(dimension);
        Self { scratch: form.scratch(), form }
    }

    /// Appends a zone, with the width first; nothing if a bound does not fit. Returns a hash of it.
    #[inline]
    fn put(&mut self, width: u8, hash: u64, zone: &Dbm, out: &mut Vec<u8>) -> Option<u64> {
        let Written { bands, slots } = self.form.encode(zone, &mut self.scratch).ok()?;
        out.push(width);
        put_u32(out, bands);
        let mut hash = mix(hash, u64::from(bands));
        for word in Narrow::<S>::words(slots) {
            put_u64(out, word);
            hash = mix(hash, word);
        }
        Some(hash)
    }

    /// Reads a zone, its width aside.
    #[inline]
    fn get(&mut self, from: &mut Reader<'_>, zone: &mut Dbm) {
        let bands = from.u32();
        let count = self.form.slots(bands);
        for slots in self.scratch[..count].chunks_exact_mut(8 / size_of::<S>()) {
            S::put_word(from.u64(), slots);
        }
        self.form.decode(Written { bands, slots: &self.scratch[..count] }, zone);
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;
    use tourbillon_dbm::{Bound, Clock, Constant, Constraint};
    use tourbillon_store::{Cover, DiagramSettings, DiscreteForm, Order, ZoneForm};

    use super::*;

    fn settings(ranges: Vec<(i32, i32)>, clocks: usize, traces: bool) -> Settings {
        Settings {
            ranges,
            split: 0,
            dimension: Dimension::of_clocks(clocks).expect("few clocks"),
            zones: ZoneForm::Plain,
            discrete: DiscreteForm::Plain,
            diagrams: DiagramSettings::default(),
            tight: false,
            cover: Cover::Inclusion,
            waiting_inclusion: true,
            order: Order::Bfs,
            seed: 0,
            traces,
            spare_waiting: false,
        }
    }

    fn random_zone(random: &mut Random, dimension: Dimension, largest: i32) -> Dbm {
        let mut zone = Dbm::universal(dimension);
        for _ in 0..random.below(4) {
            let clock = Clock::from_index(1 + random.below(dimension.clocks()));
            let value = Constant::new(random.within(0..=largest).into()).expect("a small constant");
            match random.below(3) {
                0 => zone.reset(clock, value),
                1 => zone.up(),
                _ => _ = zone.constrain(Constraint::upper(clock, Bound::weak(value))),
            }
        }
        zone
    }

    #[test]
    fn states_come_back_as_they_were() {
        let ranges =
            vec![(0, 2), (-5, 5), (i32::MIN, i32::MAX), (7, 7), (0, 1), (-30_000, 30_000), (0, i32::MAX)];
        for seed in 0..200 {
            let mut random = Random::from_seed(seed);
            let settings = settings(ranges.clone(), 1 + random.below(12), random.one_in(2));
            let (costs, largest) = (random.one_in(2), [20, 2_000, 1_000_000][random.below(3)]);
            let (mut writer, mut reader) =
                (StateEncoder::new(&settings, costs), StateEncoder::new(&settings, costs));
            let mut states = Vec::new();
            let mut bytes = Vec::new();
            for _ in 0..20 {
                let discrete: Vec<i32> =
                    ranges.iter().map(|&(low, high)| random.within(low..=high)).collect();
                let zone = random_zone(&mut random, settings.dimension, largest);
                let head = StateOrigin {
                    parent: NodeId::from_index(random.below(1 << 20)),
                    step: random.below(1 << 10) as u32,
                    cost: random.next_u64(),
                };
                writer.pack(&discrete);
                writer.put_head(&head, &mut bytes);
                writer.put_body(0, &zone, &mut bytes);
                states.push((discrete, zone, head));
            }
            let mut from = Reader::new(&bytes);
            for (discrete, zone, head) in states {
                let got = reader.head(&mut from);
                let (mut fields, mut read) = (vec![0; ranges.len()], Dbm::zero(settings.dimension));
                reader.body(&mut from, &mut fields, &mut read);
                assert_eq!((&fields, &read), (&discrete, &zone), "seed {seed}");
                if settings.traces {
                    assert_eq!((got.parent, got.step), (head.parent, head.step), "seed {seed}");
                }
                assert!(!costs || got.cost == head.cost, "seed {seed}");
            }
            assert!(from.is_empty(), "seed {seed}");
        }
    }

    #[test]
    fn states_without_variables_have_zones_only() {
        let settings = settings(vec![(3, 3)], 2, false);
        let mut encoder = StateEncoder::new(&settings, false);
        let mut bytes = Vec::new();
        encoder.pack(&[3]);
        encoder.put_body(0, &Dbm::universal(settings.dimension), &mut bytes);
        assert_eq!(bytes.len(), 5);
    }
}
