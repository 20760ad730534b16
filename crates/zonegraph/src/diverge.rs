//! Whether time can diverge in a discrete state, and what prevents it if not.
//!
//! Delays preserve differences of clocks, so that of an invariant only upper bounds of single clocks can end a delay,
//! and any such bound ends every delay. Where time can pass at all, it can therefore diverge if no location
//! has an upper bound: this depends on data alone. It holds while all clocks run. A stopped clock may never reach its
//! bound: the answer does not apply to models with stopwatches.

use tourbillon_base::Id;
use tourbillon_dbm::{Clock, Constraint};
use tourbillon_system::{GlobalLocationId, LocationSummary, RuntimeError};

use crate::entry::each_constraint;
use crate::predicate::PredicateEvaluator;

/// What prevents time divergence without a transition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TimeStop {
    /// The location is urgent or committed, or its invariant has an upper bound.
    At(GlobalLocationId),
    /// A synchronisation over an urgent channel is enabled.
    Urgency,
}

impl PredicateEvaluator<'_> {
    /// What prevents time divergence in a discrete state as long as no transition is taken; nothing if time can diverge.
    ///
    /// # Errors
    /// If the model fails.
    pub fn time_stop(&mut self, memory: &[i32]) -> Result<Option<TimeStop>, RuntimeError> {
        self.locations.gather(self.system, memory);
        let Self { system, machine, locals, locations, detector, .. } = self;
        let mut is_no_upper_bound = |constraint: Constraint| {
            constraint.right != Clock::REFERENCE
                || constraint.left == Clock::REFERENCE
                || constraint.bound.is_infinite()
        };
        for &location in &locations.ids {
            let no_delay = system.faces[location.index()].traits & LocationSummary::NO_DELAY != 0;
            if no_delay
                || !each_constraint(system, machine, location, memory, locals, &mut is_no_upper_bound)?
            {
                return Ok(Some(TimeStop::At(location)));
            }
        }
        let may_delay = detector.may_delay(system, machine, locations, memory)?;
        Ok(if may_delay { None } else { Some(TimeStop::Urgency) })
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_model::{ChannelKind, ClockAtom, ClockCondition, Compare, LocationKind};

    use super::*;
    use crate::testing::Network;

    /// The locations of the second process are: without invariant, with a diagonal and a lower bound, with an upper bound,
    /// with an upper bound that depends on a variable, urgent, committed, sending over an urgent channel.
    #[test]
    fn time_diverges_unless_a_location_or_an_urgent_synchronisation_stops_it() {
        let mut network = Network::new(&["x", "y"]);
        let v = network.cell(0);
        let channel = network.channel(ChannelKind::Broadcast);
        network.model.channels[channel].urgent = true;
        network.process(1);
        let process = network.process(7);
        network.invariant(process, 1, "x-y<3, x>=1");
        network.invariant(process, 2, "x<=3");
        let (left, bound) = (network.clock_place("x"), network.int(3));
        let atom = ClockAtom { left, right: None, compare: Compare::Less, bound };
        let when = Some(network.equals(&v, 1));
        network.location(process, 3).invariant.clocks.push(ClockCondition { when, atom });
        network.location(process, 4).kind = LocationKind::Urgent;
        network.location(process, 5).kind = LocationKind::Committed;
        let send = network.edge(process, 6, 6);
        network.send(send, channel);
        let system = network.compile();
        let mut evaluator = PredicateEvaluator::new(&system);
        let at = |index: usize| Some(TimeStop::At(GlobalLocationId::from_index(1 + index)));
        // The location, the variable, and the reason.
        let cases = [
            (0, 0, None),
            (1, 0, None),
            (2, 0, at(2)),
            (3, 0, None),
            (3, 1, at(3)),
            (4, 0, at(4)),
            (5, 0, at(5)),
            (6, 0, Some(TimeStop::Urgency)),
        ];
        for (location, value, expected) in cases {
            let found = evaluator.time_stop(&[0, location, value]).unwrap();
            assert_eq!(found, expected, "location {location}, v = {value}");
        }
    }
}
