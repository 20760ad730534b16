//! Zones in slots of one width: the held one in scratch memory, the others as records.

use tourbillon_dbm::forms::{Narrow, Slot, Unencodable, Written};
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use super::records::Records;
use super::sharing::Sharing;

/// Zones of one dimension as narrow matrices.
#[derive(Debug)]
pub(super) struct Arena<S> {
    records: Records<S>,
    /// If equal zones are stored once.
    sharing: Option<Sharing>,
    /// The bands of the held zone, and how many slots they take.
    held_bands: (u32, usize),
    held: Box<[S]>,
    floor: Box<[S]>,
    ceiling: Box<[S]>,
}

impl<S: Slot + Default> Arena<S> {
    pub(super) fn new(dimension: Dimension, sharing: bool) -> Self {
        Self::with(Records::new(Narrow::new(dimension)), sharing.then(Sharing::new))
    }

    fn with(records: Records<S>, sharing: Option<Sharing>) -> Self {
        let scratch = records.form().scratch();
        Self {
            records,
            sharing,
            held_bands: (0, 0),
            held: scratch.clone(),
            floor: scratch.clone(),
            ceiling: scratch,
        }
    }

    /// The same zones under the same keys in wider slots. No zone is held.
    pub(super) fn widened<W: Slot + Default>(self, dimension: Dimension) -> Arena<W> {
        let records = self.records.widened(Narrow::new(dimension));
        let sharing = self.sharing.map(|sharing| sharing.rehashed(&records));
        Arena::with(records, sharing)
    }

    /// Takes up a zone, unless it does not fit.
    ///
    /// Inlined into the loop that widens until it fits, the compiler would prepare, ahead of the loop, the vectors of
    /// a kernel that is not even the one chosen at run time: a tenth of a refused offer.
    #[inline(never)]
    pub(super) fn hold(&mut self, zone: &Dbm) -> Result<(), Unencodable> {
        let Written { bands, slots } = self.records.form().encode(zone, &mut self.held)?;
        self.held_bands = (bands, slots.len());
        Ok(())
    }

    #[inline]
    fn held(&self) -> Written<'_, S> {
        held(self.held_bands, &self.held)
    }

    pub(super) fn save(&mut self) -> u32 {
        let Self { records, sharing, held_bands, held: slots, .. } = self;
        let zone = held(*held_bands, slots);
        match sharing {
            Some(sharing) => sharing.save(records, zone),
            None => records.add(zone),
        }
    }

    pub(super) fn free(&mut self, key: u32) {
        let Self { records, sharing, .. } = self;
        if sharing.as_mut().is_none_or(|sharing| sharing.free(records, key)) {
            records.remove(key);
        }
    }

    pub(super) fn load(&self, key: u32, zone: &mut Dbm) {
        self.records.form().decode(self.records.get(key), zone);
    }

    pub(super) fn is_equal(&self, key: u32) -> bool {
        self.records.get(key) == self.held()
    }

    #[inline]
    pub(super) fn includes(&self, key: u32) -> bool {
        self.records.form().includes(self.records.glance(key), self.held())
    }

    #[inline]
    pub(super) fn is_included(&self, key: u32) -> bool {
        self.records.form().includes(self.held(), self.records.glance(key))
    }

    pub(super) fn hold_floor(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        self.records.form().floor(zone, bounds, &mut self.floor);
    }

    pub(super) fn simulates(&self, key: u32) -> bool {
        let form = self.records.form();
        form.includes(self.records.glance(key), form.whole(&self.floor))
    }

    pub(super) fn hold_ceiling(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        self.records.form().ceiling(zone, bounds, &mut self.ceiling);
    }

    pub(super) fn is_simulated(&self, key: u32) -> bool {
        let form = self.records.form();
        form.is_simulated(self.records.glance(key), self.held(), form.whole(&self.ceiling))
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.records.bytes() + self.sharing.as_ref().map_or(0, Sharing::bytes)
    }
}

#[inline]
fn held<S>((bands, len): (u32, usize), slots: &[S]) -> Written<'_, S> {
    Written { bands, slots: &slots[..len] }
}
