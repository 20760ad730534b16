//! Zones one after the other, each in the narrowest slots that fit its bounds. They are read once, and removed all together.

use tourbillon_dbm::forms::{Narrow, Slot, Written};
use tourbillon_dbm::{Dbm, Dimension};

use crate::zones::WrittenZone;

/// Zones of one dimension.
#[derive(Debug, Default)]
pub(super) struct ZoneBuffer {
    /// Allocated with the first zone.
    widths: Option<Box<Widths>>,
}

#[derive(Debug)]
struct Widths {
    one: Width<i8>,
    two: Width<i16>,
    four: Width<i32>,
}

/// The zones in slots of one width.
#[derive(Debug)]
struct Width<S> {
    form: Narrow<S>,
    scratch: Box<[S]>,
    slots: Vec<S>,
}

/// Where a zone is.
#[derive(Clone, Copy, Debug)]
pub(super) enum ZonePlace {
    One(Slots),
    Two(Slots),
    Four(Slots),
}

/// The first slot of a zone, and its bands, which determine the number of slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    first: u32,
    bands: u32,
}

impl<S: Slot + Default> Width<S> {
    fn new(dimension: Dimension) -> Self {
        let form = Narrow::new(dimension);
        Self { scratch: form.scratch(), form, slots: Vec::new() }
    }

    /// Adds a zone, if it fits.
    fn push(&mut self, zone: &Dbm) -> Option<Slots> {
        let Written { bands, slots } = self.form.encode(zone, &mut self.scratch).ok()?;
        let first = self.slots.len() as u32;
        self.slots.extend_from_slice(slots);
        Some(Slots { first, bands })
    }

    /// Adds a zone that was encoded.
    fn push_written(&mut self, Written { bands, slots }: Written<'_, S>) -> Slots {
        let first = self.slots.len() as u32;
        self.slots.extend_from_slice(slots);
        Slots { first, bands }
    }

    fn get(&self, Slots { first, bands }: Slots) -> Written<'_, S> {
        Written { bands, slots: &self.slots[first as usize..][..self.form.slots(bands)] }
    }

    /// The bytes of the zones, and those that are allocated.
    fn bytes(&self) -> (usize, usize) {
        (self.slots.len() * size_of::<S>(), (self.slots.capacity() + self.scratch.len()) * size_of::<S>())
    }
}

impl ZoneBuffer {
    fn widths(&mut self, dimension: Dimension) -> &mut Widths {
        let new =
            || Widths { one: Width::new(dimension), two: Width::new(dimension), four: Width::new(dimension) };
        self.widths.get_or_insert_with(|| Box::new(new()))
    }

    /// Adds a zone that was encoded.
    pub(super) fn push_written(&mut self, dimension: Dimension, zone: WrittenZone<'_>) -> ZonePlace {
        let Widths { one, two, four } = self.widths(dimension);
        match zone {
            WrittenZone::One(zone) => ZonePlace::One(one.push_written(zone)),
            WrittenZone::Two(zone) => ZonePlace::Two(two.push_written(zone)),
            WrittenZone::Four(zone) => ZonePlace::Four(four.push_written(zone)),
        }
    }

    pub(super) fn push(&mut self, zone: &Dbm) -> ZonePlace {
        let Widths { one, two, four } = self.widths(zone.dimension());
        let narrow = one.push(zone).map(ZonePlace::One).or_else(|| two.push(zone).map(ZonePlace::Two));
        narrow.or_else(|| four.push(zone).map(ZonePlace::Four)).expect("every zone fits in the widest slots")
    }

    /// A zone as it was encoded.
    pub(super) fn written(&self, place: ZonePlace) -> Option<WrittenZone<'_>> {
        let widths = self.widths.as_ref()?;
        Some(match place {
            ZonePlace::One(slots) => WrittenZone::One(widths.one.get(slots)),
            ZonePlace::Two(slots) => WrittenZone::Two(widths.two.get(slots)),
            ZonePlace::Four(slots) => WrittenZone::Four(widths.four.get(slots)),
        })
    }

    /// Writes a zone into `zone`.
    pub(super) fn load(&self, place: ZonePlace, zone: &mut Dbm) {
        let Some(widths) = &self.widths else { return };
        match place {
            ZonePlace::One(slots) => widths.one.form.decode(widths.one.get(slots), zone),
            ZonePlace::Two(slots) => widths.two.form.decode(widths.two.get(slots), zone),
            ZonePlace::Four(slots) => widths.four.form.decode(widths.four.get(slots), zone),
        }
    }

    /// Removes all zones, and frees memory that was hardly used.
    pub(super) fn clear(&mut self) {
        if let Some(widths) = &mut self.widths {
            clear(&mut widths.one.slots);
            clear(&mut widths.two.slots);
            clear(&mut widths.four.slots);
        }
    }

    /// The bytes of the zones, and those that are allocated.
    pub(super) fn bytes(&self) -> (usize, usize) {
        let Some(widths) = &self.widths else { return (0, 0) };
        let parts = [widths.one.bytes(), widths.two.bytes(), widths.four.bytes()];
        parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}

/// Empties a vector. Few rounds have many new zones: their memory is not kept for the others.
fn clear<S>(slots: &mut Vec<S>) {
    let used = slots.len();
    slots.clear();
    if slots.capacity() > 4 * used {
        slots.shrink_to(2 * used);
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Id;
    use tourbillon_dbm::{Bound, Clock, Constraint};

    use super::*;

    #[test]
    fn zones_are_read_as_they_were_written_whatever_their_bounds() {
        let dimension = Dimension::of_clocks(3).expect("few clocks");
        let mut buffer = ZoneBuffer::default();
        let mut zones = Vec::new();
        for round in 0..3 {
            for bound in [0, 7, 40, 300, 5_000, 40_000, 1_000_000] {
                let mut zone = Dbm::universal(dimension);
                let constant = tourbillon_dbm::Constant::new(bound + round).expect("a small constant");
                assert!(zone.constrain(Constraint::upper(Clock::from_index(2), Bound::weak(constant))));
                zones.push((buffer.push(&zone), zone));
            }
            let mut read = Dbm::zero(dimension);
            for (place, zone) in &zones {
                buffer.load(*place, &mut read);
                assert_eq!(read, *zone);
            }
            assert!(buffer.bytes().0 > 0);
            buffer.clear();
            zones.clear();
            assert_eq!(buffer.bytes().0, 0);
        }
    }
}
