//! Combinations of receivers that symmetry maps to each other: of these, the ones whose choices are in order.
//!
//! `k` interchangeable receivers of a broadcast, each of which may take one of two edges, have `2^k` combinations. The targets of those that
//! differ only in which receiver takes which edge have one representative. `k + 1` combinations have their choices in the order of
//! processes: these are enough.
//!
//! **Proof.** Let an automorphism map a state to itself. It maps a transition `t` of the state to a transition of the state, whose targets
//! have the same orbits. Order the transitions by the process of their first edge, then by the edge of each process, process by process,
//! where to take none comes last. Of each set of transitions that such automorphisms map to each other, a least one must be followed; so `t`
//! need not be if the image of `t` is less. Here that is tested for exchanges of two processes that leave all edges of others as they are,
//! and for transitions whose sender is another process: then the image is less if, at the first of the two processes, the image of the
//! choice of the second is less than the choice of the first. [`Representatives::skip`](crate::Representatives) omits transitions by
//! the same order: those with a first process that is mapped to an earlier one.
//!
//! The choices of a branch (`combine.rs`) are tested as soon as the second process has chosen, so that what begins out of order is not
//! enumerated at all.

use std::collections::HashMap;

use tourbillon_base::Id;
use tourbillon_model::{Multiplied, ProcessId};
use tourbillon_symmetry::{Automorphism, ValueMap};
use tourbillon_system::{EdgeId, System};

use crate::enumerate::{Fired, Synchronisation, Transitions};

/// Two processes that an automorphism exchanges, and that are all it moves.
#[derive(Debug)]
pub(crate) struct ReceiverPair {
    first: ProcessId,
    second: ProcessId,
    /// The edges of the second process, with their images.
    images: HashMap<EdgeId, EdgeId>,
}

impl ReceiverPair {
    /// The processes that an automorphism exchanges, if these are two and it leaves the edges of all others as they are.
    pub(crate) fn new(system: &System, automorphism: &Automorphism) -> Option<Self> {
        let processes = automorphism.processes.iter().enumerate();
        let moved: Vec<usize> = processes.filter(|(from, to)| from != *to).map(|(from, _)| from).collect();
        let &[first, second] = moved.as_slice() else { return None };
        let mut others =
            automorphism.edges.iter().enumerate().filter(|(process, _)| !moved.contains(process));
        let stays = others.all(|(_, edges)| {
            let mut images = (0..).zip(edges);
            images.all(|(edge, (image, values))| edge == *image && values.iter().all(ValueMap::is_identity))
        });
        let ids: HashMap<(usize, u32), EdgeId> =
            system.edges.enumerate().map(|(id, edge)| ((edge.process.index(), edge.index), id)).collect();
        let images = (0..).zip(&automorphism.edges[second]);
        let images = images.map(|(edge, (image, _))| (ids[&(second, edge)], ids[&(first, *image)])).collect();
        let [first, second] = [first, second].map(ProcessId::from_index);
        stays.then_some(Self { first, second, images })
    }

    /// Whether the image of the choice of the second process is less than the choice of the first.
    fn is_out_of_order(&self, first: Option<Fired>, second: Option<Fired>) -> bool {
        let Some(image) = second.map(|fired| self.images[&fired.edge]) else { return false };
        first.is_none_or(|first| image < first.edge)
    }
}

/// Whether the last choice of a broadcast is in order with the choices before it, as far as these pairs tell.
pub(crate) fn is_in_order<'p>(
    mut pairs: impl Iterator<Item = &'p ReceiverPair>,
    list: &Transitions,
    synchronisation: &Synchronisation,
    picked: &[Option<Fired>],
) -> bool {
    let [_, earlier @ .., last] = picked else { return true };
    if synchronisation.what != Multiplied::Receivers {
        return true;
    }
    let groups = list.groups(synchronisation);
    let process = |level: usize| list.members(&groups[level])[0].process;
    pairs.all(|pair| {
        let is_last = pair.second == process(picked.len() - 1) && pair.first != process(0);
        let choice = || earlier.iter().enumerate().rfind(|(index, _)| process(index + 1) == pair.first);
        !is_last || choice().is_none_or(|(_, &first)| !pair.is_out_of_order(first, *last))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tourbillon_model::ChannelKind;
    use tourbillon_symmetry::{Candidates, Formulas, find};

    use crate::graph::{Options, ZoneGraph};
    use crate::represent::Representatives;
    use crate::testing::{Network, state};

    /// For each combination, how many of five receivers take their first edge and how many their second.
    fn combinations(zone: &str, symmetric: bool) -> Vec<(usize, usize)> {
        let clocks = ["v", "w", "x", "y", "z"];
        let mut network = Network::new(&clocks);
        let channel = network.channel(ChannelKind::Broadcast);
        let sender = network.process(2);
        let send = network.edge(sender, 0, 1);
        network.send(send, channel);
        for clock in clocks {
            let process = network.process(3);
            for (target, guard) in [(1, "<2"), (2, ">=1")] {
                let edge = network.edge(process, 0, target);
                network.receive(edge, channel);
                network.guard(edge, &format!("{clock}{guard}"));
            }
        }
        let system = network.compile();
        let symmetry = find(&network.model, &Formulas::default(), Candidates::All);
        let tables = Representatives::new(&system, &symmetry, true).map(Arc::new);
        assert!(tables.is_some());
        let options = Options { symmetry: tables.filter(|_| symmetric), ..Options::exact(&system) };
        let mut graph = ZoneGraph::new(&system, options);
        let mut state = state(&system, &network.zone(zone));
        graph.prepare(&mut state).expect("no failure");
        let mut found = Vec::new();
        while let Some(index) = graph.next(&state).expect("no failure") {
            let fired = &graph.transitions().get(index).fired[1..];
            let second = fired.iter().filter(|fired| system.edges[fired.edge].target == 2).count();
            found.push((fired.len() - second, second));
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn interchangeable_receivers_choose_in_order() {
        let anywhere = "v<=3, w<=3, x<=3, y<=3, z<=3";
        assert_eq!(combinations(anywhere, false).len(), 32);
        let expected: Vec<(usize, usize)> = (0..=5).map(|first| (first, 5 - first)).collect();
        assert_eq!(combinations(anywhere, true), expected);
    }

    #[test]
    fn receivers_with_different_clocks_choose_freely() {
        let zone = "v<=3, w<=3, x==3, y==3, z==0";
        let expected = vec![(1, 4), (2, 3), (2, 3), (3, 2)];
        assert_eq!(combinations(zone, false), expected);
        assert_eq!(combinations(zone, true), [(1, 4), (2, 3), (3, 2)], "v and w are interchangeable");
        let zone = "v<=3, w<=2, x==3, y==3, z==0";
        assert_eq!(combinations(zone, true), expected);
    }
}
