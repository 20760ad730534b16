//! The states in which urgent channels forbid delays.
//!
//! This is evaluated on arrival in a state, and depends only on data: edges with urgent channels compare no clocks.

use tourbillon_base::Id;
use tourbillon_dd::Bdd;
use tourbillon_model::{Action, ChannelKind};

use super::{Builder, Urgency};
use crate::interruption::Interruptible;

impl Builder<'_> {
    /// Where urgent channels forbid delays.
    pub(super) fn urgency(&self) -> Interruptible<Urgency> {
        Ok(Urgency { states: self.urgent()?, failed: self.urgency_failed()? })
    }

    /// Where a guard has no value that is evaluated to decide urgency.
    fn urgency_failed(&self) -> Interruptible<Bdd> {
        let mut failed = self.setting.bdds.no();
        let channels = &self.setting.model.channels;
        if !channels.iter().any(|channel| channel.urgent) {
            return Ok(failed);
        }
        let senders = self.edges(true);
        for &(process, edge) in &senders {
            failed = failed.or(&self.ready[process][edge].failed.exists(&self.choices)?)?;
        }
        for (process, edge) in self.edges(false) {
            let is_urgent = |channel| channels[tourbillon_model::ChannelId::from_index(channel)].urgent;
            let wanted = self.wanted(&senders, process, edge, is_urgent)?;
            failed = failed.or(&self.ready[process][edge].failed.and_exists(&wanted, &self.choices)?)?;
        }
        Ok(failed)
    }

    /// Where a sender, and if necessary a receiver, is enabled on an urgent channel.
    fn urgent(&self) -> Interruptible<Bdd> {
        let mut urgent = self.setting.bdds.no();
        let channels = self.setting.model.channels.enumerate().filter(|(_, channel)| channel.urgent);
        for (id, channel) in channels {
            let all = |sends: bool| {
                self.ready.iter().flatten().filter(move |ready| match ready.edge.action {
                    Action::Send(_) => sends,
                    Action::Receive(_) => !sends,
                    _ => false,
                })
            };
            for sender in all(true) {
                let Some(here) = sender.over(id.index()) else { continue };
                if channel.kind == ChannelKind::Broadcast {
                    urgent = urgent.or(&here.exists(&self.choices)?)?;
                    continue;
                }
                for receiver in all(false).filter(|receiver| receiver.process != sender.process) {
                    if let Some(there) = receiver.over(id.index()) {
                        urgent = urgent.or(&here.and_exists(there, &self.choices)?)?;
                    }
                }
            }
        }
        Ok(urgent)
    }
}
