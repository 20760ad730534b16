//! Keeps runs away from a predicate, also during delays.
//!
//! Liveness asks for runs along which something never happens. Where data alone decides that, a state is passed on or
//! dropped. Where clocks have a say, time may only pass as long as it does not happen: from a zone `E` that is
//! entered, what can be reached by waiting without meeting a set `B` is no zone in general. For one convex `B` every
//! line of time has at most one stretch in it, and a point of the line is either past it, or before it:
//!
//! ```text
//!            E − B↓  may wait as long as it likes           (B is over, or never comes)
//!   E ∩ (B↓ − B)     may wait as long as it is in (B↓ − B)  (B has not begun)
//! ```
//!
//! Both are finite unions of zones, so that the answer is a list of [`Stay`]s: a part of `E`, and the zone that one may
//! wait in. For several zones to be avoided the lists are combined: on one line, the moments from which a point is
//! reached without meeting `B` are those after the last of `B`, so what avoids each avoids all
//! (compare [`Federation::delays_into_avoiding`], which goes back in time).

use tourbillon_dbm::{Dbm, Federation};
use tourbillon_system::{Predicate, RuntimeError, System};

use crate::predicate::PredicateEvaluator;

/// A way to wait in a discrete state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stay {
    /// Where it is entered.
    pub entry: Dbm,
    /// What is asked of that for the sake of what is avoided, and nothing else.
    pub asked: Dbm,
    /// Where one may be after some delay. Whatever lies between a point of the entry and one of these is right too.
    pub within: Dbm,
}

/// The ways to wait.
pub(crate) enum Stays {
    /// It never happens: no other way than usual.
    Usual,
    /// These.
    Only(Vec<Stay>),
}

/// Avoids a predicate.
#[derive(Debug)]
pub(crate) struct Avoider<'s> {
    predicate: Predicate,
    evaluator: PredicateEvaluator<'s>,
}

impl<'s> Avoider<'s> {
    pub(crate) fn new(system: &'s System, predicate: Predicate) -> Self {
        Self { predicate, evaluator: PredicateEvaluator::new(system) }
    }

    /// The parts of a zone in which it happens; nothing if it is the whole.
    pub(crate) fn parts(&mut self, memory: &[i32], zone: &Dbm) -> Result<Option<Vec<Dbm>>, RuntimeError> {
        self.evaluator.parts(&self.predicate, memory, zone)
    }

    /// The ways to wait after entering a discrete state; `future` is where waiting leads to, `entry` itself if time
    /// cannot pass.
    pub(crate) fn stays(
        &mut self,
        memory: &[i32],
        entry: &Dbm,
        future: &Dbm,
        may_wait: bool,
    ) -> Result<Stays, RuntimeError> {
        // What is avoided is looked for in all there is, so that nothing of this zone gets into what is asked.
        let all = Dbm::universal(entry.dimension());
        let Some(mut parts) = self.parts(memory, &all)? else { return Ok(Stays::Only(Vec::new())) };
        parts.retain(|part| part.clone().intersect(future));
        if parts.is_empty() {
            return Ok(Stays::Usual);
        }
        let whole = Stay { entry: entry.clone(), asked: all.clone(), within: all };
        let stays = parts.iter().fold(vec![whole], |stays, part| {
            stays.into_iter().flat_map(|stay| avoiding(&stay, part, may_wait)).collect()
        });
        Ok(Stays::Only(stays))
    }
}

/// The ways to wait that avoid one zone more.
fn avoiding(stay: &Stay, bad: &Dbm, may_wait: bool) -> Vec<Stay> {
    let mut before = bad.clone();
    if may_wait {
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
    over.chain(ahead).collect()
}

impl Stay {
    /// The same, entered within a zone; nothing if it cannot be.
    fn from(&self, zone: &Dbm) -> Option<Self> {
        let Self { mut entry, mut asked, within } = self.clone();
        (entry.intersect(zone) && asked.intersect(zone)).then_some(Self { entry, asked, within })
    }
}
