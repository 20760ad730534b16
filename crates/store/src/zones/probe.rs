//! A zone in the encoding of a store, with memory for comparisons.

use tourbillon_dbm::forms::{Narrow, Slot, Unencodable, Written};
use tourbillon_dbm::{Dbm, Dimension};

/// A zone that is compared with stored ones. It has memory for each form, and uses that of the store it was encoded by.
#[derive(Debug, Default)]
pub(crate) struct ZoneProbe {
    /// Whether the store could encode the zone.
    pub(crate) is_encoded: bool,
    one: NarrowProbe<i8>,
    two: NarrowProbe<i16>,
    four: NarrowProbe<i32>,
    /// In rows, with a few bits for each bound.
    pub(super) rows: Vec<u8>,
    /// The used bytes of `rows`.
    pub(super) rows_len: usize,
    /// A stored zone that must be decoded for a comparison.
    decoded: Option<Dbm>,
}

impl ZoneProbe {
    /// Memory for a decoded zone.
    pub(crate) fn decoded(&mut self, dimension: Dimension) -> &mut Dbm {
        if self.decoded.as_ref().is_none_or(|zone| zone.dimension() != dimension) {
            self.decoded = None;
        }
        self.decoded.get_or_insert_with(|| Dbm::zero(dimension))
    }
}

/// A zone in slots of one width.
#[derive(Debug, Default)]
pub(super) struct NarrowProbe<S> {
    /// The dimension of the allocated memory.
    dimension: Option<Dimension>,
    bands: u32,
    len: usize,
    slots: Box<[S]>,
    /// For the a_LU tests against larger zones, and against smaller ones.
    pub(super) floor: Box<[S]>,
    pub(super) ceiling: Box<[S]>,
}

impl<S: Slot> NarrowProbe<S> {
    /// Encodes a zone, unless it does not fit.
    ///
    /// Inlined into the loop that widens until it fits, the compiler would prepare, ahead of the loop, the vectors of
    /// a kernel that is not even the one chosen at run time: a tenth of a refused offer.
    #[inline(never)]
    pub(super) fn encode(&mut self, form: &Narrow<S>, zone: &Dbm) -> Result<(), Unencodable> {
        if self.dimension != Some(zone.dimension()) {
            self.allocate(form, zone.dimension());
        }
        let Written { bands, slots } = form.encode(zone, &mut self.slots)?;
        (self.bands, self.len) = (bands, slots.len());
        Ok(())
    }

    /// Makes a written zone the encoded one.
    pub(super) fn set(
        &mut self,
        form: &Narrow<S>,
        dimension: Dimension,
        Written { bands, slots }: Written<'_, S>,
    ) {
        if self.dimension != Some(dimension) {
            self.allocate(form, dimension);
        }
        self.slots[..slots.len()].copy_from_slice(slots);
        (self.bands, self.len) = (bands, slots.len());
    }

    #[cold]
    fn allocate(&mut self, form: &Narrow<S>, dimension: Dimension) {
        self.dimension = Some(dimension);
        let scratch = form.scratch();
        (self.floor, self.ceiling, self.slots) = (scratch.clone(), scratch.clone(), scratch);
    }

    #[inline]
    pub(super) fn zone(&self) -> Written<'_, S> {
        Written { bands: self.bands, slots: &self.slots[..self.len] }
    }
}

/// A zone as a store of matrices encodes it, in slots of any width.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WrittenZone<'a> {
    One(Written<'a, i8>),
    Two(Written<'a, i16>),
    Four(Written<'a, i32>),
}

/// Slot widths, with their part of a probe.
pub(super) trait Width: Slot + Default + Send + Sync {
    /// The zone, if it is in slots of this width.
    fn written(zone: WrittenZone<'_>) -> Option<Written<'_, Self>>;

    fn wrap(zone: Written<'_, Self>) -> WrittenZone<'_>;

    fn of(probe: &ZoneProbe) -> &NarrowProbe<Self>;

    fn of_mut(probe: &mut ZoneProbe) -> &mut NarrowProbe<Self>;
}

macro_rules! width {
    ($slot:ty, $field:ident, $width:ident) => {
        impl Width for $slot {
            fn written(zone: WrittenZone<'_>) -> Option<Written<'_, Self>> {
                if let WrittenZone::$width(zone) = zone { Some(zone) } else { None }
            }

            fn wrap(zone: Written<'_, Self>) -> WrittenZone<'_> {
                WrittenZone::$width(zone)
            }

            #[inline]
            fn of(probe: &ZoneProbe) -> &NarrowProbe<Self> {
                &probe.$field
            }

            #[inline]
            fn of_mut(probe: &mut ZoneProbe) -> &mut NarrowProbe<Self> {
                &mut probe.$field
            }
        }
    };
}

width!(i8, one, One);
width!(i16, two, Two);
width!(i32, four, Four);
