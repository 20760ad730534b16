//! Zones as narrow matrices, all in the narrowest slots that fit the largest bound so far.
//!
//! The store begins with one byte a bound. When it is to hold a zone that does not fit, it rewrites all zones in
//! slots twice as wide, at most twice in its life and mostly among the first few zones, since those already have
//! the model's constants. One width for all, instead of one for each zone, makes a comparison of the same rows
//! one flat loop and a key just a position.

use tourbillon_base::Id;
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use super::arena::Arena;
use super::{ZoneKey, Zones, position};

/// Zones of one dimension, shared where equal or not.
#[derive(Debug)]
pub(crate) struct Matrices {
    dimension: Dimension,
    width: Width,
}

#[derive(Debug)]
enum Width {
    One(Arena<i8>),
    Two(Arena<i16>),
    Four(Arena<i32>),
}

/// Evaluates `$body` with `$arena` the arena of the present width.
macro_rules! at_width {
    ($width:expr, $arena:ident => $body:expr) => {
        match $width {
            Width::One($arena) => $body,
            Width::Two($arena) => $body,
            Width::Four($arena) => $body,
        }
    };
}

impl Matrices {
    /// No zones of this dimension; with `sharing`, equal ones will be stored once.
    pub(crate) fn new(dimension: Dimension, sharing: bool) -> Self {
        Self { dimension, width: Width::One(Arena::new(dimension, sharing)) }
    }

    #[cold]
    fn widen(&mut self) {
        let nothing = Width::One(Arena::new(self.dimension, false));
        self.width = match std::mem::replace(&mut self.width, nothing) {
            Width::One(arena) => Width::Two(arena.widened(self.dimension)),
            Width::Two(arena) => Width::Four(arena.widened(self.dimension)),
            Width::Four(_) => unreachable!("every zone fits in the widest slots"),
        };
    }
}

impl Zones for Matrices {
    fn hold(&mut self, zone: &Dbm) {
        while at_width!(&mut self.width, arena => arena.hold(zone)).is_err() {
            self.widen();
        }
    }

    fn save(&mut self) -> ZoneKey {
        ZoneKey::from_index(at_width!(&mut self.width, arena => arena.save()) as usize)
    }

    fn load(&self, key: ZoneKey, zone: &mut Dbm) {
        at_width!(&self.width, arena => arena.load(position(key), zone));
    }

    fn free(&mut self, key: ZoneKey) {
        at_width!(&mut self.width, arena => arena.free(position(key)));
    }

    fn is_equal(&mut self, key: ZoneKey) -> bool {
        at_width!(&self.width, arena => arena.is_equal(position(key)))
    }

    #[inline]
    fn includes(&mut self, key: ZoneKey) -> bool {
        at_width!(&self.width, arena => arena.includes(position(key)))
    }

    #[inline]
    fn is_included(&mut self, key: ZoneKey) -> bool {
        at_width!(&self.width, arena => arena.is_included(position(key)))
    }

    fn hold_floor(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        at_width!(&mut self.width, arena => arena.hold_floor(zone, bounds));
    }

    fn simulates(&mut self, key: ZoneKey) -> bool {
        at_width!(&self.width, arena => arena.simulates(position(key)))
    }

    fn hold_ceiling(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        at_width!(&mut self.width, arena => arena.hold_ceiling(zone, bounds));
    }

    fn is_simulated(&mut self, key: ZoneKey) -> bool {
        at_width!(&self.width, arena => arena.is_simulated(position(key)))
    }

    fn len(&self) -> usize {
        at_width!(&self.width, arena => arena.len())
    }

    fn bytes(&self) -> usize {
        at_width!(&self.width, arena => arena.bytes())
    }
}
