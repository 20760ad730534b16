//! The effect of updates on clocks: for each clock, the origin of its new value.
//!
//! An effect maps each clock to its possible *origins*: a constant, or a clock (perhaps itself) plus a shift, each with
//! the interval in which the constant or shift lies. A clock that is certainly reset has no clock among its origins;
//! one that is only perhaps reset has itself among them. Bounds and diagonals need nothing else of updates. Effects are
//! closed under sequence ([`Effect::then`]), choice ([`Effect::or`]) and repetition ([`Effect::repeated`]), so a whole
//! function with loops has one effect.
//!
//! An assignment `x := y - 3` is possible only if `y >= 3`, since no clock is negative. So an effect also has the
//! largest number that an assignment in it compares each clock with. Later assignments compare the results of earlier
//! ones: composition follows the origins back, as for values, and a loop that compares with ever larger numbers has no
//! largest one.
//!
//! Invariant: whatever the updates can do in one execution is a choice of one origin for each clock and one
//! number of its interval. Which choices of different clocks go together is forgotten, which only adds
//! possibilities.

use std::collections::BTreeMap;

use tourbillon_model::{ClockId, Range};

/// Counts as infinite: far more than constants can add up to, and far from the range of 64 bits.
pub(super) const UNBOUNDED: i64 = 1 << 40;

/// The origin of the value of a clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Origin {
    /// A number.
    Constant,
    /// The previous value of a clock, plus a number.
    Clock(ClockId),
}

/// The interval of that number, clamped at [`UNBOUNDED`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shift {
    pub(super) min: i64,
    pub(super) max: i64,
}

impl Shift {
    const NONE: Self = Self { min: 0, max: 0 };

    fn plus(self, other: Self) -> Self {
        Self { min: cut(self.min + other.min), max: cut(self.max + other.max) }
    }

    fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

impl From<Range> for Shift {
    fn from(range: Range) -> Self {
        Self { min: range.min.into(), max: range.max.into() }
    }
}

fn cut(value: i64) -> i64 {
    value.clamp(-UNBOUNDED, UNBOUNDED)
}

type ClockOrigins = BTreeMap<Origin, Shift>;

/// The effect of updates on clocks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Effect {
    /// The origins of each clock that may change.
    changed: BTreeMap<ClockId, ClockOrigins>,
    /// The largest number that each clock, before the updates, is compared with so that none becomes negative.
    compared: BTreeMap<ClockId, i64>,
}

impl Effect {
    pub(super) fn nothing() -> Self {
        Self::default()
    }

    /// One of the targets is set to one of the sources plus a shift, or to the shift if there is no source.
    pub(super) fn set(targets: &[ClockId], sources: Option<&[ClockId]>, shift: Shift) -> Self {
        let origins: ClockOrigins = match sources {
            None => ClockOrigins::from([(Origin::Constant, shift)]),
            Some(clocks) => clocks.iter().map(|&clock| (Origin::Clock(clock), shift)).collect(),
        };
        let least = (-shift.min).min(UNBOUNDED);
        let sources = sources.unwrap_or_default().iter().filter(|_| least > 0);
        let certain = Self {
            changed: targets.iter().map(|&clock| (clock, origins.clone())).collect(),
            compared: sources.map(|&clock| (clock, least)).collect(),
        };
        if targets.len() == 1 { certain } else { certain.perhaps() }
    }

    /// The clocks that may change.
    pub(super) fn changed(&self) -> impl Iterator<Item = ClockId> {
        self.changed.keys().copied()
    }

    /// Whether a clock may change.
    pub(super) fn changes(&self, clock: ClockId) -> bool {
        self.changed.contains_key(&clock)
    }

    /// The clocks that are compared so that none becomes negative, each with the largest number.
    pub(super) fn compared(&self) -> impl Iterator<Item = (ClockId, i64)> {
        self.compared.iter().map(|(&clock, &number)| (clock, number))
    }

