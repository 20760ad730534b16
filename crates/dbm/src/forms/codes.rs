//! Codes of bounds: small numbers that packed forms store instead of bounds.
//!
//! Codes are in the order of the bounds that they stand for, and the largest is infinity, so that codes compare
//! as bounds do. There are two ways to give them out:
//!
//! - **Ranks**, while there are few bounds. The zones of a model have few *different* ones: two of them in Fischer's
//!   protocol with nine processes, four in CSMA/CD with ten stations, whatever their constants; a hundred already is a
//!   lot. A bound is coded by its rank among those that have occurred. Packing by the range of each bound, as
//!   `[Bengtsson2001, section 3]` has it, takes six and twelve bits there, ranks take two.
//! - **Distances** from the lowest bound, once there are more than [`RANKS_MAX`] different ones, or whoever stores zones
//!   finds that new ones come too often.
//!
//! A bound that has no code yet makes a zone [`Unencodable`](super::Unencodable). What was written before must be
//! written again when there are new codes. That happens as often as there are different bounds, mostly among the
//! first few zones; with distances it is the range that doubles, so there it is a dozen times.

use crate::bound::{Bound, Constant, INFINITY, RAW_LIMIT, ZERO};
use crate::dbm::Dbm;

/// How many different bounds have ranks at most.
const RANKS_MAX: usize = 254;
/// How far apart the lowest and the highest bound are at most for ranks to be looked up by position: a table of 16 KiB.
const TABLE_MAX: usize = 1 << 13;
/// How many bounds are compared with one after the other rather than looked up.
const FEW: usize = 16;
/// Set in what is looked up for a bound without a code.
pub(super) const NO_CODE: u32 = 1 << 31;

/// Which codes stand for which bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Codes {
    /// The lowest and the highest finite bound with a code.
    low: i32,
    high: i32,
    given: KnownBound,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum KnownBound {
    /// To every bound from the lowest to the highest.
    Distances,
    /// To these, in order, of which the last is infinity.
    Ranks { bounds: Vec<i32>, table: Option<Vec<i16>> },
}

/// How the code of a bound that is not outside is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) enum CodeLookup<'a> {
    /// By its distance from the lowest; the last is infinity.
    Table {
        low: i32,
        codes: &'a [i16],
    },
    Search {
        bounds: &'a [i32],
    },
    /// It is the distance from the lowest.
    Distance {
        low: i32,
        infinite: u32,
    },
}

impl Default for Codes {
    fn default() -> Self {
        Self::of_bounds(vec![ZERO])
    }
}

impl Codes {
    /// Codes for `(≤,0)` and infinity, which occur in every zone.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Codes for all bounds with constants from `-largest` to `largest`.
    ///
    /// # Panics
    /// If `largest` is negative.
    #[must_use]
    pub fn uniform(largest: Constant) -> Self {
        assert!(largest >= Constant::ZERO, "the largest constant is negative");
        let (low, high) = (Bound::strict(largest.negated()).raw(), Bound::weak(largest).raw());
        Self { low, high, given: KnownBound::Distances }
    }

    /// Codes for the bounds of some zones.
    #[must_use]
    pub fn of<'a>(zones: impl IntoIterator<Item = &'a Dbm>) -> Self {
        zones.into_iter().fold(Self::new(), |codes, zone| codes.with(zone))
    }

    /// Codes for the same bounds and for those of a zone.
    #[must_use]
    pub fn with(&self, zone: &Dbm) -> Self {
        let finite = zone.raw().iter().copied().filter(|&raw| raw != INFINITY);
        match &self.given {
            KnownBound::Distances => finite.fold(self.clone(), Self::reaching),
            KnownBound::Ranks { bounds, .. } => {
                let mut all = Vec::with_capacity(bounds.len() + zone.raw().len());
                all.extend(bounds.iter().copied().filter(|&raw| raw != INFINITY).chain(finite));
                Self::of_bounds(all)
            }
        }
    }

    fn of_bounds(mut bounds: Vec<i32>) -> Self {
        bounds.sort_unstable();
        bounds.dedup();
        let (low, high) = (bounds.first().copied().unwrap_or(ZERO), bounds.last().copied().unwrap_or(ZERO));
        if bounds.len() > RANKS_MAX {
            return Self::distances(low, high);
        }
        let table = ((high - low) as usize <= TABLE_MAX).then(|| table(&bounds));
        bounds.push(INFINITY);
        Self { low, high, given: KnownBound::Ranks { bounds, table } }
    }

    /// Distances instead of ranks: longer codes, of which new ones are seldom needed.
    #[must_use]
    pub fn by_distance(&self) -> Self {
        match self.given {
            KnownBound::Distances => self.clone(),
            KnownBound::Ranks { .. } => Self::distances(self.low, self.high),
        }
    }

    fn distances(low: i32, high: i32) -> Self {
        let none = Self { low: ZERO, high: ZERO, given: KnownBound::Distances };
        none.reaching(low).reaching(high)
    }

    /// Distances up to this bound as well, and twice as far as need be.
    fn reaching(self, raw: i32) -> Self {
        let far = || 2 * raw.unsigned_abs().next_power_of_two().min(RAW_LIMIT as u32 / 2) as i32;
        let low = if raw < self.low { -far() } else { self.low };
        let high = if raw > self.high { far() } else { self.high };
        Self { low, high, ..self }
    }

    /// How many codes there are: one more than the largest, which is infinity.
    #[must_use]
    pub fn count(&self) -> u32 {
        match &self.given {
            KnownBound::Distances => (self.high - self.low) as u32 + 2,
            KnownBound::Ranks { bounds, .. } => bounds.len() as u32,
        }
    }

    /// The largest absolute value of a finite bound with a code.
    pub(super) fn reach(&self) -> i32 {
        self.low.abs().max(self.high.abs()).min(RAW_LIMIT)
    }

    /// The lowest and the highest finite bound with a code.
    pub(super) fn limits(&self) -> (i32, i32) {
        (self.low, self.high)
    }

    /// All bounds with a code, infinity among them, in order, if they are few.
    pub(super) fn few(&self) -> Option<&[i32]> {
        match &self.given {
            KnownBound::Ranks { bounds, .. } if bounds.len() <= FEW => Some(bounds),
            _ => None,
        }
    }

    pub(super) fn lookup(&self) -> CodeLookup<'_> {
        match &self.given {
            KnownBound::Distances => CodeLookup::Distance { low: self.low, infinite: self.count() - 1 },
            KnownBound::Ranks { table: Some(codes), .. } => CodeLookup::Table { low: self.low, codes },
            KnownBound::Ranks { bounds, table: None } => CodeLookup::Search { bounds },
        }
    }

    /// The code of a bound that has one.
    pub(super) fn code(&self, raw: i32) -> Option<u32> {
        match &self.given {
            KnownBound::Distances if raw == INFINITY => Some(self.count() - 1),
            KnownBound::Distances => (self.low..=self.high).contains(&raw).then(|| (raw - self.low) as u32),
            KnownBound::Ranks { bounds, .. } => bounds.binary_search(&raw).ok().map(|rank| rank as u32),
        }
    }

    /// The bound that a code stands for.
    #[inline]
    pub(super) fn bound(&self, code: u32) -> i32 {
        match &self.given {
            KnownBound::Distances if code == self.count() - 1 => INFINITY,
            KnownBound::Distances => self.low + code as i32,
            KnownBound::Ranks { bounds, .. } => bounds[code as usize],
        }
    }
}

