//! Zones packed by rows, `bits` or `digits`, compared in their stored form.
//!
//! The other zone is encoded by the same form, and a comparison is one of two byte strings. A zone with a bound that
//! has no code requires a new form, and all stored zones are rewritten by it, under their old keys: a unit of memory is
//! a row, so that keys do not depend on the length of rows. This usually happens among the first few zones, since those
//! already have most of the bounds. If new bounds keep occurring, it would happen hundreds of times: once zones have
//! been rewritten as often as [`REWRITES_MAX`] allows, codes are distances, which take more bits and run out a dozen
//! times at most.
//!
//! Only the simulation tests decode zones.

use tourbillon_base::Id;
use tourbillon_dbm::forms::{Codes, Coding, Packed};
use tourbillon_dbm::{Dbm, Dimension};

use super::byte_arena::ByteArena;
use super::encoded::{EncodedZones, RecordLength, lead};
use super::{ZoneKey, ZoneProbe, ZoneStore, position};

/// The maximum average number of rewrites of a zone, and a number of rewrites that is always allowed.
const REWRITES_MAX: (usize, usize) = (4, 1 << 12);

/// Zones of one dimension.
#[derive(Debug)]
pub(super) struct RowStore<C> {
    form: ByRows<C>,
    zones: EncodedZones,
    /// The numbers of saved zones and of rewritten zones.
    saved: usize,
    rewritten: usize,
}

/// A form, with rows as units of memory.
#[derive(Debug)]
struct ByRows<C> {
    form: Packed<C>,
    /// The number of units before the rows.
    before: usize,
}

impl<C: Coding> RecordLength for ByRows<C> {
    fn bytes(&self, record: &[u8]) -> usize {
        self.form.length(record)
    }

    fn units(&self, record: &[u8], _: usize) -> usize {
        self.before + self.form.rows(record)
    }
}

impl<C: Coding> RowStore<C> {
    /// An empty store; with `sharing`, equal zones are stored once.
    pub(super) fn new(dimension: Dimension, sharing: bool) -> Self {
        let form: Packed<C> = Packed::new(dimension, Codes::new());
        let before = (lead(sharing) + form.head_bytes()).div_ceil(form.row_bytes());
        let arena = ByteArena::new(form.row_bytes(), before + dimension.size());
        Self {
            saved: 0,
            rewritten: 0,
            form: ByRows { form, before },
            zones: EncodedZones::new(arena, sharing),
        }
    }

    #[inline]
    fn get(&self, key: ZoneKey) -> &[u8] {
        self.zones.get(position(key))
    }
}

impl<C: Coding + Send + Sync> ZoneStore for RowStore<C> {
    fn encode(&self, zone: &Dbm, probe: &mut ZoneProbe) -> bool {
        let form = &self.form.form;
        if probe.rows.len() < form.bytes_max() {
            probe.rows.resize(form.bytes_max(), 0);
        }
        let bytes = form.write(zone, &mut probe.rows[..form.bytes_max()]);
        probe.is_encoded = bytes.is_ok();
        probe.rows_len = bytes.unwrap_or(0);
        probe.is_encoded
    }

    /// Adds codes for the bounds of this zone.
    #[cold]
    fn extend(&mut self, zone: &Dbm) {
        let known = &self.form.form;
        self.rewritten += self.zones.len();
        let may_rewrite = self.rewritten <= REWRITES_MAX.0 * self.saved + REWRITES_MAX.1;
        let form = if may_rewrite { known.with(zone) } else { known.with_distances(zone) };
        let form = ByRows { form, before: self.form.before };
        let (old, new) = (&self.form.form, &form.form);
        let nothing = EncodedZones::new(ByteArena::new(1, 1), false);
        let zones = std::mem::replace(&mut self.zones, nothing);
        let mut row = Vec::new();
        let rewrite = |from: &[u8], to: &mut [u8]| new.rewrite(old, from, to, &mut row);
        self.zones = zones.rewritten(new.row_bytes(), &self.form, &form, rewrite);
        self.form = form;
    }

    fn find(&self, probe: &ZoneProbe) -> Option<ZoneKey> {
        let key = self.zones.find(&probe.rows[..probe.rows_len])?;
        Some(ZoneKey::from_index(key as usize))
    }

    fn retain(&mut self, key: ZoneKey) {
        self.zones.retain(position(key));
    }

    fn save(&mut self, _: &Dbm, probe: &ZoneProbe) -> ZoneKey {
        self.saved += 1;
        let key = self.zones.save(&probe.rows[..probe.rows_len], &self.form);
        ZoneKey::from_index(key as usize)
    }

    fn load(&self, key: ZoneKey, zone: &mut Dbm) {
        self.form.form.read(self.get(key), zone);
    }

    fn free(&mut self, key: ZoneKey) {
        self.zones.free(position(key), &self.form);
    }

    fn is_equal(&self, key: ZoneKey, _: &Dbm, probe: &mut ZoneProbe) -> bool {
        self.get(key).starts_with(&probe.rows[..probe.rows_len])
    }

    fn includes(&self, key: ZoneKey, _: &Dbm, probe: &mut ZoneProbe) -> bool {
        self.form.form.includes_packed(self.get(key), &probe.rows)
    }

    fn is_included(&self, key: ZoneKey, _: &Dbm, probe: &mut ZoneProbe) -> bool {
        self.form.form.includes_packed(&probe.rows, self.get(key))
    }

    fn len(&self) -> usize {
        self.zones.len()
    }

    fn bytes(&self) -> usize {
        self.zones.bytes()
    }
}
