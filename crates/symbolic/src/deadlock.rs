//! The deadlocked states of a set, for some valuation of a zone.
//!
//! Where a step can be taken, now or after a delay, is a zone for each action and each class that it leads to, and it is
//! the same for all states that have such a step. What remains of a zone when these are taken away is deadlocked. So a set
//! is divided by which steps its states have, one step after the other, and with each part goes what remains for it; a
//! part for which nothing remains is dropped. There are as many parts as different combinations of steps, and most of
//! them soon have nothing left.

use tourbillon_dbm::{Constraint, Dbm, Federation};
use tourbillon_dd::Bdd;

use crate::classes::ClassId;
use crate::interruption::Interruptible;
use crate::search::Search;

/// States that have a step, and from which part of the zone it can be waited for.
struct EnabledStates {
    states: Bdd,
    from: Dbm,
}

impl Search<'_> {
    /// The states that are deadlocked somewhere in their zone, where clocks satisfy these constraints; or, if that is not
    /// what is asked, those that have a step there.
    pub(crate) fn stuck(
        &mut self,
        id: u32,
        states: &Bdd,
        constraints: &[Constraint],
        stuck: bool,
    ) -> Interruptible<Bdd> {
        let mut zone = self.map.entry(id).zone.clone();
        let inhabited = constraints.iter().all(|&constraint| zone.constrain(constraint));
        debug_assert!(inhabited, "the caller has looked");
        let mut parts = Vec::new();
        self.encoding.classes.divide(states, &mut |_, class, states| {
            parts.push((class, states));
            Ok(())
        })?;
        let mut found = self.setting.bdds.no();
        for (class, states) in parts {
            let steps = self.possible(id, class, &states)?;
            let more = if stuck {
                without(steps, states, &zone)?
            } else {
                with(steps, &zone, &self.setting.bdds.no())?
            };
            found = found.or(&more)?;
        }
        Ok(found)
    }

    /// The steps of states of a class.
    fn possible(&mut self, id: u32, class: ClassId, states: &Bdd) -> Interruptible<Vec<EnabledStates>> {
        let may_wait = self.encoding.classes.get(class).may_wait();
        let mut steps = Vec::new();
        for action in 0..self.encoding.actions.len() {
            let Some((zone, image)) = self.post(id, action, states)? else { continue };
            let mut targets = Vec::new();
            self.encoding.classes.divide(&image, &mut |_, class, part| {
                targets.push((class, part));
                Ok(())
            })?;
            for (target, part) in targets {
                let action = &self.encoding.actions[action];
                let entered = self.encoding.classes.get(target).entered_from(&zone, &action.clocks.writes);
                let Some(mut from) = entered else { continue };
                if may_wait {
                    from.down();
                }
                let states = action.preimage(self.setting.bdds, &part)?.and(states)?;
                steps.push(EnabledStates { states, from });
            }
        }
        Ok(steps)
    }
}

/// The states for which something of a zone remains when all their steps are taken away.
fn without(steps: Vec<EnabledStates>, states: Bdd, zone: &Dbm) -> Interruptible<Bdd> {
    let nothing = states.but(&states)?;
    let mut parts = vec![(states, Federation::from(zone.clone()))];
    for EnabledStates { states, from } in steps {
        let mut next: Vec<(Bdd, Federation)> = Vec::new();
        for (part, rest) in parts {
            if !rest.zones().iter().any(|zone| zone.clone().intersect(&from)) {
                // The step makes no difference to what remains.
                next.push((part, rest));
                continue;
            }
            let elsewhere = part.but(&states)?;
            let here = part.and(&states)?;
            if !here.is_no() {
                let mut less = rest.clone();
                less.subtract_zone(&from);
                if !less.is_empty() {
                    next.push((here, less));
                }
            }
            if !elsewhere.is_no() {
                next.push((elsewhere, rest));
            }
        }
        parts = next;
    }
    parts.into_iter().try_fold(nothing, |all, (part, _)| Ok(all.or(&part)?))
}

/// The states that have a step from somewhere in a zone.
fn with(steps: Vec<EnabledStates>, zone: &Dbm, nothing: &Bdd) -> Interruptible<Bdd> {
    steps.into_iter().try_fold(nothing.clone(), |all, EnabledStates { states, mut from }| {
        Ok(if from.intersect(zone) { all.or(&states)? } else { all })
    })
}
