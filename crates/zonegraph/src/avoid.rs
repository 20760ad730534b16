//! Restricts runs to those along which a predicate never holds, during delays too.
//!
//! Liveness asks for runs along which a predicate never holds `[Tripakis2009]`. Where data alone decides that, a state is
//! kept or dropped. Where clocks decide, delays are restricted: the valuations that delays from an entry zone `E` reach
//! without passing through a set `B` are not a zone in general. For one convex `B`, every delay trajectory intersects
//! `B` in at most one interval, and a valuation of the trajectory is after it or before it:
//!
//! ```text
//!            E − B↓  may delay without restriction     (B is over, or is never reached)
//!   E ∩ (B↓ − B)     may delay within (B↓ − B)         (B has not begun)
//! ```
//!
//! Both are finite unions of zones, so that the answer is a list of [`Stay`]s: a part of `E`, and the zone in which
//! delays may end. For several zones to be avoided the lists are combined: on one trajectory, the moments from which a
//! valuation is reached without `B` are those after the last of `B`, so that avoiding each zone avoids their union
//! (compare [`Federation::delays_into_avoiding`], which computes predecessors).

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_dbm::{Dbm, Federation};
use tourbillon_system::{Predicate, RuntimeError, System};

use crate::predicate::PredicateEvaluator;

/// A part of an entry zone, with the zone in which its delays may end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stay {
    /// The part of the entry zone.
    pub entry: Dbm,
    /// The constraints that avoidance adds to the entry zone, alone: `entry` is included in it.
    pub asked: Dbm,
    /// The valuations in which a delay from `entry` may end. The valuations between do not satisfy the predicate.
    pub within: Dbm,
}

/// How delays of an entry zone are restricted.
pub(crate) enum Stays {
    /// No delay leads to the predicate: no restriction.
    Unrestricted,
    /// To these; to none if the predicate holds whatever the clocks.
    Only(Vec<Stay>),
}

/// A predicate to be avoided, with its evaluator.
#[derive(Debug)]
pub(crate) struct Avoider<'s> {
    predicate: Predicate,
    evaluator: PredicateEvaluator<'s>,
}

impl<'s> Avoider<'s> {
    pub(crate) fn new(system: &'s System, predicate: Predicate) -> Self {
        Self { predicate, evaluator: PredicateEvaluator::new(system) }
    }

    pub(crate) const fn predicate(&self) -> &Predicate {
        &self.predicate
    }

    /// The parts of a zone in which the predicate holds; nothing if it holds whatever the clocks.
    pub(crate) fn parts(&mut self, memory: &[i32], zone: &Dbm) -> Result<Option<Vec<Dbm>>, RuntimeError> {
        self.evaluator.parts(&self.predicate, memory, zone)
    }

    /// How delays are restricted after a discrete state is entered. `future` is the zone after the delay, `entry` itself if
    /// no delay is possible.
    pub(crate) fn stays(
        &mut self,
        memory: &[i32],
        entry: &Dbm,
        future: &Dbm,
        may_delay: bool,
    ) -> Result<Stays, RuntimeError> {
        // The predicate is evaluated in the universal zone, so that `asked` has no constraint of the entry zone.
        let all = Dbm::universal(entry.dimension());
        let Some(mut parts) = self.parts(memory, &all)? else { return Ok(Stays::Only(Vec::new())) };
        parts.retain(|part| part.clone().intersect(future));
        if parts.is_empty() {
            return Ok(Stays::Unrestricted);
        }
        let whole = Stay { entry: entry.clone(), asked: all.clone(), within: all };
        let stays = parts.iter().fold(vec![whole], |stays, part| {
            stays.into_iter().flat_map(|stay| avoiding(&stay, part, may_delay)).collect()
        });
        Ok(Stays::Only(stays))
    }
}

/// Restricts a stay further, so that it avoids one more zone.
fn avoiding(stay: &Stay, bad: &Dbm, may_delay: bool) -> Vec<Stay> {
    let mut before = bad.clone();
    if may_delay {
        before.down();
    }
    let mut over = Federation::from(Dbm::universal(bad.dimension()));
    over.subtract_zone(&before);
    let mut ahead = Federation::from(before);
    ahead.subtract_zone(bad);
    let over = over.zones().iter().filter_map(|from| stay.from(from));
    let ahead = ahead.zones().iter().filter_map(|from| stay.from(from)).flat_map(|stay| {
        let within = |to: &Dbm| {
            let mut within = stay.within.clone();
            within.intersect(to).then(|| Stay { within, ..stay.clone() })
        };
        ahead.zones().iter().filter_map(within).collect::<Vec<_>>()
    });
    over.chain(ahead.filter(|_| !mutants::is(Mutant::StayForgotten))).collect()
}

