//! The deadlocked states of a set, for some valuation of a zone.
//!
//! For each action and each class that it leads to, the valuations from which the action is possible, now or after a
//! delay, are a zone, the same for all states with such a transition. The rest of the zone after subtracting these is
//! deadlocked. So a set is partitioned by the transitions of its states, one transition after the other, each part with
//! its remaining valuations; a part without any is dropped. There are as many parts as combinations of transitions, and
//! most of them soon have no valuations left.

use tourbillon_dbm::{Constraint, Dbm, Federation};
use tourbillon_dd::Bdd;

use crate::classes::ClassId;
use crate::interruption::Interruptible;
use crate::search::Search;

/// States with a transition, and the part of the zone from which it is possible now or later.
struct EnabledStates {
    states: Bdd,
    from: Dbm,
}

impl Search<'_> {
    /// The states that are deadlocked somewhere in their zone, where clocks satisfy these constraints; or, if
    /// `deadlocked` is false, those with a transition there.
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

    /// The transitions of states of a class.
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

/// The states for which a part of a zone remains after subtracting all their transitions.
fn without(steps: Vec<EnabledStates>, states: Bdd, zone: &Dbm) -> Interruptible<Bdd> {
    let nothing = states.but(&states)?;
    let mut parts = vec![(states, Federation::from(zone.clone()))];
    for EnabledStates { states, from } in steps {
        let mut next: Vec<(Bdd, Federation)> = Vec::new();
        for (part, rest) in parts {
            if !rest.zones().iter().any(|zone| zone.clone().intersect(&from)) {
                // The transition does not change the rest.
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

/// The states with a transition from some valuation of a zone.
fn with(steps: Vec<EnabledStates>, zone: &Dbm, nothing: &Bdd) -> Interruptible<Bdd> {
    steps.into_iter().try_fold(nothing.clone(), |all, EnabledStates { states, mut from }| {
        Ok(if from.intersect(zone) { all.or(&states)? } else { all })
    })
}
