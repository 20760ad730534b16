//! Transitions of synchronisation vectors: each participant takes an edge with its event; a weak participant without
//! one is left out.

use tourbillon_base::Id;
use tourbillon_dd::Bdd;
use tourbillon_model::Action;

use super::{Builder, FLOWS_MAX};
use crate::interruption::{Interruptible, refuse};

impl Builder<'_> {
    pub(super) fn vectors(&mut self) -> Interruptible {
        for vector in &self.setting.model.vectors {
            // Each with its edges so far, those of strong participants first, in the order of the vector.
            let mut ways: Vec<(Vec<(usize, usize)>, Bdd)> = vec![(Vec::new(), self.setting.bdds.yes())];
            for part in &vector.participants {
                let process = part.process.index();
                let edges: Vec<usize> = (0..self.ready[process].len())
                    .filter(|&edge| self.ready[process][edge].edge.action == Action::Event(part.event))
                    .collect();
                let mut able = self.setting.bdds.no();
                for &edge in &edges {
                    let looked_at = self.setting.bdds.yes();
                    self.note_guard(process, edge, &looked_at)?;
                    able = able.or(&self.ready[process][edge].states.exists(&self.choices)?)?;
                }
                let mut next = Vec::new();
                for (taken, here) in ways {
                    for &edge in &edges {
                        let both = here.and(&self.ready[process][edge].states)?;
                        if !both.is_no() {
                            next.push(([taken.as_slice(), &[(process, edge)]].concat(), both));
                        }
                    }
                    let without = here.but(&able)?;
                    if part.weak && !without.is_no() {
                        next.push((taken, without));
                    }
                }
                if next.len() > FLOWS_MAX {
                    return refuse(format!(
                        "a synchronisation vector has more than {FLOWS_MAX} combinations of edges"
                    ));
                }
                ways = next;
            }
            for (taken, here) in ways.into_iter().filter(|(taken, _)| !taken.is_empty()) {
                let commits = taken.iter().any(|&(process, edge)| self.ready[process][edge].committed);
                let may_go = self.may_go(&self.yes_if(commits))?.and(&here)?;
                self.together(&may_go, &taken)?;
            }
        }
        Ok(())
    }
}