/// The rank of each bound by its distance from the lowest, negative where it has none, and after the highest that of
/// infinity.
fn table(bounds: &[i32]) -> Vec<i16> {
    let (low, high) = (bounds[0], bounds[bounds.len() - 1]);
    let mut table = vec![-1; (high - low) as usize + 2];
    for (rank, &bound) in (0..).zip(bounds) {
        table[(bound - low) as usize] = rank;
    }
    table[(high - low) as usize + 1] = bounds.len() as i16;
    table
}

/// Calls `$body` with `$code` a function from raw bounds to codes: those within the limits and infinity. What has none
/// gives a number with [`NO_CODE`] set.
macro_rules! by_lookup {
    ($lookup:expr, |$code:ident| $body:expr) => {
        match $lookup {
            CodeLookup::Table { low, codes } => {
                let last = codes.len() as u32 - 1;
                let $code =
                    |raw: i32| i32::from(codes[(raw.wrapping_sub(low) as u32).min(last) as usize]) as u32;
                $body
            }
            CodeLookup::Search { bounds } => {
                let $code = |raw: i32| match bounds.binary_search(&raw) {
                    Ok(rank) => rank as u32,
                    Err(_) => NO_CODE,
                };
                $body
            }
            CodeLookup::Distance { low, infinite } => {
                let $code = |raw: i32| (raw.wrapping_sub(low) as u32).min(infinite);
                $body
            }
        }
    };
}
pub(super) use by_lookup;

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_up(codes: &Codes, raw: i32) -> u32 {
        by_lookup!(codes.lookup(), |code| code(raw))
    }

    /// Codes go up with bounds, infinity is the last, and every way to look them up says the same.
    #[test]
    fn codes_are_in_the_order_of_bounds() {
        let near: Vec<i32> = vec![-40, -3, ZERO, 7, 90];
        let far: Vec<i32> = vec![-4_000_000, ZERO, 3_000_001];
        let many: Vec<i32> = (-300..300).collect();
        for bounds in [near, far, many, vec![ZERO]] {
            let codes = Codes::of_bounds(bounds.clone());
            let mut before = None;
            for raw in bounds.iter().copied().chain([INFINITY]) {
                let code = codes.code(raw).expect("it was given one");
                assert_eq!((codes.bound(code), looked_up(&codes, raw)), (raw, code));
                assert!(before.is_none_or(|before| before < code));
                before = Some(code);
            }
            assert_eq!(before, Some(codes.count() - 1));
        }
    }

    #[test]
    fn a_bound_between_ranks_has_no_code() {
        for codes in [Codes::of_bounds(vec![ZERO, 9]), Codes::of_bounds(vec![ZERO, 9_000_000])] {
            assert_eq!(codes.code(5), None);
            assert!(looked_up(&codes, 5) & NO_CODE != 0);
        }
    }

    #[test]
    fn distances_double() {
        let codes = Codes::of_bounds((-1..300).collect());
        assert_eq!((codes.low, codes.high), (-2, 1024));
        let wider = codes.reaching(-5).reaching(RAW_LIMIT - 1);
        assert_eq!((wider.low, wider.high), (-16, RAW_LIMIT));
    }
}