    /// The origins of the value of a clock.
    pub(super) fn origins(&self, clock: ClockId) -> impl Iterator<Item = (Origin, Shift)> + Clone {
        let known = self.changed.get(&clock);
        let unchanged = known.is_none().then_some((Origin::Clock(clock), Shift::NONE));
        known.into_iter().flatten().map(|(&origin, &shift)| (origin, shift)).chain(unchanged)
    }

    /// Sequence: this, then the other.
    pub(super) fn then(&self, later: &Self) -> Self {
        let clocks = self.changed().chain(later.changed());
        let origins = |clock| {
            let mut origins = ClockOrigins::new();
            for (origin, shift) in later.origins(clock) {
                match origin {
                    Origin::Constant => add(&mut origins, origin, shift),
                    Origin::Clock(clock) => self
                        .origins(clock)
                        .for_each(|(origin, before)| add(&mut origins, origin, before.plus(shift))),
                }
            }
            (clock, origins)
        };
        let mut compared = self.compared.clone();
        for (clock, number) in later.compared() {
            for (origin, shift) in self.origins(clock) {
                if let Origin::Clock(clock) = origin {
                    let before = if number >= UNBOUNDED { UNBOUNDED } else { cut(number - shift.min) };
                    raise(&mut compared, clock, before);
                }
            }
        }
        Self { changed: clocks.map(origins).collect(), compared }.without_idle()
    }

    /// Choice: this or the other.
    pub(super) fn or(&self, other: &Self) -> Self {
        let clocks = self.changed().chain(other.changed());
        let origins = |clock| {
            let mut origins = ClockOrigins::new();
            let both = self.origins(clock).chain(other.origins(clock));
            both.for_each(|(origin, shift)| add(&mut origins, origin, shift));
            (clock, origins)
        };
        let mut compared = self.compared.clone();
        other.compared().for_each(|(clock, number)| raise(&mut compared, clock, number));
        Self { changed: clocks.map(origins).collect(), compared }.without_idle()
    }

    pub(super) fn perhaps(&self) -> Self {
        self.or(&Self::nothing())
    }

    /// Repetition, any number of times, including none.
    ///
    /// Each iteration lengthens the paths through the clocks by one. The least shift along a path that visits no clock
    /// twice is found after as many iterations as there are clocks, so an end of an interval that still changes then is
    /// unbounded.
    pub(super) fn repeated(&self) -> Self {
        let mut all = self.perhaps();
        let rounds = self.changed.len() + 1;
        for round in 0.. {
            let more = all.then(self).or(&all);
            if more == all {
                break;
            }
            all = if round < rounds { more } else { more.widened(&all) };
        }
        all
    }

    /// Makes all ends of intervals and all numbers unbounded that have changed.
    fn widened(mut self, before: &Self) -> Self {
        for (clock, number) in &mut self.compared {
            if before.compared.get(clock) != Some(number) {
                *number = UNBOUNDED;
            }
        }
        for (&clock, origins) in &mut self.changed {
            for (&origin, shift) in origins {
                let old = before.origins(clock).find(|&(known, _)| known == origin);
                if old.is_none_or(|(_, old)| shift.min < old.min) {
                    shift.min = -UNBOUNDED;
                }
                if old.is_none_or(|(_, old)| shift.max > old.max) {
                    shift.max = UNBOUNDED;
                }
            }
        }
        self
    }

    /// Removes clocks that certainly do not change, so that equal effects compare equal.
    fn without_idle(mut self) -> Self {
        let idle = |clock| ClockOrigins::from([(Origin::Clock(clock), Shift::NONE)]);
        self.changed.retain(|&clock, origins| *origins != idle(clock));
        self
    }
}

fn raise(compared: &mut BTreeMap<ClockId, i64>, clock: ClockId, number: i64) {
    if number > 0 {
        compared.entry(clock).and_modify(|known| *known = (*known).max(number)).or_insert(number);
    }
}