impl Stay {
    /// The stay with its entry restricted to a zone; nothing if that is empty.
    fn from(&self, zone: &Dbm) -> Option<Self> {
        let Self { mut entry, mut asked, within } = self.clone();
        (entry.intersect(zone) && asked.intersect(zone)).then_some(Self { entry, asked, within })
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_model::BinaryOp;

    use super::*;
    use crate::testing::{Network, contains, delayed, delays, in_zone, points};

    /// The stays of an entry zone for the disjunction of some conjunctions, in a network without invariants.
    fn stays(network: &mut Network, bad: &[&str], entry: &Dbm, may_delay: bool) -> Stays {
        let parts: Vec<_> = bad.iter().map(|text| network.formula(text)).collect();
        let any = parts.into_iter().reduce(|left, right| network.binary(BinaryOp::Or, left, right));
        let (system, predicates) = network.compile_with(&[any.expect("a zone to be avoided")]);
        let mut avoider = Avoider::new(&system, predicates[0].clone());
        let mut future = entry.clone();
        if may_delay {
            future.up();
        }
        avoider.stays(&system.initial, entry, &future, may_delay).unwrap()
    }

    fn two_clocks() -> Network {
        let mut network = Network::new(&["x", "y"]);
        network.process(1);
        network
    }

    /// Whether a delay from an entry point reaches a point, in terms of the stays.
    fn reached(stays: &[Stay], entry: &[i64], point: &[i64]) -> bool {
        stays.iter().any(|stay| in_zone(&stay.entry, entry) && in_zone(&stay.within, point))
    }

    /// By definition, a delay from an entry point is possible if no point on the way satisfies the predicate, the
    /// ends included.
    #[test]
    fn delays_never_pass_through_the_predicate() {
        let cases: [&[&str]; 3] =
            [&["x>=2, x<3, y<=3"], &["x-y>1"], &["x>1, x<2", "y>=3, y<=4", "x-y==0, x>=1"]];
        for bad in cases {
            let mut network = two_clocks();
            let entry = network.zone("x<=3, y<=2");
            let Stays::Only(stays) = stays(&mut network, bad, &entry, true) else { panic!("clocks decide") };
            assert!(stays.iter().all(|stay| stay.asked.includes(&stay.entry)));
            let bad: Vec<Dbm> = bad.iter().map(|text| network.zone(text)).collect();
            let entry = [entry];
            for from in points(2, 3).into_iter().filter(|point| contains(&entry, point)) {
                let mut free = true;
                for delay in delays(5) {
                    let point = delayed(&from, delay);
                    free = free && !contains(&bad, &point);
                    assert_eq!(reached(&stays, &from, &point), free, "{bad:?} from {from:?} by {delay}");
                }
            }
        }
    }

    #[test]
    fn without_delay_only_the_entry_counts() {
        let mut network = two_clocks();
        let entry = network.zone("x<=3, y<=2");
        let Stays::Only(stays) = stays(&mut network, &["x>=2, y<1"], &entry, false) else {
            panic!("clocks decide")
        };
        let (entry, bad) = ([entry], [network.zone("x>=2, y<1")]);
        for point in points(2, 4) {
            let expected = contains(&entry, &point) && !contains(&bad, &point);
            assert_eq!(reached(&stays, &point, &point), expected, "{point:?}");
        }
    }

    #[test]
    fn a_predicate_that_no_delay_reaches_restricts_nothing() {
        let mut network = two_clocks();
        let entry = network.zone("x>=3, y<=2");
        assert!(matches!(stays(&mut network, &["x<3"], &entry, true), Stays::Unrestricted));
        let mut network = two_clocks();
        let entry = network.zone("x<=4");
        assert!(matches!(stays(&mut network, &["x>4"], &entry, false), Stays::Unrestricted));
    }

    #[test]
    fn a_predicate_on_data_drops_or_keeps_the_state() {
        let mut network = two_clocks();
        let v = network.cell(1);
        let (holds, fails) = (network.equals(&v, 1), network.equals(&v, 2));
        let (system, predicates) = network.compile_with(&[holds, fails]);
        let zone = network.zone("x<=4");
        let [holds, fails] = [0, 1].map(|index| {
            let mut avoider = Avoider::new(&system, predicates[index].clone());
            avoider.stays(&system.initial, &zone, &zone, true).unwrap()
        });
        assert!(matches!(holds, Stays::Only(stays) if stays.is_empty()));
        assert!(matches!(fails, Stays::Unrestricted));
    }
}
