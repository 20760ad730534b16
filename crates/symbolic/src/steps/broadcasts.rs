//! Broadcasts: one sender, and every receiver that is enabled.
//!
//! Each enabled receiver takes part, in system order. Its effect differs between states, and each process multiplies
//! the number of partial steps; but partial steps with the same clock constraints and resets are merged if their states
//! are disjoint: different data becomes a conditional. So there are as many as a single state has alternatives, not as
//! many as all states together.

use std::collections::BTreeMap;

use tourbillon_dd::Bdd;

use super::{Builder, PartialStep};
use crate::interpret::EncodingContext;
use crate::interruption::Interruptible;
use crate::words::Word;

impl Builder<'_> {
    /// The transitions in which one edge sends and every enabled receiver takes part.
    pub(super) fn broadcast(
        &mut self,
        sender: (usize, usize),
        channel: usize,
        here: &Bdd,
        receivers: &[(usize, usize)],
    ) -> Interruptible {
        let bdds = self.setting.bdds;
        let mut leaves = self.yes_if(self.ready[sender.0][sender.1].committed);
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &(process, edge) in receivers.iter().filter(|receiver| receiver.0 != sender.0) {
            let ready = &self.ready[process][edge];
            let Some(there) = ready.over(channel) else { continue };
            if there.and(here)?.is_no() {
                continue;
            }
            groups.entry(process).or_default().push(edge);
            if ready.committed {
                leaves = leaves.or(&there.exists(&self.choices)?)?;
            }
        }
        let may_go = self.may_go(&leaves)?.and(here)?;
        let begun = self.begin(&may_go)?;
        let mut flows = self.guard(vec![begun], sender.0, sender.1)?;
        flows = self.hook(flows, true)?;
        flows = self.update(flows, sender.0, sender.1)?;
        for (process, edges) in groups {
            let mut next = Vec::new();
            let mut received = bdds.no();
            for edge in edges {
                let there = self.ready[process][edge].over(channel).expect("it was found").clone();
                received = received.or(&there.exists(&self.choices)?)?;
                let taking = confined(&flows, &there)?;
                next.extend(self.update(taking, process, edge)?);
            }
            next.extend(confined(&flows, &received.not()?)?);
            flows = self.bounded(self.merge(next)?)?;
        }
        self.finish(flows)
    }

    /// Merges partial steps with the same clock constraints and resets and disjoint states.
    fn merge(&self, flows: Vec<PartialStep>) -> Interruptible<Vec<PartialStep>> {
        let mut merged: Vec<PartialStep> = Vec::new();
        for flow in flows {
            let mut rest = Some(flow);
            for other in &mut merged {
                let Some(flow) = &rest else { break };
                if (&other.constraints, &other.writes) == (&flow.constraints, &flow.writes)
                    && other.states.and(&flow.states)?.is_no()
                {
                    self.join(other, flow)?;
                    rest = None;
                }
            }
            merged.extend(rest);
        }
        Ok(merged)
    }

    fn join(&self, flow: &mut PartialStep, other: &PartialStep) -> Interruptible {
        let words = crate::words::Arithmetic { bdds: self.setting.bdds };
        let slots: Vec<usize> = flow.cells.keys().chain(other.cells.keys()).copied().collect();
        for slot in slots {
            let here = self.cell(flow, slot)?;
            let there = self.cell(other, slot)?;
            flow.cells.insert(slot, words.choose(&flow.states, &here, &there)?);
        }
        flow.states = flow.states.or(&other.states)?;
        Ok(())
    }

    /// The current value of a cell. Cells that are not fields have the same value at the start of every transition.
    fn cell(&self, flow: &PartialStep, slot: usize) -> Interruptible<Word> {
        let EncodingContext { layout, fields, bdds, model, .. } = self.setting;
        if let Some(word) = flow.cells.get(&slot) {
            return Ok(word.clone());
        }
        if slot < layout.fields() {
            return Ok(fields.word(bdds, slot)?);
        }
        let words = crate::words::Arithmetic { bdds };
        let cell = model.cells.enumerate().find(|(id, _)| layout.slot(*id) == slot);
        Ok(words.constant(cell.map_or(0, |(_, cell)| cell.initial).into()))
    }
}

/// The parts of partial steps within a set.
fn confined(flows: &[PartialStep], states: &Bdd) -> Interruptible<Vec<PartialStep>> {
    let mut next = Vec::new();
    for flow in flows {
        let states = flow.states.and(states)?;
        if !states.is_no() {
            next.push(PartialStep { states, ..flow.clone() });
        }
    }
    Ok(next)
}
