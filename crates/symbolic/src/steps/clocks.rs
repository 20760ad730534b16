//! The clock guards and resets of a transition, case by case.

use std::collections::BTreeMap;

use tourbillon_base::Id;
use tourbillon_dbm::{Clock, Constant, Constraint};
use tourbillon_dd::Bdd;
use tourbillon_zonegraph::Write;

use super::FLOWS_MAX;
use crate::interpret::{CASES_MAX, ClockEvent, EncodingContext};
use crate::interruption::{Interruptible, refuse};

/// The sequences of clock writes of some events, each with its states.
pub(super) fn written(
    setting: EncodingContext<'_>,
    states: Bdd,
    writes: Vec<Write>,
    events: &[ClockEvent],
) -> Interruptible<Vec<(Bdd, Vec<Write>)>> {
    let words = crate::words::Arithmetic { bdds: setting.bdds };
    let none = [(None, setting.bdds.yes())];
    let mut ways = vec![(states, writes)];
    for event in events {
        let sources: Vec<(Option<usize>, Bdd)> = match &event.source {
            Some(sources) => sources.0.iter().map(|(clock, here)| (Some(*clock), here.clone())).collect(),
            None => none.to_vec(),
        };
        let mut next = Vec::new();
        for (states, writes) in ways {
            let without = states.but(&event.path)?;
            if !without.is_no() {
                next.push((without, writes.clone()));
            }
            let states = states.and(&event.path)?;
            let Some(values) = words.values(&event.value, &states, CASES_MAX)? else {
                return refuse(format!("a clock is set to more than {CASES_MAX} different values"));
            };
            for (value, here) in values {
                let value = Constant::new(value).expect("it was asked for");
                for (target, at_target) in &event.target.0 {
                    let here = here.and(at_target)?;
                    for (source, at_source) in &sources {
                        let here = here.and(at_source)?;
                        if here.is_no() {
                            continue;
                        }
                        let clock = |index: usize| Clock::from_index(index + 1);
                        let write = match source {
                            None => Write::Reset(clock(*target), value),
                            Some(source) => Write::Assign(clock(*target), clock(*source), value),
                        };
                        next.push((here, [writes.as_slice(), &[write]].concat()));
                    }
                }
            }
        }
        if next.len() > FLOWS_MAX {
            return refuse(format!("a transition sets clocks in more than {FLOWS_MAX} different ways"));
        }
        ways = next;
    }
    Ok(ways)
}

/// Constraints in canonical order, each once.
pub(super) fn tidy(mut constraints: Vec<Constraint>) -> Vec<Constraint> {
    constraints.sort_by_key(|it| (it.left, it.right, it.bound));
    constraints.dedup();
    constraints
}

/// The combined effect of writes, in canonical order if all are to nonnegative constants.
pub(super) fn net(writes: Vec<Write>) -> Vec<Write> {
    let plain = |write: &Write| matches!(*write, Write::Reset(_, value) if value >= Constant::ZERO);
    if !writes.iter().all(plain) {
        return writes;
    }
    let last: BTreeMap<Clock, Constant> = writes
        .iter()
        .filter_map(|write| match *write {
            Write::Reset(clock, value) => Some((clock, value)),
            Write::Assign(..) => None,
        })
        .collect();
    last.into_iter().map(|(clock, value)| Write::Reset(clock, value)).collect()
}