fn add(origins: &mut ClockOrigins, origin: Origin, shift: Shift) {
    origins.entry(origin).and_modify(|known| *known = known.hull(shift)).or_insert(shift);
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Id;

    use super::*;

    fn clock(index: usize) -> ClockId {
        ClockId::from_index(index)
    }

    fn copy(target: usize, source: usize, shift: i64) -> Effect {
        Effect::set(&[clock(target)], Some(&[clock(source)]), Shift { min: shift, max: shift })
    }

    fn reset(target: usize) -> Effect {
        Effect::set(&[clock(target)], None, Shift::NONE)
    }

    fn shifts(effect: &Effect, of: usize) -> Vec<(Option<usize>, i64, i64)> {
        let index = |origin| match origin {
            Origin::Constant => None,
            Origin::Clock(clock) => Some(clock.index()),
        };
        effect.origins(clock(of)).map(|(origin, s)| (index(origin), s.min, s.max)).collect()
    }

    #[test]
    fn one_after_the_other_follows_values_back() {
        let effect = copy(0, 1, 3).then(&copy(2, 0, 4)).then(&reset(0));
        assert_eq!(shifts(&effect, 0), [(None, 0, 0)]);
        assert_eq!(shifts(&effect, 1), [(Some(1), 0, 0)]);
        assert_eq!(shifts(&effect, 2), [(Some(1), 7, 7)]);
        let swapped_back = copy(2, 0, 0).then(&copy(0, 1, 0)).then(&copy(0, 2, 0)).then(&reset(2));
        assert_eq!(swapped_back, reset(2));
    }

    #[test]
    fn what_is_perhaps_done_keeps_the_clock_among_its_origins() {
        assert_eq!(shifts(&reset(0).perhaps(), 0), [(None, 0, 0), (Some(0), 0, 0)]);
        let one_of_two = Effect::set(&[clock(0), clock(1)], None, Shift::NONE);
        assert_eq!(one_of_two, reset(0).perhaps().then(&reset(1).perhaps()));
    }

    fn compared(effect: &Effect) -> Vec<(usize, i64)> {
        effect.compared().map(|(clock, number)| (clock.index(), number)).collect()
    }

    #[test]
    fn what_keeps_clocks_from_getting_negative_is_followed_back() {
        assert_eq!(compared(&copy(0, 1, -3)), [(1, 3)]);
        assert_eq!(compared(&copy(0, 1, 3)), []);
        assert_eq!(compared(&copy(1, 2, 1).then(&copy(0, 1, -3))), [(2, 2)]);
        assert_eq!(compared(&copy(1, 2, 4).then(&copy(0, 1, -3))), []);
        assert_eq!(compared(&reset(1).then(&copy(0, 1, -3))), []);
        assert_eq!(compared(&reset(1).perhaps().then(&copy(0, 1, -3))), [(1, 3)]);
        assert_eq!(compared(&copy(0, 0, -1).then(&copy(0, 0, -1))), [(0, 2)]);
        assert_eq!(compared(&copy(0, 1, -3).or(&copy(0, 1, -2))), [(1, 3)]);
        assert_eq!(compared(&copy(0, 0, -2).repeated()), [(0, UNBOUNDED)]);
        assert_eq!(compared(&copy(0, 1, -2).repeated()), [(1, 2)]);
    }

    #[test]
    fn repetition_finds_paths_and_endless_shifts() {
        let chain = copy(0, 1, 1).then(&copy(1, 2, 1)).repeated();
        assert_eq!(shifts(&chain, 0), [(Some(0), 0, 0), (Some(1), 1, 1), (Some(2), 2, 2)]);
        assert_eq!(shifts(&copy(0, 0, -2).repeated(), 0), [(Some(0), -UNBOUNDED, 0)]);
        let ring = copy(0, 1, 5).or(&copy(1, 0, -4)).repeated();
        assert_eq!(shifts(&ring, 0), [(Some(0), 0, UNBOUNDED), (Some(1), 5, UNBOUNDED)]);
        assert_eq!(reset(0).repeated(), reset(0).perhaps());
    }
}
