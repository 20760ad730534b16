//! Zones in slots of one width, one after the other, with the places of freed ones reused.

use tourbillon_dbm::forms::{Narrow, Slot, Unencodable, widened};
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use super::sharing::Sharing;
use crate::slab::Slab;

/// Zones of one dimension as narrow matrices.
#[derive(Debug)]
pub(super) struct Arena<S> {
    form: Narrow<S>,
    slab: Slab<S>,
    /// Keys without a zone.
    free: Vec<u32>,
    /// If equal zones are stored once.
    sharing: Option<Sharing>,
    held: Vec<S>,
    floor: Vec<S>,
    ceiling: Vec<S>,
}

impl<S: Slot + Default> Arena<S> {
    pub(super) fn new(dimension: Dimension, sharing: bool) -> Self {
        let form: Narrow<S> = Narrow::new(dimension);
        let sharing = sharing.then(Sharing::new);
        Self::with(form, Slab::new(form.slots()), Vec::new(), sharing)
    }

    fn with(form: Narrow<S>, slab: Slab<S>, free: Vec<u32>, sharing: Option<Sharing>) -> Self {
        let empty = vec![S::default(); form.slots()];
        Self { form, slab, free, sharing, held: empty.clone(), floor: empty.clone(), ceiling: empty }
    }

    /// The same zones under the same keys in wider slots. No zone is held.
    pub(super) fn widened<W: Slot + Default>(self, dimension: Dimension) -> Arena<W> {
        let form: Narrow<W> = Narrow::new(dimension);
        let slab = self.slab.rewritten(form.slots(), widen);
        let sharing = self.sharing.map(|sharing| sharing.rehashed(&slab));
        Arena::with(form, slab, self.free, sharing)
    }

    /// Takes up a zone, unless it does not fit.
    ///
    /// Inlined into the loop that widens until it fits, the compiler would prepare, ahead of the loop, the vectors of
    /// a kernel that is not even the one chosen at run time: a tenth of a refused offer.
    #[inline(never)]
    pub(super) fn hold(&mut self, zone: &Dbm) -> Result<(), Unencodable> {
        self.form.encode(zone, &mut self.held)
    }

    pub(super) fn save(&mut self) -> u32 {
        let Self { slab, free, sharing, held, .. } = self;
        let mut place = |slab: &mut Slab<S>| match free.pop() {
            Some(key) => {
                slab.get_mut(key).copy_from_slice(held);
                key
            }
            None => slab.push(held),
        };
        match sharing {
            Some(sharing) => sharing.save(slab, held, place),
            None => place(slab),
        }
    }

    pub(super) fn free(&mut self, key: u32) {
        if self.sharing.as_mut().is_none_or(|sharing| sharing.free(&self.slab, key)) {
            self.free.push(key);
        }
    }

    pub(super) fn load(&self, key: u32, zone: &mut Dbm) {
        self.form.decode(self.slab.get(key), zone);
    }

    pub(super) fn is_equal(&self, key: u32) -> bool {
        self.slab.get(key) == self.held
    }

    #[inline]
    pub(super) fn includes(&self, key: u32) -> bool {
        self.form.includes(self.slab.get(key), &self.held)
    }

    #[inline]
    pub(super) fn is_included(&self, key: u32) -> bool {
        self.form.includes(&self.held, self.slab.get(key))
    }

    pub(super) fn hold_floor(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        self.form.floor(zone, bounds, &mut self.floor);
    }

    pub(super) fn simulates(&self, key: u32) -> bool {
        self.form.includes(self.slab.get(key), &self.floor)
    }

    pub(super) fn hold_ceiling(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        self.form.ceiling(zone, bounds, &mut self.ceiling);
    }

    pub(super) fn is_simulated(&self, key: u32) -> bool {
        self.form.is_simulated(self.slab.get(key), &self.held, &self.ceiling)
    }

    pub(super) fn len(&self) -> usize {
        self.slab.len() - self.free.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let free = self.free.capacity() * size_of::<u32>();
        self.slab.bytes() + free + self.sharing.as_ref().map_or(0, Sharing::bytes)
    }
}

/// Slots past the last bound are infinite in both, and the wider form has no more of them.
fn widen<S: Slot, W: Slot>(old: &[S], new: &mut [W]) {
    debug_assert!(new.len() <= old.len());
    for (new, &old) in new.iter_mut().zip(old) {
        *new = widened(old);
    }
}
